//! The graphics card: found by wgpu, with the same shaders as in the browser.

use super::fatal;
use burn::tensor::Device;
use burn::tensor::wgpu::WgpuSetup;
use burn::tensor::wgpu::wgpu::{DeviceLostReason, DeviceType};
use std::sync::Arc;

/// Number of dispatches per submission, as in the browser: a model's layers are many small kernels.
const TASKS_PER_SUBMISSION: usize = 64;
/// Number of invocations of a workgroup that burn's kernels need.
const MIN_INVOCATIONS: u32 = 256;

/// Opens the card that the system thinks the fastest, and returns it with its description. `software` is `true` if a
/// card imitated on the processor will do. burn registers a device once in the life of a process.
///
/// # Errors
/// The reason why there is no card: the second half of a sentence.
pub fn open(software: bool) -> Result<(Device, String), String> {
    let opened = Device::wgpu_options().tasks_max(TASKS_PER_SUBMISSION).init_with_setup();
    let (device, setup) = opened.map_err(|error| {
        format!("no graphics card was found ({error}); is a driver for Vulkan, Metal or DirectX 12 installed?")
    })?;
    let info = setup.adapter.get_info();
    let name = format!("{} by {:?}", info.name, info.backend);
    if info.device_type == DeviceType::Cpu && !software {
        return Err(format!("{name} only imitates a graphics card, more slowly than the processor computes"));
    }
    let invocations = setup.device.limits().max_compute_invocations_per_workgroup;
    if invocations < MIN_INVOCATIONS {
        return Err(format!("{name} runs {invocations} invocations at a time, and {MIN_INVOCATIONS} are needed"));
    }
    watch(&setup, &name);
    let limits = setup.device.limits();
    let largest = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
    let kind = if info.device_type == DeviceType::Cpu { ", an imitation on the processor" } else { "" };
    Ok((device, format!("{name}{kind}, tensors of up to {:.1} GB", largest as f64 / 1e9)))
}

/// Ends the program at errors that no operation returns: burn's own handlers panic, or leave numbers that mean nothing.
fn watch(setup: &WgpuSetup, name: &str) {
    fatal::watch(name);
    setup.device.on_uncaptured_error(Arc::new(|error| fatal::fail(&error.to_string())));
    setup.device.set_device_lost_callback(|reason, message| {
        // At the end of the program the device is given back.
        if reason != DeviceLostReason::Destroyed {
            fatal::fail(&format!("the connection to it was lost ({message})"));
        }
    });
}
