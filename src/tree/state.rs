//! State of the tree's page: signals, the actions of the user, and the tree itself, which is fetched when it is first
//! shown and cached with the page by the service worker.

use super::address::{self, TreeAddress};
use crate::frame::visit;
use crate::kit::timing::Debounce;
use crate::kit::{entries, files, format};
use crate::restore::state::Workbench;
use leptos::html::Canvas;
use leptos::prelude::*;
use std::sync::Arc;
use tuppum_plot::disk::{Figure, Item, Point, Projection, Scene, View, Wanted};
use tuppum_text::signs::hierarchy::{Hierarchy, Kind};

/// Milliseconds without a change of the view after which the address is updated.
const ADDRESS_AFTER_MS: u32 = 250;
/// Share of the radius beyond which a node chosen by the keys is moved to the middle.
const NEAR_MIDDLE: f64 = 0.75;
/// Square pixels of the picture for each label.
const PIXELS_PER_LABEL: f64 = 7_000.0;
/// Minimum and maximum number of labels.
const LABEL_LIMITS: [f64; 2] = [18.0, 110.0];

/// Step with the arrow keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// To the node above.
    Parent,
    /// To the most frequent node below.
    Child,
    /// To the neighbour after.
    Next,
    /// To the neighbour before.
    Previous,
    /// To the root.
    Home,
}

/// Signals of the tree's page, provided as context; `Copy`, as signals are.
#[derive(Clone, Copy)]
pub struct SignTree {
    /// State of the loading.
    pub loaded: RwSignal<Loaded>,
    /// View of the plane.
    pub view: RwSignal<View>,
    /// Chosen node.
    pub chosen: RwSignal<usize>,
    /// Node from which distances are measured.
    pub from: RwSignal<Option<usize>>,
    /// Node under the pointer, and the pointer's place in the picture.
    pub hovered: RwSignal<Option<(usize, Point)>>,
    /// Width and height of the picture, in CSS pixels.
    pub size: RwSignal<Point>,
    /// Counter that increases when the colours may have changed.
    pub colours: RwSignal<u32>,
    pub canvas: NodeRef<Canvas>,
    /// Scene on the canvas.
    pub scene: StoredValue<Option<Scene>, LocalStorage>,
    /// Number of the movement in progress: a new movement ends the one before.
    pub movement: StoredValue<u64>,
    /// `true` if a frame has been requested.
    pub waiting: StoredValue<bool>,
    moving: Debounce,
}

impl Default for SignTree {
    fn default() -> Self {
        Self {
            loaded: RwSignal::new(Loaded::Not),
            view: RwSignal::new(View::default()),
            chosen: RwSignal::new(0),
            from: RwSignal::new(None),
            hovered: RwSignal::new(None),
            size: RwSignal::new([0.0, 0.0]),
            colours: RwSignal::new(0),
            canvas: NodeRef::new(),
            scene: StoredValue::new_local(None),
            movement: StoredValue::new(0),
            waiting: StoredValue::new(false),
            moving: Debounce::new(),
        }
    }
}

impl SignTree {
    /// Returns the tree, if it is loaded. Tracked as a signal.
    pub fn script(self) -> Option<Arc<Script>> {
        self.loaded.with(|loaded| loaded.script().cloned())
    }

    /// Returns the tree, if it is loaded. Not tracked.
    pub fn script_now(self) -> Option<Arc<Script>> {
        self.loaded.with_untracked(|loaded| loaded.script().cloned())
    }

    /// Fetches the tree, unless it is loaded or being fetched.
    pub fn load(self) {
        if self.loaded.with_untracked(|loaded| matches!(loaded, Loaded::Waiting | Loaded::Ready(_))) {
            return;
        }
        self.loaded.set(Loaded::Waiting);
        leptos::task::spawn_local(async move {
            match fetched().await {
                Ok(script) => self.begin(Arc::new(script)),
                Err(reason) => self.loaded.set(Loaded::Failed(reason)),
            }
        });
    }

    /// Shows a loaded tree, in the view that the address names.
    pub fn begin(self, script: Arc<Script>) {
        self.loaded.set(Loaded::Ready(script));
        self.follow_address();
    }

    /// Applies the page's address, if it is one of the tree.
    pub fn follow_address(self) {
        let fragment = window().location().hash().unwrap_or_default();
        let Some(script) = self.script_now().filter(|_| address::is_tree(&fragment)) else { return };
        let said = TreeAddress::read(&fragment);
        if self.address(&script) == said {
            return;
        }
        let chosen = script.tree.at_path(said.node.iter().map(String::as_str));
        self.stop();
        self.chosen.set(chosen);
        self.from.set(said.from.as_ref().map(|from| script.tree.at_path(from.iter().map(String::as_str))));
        self.view.set(said.view(script.figure.point(chosen)));
    }

    fn address(self, script: &Script) -> TreeAddress {
        let (view, chosen) = (self.view.get_untracked(), self.chosen.get_untracked());
        TreeAddress::of(&script.tree, script.figure.point(chosen), &view, chosen, self.from.get_untracked())
    }

    /// Returns the address fragment for the present state, with the parts that the workbench needs after a reload.
    pub fn fragment(self, workbench: Workbench) -> String {
        let own =
            self.script_now().map_or_else(|| TreeAddress::default().write(), |script| self.address(&script).write());
        let rest = visit::fragment_without_work(workbench);
        let rest = rest.trim_start_matches("#v=1");
        format!("#{own}{rest}")
    }

    /// Updates the address after changes while the tree is shown.
    pub fn write_address_on_change(self, workbench: Workbench) {
        Effect::new(move |_| {
            self.view.track();
            self.chosen.track();
            self.from.track();
            self.loaded.track();
            self.moving.start(ADDRESS_AFTER_MS, move || self.write_address(workbench));
        });
        let leaving = window_event_listener_untyped("pagehide", move |_| self.write_address(workbench));
        on_cleanup(move || leaving.remove());
    }

    fn write_address(self, workbench: Workbench) {
        if !self.loaded.with_untracked(|loaded| loaded.script().is_some()) || !visit::shows_tree(workbench) {
            return;
        }
        entries::replace(&self.fragment(workbench));
    }

    /// Chooses a node and moves it to the middle.
    pub fn go(self, node: usize) {
        self.chosen.set(node);
        self.centre(node);
    }

    /// Chooses a node found by the search and moves it to the middle, with the zoom reset.
    pub fn go_to_found(self, node: usize) {
        self.view.update(|view| view.zoom = 1.0);
        self.go(node);
    }

    /// Takes a step: chooses the next node, and moves it to the middle if it is far away or out of sight.
    pub fn step(self, step: Step) {
        let Some(script) = self.script_now() else { return };
        let (tree, at) = (&script.tree, self.chosen.get_untracked());
        let next = match step {
            Step::Parent => tree.parent(at),
            Step::Child => tree.children(at).first().copied(),
            Step::Next => tree.sibling(at, false),
            Step::Previous => tree.sibling(at, true),
            Step::Home => Some(0),
        };
        let Some(next) = next else { return };
        self.chosen.set(next);
        let view = self.view.get_untracked();
        let seen = view.seen(script.figure.point(next));
        let size = self.size.get_untracked();
        let at = view.to_pixels(size, seen);
        let outside = at[0] < 0.0 || at[1] < 0.0 || at[0] > size[0] || at[1] > size[1];
        if step == Step::Home || outside || seen[0].hypot(seen[1]) > NEAR_MIDDLE {
            self.centre(next);
        }
    }

    /// Returns to the first view, with the root in the middle.
    pub fn home(self) {
        self.view.update(|view| view.zoom = 1.0);
        self.step(Step::Home);
    }

    /// Enlarges by a factor.
    pub fn zoom(self, factor: f64) {
        self.view.update(|view| *view = view.zoomed(factor));
    }

    /// Chooses a model of the plane.
    pub fn project(self, projection: Projection) {
        self.view.update(|view| view.projection = projection);
    }

    /// Returns the contents that the picture should have at present.
    pub fn wanted(self) -> Wanted {
        let size = self.size.get();
        Wanted {
            size,
            view: self.view.get(),
            chosen: self.chosen.get(),
            other: self.from.get(),
            labels: (size[0] * size[1] / PIXELS_PER_LABEL).clamp(LABEL_LIMITS[0], LABEL_LIMITS[1]) as usize,
        }
    }
}

/// Returns the name of a kind, in the singular or, for `many`, in the plural.
pub fn kind_name(kind: Kind, many: bool) -> &'static str {
    match (kind, many) {
        (Kind::Root, _) => "the script",
        (Kind::Sign, false) => "sign",
        (Kind::Sign, true) => "signs",
        (Kind::Reading, false) => "reading",
        (Kind::Reading, true) => "readings",
        (Kind::Word, false) => "word",
        (Kind::Word, true) => "words",
        (Kind::Phrase, false) => "phrase",
        (Kind::Phrase, true) => "phrases",
    }
}

/// Returns a count in words: `1 time`, `2 times`.
pub fn times(count: u64) -> String {
    format::plural(count as usize, "time", "times")
}

/// Returns a summary of a node: `KA, sign, 5,321 times; 12 readings below`.
pub fn summary(script: &Script, node: usize) -> String {
    let Some(about) = script.tree.node(node) else { return String::new() };
    let below = script.tree.children(node);
    let kind = below.first().and_then(|child| script.tree.node(*child)).map(|child| child.kind);
    let count = format::count(about.count);
    let mut said = match about.kind {
        Kind::Root => format!("All signs, {count} signs counted"),
        kind => format!("{}, {}, {}", about.label, kind_name(kind, false), times(about.count)),
    };
    if let Some(kind) = kind {
        let number = format::plural(below.len(), kind_name(kind, false), kind_name(kind, true));
        said.push_str(&format!("; {number} below"));
    }
    said
}

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
    script(&files::fetch_text(TABLE).await?)
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
