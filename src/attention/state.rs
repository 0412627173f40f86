//! The state of the attention maps: signals, and the steps that a user can take.

use super::address::AttentionAddress;
use super::reading::{self, Read};
use super::shown::{Seen, Shown};
use crate::engine::job::Job;
use crate::engine::model::Model;
use crate::engine::shared::Engine;
use crate::frame::page::Page;
use crate::frame::visit;
use crate::kit::entries;
use crate::kit::timing::Debounce;
use crate::restore::state::Workbench;
use leptos::prelude::*;
use std::sync::Arc;
use tuppum_plot::attention::{Matrix, Names, Scale, Scene, View, scene};
use tuppum_protocol::attention::{AttentionKind, Strength};
use tuppum_protocol::{Failure, Task};
use tuppum_text::parts::Cut;
use tuppum_text::tokens::TokenId;

/// How long changes must rest before the address follows, in milliseconds.
const REST: u32 = 300;

/// A way to make a scene.
type Make = fn(&Matrix, &Names, Scale, [f64; 2], &View, Option<[usize; 2]>) -> Scene;

/// Which of the maps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Without the bias, or at the strength of the left slider.
    Off,
    /// With the bias, or at the strength of the right slider.
    On,
    /// The second less the first.
    Difference,
}

impl Side {
    /// All of them, as they stand side by side.
    pub const ALL: [Side; 3] = [Side::Off, Side::On, Side::Difference];
}

/// The signals; copied freely, provided as context.
#[derive(Clone, Copy)]
pub struct Attention {
    /// What is typed.
    pub typed: RwSignal<String>,
    /// What the model reads of it.
    pub read: Memo<Read>,
    /// Which attention.
    pub looking: RwSignal<AttentionKind>,
    /// Which layer; the mean of all without.
    pub layer: RwSignal<Option<usize>>,
    /// Which head, likewise.
    pub head: RwSignal<Option<usize>>,
    /// How rows and columns are grouped.
    pub cut: RwSignal<Cut>,
    /// The strength of the bias on the left and on the right.
    pub strengths: [RwSignal<Strength>; 2],
    /// The translator.
    pub translator: Model,
    /// What it was asked.
    pub job: Job,
    /// Answers for the left and the right.
    pub seen: [RwSignal<Option<Arc<Seen>>>; 2],
    /// What is drawn of them.
    pub shown: RwSignal<Option<Arc<Shown>>>,
    /// Why there is no answer.
    pub failure: RwSignal<Option<Failure>>,
    /// The part of the maps that is looked at.
    pub view: RwSignal<View>,
    /// The chosen cell, row and column.
    pub cursor: RwSignal<[usize; 2]>,
    /// The cell under the pointer.
    pub hovered: RwSignal<Option<[usize; 2]>>,
    /// Width and height of each picture, in CSS pixels.
    pub size: RwSignal<[f64; 2]>,
    /// Counts up when the colours may have changed.
    pub colours: RwSignal<u32>,
    /// Whether a frame has been asked for.
    pub waiting: StoredValue<bool>,
    /// What the model writes for a text.
    pub(super) written: StoredValue<Option<(String, Vec<TokenId>)>>,
    moving: Debounce,
}

impl Attention {
    /// Nothing asked yet.
    pub fn new(engine: Engine) -> Self {
        let typed = RwSignal::new(reading::EXAMPLE.to_owned());
        let seen = [RwSignal::new(None::<Arc<Seen>>), RwSignal::new(None)];
        let cut = RwSignal::new(Cut::default());
        Self {
            typed,
            read: Memo::new(move |_| typed.with(|typed| reading::read(typed))),
            looking: RwSignal::new(AttentionKind::default()),
            layer: RwSignal::new(Some(0)),
            head: RwSignal::new(None),
            cut,
            strengths: [RwSignal::new(Strength::Off), RwSignal::new(Strength::Own)],
            translator: Model::new(engine, Task::Translation),
            job: Job::new(engine),
            seen,
            shown: RwSignal::new(None),
            failure: RwSignal::new(None),
            view: RwSignal::new(View::default()),
            cursor: RwSignal::new([0, 0]),
            hovered: RwSignal::new(None),
            size: RwSignal::new([0.0, 0.0]),
            colours: RwSignal::new(0),
            waiting: StoredValue::new(false),
            written: StoredValue::new(None),
            moving: Debounce::new(),
        }
    }

    /// Puts together what is drawn whenever an answer comes or the grouping changes. Only the view does, whose code
    /// comes with it.
    pub fn show_on_change(self) {
        Effect::new(move |_| {
            let off = self.seen[0].get();
            let on = self.seen[1].get();
            let cut = self.cut.get();
            self.shown.set(off.map(|off| Shown::of(&off, on.as_deref(), cut)));
        });
    }

    /// Goes where the address says, if it is one of the maps.
    pub fn follow_address(self) {
        let fragment = window().location().hash().unwrap_or_default();
        if Page::named(&fragment) != Page::Attention {
            return;
        }
        let said = AttentionAddress::read(&fragment);
        if said == self.address() {
            return;
        }
        self.typed.set(said.line.unwrap_or_else(|| reading::EXAMPLE.to_owned()));
        self.looking.set(said.looking);
        self.layer.set(said.layer);
        self.head.set(said.head);
        self.cut.set(said.cut);
    }

    fn address(self) -> AttentionAddress {
        AttentionAddress {
            line: Some(self.typed.get_untracked()).filter(|typed| typed != reading::EXAMPLE),
            looking: self.looking.get_untracked(),
            layer: self.layer.get_untracked(),
            head: self.head.get_untracked(),
            cut: self.cut.get_untracked(),
        }
    }

    /// The fragment for what is shown.
    pub fn fragment(self, workbench: Workbench) -> String {
        let rest = visit::fragment_without_work(workbench);
        format!("#{}{}", self.address().write(), rest.trim_start_matches("#v=1"))
    }

    /// Keeps the address up to date while the maps are shown.
    pub fn write_address_on_change(self, workbench: Workbench) {
        Effect::new(move |_| {
            self.typed.track();
            self.looking.track();
            self.layer.track();
            self.head.track();
            self.cut.track();
            self.moving.start(REST, move || self.write_address(workbench));
        });
        let leaving = window_event_listener_untyped("pagehide", move |_| self.write_address(workbench));
        on_cleanup(move || leaving.remove());
    }

    fn write_address(self, workbench: Workbench) {
        if workbench.page.get_untracked() != Page::Attention {
            return;
        }
        entries::replace(&self.fragment(workbench));
    }

    /// Another kind of attention; it begins with the first layer, since kinds have different numbers of them.
    pub fn look(self, looking: AttentionKind) {
        self.looking.set(looking);
        self.layer.set(Some(0));
    }

    /// Groups anew; the view and the cursor begin anew with it.
    pub fn group(self, cut: Cut) {
        self.cut.set(cut);
        self.begin_view();
    }

    /// The view of all, from the first cell.
    pub fn begin_view(self) {
        self.view.set(View::default());
        self.cursor.set([0, 0]);
        self.hovered.set(None);
    }

    /// Columns and rows of the maps, and the room that a picture has for them.
    fn bounds(self) -> Option<([usize; 2], [f64; 2])> {
        let shown = self.shown.get_untracked()?;
        let (_, room) = scene::frame(&shown.names, self.size.get_untracked());
        Some((shown.size(), room))
    }

    /// Enlarges by a factor, around a point of the map or its cursor.
    pub fn zoom(self, factor: f64, at: Option<[f64; 2]>) {
        let Some((map, room)) = self.bounds() else { return };
        let at = at.unwrap_or([room[0] / 2.0, room[1] / 2.0]);
        self.view.update(|view| *view = view.zoomed(factor, at, map, room));
    }

    /// Moves by so many pixels.
    pub fn drag(self, by: [f64; 2]) {
        let Some((map, room)) = self.bounds() else { return };
        self.view.update(|view| *view = view.moved(by, map, room));
    }

    /// Chooses a cell and brings it into view.
    pub fn choose(self, cell: [usize; 2]) {
        let Some((map, room)) = self.bounds() else { return };
        let cell = [cell[0].min(map[1].saturating_sub(1)), cell[1].min(map[0].saturating_sub(1))];
        self.cursor.set(cell);
        self.view.update(|view| *view = view.showing([cell[1], cell[0]], map, room));
    }

    /// A step with the keys, down and to the right.
    pub fn step(self, down: isize, right: isize) {
        let [row, column] = self.cursor.get_untracked();
        self.choose([row.saturating_add_signed(down), column.saturating_add_signed(right)]);
    }

    /// The matrix of a side with its scale.
    pub fn matrix(shown: &Shown, side: Side) -> Option<(&Matrix, Scale)> {
        match side {
            Side::Off => Some((&shown.off, shown.scale)),
            Side::On => shown.on.as_ref().map(|on| (on, shown.scale)),
            Side::Difference => shown.difference.as_ref().map(|difference| (difference, shown.change)),
        }
    }

    /// What is to be seen of a side at present.
    pub fn scene(self, side: Side) -> Option<Scene> {
        self.with_side(side, Scene::of)
    }

    /// The same without cells: where what is.
    pub fn bare_scene(self, side: Side) -> Option<Scene> {
        self.with_side(side, Scene::bare)
    }

    fn with_side(self, side: Side, make: Make) -> Option<Scene> {
        let (shown, size) = (self.shown.get_untracked()?, self.size.get_untracked());
        let (matrix, scale) = Self::matrix(&shown, side).filter(|_| size[0] > 1.0)?;
        let cursor = Some(self.cursor.get_untracked());
        Some(make(matrix, &shown.names, scale, size, &self.view.get_untracked(), cursor))
    }
}
