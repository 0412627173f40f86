// Softmax of rows of equal length. One workgroup per row.

@group(0) @binding(0) var<storage, read_write> logits: array<f32>;
@group(0) @binding(1) var<storage, read_write> shares: array<f32>;

const WORKGROUP_SIZE = 64u;
// Start of the maximum; finite, because WGSL has no infinity.
const MIN_LOGIT = -3.4e38;

var<workgroup> parts: array<f32, WORKGROUP_SIZE>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
    @builtin(workgroup_id) row: vec3<u32>,
    @builtin(num_workgroups) rows: vec3<u32>,
    @builtin(local_invocation_index) own: u32,
) {
    let length = arrayLength(&logits) / rows.x;
    let first = row.x * length;
    var largest = MIN_LOGIT;
    // Without the largest logit subtracted, exp would overflow from 89 on.
    for (var at = own; at < length; at += WORKGROUP_SIZE) {
        largest = max(largest, logits[first + at]);
    }
    parts[own] = largest;
    workgroupBarrier();
    for (var half = WORKGROUP_SIZE / 2u; half > 0u; half /= 2u) {
        if own < half {
            parts[own] = max(parts[own], parts[own + half]);
        }
        workgroupBarrier();
    }
    largest = parts[0];
    // Every invocation must have read the largest logit before parts[0] is overwritten by the sums.
    workgroupBarrier();
    var sum = 0.0;
    for (var at = own; at < length; at += WORKGROUP_SIZE) {
        sum += exp(logits[first + at] - largest);
    }
    parts[own] = sum;
    workgroupBarrier();
    for (var half = WORKGROUP_SIZE / 2u; half > 0u; half /= 2u) {
        if own < half {
            parts[own] += parts[own + half];
        }
        workgroupBarrier();
    }
    sum = parts[0];
    // The exponential is computed twice instead of being written and read back.
    for (var at = own; at < length; at += WORKGROUP_SIZE) {
        shares[first + at] = exp(logits[first + at] - largest) / sum;
    }
}
