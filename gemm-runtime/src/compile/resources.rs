//! [`Resources`]: the assembler's report on a kernel.

/// The report of `ptxas` on one entry point, from the log of a compilation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Resources {
    /// 32-bit registers of a thread.
    pub registers: u32,
    /// Bytes of a thread's stack frame.
    pub stack_bytes: u32,
    /// Bytes of registers that a thread spills.
    pub spill_store_bytes: u32,
    /// Bytes of spilled registers that a thread loads.
    pub spill_load_bytes: u32,
    /// Static shared memory of a block in bytes.
    pub shared_bytes: u32,
}

impl Resources {
    /// Reads the report for `entry` from a log; `None` if there is none.
    pub(super) fn of(log: &str, entry: &str) -> Option<Resources> {
        let quoted = format!("'{entry}'");
        let lines = log
            .lines()
            .skip_while(|line| {
                !(line.contains("Compiling entry function") && line.contains(&quoted))
            })
            .skip(1)
            .take_while(|line| !line.contains("Compiling entry function"));
        let mut found = None;
        for line in lines {
            let resources: &mut Resources = found.get_or_insert_default();
            for part in line.split([',', ':']) {
                read(part.trim().trim_start_matches('.').trim_start(), resources);
            }
        }
        found
    }
}

/// Reads a part such as `Used 12 registers` or `ptxas . 0 bytes stack frame`.
fn read(part: &str, resources: &mut Resources) {
    let words: Vec<&str> = part.split_whitespace().collect();
    let Some(at) = words.iter().position(|word| word.bytes().all(|b| b.is_ascii_digit())) else {
        return;
    };
    let Ok(number) = words[at].parse() else { return };
    match &words[at + 1..] {
        ["registers"] => resources.registers = number,
        ["bytes", "stack", "frame"] => resources.stack_bytes = number,
        ["bytes", "spill", "stores"] => resources.spill_store_bytes = number,
        ["bytes", "spill", "loads"] => resources.spill_load_bytes = number,
        ["bytes", "smem"] => resources.shared_bytes = number,
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = "\
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'k2' for 'sm_80'
ptxas info    : Function properties for k2
ptxas         .     16 bytes stack frame, 8 bytes spill stores, 4 bytes spill loads
ptxas info    : Used 12 registers, used 1 barriers, 128 bytes smem, 360 bytes cmem[0]
ptxas info    : Compile time = 2.121 ms
ptxas info    : Compiling entry function 'k' for 'sm_80'
ptxas info    : Function properties for k
ptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 8 registers, used 0 barriers, 360 bytes cmem[0]";

    #[test]
    fn each_entry_has_its_own_numbers() {
        let k2 = Resources {
            registers: 12,
            stack_bytes: 16,
            spill_store_bytes: 8,
            spill_load_bytes: 4,
            shared_bytes: 128,
        };
        assert_eq!(Resources::of(LOG, "k2"), Some(k2));
        assert_eq!(Resources::of(LOG, "k"), Some(Resources { registers: 8, ..Default::default() }));
        assert_eq!(Resources::of(LOG, "k3"), None);
    }
}
