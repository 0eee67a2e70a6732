// SPDX-License-Identifier: Apache-2.0
// model_check.mjs: the model of the report page on data worked by hand: columns as objects, filters,
// the ranking of chosen runs, the state in the link.
import {readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import vm from 'node:vm';

const source = process.env.PERP_SOURCE
    || join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const scope = vm.createContext({});
vm.runInContext('var self = globalThis;', scope);
for (const file of ['vendor/d3.min.js', 'base.js', 'report/model.js', 'report/pairs.js', 'report/page.js']) {
    // The last line of page.js starts the page, which needs a browser.
    const text = readFileSync(join(source, 'web', file), 'utf8');
    vm.runInContext(text.replace(/^pageStart\(\).*$/m, ''), scope);
}
const call = (name, ...values) => vm.runInContext(name, scope)(...values);

let count = 0;
let failed = 0;
function check(name, found, expected) {
    const [a, b] = [found, expected].map(v => JSON.stringify(v, (k, x) =>
        (typeof x === 'number' ? Number(x.toPrecision(9)) : x)));
    count++;
    console.log((a === b ? 'ok ' : 'not ok ') + count + ' - model: ' + name);
    if (a !== b) {
        failed++;
        console.log('#   found ' + a + ', expected ' + b);
    }
}

// Three solvers on three problems: p solves all, q fails one, r does not take one; a second set.
const data = {
    tolerances: [1e-4, 1e-8], folders: ['one'], machine: {}, noise: [], columns: [],
    sets: [{name: 'first', title: 'a title'}, {name: 'second', title: ''}],
    solvers: ['p', 'q', 'r,&=#%'].map(label => ({label})),
    parameters: [{name: 'mu', unit: ''}],
    measures: ['residual', 'seconds', 'iterations', 'loops'].map(key => ({key})),
    endings: [{name: 'solved', class: 'solved', help: 'solved: it is'},
        {name: 'stalled', class: 'failed', help: 'failed: no progress.'},
        {name: 'not applicable', class: 'refused', help: ''}],
    instances: [['a', 'lcp', 10], ['b', 'lcp', 20], ['c', 'fc3d', 30]].map(([name, kind, n]) =>
        ({name, kind, n})),
    runs: {
        set: [0, 0, 0, 0, 0, 0, 0, 0, 0, 1], instance: [0, 1, 2, 0, 1, 2, 0, 1, 2, 0],
        solver: [0, 0, 0, 1, 1, 1, 2, 2, 2, 0], tolerance: [1, 1, 1, 1, 1, 1, 1, 1, 1, 0],
        ending: [0, 0, 0, 0, 0, 1, 0, 0, 2, 0], folder: Array(10).fill(0),
        seconds: [1, 1, 1, 2, 8, 5, 1, 0.5, null, 1], residual: Array(10).fill(1e-9),
        iterations: Array(10).fill(3), loops: Array(10).fill(1),
        values: {mu: [0.1, 0.1, 0.5, 0.1, 0.1, 0.5, 0.1, 0.1, 0.5, null]},
    },
    ranking: [{set: 'first', tolerance: 1e-8, rows: [{solver: 'p', solved: 3, ratio: 1},
        {solver: 'q', solved: 2, ratio: 3}],
    // The reference of the reader: rows and pairs.
    against: [[[1, null, null, null, 'reference', 3], [3, 2, 5, 0.25, 'slower', 3]],
        [[0.3333, 0.2, 0.5, 0.25, 'faster', 3], [1, null, null, null, 'reference', 3]]],
    pairs: [[0, 1, 3, 3, 2, 2, 0.25, 0.1, 0.5, 0.04]]}],
    changes: null, definition: '',
};
const report = call('modelFrom', data);
const select = filters => call('modelSelect', filters).map(run => run.index);
const [first] = report.sets;

check('a run has objects for its indices', [report.runs[5].solver.label,
    report.runs[5].ending.class, report.runs[5].tolerance, report.runs[5].values.mu],
['q', 'failed', 1e-8, 0.5]);
check('an ending is explained without its name or class in front', report.endings.map(e =>
    e.help), ['It is.', 'No progress.', '']);
check('no filter leaves all runs', select({values: {}}).length, 10);
check('values of one filter add up', select({solver: ['p', 'q'], set: ['first'], values: {}}),
    [0, 1, 2, 3, 4, 5]);
check('sizes', select({least: 20, most: 25, values: {}}), [1, 4, 7]);
check('endings', select({ending: ['stalled'], values: {}}), [5]);
check('kinds', select({kind: ['fc3d'], values: {}}), [2, 5, 8]);
check('tolerances', select({tolerance: ['0.0001'], values: {}}), [9]);
check('varied parameters, and runs without one', [select({values: {mu: ['0.5']}}),
    select({values: {mu: ['–']}})], [[2, 5, 8], [9]]);
check('each word of a search is asked for', [select({words: 'STALL', values: {}}),
    select({words: 'title q', values: {}}), select({words: 'nothing', values: {}})],
[[5], [3, 4, 5], []]);

const all = call('modelTable', first, 1e-8);
check('the ranking of all runs is that of the data', call('modelRanking', first, 1e-8, all).rows
    .map(r => [r.solver.label, r.ratio]), [['p', 1], ['q', 3]]);
const some = call('modelRanking', first, 1e-8, all.filter(run => run.index !== 2));
check('the ranking of some runs is computed', [some.stored, ...some.rows.map(r =>
    [r.solver.label, r.taken, r.solved, r.refused, r.fastest])],
[false, ['r,&=#%', 2, 2, 1, 2], ['p', 2, 2, 0, 1], ['q', 3, 2, 0, 0]]);
check('ratios are geometric means over the problems that both solve', some.rows.map(r => r.ratio),
    [1, Math.sqrt(2), Math.sqrt(32)]);
check('an interval of two problems is their range', [some.rows[2].ratio_low,
    some.rows[2].ratio_high], [2, 16]);
check('the same numbers give the same interval', call('modelInterval', [1, 2, 3, 4, 5]),
    call('modelInterval', [1, 2, 3, 4, 5]));
check('equal numbers give an interval of no width', call('modelInterval', [2, 2, 2]), [2, 2]);
check('a time below the clock counts as a microsecond, unless it was measured in a loop',
    [1, 3].map(loops => call('modelCost', {ending: report.endings[0], seconds: 1e-8, loops})),
    [1e-6, 1e-8]);

const entry = report.ranking.find(r => r.set === first && r.tolerance === 1e-8);
const against = label => call('modelRanking', first, 1e-8, all, true, label);
check('the ratios are those against the chosen solver', against('q').rows.map(r =>
    [r.solver.label, r.ratio, r.ratio_low, r.ratio_high, r.p, r.verdict]),
[['p', 0.3333, 0.2, 0.5, 0.25, 'faster'], ['q', 1, null, null, null, 'reference']]);
check('a solver that the set does not have leaves the ratios of the data', against('nobody').rows
    .map(r => [r.solver.label, r.ratio]), [['p', 1], ['q', 3]]);
check('the best is the one of the least mean', against('*').rows.map(r => r.verdict)[0], 'best');
check('some runs are compared with the chosen solver', call('modelRanking', first, 1e-8,
    all.filter(run => run.index !== 2), true, 'p').rows.map(r => [r.solver.label, r.verdict]),
[['r,&=#%', ''], ['p', 'reference'], ['q', '']]);
check('a pair is found in both directions', [call('pairsFind', entry, 0, 1),
    call('pairsFind', entry, 1, 0)], [
    {common: 3, solved: 3, others: 2, both: 2, ratio: 0.25, low: 0.1, high: 0.5, p: 0.04},
    {common: 3, solved: 2, others: 3, both: 2, ratio: 4, low: 2, high: 10, p: 0.04}]);
check('a sentence to paste, the same as that of perp plot', [
    call('pairsSentence', {solved: 28, common: 32, others: 23, both: 22, ratio: 1 / 4.8,
        low: 1 / 9.4, high: 1 / 2.4, p: 5e-4}, 'fista', 'nsgs'),
    call('pairsSentence', {solved: 9, common: 9, others: 9, both: 9, ratio: 120.4, low: 0.851,
        high: 1200, p: 0.25}, 'pgs', 'nsgs'),
    call('pairsSentence', {solved: 1, common: 9, others: 9, both: 1, ratio: 2, low: null,
        high: null, p: 1}, 'pgs', 'nsgs'),
    call('pairsSentence', {solved: 0, common: 9, others: 9, both: 0, ratio: null, low: null,
        high: null, p: null}, 'pgs', 'nsgs')], [
    'fista solved 28 of 32, nsgs 23; on the 22 that both solve nsgs takes 4.8 times as long '
        + '(95 % 2.4 to 9.4), Wilcoxon p = 0.0005',
    'pgs solved 9 of 9, nsgs 9; on the 9 that both solve pgs takes 120 times as long '
        + '(95 % 0.85 to 1200), Wilcoxon p = 0.25',
    'pgs solved 1 of 9, nsgs 9; on the one that both solve pgs takes 2.0 times as long',
    'pgs solved 0 of 9, nsgs 9; no problem is solved by both']);
check('sentences against the chosen solver alone', [call('pairsSentences', entry, 'q').length,
    call('pairsSentences', entry, null).length], [1, 0]);

const state = {at: 'runs', set: 'a&b=c', against: 'r,&=#%', tolerance: 1e-8, run: 7, own: {x: 'n', log: ['x']},
    theme: 'dark', filters: {values: {'mu,=&': ['0.1', '–']}, solver: ['r,&=#%', 'p'],
        least: 20, words: 'x y&z'}, sort: {runs: '-seconds'}, changes: ['slower?']};
const read = call('stateRead', '#' + call('stateText', state));
const sorted = o => JSON.parse(JSON.stringify(o), (k, v) => (v && typeof v === 'object'
    && !Array.isArray(v) ? Object.fromEntries(Object.entries(v).sort()) : v));
check('the link restores the state', sorted(read), sorted(state));
check('an empty link is the page as it is', sorted(call('stateRead', '')), sorted({at: '',
    set: null, against: null, tolerance: null, run: null, own: null, theme: '', filters: {values: {}}, sort: {},
    changes: []}));
check('a part that cannot be decoded is left out', call('stateRead', '#&set=%&run=3').run, 3);
check('names as a list', [['a'], ['a', 'b'], ['a', 'b', 'c', 'd']].map(names =>
    call('listText', names, 3)), ['a', 'a and b', 'a, b and 2 others']);
check('a tolerance as it was asked', [1e-8, 2.5e-6].map(t => call('toleranceText', t)),
    ['1e−8', '2.5e−6']);
console.log('1..' + count);
process.exitCode = failed ? 1 : 0;
