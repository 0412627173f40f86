//! State of the attention maps: signals, the actions of the user, and the requests to the engine: opening the
//! translator, and a map for each side whenever text or choices change.

use super::address::AttentionAddress;
use super::drawn_maps::{DrawnMaps, MapAnswer};
use super::reading::{self, ModelText};
use crate::engine::Engine;
use crate::engine::job::Job;
use crate::engine::model::Model;
use crate::frame::page::Page;
use crate::frame::visit;
use crate::kit::entries;
use crate::kit::timing::Debounce;
use crate::restore::state::Workbench;
use crate::translate::state::translator::TranslatorChoice;
use leptos::prelude::*;
use std::sync::Arc;
use tuppum_plot::attention::{Matrix, Names, Scale, Scene, View, scene};
use tuppum_protocol::attention::{AttentionKind, AttentionQuestion, Strength};
use tuppum_protocol::{AttentionEvent, Failure, FailureKind, ModelRequest, Reply, Task};
use tuppum_text::parts::Cut;
use tuppum_text::tokens::TokenId;

/// Milliseconds without a change after which the address is updated.
const ADDRESS_AFTER_MS: u32 = 300;

/// Function that makes a scene.
type Make = fn(&Matrix, &Names, Scale, [f64; 2], &View, Option<[usize; 2]>) -> Scene;

/// Map: left, right or their difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Map without the bias, or at the strength of the left slider.
    Off,
    /// Map with the bias, or at the strength of the right slider.
    On,
    /// Right map minus left map.
    Difference,
}

impl Side {
    /// All maps, from left to right.
    pub const ALL: [Side; 3] = [Side::Off, Side::On, Side::Difference];
}

/// Signals of the maps, provided as context; `Copy`, as signals are.
#[derive(Clone, Copy)]
pub struct Attention {
    /// Typed text.
    pub typed: RwSignal<String>,
    /// Text as the model reads it.
    pub read: Memo<ModelText>,
    /// Kind of attention.
    pub kind: RwSignal<AttentionKind>,
    /// Layer, from 0; `None` for the mean of all layers.
    pub layer: RwSignal<Option<usize>>,
    /// Head, from 0; `None` for the mean of all heads.
    pub head: RwSignal<Option<usize>>,
    /// Grouping of rows and columns.
    pub cut: RwSignal<Cut>,
    /// Strength of the bias on the left and on the right.
    pub strengths: [RwSignal<Strength>; 2],
    pub translator: Model,
    /// Running request.
    pub job: Job,
    /// Answers for the left and the right map.
    pub seen: [RwSignal<Option<Arc<MapAnswer>>>; 2],
    /// Maps as they are drawn.
    pub shown: RwSignal<Option<Arc<DrawnMaps>>>,
    /// Failure of the last request.
    pub failure: RwSignal<Option<Failure>>,
    /// Visible part of the maps.
    pub view: RwSignal<View>,
    /// Row and column of the chosen cell.
    pub cursor: RwSignal<[usize; 2]>,
    /// Row and column of the cell under the pointer.
    pub hovered: RwSignal<Option<[usize; 2]>>,
    /// Width and height of each picture, in CSS pixels.
    pub size: RwSignal<[f64; 2]>,
    /// Counter that increases when the colours may have changed.
    pub colours: RwSignal<u32>,
    /// `true` if a frame has been requested.
    pub waiting: StoredValue<bool>,
    /// Text with the translation that the model wrote for it.
    pub(super) written: StoredValue<Option<(String, Vec<TokenId>)>>,
    moving: Debounce,
}

impl Attention {
    /// Returns the state before the first request.
    pub fn new(engine: Engine) -> Self {
        let typed = RwSignal::new(reading::EXAMPLE.to_owned());
        let seen = [RwSignal::new(None::<Arc<MapAnswer>>), RwSignal::new(None)];
        let cut = RwSignal::new(Cut::default());
        Self {
            typed,
            read: Memo::new(move |_| typed.with(|typed| reading::read(typed))),
            kind: RwSignal::new(AttentionKind::default()),
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

    /// Updates the drawn maps after every answer and every change of the grouping. Only the view calls this, because
    /// the code is fetched with the view.
    pub fn show_on_change(self) {
        Effect::new(move |_| {
            let off = self.seen[0].get();
            let on = self.seen[1].get();
            let cut = self.cut.get();
            self.shown.set(off.map(|off| DrawnMaps::of(&off, on.as_deref(), cut)));
        });
    }

    /// Applies the page's address, if it is one of the maps.
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
        self.kind.set(said.kind);
        self.layer.set(said.layer);
        self.head.set(said.head);
        self.cut.set(said.cut);
    }

    fn address(self) -> AttentionAddress {
        AttentionAddress {
            line: Some(self.typed.get_untracked()).filter(|typed| typed != reading::EXAMPLE),
            kind: self.kind.get_untracked(),
            layer: self.layer.get_untracked(),
            head: self.head.get_untracked(),
            cut: self.cut.get_untracked(),
        }
    }

    /// Returns the address fragment for the present state.
    pub fn fragment(self, workbench: Workbench) -> String {
        let rest = visit::fragment_without_work(workbench);
        format!("#{}{}", self.address().write(), rest.trim_start_matches("#v=1"))
    }

    /// Updates the address after changes while the maps are shown.
    pub fn write_address_on_change(self, workbench: Workbench) {
        Effect::new(move |_| {
            self.typed.track();
            self.kind.track();
            self.layer.track();
            self.head.track();
            self.cut.track();
            self.moving.start(ADDRESS_AFTER_MS, move || self.write_address(workbench));
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

    /// Chooses a kind of attention, with its first layer, since kinds differ in their number of layers.
    pub fn choose_kind(self, kind: AttentionKind) {
        self.kind.set(kind);
        self.layer.set(Some(0));
    }

    /// Chooses a grouping, and resets view and cursor.
    pub fn group(self, cut: Cut) {
        self.cut.set(cut);
        self.reset_view();
    }

    /// Resets the view to the whole map and the cursor to the first cell.
    pub fn reset_view(self) {
        self.view.set(View::default());
        self.cursor.set([0, 0]);
        self.hovered.set(None);
    }

    /// Returns the numbers of columns and rows, and the area that a picture has for them, in pixels.
    fn bounds(self) -> Option<([usize; 2], [f64; 2])> {
        let shown = self.shown.get_untracked()?;
        let (_, room) = scene::frame(&shown.names, self.size.get_untracked());
        Some((shown.size(), room))
    }

    /// Enlarges by a factor, around a point of the map or its centre.
    pub fn zoom(self, factor: f64, at: Option<[f64; 2]>) {
        let Some((map, room)) = self.bounds() else { return };
        let at = at.unwrap_or([room[0] / 2.0, room[1] / 2.0]);
        self.view.update(|view| *view = view.zoomed(factor, at, map, room));
    }

    /// Moves the view by a distance in pixels.
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

    /// Moves the cursor by rows down and columns to the right.
    pub fn step(self, down: isize, right: isize) {
        let [row, column] = self.cursor.get_untracked();
        self.choose([row.saturating_add_signed(down), column.saturating_add_signed(right)]);
    }

    /// Returns the matrix of a side with its scale.
    pub fn matrix(shown: &DrawnMaps, side: Side) -> Option<(&Matrix, Scale)> {
        match side {
            Side::Off => Some((&shown.off, shown.scale)),
            Side::On => shown.on.as_ref().map(|on| (on, shown.scale)),
            Side::Difference => shown.difference.as_ref().map(|difference| (difference, shown.change)),
        }
    }

    /// Returns the present scene of a side.
    pub fn scene(self, side: Side) -> Option<Scene> {
        self.with_side(side, Scene::of)
    }

    /// Returns the present scene of a side without the cells' levels, to find the cell at a point.
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

/// Milliseconds without a change after which the engine is asked.
const ASK_AFTER_MS: u32 = 120;

impl Attention {
    /// Opens the chosen translator.
    pub fn open(self, workbench: Workbench, choice: TranslatorChoice) {
        self.forget();
        self.translator.open(workbench.as_preferred(untrack(|| choice.model())), |_| {});
    }

    /// Closes the translator here if the worker holds another one by now, or none; it must then be opened again.
    pub fn notice_loss(self) {
        if untrack(|| self.translator.is_ready()) && !self.translator.is_held() {
            self.close();
        }
    }

    fn close(self) {
        self.forget();
        self.translator.close();
    }

    /// Discards the answers of another translator.
    fn forget(self) {
        self.job.cancel();
        self.seen.iter().for_each(|seen| seen.set(None));
        self.failure.set(None);
        self.written.set_value(None);
        self.strengths[0].set(Strength::Off);
        self.strengths[1].set(Strength::Own);
    }

    /// Asks after changes of text, kind, layer, head or strength; closes the translator when another one is chosen.
    pub fn ask_on_change(self, choice: TranslatorChoice) {
        Effect::new(move |_| {
            if self.translator.is_other_than(&choice.model()) {
                self.close();
            }
        });
        Effect::new(move |_| {
            self.read.track();
            self.kind.track();
            self.layer.track();
            self.head.track();
            self.strengths.iter().for_each(|strength| strength.track());
            if self.translator.is_ready() {
                self.job.debounce(ASK_AFTER_MS, move || self.ask());
            }
        });
    }

    fn question(self, bias: Strength) -> AttentionQuestion {
        let (text, kind) = (self.read.with_untracked(|read| read.text.clone()), self.kind.get_untracked());
        let written = self.written.get_value();
        let target = written.filter(|(of, _)| *of == text && kind != AttentionKind::Encoder).map(|(_, tokens)| tokens);
        AttentionQuestion {
            text,
            kind,
            layer: self.layer.get_untracked(),
            head: self.head.get_untracked(),
            bias,
            target,
        }
    }

    fn ask(self) {
        self.job.cancel();
        self.failure.set(None);
        self.notice_loss();
        if !untrack(|| self.translator.is_ready()) {
            return;
        }
        if self.read.with_untracked(|read| read.text.is_empty()) {
            self.seen.iter().for_each(|seen| seen.set(None));
            return;
        }
        self.ask_side(0);
    }

    /// Returns `true` if the translator is open and has a hyperbolic bias. Tracked as a signal.
    pub fn has_bias(self) -> bool {
        self.translator.state.with(|state| state.translator().is_some_and(|report| report.bias))
    }

    /// Asks for a side, unless its answer is already there, and then for the next side.
    fn ask_side(self, side: usize) {
        let has_bias = untrack(|| self.has_bias());
        if side > usize::from(has_bias) {
            if !has_bias {
                self.seen[1].set(None);
            }
            return;
        }
        let question = self.question(self.strengths[side].get_untracked());
        let known = self.seen[side].with_untracked(|seen| seen.as_ref().is_some_and(|seen| answers(seen, &question)));
        if known {
            return self.ask_side(side + 1);
        }
        let asked = question.clone();
        self.job.start(ModelRequest::Attention(question), move |event| self.handle_event(side, &asked, event));
    }

    fn handle_event(self, side: usize, asked: &AttentionQuestion, event: Reply<AttentionEvent>) {
        match event {
            Reply::Answer(AttentionEvent::Attention(looked)) => {
                if asked.kind != AttentionKind::Encoder {
                    self.written.set_value(Some((asked.text.clone(), looked.target.clone())));
                }
                let seen = MapAnswer::of(asked.clone(), looked).map(Arc::new);
                let resized = self.seen[side].with_untracked(|before| {
                    let size = |seen: &Option<Arc<MapAnswer>>| {
                        seen.as_ref().map(|seen| (seen.matrix.rows, seen.matrix.columns))
                    };
                    size(before) != size(&seen)
                });
                self.seen[side].set(seen);
                if side == 0 && resized {
                    self.reset_view();
                }
            }
            Reply::Done => self.ask_side(side + 1),
            Reply::Failed(failure) => match failure.kind {
                FailureKind::Cancelled => {}
                // After these failures the worker is replaced, at once or at the next request, and the new one has no
                // translator.
                FailureKind::Device | FailureKind::DeviceLost | FailureKind::Internal | FailureKind::Weights => {
                    self.translator.fail(failure);
                }
                _ => self.failure.set(Some(failure)),
            },
            _ => {}
        }
    }
}

/// Returns `true` if an answer belongs to a question. The question may name the translation that the answer brought.
fn answers(seen: &MapAnswer, question: &AttentionQuestion) -> bool {
    let target = seen.question.target.clone().or_else(|| question.target.clone().filter(|own| *own == seen.target));
    AttentionQuestion { target, ..seen.question.clone() } == *question
}
