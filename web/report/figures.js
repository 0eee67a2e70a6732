/* SPDX-License-Identifier: Apache-2.0
 * web/report/figures.js: the figures of a set: profiles, time against size, residual against time,
 * endings, ratios and iterations. What they show is computed in figures_data.js. */
'use strict';

const figureLeast = 5;

/** The measure of a key, or a stand-in with the key as label. */
function figureMeasure(key) {
    return report.measures.find(m => m.key === key)
        || {key, label: key, unit: '', scale: 'linear', better: '', help: ''};
}

/** An axis for a measure; logarithmic where its values allow it. */
function figureAxis(measure, values, log = measure.scale === 'log') {
    const able = values.some(v => v > 0) && values.every(v => !(v < 0));
    return {label: measure.label, unit: measure.unit, scale: log && able ? 'log10' : 'linear'};
}

function figureCapital(text) {
    return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** A number without zeros that say nothing: "1e−8". */
function figureNumber(x) {
    return numberText(x).replace(/\.?0+e/, 'e');
}

/** "Set lcp, tolerance 1e−8." from the runs. */
function figureWhere(runs) {
    const sets = dataDistinct(runs, r => r.set.name);
    const tolerances = dataDistinct(runs, r => r.tolerance).sort((a, b) => b - a);
    return (sets.length === 1 ? 'Set ' + sets[0] : sets.length + ' sets') + ', '
        + (tolerances.length === 1 ? 'tolerance ' + figureNumber(tolerances[0])
            : tolerances.length + ' tolerances') + '.';
}

/** "3 of 20 runs did not solve their problem; a cross marks each.", or "". */
function figureFailures(failed, all, where) {
    return failed ? ` ${failed} of ${all} runs did not solve their problem; a cross marks each${
        where}.` : '';
}

/** Names of files: of the figure and its set. */
function figureName(kind, runs) {
    const sets = dataDistinct(runs, r => r.set.name);
    const set = sets.length === 1 ? '_' + sets[0].replace(/[^\w.-]+/g, '-') : '';
    return kind + set;
}

/* ---- profiles ---- */

/** Steps of curves over an axis; the last share holds to its end. */
function figureSteps(curves, low, high, words) {
    return curves.map(curve => {
        const points = [];
        if (!curve.solved || curve.values[0].x > low) {
            points.push({x: low, y: 0, runs: curve.runs});
        }
        curve.values.forEach((v, k) => {
            if (k + 1 === curve.solved || curve.values[k + 1].x > v.x) {
                points.push({x: v.x, y: (k + 1) / curve.taken, run: v.run,
                    get runs() {
                        return curve.values.slice(0, k + 1).map(w => w.run);
                    }, title: curve.solver.label + ': solved ' + words(v.x)});
            }
        });
        points.push({x: high, y: curve.solved / curve.taken, runs: curve.runs,
            title: curve.solver.label});
        return {key: curve.solver.label, look: drawLook(curve.solver), form: 'steps', points,
            runs: curve.runs,
            extra: curve.solved < curve.taken ? `${curve.solved} of ${curve.taken}` : '',
            tip: p => [`${numberText(100 * p.y)} % ` + words(p.x),
                Math.round(p.y * curve.taken) + ' of ' + curve.taken + ' problems',
                p.run ? 'last: ' + p.run.instance.name : null].filter(t => t)};
    });
}

/** The rows of a profile: every problem of every curve. */
function figureProfileRows(curves, name) {
    return [['solver', name, 'share', 'instance', 'solved', 'taken'], ...curves.flatMap(c =>
        c.values.map((v, k) => [c.solver.label, v.x, (k + 1) / c.taken, v.run.instance.name,
            c.solved, c.taken]))];
}

/** A performance profile (ratios) or the share solved within a time. */
function figureProfileSpec(runs, relative) {
    const {problems, unsolved} = profileProblems(runs);
    const curves = profileCurves(runs, relative);
    const values = curves.flatMap(c => c.values.map(v => v.x));
    if (problems < figureLeast || !values.length) {
        return null;
    }
    const [least, most] = [relative ? 1 : d3.min(values), d3.max(values)];
    const beyond = Math.max((most / least) ** 0.06, 1.15);
    const low = relative ? 1 : least / beyond;
    const high = Math.max(most * beyond, 2 * least);
    const scale = relative && high < 200 ? 'log2' : 'log10';
    const words = relative ? x => (x === 1 ? 'in the least time' : 'within ' + numberText(x)
        + ' times the least time')
        : x => 'within ' + secondsText(x);
    return {
        name: figureName(relative ? 'profile' : 'share-in-time', runs),
        title: relative ? 'Performance profile' : 'Share of problems solved within a time',
        caption: (relative ? 'The share of problems that a solver solves within a ratio of the '
            + 'least time of any solver shown; at 1, how often it is the fastest. '
            : 'The share of problems that a solver solves within a time. ')
            + `${figureWhere(runs)} ${countText(problems, 'problem')}`
            + (unsolved ? `, of which no solver solves ${unsolved}` : '') + '. A failure is never '
            + 'reached. The share is over the problems that a solver takes; a count after a name '
            + 'is what it solved of them.',
        panels: [{
            x: {scale, label: relative ? 'performance ratio' : 'time', unit: relative ? '' : 's',
                domain: [low, high]},
            y: {scale: 'linear', label: 'share of problems', domain: [0, 1]},
            series: figureSteps(curves, low, high, words),
        }],
        rows: () => figureProfileRows(curves, relative ? 'ratio' : 'seconds'),
    };
}

/* ---- time against size ---- */

/** The points of a line up to the first median that is not finite: it ends where more than half of
 *  the runs failed. */
function figureUntil(medians) {
    const end = medians.findIndex(m => !Number.isFinite(m.y));
    return end < 0 ? medians : medians.slice(0, end);
}

function figureScalingPanel(family, single) {
    const series = [];
    for (const entry of family.series) {
        const fit = entry.fit && single
            ? `${entry.fit.slope.toFixed(2)} ± ${entry.fit.half.toFixed(2)}` : '';
        const words = entry.fit ? 'exponent ' + entry.fit.slope.toFixed(2) + ' ± '
            + entry.fit.half.toFixed(2) : null;
        series.push({key: entry.solver.label, look: drawLook(entry.solver), form: 'line',
            silent: true, bare: true, points: figureUntil(entry.medians)});
        series.push({key: entry.solver.label, look: drawLook(entry.solver), form: 'points',
            extra: fit, points: [
                ...entry.points.map(p => ({x: p.x, y: p.y, runs: [p.run], note: words,
                    name: p.run.instance.name})),
                ...entry.medians.filter(m => m.solved < m.runs.length).map(m => ({x: m.x,
                    failed: 'y', runs: m.runs.filter(r => !dataSolved(r)), of: m.runs.length})),
            ],
            tip: p => [p.name, 'size ' + numberText(p.x), p.failed ? p.runs.length + ' of ' + p.of
                + ' failed' : 'time ' + secondsText(p.y), p.note].filter(t => t)});
    }
    return {title: single ? '' : family.problem, x: {scale: 'log10', label: 'rows'},
        y: {scale: 'log10', label: 'time', unit: 's'}, series};
}

/** Time against size, one panel per family of problems. */
function figureScalingSpec(runs) {
    const families = scalingSeries(runs);
    if (!families.length) {
        return null;
    }
    const all = families.flatMap(f => f.series);
    const failed = d3.sum(all, s => s.failed.length);
    const fits = all.some(s => s.fit);
    const rows = families.some(f => f.series.some(s => s.points.some(p => p.run.instance.n > 0)));
    const panels = families.map(f => figureScalingPanel(f, families.length === 1));
    panels.forEach(p => {
        p.x.label = rows ? 'rows' : 'size';
    });
    return {
        name: figureName('scaling', runs), title: 'Time against size', panels,
        caption: 'The time of each solved run against the size of its problem, with medians over '
            + 'all runs of a size, where a failure costs infinitely much: a line ends where more '
            + 'than half fail'
            + (families.length === 1 ? ' (' + families[0].problem + ')'
                : ', one family of problems per panel') + `. ${figureWhere(runs)}`
            + figureFailures(failed, failed + d3.sum(all, s => s.points.length), ' size above the plot')
            + (fits ? ' The number is the exponent of a power law with its 95 % interval, fitted by '
                + `least squares where a solver solves all problems of at least ${dataFitSizes} `
                + 'sizes of one family, to these.' : ''),
        rows: () => [['family', 'solver', 'instance', 'size', 'seconds', 'solved', 'exponent',
            'half_interval'], ...families.flatMap(f => f.series.flatMap(s => [
            ...s.points.map(p => [f.problem, s.solver.label, p.run.instance.name, p.x, p.y, 'yes',
                s.fit?.slope ?? '', s.fit?.half ?? '']),
            ...s.failed.map(r => [f.problem, s.solver.label, r.instance.name, dataSize(r), '',
                'no', '', ''])]))],
    };
}

/* ---- residual against time ---- */

/** The residual that each run reached against its time. */
function figureResidualSpec(runs) {
    const taken = runs.filter(r => dataTaken(r) && !Number.isNaN(dataResidual(r)));
    const lost = runs.filter(r => dataTaken(r) && Number.isNaN(dataResidual(r)));
    if (taken.length < 3) {
        return null;
    }
    const series = d3.groups([...taken, ...lost], r => r.solver).map(([solver, mine]) => ({
        key: solver.label, look: drawLook(solver), form: 'points', small: 3.4,
        points: mine.map(run => figureResidualPoint(run)),
        tip: p => [p.runs[0].instance.name, p.runs[0].ending.name,
            'time ' + secondsText(p.runs[0].seconds),
            'residual ' + numberText(dataResidual(p.runs[0]))],
    }));
    const failed = taken.concat(lost).filter(r => !dataSolved(r)).length;
    const tolerances = dataDistinct(runs, r => r.tolerance);
    return {
        name: figureName('residual-time', runs), title: 'Residual against time',
        caption: `The residual that a run reached against its time. ${figureWhere(runs)} Residuals `
            + 'below 1.1e−16, the rounding unit, are drawn there.'
            + figureFailures(failed, taken.length + lost.length, ', at the residual where it ended '
                + 'or in the margin when it left none'),
        panels: [{x: {scale: 'log10', label: 'time', unit: 's'},
            y: {scale: 'log10', label: 'residual', reversed: false},
            guides: tolerances.map(y => ({y, text: 'tolerance ' + figureNumber(y)})), series}],
        rows: () => [['solver', 'instance', 'tolerance', 'seconds', 'residual', 'ending'],
            ...taken.concat(lost).map(r => [r.solver.label, r.instance.name, r.tolerance,
                r.seconds, dataResidual(r), r.ending.name])],
    };
}

/** The place of a run between time and residual. */
function figureResidualPoint(run) {
    const seconds = dataNumber(run, 'seconds');
    const residual = dataResidual(run);
    return {x: Math.max(seconds, 1e-9), y: Math.max(residual, dataRoundoff), runs: [run],
        failed: Number.isNaN(seconds) ? 'x' : Number.isNaN(residual) ? 'y' : undefined,
        cross: !dataSolved(run)};
}

/** Time against the residual reached over the tolerances: medians of each solver, by set. */
function figurePrecisionSpec(runs) {
    const sets = d3.groups(runs.filter(dataTaken), r => r.set)
        .filter(([, of]) => dataDistinct(of, r => r.tolerance).length > 1);
    if (!sets.length) {
        return null;
    }
    const panels = sets.map(([set, of]) => ({
        title: sets.length > 1 ? set.name : '',
        x: {scale: 'log10', label: 'residual reached', reversed: true},
        y: {scale: 'log10', label: 'time', unit: 's'},
        series: precisionSeries(of).map(s => ({key: s.solver.label, look: drawLook(s.solver),
            form: 'line', along: 'y', points: s.points.map(p => figurePrecisionPoint(p)),
            tip: p => ['tolerance ' + figureNumber(p.tolerance), p.failed ? 'failed'
                : 'median time ' + secondsText(p.y), `solved ${p.solved} of ${p.runs.length}`]})),
    }));
    return {
        name: figureName('work-precision', sets.flatMap(([, of]) => of)), title: 'Work against '
            + 'precision', panels, panelWidth: 420,
        caption: 'Each point is a tolerance: the median time over the problems of a set against '
            + 'the median residual that was reached. Whiskers are quartiles. A cross in the '
            + 'margin: more than half of the runs failed at that tolerance. Precision grows to the '
            + 'right.',
        rows: () => [['set', 'solver', 'tolerance', 'median_residual', 'median_seconds',
            'quartile_low', 'quartile_high', 'solved', 'taken'], ...sets.flatMap(([set, of]) =>
            precisionSeries(of).flatMap(s => s.points.map(p => [set.name, s.solver.label,
                p.tolerance, p.x ?? '', p.y, p.low, p.high, p.solved, p.runs.length])))],
    };
}

function figurePrecisionPoint(p) {
    const whole = Number.isFinite(p.y) && p.x !== undefined;
    const spread = whole && Number.isFinite(p.high);
    return {x: whole ? p.x : p.tolerance, y: p.y, low: spread ? p.low : null,
        high: spread ? p.high : null, failed: whole ? undefined : 'y', tolerance: p.tolerance,
        solved: p.solved, runs: p.runs};
}

/* ---- endings ---- */

/** The endings of instances by solvers as cells. */
function figureHeatSpec(runs) {
    const heat = heatRows(runs);
    if (!heat.rows.length || !heat.solvers.length) {
        return null;
    }
    const label = row => row.instances[0].name
        + (row.instances.length > 1 ? ` and ${row.instances.length - 1} others` : '');
    const series = Object.entries(drawEndings).map(([kind, look]) => ({
        key: look.name, look, form: 'cells', points: heat.rows.flatMap((row, y) =>
            row.classes.map((c, x) => ({x, y, kind: c, fill: look.colour, glyph: look.glyph,
                runs: row.runs[x], title: heat.solvers[x].label + ' on ' + label(row)}))
                .filter(p => p.kind === kind)),
        tip: p => [p.title, dataDistinct(p.runs, r => r.ending.name).join(', '),
            p.runs.length === 1 ? 'residual ' + numberText(dataResidual(p.runs[0]))
                + ', time ' + secondsText(p.runs[0].seconds) : countText(p.runs.length, 'run')],
    })).filter(s => s.points.length);
    return {
        name: figureName('endings', runs), title: 'What became of each problem',
        caption: `One row per instance, one column per solver. ${figureWhere(runs)} A click leads `
            + 'to the run.' + (heat.merged ? ' Instances with the same endings share a row: ' + `${
                countText(d3.sum(heat.rows, r => r.instances.length), 'instance')} in ${
                countText(heat.rows.length, 'row')}.` : ''),
        panels: [{x: {scale: 'band', names: heat.solvers.map(s => s.label), above: true, label: ''},
            y: {scale: 'band', names: heat.rows.map(label), label: ''}, row: 19, series}],
        rows: () => [['instance', 'solver', 'ending', 'class'], ...heat.rows.flatMap(row =>
            row.runs.flatMap((of, k) => of.map(r => [r.instance.name, heat.solvers[k].label,
                r.ending.name, row.classes[k]])))],
    };
}

/* ---- ratios, iterations ---- */

/** The times of solvers over that of the reference, with intervals. */
function figureRatioSpec(runs) {
    const {rows: all} = modelRanking(runs[0].set, runs[0].tolerance, runs);
    const rows = all.filter(r => Number.isFinite(r.ratio)).sort((a, b) => a.ratio - b.ratio);
    if (rows.length < 2) {
        return null;
    }
    const reference = rows.find(r => ['best', 'reference'].includes(r.verdict));
    const mine = row => runs.filter(r => r.solver === row.solver && dataTaken(r));
    return {
        name: figureName('ratios', runs), title: 'Relative time, with intervals', legend: 'none',
        caption: 'The mean time of a solver over that of '
            + (reference ? reference.solver.label : 'the reference') + ', over the problems that '
            + `both take; the numbers of the ranking. ${figureWhere(runs)} Whiskers are 95 % `
            + 'bootstrap intervals; where one contains 1, the two are not told apart.',
        panels: [{x: {scale: 'log10', label: 'time relative to the reference'},
            y: {scale: 'band', names: rows.map(r => r.solver.label), label: ''},
            guides: [{x: 1}],
            series: rows.map((row, k) => ({key: row.solver.label, look: drawLook(row.solver),
                form: 'bars', base: 1, along: 'x', points: [{x: row.ratio, y: k,
                    low: row.ratio_low, high: row.ratio_high, runs: mine(row)}],
                tip: p => [numberText(p.x) + ' times the reference',
                    Number.isFinite(p.low) ? `95 %: ${numberText(p.low)} to ${numberText(p.high)}`
                        : null, `solved ${row.solved} of ${row.taken}`].filter(t => t)}))}],
        rows: () => [['solver', 'ratio', 'low', 'high', 'solved', 'taken'], ...rows.map(r =>
            [r.solver.label, r.ratio, r.ratio_low, r.ratio_high, r.solved, r.taken])],
    };
}

/** Boxes of a measure by groups: [{name, look, values: [{y, run}], failed: [runs]}]. */
function figureBoxPanel(groups, measure, log) {
    const axis = figureAxis(measure, groups.flatMap(g => g.values.map(v => v.y)), log);
    const drawn = axis.scale === 'log10' ? v => v > 0 : () => true;
    const series = groups.map((g, k) => {
        const values = g.values.filter(v => drawn(v.y));
        const points = [];
        if (values.length) {
            const {q, out} = boxOf(values.map(v => v.y), axis.scale === 'log10');
            points.push({x: q[2], y: k, q, runs: g.values.map(v => v.run)});
            points.push(...values.filter(v => out.includes(v.y)).map(v => ({x: v.y, y: k,
                runs: [v.run], note: v.run.instance.name})));
        }
        const failed = g.failed.length ? [{failed: 'x', y: k, runs: g.failed,
            title: g.name + ': failed', note: g.failed.length + ' failed'}] : [];
        return {key: g.name, look: g.look, form: 'boxes', along: 'x', small: 2.6,
            points: points.concat(failed), extra: '',
            tip: p => (p.q ? ['median ' + numberText(p.q[2]), 'quartiles ' + numberText(p.q[1])
                + ' and ' + numberText(p.q[3]), 'whiskers ' + numberText(p.q[0]) + ' and '
                + numberText(p.q[4]), countText(values.length, 'run')]
                : p.failed ? [p.note] : [p.note, numberText(p.x)])};
    });
    return {x: axis, y: {scale: 'band', names: groups.map(g => g.name), label: ''}, series};
}

/** A box plot of the iterations of solvers. */
function figureIterationsSpec(runs) {
    const found = iterationValues(runs).filter(g => g.values.length || g.failed.length);
    if (d3.max(found, g => g.values.length) < 3) {
        return null;
    }
    const groups = found.map(g => ({name: g.solver.label, look: drawLook(g.solver), ...g}))
        .sort((a, b) => d3.ascending(d3.median(a.values, v => v.y) ?? Infinity,
            d3.median(b.values, v => v.y) ?? Infinity));
    const none = d3.sum(groups, g => g.values.filter(v => v.y <= 0).length);
    return {
        name: figureName('iterations', runs), title: 'Iterations', legend: 'none',
        caption: `Iterations of the solved runs. ${figureWhere(runs)} Boxes are quartiles with the `
            + 'median, whiskers reach to the furthest values within 1.5 times their distance on '
            + 'the axis, other runs are points. A cross in the margin: runs of the solver failed.'
            + (none ? ` ${countText(none, 'run')} without iterations cannot stand on the `
                + 'logarithmic axis.' : '') + ' An iteration costs differently in each solver.',
        panels: [figureBoxPanel(groups, {label: 'iterations', unit: '', scale: 'log'}, true)],
        rows: () => [['solver', 'instance', 'iterations', 'solved'], ...groups.flatMap(g => [
            ...g.values.map(v => [g.name, v.run.instance.name, v.y, 'yes']),
            ...g.failed.map(r => [g.name, r.instance.name, r.iterations ?? '', 'no'])])],
    };
}
