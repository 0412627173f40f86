//! Processor time of a browser's workers, which other programs on a busy machine affect little. Only Linux reports it.

use std::collections::BTreeSet;
use std::path::Path;

/// Name of a worker's thread in Chromium.
const WORKER: &str = "DedicatedWorker";

/// Returns the total milliseconds of all worker threads in the processes that descend from `ancestor`.
pub fn worker_milliseconds(ancestor: u32) -> Option<f64> {
    let threads = family(ancestor).into_iter().flat_map(|process| numbers(&format!("/proc/{process}/task"), process));
    let times: Vec<f64> = threads.filter_map(|(process, thread)| of_a_worker(process, thread)).collect();
    (!times.is_empty()).then(|| times.iter().sum())
}

/// Returns a process and all its descendants.
fn family(ancestor: u32) -> BTreeSet<u32> {
    let all: Vec<(u32, u32)> =
        numbers("/proc", 0).filter_map(|(_, process)| Some((process, parent(process)?))).collect();
    let mut found = BTreeSet::from([ancestor]);
    loop {
        let children = all.iter().filter(|(_, parent)| found.contains(parent)).map(|(process, _)| *process);
        let with_children: BTreeSet<u32> = children.chain(found.iter().copied()).collect();
        if with_children.len() == found.len() {
            return found;
        }
        found = with_children;
    }
}

/// Returns the numbers that name entries of a folder, each paired with `of`.
fn numbers(folder: &str, of: u32) -> impl Iterator<Item = (u32, u32)> + use<> {
    let entries = std::fs::read_dir(Path::new(folder)).into_iter().flatten().flatten();
    entries.filter_map(move |entry| Some((of, entry.file_name().to_str()?.parse().ok()?)))
}

/// Returns the parent of a process: the second field after the name, which ends with the last bracket.
fn parent(process: u32) -> Option<u32> {
    let told = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    told.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
}

fn of_a_worker(process: u32, thread: u32) -> Option<f64> {
    let told = |file: &str| std::fs::read_to_string(format!("/proc/{process}/task/{thread}/{file}")).ok();
    let is_worker = told("comm")?.trim().starts_with(WORKER);
    let nanoseconds: f64 = told("schedstat")?.split_whitespace().next()?.parse().ok()?;
    is_worker.then_some(nanoseconds / 1e6)
}
