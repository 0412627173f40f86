//! What all plans of training share: which texts are held out, how the rate rises and falls, and which numbers make sense.

use std::collections::BTreeSet;
use tuppum_random::Random;

/// On fewer pairs, or stretches of text, a bootstrap's interval cannot be trusted: it never draws what was not measured.
pub const LEAST_MEASURED: usize = 20;

/// The texts that are held out.
///
/// A text is held out where a hash of its name lies below the share, so that a text stays on its side when others are added.
/// Where that leaves no text on one side, the text with the lowest hash is the only one held out, or the one with the highest
/// the only one that trains.
pub fn held_out<'t>(texts: impl Iterator<Item = &'t str>, share: f64) -> BTreeSet<&'t str> {
    let texts: BTreeSet<(u64, &str)> = texts.map(|text| (hash(text), text)).collect();
    let below = (share * 2_f64.powi(64)) as u64;
    let mut held: BTreeSet<&str> = texts.iter().filter(|(hash, _)| *hash < below).map(|(_, text)| *text).collect();
    if share > 0.0 && texts.len() > 1 {
        if held.is_empty() {
            held.extend(texts.first().map(|(_, text)| *text));
        } else if held.len() == texts.len()
            && let Some((_, text)) = texts.last()
        {
            held.remove(text);
        }
    }
    held
}

/// FNV-1a of a name, mixed once more so that its upper bits are even.
fn hash(name: &str) -> u64 {
    const OFFSET: u64 = 0xCBF2_9CE4_8422_2325;
    const PRIME: u64 = 0x0000_0100_0000_01B3;
    let fnv = name.bytes().fold(OFFSET, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME));
    Random::new(fnv).bits()
}

/// The learning rate of a step, its number counted from 0, in a run of so many: it rises to the highest over a share of the steps,
/// then falls along a line that ends at 0 after the last step.
pub fn rate_at(highest: f64, warm_up: f64, step: u32, of: u32) -> f64 {
    let (step, of) = (f64::from(step), f64::from(of.max(1)));
    let rising = (warm_up * of).round().min(of);
    if step < rising { highest * (step + 1.0) / rising } else { highest * (of - step) / (of - rising).max(1.0) }
}

/// Settings by their names.
type Named<'s> = &'s [(&'s str, f64)];

/// Whether all lie from 0 to 1.
///
/// # Errors
/// Names the first that does not.
pub fn are_shares(settings: Named) -> Result<(), String> {
    match settings.iter().find(|(_, share)| !(0.0..=1.0).contains(share)) {
        Some((name, share)) => Err(format!("the {name} is {share}; it must lie between 0 and 1")),
        None => Ok(()),
    }
}

/// Whether all lie from 0 to below 1.
///
/// # Errors
/// Names the first that does not.
pub fn are_below_one(settings: Named) -> Result<(), String> {
    match settings.iter().find(|(_, share)| !(0.0..1.0).contains(share)) {
        Some((name, share)) => Err(format!("the {name} is {share}; it must lie between 0 and 1, below 1")),
        None => Ok(()),
    }
}

/// Whether all are above 0.
///
/// # Errors
/// Names the first that is not.
pub fn are_above_zero(settings: Named) -> Result<(), String> {
    match settings.iter().find(|(_, value)| !(value.is_finite() && *value > 0.0)) {
        Some((name, value)) => Err(format!("the {name} is {value}; it must be above 0")),
        None => Ok(()),
    }
}

/// Whether none is below 0.
///
/// # Errors
/// Names the first that is.
pub fn are_not_negative(settings: Named) -> Result<(), String> {
    match settings.iter().find(|(_, value)| !(value.is_finite() && *value >= 0.0)) {
        Some((name, value)) => Err(format!("the {name} is {value}; it must be 0 or more")),
        None => Ok(()),
    }
}
