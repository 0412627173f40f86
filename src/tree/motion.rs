//! Frames, and the animated movement of a node to the middle.

use super::state::SignTree;
use super::{canvas, state};
use crate::kit::timing::now;
use crate::kit::timing::on_next_frame;
use leptos::prelude::*;
use tuppum_plot::disk::Scene;

/// Milliseconds in which a node moves to the middle.
const MOVE_MS: f64 = 650.0;

impl SignTree {
    /// Draws after every change of the shown data, at most once a frame.
    pub fn draw_on_change(self) {
        Effect::new(move |_| {
            self.loaded.track();
            self.view.track();
            self.chosen.track();
            self.from.track();
            self.size.track();
            self.colours.track();
            self.ask_for_frame();
        });
    }

    fn ask_for_frame(self) {
        if self.waiting.get_value() {
            return;
        }
        self.waiting.set_value(true);
        on_next_frame(move || {
            self.waiting.set_value(false);
            self.draw();
        });
    }

    fn draw(self) {
        let (Some(script), Some(element)) = (self.script_now(), self.canvas.get_untracked()) else { return };
        let wanted = untrack(|| self.wanted());
        if wanted.size[0] < 1.0 {
            return;
        }
        let scene = Scene::of(&script.figure, &wanted);
        canvas::draw(&element, &scene, &script.figure);
        self.scene.set_value(Some(scene));
    }

    /// Stops a movement where it is.
    pub fn stop(self) {
        self.movement.update_value(|number| *number += 1);
    }

    /// Moves a node to the middle along the geodesic; at once if the system asks for reduced motion.
    pub fn centre(self, node: usize) {
        let Some(script) = self.script_now() else { return };
        self.stop();
        let point = script.figure.point(node);
        let start = self.view.get_untracked();
        if prefers_stillness() || start.seen(point) == [0.0, 0.0] {
            self.view.set(start.towards(point, 1.0));
            return;
        }
        let (number, began) = (self.movement.get_value(), now());
        next(self, number, began, move |share| {
            let zoomed = self.view.with_untracked(|view| (view.zoom, view.projection));
            let mut view = start.towards(point, share);
            (view.zoom, view.projection) = zoomed;
            self.view.set(view);
        });
    }
}

/// Draws one frame of a movement, and schedules the next.
fn next(tree: SignTree, number: u64, began: f64, show: impl Fn(f64) + 'static) {
    on_next_frame(move || {
        if tree.movement.get_value() != number {
            return;
        }
        let share = ((now() - began) / MOVE_MS).clamp(0.0, 1.0);
        // Smoothstep: slow at the beginning and at the end.
        show(if share < 1.0 { share * share * (3.0 - 2.0 * share) } else { 1.0 });
        if share < 1.0 {
            next(tree, number, began, show);
        }
    });
}

/// Returns `true` if the system asks for reduced motion.
pub fn prefers_stillness() -> bool {
    matches!(window().match_media("(prefers-reduced-motion: reduce)"), Ok(Some(query)) if query.matches())
}

/// Returns the announcement of the chosen node for screen readers.
pub fn said(tree: SignTree) -> String {
    let chosen = tree.chosen.get();
    tree.script().map(|script| state::summary(&script, chosen)).unwrap_or_default()
}
