//! The tree as an asset: fetched when it is first shown, and cached with the page by the service worker.

use crate::shell::fetch;
use std::sync::Arc;
use tuppum_plot::disk::{Figure, Item};
use tuppum_text::signs::hierarchy::Hierarchy;

/// Path of the table, relative to the page.
const TABLE: &str = "hierarchy/tree.tsv";

/// The tree, and its layout on the plane.
#[derive(Debug)]
pub struct Script {
    /// Tree of signs, readings, words and phrases.
    pub tree: Hierarchy,
    /// Layout of the tree; nodes have the same numbers.
    pub figure: Figure,
}

/// State of the loading.
#[derive(Clone, Debug, Default)]
pub enum Loaded {
    /// Not requested yet.
    #[default]
    Not,
    /// Being fetched.
    Waiting,
    /// Loaded.
    Ready(Arc<Script>),
    /// Failed; holds the reason, for the user.
    Failed(String),
}

impl Loaded {
    /// Returns the tree, if it is loaded.
    pub fn script(&self) -> Option<&Arc<Script>> {
        if let Self::Ready(script) = self { Some(script) } else { None }
    }
}

/// Fetches the tree and lays it out.
///
/// # Errors
/// The reason, for the user.
pub async fn fetched() -> Result<Script, String> {
    script(&fetch::text(TABLE).await?)
}

fn script(table: &str) -> Result<Script, String> {
    let tree = Hierarchy::parse(table).map_err(|reason| format!("{TABLE} is not a tree: {reason}"))?;
    let item = |node: &tuppum_text::signs::hierarchy::Node| Item {
        parent: node.parent,
        kind: node.kind as u8,
        label: if node.glyph.is_empty() { node.label.clone() } else { format!("{} {}", node.label, node.glyph) },
        count: u32::try_from(node.count).unwrap_or(u32::MAX),
    };
    let figure = Figure::new(tree.nodes().iter().map(item).collect()).map_err(|error| error.to_string())?;
    Ok(Script { tree, figure })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_delivered_tree_is_laid_out_inside_the_rim() {
        let script = script(include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/hierarchy/tree.tsv"))).unwrap();
        assert_eq!(script.tree.len(), script.figure.len());
        let far = script.figure.points.iter().map(|point| point[0].hypot(point[1])).fold(0.0, f64::max);
        println!("{} nodes, the farthest {:.1} from the root", script.tree.len(), 2.0 * far.atanh());
        assert!(far < 1.0 - 1e-12, "beyond 28 from the root too few digits are left to move it to the middle");
    }
}
