//! The page: mounts the Leptos application.

fn main() {
    tuppum::app::mount();
}
