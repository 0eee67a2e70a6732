/* SPDX-License-Identifier: Apache-2.0
 * web/report/pairs.js: a reference of the reader's choice: the ratios against it, a sentence for
 * each solver, the matrix of all pairs. The numbers are those of the data. */
'use strict';

/* The choice "the best of each set" where the data were made against a solver. */
const pairsBest = '*';

/** Which row of a ranking is the reference: by its label; the best of those that take most; null for
 *  the one of the data. */
function pairsReference(entry, against) {
    const chosen = against ?? null;
    if (chosen === null) {
        return null;
    }
    if (chosen !== pairsBest) {
        const at = entry.rows.findIndex(row => row.solver.label === chosen);
        return at < 0 ? null : at;
    }
    const order = entry.rows.map((row, k) => k).sort((a, b) => entry.rows[b].taken
        - entry.rows[a].taken || (entry.rows[a].mean ?? Infinity)
        - (entry.rows[b].mean ?? Infinity));
    return order[0] ?? null;
}

/** The rows of a ranking against the reference of the reader. */
function pairsRows(entry, against) {
    const at = pairsReference(entry, against);
    if (at === null || !entry.against?.[at]) {
        return entry.rows;
    }
    return entry.rows.map((row, k) => {
        const [ratio, ratio_low, ratio_high, p, verdict, common] = entry.against[at][k];
        return {...row, ratio, ratio_low, ratio_high, p, common,
            verdict: k === at && against === pairsBest ? 'best' : verdict};
    });
}

/** The pair of rows a and b, in this order: {common, solved, others, both, ratio, low, high, p}; null
 *  where the data have none. */
function pairsFind(entry, a, b) {
    const found = (entry.pairs || []).find(pair => pair[0] === Math.min(a, b)
        && pair[1] === Math.max(a, b));
    if (!found) {
        return null;
    }
    const [, , common, first, second, both, ratio, low, high, p] = found;
    const inverse = x => (x === null ? null : 1 / x);
    return a < b ? {common, solved: first, others: second, both, ratio, low, high, p}
        : {common, solved: second, others: first, both, ratio: inverse(ratio), low: inverse(high),
            high: inverse(low), p};
}

/** Two digits, whole numbers where they are large: "0.85", "4.8", "120". */
function pairsNumber(x) {
    return x < 0.995 ? String(Number(x.toPrecision(2))) : x < 9.95 ? x.toFixed(1) : x.toFixed(0);
}

/** "fista solved 28 of 32, nsgs 23; on the 22 that both solve nsgs takes 4.8 times as long (95 % 2.4 to
 *  9.4), Wilcoxon p = 0.0005", as perp plot --against prints it. */
function pairsSentence(pair, solver, reference) {
    const counts = solver + ' solved ' + pair.solved + ' of ' + pair.common + ', ' + reference + ' '
        + pair.others + '; ';
    if (!pair.both) {
        return counts + 'no problem is solved by both';
    }
    const slower = pair.ratio >= 1;
    const turn = x => (slower ? x : 1 / x);
    const interval = pair.low === null || pair.high === null ? '' : ' (95 % '
        + [pair.low, pair.high].map(turn).sort((a, b) => a - b).map(pairsNumber).join(' to ')
        + '), Wilcoxon p = ' + Number(pair.p.toPrecision(2));
    return counts + 'on the ' + (pair.both === 1 ? 'one' : pair.both) + ' that both solve '
        + (slower ? solver : reference) + ' takes ' + pairsNumber(turn(pair.ratio))
        + ' times as long' + interval;
}

/** The sentences against the reference of a ranking; none while some of its runs are hidden. */
function pairsSentences(entry, against) {
    const at = pairsReference(entry, against);
    return at === null ? [] : entry.rows.map((row, k) => [row, pairsFind(entry, k, at)])
        .filter(([, pair]) => pair).map(([row, pair]) =>
            pairsSentence(pair, row.solver.label, entry.rows[at].solver.label) + '.');
}

/** The choice of the solver of a ranking that others are compared with. */
function pairsChoice(ranking, choose) {
    const labels = (ranking.entry?.rows || ranking.rows).map(row => row.solver.label);
    const shown = labels.includes(ranking.against) ? ranking.against : pairsBest;
    const value = label => (label === (report.against ?? pairsBest) ? '' : label);
    return element('label', {class: 'choice against'}, element('span', {}, 'Against'),
        element('select', {id: 'against', onchange: event => choose(event.target.value || null)},
            ...[pairsBest, ...labels].map(label => element('option', {value: value(label),
                selected: label === shown}, label === pairsBest ? 'the best' : label))));
}

/** The matrix: the time of a row over that of a column; on the diagonal what is solved. */
function pairsTable(entry) {
    const {rows} = entry;
    const pair = (row, k) => pairsFind(entry, rows.indexOf(row), k);
    const columns = [{key: 'solver', head: 'Time of / to', value: row => row.solver.label,
        cell: row => solverName(row.solver)},
    ...rows.map((other, k) => ({key: 'to' + k, csv: other.solver.label, head: other.solver.label,
        number: true, value: row => (row === other ? null : pair(row, k)?.ratio ?? null),
        cell: row => {
            const of = row === other ? null : pair(row, k);
            return row === other ? row.solved + '/' + row.taken : !of?.both ? '–'
                : pairsNumber(of.ratio) + (of.p <= 0.05 ? '*' : '');
        }}))];
    return tableMake({id: 'pairs', label: 'Pairs of solvers on ' + entry.set.name, columns, rows,
        sort: '', file: 'pairs', attributes: row => ({'data-solver': row.solver.label})});
}

/** Below the ranking: sentences to paste, and the matrix. */
function pairsSection(ranking) {
    const entry = ranking.entry;
    if (!ranking.stored || !(entry.pairs || []).length) {
        return null;
    }
    const sentences = pairsSentences(entry, ranking.against);
    return element('details', {id: 'pairs-of-solvers', open: sentences.length ? '' : null},
        element('summary', {}, 'Pairs of solvers'),
        sentences.length ? element('ul', {class: 'plain sentences'}, ...sentences.map(text =>
            element('li', {}, text))) : null,
        element('p', {class: 'note'}, 'The time of the row over that of the column: geometric mean '
            + 'over the problems that both solve; * where Wilcoxon’s signed-rank test of the pair '
            + 'alone says so (5 %). On the diagonal what is solved. These are the numbers of '
            + 'tables/pairs.csv.'), pairsTable(entry));
}
