/* SPDX-License-Identifier: Apache-2.0
 * web/report/figures_studies.js: figures of studies: measures against what varies, warm starts,
 * scenes; the figures of one run and one instance; and the list of the report's figures. */
'use strict';

/** A measure against one varied parameter. */
function figureParameterSpec(runs, name, key) {
    const found = parameterSeries(runs, name, key).filter(s => s.points.length);
    const xs = dataDistinct(found.flatMap(s => s.points.map(p => p.x))).sort(d3.ascending);
    if (xs.length < 2 || !found.some(s => s.points.some(p => p.y !== null))) {
        return null;
    }
    const numbers = xs.every(x => typeof x === 'number');
    const measure = figureMeasure(key);
    const plain = name.replace(/^solver\./, '');
    const unit = report.parameters.find(p => p.name === name)?.unit || '';
    const log = numbers && xs[0] > 0 && xs.at(-1) / xs[0] > 20;
    const ys = found.flatMap(s => s.points.map(p => p.y)).filter(v => v !== null);
    const y = figureAxis(measure, ys);
    const series = found.map((s, k) => ({
        key: s.name, look: drawLook(s.solver), form: numbers ? 'line' : 'points',
        points: s.points.flatMap(p => figureParameterPoints(p, numbers ? p.x : xs.indexOf(p.x),
            numbers ? 0 : (k - (found.length - 1) / 2) * 6, y.scale === 'log10')),
        tip: p => [plain + ' ' + (typeof p.value === 'number' ? numberText(p.value) : p.value),
            p.failed ? p.count + ' failed' : 'median ' + numberText(p.y),
            p.low !== null && p.low !== undefined && p.low < p.high
                ? `quartiles ${numberText(p.low)} and ${numberText(p.high)}` : null,
            countText(p.runs.length, 'run')].filter(t => t),
    }));
    const failed = d3.sum(found, s => d3.sum(s.points, p => p.failed));
    return {
        name: figureName('against-' + name.replace(/[^\w.-]+/g, '-'), runs),
        title: `${figureCapital(measure.label)} against ${plain}`, legend: 'always',
        caption: `Medians of the solved runs; whiskers are quartiles. ${figureWhere(runs)}`
            + figureFailures(failed, runs.filter(dataTaken).length, ' such value of ' + plain
                + ' above the plot'),
        panels: [{x: numbers ? {scale: log ? 'log10' : 'linear', label: plain, unit,
            ticks: xs.length <= 8 ? xs : null}
            : {scale: 'band', names: xs.map(String), label: plain}, y, series}],
        rows: () => [[name, 'solver', 'median_' + key, 'quartile_low', 'quartile_high', 'solved',
            'failed'], ...found.flatMap(s => s.points.map(p => [p.x, s.name, p.y ?? '',
            p.low ?? '', p.high ?? '', p.solved, p.failed]))],
    };
}

/** The median and, where runs failed, a cross. */
function figureParameterPoints(p, x, dx, log) {
    const points = [];
    if (p.y !== null && (!log || p.y > 0)) {
        const spread = p.solved > 1 && p.high > p.low && (!log || p.low > 0);
        points.push({x, y: p.y, dx, value: p.x, low: spread ? p.low : null,
            high: spread ? p.high : null, runs: p.runs});
    }
    if (p.failed) {
        points.push({x, failed: 'y', dx, value: p.x, count: p.failed,
            runs: p.runs.filter(r => !dataSolved(r))});
    }
    return points;
}

/** All figures of varied parameters in one element: time, and of scenes their energy. Sizes are
 *  left to the figure of time against size, seeds to the intervals. */
function figureParameters(runs, actions) {
    const keys = ['seconds', ...figureSceneKeys(runs).slice(0, 1)];
    const sizes = scalingSeries(runs).length ? ['n', 'contacts', 'links', 'bodies'] : [];
    const names = parametersVaried(runs).filter(name => name !== 'seed' && !sizes.includes(name));
    const figures = names.flatMap(name => keys.map(key =>
        figureParameterSpec(runs, name, key))).filter(s => s).map(s => drawFigure(s, actions));
    return figures.length ? element('div', {class: 'figures'}, ...figures) : null;
}

/* ---- warm starts ---- */

/** The iterations that warm starts save, by solver. */
function figureWarmSpec(runs) {
    const rows = warmSavings(runs);
    if (!rows.some(r => Number.isFinite(r.saved))) {
        return null;
    }
    const bars = rows.map((row, k) => ({
        key: row.solver.label, look: drawLook(row.solver), form: 'bars', base: 0, along: 'x',
        points: [Number.isFinite(row.saved) ? {x: 100 * row.saved, y: k, runs: row.runs}
            : {failed: 'x', y: k, runs: row.runs}],
        tip: p => (p.failed ? ['failed, or cold failed'] : [numberText(p.x) + ' % saved',
            `${numberText(row.iterations)} instead of ${numberText(row.coldIterations)} iterations`,
            'time: ' + numberText(100 * row.savedSeconds) + ' % saved',
            countText(row.compared, 'sequence')]),
    }));
    return {
        name: figureName('warm', runs), title: 'Iterations saved by warm starts', legend: 'none',
        caption: `The share of iterations that a warm start saves against a cold one, over the `
            + `sequences that both solved; below 0 it costs iterations. ${figureWhere(runs)}`,
        panels: [{x: {scale: 'linear', label: 'iterations saved', unit: '%'},
            y: {scale: 'band', names: rows.map(r => r.solver.label), label: ''},
            guides: [{x: 0}], series: bars}],
        rows: () => [['solver', 'policy', 'sequences', 'iterations', 'cold_iterations',
            'iterations_saved_percent', 'seconds_saved_percent'], ...rows.map(r => [r.name,
            r.policy, r.compared, r.iterations, r.coldIterations, 100 * r.saved,
            100 * r.savedSeconds])],
    };
}

/* ---- scenes ---- */

/** Measures of mechanics that runs of scenes have, the most telling first. */
function figureSceneKeys(runs) {
    const scenes = runs.filter(r => r.instance.kind === 'scene');
    const wanted = ['energy.relative', 'energy_relative', 'energy.drift', 'energy.error',
        'energy.change', 'penetration', 'penetration_mean', 'drift_length', 'drift_angle',
        'momentum.linear.relative', 'momentum.angular.relative'];
    return wanted.filter(key => scenes.some(r => dataNumber(r, key) !== 0
        && !Number.isNaN(dataNumber(r, key))));
}

/** Errors of the mechanics of scenes: one panel per measure, one row per scene. */
function figureScenesSpec(runs) {
    const scenes = runs.filter(r => r.instance.kind === 'scene' && dataTaken(r));
    const keys = figureSceneKeys(runs);
    if (!keys.length) {
        return null;
    }
    const instances = dataDistinct(scenes, r => r.instance);
    const solvers = dataDistinct(scenes, r => r.solver);
    const size = (run, key) => Math.abs(dataNumber(run, key));
    const panels = keys.map(key => {
        const measure = figureMeasure(key);
        const signed = scenes.some(r => dataNumber(r, key) < 0);
        const values = scenes.map(r => size(r, key)).filter(v => v > 0);
        const floor = d3.min(values) / 3;
        return {
            title: (signed ? 'size of the ' : '') + measure.label, x: {scale: 'log10', label:
                measure.label, unit: measure.unit}, row: 26,
            y: {scale: 'band', names: instances.map(i => i.name), label: ''},
            series: solvers.map((solver, k) => ({key: solver.label, look: drawLook(solver),
                form: 'points', points: scenes.filter(r => r.solver === solver
                    && !Number.isNaN(size(r, key))).map(run => ({x: size(run, key) || floor,
                    y: instances.indexOf(run.instance), cross: !dataSolved(run), runs: [run],
                    dy: (k - (solvers.length - 1) / 2) * Math.min(5, 18 / solvers.length),
                    value: dataNumber(run, key)})),
                tip: p => [p.runs[0].instance.name, measure.label + ' ' + numberText(p.value) + ' '
                    + measure.unit, p.cross ? p.runs[0].ending.name : null].filter(t => t)})),
        };
    });
    return {
        name: figureName('mechanics', runs), title: 'Energy, penetration and drift of scenes',
        panels, panelWidth: 420,
        caption: `Errors of the mechanics at the end of each run of a scene, or the largest on the `
            + `way. ${figureWhere(runs)} A logarithmic axis has no zero: an error of 0 stands at `
            + 'its left end. A cross marks a run that failed.',
        rows: () => [['measure', 'scene', 'solver', 'value', 'unit', 'ending'],
            ...keys.flatMap(key => scenes.map(r => [key, r.instance.name, r.solver.label, r[key],
                figureMeasure(key).unit, r.ending.name]))],
    };
}

/* ---- one run, one instance ---- */

const figureInk = {colour: '#0072B2', dash: 1, marker: 7};

/** The residual of one run over its iterations and its time. */
function figureHistory(details) {
    const samples = (details.history || []).filter(h => Number.isFinite(h[3]));
    if (samples.length < 2) {
        return element('p', {class: 'own-empty'}, 'No history was recorded.');
    }
    const names = ['iteration', 'time', 'products with A'];
    const shown = [0, 1].filter(k => samples.some(h => h[k] !== samples[0][k]));
    const last = samples.at(-1)[1];
    const [unit, scale] = last < 1e-3 ? ['µs', 1e6] : last < 1 ? ['ms', 1e3] : ['s', 1];
    const panels = shown.map(k => ({
        x: {scale: 'linear', label: names[k], unit: k === 1 ? unit : ''},
        y: {scale: 'log10', label: 'residual'},
        series: [{key: 'residual', look: figureInk, form: 'line', points: samples.map(h => ({
            x: k === 1 ? h[1] * scale : h[0], y: Math.max(h[3], dataRoundoff), value: h[3],
            sample: h})),
        tip: p => ['iteration ' + numberText(p.sample[0]), 'time ' + secondsText(p.sample[1]),
            'residual ' + numberText(p.value)]}],
    }));
    return drawFigure({name: 'history-' + (details.key || 'run'), title: 'Convergence', panels,
        height: 260, panelWidth: 260, legend: 'none',
        caption: 'The residual during the run. Residuals below 1.1e−16 are drawn there.'
            + (samples.length === 2 ? ' A direct method has a residual only at its end.' : ''),
        rows: () => [['iteration', 'seconds', 'products', 'residual'], ...samples]}, {});
}

/** The singular values of an instance; null where they were not computed. */
function figureSpectrum(instance) {
    const values = (instance.spectrum || []).filter(v => Number.isFinite(v));
    if (!values.length) {
        return null;
    }
    const largest = d3.max(values);
    const floor = largest > 0 ? largest * 2 ** -60 : 1;
    const zero = values.filter(v => v <= floor).length;
    return drawFigure({name: 'spectrum-' + instance.name.replace(/[^\w.-]+/g, '-'),
        title: 'Singular values', height: 260, legend: 'none',
        caption: `Singular values of A, the largest first${values.length < instance.n
            ? `: ${values.length} of ${instance.n}, evenly spread` : ''}.`
            + (instance.rank === null || instance.rank === undefined ? ''
                : ` Rank ${instance.rank} of ${instance.n}.`)
            + (Number.isFinite(instance.condition) ? ' Condition '
                + numberText(instance.condition) + '.' : '')
            + (zero ? ` ${zero} of those shown are zero up to rounding; crosses mark them.` : ''),
        panels: [{x: {scale: 'linear', label: 'index'},
            y: {scale: 'log10', label: 'singular value'},
            series: [{key: 'singular value', look: figureInk, form: 'points', small: 2.8,
                points: values.map((v, k) => ({x: figureIndex(k, values.length, instance.n),
                    y: v > floor ? v : largest * 2 ** -53, cross: v <= floor, value: v})),
                tip: p => ['index ' + numberText(p.x), numberText(p.value)]}]}],
        rows: () => [['index', 'singular_value'], ...values.map((v, k) =>
            [figureIndex(k, values.length, instance.n), v])]}, {});
}

/** The index, from 1, of the k-th of `count` values spread over n. */
function figureIndex(k, count, n) {
    return count > 1 && n > count ? Math.round(1 + k * (n - 1) / (count - 1)) : k + 1;
}

/** Where an instance has its nonzeros; null where that was not computed. */
function figurePattern(instance) {
    const pattern = instance.pattern;
    if (!pattern?.size) {
        return null;
    }
    const {size, cells} = pattern;
    const most = d3.max(cells) || 1;
    const block = instance.n / size;
    const lines = k => (block > 1 ? `${Math.floor(k * block) + 1} to ${Math.floor((k + 1) * block)}`
        : String(k + 1));
    const points = cells.map((count, k) => ({x: k % size, y: Math.floor(k / size), count,
        fill: 'var(--ink)', opacity: 0.25 + 0.75 * Math.sqrt(count / most)}));
    const side = Math.max(8, Math.min(24, Math.floor(256 / size)));
    return drawFigure({name: 'pattern-' + instance.name.replace(/[^\w.-]+/g, '-'),
        title: 'Nonzeros of A', legend: 'none',
        caption: `${numberText(instance.n)} rows, ${numberText(instance.nonzeros)} nonzeros.`
            + (block > 1 ? ` A cell stands for about ${Math.ceil(block)} rows and columns; the `
                + 'darker, the more nonzeros it has.' : ''),
        panels: [{x: {scale: 'band', names: Array(size).fill(''), above: true, label: ''},
            y: {scale: 'band', names: Array(size).fill(''), label: ''}, row: side, column: side,
            frame: true,
            series: [{key: 'nonzeros', look: figureInk, form: 'cells',
                points: points.filter(p => p.count > 0),
                tip: p => [countText(p.count, 'nonzero'), 'rows ' + lines(p.y),
                    'columns ' + lines(p.x)]}]}],
        rows: () => [['row', 'column', 'nonzeros'], ...points.map(p => [p.y + 1, p.x + 1,
            p.count])]}, {});
}

/* ---- the list ---- */

/** A maker of one figure. */
function figureOf(spec) {
    return (runs, actions) => {
        const made = runs.length ? spec(runs) : null;
        return made ? drawFigure(made, actions) : null;
    };
}

/** All figures of the report: {name, title, scope, make(runs, actions)}. Those of scope "set" show
 *  one set at one tolerance, those of scope "all" whatever is shown. */
const reportFigures = [
    {name: 'profile', title: 'Performance profile', scope: 'set',
        make: figureOf(runs => figureProfileSpec(runs, true))},
    {name: 'share-in-time', title: 'Share solved within a time', scope: 'set',
        make: figureOf(runs => figureProfileSpec(runs, false))},
    {name: 'ratios', title: 'Relative time', scope: 'set', make: figureOf(figureRatioSpec)},
    {name: 'scaling', title: 'Time against size', scope: 'set', make: figureOf(figureScalingSpec)},
    {name: 'parameters', title: 'Against what varies', scope: 'set',
        make: (runs, actions) => (runs.length ? figureParameters(runs, actions) : null)},
    {name: 'residual-time', title: 'Residual against time', scope: 'set',
        make: figureOf(figureResidualSpec)},
    {name: 'iterations', title: 'Iterations', scope: 'set', make: figureOf(figureIterationsSpec)},
    {name: 'warm', title: 'Warm starts', scope: 'set', make: figureOf(figureWarmSpec)},
    {name: 'mechanics', title: 'Mechanics of scenes', scope: 'set',
        make: figureOf(figureScenesSpec)},
    {name: 'endings', title: 'What became of each problem', scope: 'set',
        make: figureOf(figureHeatSpec)},
    {name: 'work-precision', title: 'Work against precision', scope: 'all',
        make: figureOf(figurePrecisionSpec)},
];
