//! Scenes: pictures as plain data, and their drawing to SVG. The page draws the same scenes on a canvas.
//!
//! Depends on geometry only: the input is numbers and labels, the output positions in pixels. The same input gives the
//! same scene, so tests compare scenes with reviewed ones.

pub mod arcs;
pub mod attention;
pub mod bars;
pub mod chart;
pub mod curve;
pub mod disk;
pub mod fitting;
pub mod growth;
pub mod known;
pub mod layers;
pub mod learning;
pub mod palette;
pub mod scatter;
pub mod svg;

/// Compares with a reviewed picture; `TUPPUM_REDRAW=1` writes it again.
#[cfg(test)]
#[track_caller]
fn known_picture(name: &str, drawn: &str) {
    let file = tuppum_testing::project(format!("tests/golden/scenes/{name}.svg"));
    if std::env::var_os("TUPPUM_REDRAW").is_some() {
        std::fs::write(&file, drawn).unwrap();
    }
    assert!(
        std::fs::read_to_string(&file).unwrap() == drawn,
        "{} differs; look at it after TUPPUM_REDRAW=1",
        file.display()
    );
}
