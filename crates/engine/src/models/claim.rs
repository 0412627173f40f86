//! The right to write a stored model, and free names for new ones.

use crate::errors;
use crate::job::Job;
use crate::storage::lock::WritingRight;
use crate::storage::store::StoreArea;
use tuppum_protocol::Failure;

/// Claims the right to write the model of this name, waiting for other tabs.
///
/// # Errors
/// The browser refuses, or the job was cancelled.
pub async fn claim(job: &Job, name: &str) -> Result<WritingRight, Failure> {
    let right = WritingRight::wait(&format!("tuppum-kept-{name}"), &job.token).await;
    right.map_err(|refusal| if job.token.is_cancelled() { errors::cancelled() } else { errors::storage(name, refusal) })
}

/// Returns a free name, numbered if another model has the wanted name, and the right to write that model.
///
/// # Errors
/// The same as those of [`claim`], or the browser stores nothing.
pub async fn claim_free(job: &Job, wanted: &str) -> Result<(String, WritingRight), Failure> {
    loop {
        let name = free_name(wanted).await?;
        let right = claim(job, &name).await?;
        // If the name is not free now, another tab took it while this one waited.
        if free_name(&name).await? == name {
            return Ok((name, right));
        }
    }
}

/// Returns the name, numbered if another model has it already.
async fn free_name(name: &str) -> Result<String, Failure> {
    let taken = StoreArea::Stored.names().await.map_err(|refusal| errors::nothing_stored(&refusal))?;
    let numbered = |number: usize| if number == 1 { name.to_owned() } else { format!("{name}-{number}") };
    Ok((1..).map(numbered).find(|name| !taken.contains(name)).unwrap_or_else(|| name.to_owned()))
}
