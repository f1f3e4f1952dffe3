"""The clocks that benches measure by, and the option that chooses one."""

import argparse
import time

CLOCKS = {"wall": time.perf_counter_ns, "cpu": time.thread_time_ns}
"""Nanoseconds."""


def add_clock(parser: argparse.ArgumentParser) -> None:
    """`--clock`: one of CLOCKS."""
    parser.add_argument(
        "--clock",
        choices=sorted(CLOCKS),
        default="wall",
        help="what is measured: the clock on the wall, or this thread's time on the processor, which a busy machine "
        "disturbs less (default wall)",
    )
