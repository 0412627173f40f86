//! Runs a target: replays the kept inputs, then tries mutations, a fixed number or for a fixed time.

use super::attempt::{Failure, attempt};
use super::coverage::Coverage;
use super::escape::escaped;
use super::kept::{earlier, keep, kept, leave};
use super::minimise::minimise;
use super::mutate::Mutator;
use super::target::Target;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tuppum_random::Random;

/// Variable with the number of seconds that each target runs.
pub const SECONDS: &str = "TUPPUM_FUZZ_SECONDS";
/// Variable with a number that selects other mutations.
const SEED: &str = "TUPPUM_FUZZ_SEED";
/// Variable that makes a run write inputs that reached new code into `tests/fuzz`.
const KEEP: &str = "TUPPUM_FUZZ_KEEP";
/// Number of kinds of failure after which a run ends.
const MOST_FAILURES: usize = 12;
/// Maximum number of attempts to shorten an input.
const MOST_TRIES: usize = 4_000;
/// Limits for the kept inputs of a target: number of inputs, and bytes of one.
const MOST_KEPT: (usize, usize) = (150, 600);
/// Time after which an input counts as hanging and the process is ended.
const HANGS: Duration = Duration::from_secs(30);

/// Input being tried, and the time of its start.
type InHand = Mutex<Option<(Instant, Vec<u8>)>>;

impl Target {
    /// Runs a check, which panics if something is wrong, on many inputs.
    ///
    /// # Panics
    /// An input failed; the message shows it, shortened as far as possible.
    pub fn run(&self, check: impl Fn(&[u8])) {
        let seconds = variable(SECONDS);
        let mut run = Run {
            target: self,
            check: &check,
            is_timed: seconds.is_some(),
            coverage: Coverage::new(),
            failures: Vec::new(),
            kinds: BTreeSet::new(),
            now: Arc::default(),
        };
        // Tables and the like that are made once and kept must not be charged to an input.
        for seed in self.seeds.iter().take(3) {
            let _ = attempt(self, seed, run.check, false);
        }
        let start = Instant::now();
        let inputs = match seconds {
            None => run.replay(),
            Some(seconds) => {
                watch(self.name, Arc::clone(&run.now));
                run.search(start + Duration::from_secs(seconds))
            }
        };
        let (name, edges, failed) = (self.name, run.coverage.edges, run.failures.len());
        if seconds.is_some() {
            println!("fuzzed\t{name}\t{inputs}\t{:.1}\t{edges}\t{failed}", start.elapsed().as_secs_f64());
        }
        let told: Vec<String> = run.failures.iter().map(|(input, why)| format!("{input}\n  {why}")).collect();
        assert!(told.is_empty(), "{name}: {failed} kinds of failure\n\n{}", told.join("\n\n"));
    }
}

struct Run<'t, C> {
    target: &'t Target,
    check: &'t C,
    is_timed: bool,
    coverage: Coverage,
    /// Shortest failing input of each kind, escaped, and the message of its failure.
    failures: Vec<(String, String)>,
    kinds: BTreeSet<String>,
    /// Input being tried, for the watching thread.
    now: Arc<InHand>,
}

impl<C: Fn(&[u8])> Run<'_, C> {
    /// Tries the kept inputs, the seeds, and a fixed number of mutations.
    fn replay(&mut self) -> usize {
        let mut pool = kept(self.target.name);
        pool.extend(self.target.seeds.iter().cloned());
        let mut mutator = mutator(self.target);
        pool.iter().for_each(|input| self.attempt(input));
        for _ in 0..self.target.mutations {
            let input = mutator.mutated(&pool);
            self.attempt(&input);
        }
        pool.len() + self.target.mutations
    }

    /// Tries mutations until `end`; those that reach new code are mutated further.
    fn search(&mut self, end: Instant) -> usize {
        let mut mutator = mutator(self.target);
        let mut pool = Vec::new();
        let (mut inputs, mut found) = (0, Vec::new());
        let given: Vec<Vec<u8>> = kept(self.target.name).into_iter().chain(self.target.seeds.clone()).collect();
        for input in given {
            self.is_new(&input);
            pool.push(input);
            inputs += 1;
        }
        let seeds = pool.len();
        for input in earlier(self.target.name) {
            inputs += 1;
            if self.is_new(&input) {
                pool.push(input);
            }
        }
        while Instant::now() < end && self.failures.len() < MOST_FAILURES {
            // In a large pool, recent inputs lead further more often.
            let recent = pool.len().saturating_sub(200);
            let from = if mutator.random.below(3) == 0 { &pool[recent..] } else { &pool[..] };
            let input = mutator.mutated(from);
            inputs += 1;
            let is_new = self.is_new(&input);
            if is_new || (!self.coverage.is_counted() && inputs % 64 == 0 && pool.len() < 4_000) {
                if is_new && input.len() <= MOST_KEPT.1 {
                    found.push(input.clone());
                }
                pool.push(input);
            }
        }
        leave(self.target.name, &pool[seeds..]);
        if variable(KEEP).is_some() {
            keep(self.target.name, &self.smallest_cover(&pool[..seeds], found));
        }
        inputs
    }

    /// Returns the found inputs that still reach something new after the seeds, short inputs first.
    fn smallest_cover(&mut self, seeds: &[Vec<u8>], mut found: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        self.coverage = Coverage::new();
        for seed in seeds.iter().filter(|seed| self.target.seeds.contains(*seed)) {
            self.is_new(seed);
        }
        found.extend(kept(self.target.name));
        found.sort_by_key(|input| (input.len(), input.clone()));
        found.dedup();
        found.retain(|input| self.is_new(input));
        found.truncate(MOST_KEPT.0);
        found
    }

    /// Tries an input; returns `true` if it reached something new.
    fn is_new(&mut self, input: &[u8]) -> bool {
        *self.now.lock().unwrap_or_else(PoisonError::into_inner) = Some((Instant::now(), input.to_vec()));
        self.coverage.clear();
        let before = self.failures.len();
        self.attempt(input);
        *self.now.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.coverage.note() && self.failures.len() == before
    }

    fn attempt(&mut self, input: &[u8]) {
        let Err(Failure { kind, .. }) = self.once(input) else { return };
        if !self.kinds.insert(kind.clone()) {
            return;
        }
        let fails_alike = |shorter: &[u8]| {
            let is_input = !self.target.is_text || std::str::from_utf8(shorter).is_ok();
            is_input && self.once(shorter).is_err_and(|failure| failure.kind == kind)
        };
        // A failure that does not repeat was caused by a table that is made once, or by a busy machine.
        if !fails_alike(input) {
            self.kinds.remove(&kind);
            return;
        }
        let tries = if kind == "time" { 40 } else { MOST_TRIES };
        let shortest = minimise(input, tries, fails_alike);
        let said = self.once(&shortest).err().map(|failure| failure.said).unwrap_or_default();
        self.failures.push((escaped(&shortest), said.chars().take(1_500).collect()));
    }

    fn once(&self, input: &[u8]) -> Result<(), Failure> {
        attempt(self.target, input, self.check, self.is_timed)
    }
}

/// Returns the mutator of a target, with the same seed each time unless the environment sets another.
fn mutator(target: &Target) -> Mutator<'_> {
    let Target { is_text, words, longest, name, .. } = target;
    let seed = variable(SEED).unwrap_or(1);
    let stream = name.bytes().fold(7_u64, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
    Mutator { random: Random::stream(seed, stream), is_text: *is_text, words, longest: *longest }
}

fn variable(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// Ends the process and names the input when one hangs. Runs in a thread of its own, once a second; nothing waits for
/// it.
fn watch(name: &'static str, now: Arc<InHand>) {
    std::thread::spawn(move || {
        // The run holds the other reference; once it is dropped, the thread ends.
        while Arc::strong_count(&now) > 1 {
            std::thread::sleep(Duration::from_secs(1));
            let hung = now.lock().unwrap_or_else(PoisonError::into_inner).clone();
            if let Some((_, input)) = hung.filter(|(since, _)| since.elapsed() > HANGS) {
                eprintln!("{name}: an input does not come to an end after {HANGS:?}:\n{}", escaped(&input));
                std::process::abort();
            }
        }
    });
}
