use crate::body::samples::{resolutions, spec};
use crate::proof::check;

#[test]
fn a_check_resolves_the_body_once() {
    for body in ["alpha * matmul(x, w) + bias", "alpha * matmul(x, w) + bais"] {
        let spec = spec(body);
        let before = resolutions();
        assert_eq!(check(&spec).is_ok(), body.ends_with("bias"));
        assert_eq!(resolutions(), before + 1, "{body}");
    }
}
