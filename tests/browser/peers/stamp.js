// For a worker, before anything else: sends every message with the time at which it was sent, by the clock that all windows and workers of a
// page share, since when the page gets around to hearing of it says little on a busy machine; and with how many kernels the graphics device
// has been asked for until then.

{
  const plain = self.postMessage.bind(self);
  const now = () => performance.timeOrigin + performance.now();
  let kernels = 0;
  for (const method of ["dispatchWorkgroups", "dispatchWorkgroupsIndirect"]) {
    const before = self.GPUComputePassEncoder?.prototype[method];
    if (before === undefined) continue;
    self.GPUComputePassEncoder.prototype[method] = function (...of) {
      kernels++;
      return before.apply(this, of);
    };
  }
  self.postMessage = (message, ...rest) => plain({ message, at: now(), kernels }, ...rest);
}
