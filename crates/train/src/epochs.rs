//! Epochs of a run of any task: the epoch of a step, and the rows of a batch.

use tuppum_domain::translation::training::Length;
use tuppum_random::Random;

/// Epochs of a run.
#[derive(Clone, Debug)]
pub struct Epochs {
    /// Number of steps of each epoch; the last may be cut short.
    by_epoch: Vec<u32>,
    steps: u32,
}

impl Epochs {
    /// Creates the epochs of a run of this length; `steps_of` returns the number of steps of an epoch.
    pub fn new(length: Length, steps_of: impl Fn(usize) -> u32) -> Self {
        let mut own = Self { by_epoch: Vec::new(), steps: 0 };
        loop {
            let epoch = own.by_epoch.len();
            let steps = steps_of(epoch);
            own.by_epoch.push(steps);
            own.steps = own.steps.saturating_add(steps);
            match length {
                Length::Epochs(epochs) if epoch + 1 >= epochs as usize => return own,
                Length::Steps(wanted) if own.steps >= wanted || steps == 0 => {
                    own.steps = wanted;
                    return own;
                }
                _ => {}
            }
        }
    }

    /// Returns the number of steps of the whole run.
    pub fn steps(&self) -> u32 {
        self.steps
    }

    /// Returns the epoch of a step, its number counted from 0, and the step's number within it.
    pub fn at(&self, step: u32) -> (usize, u32) {
        let (mut epoch, mut within) = (0, step);
        while epoch + 1 < self.by_epoch.len() && within >= self.by_epoch[epoch] {
            within -= self.by_epoch[epoch];
            epoch += 1;
        }
        (epoch, within)
    }
}

/// Returns the rows of each batch of an epoch, by number, in random order of batches. A batch holds rows of similar
/// length, as many as fit with padding: the number of rows times the longest length of either side is at most `most`.
/// Lengths that differ by less than `jitter` share a batch or not by chance, so that batches differ from epoch to
/// epoch.
pub fn grouped(
    rows: &[usize],
    lengths: impl Fn(usize) -> [usize; 2],
    jitter: f64,
    most: usize,
    draws: &mut Random,
) -> Vec<Vec<usize>> {
    let mut key = |number: usize| lengths(number).iter().sum::<usize>() as f64 + draws.uniform() * jitter;
    let mut order: Vec<(f64, usize)> = rows.iter().map(|number| (key(*number), *number)).collect();
    order.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
    let (mut batches, mut batch, mut longest) = (Vec::new(), Vec::new(), [0, 0]);
    for (_, number) in order {
        let own = lengths(number);
        let both = [own[0].max(longest[0]), own[1].max(longest[1])];
        if !batch.is_empty() && both.iter().sum::<usize>() * (batch.len() + 1) > most {
            batches.push(std::mem::take(&mut batch));
            longest = own;
        } else {
            longest = both;
        }
        batch.push(number);
    }
    if !batch.is_empty() {
        batches.push(batch);
    }
    draws.shuffle(&mut batches);
    batches
}

/// Mixes several numbers into a seed.
pub fn mixed(numbers: [u64; 4]) -> u64 {
    numbers.into_iter().fold(0, |seed, number| Random::new(seed ^ number).bits())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_lie_in_their_epochs() {
        let epochs = Epochs::new(Length::Epochs(3), |epoch| epoch as u32 + 2);
        assert_eq!(epochs.steps(), 9);
        let places: Vec<(usize, u32)> = (0..9).map(|step| epochs.at(step)).collect();
        assert_eq!(places, [(0, 0), (0, 1), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2), (2, 3)]);
    }

    #[test]
    fn a_number_of_steps_is_kept_and_nothing_never_ends() {
        assert_eq!(Epochs::new(Length::Steps(5), |_| 3).steps(), 5);
        assert_eq!(Epochs::new(Length::Steps(5), |_| 3).at(4), (1, 1));
        assert_eq!(Epochs::new(Length::Steps(5), |_| 0).steps(), 5);
    }
}
