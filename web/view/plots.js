/* SPDX-License-Identifier: Apache-2.0
 * web/view/plots.js: metrics over time, with a cursor at the time that is shown. */
'use strict';

const plotsFirst = ['energies', 'penetration', 'iterations', 'residual'];
const plotsEnergies = ['energy', 'kinetic', 'potential', 'stored'];
const plotsColours = ['--plot-0', '--plot-1', '--plot-2', '--plot-3'];

/** All charts that the motions can have: {id, name, unit, series: [{name, motion, time, value,
 *  colour, dashed}]}. */
function plotsOffered(motions, difference) {
    const charts = [];
    if (difference && difference.series && difference.series.length) {
        charts.push({id: 'difference', name: 'largest difference', unit: 'm', series: [{
            name: 'difference', time: difference.series.map(s => s[0]),
            value: difference.series.map(s => s[1] ?? NaN), colour: 1}]});
    }
    const energies = plotsEnergies.filter(name =>
        motions.some(m => plotsVaries(m.arrays[`metric_${name}`])));
    if (energies.length > 1) {
        charts.push({id: 'energies', name: 'energy balance', unit: 'J', linear: true, series:
            energies.flatMap((name, k) => plotsSeries(motions, name, k, name))});
    }
    const seen = new Map();
    for (const metric of motions.flatMap(m => m.head.metrics)) {
        seen.set(metric.name, metric);
    }
    for (const metric of seen.values()) {
        charts.push({id: metric.name, name: metric.name, unit: metric.unit,
            series: plotsSeries(motions, metric.name, 0, null)});
    }
    return charts.filter(chart => chart.series.length);
}

function plotsVaries(values) {
    return values && values.some(x => x !== 0 && !Number.isNaN(x));
}

/** One line per motion; those of the second are dashed. */
function plotsSeries(motions, metric, colour, name) {
    return motions.filter(m => m.arrays[`metric_${metric}`]).map(m => ({
        name: name || (motions.length > 1 ? 'AB'[m.number] : null),
        time: m.arrays.step_time, value: m.arrays[`metric_${metric}`],
        colour: name ? colour : m.number, dashed: name ? m.number === 1 : false}));
}

/** The charts that are shown at first. */
function plotsUsual(charts) {
    const wanted = charts.some(c => c.id === 'difference') ? ['difference', ...plotsFirst]
        : plotsFirst;
    const usual = wanted.filter(id => charts.some(c => c.id === id));
    if (!usual.includes('energies') && charts.some(c => c.id === 'energy')) {
        usual.unshift('energy');
    }
    return usual.length ? usual : charts.slice(0, 3).map(c => c.id);
}

/** A chart as an element; `seek` is called with a time of a click. */
function plotsMake(chart, range, seek) {
    const canvas = element('canvas', {role: 'img',
        'aria-label': `${chart.name} over time; the value at the time shown stands above`});
    const cursor = element('div', {class: 'plot-cursor'});
    const value = element('span', {class: 'plot-value'});
    const unit = chart.unit && chart.unit !== '1' ? ` [${chart.unit}]` : '';
    const keys = element('span', {class: 'plot-keys', 'aria-hidden': 'true'});
    const figure = element('figure', {class: 'plot'},
        element('figcaption', {}, element('b', {}, chart.name), unit, ' ', value, keys),
        element('div', {class: 'plot-area'}, canvas, cursor));
    const plot = {chart, figure, canvas, cursor, value, keys, range, x: null};
    const go = event => {
        if (plot.x && (event.type === 'pointerdown' || event.buttons & 1)) {
            seek(plot.x.invert(event.clientX - canvas.getBoundingClientRect().left));
        }
    };
    canvas.addEventListener('pointerdown', event => {
        canvas.setPointerCapture(event.pointerId);
        go(event);
    });
    canvas.addEventListener('pointermove', go);
    return plot;
}

/** The scale of the values: logarithmic where they are not negative and span three decades. */
function plotsScale(chart) {
    let low = Infinity;
    let high = -Infinity;
    let least = Infinity;
    for (const series of chart.series) {
        for (const x of series.value) {
            if (Number.isFinite(x)) {
                low = Math.min(low, x);
                high = Math.max(high, x);
                least = x > 0 ? Math.min(least, x) : least;
            }
        }
    }
    if (low > high) {
        return {scale: d3.scaleLinear([0, 1], [1, 0]), ticks: [0, 1]};
    }
    if (low >= 0 && high > 0 && high / least >= 1e3 && !chart.linear) {
        const [a, b] = [Math.floor(Math.log10(least)), Math.ceil(Math.log10(high))];
        const step = Math.ceil((b - a) / 3);
        return {scale: d3.scaleLog([10 ** a, 10 ** b], [1, 0]).clamp(true), log: true,
            ticks: d3.range(a, b + 1, step).map(k => 10 ** k)};
    }
    if (low > 0 && low < 0.5 * high) {
        low = 0;
    }
    const scale = d3.scaleLinear(low < high ? [low, high] : [low - 1, low + 1], [1, 0]).nice(3);
    return {scale, ticks: scale.ticks(3)};
}

/** A tick in few letters: 1e-5. */
function plotsTick(x) {
    const size = Math.abs(x);
    return size !== 0 && (size < 1e-3 || size >= 1e5)
        ? x.toExponential().replace(/(\.\d\d)\d*/, '$1').replace('e+', 'e').replace(/-/g, '−')
        : numberText(x, 4);
}

/** Draw the lines; the cursor is an element above them. */
function plotsDraw(plot) {
    const {canvas, chart, range} = plot;
    const box = canvas.getBoundingClientRect();
    if (box.width < 60) {
        return;
    }
    const density = window.devicePixelRatio || 1;
    const area = {left: 46, right: box.width - 8, top: 5, bottom: box.height - 17};
    const style = getComputedStyle(plot.figure);
    const pen = canvas.getContext('2d');
    canvas.width = Math.round(box.width * density);
    canvas.height = Math.round(box.height * density);
    pen.scale(density, density);
    plot.x = d3.scaleLinear(range[0] < range[1] ? range : [range[0] - 1, range[1] + 1],
        [area.left, area.right]).clamp(true);
    const y = plotsScale(chart);
    y.scale.range([area.bottom, area.top]);
    plotsAxes(pen, plot.x, y, area, style);
    for (const series of chart.series) {
        pen.strokeStyle = style.getPropertyValue(plotsColours[series.colour % 4]);
        pen.setLineDash(series.dashed ? [4, 3] : []);
        pen.lineWidth = 1.4;
        plotsLine(pen, series, plot.x, y);
    }
    plotsKeys(plot);
}

function plotsKeys(plot) {
    const named = plot.chart.series.filter(s => s.name && !s.dashed);
    plot.keys.replaceChildren(...(plot.chart.series.length > 1 ? named : []).map(s => {
        const key = element('span', {}, s.name);
        key.style.setProperty('--key', `var(${plotsColours[s.colour % 4]})`);
        return key;
    }));
}

function plotsAxes(pen, x, y, area, style) {
    pen.font = '10.5px system-ui, sans-serif';
    pen.fillStyle = style.getPropertyValue('--soft');
    pen.strokeStyle = style.getPropertyValue('--line');
    pen.lineWidth = 1;
    pen.textBaseline = 'middle';
    pen.textAlign = 'right';
    pen.beginPath();
    for (const tick of y.ticks) {
        const at = Math.round(y.scale(tick)) + 0.5;
        pen.moveTo(area.left, at);
        pen.lineTo(area.right, at);
        pen.fillText(plotsTick(tick), area.left - 4, at);
    }
    pen.stroke();
    pen.textBaseline = 'top';
    pen.textAlign = 'center';
    for (const tick of x.ticks(Math.max(2, Math.floor((area.right - area.left) / 70)))) {
        pen.fillText(plotsTick(tick), Math.min(x(tick), area.right - 6), area.bottom + 4);
    }
}

/** A line; of many values per pixel the least and the greatest. */
function plotsLine(pen, series, x, y) {
    const {time, value} = series;
    const room = x.range()[1] - x.range()[0];
    const chunk = Math.max(1, Math.floor(time.length / (2 * room)));
    let drawing = false;
    pen.beginPath();
    const add = k => {
        const v = value[k];
        if (!Number.isFinite(v) || (y.log && v <= 0)) {
            drawing = drawing && y.log && v === 0;
            if (!drawing) {
                return;
            }
        }
        const at = y.scale(y.log && v <= 0 ? y.scale.domain()[0] : v);
        drawing ? pen.lineTo(x(time[k]), at) : pen.moveTo(x(time[k]), at);
        drawing = true;
    };
    for (let k = 0; k < time.length; k += chunk) {
        let low = k;
        let high = k;
        for (let i = k + 1; i < Math.min(k + chunk, time.length); i++) {
            low = value[i] < value[low] ? i : low;
            high = value[i] > value[high] ? i : high;
        }
        add(Math.min(low, high));
        if (low !== high) {
            add(Math.max(low, high));
        }
    }
    pen.stroke();
    pen.setLineDash([]);
}

/** Number of the last value at or before a time. */
function plotsIndex(time, t) {
    return Math.max(d3.bisectRight(time, t + 1e-6 * Math.abs(t)) - 1, 0);
}

/** Put the cursor at a time and print the values there. */
function plotsCursor(plot, t) {
    if (plot.x) {
        plot.cursor.style.transform = `translateX(${plot.x(t).toFixed(1)}px)`;
    }
    const texts = plot.chart.series.map(s => numberText(s.value[plotsIndex(s.time, t)]));
    const text = plot.chart.id === 'energies' ? texts[0] : texts.join(' / ');
    if (plot.value.textContent !== text) {
        plot.value.textContent = text;
    }
}
