//! Opening and reading files that another process may have put into the folder: a FIFO or a device
//! must not block or exhaust memory.

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

/// The largest file that is read, in bytes. Machine code has less than a MiB.
const LIMIT: u64 = 64 << 20;

/// Opens a regular file, without waiting for the other end of a FIFO.
pub(super) fn open(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed());
    }
    let file = options.open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    Ok(file)
}

/// The content of a file.
pub(super) fn read(file: &File) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    file.take(LIMIT + 1).read_to_end(&mut content)?;
    if content.len() as u64 > LIMIT {
        return Err(io::Error::other(format!("it has more than {LIMIT} bytes")));
    }
    Ok(content)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_over_the_limit_is_not_read() {
        let file = tempfile::tempfile().expect("a temporary file");
        // Sparse: it takes no space.
        file.set_len(LIMIT).expect("it grows");
        assert_eq!(read(&file).expect("it is within the limit").len() as u64, LIMIT);
        let file = tempfile::tempfile().expect("a temporary file");
        file.set_len(LIMIT + 1).expect("it grows");
        assert!(read(&file).is_err());
    }
}
