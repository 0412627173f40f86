"""Steps of training on a graphics card whose kernels are recorded once for each shape of a batch and then played back (CUDA graphs).

A network this small gives the card a thousand and more kernels a step that take microseconds each, and a processor that hands them over one
by one is slower than the card. A recording has all of them: forward, backward, the cut of the gradient and both optimisers. What a
recording reads lies where it lay when it was made: a batch is copied there, and the learning rate is a number on the card.
"""

import torch

TRIED = 3  # steps that are computed as ever before the first recording


class Playback:
    """`learn` computes a step from the tensors of a batch and gives its loss; `kept` are parameters whose gradient is used after it."""

    def __init__(self, learn, kept):
        self.learn, self.kept = learn, kept
        self.recorded, self.pool, self.tried = {}, None, 0
        self.stream = torch.cuda.Stream()

    def step(self, tables):
        """The loss of one step on these tables, as a tensor on the card, unread."""
        shape = tuple(table.shape for table in tables)
        if shape in self.recorded:
            inputs, graph, loss, gradients = self.recorded[shape]
            for own, table in zip(inputs, tables):
                own.copy_(table.pin_memory(), non_blocking=True)
            graph.replay()
            for parameter, gradient in zip(self.kept, gradients):
                parameter.grad = gradient
            return loss.clone()
        inputs = [table.cuda() for table in tables]
        loss = self.as_ever(inputs)
        if self.tried >= TRIED:
            self.record(shape, inputs)
        self.tried += 1
        return loss

    def as_ever(self, inputs):
        """A step that is not recorded; every shape has one, so that what is made at first use is there when it is."""
        self.stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(self.stream):
            loss = self.learn(inputs)
        torch.cuda.current_stream().wait_stream(self.stream)
        return loss

    def record(self, shape, inputs):
        """Records the step of a shape without taking it; recordings share their memory, since one is played at a time."""
        before = [parameter.grad for parameter in self.kept]
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, pool=self.pool, stream=self.stream, capture_error_mode='thread_local'):
            loss = self.learn(inputs)
        self.pool = self.pool or graph.pool()
        self.recorded[shape] = inputs, graph, loss, [parameter.grad for parameter in self.kept]
        for parameter, gradient in zip(self.kept, before):
            parameter.grad = gradient
