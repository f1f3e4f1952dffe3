"""`nardi screens`: pictures of what is shown in every phase, for people who design, translate or check it."""

import argparse
from pathlib import Path


def register(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = subparsers.add_parser(
        "screens", help="picture of the small screen and of the table in every phase, as PNG files and one page"
    )
    parser.add_argument("folder", type=Path, metavar="OUT", help="folder for the pictures; made if it is not there")
    parser.add_argument("--lang", dest="only", metavar="LANG", help="one language only (default: all)")
    parser.add_argument("--tables", action="store_true", help="also the whole table of every phase")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Writes OUT/<language>/<phase>.png, OUT/<language>.png (all on one sheet), with --tables OUT/tables/…"""
    from nardi.errors import InputError
    from nardi.text.catalogue import languages, load
    from nardi.text.message import Message
    from nardi.views.gallery import exhibits
    from nardi.views.scene import scene
    from nardi.views.sheet import sheet
    from nardi.views.table_picture import table_picture

    chosen = args.only or args.lang
    spoken = (load(chosen).language,) if chosen else languages()
    try:
        for language in spoken:
            folder: Path = args.folder / language
            folder.mkdir(parents=True, exist_ok=True)
            scenes = {
                exhibit.name: scene(
                    exhibit.match,
                    now_ms=exhibit.now_ms,
                    language=language,
                    advice=exhibit.advice,
                    remark=exhibit.remark,
                )
                for exhibit in exhibits()
            }
            for name, picture in sheet(scenes):
                picture.save(folder / f"{name}.png" if name else args.folder / f"{language}.png")
            if args.tables:
                tables: Path = args.folder / "tables" / language
                tables.mkdir(parents=True, exist_ok=True)
                for exhibit in exhibits():
                    if exhibit.match.game is not None:
                        table_picture(exhibit.match, scenes[exhibit.name]).save(tables / f"{exhibit.name}.png")
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(Message.of("input.unwritable", file=str(args.folder), reason=reason)) from error
    return 0
