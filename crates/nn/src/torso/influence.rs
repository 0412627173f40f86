//! Influence of the signs on an answer: gradient × input (Shrikumar et al. 2017, <https://arxiv.org/abs/1605.01713>).

use super::forward::Torso;
use crate::error::{TorsoError, read};
use crate::yielding::Yield;
use burn::tensor::{Tensor, activation};
use tuppum_domain::restoration::Row;
use tuppum_text::tokens::TokenId;

impl Torso {
    /// Returns how much each sign of a row changed the probability of `token` at `place`: the size of the derivative of
    /// its logarithm as the sign's embedding grows, `|Σ gradient · embedding|`, scaled so that the strongest is 1.
    ///
    /// # Errors
    /// As for [`Torso::logits`].
    pub async fn influence(
        &self,
        ids: &[TokenId],
        place: usize,
        token: TokenId,
        yielder: &impl Yield,
    ) -> Result<Vec<f32>, TorsoError> {
        let row = Row { ids: ids.to_vec(), places: vec![place] };
        self.check(&row)?;
        if token as usize >= self.config().vocabulary {
            return Err(TorsoError::Row(format!("token {token} lies outside the vocabulary")));
        }
        let embedded = self.embedded(ids).autodiff().require_grad();
        let probability = self.log_probability(embedded.clone(), &row, token, yielder).await?;
        let mut gradients = probability.backward();
        let Some(gradient) = embedded.grad_remove(&mut gradients) else {
            return Err(TorsoError::Device("the gradient of the embeddings is missing".to_string()));
        };
        yielder.yield_now().await?;
        let moved = (gradient * embedded.inner()).sum_dim(1).abs();
        let mut sizes = read(moved).await?;
        let strongest = sizes.iter().copied().fold(0.0, f32::max);
        if strongest > 0.0 {
            sizes.iter_mut().for_each(|size| *size /= strongest);
        }
        Ok(sizes)
    }

    /// Returns the natural logarithm of the probability of `token` at the row's only place, given these embeddings:
    /// `[1]`.
    async fn log_probability(
        &self,
        embedded: Tensor<2>,
        row: &Row,
        token: TokenId,
        yielder: &impl Yield,
    ) -> Result<Tensor<1>, TorsoError> {
        let pass = self.pass(&[row], row.ids.len());
        let places: Vec<i32> = row.places.iter().map(|place| *place as i32).collect();
        let logits = self.run(embedded, &pass, &places, &mut (), yielder).await?;
        Ok(activation::log_softmax(logits, 1).narrow(1, token as usize, 1).reshape([1]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::torso::{NeverYields, TorsoBuilder, TorsoConfig};
    use burn::tensor::{Device, TensorData};
    use tuppum_testing::now;

    /// Returns a small torso whose weights come from a fixed sequence, sized so that activations stay near 1.
    fn torso() -> Torso {
        let sizes = r#"{"layers": 2, "d_model": 16, "d_ff": 32, "heads": 2, "head_dim": 8, "vocabulary": 20,
            "rope_base": 10000.0, "window": 16, "longest": 16}"#;
        let config = TorsoConfig::from_json(sizes.as_bytes()).unwrap();
        let mut builder = TorsoBuilder::new(config.clone(), Device::flex());
        let mut state = 1u64;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 40) as f32 / (1u64 << 23) as f32 - 1.0
        };
        for spec in config.tensors() {
            let values = (0..spec.elements()).map(|_| if spec.shape.len() == 1 { 1.0 + 0.1 * next() } else { next() });
            builder.put(&spec.name, values.map(|value| 0.7 * value).collect()).unwrap();
        }
        builder.build().unwrap()
    }

    /// Step of the finite differences, 1 % of an embedding. The curvature of the log probability then changes a
    /// derivative by about 1e-4 of the largest, and f32 rounding (1e-6 of values near 3, over 0.02) by as much. A wrong
    /// gradient is off by tenths.
    const STEP: f32 = 0.01;
    const AGREEMENT: f32 = 5e-3;

    #[test]
    fn influence_is_the_derivative_by_the_size_of_each_embedding() {
        let (torso, ids, place, token) = (torso(), [8, 11, 3, 12, 13, 7], 2, 15);
        let row = Row { ids: ids.to_vec(), places: vec![place] };
        let at = |sign: usize, size: f32| -> f32 {
            let mut sizes = vec![1.0; ids.len()];
            sizes[sign] = size;
            let sizes = Tensor::<2>::from_data(TensorData::new(sizes, [ids.len(), 1]), &Device::flex());
            let probability =
                now(torso.log_probability(torso.embedded(&ids) * sizes, &row, token, &NeverYields)).unwrap();
            now(probability.into_data_async()).unwrap().try_to_vec::<f32>().unwrap()[0]
        };
        let slope = |sign| ((at(sign, 1.0 + STEP) - at(sign, 1.0 - STEP)) / (2.0 * STEP)).abs();
        let slopes: Vec<f32> = (0..ids.len()).map(slope).collect();
        let strongest = slopes.iter().copied().fold(0.0, f32::max);
        let found = now(torso.influence(&ids, place, token, &NeverYields)).unwrap();
        for (sign, (found, slope)) in found.iter().zip(&slopes).enumerate() {
            assert!((found - slope / strongest).abs() < AGREEMENT, "sign {sign}: {found} and {}", slope / strongest);
        }
    }

    #[test]
    fn states_begin_with_embeddings_and_look_about_from_the_first_layer_on() {
        let torso = torso();
        let row = |ids: &[u32]| Row { ids: ids.to_vec(), places: vec![1] };
        let [one, other] = [[8, 11, 3], [8, 11, 4]].map(|ids| now(torso.states(&row(&ids), &NeverYields)).unwrap());
        assert_eq!((one.len(), one[0].len()), (3, 3 * 16));
        let embedded = now(torso.embedded(&[8, 11, 3]).into_data_async()).unwrap().try_to_vec::<f32>().unwrap();
        assert_eq!(one[0], embedded);
        // Neighbouring signs have an influence from the first layer on.
        assert_eq!(one[0][..32], other[0][..32]);
        assert!(one[1][..32].iter().zip(&other[1]).any(|(one, other)| (one - other).abs() > 1e-3));
        assert!(now(torso.states(&row(&[]), &NeverYields)).is_err());
    }
}
