//! Workers that translate: the one that the whole page uses and, on the CPU, helpers on other cores. Each holds its own
//! copy of the translator.

pub mod schedule;
pub mod side_by_side;

use crate::engine::Engine;
use crate::engine::job::Job;
use crate::engine::model::Model;
use crate::kit::timing::Debounce;
use crate::translate::state::settings::MAX_CORES;
use js_sys::Reflect;
use leptos::prelude::*;
use tuppum_protocol::{DeviceKind, DevicePreference, OpenModel, Task, TranslatorReport};

/// Milliseconds for which idle helpers keep their translator: the next text often follows soon.
const KEEP_HELPERS_MS: u32 = 60_000;
/// Divisor of the machine's memory: all helpers together may take a quarter of it.
const HELPERS_MEMORY_DIVISOR: u64 = 4;
/// Memory in gigabytes of a machine whose browser does not report it.
const DEFAULT_MEMORY_GB: f64 = 4.0;

/// A worker's translator and its job.
#[derive(Clone, Copy)]
pub struct TranslatingWorker {
    pub translator: Model,
    pub job: Job,
}

/// All workers; `Copy`, as signals are.
#[derive(Clone, Copy)]
pub struct Workers {
    engines: [Engine; MAX_CORES],
    workers: [TranslatingWorker; MAX_CORES],
    /// Number of workers that translate at present.
    pub busy: RwSignal<usize>,
    release_timer: Debounce,
}

impl Workers {
    /// Returns the workers, none of them started yet; `first` is the engine that the whole page shares.
    pub fn new(first: Engine) -> Self {
        let engines = std::array::from_fn(|number| if number == 0 { first } else { Engine::default() });
        let worker =
            |engine| TranslatingWorker { translator: Model::new(engine, Task::Translation), job: Job::new(engine) };
        Self { engines, workers: engines.map(worker), busy: RwSignal::new(0), release_timer: Debounce::new() }
    }

    /// Returns the worker with this number; the first has 0.
    pub fn get(self, number: usize) -> Option<TranslatingWorker> {
        self.workers.get(number).copied()
    }

    /// Returns the worker that the whole page shares.
    pub fn first(self) -> TranslatingWorker {
        let [first, ..] = self.workers;
        first
    }

    /// Opens the translator in a helper, if it is not open there; calls `ended` with `true` if it is open then.
    pub fn open_helper(self, number: usize, asked: &OpenModel, ended: impl Fn(bool) + 'static) {
        match self.get(number) {
            Some(_) if self.is_held_by(number, asked) => ended(true),
            Some(helper) => helper.translator.open(on_cpu(asked), move |outcome| ended(outcome.is_ok())),
            None => ended(false),
        }
    }

    /// Returns `true` if a helper has the translator open.
    pub fn is_held_by(self, number: usize, asked: &OpenModel) -> bool {
        self.get(number).is_some_and(|helper| helper.translator.holds(&on_cpu(asked)))
    }

    /// Keeps the helpers until the next [`Workers::release_helpers_later`].
    pub fn keep_helpers(self) {
        self.release_timer.cancel();
    }

    /// Shuts the helpers down, which frees their memory, unless they are needed again soon.
    pub fn release_helpers_later(self) {
        self.release_timer.start(KEEP_HELPERS_MS, move || self.release_helpers());
    }

    /// Shuts the helpers down at once.
    pub fn release_helpers(self) {
        self.release_timer.cancel();
        (1..MAX_CORES).for_each(|number| self.release_helper(number));
    }

    /// Shuts one helper down.
    pub fn release_helper(self, number: usize) {
        if let (Some(worker), Some(engine)) = (self.get(number), self.engines.get(number)) {
            worker.translator.close();
            engine.let_go();
        }
    }
}

fn on_cpu(asked: &OpenModel) -> OpenModel {
    OpenModel { device: DevicePreference::Cpu, ..asked.clone() }
}

/// Returns how many workers may translate side by side, the first included: as many as `wanted`, within this machine's
/// cores and memory. On a GPU the first one is enough.
pub fn most_workers(wanted: usize, report: Option<&TranslatorReport>) -> usize {
    let navigator = window().navigator();
    let memory = Reflect::get(&navigator, &"deviceMemory".into()).ok().and_then(|gigabytes| gigabytes.as_f64());
    let cores = navigator.hardware_concurrency() as usize;
    report.map_or(1, |report| workers_within(wanted.min(cores), memory.unwrap_or(DEFAULT_MEMORY_GB), report))
}

fn workers_within(cores: usize, gigabytes: f64, report: &TranslatorReport) -> usize {
    if report.device != DeviceKind::Cpu {
        return 1;
    }
    let helpers = (gigabytes * 1e9) as u64 / HELPERS_MEMORY_DIVISOR / report.memory.max(1);
    cores.clamp(1, MAX_CORES).min(1 + helpers as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn helpers_are_bounded_by_cores_memory_and_device() {
        let with = |device, memory| TranslatorReport {
            device,
            reason: String::new(),
            self_test: None,
            stored: true,
            storage_note: None,
            parameters: 1,
            bias: true,
            golden: true,
            memory,
            writes_together: true,
        };
        let small = with(DeviceKind::Cpu, 200_000_000);
        assert_eq!([0, 1, 2, 3, 4, 64].map(|cores| workers_within(cores, 4.0, &small)), [1, 1, 2, 3, 4, 4]);
        assert_eq!(
            [0.5, 1.0, 2.0].map(|gigabytes| workers_within(4, gigabytes, &small)),
            [1, 2, 3],
            "a quarter for helpers"
        );
        assert_eq!(workers_within(4, 8.0, &with(DeviceKind::Cpu, 2_400_000_000)), 1, "a large model has no copies");
        assert_eq!(workers_within(4, 8.0, &with(DeviceKind::WebGpu, 200_000_000)), 1);
    }
}
