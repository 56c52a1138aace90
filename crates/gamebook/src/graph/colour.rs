//! Colours of sections.

use crate::SectionKind;

/// Nine colours of viridis, from dark to light, at equal distances (N. Smith and S. van der Walt,
/// 2015, public domain). Their lightness rises evenly, so every kind of eye sees their order.
const VIRIDIS: [[u8; 3]; 9] = [
    [0x44, 0x01, 0x54],
    [0x47, 0x2d, 0x7b],
    [0x3b, 0x52, 0x8b],
    [0x2c, 0x72, 0x8e],
    [0x21, 0x91, 0x8c],
    [0x28, 0xae, 0x80],
    [0x5e, 0xc9, 0x62],
    [0xad, 0xdc, 0x30],
    [0xfd, 0xe7, 0x25],
];

/// The colour of a probability, and whether it is so dark that text on it should be white.
pub(super) fn shade(probability: f64) -> (String, bool) {
    // NaN is drawn as 0.
    let probability = if probability > 0.0 {
        probability.min(1.0)
    } else {
        0.0
    };
    let place = probability * (VIRIDIS.len() - 1) as f64;
    // The last colour has no next one.
    let below = (place as usize).min(VIRIDIS.len() - 2);
    let part = place - below as f64;
    let [red, green, blue] = [0, 1, 2].map(|channel| {
        let from = f64::from(VIRIDIS[below][channel]);
        let to = f64::from(VIRIDIS[below + 1][channel]);
        (from + part * (to - from)).round() as u8
    });
    (
        format!("#{red:02x}{green:02x}{blue:02x}"),
        probability < 0.55,
    )
}

/// The colour of the outline, if the kind has one.
pub(super) fn outline(kind: SectionKind) -> Option<&'static str> {
    match kind {
        SectionKind::Fight => Some("#d62728"),
        SectionKind::Luck => Some("#1f77b4"),
        SectionKind::Skill => Some("#2ca02c"),
        SectionKind::Test => Some("#17becf"),
        SectionKind::Shop | SectionKind::Game => Some("#9467bd"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_of_the_scale_and_beyond() {
        assert_eq!(shade(0.0), ("#440154".to_owned(), true));
        assert_eq!(shade(1.0), ("#fde725".to_owned(), false));
        assert_eq!(shade(7.0).0, shade(1.0).0);
        assert_eq!(shade(0.5).0, "#21918c");
        assert_eq!(shade(f64::NAN).0, "#440154");
    }

    #[test]
    fn lightness_rises() {
        let light = |step: u32| {
            let (colour, _) = shade(f64::from(step) / 100.0);
            let channel = |at: usize| u32::from_str_radix(&colour[at..at + 2], 16).unwrap_or(0);
            2126 * channel(1) + 7152 * channel(3) + 722 * channel(5)
        };
        assert!((0..100).all(|step| light(step) <= light(step + 1)));
    }
}
