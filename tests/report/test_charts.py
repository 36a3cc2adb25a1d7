"""Charts: read back by an XML parser, whatever the systems are called; their geometry against the numbers."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from decimal import Decimal
from math import exp, pi, sqrt
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from purebleu.report.page import charts, markup
from purebleu.report.page.charts import ChartHead, Distribution, Series
from purebleu.report.page.markup import file_of

#: Names that markup, bidirectional text and encodings stumble over.
HOSTILE = ["</svg><script>alert(1)</script>", "\"'&<!--", "a\u2028b", "\u202etxt.exe", "nul\x00\x07", "half\ud800",
           "", "]]>", "x" * 500, "中" * 300, "]\n\t "]

#: Points whose places are the same on every machine.
MANY_POINTS = [((index * 37) % 1009 / 10.09, (index * 91) % 997 / 9.97) for index in range(2500)]

#: The name and the description of an image.
HEAD = ChartHead("a", "t", "d")

numbers = st.integers(-10 ** 18, 10 ** 18).map(lambda number: number / 1000)


def distribution(name: str, low: float = 30.0, system: int = 0) -> Distribution:
    """A system with 200 different scores on resamples."""
    scores = [low + (index * 61) % 200 / 50 + (index * 17) % 200 / 100 for index in range(200)]
    return Distribution(system, name, scores, low + 3, (low + 1, low + 5))


def all_charts(names: list[str]) -> list[str]:
    """One of each kind, with these names."""
    bars = [Series(index, name, [10.0 + group for group, _ in enumerate(names)]) for index, name in enumerate(names)]
    heads = [ChartHead(letter, names[0], names[-1]) for letter in "abcd"]
    rows = [distribution(name, system=index) for index, name in enumerate(names)]
    return [charts.bar_chart(heads[0], names, bars, [names] * len(names)),
            charts.density_chart(heads[1], rows),
            charts.scatter_chart(heads[2], names[0], names[-1], MANY_POINTS[:100]),
            charts.scatter_chart(heads[3], names[0], names[-1], MANY_POINTS)]


def by_class(image: str, style: str) -> list[Any]:
    return [node for node in ElementTree.fromstring(image).iter() if style in node.get("class", "").split()]


def bars_of(image: str) -> list[dict[str, float]]:
    """The geometry of the bars of a chart, without the swatches of its legend."""
    rectangles = [node for node in by_class(image, "bar") if node.get("width") != "10"]
    return [{key: float(node.get(key)) for key in ("x", "y", "width", "height")} for node in rectangles]


# Every image

def test_every_image_is_xml_with_a_title_and_a_description() -> None:
    for names in (["Online-B", "OpenNMT"], HOSTILE, *[[name] for name in HOSTILE]):
        for name, image in zip("abcd", all_charts(names)):
            root = ElementTree.fromstring(image)
            assert (root.tag, root.get("role")) == ("svg", "img"), names
            assert [child.tag for child in root][:2] == ["title", "desc"], names
            ids = [node.get("id", "") for node in root.iter() if node.get("id")]
            assert root.get("aria-labelledby", "").split() == ids[:2] == [f"{name}-title", f"{name}-desc"], names
            assert len(set(ids)) == len(ids) and all(one.startswith(f"{name}-") for one in ids), names
            assert {node.tag for node in root.iter()} <= {"svg", "title", "desc", "g", "path", "rect", "text"}, names
            assert "\x00" not in image
            image.encode("utf-8")


def test_coordinates_are_short_and_have_no_negative_zero() -> None:
    for image in all_charts(["A", "B", "C"]):
        assert not re.search(r"[\d.]+e[-+]?\d|\d\.\d{3}|-0(?![.\d])", re.sub("<(title|text)[^>]*>[^<]*", "", image))


def test_the_whole_name_stands_beside_a_shortened_one() -> None:
    name = "newstest2021.en-de.hyp.a-very-long-name.primary.txt"
    for image in all_charts([name, "B"])[:2]:
        assert f"<title>{name}</title>" in image
        assert re.search(r">newstest20\S*?(…\S*)?ary\.txt</text>", image)


def test_classes_are_defined_and_the_content_security_policy_forbids_no_attribute() -> None:
    css = file_of("charts.css")
    images = [*all_charts([*map(str, range(26)), *HOSTILE]), charts.interval_bar(1.0, 2.0, 3.0, 0.0, 4.0)]
    nodes = [node for image in images for node in ElementTree.fromstring(image).iter()]
    assert not [name for node in nodes for name in node.attrib if re.search("^style$|^on|href$", name)]
    classes = {style for node in nodes for style in node.get("class", "").split()}
    assert {"s0", "s7", "d1", "d2", "density", "whisker", "h5"} < classes
    assert classes - {*re.findall(r"\.([a-z]+\d?)(?=[ ,.])", css)} == {"label"}
    assert "url(" not in css and "@import" not in css


def luminance(color: str) -> float:
    """The relative luminance of a colour such as `#fff` (WCAG 2.1)."""
    digits = color[1:] if len(color) == 7 else "".join([2 * digit for digit in color[1:]])
    red, green, blue = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
                        for part in [int(digits[index:index + 2], 16) / 255 for index in (0, 2, 4)]]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_contrast() -> None:
    css = file_of("charts.css")
    schemes = [dict(re.findall(r"--([\w-]+): (#\w+);", scheme)) for scheme in css.split("@media screen")]
    assert [scheme["chart-paper"] for scheme in schemes] == ["#fff", "#16181d"]
    for scheme in schemes:
        for name, color in scheme.items():
            lower, higher = sorted([luminance(color), luminance(scheme["chart-paper"])])
            ratio = (higher + 0.05) / (lower + 0.05)
            least = {"chart-paper": 1, "chart-grid": 1, "chart-ink": 4.5, "chart-soft": 4.5}.get(name, 3)
            assert ratio >= least, (name, color, ratio)
        assert len({*scheme.values()}) == len(scheme)


# Ticks

@given(numbers, numbers, st.integers(2, 20))
def test_ticks_cover_the_range_and_are_as_near_to_each_other_as_they_may(low: float, high: float, most: int) -> None:
    low, high = sorted([low, high])
    ticks = [Decimal(tick) for tick in charts.nice_ticks(low, high, most)]
    assert 2 <= len(ticks) <= most + 1
    assert len(ticks) - 1 > most / 2.5 - 2  # (one step finer is at most 2.5 times as many)
    assert ticks[0] <= Decimal(low) and ticks[-1] >= Decimal(high)
    digits = [Decimal(f"{following - tick:e}") for tick, following in zip(ticks, ticks[1:])]
    assert len({*digits}) == 1
    assert "".join(map(str, digits[0].normalize().as_tuple().digits)) in ("1", "2", "5")


@pytest.mark.parametrize(("low", "high", "most", "ticks"), [
    (0, 100, 10, "0 10 20 30 40 50 60 70 80 90 100"),
    (0.1, 0.3, 4, "0.10 0.15 0.20 0.25 0.30"),
    (-3, 4, 5, "-4 -2 0 2 4"),
    (0, 0, 4, "-1.0 -0.5 0.0 0.5 1.0"),
    (40, 40, 4, "36 38 40 42 44"),
    (0, 3e20, 3, "0 1e20 2e20 3e20"),
    (0, 2.9e-20, 3, "0 1e-20 2e-20 3e-20"),
])
def test_ticks(low: float, high: float, most: int, ticks: str) -> None:
    found = charts.nice_ticks(low, high, most)
    assert [Decimal(tick) for tick in found] == [Decimal(tick) for tick in ticks.split()]
    if "e" not in ticks:
        assert found == ticks.split()


# Bars

@given(st.lists(st.floats(0.01, 100), min_size=1, max_size=12))
def test_bars_are_in_proportion_to_their_values(values: list[float]) -> None:
    bars = bars_of(charts.bar_chart(HEAD, list(map(str, values)), [Series(0, "A", values)], [[""] * len(values)]))
    assert len(bars) == len(values)
    unit = max([bar["height"] for bar in bars]) / max(values)
    assert [bar["height"] for bar in bars] == pytest.approx([unit * value for value in values], abs=0.02)


def test_systems_have_a_panel_each_with_the_same_axis() -> None:
    image = charts.bar_chart(HEAD, ["x"], [Series(3, "A", [2.0]), Series(1, "B", [4.0])], [[""]] * 2)
    one, other = bars_of(image)
    assert one["x"] == other["x"] and other["y"] > one["y"] + one["height"]
    assert other["height"] == pytest.approx(2 * one["height"], abs=0.02)
    assert [len(by_class(image, f"s{index}")) for index in range(4)] == [0, 1, 0, 1]


@pytest.mark.parametrize("signed", [True, False])
def test_dots_and_whiskers_stand_at_their_numbers(signed: bool) -> None:
    groups: list[tuple[str, int | None]] = [("a", 30), ("b", 29), ("c", 0)]
    values = [(20.0, (15.0, 30.0)), (10.0, None), None]
    image = charts.difference_chart(HEAD, groups, [Series(0, "A", values), Series(1, "B", values)], 1, signed=signed)
    dots, whiskers = by_class(image, "dot"), by_class(image, "whisker")
    assert (len(dots), len(whiskers), len(by_class(image, "hollow"))) == (4, 2, 2)
    zero = float(re.findall(r"M(\S+) ", by_class(image, "axis")[0].get("d"))[0])
    unit = float(dots[2].get("cx")) / 10 - zero / 10
    ends = [float(number) for number in re.findall(r"[MH]([\d.]+)", whiskers[0].get("d"))]
    assert [(place - zero) / unit for place in ends] == pytest.approx([15, 30], abs=0.1)
    assert f">{'+' if signed else ''}20.0 ({'+' if signed else ''}15.0 to {'+' if signed else ''}30.0)<" in image
    assert "n 29" in image and "hollow: n below 30" in image


@pytest.mark.parametrize(("groups", "series"), [(7, 5), (7, 20), (10, 2), (1, 1), (3, 60), (0, 0), (0, 3), (2, 0)])
def test_bars_do_not_overlap(groups: int, series: int) -> None:
    image = charts.bar_chart(HEAD, ["10–19"] * groups,
                             [Series(index, f"S{index}", [5.0] * groups) for index in range(series)],
                             [[""] * groups] * series)
    bars = sorted(bars_of(image), key=lambda bar: (bar["y"], bar["x"]))
    assert len(bars) == groups * series
    for bar, following in zip(bars, bars[1:]):
        assert bar["y"] < following["y"] or bar["x"] + bar["width"] < following["x"]
    width, height = map(float, ElementTree.fromstring(image).get("viewBox", "").split()[2:])
    assert all(bar["x"] >= 0 and bar["x"] + bar["width"] <= width and bar["y"] + bar["height"] < height for bar in bars)


# Densities

@given(st.lists(st.floats(-100, 100), min_size=2, max_size=60).filter(lambda samples: not charts.is_degenerate(
    samples)))
def test_the_area_below_a_density_is_one(samples: list[float]) -> None:
    curve = charts.kernel_density(samples)
    step = (curve[-1][0] - curve[0][0]) / (len(curve) - 1)
    assert step * sum([density for _, density in curve]) == pytest.approx(1, abs=0.01)
    assert curve[0][0] < min(samples) and curve[-1][0] > max(samples)


def test_a_density_is_that_of_its_plain_definition() -> None:
    samples = distribution("A").samples
    width = charts.bandwidth(samples)
    curve = charts.kernel_density(samples)
    plain = [sum([exp(-0.5 * ((value - sample) / width) ** 2) for sample in samples])
             / (len(samples) * width * sqrt(2 * pi)) for value, _ in curve]
    assert [density for _, density in curve] == pytest.approx(plain, rel=0.02, abs=0.002)


def test_a_density_of_equal_scores_is_a_line() -> None:
    for samples in ([37.0] * 1000, [37.0], [37.0, 37.00000000000001]):
        (line,) = by_class(charts.density_chart(HEAD, [Distribution(0, "A", samples, 37.0, (37.0, 37.0))]), "density")
        assert re.fullmatch(r"M(\S+) \S+L\1 \S+", line.get("d"))
    assert by_class(charts.density_chart(HEAD, [Distribution(0, "A", [], 37.0, (37.0, 37.0))]), "density") == []
    assert by_class(charts.density_chart(HEAD, []), "score") == []


def test_scores_and_intervals_stand_on_the_axis_of_a_density() -> None:
    image = charts.density_chart(HEAD, [distribution("A"), distribution("B", 34.0)])
    ticks = {float(node.text): float(node.get("x")) for node in by_class(image, "tick") if node.text[0] != "("}
    (low, left), *_, (high, right) = sorted(ticks.items())
    unit = (right - left) / (high - low)
    for row, (score, whisker) in enumerate(zip(by_class(image, "score"), by_class(image, "whisker"))):
        places = [float(place) for place in re.findall(r"M(\S+)", score.get("d") + whisker.get("d"))]
        assert [low + (place - left) / unit for place in places[:3]] == pytest.approx(
            [33 + 4 * row, 31 + 4 * row, 35 + 4 * row], abs=0.01)


def test_a_chart_of_differences_has_zero() -> None:
    for value in (-3.0, 0.5, 30.0):
        rows = [Distribution(0, "A", [value, value + 0.1], value, (value, value + 0.1))]
        image = charts.density_chart(HEAD, rows, differences=True)
        assert len(by_class(image, "axis")) == 1
        assert 0 in [float(node.text) for node in by_class(image, "tick") if re.fullmatch(r"[-\d.]+", node.text or "")]
        assert by_class(charts.density_chart(HEAD, rows), "axis") == []
    # (A line at zero, if that is within the others.)
    for samples, score, interval, lines in (([-3.0, 2.0], 0.0, (-2.0, 2.0), 1), ([0.0], 0.0, (0.0, 20.0), 0)):
        rows = [Distribution(0, "A", samples, score, interval)]
        assert len(by_class(charts.density_chart(HEAD, rows), "axis")) == lines


# Points

def test_hexagons_have_all_points() -> None:
    image = charts.scatter_chart(HEAD, "x", "y", MANY_POINTS[:2001])
    counts = [int(title.text or "") for level in "12345" for node in by_class(image, f"h{level}") for title in node]
    assert sum(counts) == 2001 and len(counts) > 100


@given(st.lists(st.tuples(st.floats(-1000, 1000), st.floats(-1000, 1000)), max_size=50), st.floats(0.1, 100))
def test_every_point_is_counted_in_a_hexagon_around_it(points: list[tuple[float, float]], width: float) -> None:
    counts = charts.hexagon_counts(points, width)
    assert sum(counts.values()) == len(points)
    radius = width / 3**0.5 * (1 + 1e-9)
    for x, y in points:
        assert any((x - left) ** 2 + (y - top) ** 2 <= radius**2 for left, top in counts)


def test_axes_of_points_go_as_far_as_the_points() -> None:
    image = charts.scatter_chart(HEAD, "x", "y", [(1.0, 260.0)])
    ticks = [float(node.text) for node in by_class(image, "tick")]
    assert (min(ticks), max(ticks)) == (0, 300)
    x, y = map(float, re.findall(r"[\d.]+", by_class(image, "h5")[0].get("d"))[:2])
    left, top, side = charts._SQUARE_LEFT, charts._SQUARE_TOP, charts._SQUARE
    assert left < x < left + side and top < y < top + side


# Tables and figures

def test_tables_have_the_numbers_of_the_charts() -> None:
    assert charts.group_table([("a", 50), ("b", 0)], [Series(0, "A", [(-0.001, (-1.0, 1.0)), None])]) == [
        ("Group", ["a", "b"]), ("Segments", ["50", "0"]), ("A", ["0.00 (-1.00 to 1.00)", ""])]
    rows = [Distribution(0, "A", [3.0, 1.0, 2.0], 2.5, (1.0, 3.0)), Distribution(1, "B", [], 1, (1, 1))]
    assert [cells for _, cells in charts.density_table(rows)] == [
        ["A", "B"], ["2.50", "1.00"], ["1.00", "1.00"], ["3.00", "1.00"]]
    table = charts.scatter_table("X", "Y", [*MANY_POINTS, (100.0, 0.0), (10.0, 100.0)])
    assert table[0] == ("Y \\ X", ["0–10", "10–20", "20–30", "30–40", "40–50", "50–60", "60–70", "70–80", "80–90",
                                   "90–100"])
    assert sum([int(cell) for _, cells in table[1:] for cell in cells]) == len(MANY_POINTS) + 2
    alone = charts.scatter_table("X", "Y", [(100.0, 0.0)])
    assert [(head, cells.index("1")) for head, cells in alone[1:] if "1" in cells] == [("90–100", 0)]


def test_a_figure_is_a_chart_with_a_caption_and_a_table() -> None:
    for name in HOSTILE:
        text = markup.figure(all_charts([name])[0], name, [("System", [name]), (name, ["1"])])
        root = ElementTree.fromstring(text.replace("<br>", "<br/>"))
        assert [child.tag for part in (root, root[2], root[2][1]) for child in part] == [
            "figcaption", "div", "details", "summary", "div", "table"], name
        assert "<script" not in text and "\x00" not in text, name


def test_an_interval_is_in_proportion_and_stays_in_its_cell() -> None:
    image = charts.interval_bar(2.0, 3.0, 6.0, 0.0, 10.0)
    (bar,), (score,) = by_class(image, "bar"), by_class(image, "score")
    assert ElementTree.fromstring(image).get("aria-label") == "3.00 (2.00 to 6.00)"
    assert [float(bar.get("x")), float(bar.get("width"))] == pytest.approx([2 + 116 * 0.2, 116 * 0.4], abs=0.01)
    assert float(score.get("d")[1:].split()[0]) == pytest.approx(2 + 116 * 0.3, abs=0.01)
    for axis in ((5.0, 5.0), (0.0, 1.0), (9.0, 10.0)):
        (bar,) = by_class(charts.interval_bar(2.0, 3.0, 6.0, *axis), "bar")
        assert 0 <= float(bar.get("x")) <= float(bar.get("x")) + float(bar.get("width")) <= 120


@given(st.text(max_size=60), st.integers(5, 30))
def test_shortened_names_fit(name: str, limit: int) -> None:
    short = charts.shortened(name, limit)
    assert charts.text_width(short) <= charts.text_width("x" * limit)
    assert short == " ".join(name.split()) or "…" in short


def test_styles_of_systems_differ() -> None:
    assert len({charts.series_style(index) for index in range(24)}) == 24
    assert charts.series_style(24) == charts.series_style(0)
