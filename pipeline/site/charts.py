"""Charts as SVG that stands in the page: drawn by Vega when the site is written, so that a browser needs no program for them.

Colours are keys that site.css turns into those of the light or the dark page.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
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
_WIDTH = 620
_KEPT = frozenset(
    (
        *("d", "x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "r", "width", "height", "viewBox", "transform"),
        *("fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-opacity", "stroke-linejoin", "opacity"),
        *("stroke-miterlimit", "text-anchor", "font-size", "font-weight"),
    )
)
"""Attributes that draw."""


def running_score(games: Sequence[Mapping[str, Any]], player: str, title: str) -> Markup:
    """Lead of a player after each game: a line with a point a game. Rows have `number, lead, tip, href` (may be None)."""
    import altair as alt

    most = max([abs(row["lead"]) for row in games], default=1) or 1
    base = alt.Chart(alt.InlineData(values=[_plain(row) for row in games])).encode(
        x=alt.X("number:Q", title="Game", axis=alt.Axis(tickMinStep=1, format="d"), scale=alt.Scale(nice=False)),
        y=alt.Y("lead:Q", title=f"Lead of {name(player, 40)}", scale=alt.Scale(domain=[-most, most])),
    )
    level = alt.Chart(alt.InlineData(values=[{"at": 0}])).mark_rule(color=SECOND, strokeDash=[4, 3], aria=False).encode(y="at:Q")
    points = base.mark_point(filled=True, size=70, color=FIRST, opacity=1).encode(description="tip:N", href="href:N")
    line = base.mark_line(color=FIRST, strokeWidth=2, aria=False)
    return _drawn(alt.layer(level, line, points).properties(width=_WIDTH, height=220), title)


def bars(rows: Sequence[Mapping[str, Any]], x_title: str, title: str) -> Markup:
    """Horizontal bars, in the order given. Rows have `label, value, tip`."""
    import altair as alt

    base = alt.Chart(alt.InlineData(values=[_plain(row) for row in rows])).encode(
        x=alt.X("value:Q", title=x_title),
        y=alt.Y("label:N", title=None, sort=None),
        description="tip:N",
    )
    return _drawn(base.mark_bar(color=FIRST).properties(width=_WIDTH, height=alt.Step(22)), title)


def columns(rows: Sequence[Mapping[str, Any]], x_title: str, y_title: str, title: str) -> Markup:
    """A column for each year. Rows have `year, value, tip`."""
    import altair as alt

    base = alt.Chart(alt.InlineData(values=[_plain(row) for row in rows])).encode(
        x=alt.X("year:Q", title=x_title, axis=alt.Axis(tickMinStep=1, format="d"), scale=alt.Scale(zero=False, padding=8)),
        y=alt.Y("value:Q", title=y_title, axis=alt.Axis(tickMinStep=1)),
        description="tip:N",
    )
    years = [row["year"] for row in rows]
    width = max(2, min(24, _WIDTH // (max(years) - min(years) + 2)))
    return _drawn(base.mark_bar(color=FIRST, size=width).properties(width=_WIDTH, height=180), title)


def intervals(rows: Sequence[Mapping[str, Any]], x_title: str, title: str) -> Markup:
    """Shares with their intervals, 0 to 100 per cent. Rows have `label, value, low, high, tip`."""
    import altair as alt

    y = alt.Y("label:N", title=None, sort=None)
    scale = alt.Scale(domain=[0, 100])
    base = alt.Chart(alt.InlineData(values=[_plain(row) for row in rows]))
    half = alt.Chart(alt.InlineData(values=[{"at": 50}]))
    even = half.mark_rule(color=SECOND, strokeDash=[4, 3], aria=False).encode(x=alt.X("at:Q", scale=scale))
    spans = base.mark_rule(color=FIRST, strokeWidth=2).encode(
        x=alt.X("low:Q", title=x_title, scale=scale, axis=alt.Axis(tickCount=10)), x2="high:Q", y=y, description="tip:N"
    )
    points = base.mark_point(filled=True, size=80, color=FIRST, opacity=1).encode(
        x=alt.X("value:Q", title=x_title, scale=scale), y=y, description="tip:N"
    )
    return _drawn(alt.layer(even, spans, points).properties(width=_WIDTH, height=alt.Step(22)), title)


def _plain(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row as JSON holds it, its texts cleaned: the drawing is XML."""
    return {key: name(value) if isinstance(value, str) and key != "href" else value for key, value in row.items()}


def _drawn(chart: Any, title: str) -> Markup:
    """A chart of Altair as SVG in the page."""
    import vl_convert

    config = {
        "background": None,
        "view": {"stroke": None},
        "axis": {"labelColor": INK, "titleColor": INK, "domainColor": INK, "tickColor": INK, "gridColor": GRID, "labelLimit": 260}
        | {"labelFontSize": 13, "titleFontSize": 13, "titleFontWeight": "normal"},
    }
    return _embedded(vl_convert.vegalite_to_svg(chart.to_dict(), config=config), title)


def _embedded(svg: str, title: str) -> Markup:
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
    root.set("class", "chart")
    root.set("role", "img")
    root.set("aria-label", name(title))
    text = ET.tostring(root, encoding="unicode")
    return Markup(text.replace(f' xmlns="{_SVG.strip("{}")}"', "", 1))
