"""Cuts the reading face from Gentium Plus 6.101 (Debian's fonts-sil-gentiumplus) to what transliterations need.

    python cut_fonts.py /usr/share/fonts/truetype/gentiumplus assets/fonts

Needs fonttools and brotli. A cut font is a modified one, and "Gentium" and "SIL" are reserved names: it is renamed.
"""

import sys
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

RANGES = (
    "20-7E A0-17F 1CD-1DC 1E5-1EB 200-21B 228-233 2B9-2CF 2D8-2DD 300-30C 323-331 386 38A 1D43 1D48-1D49 1D4D 1D4F-1D50"
    " 1D56-1D58 1E00-1EFF 2010-2015 2018-201E 2020-2022 2026 2030 2032-2033 2039-203A 2044 2070-208E 2090-209C 20AC 2116"
    " 2122 2150-215E 2190-2193 2212 221A 221E 2248 2260 2264-2265 2308-230B 25A1 25CB-25CC 27E6-27E9 2E17 2E22-2E25"
)
FAMILY = "Tuppum Serif"
GRAPHITE = ["Silf", "Silt", "Feat", "Glat", "Gloc", "Sill"]


def code_points():
    for part in RANGES.split():
        first, _, last = part.partition("-")
        yield from range(int(first, 16), int(last or first, 16) + 1)


def rename(font, style):
    names = {1: FAMILY, 2: style, 3: f"{FAMILY} {style} 1.0", 4: f"{FAMILY} {style}", 6: f"TuppumSerif-{style}"}
    font["name"].names = [name for name in font["name"].names if name.nameID <= 14]
    for name in font["name"].names:
        name.string = names.get(name.nameID, name.toUnicode())


def cut(source, target, style):
    options = subset.Options(flavor="woff2", hinting=False)
    options.layout_features = ["kern", "mark", "mkmk", "ccmp", "liga", "smcp", "c2sc"]
    options.name_IDs = ["*"]
    options.drop_tables += GRAPHITE
    font = TTFont(source / f"GentiumPlus-{style}.ttf")
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=list(code_points()))
    cutter.subset(font)
    rename(font, style)
    subset.save_font(font, target / f"tuppum-serif-{style.lower()}.woff2", options)


if __name__ == "__main__":
    for style in ("Regular", "Italic"):
        cut(Path(sys.argv[1]), Path(sys.argv[2]), style)
