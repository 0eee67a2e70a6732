/* SPDX-License-Identifier: Apache-2.0
 * web/report/draw_panel.js: one panel of a figure as SVG: its axes and its series.
 *
 * A panel is {title, x, y, series}; an axis {scale: "linear" | "log10" | "log2" | "band", label,
 * unit, names, low, domain, reversed}; a series {key, look, form: "steps" | "line" | "points" |
 * "bars" | "boxes" | "cells", points, tip}. A point is {x, y, runs} and, where it has them, low and
 * high (an interval along `series.along`), q (five quantiles), failed ("x" or "y": there is no
 * number on that axis, and a cross stands in a margin of its own), cross (the point is drawn as a
 * cross), fill, opacity and glyph (of a cell). On a band, coordinates are indices of its names. */
'use strict';

const drawStrip = 20;
const drawLine = 1.7;
const drawColumnMost = 56;

/** The values of a panel on one axis, intervals included. */
function drawValues(panel, of) {
    const values = [];
    for (const s of panel.series) {
        for (const p of s.points) {
            if (p.failed !== of) {
                values.push(p[of]);
            }
            if ((s.along || 'y') === of) {
                values.push(p.low, p.high, ...(p.q || []));
            }
        }
        if (s.form === 'bars' && s.along === of) {
            values.push(s.base);
        }
    }
    return values.concat(panel.guides?.map(g => g[of]) || []).filter(Number.isFinite);
}

/** The panel with the domains of its axes; failures need a margin. */
function drawPrepare(panel) {
    const prepared = {...panel};
    for (const of of ['x', 'y']) {
        const axis = {...panel[of]};
        axis.domain = drawDomain(axis, drawValues(panel, of));
        axis.failed = panel.series.some(s => s.points.some(p => p.failed === of));
        prepared[of] = axis;
    }
    return prepared;
}

/** The space that the labels of a panel of a width need. */
function drawMargins(panel, width) {
    const names = panel.y.scale === 'band' ? panel.y.names.map(drawTextWidth)
        : drawTicks(panel.y, 200, false).filter(t => t.label).map(t => drawLabelWidth(t.label));
    const steep = drawSteep(panel, width);
    const left = Math.min(Math.max(0, ...names, panel.y.failed ? drawTextWidth('failed') : 0) + 9,
        Math.max(width * 0.42, 60));
    return {
        left, right: panel.x.above ? drawSteepRight(panel, width, left) : 14
            + (panel.x.failed ? 44 : 0),
        top: (panel.title ? 20 : 4) + (panel.y.label ? 18 : 0) + (panel.y.failed ? drawStrip : 0)
            + (steep ? steep + 4 : 0),
        bottom: panel.x.scale === 'band' && panel.x.above ? 4 : 40, steep,
    };
}

/** The height of names above the columns of cells when they must be turned; 0: they fit. */
function drawSteep(panel, width) {
    if (panel.x.scale !== 'band' || !panel.x.above) {
        return 0;
    }
    const longest = Math.min(130, Math.max(...panel.x.names.map(drawTextWidth)));
    return longest && Math.max(18, Math.ceil(longest * (width < 500 ? 0.95 : 0.75)) + 8);
}

/** The space that turned names need to the right of the last column. */
function drawSteepRight(panel, width, left) {
    const {names} = panel.x;
    const step = Math.min(drawColumnMost, (width - left - 60) / names.length);
    const beyond = names.map((name, k) => 6 + Math.min(128, drawTextWidth(name))
        * (width < 500 ? 0.26 : 0.645) - (names.length - k - 0.5) * step);
    return Math.max(14, ...beyond);
}

/** Lines and labels of the horizontal axis. */
function drawAxisX(g, panel, box) {
    const {x} = panel;
    const base = box.y + box.h;
    if (x.above) {
        drawColumns(g, panel, box);
        return;
    }
    let until = -Infinity;
    const ticks = drawTicks(x, box.w, true);
    for (const tick of x.reversed ? ticks.reverse() : ticks) {
        const at = box.sx(tick.value);
        const half = tick.label ? drawLabelWidth(tick.label) / 2 : 0;
        g.append(element('line', {class: 'axis', x1: at, x2: at, y1: base,
            y2: base + (tick.minor ? 3 : 5)}));
        if (!tick.minor && x.scale !== 'band') {
            g.append(element('line', {class: 'grid', x1: at, x2: at, y1: box.y, y2: base}));
        }
        if (tick.label && at - half > until) {
            g.append(drawLabel(tick.label, {class: 'tick', x: at, y: base + 18,
                'text-anchor': 'middle'}));
            until = at + half + 6;
        }
    }
    g.append(element('line', {class: 'axis', x1: box.x, x2: box.x + box.w, y1: base, y2: base}));
    g.append(element('text', {class: 'name', x: box.x + box.w / 2, y: base + 36,
        'text-anchor': 'middle'}, drawAxisName(x)));
    if (x.failed) {
        const at = box.x + box.w + 24;
        g.append(element('line', {class: 'fence', x1: box.x + box.w + 4, x2: box.x + box.w + 4,
            y1: box.y, y2: base}));
        g.append(element('text', {class: 'tick', x: at, y: base + 18, 'text-anchor': 'middle'},
            'failed'));
    }
}

/** The names of columns of cells, above them and turned. */
function drawColumns(g, panel, box) {
    const turn = box.wide < 500 ? -75 : -50;
    panel.x.names.forEach((name, k) => {
        const at = box.sx(k);
        g.append(element('text', {class: 'tick', x: at + 4, y: box.y - 6, 'text-anchor': 'start',
            transform: `rotate(${turn} ${at + 4} ${box.y - 6})`}, drawShort(name, 128)));
    });
}

/** Lines and labels of the vertical axis; its name stands above it. */
function drawAxisY(g, panel, box) {
    const {y} = panel;
    for (const tick of drawTicks(y, box.h, false)) {
        const at = box.sy(tick.value);
        if (y.scale !== 'band') {
            g.append(element('line', {class: 'axis', x1: box.x - (tick.minor ? 3 : 5), x2: box.x,
                y1: at, y2: at}));
        }
        if (!tick.minor && y.scale !== 'band') {
            g.append(element('line', {class: 'grid', x1: box.x, x2: box.x + box.w, y1: at,
                y2: at}));
        }
        if (tick.label) {
            tick.label.text = drawShort(tick.label.text, box.x - box.left - 8);
            g.append(drawLabel(tick.label, {class: 'tick', x: box.x - 8, y: at + 4,
                'text-anchor': 'end'}));
        }
    }
    g.append(element('line', {class: 'axis', x1: box.x, x2: box.x, y1: box.y,
        y2: box.y + box.h}));
    if (y.failed) {
        g.append(element('line', {class: 'fence', x1: box.x, x2: box.x + box.w, y1: box.y - 3,
            y2: box.y - 3}));
        g.append(element('text', {class: 'tick', x: box.x - 8, y: box.y - drawStrip / 2 + 2,
            'text-anchor': 'end'}, 'failed'));
    }
}

/** The group of a series, with its colours for light and dark. */
function drawGroup(series, name) {
    const g = element('g', {class: name || 'series', 'data-key': series.key});
    g.style.setProperty('--ink-light', series.look.colour);
    g.style.setProperty('--ink-dark', drawInkDark(series.look.colour));
    return g;
}

/** Where a point is drawn. Failures of several series stand beside one another. */
function drawPlace(point, box, shift) {
    return [
        point.failed === 'x' ? box.x + box.w + 24 + shift * 0.6
            : box.sx(point.x) + (point.failed === 'y' ? shift : 0) + (point.dx || 0),
        point.failed === 'y' ? box.y - drawStrip / 2 - 2 : box.sy(point.y) + (point.dy || 0),
    ];
}

/** The points of a line through values, or of a staircase. */
function drawPath(series, box) {
    const points = series.points.filter(p => !p.failed && !p.cross);
    let path = '';
    let before = null;
    for (const p of points) {
        const at = [box.sx(p.x), box.sy(p.y)];
        if (!at.every(Number.isFinite)) {
            continue;
        }
        if (!before) {
            path += 'M' + at.map(v => v.toFixed(1)).join(' ');
        } else if (series.form === 'steps') {
            path += 'H' + at[0].toFixed(1) + 'V' + at[1].toFixed(1);
        } else {
            path += 'L' + at.map(v => v.toFixed(1)).join(' ');
        }
        before = at;
    }
    return path;
}

/** Few markers on a long line, at other places for every series. */
function drawSparse(series, box, order, count) {
    const points = series.points.filter(p => !p.failed && !p.cross);
    if (series.form !== 'steps' && points.length <= 12) {
        return points.map(p => [box.sx(p.x), box.sy(p.y)]);
    }
    const places = [];
    for (let k = 0; k < 4; k++) {
        const px = box.x + box.w * (k + (order + 0.5) / count) / 4;
        const py = drawHeight(series, box, px);
        if (py !== null) {
            places.push([px, py]);
        }
    }
    return places;
}

/** The height of a line at px; null beyond its ends. */
function drawHeight(series, box, px) {
    let before = null;
    for (const p of series.points) {
        if (p.failed || p.cross) {
            continue;
        }
        const at = [box.sx(p.x), box.sy(p.y)];
        if (before && before[0] <= px && px <= at[0]) {
            return series.form === 'steps' ? (px === at[0] ? at[1] : before[1])
                : before[1] + (at[1] - before[1]) * (px - before[0]) / (at[0] - before[0] || 1);
        }
        before = at;
    }
    return null;
}

/** Bars on a band: from the base to the value, with the interval. */
function drawBar(g, series, point, box, place) {
    const from = box.sx(series.base);
    const half = Math.min(7, box.sy.step * 0.32);
    g.append(element('rect', {class: 'bar', x: Math.min(from, place[0]), y: place[1] - half,
        width: Math.max(Math.abs(place[0] - from), 1), height: 2 * half}));
}

/** A box from quartile to quartile, with the median and whiskers. */
function drawBox(g, point, box, place) {
    const [low, first, median, third, high] = point.q.map(box.sx);
    const half = Math.min(8, box.sy.step * 0.32);
    const bar = (x1, x2, y1, y2, name) => element('line', {class: name, x1, x2, y1, y2});
    g.append(bar(low, high, place[1], place[1], 'whisker'),
        element('rect', {class: 'box', x: Math.min(first, third), y: place[1] - half,
            width: Math.max(Math.abs(third - first), 1), height: 2 * half}),
        bar(median, median, place[1] - half, place[1] + half, 'median'));
}

/** A cell with its glyph. */
function drawCell(g, point, box, place) {
    const [w, h] = [box.sx.step, box.sy.step];
    const cell = element('rect', {class: 'cell', x: place[0] - w / 2 + 0.5,
        y: place[1] - h / 2 + 0.5, width: Math.max(w - 1, 0.5), height: Math.max(h - 1, 0.5)});
    cell.style.setProperty('fill', point.fill);
    if (point.opacity !== undefined) {
        cell.style.setProperty('fill-opacity', point.opacity);
    }
    g.append(cell);
    if (point.glyph && w > 9 && h > 9) {
        g.append(element('text', {class: 'glyph', x: place[0], y: place[1] + 4,
            'text-anchor': 'middle'}, point.glyph));
    }
}

/** The interval of a point. */
function drawInterval(g, series, point, box, place) {
    const across = series.along === 'x';
    const [a, b] = [point.low, point.high].map(across ? box.sx : box.sy);
    if (!Number.isFinite(a) || !Number.isFinite(b)) {
        return;
    }
    const line = (u1, u2, v1, v2) => element('line', across
        ? {class: 'whisker', x1: u1, x2: u2, y1: v1, y2: v2}
        : {class: 'whisker', x1: v1, x2: v2, y1: u1, y2: u2});
    const v = place[across ? 1 : 0];
    g.append(line(a, b, v, v), line(a, a, v - 3, v + 3), line(b, b, v - 3, v + 3));
}

/** One series of a panel; where its points are is added to `hits`. */
function drawSeries(g, series, box, order, count, hits, index) {
    const group = drawGroup(series);
    const places = [];
    const crosses = [];
    const line = series.form === 'steps' || series.form === 'line';
    const shift = box.sy.step ? 0 : (order - (count - 1) / 2) * 4;
    if (line) {
        group.append(element('path', {class: 'line', d: drawPath(series, box),
            'stroke-width': drawLine, 'stroke-dasharray': drawDash(series.look, drawLine)}));
    }
    for (const point of series.points) {
        const place = drawPlace(point, box, shift);
        if (!place.every(Number.isFinite)) {
            continue;
        }
        if (!series.silent) {
            hits.push({panel: index, series, point, x: place[0], y: place[1]});
        }
        if (series.form === 'cells') {
            drawCell(group, point, box, place);
        } else if (point.q) {
            drawBox(group, point, box, place);
        } else if (point.failed || point.cross) {
            crosses.push(place);
        } else {
            if (series.form === 'bars') {
                drawBar(group, series, point, box, place);
            } else if (!line) {
                places.push(place);
            }
            if (point.low !== undefined && point.low !== null) {
                drawInterval(group, series, point, box, place);
            }
        }
    }
    if (line && !series.bare) {
        places.push(...drawSparse(series, box, order, count));
    }
    drawMarkers(group, series, places, crosses);
    g.append(group);
}

/** All markers of a series as one path, and its failures as another. */
function drawMarkers(group, series, places, crosses) {
    const marks = (marker, list, r) => list.map(p => drawMarker(marker, p[0], p[1], r)).join('');
    const size = series.small || 4;
    if (places.length) {
        group.append(element('path', {
            class: drawMarkerOpen(series.look.marker) ? 'mark open' : 'mark',
            d: marks(series.look.marker, places, size)}));
    }
    if (crosses.length) {
        group.append(element('path', {class: 'cross', d: marks(2, crosses, 5)}));
    }
}

/** Paint a panel into `g` at the place {x, y, w, h} that includes its labels. */
function drawPanel(g, panel, place, keys, hidden, hits, index) {
    const m = panel.margins || drawMargins(panel, place.w);
    const room = place.w - m.left - m.right;
    const box = {x: place.x + m.left, y: place.y + m.top,
        w: panel.x.above ? Math.min(room, panel.x.names.length
            * (panel.column || drawColumnMost)) : room,
        h: place.h - m.top - m.bottom, left: place.x, wide: place.w};
    box.sx = drawScale(panel.x, box.x, box.x + box.w);
    box.sy = panel.y.scale === 'band' ? drawScale(panel.y, box.y, box.y + box.h)
        : drawScale(panel.y, box.y + box.h, box.y);
    const head = box.y - (panel.y.failed ? drawStrip : 0) - m.steep - (m.steep ? 4 : 0);
    if (panel.title) {
        g.append(element('text', {class: 'title', x: place.x, y: place.y + 13},
            drawShort(panel.title, place.w * 0.9)));
    }
    if (panel.y.label) {
        g.append(element('text', {class: 'name', x: place.x, y: head - 7}, drawAxisName(panel.y)));
    }
    if (panel.frame) {
        g.append(element('rect', {class: 'frame', x: box.x, y: box.y, width: box.w,
            height: box.h}));
    }
    drawAxisX(g, panel, box);
    drawAxisY(g, panel, box);
    for (const guide of panel.guides || []) {
        const across = guide.y !== undefined;
        const at = across ? box.sy(guide.y) : box.sx(guide.x);
        g.append(element('line', across ? {class: 'guide', x1: box.x, x2: box.x + box.w, y1: at,
            y2: at} : {class: 'guide', x1: at, x2: at, y1: box.y, y2: box.y + box.h}));
        if (guide.text) {
            g.append(element('text', across ? {class: 'guide-name', x: box.x + box.w - 4,
                y: at - 4, 'text-anchor': 'end'} : {class: 'guide-name', x: at + 4,
                y: box.y + 12}, guide.text));
        }
    }
    for (const series of panel.series) {
        if (!hidden.has(series.key)) {
            drawSeries(g, series, box, keys.indexOf(series.key), keys.length, hits, index);
        }
    }
    return box;
}
