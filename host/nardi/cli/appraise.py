"""`nardi appraise DIR`: how well the eye reads labelled pictures."""

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from nardi.devices.eyesight import input_error
from nardi_vision.errors import EyeError

if TYPE_CHECKING:
    from nardi_vision.appraise import Appraisal

WAYS = {"given": (False,), "found": (True,), "both": (False, True), "none": ()}


def register(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = subparsers.add_parser("appraise", help="measure the eye on labelled pictures", allow_abbrev=False)
    parser.add_argument("folder", type=Path, metavar="DIR", help="labelled pictures or recordings, also in subfolders")
    parser.add_argument("--corners", choices=WAYS, default="both", help="as labelled, found, or both (default)")
    parser.add_argument("--no-play", action="store_true", help="do not read recordings as in play as well")
    parser.add_argument("--split", action="append", metavar="NAME", help="only these splits")
    parser.add_argument("--html", type=Path, metavar="FILE", help="a page with every miss to look at")
    parser.add_argument("--json", action="store_true", help="the numbers as one JSON object")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    import cv2

    from nardi_vision.appraise import appraise, appraise_play, load_cases, page
    from nardi_vision.classify import Reader

    cv2.setNumThreads(1)
    try:
        cases = load_cases(arguments.folder)
        if arguments.split:
            cases = [case for case in cases if case.split in arguments.split]
        reader = Reader()
        appraisals = [appraise(cases, reader, find, _progress) for find in WAYS[arguments.corners]]
        if not arguments.no_play and any(case.t_ms is not None for case in cases):
            appraisals.append(appraise_play(cases, reader, _progress))
        if sys.stderr.isatty():
            print(file=sys.stderr)
        if arguments.html is not None:
            arguments.html.parent.mkdir(parents=True, exist_ok=True)
            arguments.html.write_text(page(appraisals, f"nardi appraise {arguments.folder}"), encoding="utf-8")
    except EyeError as error:
        raise input_error(error) from None
    except OSError as error:
        raise input_error(
            EyeError("picture_unwritable", file=str(error.filename or arguments.html), why=error.strerror or "")
        ) from None
    if arguments.json:
        print(json.dumps({one.way: _as_json(one) for one in appraisals}, ensure_ascii=False))
    else:
        print("\n".join(_as_text(one) for one in appraisals))
    return 0


def _progress(_: object) -> None:
    if sys.stderr.isatty():
        print(".", end="", file=sys.stderr, flush=True)


def _as_json(appraisal: "Appraisal") -> dict[str, object]:
    return {
        "splits": [appraisal.row(split) for split in (*appraisal.splits(), None)],
        "calibration": [
            {"from": low, "to": high, "slots": count, "right": round(share, 5)}
            for low, high, count, share in appraisal.calibration()
        ],
        "misses": [
            {
                "image": miss.case.name,
                "slot": miss.slot,
                "true": [miss.true[0] or "none", miss.true[1]],
                "seen": [miss.seen[0] or "none", miss.seen[1]],
                "confidence": round(miss.confidence, 4),
            }
            for miss in appraisal.misses()
        ],
    }


def _as_text(appraisal: "Appraisal") -> str:
    lines = [f"corners {appraisal.way}"]
    lines.append(
        f"{'split':<24}{'pictures':>9}{'exact':>7}{'':>8}{'wrong':>7}{'slots':>8}{'corners':>9}{'p95':>7}"
        f"{'<=1%':>7}{'unsure':>8}{'bar':>7}{'dice':>6}{'right':>6}{'wrong':>6}{'false':>6}"
        f"{'cube':>6}{'right':>6}{'wrong':>6}{'false':>6}{'hand':>7}{'ms':>7}"
    )
    for split in (*appraisal.splits(), None):
        row = appraisal.row(split)
        lines.append(
            f"{row['split']:<24}{row['pictures']:>9}{row['exact']:>7}{_percent(row['exact_share']):>8}"
            f"{row['slots_wrong']:>7}{_percent(row['slot_share'], 2):>8}{_percent(row['corner_error_median'], 2):>9}"
            f"{_percent(row['corner_error_p95'], 1):>7}{_percent(row['corners_good'], 0):>7}{row['unsure']:>8}"
            f"{_percent(row['bar_share'], 0):>7}{row['dice']:>6}{row['dice_right']:>6}{row['dice_wrong']:>6}"
            f"{row['dice_false']:>6}{row['cube']:>6}{row['cube_right']:>6}{row['cube_wrong']:>6}{row['cube_false']:>6}"
            f"{_percent(row['hand_share'], 0):>7}{row['ms_median'] or 0:>7}"
        )
    lines.append("said confidence → slots, share right")
    lines += [
        f"  {low:5.3f}-{high:5.3f} {count:>7} {100 * share:7.2f} %"
        for low, high, count, share in appraisal.calibration()
    ]
    return "\n".join(lines) + "\n"


def _percent(share: object, digits: int = 1) -> str:
    return f"{100 * share:.{digits}f}%" if isinstance(share, int | float) else "–"
