"""`nardi bench NAME`: measure a part of the product beside its peers. Each module in `benches` is one of them."""

import argparse
import importlib
import pkgutil

import nardi.cli.benches


def register(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = subparsers.add_parser("bench", help="measure speed beside others, in one run")
    benches = parser.add_subparsers(title="benches", metavar="BENCH", required=True)
    for info in sorted(pkgutil.iter_modules(nardi.cli.benches.__path__), key=lambda info: info.name):
        module = importlib.import_module(f"nardi.cli.benches.{info.name}")
        if not hasattr(module, "NAME"):
            continue
        bench = benches.add_parser(module.NAME, help=module.HELP)
        bench.add_argument("--json", action="store_true", help="the result as one JSON object")
        module.register(bench)
        bench.set_defaults(run=module.run)
