"""The runs of an ablation's plan as tasks of a Ray cluster: what `translator/arms.py` makes one after the other.

    python recipes/ray/arms.py crates/lab/records/ablation-mini.toml [--address auto] [--cpus 1] [--gpus 0] [--minutes MINUTES]

Every arm with every seed is a task. A run keeps its state in its folder, which all machines must have; a task whose machine is lost
is begun again elsewhere and goes on from there. Runs that are done are not made again. `tuppum-lab ablate PLAN` then makes the tables.
Needs ray and what `translator/arms.py` needs.
"""

import argparse
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def one(plan, arm, seed, minutes):
    """One run to its end or to the deadline, in the process of a worker; says what it is and whether it is done."""
    import math
    import time
    import tomllib
    sys.path.insert(0, os.path.join(os.path.dirname(HERE), 'translator'))
    import arms
    with open(plan, 'rb') as file:
        own = tomllib.load(file)
    run = arms.Run(own, arm, seed, arms.Data(own))
    name = f"{arm['name']}-{seed}"
    if os.path.exists(run.path('result.json')):
        return name, True
    run.take()  # Ray gives a run to one worker; what a lost machine had taken is free
    if arm['name'] == 'base':
        run.begin()
        run.check()
    elif not run.train(time.time() + 60 * (minutes or math.inf)):
        os.remove(run.path('taken'))
        return name, False
    run.measure()
    return name, True


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('plan')
    parser.add_argument('--address', help='of a running cluster; auto finds it')
    parser.add_argument('--cpus', type=float, default=1, help='of a run')
    parser.add_argument('--gpus', type=float, default=0, help='of a run')
    parser.add_argument('--minutes', type=float, help='begin no step of a run after so many')
    asked = parser.parse_args(arguments)
    import tomllib

    import ray
    sys.path.insert(0, os.path.join(os.path.dirname(HERE), 'translator'))
    import arms
    with open(asked.plan, 'rb') as file:
        plan = tomllib.load(file)
    if not ray.is_initialized():
        ray.init(address=asked.address)
    task = ray.remote(num_cpus=asked.cpus, num_gpus=asked.gpus, max_retries=-1)(one)
    runs = [({**arms.EMPTY, 'name': 'base'}, 0)] + [(arm, seed) for seed in plan['seeds'] for arm in arms.arms_of(plan)]
    waiting = [task.remote(os.path.abspath(asked.plan), arm, seed, asked.minutes) for arm, seed in runs]
    while waiting:
        (done,), waiting = ray.wait(waiting, num_returns=1)
        name, is_done = ray.get(done)
        print(name, 'done' if is_done else 'goes on with the same command', flush=True)


if __name__ == '__main__':
    main()
