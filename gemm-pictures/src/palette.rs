//! The colours of all pictures.

use std::fmt::Write as _;

/// A colour, in its variant for light and for dark backgrounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour {
    /// The custom property without its dashes.
    pub name: &'static str,
    /// On a light background, as `#rrggbb`.
    pub light: &'static str,
    /// On a dark one.
    pub dark: &'static str,
}

const fn colour(name: &'static str, light: &'static str, dark: &'static str) -> Colour {
    Colour { name, light, dark }
}

/// The eight fills, tints of the colours of Okabe and Ito (black is grey), on which the ink is legible; then
/// ink, lines and background.
pub const PALETTE: [Colour; 13] = [
    colour("gemm-0", "#a8d8f4", "#2c6d94"), // sky blue
    colour("gemm-1", "#f2c165", "#8a5b00"), // orange
    colour("gemm-2", "#74c9ae", "#006b4e"), // bluish green
    colour("gemm-3", "#f6ee94", "#736a00"), // yellow
    colour("gemm-4", "#7fb2da", "#00497a"), // blue
    colour("gemm-5", "#eda06a", "#913f00"), // vermilion
    colour("gemm-6", "#e3b4cf", "#85466a"), // reddish purple
    colour("gemm-7", "#cdcdcd", "#5a5a5a"), // grey
    colour("gemm-ink", "#1c1f23", "#f0f2f5"),
    colour("gemm-soft", "#59616b", "#a4adb8"),
    colour("gemm-line", "#8a929b", "#77808b"),
    colour("gemm-faint", "#eef0f3", "#262a30"),
    colour("gemm-paper", "#ffffff", "#16191d"),
];

/// How many fills there are.
pub(crate) const FILLS: u32 = 8;

/// The class of fill number `number`, which starts again after the last.
pub(crate) fn fill(number: u32) -> String {
    format!("c{}", number % FILLS)
}

/// The same as the value of `style`, for what `use` copies: no class of an ancestor holds there.
pub(crate) fn style_of(number: u32) -> String {
    format!("fill:var(--gemm-{})", number % FILLS)
}

/// The declarations of the custom properties, light and dark.
pub(crate) fn variables() -> [String; 2] {
    let variables = |of: fn(&Colour) -> &'static str| {
        PALETTE.iter().fold(String::new(), |mut text, colour| {
            let _ = write!(text, "--{}:{};", colour.name, of(colour));
            text
        })
    };
    [variables(|colour| colour.light), variables(|colour| colour.dark)]
}

/// The style sheet of a picture. Its selectors begin with `.gemm`, so that it may stand in a page.
pub(crate) fn style() -> String {
    let fills = (0..FILLS).fold(String::new(), |mut text, number| {
        let _ = write!(text, ".gemm .c{number}{{fill:var(--gemm-{number})}}");
        text
    });
    let [light, dark] = variables();
    format!(
        ".gemm{{{light}}}\n@media(prefers-color-scheme:dark){{.gemm{{{dark}}}}}\n{fills}\n{}",
        include_str!("style.css").trim_end()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance (WCAG 2.2, "relative luminance").
    fn luminance(hex: &str) -> f64 {
        let channel = |at: usize| {
            let value = u8::from_str_radix(&hex[at..at + 2], 16).unwrap();
            let value = f64::from(value) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
    }

    fn contrast(one: &str, other: &str) -> f64 {
        let [one, other] = [one, other].map(luminance);
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    fn named(name: &str) -> Colour {
        PALETTE.into_iter().find(|colour| colour.name == name).unwrap()
    }

    #[test]
    fn ink_is_legible_on_every_fill() {
        let ink = named("gemm-ink");
        let fills = PALETTE[..FILLS as usize].iter().chain([&PALETTE[11], &PALETTE[12]]);
        for fill in fills {
            // The limit of WCAG 2.2 for text, level AA.
            let [light, dark] = [contrast(ink.light, fill.light), contrast(ink.dark, fill.dark)];
            assert!(light >= 4.5 && dark >= 4.5, "{fill:?}: {light:.1} {dark:.1}");
        }
    }
}
