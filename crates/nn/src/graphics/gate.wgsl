// gelu(left half) * right half of every row, with the tanh form of GELU. Dispatch: rows in y, columns of the result in
// x.

@group(0) @binding(0) var<storage, read_write> wide: array<f32>;
@group(0) @binding(1) var<storage, read_write> gated: array<f32>;

const ROOT_TWO_OVER_PI = 0.7978846;
const CUBIC = 0.044715;
// tanh is 1 from 9.01 on. Some devices compute it from exponentials that overflow at 44 and give NaN, so the argument
// is clamped.
const SATURATED = 10.0;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) place: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let half = arrayLength(&gated) / groups.y;
    if place.x >= half {
        return;
    }
    let left = wide[place.y * 2u * half + place.x];
    let right = wide[(place.y * 2u + 1u) * half + place.x];
    let inner = clamp((left * left * left * CUBIC + left) * ROOT_TWO_OVER_PI, -SATURATED, SATURATED);
    gated[place.y * half + place.x] = left * 0.5 * (tanh(inner) + 1.0) * right;
}
