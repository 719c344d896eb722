"""Charts as SVG that stands in the page: drawn by Vega when the site is written, so that a browser needs no program for them.

Colours are keys that site.css turns into those of the light or the dark page.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree as ET

from markupsafe import Markup

from pipeline.site.texts import name

INK, GRID, FIRST, SECOND = "#010101", "#020202", "#030303", "#040404"
"""Text and axes; lines of the grid; what is shown, and what it is compared with. site.css names the same."""
_SVG, _XLINK = "{http://www.w3.org/2000/svg}", "{http://www.w3.org/1999/xlink}"
_VEGAS_OWN = re.compile("https://vega.github.io/vega-datasets/")
"""What Vega puts before a relative link when it draws outside of a browser."""
_LONG_FRACTION = re.compile(r"(\d+\.\d\d)\d+")
_KEPT = frozenset(
    (
        *("d", "x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "r", "width", "height", "viewBox", "transform"),
        *("fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-opacity", "stroke-linejoin", "opacity"),
        *("stroke-miterlimit", "text-anchor", "font-size", "font-weight"),
    )
)
"""Attributes that draw."""


def running_score(games: Sequence[Mapping[str, Any]], player: str, title: str) -> Markup:
    """Lead of a player after each game, from 0 before the first: a line with a point a game.

    Rows have `number, lead, tip, href` (may be None); numbers count from 1.
    """
    import altair as alt

    leads = [row["lead"] for row in games]
    low, high = min([0, *leads]), max([0, *leads])
    y_ticks = ticks(low, high, 8) if low < high else [-1, 0, 1]
    last = max([1, *(row["number"] for row in games)])
    values = [_plain(row) for row in games]
    line = alt.Chart(alt.InlineData(values=[{"number": 0, "lead": 0}, *values]))
    points = alt.Chart(alt.InlineData(values=values))
    level = alt.Chart(alt.InlineData(values=[{"at": 0}])).mark_rule(color=SECOND, strokeDash=[4, 3], aria=False).encode(y="at:Q")

    def chart(layout: _Layout) -> Any:
        numbers = [n for n in ticks(0, last, layout.most_ticks) if n <= last]
        x = alt.X("number:Q", title="Game", axis=_axis(numbers), scale=alt.Scale(domain=[0, last], nice=False, padding=6))
        y = alt.Y(
            "lead:Q",
            title=f"Lead of {name(player, layout.title_chars)}",
            axis=_axis(y_ticks),
            scale=alt.Scale(domain=[y_ticks[0], y_ticks[-1]], nice=False),
        )
        drawn = line.mark_line(color=FIRST, strokeWidth=2, aria=False).encode(x=x, y=y)
        marks = points.mark_point(filled=True, size=layout.point, color=FIRST, opacity=1, clip=False)
        marks = marks.encode(x=x, y=y, description="tip:N", href="href:N")
        return alt.layer(level, drawn, marks).properties(height=layout.height)

    return _drawn(chart, title)


def bars(rows: Sequence[Mapping[str, Any]], x_title: str, title: str) -> Markup:
    """Horizontal bars, in the order given. Rows have `label, value, tip`."""
    import altair as alt

    base = alt.Chart(alt.InlineData(values=[_plain(row) for row in rows]))

    def chart(layout: _Layout) -> Any:
        x = alt.X("value:Q", title=x_title, axis=alt.Axis(tickCount=layout.most_ticks // 2))
        marks = _bar(base, layout).encode(x=x, y=_rows(layout), description="tip:N")
        return _labelled(marks, base, layout, len(rows))

    return _drawn(chart, title)


def columns(rows: Sequence[Mapping[str, Any]], x_title: str, y_title: str, title: str) -> Markup:
    """A column for each year. Rows have `year, value, tip`."""
    import altair as alt

    base = alt.Chart(alt.InlineData(values=[_plain(row) for row in rows]))
    years = [row["year"] for row in rows]
    first, last = min(years), max(years)
    y_ticks = ticks(0, max(1, *(row["value"] for row in rows), 1), 6)

    def chart(layout: _Layout) -> Any:
        width = max(2, min(24, (layout.width - 60) // (last - first + 2)))
        shown = [year for year in ticks(first, last, layout.most_years) if first <= year <= last]
        scale = alt.Scale(domain=[first, last], zero=False, nice=False, padding=width / 2 + 6)
        x = alt.X("year:Q", title=x_title, axis=_axis(shown), scale=scale)
        y = alt.Y("value:Q", title=y_title, axis=_axis(y_ticks), scale=alt.Scale(domain=[0, y_ticks[-1]], nice=False))
        return base.mark_bar(color=FIRST, size=width).encode(x=x, y=y, description="tip:N").properties(height=180)

    return _drawn(chart, title)


def intervals(rows: Sequence[Mapping[str, Any]], x_title: str, title: str) -> Markup:
    """Shares with their intervals, 0 to 100 per cent. Rows have `label, value, low, high, tip`."""
    import altair as alt

    scale = alt.Scale(domain=[0, 100])
    base = alt.Chart(alt.InlineData(values=[_plain(row) for row in rows]))
    half = alt.Chart(alt.InlineData(values=[{"at": 50}]))
    even = half.mark_rule(color=SECOND, strokeDash=[4, 3], aria=False).encode(x=alt.X("at:Q", scale=scale))

    def chart(layout: _Layout) -> Any:
        axis = alt.Axis(tickCount=10 if layout.most_ticks > 10 else 5)
        y = _rows(layout)
        spans = base.mark_rule(color=FIRST, strokeWidth=2, yOffset=layout.below).encode(
            x=alt.X("low:Q", title=x_title, scale=scale, axis=axis), x2="high:Q", y=y, description="tip:N"
        )
        points = base.mark_point(filled=True, size=layout.point, color=FIRST, opacity=1, yOffset=layout.below).encode(
            x=alt.X("value:Q", title=x_title, scale=scale), y=y, description="tip:N"
        )
        return _labelled(alt.layer(even, spans, points), base, layout, len(rows))

    return _drawn(chart, title)


def ticks(low: float, high: float, most: int) -> list[int]:
    """Whole numbers at equal steps of 1, 2 or 5 times a power of ten, at most about `most`, that have low and high within."""
    step = next(size for power in range(18) for size in (10**power, 2 * 10**power, 5 * 10**power) if (high - low) / size <= most)
    first, last = math.floor(low / step), math.ceil(high / step)
    return [step * i for i in range(first, last + 1)]


@dataclass(frozen=True, slots=True)
class _Layout:
    """A chart is drawn for wide and for narrow windows, site.css shows one of them: scaled down its letters could not be read."""

    style: str
    width: int
    height: int
    most_ticks: int
    most_years: int
    title_chars: int
    point: int
    """Area of a point, in square pixels."""
    row: int
    """Height of a row of a chart of rows; where labels stand above their marks these are lower by `below`."""
    below: int


_LAYOUTS = (_Layout("wide", 1000, 260, 25, 18, 40, 70, 22, 0), _Layout("narrow", 340, 220, 9, 6, 22, 30, 40, 9))


def _axis(values: Sequence[int]) -> Any:
    import altair as alt

    return alt.Axis(values=list(values), format="d")


def _rows(layout: _Layout) -> Any:
    """Labels at the side; in a narrow chart none, as they stand above their marks."""
    import altair as alt

    return alt.Y("label:N", title=None, sort=None, axis=None) if layout.below else alt.Y("label:N", title=None, sort=None)


def _bar(base: Any, layout: _Layout) -> Any:
    return base.mark_bar(color=FIRST, size=14, yOffset=layout.below)


def _labelled(marks: Any, base: Any, layout: _Layout, n_rows: int) -> Any:
    import altair as alt

    height = max(1, n_rows) * layout.row
    if not layout.below:
        return marks.properties(height=height)
    text = base.mark_text(
        align="left", baseline="middle", fontSize=12, limit=layout.width - 6, color=INK, yOffset=-layout.below, aria=False
    )
    return alt.layer(marks, text.encode(x=alt.value(0), y=_rows(layout), text="label:N")).properties(height=height)


def _plain(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row as JSON holds it, its texts cleaned: the drawing is XML."""
    return {key: name(value) if isinstance(value, str) and key != "href" else value for key, value in row.items()}


def _drawn(chart: Callable[[_Layout], Any], title: str) -> Markup:
    """A chart of Altair as SVGs in the page, one for each layout."""
    import vl_convert

    config = {
        "background": None,
        "view": {"stroke": None},
        "axis": {"labelColor": INK, "titleColor": INK, "domainColor": INK, "tickColor": INK, "gridColor": GRID, "labelLimit": 400}
        | {"labelFontSize": 13, "titleFontSize": 13, "titleFontWeight": "normal"},
    }
    drawn = []
    for layout in _LAYOUTS:
        spec = chart(layout).properties(width=layout.width, autosize={"type": "fit-x", "contains": "padding"})
        drawn.append(_embedded(vl_convert.vegalite_to_svg(spec.to_dict(), config=config), title, layout.style))
    return Markup("\n").join(drawn)


def _embedded(svg: str, title: str, style: str) -> Markup:
    """Vega's SVG for HTML: with its title, each mark's description as its tooltip, and nothing that only Vega reads."""
    ET.register_namespace("", _SVG.strip("{}"))
    root = ET.fromstring(svg)
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag == f"{_SVG}path" and child.get("class") in ("background", "foreground"):
                parent.remove(child)
    for element in list(root.iter()):
        told, link = element.get("aria-label"), element.get(f"{_XLINK}href")
        is_mark = element.get("role") == "graphics-symbol" and element.get("aria-roledescription") not in ("axis", "legend")
        for key in set(element.attrib) - _KEPT:
            del element.attrib[key]
        for key, value in element.attrib.items():
            element.set(key, _LONG_FRACTION.sub(r"\1", value))
        if link:
            element.set("href", _VEGAS_OWN.sub("", link))
            element.set("tabindex", "-1")  # the table beside the chart has the same links for the keyboard
        if told and is_mark:
            ET.SubElement(element, f"{_SVG}title").text = told
    root.set("class", f"chart {style}")
    root.set("role", "img")
    root.set("aria-label", name(title))
    text = ET.tostring(root, encoding="unicode")
    return Markup(text.replace(f' xmlns="{_SVG.strip("{}")}"', "", 1))
