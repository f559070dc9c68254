//! Which k-steps of planes are multiplied with each other.

use super::Multiply;
use crate::spec::Planes;
use crate::text::wrap::wrap_lines;

/// The device function `steps_of`.
pub(crate) fn steps_of(planes: Planes, multiply: &Multiply) -> String {
    let [_, _, step] = multiply.shape();
    let pairs = planes.pairs_of_steps(step);
    let listed: Vec<String> = pairs.iter().map(|[a, b]| format!("{{{a}, {b}}}")).collect();
    let (count, of_plane, planes) = (pairs.len(), planes.unit() / step, planes.count());
    wrap_lines(&format!(
        "// The k-steps of A and of B that a step multiplies, the least products first. A unit has {of_plane}\n\
         // steps of each of {planes} planes. Products less than what an f32 rounds off are left out.\n\
         struct Steps {{ int a, b; }};\n\
         \n\
         __device__ __forceinline__ Steps steps_of(int step) {{\n    \
         constexpr Steps OF_UNIT[] = {{{listed}}};\n    \
         const int first = step / {count} * (UNIT / MMA_K);\n    \
         return {{first + OF_UNIT[step % {count}].a, first + OF_UNIT[step % {count}].b}};\n\
         }}\n",
        listed = listed.join(", "),
    ))
}
