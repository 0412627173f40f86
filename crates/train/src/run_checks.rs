//! Checks that hold for the runs of every task; the tests of each task call them with runs of their own.

use crate::checkpoint::{self, CheckpointTask};
use crate::error::TrainError;
use crate::trainer::Trainer;
use burn::tensor::Device;
use std::cell::Cell;
use std::fmt::Debug;
use tuppum_domain::translation::training::Step;
use tuppum_nn::yielding::{Cancelled, NeverYields, Yield};
use tuppum_testing::now;
use tuppum_weights::{MemorySource, WeightsError};

/// Returns every tensor's name and the bits of its numbers.
fn weights<T: CheckpointTask>(trainer: &Trainer<T>) -> Vec<(String, Vec<u32>)> {
    let bits = |values: Vec<f32>| values.into_iter().map(f32::to_bits).collect();
    let tensors = trainer.task().tensors().into_iter();
    tensors.map(|(place, tensor)| (place.name, bits(tensor.into_data().try_to_vec().unwrap()))).collect()
}

/// Checks that a run that continues from a checkpoint is the same bit by bit.
pub fn goes_on<T>(begin: impl Fn() -> Trainer<T>, base: Option<&T::Base>)
where
    T: CheckpointTask<Plan: PartialEq + Debug, Validation: PartialEq + Debug>,
{
    let mut whole = begin();
    let (mut file, cut) = (Vec::new(), whole.steps() / 2);
    assert!(cut > 1);
    while !whole.is_finished() {
        if whole.done() == cut {
            now(whole.validate(&NeverYields)).unwrap().unwrap();
            assert!(whole.is_measured());
            now(checkpoint::write(&whole, &mut file)).unwrap();
        }
        now(whole.step(&NeverYields)).unwrap();
    }
    let mut again =
        now(checkpoint::read::<T>("run", &mut MemorySource::new(&file[..]), &Device::flex(), base)).unwrap();
    assert_eq!((again.done(), again.plan(), again.validations()), (cut, whole.plan(), whole.validations()));
    while !again.is_finished() {
        now(again.step(&NeverYields)).unwrap();
    }
    assert_eq!(again.curve(), whole.curve());
    assert!(weights(&again) == weights(&whole));
    assert!(weights(&again) != weights(&begin()));
}

/// Checks that an altered or truncated checkpoint is refused, and so is `exported`, the weights of a model.
pub fn refuses_damaged_checkpoints<T: CheckpointTask>(mut trainer: Trainer<T>, exported: &[u8]) {
    now(trainer.step(&NeverYields)).unwrap();
    let mut file = Vec::new();
    now(checkpoint::write(&trainer, &mut file)).unwrap();
    let read = |file: &[u8]| {
        let mut source = MemorySource::new(file);
        now(checkpoint::read::<T>("run", &mut source, &Device::flex(), None)).map(|own| own.done())
    };
    assert!(matches!(read(&file), Ok(1)));
    let cut = read(&file[..file.len() - 1]).unwrap_err();
    assert!(matches!(cut, TrainError::Weights(WeightsError::Length { .. })) && !cut.hints().is_empty());
    assert!(cut.to_string().starts_with("run is truncated"), "{cut}");
    let mut altered = file.clone();
    altered[file.len() / 2] ^= 1;
    assert!(matches!(read(&altered), Err(TrainError::Weights(WeightsError::Altered { .. }))));
    let said = read(exported).unwrap_err().to_string();
    assert!(said.contains("no checkpoint of a training"), "{said}");
}

/// Yielder that cancels at the nth question.
struct Until(Cell<usize>);

impl Yield for Until {
    async fn yield_now(&self) -> Result<(), Cancelled> {
        let left = self.0.get();
        self.0.set(left.saturating_sub(1));
        if left == 0 { Err(Cancelled) } else { Ok(()) }
    }
}

/// Checks that a cancelled step was not made and is repeated identically.
pub fn makes_stopped_steps_again<T: CheckpointTask>(begin: impl Fn() -> Trainer<T>) {
    let (mut whole, mut stopped) = (begin(), begin());
    for questions in 0..40 {
        if stopped.is_finished() {
            break;
        }
        match now(stopped.step(&Until(Cell::new(questions)))) {
            Err(TrainError::Stopped) => continue,
            made => drop(made.unwrap()),
        }
    }
    // A batch yields before it, after two or three layers, and before and after the gradients.
    assert!(stopped.done() > 2, "{}", stopped.done());
    while whole.done() < stopped.done() {
        now(whole.step(&NeverYields)).unwrap();
    }
    assert_eq!(stopped.curve(), whole.curve());
    assert!(weights(&stopped) == weights(&whole));
}

/// Checks over three steps that the batches of one step count like one large batch.
pub fn accumulates<T: CheckpointTask>(large: Trainer<T>, small: Trainer<T>) {
    let run = |mut trainer: Trainer<T>| (0..3).map(|_| now(trainer.step(&NeverYields)).unwrap()).collect::<Vec<Step>>();
    for (large, small) in run(large).iter().zip(&run(small)) {
        assert_eq!((large.pairs, large.bytes), (small.pairs, small.bytes));
        // Sums of a few hundred terms of f32 in another order.
        assert!((large.loss - small.loss).abs() < 1e-5 * large.loss, "{large:?} {small:?}");
        assert!((large.gradient_norm - small.gradient_norm).abs() < 1e-4 * large.gradient_norm, "{large:?} {small:?}");
    }
}

/// Checks, on a run that diverges, that a loss that is not finite changes nothing.
pub fn diverges_without_a_change<T: CheckpointTask>(mut trainer: Trainer<T>) {
    let (mut made, mut before) = (0, weights(&trainer));
    let error = loop {
        match now(trainer.step(&NeverYields)) {
            Ok(_) => (made, before) = (made + 1, weights(&trainer)),
            Err(error) => break error,
        }
    };
    assert!(matches!(error, TrainError::Diverged { step } if step == made + 1));
    assert_eq!((trainer.done(), error.hints().len()), (made, 2));
    assert!(weights(&trainer) == before);
}
