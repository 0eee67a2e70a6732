// SPDX-License-Identifier: Apache-2.0
// figures_check.mjs: the numbers of the figures of the report, on runs worked by hand.
import {readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import vm from 'node:vm';

const source = process.env.PERP_SOURCE
    || join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const scope = vm.createContext({});
vm.runInContext('var self = globalThis;', scope);
for (const file of ['vendor/d3.min.js', 'report/model.js', 'report/figures_data.js']) {
    vm.runInContext(readFileSync(join(source, 'web', file), 'utf8'), scope);
}
const call = (name, ...values) => vm.runInContext(name, scope)(...values);

let count = 0;
let failed = 0;
function check(name, found, expected) {
    const [a, b] = [found, expected].map(v => JSON.stringify(v, (k, x) =>
        (typeof x === 'number' && Number.isFinite(x) ? Number(x.toPrecision(9)) : x === Infinity
            ? 'Infinity' : x)));
    count++;
    console.log((a === b ? 'ok ' : 'not ok ') + count + ' - figures: ' + name);
    if (a !== b) {
        failed++;
        console.log('#   found ' + a + ', expected ' + b);
    }
}

const endings = {s: {name: 'solved', class: 'solved'}, f: {name: 'stalled', class: 'failed'},
    r: {name: 'not applicable', class: 'refused'},
    a: {name: 'solved its approximation', class: 'approximate'}};
const solvers = ['p', 'q', 'p warm'].map((label, index) => ({index, label, solver: label[0]}));
const instances = [10, 20, 40, 80, 160].map((n, index) => ({index, n, name: 'spd:n=' + n,
    problem: 'spd', kind: 'lcp', values: {}}));
const swept = 'abcdefg'.split('').map((name, index) => ({index, name, made: new Set()}));
const run = (instance, solver, ending, seconds, more = {}) => ({instance: instances[instance],
    solver: solvers[solver], ending: endings[ending], seconds, tolerance: 1e-8, values: {},
    residual: ending === 's' ? 1e-9 : 1e-3, iterations: 10, ...more});

// p solves three of four problems, q two of the three that it takes; none solves the fourth.
const runs = [
    run(0, 0, 's', 1), run(0, 1, 's', 2), run(1, 0, 's', 6), run(1, 1, 's', 2),
    run(2, 0, 's', 4), run(2, 1, 'r', null), run(3, 0, 'f', 9), run(3, 1, 'f', 1),
];
const curves = call('profileCurves', runs);
check('ratios of a performance profile, ascending', curves.map(c => c.values.map(v => v.x)),
    [[1, 1, 3], [1, 2]]);
check('what a solver takes and solves', curves.map(c => [c.taken, c.solved]), [[4, 3], [3, 2]]);
check('a failure is never reached', curves.map(c => call('profileShare', c, 1e9)),
    [3 / 4, 2 / 3]);
check('the share at a ratio', curves.map(c => call('profileShare', c, 1)), [1 / 2, 1 / 3]);
check('costs, not ratios', call('profileCurves', runs, false).map(c => c.values.map(v => v.x)),
    [[1, 4, 6], [2, 2]]);
check('problems, and those that no solver solves', call('profileProblems', runs),
    {problems: 4, unsolved: 1});
check('a run that is missing counts as a failure',
    call('profileCurves', runs.filter((r, k) => k !== 2)).map(c => [c.taken, c.solved]),
    [[4, 2], [3, 2]]);
// The runs of tests/command/kinds_failures.c, with the numbers that it expects of the figure.
const made = [[1, 2], [1, 2], [1, 2], [2, 1], [null, 3], [null, null], [1, 1]].flatMap((times, k) =>
    times.map((seconds, s) => ({set: {index: 0}, instance: swept[k], solver: solvers[s],
        tolerance: 1e-8, ending: seconds ? endings.s : endings.f, seconds: seconds || 9,
        values: {mu: k < 5 ? 0.1 : 0.5}})));
made.forEach(r => r.instance.made.add(call('modelMade', r.set, r.solver, r.tolerance)));
const weak = call('profileCurves', made.filter(r => r.values.mu === 0.1));
check('runs that a filter leaves out are no failures', weak.map(c => [c.taken,
    ...[1, 2].map(x => call('profileShare', c, x))]), [[5, 0.6, 0.8], [5, 0.4, 1]]);
check('a filter that leaves out runs of a problem that stays',
    call('profileCurves', made.filter(r => r.ending === endings.s)).map(c => [c.taken, c.solved]),
    [[5, 5], [6, 6]]);
check('an approximation is not solved',
    call('profileCurves', [run(0, 0, 'a', 1), run(0, 1, 's', 2)]).map(c => c.solved), [0, 1]);
check('a time below the clock is a microsecond, unless a loop measured it',
    [{loops: 1}, {loops: 9}].map(m => call('dataCost', run(0, 0, 's', 1e-8, m))), [1e-6, 1e-8]);

// y = 3 x^2 without an error; and y = 1, 10, 10 at x = 1, 10, 100: the slope is 1/2, the
// residuals of log y are -1/6, 1/3, -1/6, their squares sum to 1/6, the error of the slope is
// sqrt(1/6/1/2), and Student's 97.5 % at one degree of freedom is 12.706.
check('a power law', call('fitPower', [1, 2, 5].map(x => ({x, y: 3 * x * x}))).slope, 2);
const rough = call('fitPower', [{x: 1, y: 1}, {x: 10, y: 10}, {x: 100, y: 10}]);
check('the slope and its interval', [rough.slope, rough.half], [0.5, 12.706 * Math.sqrt(1 / 12)]);
check('two points make no fit', call('fitPower', [{x: 1, y: 1}, {x: 2, y: 2}]), null);

const sized = instances.flatMap((of, k) => [run(k, 0, 's', of.n ** 2), run(k, 1, k < 4 ? 's' : 'f',
    of.n)]);
const [family] = call('scalingSeries', sized);
check('a fit needs five solved sizes', family.series.map(s => s.fit && s.fit.slope), [2, null]);
check('failures among sizes are kept', family.series.map(s => s.failed.length), [0, 1]);

// At size 20 one of three fails, at 40 two of three: medians 6 and none. At 80 half fail: 18.
const grown = [[0, [1, 3]], [1, [4, 6, 0]], [2, [8, 0, 0]], [3, [16, 0, 18, 0]]].flatMap(([k, of]) =>
    of.map(seconds => run(k, 0, seconds ? 's' : 'f', seconds || 9)));
const [[growing]] = call('scalingSeries', grown).map(f => f.series);
check('a median over all runs, a failure infinite', growing.medians.map(m => [m.x, m.y, m.solved,
    m.runs.length]), [[10, 2, 2, 2], [20, 6, 2, 3], [40, Infinity, 1, 3], [80, 18, 2, 4]]);
check('a solved run without a number is no failure', call('scalingSeries', grown, 'products')
    .map(f => [f.series[0].failed.length, f.series[0].points.length]), [[5, 0]]);

check('quartiles', [0.25, 0.5, 0.75].map(p => call('dataQuantile', [1, 2, 3, 4], p)),
    [1.75, 2.5, 3.25]);
check('a failure costs infinitely much', call('dataQuantile', [1, Infinity, Infinity], 0.5),
    Infinity);
check('whiskers and what lies beyond', call('boxOf', [1, 2, 3, 4, 100], false),
    {q: [1, 2, 3, 4, 4], out: [100]});

const tolerant = [1e-2, 1e-4].flatMap(tolerance => [0, 1, 2].map(k => run(k, 0,
    tolerance === 1e-4 && k ? 'f' : 's', k + 1, {tolerance, residual: tolerance / 2})));
const [precise] = call('precisionSeries', tolerant);
check('work at each tolerance', precise.points.map(p => [p.tolerance, p.x, p.y, p.solved]),
    [[1e-2, 5e-3, 2, 3], [1e-4, 5e-5, Infinity, 1]]);

const warm = [run(0, 0, 's', 4, {iterations: 100}), run(0, 2, 's', 1, {iterations: 20}),
    run(1, 0, 's', 4, {iterations: 100}), run(1, 2, 'f', 1, {iterations: 5})];
const [saving] = call('warmSavings', warm);
check('what warm starts save, where both solved',
    [saving.saved, saving.savedSeconds, saving.compared, saving.failed], [0.8, 0.75, 1, 1]);

const varied = [0.1, 0.1, 0.5].map((mu, k) => run(k, 0, 's', k + 1, {values: {mu}}))
    .concat([run(3, 0, 'f', 9, {values: {mu: 0.5}})]);
const [line] = call('parameterSeries', varied, 'mu', 'seconds');
check('medians over a parameter', line.points.map(p => [p.x, p.y, p.solved, p.failed]),
    [[0.1, 1.5, 2, 0], [0.5, 3, 1, 1]]);
check('what varies', call('parametersVaried', varied), ['mu']);

const heat = call('heatRows', runs, 2);
check('instances with equal endings share a row', heat.rows.map(r => [r.instances.length,
    r.classes]), [[2, ['solved', 'solved']], [1, ['solved', 'refused']],
    [1, ['failed', 'failed']]]);
check('no run is lost', heat.rows.flatMap(r => r.runs.flat()).length, runs.length);

console.log('1..' + count);
process.exitCode = failed ? 1 : 0;
