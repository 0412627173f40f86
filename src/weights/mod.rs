//! Weights: safetensors read tensor by tensor, and what they must contain.
