"""Speed of the environments, beside MuJoCo where it is installed: python -m talus.bench envs

Environment steps per second: an action, 10 steps of 1 ms of the world, an observation and a reward. One environment, then
several side by side on threads. The same bed of grains, stone and gripper are then stepped by MuJoCo (its own default solver
and cone, the same step), from where Talus let them settle. Random actions, the same for both; the best of three.
"""
import argparse
import json
import os
import time
from typing import Any, Callable, Dict, List, Optional

import numpy as np


def measure(advance: Callable[[int], Any], steps: int, seconds: float) -> float:
    """Environment steps per second: the best of three times some seconds."""
    best, k = 0.0, 0
    for _ in range(3):
        done, start = 0, time.perf_counter()
        while time.perf_counter() - start < seconds:
            advance(k)
            k, done = k + 1, done + steps
        best = max(best, done / (time.perf_counter() - start))
    return best


def actions_of(count: int, number: int = 200) -> Any:
    """Slow random wishes, each held for ten environment steps."""
    wishes = np.random.default_rng(1).uniform(-0.1, 0.1, (number // 10, count, 2)).astype(np.float32)
    return np.repeat(wishes, 10, axis=0)


def bench_alone(kind: Any, seconds: float) -> Dict[str, Any]:
    env, actions = kind(), actions_of(1)
    env.reset(seed=1)
    env.longest = 10**9

    def advance(k: int) -> None:
        env.step(actions[k % len(actions), 0])

    return {"name": kind.__name__, "program": "talus", "environments": 1, "threads": 1, "bodies": len(env.world),
            "contacts": len(env.world.contacts), "value": measure(advance, 1, seconds)}


def bench_together(kind: Any, count: int, threads: int, seconds: float) -> Dict[str, Any]:
    from .envs import Vector
    envs, actions = Vector(kind, count, threads=threads), actions_of(count)
    envs.reset(seed=1)
    for env in envs.envs:
        env.longest = 10**9
    return {"name": kind.__name__, "program": "talus", "environments": count, "threads": threads,
            "bodies": len(envs.envs[0].world), "contacts": len(envs.envs[0].world.contacts),
            "value": measure(lambda k: envs.step(actions[k % len(actions)]), count, seconds)}


# --- MuJoCo

def scene_of_mujoco(env: Any) -> str:
    """The Gripper as it stands, in MuJoCo's words."""
    world, a = env.world, env.size
    x, y, z = env.stone.position
    w = env.stone.orientation
    grains = world.group("grains")
    friction = 'friction="0.4 0 0"'
    balls = "".join(
        f'<body pos="{p[0]} {p[1]} {p[2]}"><freejoint/><geom type="sphere" size="{r}" density="2500" {friction}/></body>'
        for p, r in zip(grains.position, grains.radius))
    fingers = "".join(
        f'<body pos="{0.026 * side} 0 -0.032"><joint name="finger{k}" type="slide" axis="{-side} 0 0" range="-0.003 0.02"/>'
        '<geom type="box" size="0.003 0.01 0.025" density="1500" friction="0.9 0 0"/></body>'
        for k, side in enumerate((-1, 1)))
    walls = "".join(f'<geom type="plane" size="1 1 0.1" pos="{p}" zaxis="{n}" {friction}/>' for p, n in (
        ("0 0 0", "0 0 1"), ("-0.033 0 0", "1 0 0"), ("0.033 0 0", "-1 0 0"), ("0 -0.022 0", "0 1 0"), ("0 0.022 0", "0 -1 0")))
    drives = "".join(f'<velocity joint="{joint}" kv="{kv}" forcerange="{-most} {most}"/>' for joint, kv, most in (
        ("lift", 500, env.lifting), ("finger0", 50, env.grip), ("finger1", 50, env.grip)))
    return (f'<mujoco><option timestep="0.001"/><size memory="256M"/><worldbody>{walls}'
            f'<body pos="{x} {y} {z}" quat="{w[0]} {w[1]} {w[2]} {w[3]}"><freejoint/>'
            f'<geom type="ellipsoid" size="{a} {0.8 * a} {a}" density="2500" {friction}/></body>'
            '<body pos="0 0 0.09"><joint name="lift" type="slide" axis="0 0 1" range="-0.03 0.1"/>'
            f'<geom type="box" size="0.03 0.01 0.005" density="1500"/>{fingers}</body>{balls}</worldbody>'
            f'<actuator>{drives}</actuator></mujoco>')


def bench_mujoco(count: int, threads: int, seconds: float) -> List[Dict[str, Any]]:
    import mujoco
    from mujoco import rollout
    from .envs import Gripper
    env = Gripper()
    env.reset(seed=1)
    model = mujoco.MjModel.from_xml_string(scene_of_mujoco(env))
    data, actions = mujoco.MjData(model), actions_of(count)

    def advance(k: int) -> None:
        action = actions[k % len(actions), 0]
        data.ctrl[:] = (action[0], action[1], action[1])
        mujoco.mj_step(model, data, env.steps_per_action)

    for k in range(20):  # its contacts are others: they come to rest anew
        advance(k)
    facts = {"name": "Gripper", "program": f"mujoco {mujoco.__version__}", "bodies": model.nbody, "contacts": int(data.ncon)}
    alone = {**facts, "environments": 1, "threads": 1, "value": measure(advance, 1, seconds)}
    kind = mujoco.mjtState.mjSTATE_FULLPHYSICS
    state = np.empty(mujoco.mj_stateSize(model, kind))
    mujoco.mj_getState(model, data, state, kind)
    states = {"now": np.tile(state, (count, 1))}
    scratch = [mujoco.MjData(model) for _ in range(threads)]

    def advance_all(k: int) -> None:
        action = actions[k % len(actions)]
        control = np.repeat(action[:, None, [0, 1, 1]], env.steps_per_action, axis=1).astype(np.float64)
        after, _ = rollout.rollout(model, scratch, states["now"], control)
        states["now"] = np.ascontiguousarray(after[:, -1])

    together = {**facts, "environments": count, "threads": threads, "value": measure(advance_all, count, seconds)}
    return [alone, together]


# --- all

def bench_envs(count: int = 8, threads: int = 0, seconds: float = 2.0, peer: bool = True,
               say: Callable[[str], Any] = print) -> List[Dict[str, Any]]:
    """A row for each kind of environment, alone and side by side; those of MuJoCo after them."""
    from . import use_threads
    from .envs import Blade, Gripper
    use_threads(1)  # threads are for worlds
    threads = threads or os.cpu_count() or 1
    rows = []
    for kind in (Gripper, Blade):
        rows.append(bench_alone(kind, seconds))
        rows.append(bench_together(kind, count, threads, seconds))
    if peer:
        try:
            rows += bench_mujoco(count, threads, seconds)
        except ImportError as missing:
            say(f"without MuJoCo ({missing}): pip install mujoco")
    return [{**row, "unit": "environment steps/s"} for row in rows]


def as_table(rows: List[Dict[str, Any]]) -> str:
    lines = [f"{'environment':12} {'program':16} {'side by side':>12} {'threads':>8} {'bodies':>7} {'contacts':>9} {'steps/s':>9}"]
    lines += [f"{r['name']:12} {r['program']:16} {r['environments']:12} {r['threads']:8} {r['bodies']:7} {r['contacts']:9} "
              f"{r['value']:9.1f}" for r in rows]
    return "\n".join(lines)


def main(arguments: Optional[List[str]] = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m talus.bench", description="Measured speed of the environments.")
    parser.add_argument("name", choices=["envs"])
    parser.add_argument("--count", type=int, default=8, help="environments side by side; default: 8")
    parser.add_argument("--threads", type=int, default=0, help="threads for them; default: one per core")
    parser.add_argument("--seconds", type=float, default=2.0, help="of each of three measurements; default: 2")
    parser.add_argument("--no-peer", action="store_true", help="do not run MuJoCo")
    parser.add_argument("--json", action="store_true", help="print JSON")
    a = parser.parse_args(arguments)
    import sys
    rows = bench_envs(a.count, a.threads, a.seconds, not a.no_peer, say=lambda line: print(line, file=sys.stderr))
    print(json.dumps(rows, indent=1) if a.json else as_table(rows))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
