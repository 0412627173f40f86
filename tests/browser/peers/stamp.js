// For a worker, before anything else: sends every message with the time at which it was sent, by the clock that all windows and workers of a
// page share. When the page gets around to hearing of it says little on a busy machine.

{
  const plain = self.postMessage.bind(self);
  const now = () => performance.timeOrigin + performance.now();
  self.postMessage = (message, ...rest) => plain({ message, at: now() }, ...rest);
}
