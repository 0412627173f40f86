// RMS norm of a row, x / sqrt(mean(x²) + ε) * gain. One workgroup per row; the gain is as wide as a row.

@group(0) @binding(0) var<storage, read_write> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> gain: array<f32>;
@group(0) @binding(2) var<storage, read_write> normed: array<f32>;

const WORKGROUP_SIZE = 64u;

var<workgroup> sums: array<f32, WORKGROUP_SIZE>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(workgroup_id) row: vec3<u32>, @builtin(local_invocation_index) own: u32) {
    let width = arrayLength(&gain);
    let first = row.x * width;
    var sum = 0.0;
    // Neighbouring invocations read neighbouring numbers, so that a device fetches them together.
    for (var at = own; at < width; at += WORKGROUP_SIZE) {
        sum += x[first + at] * x[first + at];
    }
    sums[own] = sum;
    workgroupBarrier();
    // Tree sum in shared memory: each round halves the number of sums. The barrier stands outside the branch, since
    // every invocation of a workgroup must reach it.
    for (var half = WORKGROUP_SIZE / 2u; half > 0u; half /= 2u) {
        if own < half {
            sums[own] += sums[own + half];
        }
        workgroupBarrier();
    }
    let size = sqrt(sums[0] / f32(width) + {{ epsilon }});
    for (var at = own; at < width; at += WORKGROUP_SIZE) {
        normed[first + at] = x[first + at] / size * gain[at];
    }
}
