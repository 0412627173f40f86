//! Compute shaders for graphics devices in the browser. Each does the work of five to fourteen kernels of burn:
//! starting a small kernel takes a browser longer than running it takes the device.
//!
//! Each function returns `None` if its tensor is not on a graphics device, or if gradients are wanted; the caller then
//! uses burn's operations. All numbers are f32.

use burn::backend::wgpu::{CubeDim, CubeTensor, KernelSource, SourceKernel, SourceTemplate, Wgpu, into_contiguous};
use burn::cubecl::prelude::{CubeCount, KernelId};
use burn::cubecl::server::KernelArguments;
use burn::tensor::{DType, Device, Shape, Tensor};

/// Invocations per workgroup; the shaders repeat this number.
const WORKGROUP_SIZE: usize = 64;
/// Maximum number of workgroups per dimension that WebGPU guarantees.
const MAX_WORKGROUPS: usize = 65_535;

/// Shader with the one number that is inserted into its source.
#[derive(Clone, Copy)]
struct Kernel {
    source: &'static str,
    epsilon: f32,
}

impl KernelSource for Kernel {
    fn source(&self) -> SourceTemplate {
        SourceTemplate::new(self.source).register("epsilon", format!("{:e}", self.epsilon))
    }

    fn id(&self) -> KernelId {
        KernelId::new::<Self>().info((self.source, self.epsilon.to_bits()))
    }

    fn lang(&self) -> &'static str {
        "wgsl"
    }
}

impl Kernel {
    fn new(source: &'static str) -> Self {
        Self { source, epsilon: 0.0 }
    }

    /// Runs the shader on the inputs and returns its result, which has this shape.
    fn launch(self, inputs: &[&CubeTensor], shape: [usize; 2], groups: [usize; 2]) -> CubeTensor {
        let (client, device) = (inputs[0].client.clone(), inputs[0].device.clone());
        let memory = client.empty(shape[0] * shape[1] * size_of::<f32>());
        let result = CubeTensor::new_contiguous(client.clone(), device, Shape::from(shape), memory, DType::F32);
        // The shaders bind their buffers in this order: inputs, then the result.
        let tensors = inputs.iter().copied().chain([&result]);
        let buffers = tensors.map(|tensor| tensor.handle.clone().binding()).collect();
        let kernel = SourceKernel::new(self, CubeDim::new_1d(WORKGROUP_SIZE as u32));
        let count = CubeCount::Static(groups[0] as u32, groups[1] as u32, 1);
        client.launch(Box::new(kernel), count, KernelArguments::new().with_buffers(buffers));
        result
    }
}

/// Returns the tensor as a contiguous buffer of the graphics device, or `None` if it is elsewhere or has gradients.
fn on_graphics<const D: usize>(tensor: &Tensor<D>) -> Option<CubeTensor> {
    let device = tensor.device();
    if device.is_autodiff() || device == Device::flex() || tensor.dtype() != DType::F32 {
        return None;
    }
    tensor.clone().try_into_primitive::<Wgpu>().ok().map(into_contiguous)
}

fn tensor(of: CubeTensor) -> Tensor<2> {
    Tensor::from_primitive::<Wgpu>(of)
}

/// Computes [`rms_norm`](crate::layers::rms_norm) of `[rows, d]`.
pub fn rms_norm(x: &Tensor<2>, gain: &Tensor<1>, epsilon: f64) -> Option<Tensor<2>> {
    let [rows, width] = x.dims();
    if rows > MAX_WORKGROUPS || rows * width == 0 {
        return None;
    }
    let (x, gain) = (on_graphics(x)?, on_graphics(gain)?);
    let kernel = Kernel { epsilon: epsilon as f32, ..Kernel::new(include_str!("rms_norm.wgsl")) };
    Some(tensor(kernel.launch(&[&x, &gain], [rows, width], [rows, 1])))
}

/// Computes the softmax of each row of logits, which lie in the last dimension.
pub fn softmax<const D: usize>(logits: &Tensor<D>) -> Option<Tensor<D>> {
    let dims = logits.dims();
    let length = dims[D - 1];
    let rows = dims[..D - 1].iter().product();
    if rows > MAX_WORKGROUPS || rows * length == 0 {
        return None;
    }
    let shares = Kernel::new(include_str!("softmax.wgsl")).launch(&[&on_graphics(logits)?], [rows, length], [rows, 1]);
    Some(tensor(shares).reshape(dims))
}

/// Computes the [gate](crate::byt5) of `[rows, 2 · ff]`: `[rows, ff]`.
pub fn gate(wide: &Tensor<2>) -> Option<Tensor<2>> {
    let [rows, width] = wide.dims();
    let half = width / 2;
    if rows > MAX_WORKGROUPS || rows * half == 0 {
        return None;
    }
    let groups = [half.div_ceil(WORKGROUP_SIZE), rows];
    Some(tensor(Kernel::new(include_str!("gate.wgsl")).launch(&[&on_graphics(wide)?], [rows, half], groups)))
}
