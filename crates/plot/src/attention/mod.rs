//! Maps of attention as scenes: a [`Matrix`] grouped from bytes to signs and words, the part of it that is in [`View`],
//! the resulting picture ([`scene`]), and [`colours`] that colour-blind readers can tell apart.
//!
//! A row is a place that attends, a column a place attended to.

pub mod bias;
pub mod colours;
pub mod matrix;
pub mod scene;
pub mod svg;

pub use colours::Scale;
pub use matrix::Matrix;
pub use scene::{Names, Scene, View};

#[cfg(test)]
mod tests {
    #![allow(clippy::single_range_in_vec_init)] // groups are ranges, and one group is a list of one

    use super::colours::{LEVELS, css};
    use super::scene::frame;
    use super::*;
    use crate::chart::scene::elements;
    use crate::known_picture;
    use crate::palette::Palette;
    use proptest::prelude::*;
    use std::ops::Range;

    const SIZE: [f64; 2] = [420.0, 420.0];

    /// Returns a matrix whose rows are shares, drawn with a seed.
    fn matrix(rows: usize, columns: usize, seed: u64) -> Matrix {
        let mut random = tuppum_geometry::Random::new(seed);
        let values = (0..rows).flat_map(|_| {
            let raw: Vec<f64> = (0..columns).map(|_| random.uniform().powi(4)).collect();
            let sum: f64 = raw.iter().sum();
            raw.into_iter().map(move |value| (value / sum) as f32)
        });
        Matrix::new(rows, columns, values.collect()).unwrap()
    }

    /// Returns groups that tile `length` places, cut at these numbers.
    fn groups(length: usize, cuts: &[usize]) -> Vec<Range<usize>> {
        let mut ends: Vec<usize> =
            cuts.iter().map(|cut| cut % length.max(1)).filter(|cut| *cut > 0).chain([length]).collect();
        ends.sort_unstable();
        ends.dedup();
        let starts = [0].into_iter().chain(ends.clone());
        starts.zip(ends.clone()).map(|(start, end)| start..end).collect()
    }

    fn names(rows: usize, columns: usize) -> Names {
        let name = |place: usize| ["a", "na", "{d}", "UTU", "be", "li₂", "<&>"][place % 7].to_owned();
        Names { rows: (0..rows).map(name).collect(), columns: (0..columns).map(name).collect() }
    }

    proptest! {
        #[test]
        fn grouped_sums_are_those_of_the_raw_matrix(
            rows in 1..40usize, columns in 1..40usize, seed in 0..99u64,
            cuts in prop::collection::vec(0..40usize, 0..9), others in prop::collection::vec(0..40usize, 0..9),
        ) {
            let raw = matrix(rows, columns, seed);
            let (by_row, by_column) = (groups(rows, &cuts), groups(columns, &others));
            let grouped = raw.grouped(&by_row, &by_column);
            for (place, group) in by_row.iter().enumerate() {
                let whole: f32 = (0..by_column.len()).map(|column| grouped.at(place, column)).sum();
                prop_assert!((whole - 1.0).abs() < 1e-4, "a row is a whole: {whole}");
                for (other, keys) in by_column.iter().enumerate() {
                    let own = group.clone().flat_map(|row| keys.clone().map(move |column| (row, column)));
                    let sum: f64 = own.map(|(row, column)| f64::from(raw.at(row, column))).sum();
                    // The group's entry is rounded to f32, and the error is multiplied by its number of rows.
                    let of_group = f64::from(grouped.at(place, other)) * group.len() as f64;
                    prop_assert!((of_group - sum).abs() < 1e-5, "{of_group} {sum}");
                    let share = raw.share(std::slice::from_ref(group), std::slice::from_ref(keys));
                    prop_assert!((share - sum / group.len() as f64).abs() < 1e-9);
                }
            }
        }

        #[test]
        fn what_is_pressed_is_what_is_drawn(
            rows in 1..600usize, columns in 1..600usize, cell in 0.0..40.0f64, x in 0.0..1.0f64, y in 0.0..1.0f64,
            at in (0.0..420.0f64, 0.0..420.0f64),
        ) {
            let matrix = Matrix::new(rows, columns, vec![0.1; rows * columns]).unwrap();
            let view = View { cell, from: [x * columns as f64, y * rows as f64] };
            let scene = Scene::of(&matrix, &names(rows, columns), Scale::Share(1.0), SIZE, &view, None);
            prop_assert_eq!(scene.levels.len(), scene.rows.len() * scene.columns.len());
            if let Some([row, column]) = scene.hit([at.0, at.1]) {
                let left = scene.start[0] + (column - scene.columns.start) as f64 * scene.cell;
                let top = scene.start[1] + (row - scene.rows.start) as f64 * scene.cell;
                prop_assert!(left <= at.0 + 1e-6 && at.0 < left + scene.cell + 1e-6);
                prop_assert!(top <= at.1 + 1e-6 && at.1 < top + scene.cell + 1e-6);
            }
        }

        #[test]
        fn a_shown_cell_is_seen_whole(
            rows in 2..600usize,
            columns in 2..600usize,
            cell in 4.0..40.0f64,
            place in 0..600usize,
        ) {
            let (corner, room) = frame(&names(rows, columns), SIZE);
            let map = [columns, rows];
            let wanted = [place % columns, (place * 7) % rows];
            let view = View { cell, from: [0.0, 0.0] }.showing(wanted, map, room);
            let matrix = Matrix::new(rows, columns, vec![0.1; rows * columns]).unwrap();
            let cursor = Some([wanted[1], wanted[0]]);
            let scene = Scene::of(&matrix, &names(rows, columns), Scale::Share(1.0), SIZE, &view, cursor);
            let [x, y] = scene.cursor.unwrap();
            prop_assert!(x >= corner[0] - 1e-6 && y >= corner[1] - 1e-6);
            prop_assert!(x + view.cell <= SIZE[0] + 1e-6 && y + view.cell <= SIZE[1] + 1e-6);
        }
    }

    #[test]
    fn shares_by_hand() {
        let matrix = Matrix::new(3, 3, vec![0.5, 0.3, 0.2, 0.1, 0.6, 0.3, 0.0, 0.25, 0.75]).unwrap();
        let near = |one: f64, other: f64| assert!((one - other).abs() < 1e-7, "{one} {other}");
        near(matrix.share(&[0..1], &[1..3]), 0.5);
        near(matrix.share(&[0..1, 2..3], &[1..2]), 0.275);
        near(matrix.within(&[0..2, 2..3]).unwrap(), (0.3 + 0.1) / 2.0);
        assert_eq!(matrix.within(&[0..1, 1..2]), None);
        near(matrix.even().share(&[0..1], &[1..3]), 2.0 / 3.0);
        assert_eq!(matrix.less(&matrix).unwrap().most(), 0.0);
        assert_eq!(matrix.less(&matrix.grouped(&[0..3], &[0..3])), None);
        assert_eq!(Matrix::new(2, 2, vec![0.0; 3]), None);
    }

    #[test]
    fn levels_go_up_and_down_with_values() {
        let share = Scale::Share(0.5);
        assert_eq!((share.level(0.0), share.level(0.5), share.level(9.0)), (0, LEVELS - 1, LEVELS - 1));
        let difference = Scale::Difference(0.2);
        let middle = (LEVELS - 1) / 2;
        assert_eq!((difference.level(-0.2), difference.level(0.0), difference.level(0.2)), (0, middle, LEVELS - 1));
        for level in 0..LEVELS {
            assert_eq!(share.level(share.value(level)), level);
            assert_eq!(difference.level(difference.value(level)), level);
        }
        assert_eq!(Scale::Share(0.0).level(0.0), 0);
        assert_eq!(css(share.colour(0, false)), "#00224e");
        assert_eq!(difference.colours(true).len(), usize::from(LEVELS));
    }

    #[test]
    fn labels_stand_apart_and_the_cursor_keeps_its_own() {
        for count in [5, 60, 512] {
            let matrix = Matrix::new(count, count, vec![1.0 / count as f32; count * count]).unwrap();
            let cursor = Some([count / 2 + 1, 3]);
            let scene = Scene::of(&matrix, &names(count, count), Scale::Share(0.1), SIZE, &View::default(), cursor);
            let marked: Vec<_> = scene.labels.iter().filter(|label| label.marked).map(|label| label.upwards).collect();
            assert_eq!(marked, [false, true]);
            let mut rows: Vec<f64> =
                scene.labels.iter().filter(|label| !label.upwards).map(|label| label.at[1]).collect();
            rows.sort_by(f64::total_cmp);
            // A label closer than that to the cursor's label is left out.
            assert!(rows.windows(2).all(|pair| pair[1] - pair[0] >= 12.0), "{rows:?}");
            assert!(scene.labels.len() < 80, "{} labels", scene.labels.len());
        }
    }

    /// Returns a map of 12 × 13 cells with a cursor.
    fn scene(matrix: &Matrix, scale: Scale) -> Scene {
        Scene::of(matrix, &names(12, 13), scale, SIZE, &View::default(), Some([2, 4]))
    }

    #[test]
    fn pictures_hold_the_whole_scene() {
        let (one, other) = (matrix(12, 13, 1), matrix(12, 13, 2));
        let difference = one.less(&other).unwrap();
        let scales = [(&one, Scale::Share(one.most())), (&difference, Scale::Difference(difference.most()))];
        for (matrix, scale) in scales {
            let scene = scene(matrix, scale);
            let drawn = [false, true].map(|dark| svg::map(&scene, &Palette::light(), dark, "A <test>"));
            let [light, dark] = drawn.each_ref().map(|drawn| elements(drawn));
            assert_eq!(light["text"], scene.labels.len());
            assert!(drawn[0].contains("<title>A &lt;test&gt;</title>") && drawn[0].contains(">&lt;&amp;&gt;</text>"));
            // The cells of each level have its colour in either scheme, and the cursor is drawn above them.
            let mut levels = scene.levels.clone();
            levels.sort_unstable();
            levels.dedup();
            for (drawn, is_dark) in drawn.iter().zip([false, true]) {
                for level in &levels {
                    let colour = css(scale.colour(*level, is_dark));
                    assert!(drawn.contains(&format!("fill=\"{colour}\"")), "{level}");
                }
            }
            // The most frequent level is the background, and every other level is one path.
            assert_eq!([light["path"], dark["path"]], [levels.len() - 1; 2]);
            assert!(drawn[0].contains(&format!("fill=\"none\" stroke=\"{}\"", Palette::light().chosen)));
        }
    }

    #[test]
    fn the_picture_is_the_one_that_was_looked_at() {
        let matrix = matrix(12, 13, 1);
        let scene = scene(&matrix, Scale::Share(matrix.most()));
        known_picture("attention", &svg::map(&scene, &Palette::light(), false, "A test"));
    }
}
