/* SPDX-License-Identifier: Apache-2.0
 * web/report/model.js: the data of the report as objects, the choice of runs, and the numbers that
 * are computed from the chosen ones. Nothing here draws. */
'use strict';

const report = {};
const modelTie = 0.05;
const modelSamples = 2000;
let modelDetailBlock = null;

/** Read the block "report" and make objects of its columns; see report/page_data.h. */
async function modelLoad() {
    const raw = await blockJson('report');
    if (!raw) {
        throw new Error('the page has no block of data "report"');
    }
    return modelFrom(raw);
}

/** The model of a block that was read. */
function modelFrom(raw) {
    for (const key of Object.keys(report)) {
        delete report[key];
    }
    Object.assign(report, raw);
    for (const list of ['sets', 'solvers', 'endings', 'instances']) {
        report[list] = raw[list].map((entry, index) => ({...entry, index}));
    }
    report.solvers.forEach(s => {
        s.name = s.name ?? s.label;
    });
    report.endings.forEach(e => {
        e.help = modelHelp(e);
    });
    report.runs = modelRuns(raw);
    report.ranking = (raw.ranking || []).map(entry => ({...entry,
        set: modelFind(report.sets, entry.set, 'name'),
        tolerance: modelTolerance(entry.tolerance),
        rows: entry.rows.map(row => ({...row,
            solver: modelFind(report.solvers, row.solver, 'label')})),
    }));
    report.tables = (raw.tables || []).map(entry => ({...entry,
        set: modelFind(report.sets, entry.set, 'name'),
        tolerance: modelTolerance(entry.tolerance)}));
    report.byTable = new Map();
    for (const run of report.runs) {
        const key = modelKey(run.set, run.tolerance);
        if (!report.byTable.has(key)) {
            report.byTable.set(key, []);
        }
        report.byTable.get(key).push(run);
    }
    return report;
}

/** What an ending means, without its name or class in front. */
function modelHelp(ending) {
    const [, first, rest] = (ending.help || '').match(/^([^:]*): (.*)$/s) || [];
    const text = first === ending.name || first === ending.class ? rest : ending.help || '';
    return sentenceText(text);
}

/** A phrase as a sentence: with a capital, where it begins with a word, and a full stop. */
function sentenceText(text) {
    return (text || '').replace(/^[a-z](?=[a-z]+\b[^:=_])/, c => c.toUpperCase())
        .replace(/([^.!?])$/, '$1.');
}

/** One object per run. */
function modelRuns(raw) {
    const columns = raw.runs;
    const measures = raw.measures.filter(m => columns[m.key]);
    const parameters = raw.parameters.filter(p => columns.values && columns.values[p.name]);
    return columns.instance.map((instance, index) => {
        const run = {
            index,
            set: report.sets[columns.set[index]],
            instance: report.instances[instance],
            solver: report.solvers[columns.solver[index]],
            tolerance: raw.tolerances[columns.tolerance[index]],
            ending: report.endings[columns.ending[index]],
            folder: columns.folder ? raw.folders[columns.folder[index]] : raw.folders[0],
            values: {},
        };
        run.instance.made = run.instance.made || new Set();
        run.instance.made.add(modelMade(run.set, run.solver, run.tolerance));
        for (const m of measures) {
            run[m.key] = columns[m.key][index];
        }
        for (const p of parameters) {
            run.values[p.name] = columns.values[p.name][index];
        }
        return run;
    });
}

/** The name of a run among those of its instance. */
function modelMade(set, solver, tolerance) {
    return set.index + ' ' + solver.index + ' ' + tolerance;
}

/** The entry of a list by its name or by its index. */
function modelFind(list, which, key) {
    return typeof which === 'number' ? list[which] : list.find(entry => entry[key] === which);
}

/** A tolerance by its value or by its index. */
function modelTolerance(which) {
    return report.tolerances.includes(which) || !Number.isInteger(which) ? which
        : report.tolerances[which];
}

/** The name of the table of a set at a tolerance. */
function modelKey(set, tolerance) {
    return set.index + ' ' + tolerance;
}

/** What is read when a run is opened; null where the page does not have it. */
async function modelDetails(run) {
    modelDetailBlock = modelDetailBlock || blockJson('details');
    const all = await modelDetailBlock;
    return all ? all[run.index] : null;
}

/** The runs of a set at a tolerance, all of them. */
function modelTable(set, tolerance) {
    return report.byTable.get(modelKey(set, tolerance)) || [];
}

/** The tolerances of a set. */
function modelTolerances(set) {
    return report.tolerances.filter(t => report.byTable.has(modelKey(set, t)));
}

/** For each object of a list: is its text in the list of names? No names: all of them. */
function modelFlags(list, names, text) {
    const wanted = names && names.length ? new Set(names) : null;
    return list.map(entry => !wanted || wanted.has(text(entry)));
}

/** For each word of the search: which sets, instances, solvers and endings contain it. */
function modelWords(words) {
    const contains = (text, word) => String(text ?? '').toLowerCase().includes(word);
    return (words || '').toLowerCase().split(/\s+/).filter(w => w).map(word => ({
        sets: report.sets.map(s => contains(s.name, word) || contains(s.title, word)),
        instances: report.instances.map(i => contains(i.name, word) || contains(i.problem, word)),
        solvers: report.solvers.map(s => contains(s.label, word)),
        endings: report.endings.map(e => contains(e.name, word)),
    }));
}

/** The runs that pass all filters: {set, kind, solver, ending, folder: [names], tolerance:
 *  [numbers as texts], least, most (size), words, values: {parameter: [texts]}}; each may be
 *  missing. */
function modelSelect(filters) {
    const f = filters || {};
    const sets = modelFlags(report.sets, f.set, s => s.name);
    const solvers = modelFlags(report.solvers, f.solver, s => s.label);
    const endings = modelFlags(report.endings, f.ending, e => e.name);
    const kinds = modelFlags(report.instances, f.kind, i => String(i.kind));
    const instances = report.instances.map((i, k) => kinds[k]
        && !(i.n < (f.least ?? -Infinity)) && !(i.n > (f.most ?? Infinity)));
    const tolerances = new Set(f.tolerance && f.tolerance.length ? f.tolerance
        : report.tolerances.map(String));
    const folders = f.folder && f.folder.length ? new Set(f.folder) : null;
    const values = Object.entries(f.values || {}).filter(([, texts]) => texts.length)
        .map(([name, texts]) => [name, new Set(texts)]);
    const words = modelWords(f.words);
    return report.runs.filter(run => sets[run.set.index] && solvers[run.solver.index]
        && endings[run.ending.index] && instances[run.instance.index]
        && tolerances.has(String(run.tolerance)) && (!folders || folders.has(run.folder))
        && values.every(([name, texts]) => texts.has(modelValue(run, name)))
        && words.every(w => w.sets[run.set.index] || w.instances[run.instance.index]
            || w.solvers[run.solver.index] || w.endings[run.ending.index]));
}

/** The value of a varied parameter as a text; "–" where the run has none. */
function modelValue(run, name) {
    const value = run.values[name];
    return value === null || value === undefined ? '–' : String(value);
}

/** Seconds for comparisons: at least the clock's microsecond, unless repeats in a loop measured a
 *  shorter time; null for a run that did not solve. */
function modelCost(run) {
    return run && run.ending.class === 'solved' && run.seconds !== null
        && run.seconds !== undefined ? Math.max(run.seconds, run.loops > 1 ? 1e-9 : 1e-6) : null;
}

/** The solver that the reader compares with: a label, null for that of the data. */
let modelAgainst = null;

/** The ranking of a set at a tolerance over the given runs of it: the one of the data while
 *  `runs` is all of them, else computed here. `intervals`: resample. */
function modelRanking(set, tolerance, runs, intervals = true, against = modelAgainst) {
    const all = modelTable(set, tolerance);
    const stored = report.ranking.find(r => r.set === set && r.tolerance === tolerance);
    const chosen = against ?? report.against ?? null;
    if (stored && runs.length === all.length) {
        return {set, tolerance, stored: true, runs, entry: stored, against: chosen,
            rows: modelOrder(pairsRows(stored, against))};
    }
    return {set, tolerance, stored: false, runs, against: chosen,
        rows: modelOrder(modelRows(runs, intervals, chosen))};
}

/** Most problems solved first, then the least time. */
function modelOrder(rows) {
    return [...rows].sort((a, b) => b.solved - a.solved
        || (a.ratio ?? Infinity) - (b.ratio ?? Infinity) || b.fastest - a.fastest);
}

/** The rows of a ranking, from runs of one set at one tolerance. */
function modelRows(runs, intervals, against = null) {
    const cells = new Map();
    const problems = new Map();
    for (const run of runs) {
        if (!cells.has(run.solver)) {
            cells.set(run.solver, new Map());
        }
        cells.get(run.solver).set(run.instance, run);
        const cost = modelCost(run);
        if (!problems.has(run.instance) || (cost !== null && cost < problems.get(run.instance))) {
            problems.set(run.instance, cost ?? Infinity);
        }
    }
    const rows = [...cells].map(([solver, of]) => modelCount(solver, [...of.values()], problems));
    const most = Math.max(0, ...rows.map(row => row.solved));
    const best = rows.find(row => row.solver.label === against) || rows.filter(row => row.solved
        && row.solved === most)
        .sort((a, b) => modelLogMean(a.costs, b.costs) - modelLogMean(b.costs, a.costs))[0];
    for (const row of rows) {
        modelCompare(row, best, intervals, against);
    }
    return rows;
}

/** The counts of one solver. `problems`: the least time on each instance. */
function modelCount(solver, runs, problems) {
    const taken = runs.filter(run => run.ending.class !== 'refused');
    const solved = taken.filter(run => modelCost(run) !== null);
    return {
        solver, problems: problems.size, taken: taken.length, solved: solved.length,
        refused: runs.length - taken.length,
        approximate: taken.filter(r => ['solved', 'approximate'].includes(r.ending.class)).length,
        fastest: solved.filter(r => modelCost(r) <= (1 + modelTie) * problems.get(r.instance))
            .length,
        iterations: d3.median(solved, run => run.iterations) ?? null,
                costs: new Map(solved.map(run => [run.instance, modelCost(run)])),
        ratio: null, ratio_low: null, ratio_high: null, p: null, verdict: '',
    };
}

/** The mean logarithm of the times of `a` on the problems that `b` solves too. */
function modelLogMean(a, b) {
    const logs = [...a].filter(([instance]) => b.has(instance)).map(([, cost]) => Math.log(cost));
    return logs.length ? d3.mean(logs) : Infinity;
}

/** The ratio of a row to the best one, with its interval. */
function modelCompare(row, best, intervals, against) {
    if (!best || row === best) {
        row.ratio = row === best ? 1 : null;
        row.verdict = row === best ? (row.solver.label === against ? 'reference' : 'best') : '';
        row.common = row.costs.size;
        return;
    }
    const logs = [...row.costs].filter(([instance]) => best.costs.has(instance))
        .map(([instance, cost]) => Math.log(cost / best.costs.get(instance)));
    row.common = logs.length;
    if (logs.length) {
        row.ratio = Math.exp(d3.mean(logs));
        if (intervals && logs.length > 1) {
            [row.ratio_low, row.ratio_high] = modelInterval(logs).map(Math.exp);
        }
    }
}

/** The middle 95 % of the means of resampled numbers (percentile bootstrap, fixed seed). */
function modelInterval(numbers) {
    const x = Float64Array.from(numbers);
    const means = new Float64Array(modelSamples);
    const random = modelRandom(1);
    for (let k = 0; k < modelSamples; k++) {
        let sum = 0;
        for (let i = 0; i < x.length; i++) {
            sum += x[Math.floor(random() * x.length)];
        }
        means[k] = sum / x.length;
    }
    means.sort();
    return [d3.quantileSorted(means, 0.025), d3.quantileSorted(means, 0.975)];
}

/** Numbers in [0, 1) from a seed (mulberry32). */
function modelRandom(seed) {
    let state = seed >>> 0;
    return () => {
        state = state + 0x6D2B79F5 >>> 0;
        let t = Math.imul(state ^ state >>> 15, 1 | state);
        t = t + Math.imul(t ^ t >>> 7, 61 | t) ^ t;
        return ((t ^ t >>> 14) >>> 0) / 4294967296;
    };
}

/** How often each value occurs: [[value, count]], most frequent first. */
function modelTally(values) {
    return [...d3.rollup(values, list => list.length, v => v)].sort((a, b) => b[1] - a[1]);
}

/** Seconds as people read them: "73.9 µs". */
function secondsText(seconds) {
    if (seconds === null || seconds === undefined) {
        return '–';
    }
    const [unit, scale] = seconds < 1e-6 ? ['ns', 1e9] : seconds < 1e-3 ? ['µs', 1e6]
        : seconds < 1 ? ['ms', 1e3] : ['s', 1];
    return numberText(seconds * scale) + '\u00a0' + unit;
}

/** A tolerance as it was asked: "1e−8". */
function toleranceText(tolerance) {
    return tolerance === null || tolerance === undefined ? '–'
        : tolerance.toExponential().replace('e+', 'e').replace('-', '−');
}

/** "a, b and c", at most `most` of them by name. */
function listText(names, most = 5) {
    if (names.length > most) {
        return names.slice(0, most - 1).join(', ') + ' and ' + (names.length - most + 1)
            + ' others';
    }
    return names.length < 2 ? names.join('')
        : names.slice(0, -1).join(', ') + ' and ' + names[names.length - 1];
}

/** "1 run", "2 runs". */
function countText(count, word) {
    return count + '\u00a0' + word + (count === 1 ? '' : 's');
}
