//! Attention maps of the translator, and the points of its bias, for the page to draw.

use crate::errors;
use crate::job::Job;
use crate::models::translator::Translator;
use tuppum_nn::byt5::{ByT5Error, GeometryLevel, SourceRow, translate};
use tuppum_protocol::{AttentionEvent, Failure, Phase, TreeEvent};
use tuppum_tasks::generation::Options;
use tuppum_tasks::translation::attention::{
    AttentionAnswer, AttentionKind, AttentionQuestion, LearnedPoints, Strength,
};
use tuppum_text::tokens::TokenId;

/// Maximum bytes of the translation, if the question does not give one.
const LONGEST_WRITTEN: usize = 128;

/// Computes the attention map that a question asks for; the translator is not changed.
///
/// # Errors
/// The text cannot be read, the question sets the strength of a bias that the model lacks, the device failed, or the
/// job was cancelled.
pub async fn attention(job: &Job, translator: &Translator, question: &AttentionQuestion) -> Result<(), Failure> {
    job.progress(Phase::Attention, 0, 1);
    let model = &translator.model;
    let changed = match (question.bias, model.geometry()) {
        (Strength::Alpha(alpha), Some(own)) => Some(own.with_alpha(alpha)),
        (Strength::Alpha(_), None) => {
            return Err(errors::question("This translator has no hyperbolic bias whose strength could be changed."));
        }
        (Strength::Off | Strength::Own, _) => None,
    };
    let geometry = match question.bias {
        Strength::Off => None,
        Strength::Own => model.geometry(),
        Strength::Alpha(_) => changed.as_ref(),
    };
    let outcome = async {
        let row = model.row_of(&question.text);
        let target = match (&question.target, question.kind) {
            (_, AttentionKind::Encoder) => Vec::new(),
            (Some(target), _) => target.clone(),
            (None, _) => written(job, translator, &row).await?,
        };
        let map = model.attention_map(&row, &target, geometry, question, &job.yielder()).await?;
        let alpha = match model.geometry() {
            Some(geometry) => Some(geometry.values().await?.1),
            None => None,
        };
        let layers = model.layers_of(question.kind);
        let (heads, reach) = (model.config().num_heads, model.geometry().map_or(0, |geometry| geometry.layers()));
        Ok(AttentionAnswer { map, target, layers, heads, alpha, reach })
    };
    let answer = outcome.await.map_err(|error: ByT5Error| translator.device.failure(error))?;
    translator.device.check()?;
    job.progress(Phase::Attention, 1, 1);
    job.emit(AttentionEvent::Attention(answer));
    Ok(())
}

/// Returns the most probable translation as tokens, with the model's own bias.
async fn written(job: &Job, translator: &Translator, row: &SourceRow) -> Result<Vec<TokenId>, ByT5Error> {
    let options = Options { longest: LONGEST_WRITTEN, ..Options::default() };
    let rows = std::slice::from_ref(row);
    let found = translate(&translator.model, rows, &options, &job.yielder(), |_| ()).await?;
    Ok(found.into_iter().flatten().next().map(|output| output.tokens).unwrap_or_default())
}

/// Sends the points of the bias.
///
/// # Errors
/// The translator has no bias, or its device failed.
pub async fn points(job: &Job, translator: &Translator) -> Result<(), Failure> {
    let Some(geometry) = translator.model.geometry() else {
        return Err(errors::question("This translator has no hyperbolic bias, so it has no points."));
    };
    let (values, alpha) = geometry.values().await.map_err(|error| translator.device.failure(error))?;
    translator.device.check()?;
    let dimensions = values.len() / geometry.count().max(1);
    let signs = translator.model.config().geometry_level == GeometryLevel::Sign;
    job.emit(TreeEvent::Points(LearnedPoints { values, dimensions, curvature: geometry.curvature(), alpha, signs }));
    Ok(())
}
