/* SPDX-License-Identifier: Apache-2.0
 * web/report/figures_data.js: the numbers of the figures, computed from runs; nothing here draws.
 * The same as in command/results: a failure is never reached in a profile, a run that is missing
 * counts as a failure, and a problem that a solver does not take does not count for it, nor a run that
 * the filters leave out. */
'use strict';

const dataRoundoff = 2 ** -53;
const dataFitSizes = 5;
const dataCostKeys = ['seconds', 'iterations', 'products', 'bytes'];
const dataStudent = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201,
    2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064,
    2.060, 2.056, 2.052, 2.048, 2.045, 2.042];

/** How a run counts. */
function dataSolved(run) {
    return run.ending.class === 'solved';
}
function dataTaken(run) {
    return run.ending.class !== 'refused';
}

/** A measure of a run as a number; NaN where there is none. */
function dataNumber(run, key) {
    const value = run[key];
    return typeof value === 'number' && Number.isFinite(value) ? value : NaN;
}

/** The time of a solved run, at least the microsecond of the clock unless a loop measured a shorter
 *  one; Infinity of a failure. */
function dataCost(run) {
    const seconds = dataNumber(run, 'seconds');
    const shortest = 'loops' in run && !(run.loops > 1) ? 1e-6 : 1e-9;
    return dataSolved(run) && seconds >= 0 ? Math.max(seconds, shortest) : Infinity;
}

/** The residual of the problem as given; NaN where there is none. */
function dataResidual(run) {
    const given = dataNumber(run, 'residual_given');
    return Number.isNaN(given) ? dataNumber(run, 'residual') : given;
}

/** Distinct values in the order of their first occurrence. */
function dataDistinct(list, of = v => v) {
    return [...new Set(list.map(of))];
}

/** The warm-start policy of a solver, and its label without it. */
function dataPolicy(solver) {
    if (solver.policy) {
        return solver.policy;
    }
    const found = / (warm|oracle|perturbed[^ ]*)$/.exec(solver.label);
    return found ? found[1] : 'cold';
}
function dataBase(solver) {
    const policy = dataPolicy(solver);
    return policy !== 'cold' && solver.label.endsWith(' ' + policy)
        ? solver.label.slice(0, -policy.length - 1) : solver.label;
}

/** Runs of one set at one tolerance by instance and solver: {instances, solvers, at}. */
function dataTable(runs) {
    const at = new Map();
    for (const run of runs) {
        if (!at.has(run.instance)) {
            at.set(run.instance, new Map());
        }
        at.get(run.instance).set(run.solver, run);
    }
    return {instances: [...at.keys()], solvers: dataDistinct(runs, r => r.solver),
        at: (instance, solver) => at.get(instance).get(solver)};
}

/** Was the run made, so that it is missing among the chosen ones because a filter leaves it out? */
function dataLeftOut(instance, solver, {set, tolerance}) {
    return Boolean(instance.made?.has(modelMade(set, solver, tolerance)));
}

/** Curves of a profile: for each solver {solver, taken, solved, values: [{x, run}], runs}, where
 *  values ascend. `relative`: ratios to the least cost of a problem (performance profile
 *  [dolan-more-2002]), else costs. */
function profileCurves(runs, relative = true, cost = dataCost) {
    const table = dataTable(runs);
    const lowest = new Map();
    for (const instance of table.instances) {
        const costs = table.solvers.map(s => table.at(instance, s)).filter(r => r && dataTaken(r))
            .map(cost);
        if (costs.length) {
            lowest.set(instance, Math.min(...costs));
        }
    }
    return table.solvers.map(solver => {
        const curve = {solver, taken: 0, values: [], runs: []};
        for (const [instance, least] of lowest) {
            const run = table.at(instance, solver);
            if (run ? !dataTaken(run) : dataLeftOut(instance, solver, runs[0])) {
                continue;
            }
            curve.taken++;
            if (run) {
                curve.runs.push(run);
            }
            const x = run ? cost(run) : Infinity;
            if (Number.isFinite(x)) {
                curve.values.push({x: relative ? x / least : x, run});
            }
        }
        curve.values.sort((a, b) => a.x - b.x);
        curve.solved = curve.values.length;
        return curve;
    }).filter(curve => curve.taken > 0);
}

/** The share of problems of a curve at x. */
function profileShare(curve, x) {
    const reached = curve.values.filter(v => v.x <= x).length;
    return curve.taken ? reached / curve.taken : 0;
}

/** How many problems any solver takes, and how many of them none solves. */
function profileProblems(runs) {
    const table = dataTable(runs.filter(dataTaken));
    return {problems: table.instances.length, unsolved: table.instances.filter(i =>
        table.solvers.every(s => !(table.at(i, s) && dataSolved(table.at(i, s))))).length};
}

/** A power law y = 10^intercept x^slope by least squares, with the 95 % interval of the slope as
 *  +- half; null with fewer than three points or one x. */
function fitPower(points) {
    const logs = points.filter(p => p.x > 0 && p.y > 0)
        .map(p => [Math.log10(p.x), Math.log10(p.y)]);
    const n = logs.length;
    const mx = d3.mean(logs, l => l[0]);
    const my = d3.mean(logs, l => l[1]);
    const sxx = d3.sum(logs, l => (l[0] - mx) ** 2);
    if (n < 3 || !(sxx > 1e-12)) {
        return null;
    }
    const slope = d3.sum(logs, l => (l[0] - mx) * (l[1] - my)) / sxx;
    const intercept = my - slope * mx;
    const rest = d3.sum(logs, l => (l[1] - intercept - slope * l[0]) ** 2);
    const df = n - 2;
    const t = dataStudent[df - 1] ?? 1.96 * (1 + (1.96 ** 2 + 1) / (4 * df));
    return {slope, intercept, half: t * Math.sqrt(rest / df / sxx), count: n,
        least: 10 ** d3.min(logs, l => l[0]), most: 10 ** d3.max(logs, l => l[0])};
}

/** The size of a problem: its rows, or else its varied number, contacts or links. */
function dataSize(run) {
    const of = run.instance;
    const varied = name => (typeof of.values?.[name] === 'number' ? of.values[name] : NaN);
    return [of.n, varied('n'), varied('links'), varied('contacts'), of.contacts]
        .find(v => v > 0) ?? NaN;
}

/** Time against size: [{problem, series: [{solver, points: [{x, y, run}], medians: [{x, y, solved,
 *  runs}], failed, fit}]}], one entry per family of problems with three sizes. A median is over all
 *  runs of a size, where a failure costs infinitely much; a fit is through the runs at the sizes
 *  that are all solved, of which it needs five. */
function scalingSeries(runs, key = 'seconds') {
    const taken = runs.filter(r => dataTaken(r) && dataSize(r) > 0);
    const families = d3.groups(taken, r => r.instance.problem);
    return families.map(([problem, of]) => {
        const sizes = dataDistinct(of, dataSize).sort((a, b) => a - b);
        if (sizes.length < 3) {
            return null;
        }
        const series = d3.groups(of, r => r.solver).map(([solver, mine]) => {
            const points = mine.filter(r => dataSolved(r) && dataNumber(r, key) > 0)
                .map(run => ({x: dataSize(run), y: dataNumber(run, key), run}))
                .sort((a, b) => a.x - b.x);
            const medians = d3.groups(mine, dataSize).sort((a, b) => a[0] - b[0])
                .map(([x, runs]) => ({x, runs, solved: runs.filter(dataSolved).length,
                    y: dataMedian(dataCosts(runs, key))}));
            const whole = new Set(medians.filter(m => m.solved === m.runs.length).map(m => m.x));
            return {solver, points, medians, failed: mine.filter(r => !dataSolved(r)),
                fit: whole.size >= dataFitSizes ? fitPower(points.filter(p => whole.has(p.x)))
                    : null};
        });
        return {problem, sizes, series};
    }).filter(f => f);
}

/** The medians of work and residual of every solver at every tolerance, of one set: [{solver,
 *  points: [{tolerance, x, y, low, high, solved, runs}]}]; a failure costs infinitely much. */
function precisionSeries(runs, key = 'seconds') {
    return d3.groups(runs.filter(dataTaken), r => r.solver).map(([solver, mine]) => ({
        solver,
        points: d3.groups(mine, r => r.tolerance).sort((a, b) => b[0] - a[0])
            .map(([tolerance, of]) => {
                const costs = dataCosts(of, key);
                const solved = of.filter(dataSolved);
                const q = p => dataQuantile(costs, p);
                return {tolerance, y: dataMedian(costs), low: q(0.25), high: q(0.75),
                    x: d3.median(solved, r => Math.max(dataResidual(r), dataRoundoff)),
                    solved: solved.length, runs: of};
            }),
    }));
}

/** A quantile of ascending numbers, Infinity among them. */
function dataQuantile(sorted, p) {
    const at = (sorted.length - 1) * p;
    const [a, b] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
    return a === b ? a : a + (b - a) * (at - Math.floor(at));
}

/** The costs of runs, ascending: of a failure Infinity; of a solved run without a number none. */
function dataCosts(runs, key) {
    return runs.map(r => (dataSolved(r) ? dataNumber(r, key) : Infinity))
        .filter(x => !Number.isNaN(x)).sort((a, b) => a - b);
}

/** The median of ascending numbers, infinite where more than half are: of two middle numbers, one of
 *  them infinite, it is the finite one. NaN of none. */
function dataMedian(sorted) {
    const middle = sorted.length ? dataQuantile(sorted, 0.5) : NaN;
    return middle === Infinity ? sorted[(sorted.length - 1) >> 1] : middle;
}

/** The quartiles and whiskers of numbers: the furthest values within 1.5 times the distance of
 *  the quartiles (of logarithms where `log`) [tukey-1977]; values beyond are `out`. */
function boxOf(values, log) {
    const sorted = [...values].sort((a, b) => a - b);
    const [first, median, third] = [0.25, 0.5, 0.75].map(p => dataQuantile(sorted, p));
    const beyond = log ? (third / first) ** 1.5 : 1.5 * (third - first);
    const [low, high] = log ? [first / beyond, third * beyond] : [first - beyond, third + beyond];
    const inside = sorted.filter(v => v >= low && v <= high);
    return {q: [inside[0], first, median, third, inside.at(-1)],
        out: sorted.filter(v => v < low || v > high)};
}

/** Iterations of solved runs by solver: [{solver, values: [{y, run}], failed: [runs]}]. */
function iterationValues(runs, key = 'iterations') {
    return d3.groups(runs.filter(dataTaken), r => r.solver).map(([solver, mine]) => ({
        solver,
        values: mine.filter(r => dataSolved(r) && Number.isFinite(dataNumber(r, key)))
            .map(run => ({y: dataNumber(run, key), run})),
        failed: mine.filter(r => !dataSolved(r)),
    }));
}

/** Endings of instances by solvers: {solvers, rows: [{instances, classes, runs}]}. Instances with
 *  equal endings share a row when there are more than `most`. */
function heatRows(runs, most = 40) {
    const table = dataTable(runs);
    const rows = new Map();
    for (const instance of table.instances) {
        const of = table.solvers.map(s => table.at(instance, s) || null);
        const classes = of.map(r => (r ? r.ending.class : ''));
        const key = table.instances.length > most ? classes.join() : String(rows.size);
        if (!rows.has(key)) {
            rows.set(key, {instances: [], classes, runs: of.map(() => [])});
        }
        rows.get(key).instances.push(instance);
        of.forEach((r, k) => r && rows.get(key).runs[k].push(r));
    }
    return {solvers: table.solvers, merged: table.instances.length > most,
        rows: [...rows.values()]};
}

/** Medians and quartiles of a measure over a varied parameter: [{solver, name, points: [{x, y, low,
 *  high, runs, solved, failed}]}], of costs over all runs, where a failure is infinite, else over the
 *  solved ones. An option of solvers makes one series of the variants of a solver. */
function parameterSeries(runs, name, key) {
    const value = r => r.values[name];
    const known = runs.filter(r => dataTaken(r) && value(r) !== null && value(r) !== undefined);
    const option = name.startsWith('solver.');
    return d3.groups(known, r => (option ? r.solver.solver : r.solver)).map(([of, mine]) => ({
        solver: mine[0].solver, name: option ? of : of.label,
        points: d3.groups(mine, value).sort((a, b) => d3.ascending(a[0], b[0])).map(([x, of]) => {
            const solved = of.filter(dataSolved);
            const sorted = dataCosts(dataCostKeys.includes(key) ? of : solved, key);
            const finite = y => (Number.isFinite(y) ? y : null);
            const q = p => (sorted.length ? finite(dataQuantile(sorted, p)) : null);
            return {x, y: finite(dataMedian(sorted)), low: q(0.25), high: q(0.75), runs: of,
                solved: solved.length, failed: of.length - solved.length};
        }),
    }));
}

/** The parameters that take several values in these runs. */
function parametersVaried(runs) {
    const names = dataDistinct(runs.flatMap(r => Object.keys(r.values)));
    return names.filter(name => dataDistinct(runs.map(r => r.values[name])
        .filter(v => v !== null && v !== undefined)).length > 1);
}

/** What warm starts save: [{solver, policy, cold, iterations, coldIterations, saved, seconds,
 *  savedSeconds, runs}], over the sequences that both policies solved. */
function warmSavings(runs) {
    const cold = new Map(runs.filter(r => dataPolicy(r.solver) === 'cold')
        .map(r => [r.instance.index + ' ' + dataBase(r.solver), r]));
    const pairs = runs.filter(r => dataPolicy(r.solver) !== 'cold').map(run => ({run,
        base: cold.get(run.instance.index + ' ' + dataBase(run.solver))})).filter(p => p.base);
    return d3.groups(pairs, p => p.run.solver).map(([solver, of]) => {
        const both = of.filter(p => dataSolved(p.run) && dataSolved(p.base));
        const sum = (key, side) => d3.sum(both, p => dataNumber(p[side], key));
        const saved = key => (sum(key, 'base') > 0 ? 1 - sum(key, 'run') / sum(key, 'base') : NaN);
        return {solver, policy: dataPolicy(solver), name: dataBase(solver), compared: both.length,
            failed: of.length - both.length, iterations: sum('iterations', 'run'),
            coldIterations: sum('iterations', 'base'), saved: saved('iterations'),
            savedSeconds: saved('seconds'), runs: of.flatMap(p => [p.run, p.base])};
    });
}
