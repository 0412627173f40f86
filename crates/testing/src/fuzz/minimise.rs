//! Shortens a failing input as long as it fails in the same way.

/// Removes stretches, long ones first, as long as `fails` returns `true` for the rest; makes at most `most` attempts.
pub fn minimise(input: &[u8], most: usize, fails: impl Fn(&[u8]) -> bool) -> Vec<u8> {
    let mut smallest = input.to_vec();
    let mut tries = 0;
    let mut length = smallest.len().div_ceil(2);
    while length > 0 {
        let (mut at, mut is_shorter) = (0, false);
        while at < smallest.len() && tries < most {
            let end = (at + length).min(smallest.len());
            let rest = [&smallest[..at], &smallest[end..]].concat();
            tries += 1;
            if fails(&rest) {
                smallest = rest;
                is_shorter = true;
            } else {
                at = end;
            }
        }
        // Single bytes are removed again until none can go.
        if length > 1 || !is_shorter {
            length /= 2;
        }
        if tries >= most {
            break;
        }
    }
    smallest
}

#[cfg(test)]
mod tests {
    use super::minimise;

    #[test]
    fn what_is_needed_stays() {
        let fails = |input: &[u8]| input.contains(&b'[') && input.ends_with(b"x");
        assert_eq!(minimise(b"a-na [be-li2] u3 x", 1_000, fails), b"[x");
        assert_eq!(minimise(b"[x", 0, fails), b"[x");
    }
}
