/* SPDX-License-Identifier: Apache-2.0
 * web/report/draw_axes.js: scales and ticks of figures, the width of texts, and the looks of the
 * printed figures: colours, dashes and markers. */
'use strict';

const drawFont = '12px system-ui, "DejaVu Sans", Arial, sans-serif';
const drawPen = document.createElement('canvas').getContext('2d');
const drawWidths = new Map();

/** The width of a text in a figure, in pixels. */
function drawTextWidth(text) {
    if (!drawWidths.has(text)) {
        if (drawWidths.size > 5000) {
            drawWidths.clear();
        }
        drawPen.font = drawFont;
        drawWidths.set(text, drawPen.measureText(text).width);
    }
    return drawWidths.get(text);
}

/** A text cut to a width; names come from others and may have any length. */
function drawShort(text, width) {
    const whole = String(text);
    if (drawTextWidth(whole) <= width) {
        return whole;
    }
    const letters = [...whole];
    let least = 0;
    let most = letters.length;
    while (most - least > 1) {
        const middle = least + most >> 1;
        if (drawTextWidth(letters.slice(0, middle).join('') + '…') <= width) {
            least = middle;
        } else {
            most = middle;
        }
    }
    return letters.slice(0, least).join('') + '…';
}

/* Dashes in widths of the line, by the number that gnuplot gives them; the last is that of warm
 * starts. The same as in command/figures/series.c. */
const drawDashes = [null, null, [5, 2], [1.2, 1.8], [6, 1.8, 1.2, 1.8], [9, 2.5], [3.2, 1.4],
    [6, 1.6, 1.2, 1.6, 1.2, 1.6], [9, 1.6, 3, 1.6], [2, 1.4]];

/** The dasharray of a look for lines of a width. */
function drawDash(look, width) {
    const dash = drawDashes[look.dash];
    return dash ? dash.map(x => +(x * width).toFixed(2)).join(' ') : null;
}

/** A ring of corners as a path. */
function drawCorners(x, y, radius, count, turn) {
    const corner = k => {
        const angle = turn + 2 * Math.PI * k / count;
        return (x + radius * Math.sin(angle)).toFixed(2) + ' '
            + (y - radius * Math.cos(angle)).toFixed(2);
    };
    return 'M' + d3.range(count).map(corner).join('L') + 'Z';
}

/** The path of a marker of gnuplot: 1 plus, 2 cross, 3 star, then squares, circles, triangles up
 *  and down, diamonds and pentagons; even numbers are open. */
function drawMarker(marker, x, y, r) {
    const at = (dx, dy) => (x + dx).toFixed(2) + ' ' + (y + dy).toFixed(2);
    const bar = (dx, dy) => 'M' + at(-dx, -dy) + 'L' + at(dx, dy);
    const s = r * 0.71;
    switch (marker) {
    case 1:
        return bar(r, 0) + bar(0, r);
    case 2:
        return bar(s, s) + bar(s, -s);
    case 3:
        return bar(r, 0) + bar(0, r) + bar(s, s) + bar(s, -s);
    case 4: case 5:
        return drawCorners(x, y, r * 1.2, 4, Math.PI / 4);
    case 6: case 7:
        return 'M' + at(-r, 0) + `a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
    case 8: case 9:
        return drawCorners(x, y, r * 1.25, 3, 0);
    case 10: case 11:
        return drawCorners(x, y, r * 1.25, 3, Math.PI);
    case 12: case 13:
        return drawCorners(x, y, r * 1.25, 4, 0);
    default:
        return drawCorners(x, y, r * 1.15, 5, 0);
    }
}

/** Is the marker drawn by lines only? */
function drawMarkerOpen(marker) {
    return marker <= 3 || marker % 2 === 0;
}

/** Relative luminance of a colour and the contrast of two (WCAG 2). */
function drawLuminance(colour) {
    const c = d3.rgb(colour);
    const part = x => (x /= 255) <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4;
    return 0.2126 * part(c.r) + 0.7152 * part(c.g) + 0.0722 * part(c.b);
}
function drawContrast(a, b) {
    const [x, y] = [drawLuminance(a), drawLuminance(b)].sort((p, q) => q - p);
    return (x + 0.05) / (y + 0.05);
}

/** The colour that stands for a printed one on the dark page: lighter until it has a contrast of
 *  3.5 against panels; black becomes nearly white. */
function drawInkDark(colour) {
    const c = d3.lch(colour);
    if (!(c.c > 5) && c.l < 40) {
        return '#e8eaee';
    }
    while (c.l < 95 && drawContrast(c.formatHex(), '#1d2026') < 3.5) {
        c.l += 2;
    }
    return c.formatHex();
}

const drawWarm = {dash: 9};

/** How many solvers before this one have its look: variants of one solver that differ in an option
 *  have one look in the printed figures. */
function drawVariant(solver) {
    const same = report.solvers.filter(s => s.colour === solver.colour && s.dash === solver.dash
        && s.marker === solver.marker && dataPolicy(s) === dataPolicy(solver));
    return Math.max(same.findIndex(s => s.label === solver.label), 0);
}

/** The look of a solver; its variants differ in dash and marker, a warm start has a dash of its own
 *  and the open marker. */
function drawLook(solver) {
    const variant = drawVariant(solver);
    const look = {colour: solver.colour || '#8c8c8c',
        dash: ((solver.dash || 1) - 1 + variant) % 8 + 1,
        marker: variant ? 4 + ((solver.marker || 7) + variant * 2) % 12 : solver.marker || 7};
    if (dataPolicy(solver) !== 'cold') {
        look.dash = drawWarm.dash;
        look.marker -= look.marker > 4 ? look.marker % 2 : 0;
    }
    return look;
}

/** Looks of what becomes of a problem, the same in every report, with the glyph of a cell. */
const drawEndings = {
    solved: {colour: '#009E73', dash: 1, marker: 5, glyph: '✓', name: 'solved'},
    approximate: {colour: '#56B4E9', dash: 1, marker: 5, glyph: '≈',
        name: 'solved its approximation'},
    failed: {colour: '#D55E00', dash: 1, marker: 5, glyph: '×', name: 'failed'},
    refused: {colour: '#BBBBBB', dash: 1, marker: 5, glyph: '–', name: 'not applicable'},
};

/* ---- axes ---- */

/** The label of a power of ten: {text, up}, the latter raised. */
function drawPower(factor, exponent) {
    return {text: factor === 1 ? '10' : factor + '·10', up: String(exponent).replace('-', '−')};
}

/** A tick of a logarithmic axis as a label: plain where all ticks are near one. */
function drawLogLabel(factor, exponent, plain) {
    return plain ? {text: numberText(Number(factor + 'e' + exponent))}
        : drawPower(factor, exponent);
}

/** Ticks of a logarithmic axis with base 10 over [low, high], at most `most` labels. */
function drawDecades(low, high, most) {
    const first = Math.ceil(Math.log10(low) - 1e-9);
    const last = Math.floor(Math.log10(high) + 1e-9);
    const plain = first >= -3 && last <= 4;
    const ticks = [];
    if (last - first < 1) {
        for (let e = first - 1; e <= last + 1; e++) {
            for (const f of [1, 2, 5]) {
                const value = Number(f + 'e' + e);
                if (value >= low * 0.999 && value <= high * 1.001) {
                    ticks.push({value, label: drawLogLabel(f, e, e >= -3 && e <= 4)});
                }
            }
        }
        return ticks;
    }
    const step = Math.max(1, Math.ceil((last - first + 1) / most));
    for (let e = first - 1; e <= last + 1; e++) {
        const near = ((e % step) + step) % step === 0;
        for (let f = 1; f < (step === 1 ? 10 : 2); f++) {
            const value = Number(f + 'e' + e);
            if (value >= low * 0.999 && value <= high * 1.001) {
                ticks.push({value, minor: f > 1 || !near,
                    label: f === 1 && near ? drawLogLabel(1, e, plain) : null});
            }
        }
    }
    return ticks;
}

/** Ticks of a logarithmic axis with base 2. */
function drawDoublings(low, high, most) {
    const first = Math.ceil(Math.log2(low) - 1e-9);
    const last = Math.floor(Math.log2(high) + 1e-9);
    const step = Math.max(1, Math.ceil((last - first + 1) / most));
    return d3.range(first, last + 1).map(e => ({value: 2 ** e, minor: (e - first) % step !== 0,
        label: (e - first) % step === 0 ? {text: numberText(2 ** e, 4)} : null}));
}

/** The ticks of an axis. `pixels`: its length; `wide`: it is horizontal. */
function drawTicks(axis, pixels, wide) {
    const [low, high] = axis.domain;
    const most = Math.max(2, Math.floor(pixels / (wide ? 58 : 26)));
    if (axis.scale === 'band') {
        return axis.names.map((text, k) => ({value: k, label: {text}}));
    }
    if (axis.ticks) {
        return axis.ticks.map(value => ({value, label: {text: numberText(value)}}));
    }
    if (axis.scale === 'log2') {
        return drawDoublings(low, high, Math.min(most, 12));
    }
    if (axis.scale === 'log10') {
        const ticks = drawDecades(low, high, Math.min(most, 9));
        if (ticks.some(t => t.label)) {
            return ticks;
        }
    }
    return d3.ticks(low, high, Math.min(most, wide ? 8 : 6))
        .map(value => ({value, label: {text: drawLinearLabel(value, low, high)}}));
}

/** The label of a tick of a linear axis. */
function drawLinearLabel(value, low, high) {
    const size = Math.max(Math.abs(low), Math.abs(high));
    if (size >= 1e5 || size < 1e-3) {
        return numberText(value, 3);
    }
    return String(Number(value.toPrecision(10))).replace('-', '−');
}

/** The ends of an axis around its values: a little beyond, and never empty. */
function drawDomain(axis, values) {
    if (axis.scale === 'band') {
        return [0, axis.names.length];
    }
    if (axis.domain) {
        return axis.domain;
    }
    const log = axis.scale !== 'linear';
    const fit = values.filter(v => Number.isFinite(v) && (!log || v > 0));
    let [low, high] = fit.length ? d3.extent(fit) : [1, 10];
    if (log) {
        const beyond = Math.max((high / low) ** 0.05, 1.25);
        low = axis.low ?? low / beyond;
        return [low, Math.max(high * beyond, low * 2)];
    }
    const room = (high - low || Math.abs(high) || 1) * 0.05;
    low = axis.low ?? (low >= 0 && low < 0.4 * high ? 0 : low - room);
    return [low, high + room];
}

/** The function from values to pixels. */
function drawScale(axis, from, to) {
    const range = axis.reversed ? [to, from] : [from, to];
    if (axis.scale === 'band') {
        const step = (to - from) / axis.names.length;
        const place = value => from + (value + 0.5) * step;
        place.step = Math.abs(step);
        return place;
    }
    const scale = axis.scale === 'linear' ? d3.scaleLinear()
        : d3.scaleLog().base(axis.scale === 'log2' ? 2 : 10);
    return scale.domain(axis.domain).range(range);
}

/** The width of the label of a tick. */
function drawLabelWidth(label) {
    return drawTextWidth(label.text) + (label.up ? drawTextWidth(label.up) * 0.78 : 0);
}

/** The label of a tick as an element. */
function drawLabel(label, attributes) {
    return element('text', attributes, label.text,
        label.up ? element('tspan', {dy: '-5', 'font-size': '9'}, label.up) : null);
}

/** "time [s]". */
function drawAxisName(axis) {
    return axis.unit ? axis.label + ' [' + axis.unit + ']' : axis.label;
}
