// Softmax of rows of equal length. One workgroup per row.

@group(0) @binding(0) var<storage, read_write> logits: array<f32>;
@group(0) @binding(1) var<storage, read_write> shares: array<f32>;

const TOGETHER = 64u;
// Start of the maximum; finite, because WGSL has no infinity.
const LEAST = -3.4e38;

var<workgroup> parts: array<f32, TOGETHER>;

@compute @workgroup_size(TOGETHER)
fn main(
    @builtin(workgroup_id) row: vec3<u32>,
    @builtin(num_workgroups) rows: vec3<u32>,
    @builtin(local_invocation_index) own: u32,
) {
    let length = arrayLength(&logits) / rows.x;
    let first = row.x * length;
    var largest = LEAST;
    // Without the largest logit subtracted, exp would overflow from 89 on.
    for (var at = own; at < length; at += TOGETHER) {
        largest = max(largest, logits[first + at]);
    }
    parts[own] = largest;
    workgroupBarrier();
    for (var half = TOGETHER / 2u; half > 0u; half /= 2u) {
        if own < half {
            parts[own] = max(parts[own], parts[own + half]);
        }
        workgroupBarrier();
    }
    largest = parts[0];
    // Every invocation must have read the largest logit before parts[0] is overwritten by the sums.
    workgroupBarrier();
    var sum = 0.0;
    for (var at = own; at < length; at += TOGETHER) {
        sum += exp(logits[first + at] - largest);
    }
    parts[own] = sum;
    workgroupBarrier();
    for (var half = TOGETHER / 2u; half > 0u; half /= 2u) {
        if own < half {
            parts[own] += parts[own + half];
        }
        workgroupBarrier();
    }
    sum = parts[0];
    // The exponential is computed twice instead of being written and read back.
    for (var at = own; at < length; at += TOGETHER) {
        shares[first + at] = exp(logits[first + at] - largest) / sum;
    }
}
