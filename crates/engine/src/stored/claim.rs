//! The right to write a stored model, and a name for a new one.

use crate::errors;
use crate::job::Job;
use crate::lock::WritingRight;
use crate::store::StoreArea;
use tuppum_protocol::Failure;

/// Claims the right to write the model of this name, waiting for other tabs.
///
/// # Errors
/// The browser refuses, or the job was cancelled.
pub async fn claim(job: &Job, name: &str) -> Result<WritingRight, Failure> {
    let right = WritingRight::wait(&format!("tuppum-kept-{name}"), &job.token).await;
    right.map_err(|refusal| if job.token.is_cancelled() { errors::cancelled() } else { errors::storage(name, refusal) })
}

/// A name that no model has, with a number behind it if one has the name that is wanted, and the right to write it.
///
/// # Errors
/// As for [`claim`]; the browser stores nothing.
pub async fn claim_free(job: &Job, wanted: &str) -> Result<(String, WritingRight), Failure> {
    loop {
        let name = free_name(wanted).await?;
        let right = claim(job, &name).await?;
        // Otherwise another tab took the name while this one waited for it.
        if free_name(&name).await? == name {
            return Ok((name, right));
        }
    }
}

/// The name, with a number behind it if another model has it already.
async fn free_name(name: &str) -> Result<String, Failure> {
    let taken = StoreArea::Stored.names().await.map_err(|refusal| errors::nothing_stored(&refusal))?;
    let numbered = |number: usize| if number == 1 { name.to_owned() } else { format!("{name}-{number}") };
    Ok((1..).map(numbered).find(|name| !taken.contains(name)).unwrap_or_else(|| name.to_owned()))
}
