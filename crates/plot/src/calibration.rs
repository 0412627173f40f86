//! How well stated probabilities hold, as SVG: a reliability diagram (DeGroot and Fienberg 1983,
//! <https://doi.org/10.2307/2987588>), in which answers are put into bins by the probability that was stated for them.
//!
//! A bin stands at the mean of what was stated in it, as high as the share of its answers that were right, with the
//! interval of that share. On the diagonal a probability is worth its word; below it the model is too sure of itself.

use crate::chart::{Axis, Content, Drawn, FOOT, Field, Frame, Pen, document, number};
use crate::palette::Palette;

/// One bin of answers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bin {
    /// Mean of the probabilities that were stated.
    pub stated: f64,
    /// Share of the answers that were right.
    pub observed: f64,
    /// Ends of the interval of that share.
    pub interval: [f64; 2],
    /// Number of answers.
    pub answers: usize,
}

impl Bin {
    /// A bin with the 95 % interval of Wilson's score (1927, <https://doi.org/10.1080/01621459.1927.10502953>): for n
    /// answers with a share p of right ones (p + z²/2n ± z √(p(1 - p)/n + z²/4n²)) / (1 + z²/n) with z = 1.96. `None`
    /// without answers.
    pub fn counted(stated: f64, right: usize, answers: usize) -> Option<Self> {
        const Z: f64 = 1.96;
        if answers == 0 {
            return None;
        }
        let count = answers as f64;
        let observed = right as f64 / count;
        let part = Z * Z / count;
        let half = Z * (observed * (1.0 - observed) / count + part / (4.0 * count)).sqrt();
        let end = |sign: f64| ((observed + part / 2.0 + sign * half) / (1.0 + part)).clamp(0.0, 1.0);
        Some(Self { stated, observed, interval: [end(-1.0), end(1.0)], answers })
    }

    /// Bins of equal width between 0 and 1, those with answers, from what was stated for each answer and whether it was
    /// right; what is no probability is left out.
    pub fn of_answers(answers: impl IntoIterator<Item = (f64, bool)>, bins: usize) -> Vec<Self> {
        let mut all = vec![(0.0, 0, 0); bins.max(1)];
        for (stated, is_right) in answers {
            if (0.0..=1.0).contains(&stated) {
                // 1 itself belongs to the last bin.
                let (sum, right, count) = &mut all[((stated * bins as f64) as usize).min(bins.max(1) - 1)];
                *sum += stated;
                *right += usize::from(is_right);
                *count += 1;
            }
        }
        all.into_iter().filter_map(|(sum, right, count)| Self::counted(sum / count as f64, right, count)).collect()
    }

    fn is_finite(&self) -> bool {
        [self.stated, self.observed, self.interval[0], self.interval[1]].iter().all(|one| one.is_finite())
    }
}

/// The mean distance between what was stated and what was observed, each bin counted by its answers (the expected
/// calibration error of Naeini, Cooper and Hauskrecht 2015); `None` without answers.
pub fn expected_error(bins: &[Bin]) -> Option<f64> {
    let answers: usize = bins.iter().map(|bin| bin.answers).sum();
    let off: f64 = bins.iter().map(|bin| bin.answers as f64 * (bin.stated - bin.observed).abs()).sum();
    (answers > 0).then(|| off / answers as f64)
}

const SIZE: [f64; 2] = [420.0, 400.0];
const RIGHT: f64 = 18.0;
/// Width of an interval's ends, in pixels.
const ENDS: f64 = 9.0;
/// Names of the axes across and up.
const NAMES: [&str; 2] = ["stated probability", "share that was right"];

/// Draws the bins in order of what was stated, over the diagonal.
pub fn svg(bins: &[Bin], palette: &Palette, title: &str) -> String {
    let mut bins: Vec<Bin> = bins.iter().filter(|bin| bin.is_finite()).copied().collect();
    bins.sort_by(|one, other| one.stated.total_cmp(&other.stated));
    let whole = || Axis::holding([0.0, 1.0]);
    let frame = Frame { across: Some(whole()), up: whole(), names: NAMES, left: 0.0, right: RIGHT, foot: FOOT };
    let description = description(&bins);
    document(SIZE, Content { title, description: &description }, palette, |pen| {
        let field = Field::draw(pen, &frame)?;
        pen.path(vec![field.at([0.0, 0.0]), field.at([1.0, 1.0])], 1, pen.kind(2), 1.0)?;
        bins.iter().try_for_each(|bin| draw(pen, &field, bin))?;
        let line: Vec<_> = bins.iter().map(|bin| field.at([bin.stated, bin.observed])).collect();
        if line.len() > 1 { pen.path(line, 1, pen.kind(1), 2.0) } else { Ok(()) }
    })
}

fn draw(pen: &Pen, field: &Field, bin: &Bin) -> Drawn {
    let [low, high] = bin.interval;
    pen.interval([low, bin.observed, high].map(|share| field.at([bin.stated, share])), ENDS, pen.ink, 1.5)
}

/// All bins in words.
fn description(bins: &[Bin]) -> String {
    let told = |bin: &Bin| {
        let [stated, observed, low, high] =
            [bin.stated, bin.observed, bin.interval[0], bin.interval[1]].map(|share| number(share, 2));
        format!("{stated} stated, {observed} right ({low} to {high}), of {} answers.", bin.answers)
    };
    let told: Vec<String> = bins.iter().map(told).collect();
    let error = expected_error(bins).map(|error| format!(" Mean distance {}.", number(error, 3))).unwrap_or_default();
    format!(
        "Share of right answers by stated probability, with intervals; on the diagonal both are equal. {}{error}",
        told.join(" ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::scene::{Scene, check_themes, of_colour};

    fn bins() -> Vec<Bin> {
        [(0.9, 140, 200), (0.1, 8, 100), (0.5, 20, 50)]
            .into_iter()
            .filter_map(|(stated, right, answers)| Bin::counted(stated, right, answers))
            .collect()
    }

    fn drawn(palette: &Palette) -> String {
        svg(&bins(), palette, "A test")
    }

    #[test]
    fn bins_stand_where_they_were_stated_as_high_as_they_were_right() {
        let (scene, light) = (Scene::of(&drawn(&Palette::light())), Palette::light());
        let height = |share: f64| scene.height(share, ["0.0", "1.0"]);
        assert_eq!(scene.circles.len(), 3);
        let line = of_colour(&scene.paths, &light.kinds[1])[0];
        for ((point, circle), share) in line.points.iter().zip(&scene.circles).zip([0.08, 0.4, 0.7]) {
            assert!((point[1] - height(share)).abs() < 0.2 && (circle.points[0][1] - height(share)).abs() < 0.2);
        }
        // The diagonal runs from corner to corner, so that a bin's place across is read from it.
        let diagonal =
            of_colour(&scene.paths, &light.kinds[2]).iter().map(|path| path.points.clone()).collect::<Vec<_>>();
        let ([left, bottom], [right, top]) = (diagonal[0][0], *diagonal.last().unwrap().last().unwrap());
        assert!((bottom - height(0.0)).abs() < 0.2 && (top - height(1.0)).abs() < 0.2);
        for (point, stated) in line.points.iter().zip([0.1, 0.5, 0.9]) {
            assert!((point[0] - (left + stated * (right - left))).abs() < 0.2, "{point:?}");
        }
        scene.text("stated probability");
        scene.text("share that was right");
    }

    #[test]
    fn intervals_end_at_their_shares() {
        let (scene, light) = (Scene::of(&drawn(&Palette::light())), Palette::light());
        let whiskers = of_colour(&scene.lines, &light.ink);
        let mut all = bins();
        all.sort_by(|one, other| one.stated.total_cmp(&other.stated));
        for (number, bin) in all.iter().enumerate() {
            let through = whiskers[3 * number + 2];
            for (point, end) in through.points.iter().zip(bin.interval) {
                assert!((point[1] - scene.height(end, ["0.0", "1.0"])).abs() < 0.2, "{through:?}");
            }
        }
    }

    #[test]
    fn the_interval_is_that_of_wilsons_score() {
        // By hand, with z² = 3.8416: (0.0992 ± 1.96 √(0.000736 + 0.000096)) / 1.0384.
        let bin = Bin::counted(0.1, 8, 100).unwrap();
        assert!((bin.interval[0] - 0.0411).abs() < 1e-4 && (bin.interval[1] - 0.1500).abs() < 1e-4, "{bin:?}");
        for (right, answers) in [(0, 1), (1, 1), (0, 1000), (1000, 1000)] {
            let Bin { observed, interval: [low, high], .. } = Bin::counted(0.5, right, answers).unwrap();
            assert!(0.0 <= low && low <= observed + 1e-12 && observed <= high + 1e-12 && high <= 1.0);
        }
        assert_eq!(Bin::counted(0.5, 0, 0), None);
    }

    #[test]
    fn answers_fall_into_their_bins() {
        let answers =
            [(0.0, false), (0.05, true), (0.25, true), (1.0, true), (0.95, false), (1.5, true), (f64::NAN, true)];
        let found = Bin::of_answers(answers, 10);
        let counted: Vec<(f64, f64, usize)> = found.iter().map(|bin| (bin.stated, bin.observed, bin.answers)).collect();
        assert_eq!(counted, [(0.025, 0.5, 2), (0.25, 1.0, 1), (0.975, 0.5, 2)]);
        // (2 · 0.475 + 0.75 + 2 · 0.475) / 5
        assert!((expected_error(&found).unwrap() - 0.53).abs() < 1e-12);
        assert_eq!(expected_error(&[]), None);
    }

    #[test]
    fn readers_hear_all_bins() {
        let scene = Scene::of(&drawn(&Palette::light()));
        assert_eq!(scene.title, "A test");
        assert!(
            scene.description.contains("0.50 stated, 0.40 right (0.28 to 0.54), of 50 answers."),
            "{}",
            scene.description
        );
        assert!(scene.description.ends_with("Mean distance 0.134."), "{}", scene.description);
    }

    #[test]
    fn no_answers_leave_the_diagonal() {
        let odd = Bin { stated: f64::NAN, observed: 0.5, interval: [0.0, 1.0], answers: 1 };
        for bins in [vec![], vec![odd]] {
            let scene = Scene::of(&svg(&bins, &Palette::dark(), ""));
            assert_eq!(scene.circles.len(), 0);
            scene.text("stated probability");
        }
    }

    #[test]
    fn themes_differ_only_in_colours() {
        check_themes(drawn);
    }
}
