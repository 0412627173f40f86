//! Runs a target: what is kept, then mutations, so many or for so long.

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

/// The variable that says for how many seconds each target runs.
pub const SECONDS: &str = "TUPPUM_FUZZ_SECONDS";
/// The variable that chooses other mutations: a number.
const SEED: &str = "TUPPUM_FUZZ_SEED";
/// The variable that has inputs that reached new code written into `tests/fuzz`.
const KEEP: &str = "TUPPUM_FUZZ_KEEP";
/// The most kinds of failure before a run ends.
const MOST_FAILURES: usize = 12;
/// The most tries to make an input shorter.
const MOST_TRIES: usize = 4_000;
/// The most that is kept of a target: inputs, and bytes of one.
const MOST_KEPT: (usize, usize) = (150, 600);
/// How long an input may take before the process is given up: it hangs.
const HANGS: Duration = Duration::from_secs(30);

/// The input that is tried, and since when.
type InHand = Mutex<Option<(Instant, Vec<u8>)>>;

impl Target {
    /// Tries inputs with a check that panics where something is wrong.
    ///
    /// # Panics
    /// Some input failed: it is named, as short as it could be made.
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
        // What is made once and kept, such as tables, belongs to no input.
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
    /// The shortest input of each kind, as it is kept, and what is said of it.
    failures: Vec<(String, String)>,
    kinds: BTreeSet<String>,
    /// The input in hand and since when, for whoever watches.
    now: Arc<InHand>,
}

impl<C: Fn(&[u8])> Run<'_, C> {
    /// What is kept, the seeds, and a fixed number of mutations.
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

    /// Mutates until the end; what reaches new code is mutated further.
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
            // Of a large pool, what came last leads on more often.
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

    /// Of what was found, what still reaches something new after the seeds, short inputs first.
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

    /// Tries an input and says whether it reached something new.
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
        // What does not happen again was a table that is made once, or a busy machine.
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

/// The mutations of a target: the same ones each time, unless the environment has another seed.
fn mutator(target: &Target) -> Mutator<'_> {
    let Target { is_text, words, longest, name, .. } = target;
    let seed = variable(SEED).unwrap_or(1);
    let stream = name.bytes().fold(7_u64, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
    Mutator { random: Random::stream(seed, stream), is_text: *is_text, words, longest: *longest }
}

fn variable(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// Ends the process, naming the input, when one does not come to an end. It looks once a second from a thread of its
/// own; nothing waits for it.
fn watch(name: &'static str, now: Arc<InHand>) {
    std::thread::spawn(move || {
        // The run holds the other half; when it is gone there is nothing to watch.
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
