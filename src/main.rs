//! The page: mounts the Leptos application.

fn main() {
    tuppum::mount();
}
