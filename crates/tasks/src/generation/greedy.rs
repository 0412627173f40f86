//! Greedy search that reads the model's output only every few bytes.

use super::next_byte::{Continuation, NextByte};
use super::options::Options;
use super::output::Output;
use super::partial::{Partial, Shown};
use super::paths::Paths;
use tuppum_text::bytes::{END, PAD};

/// Returns one output per source. `shown` gets the text so far every [`Options::read_every`] bytes.
pub async fn greedy<N: NextByte>(
    model: &mut N,
    sources: usize,
    options: &Options,
    mut shown: Shown<impl FnMut(Partial<'_>)>,
) -> Result<Vec<Vec<Output>>, N::Error> {
    let mut written: Vec<Written> = (0..sources).map(|_| Written::default()).collect();
    let mut found = vec![Vec::new(); sources];
    let mut live: Vec<usize> = (0..sources).collect();
    let mut rows: Vec<Continuation> = (0..sources).map(|parent| Continuation { parent, token: PAD }).collect();
    let mut length = 0;
    while !live.is_empty() {
        let count = options.read_every.min(options.longest - length);
        let chosen = model.likeliest(&rows, count).await?;
        length += count;
        rows.clear();
        let mut go_on = Vec::new();
        for (row, (source, chosen)) in live.iter().zip(chosen).enumerate() {
            let own = &mut written[*source];
            let mut last = PAD;
            for chosen in chosen {
                own.end = Some(own.paths.append(own.end, chosen.token, chosen.log_probability, None));
                own.total += chosen.log_probability;
                own.length += 1;
                last = chosen.token;
                if last == END {
                    break;
                }
            }
            if last != END && length < options.longest {
                shown.show(*source, &own.paths.tokens(own.end));
                go_on.push(*source);
                rows.push(Continuation { parent: row, token: last });
            } else {
                found[*source] = vec![own.output()];
                shown.end(*source, &found[*source]);
            }
        }
        live = go_on;
    }
    Ok(found)
}

#[derive(Default)]
struct Written {
    paths: Paths,
    end: Option<usize>,
    total: f32,
    length: usize,
}

impl Written {
    fn output(&self) -> Output {
        self.paths.output(self.end, self.total / self.length.max(1) as f32)
    }
}
