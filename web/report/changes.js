/* SPDX-License-Identifier: Apache-2.0
 * web/report/changes.js: what changed between two folders of results. */
'use strict';

/* What matters most comes first. */
const changeWords = ['broke', 'slower', 'slower?', 'healed', 'faster', 'faster?', 'new', 'gone',
    'same'];
const changeClasses = {broke: 'bad', slower: 'bad', 'slower?': 'bad', healed: 'good',
    faster: 'good', 'faster?': 'good'};
const changeHelp = {
    broke: 'solved before and not now', healed: 'solved now and not before',
    slower: 'the interval of the ratio of times is beyond 1.05, and every repeat took longer',
    faster: 'the same in the other direction',
    'slower?': 'the interval says slower, but there are too few repeats for so many runs',
    'faster?': 'the interval says faster, but there are too few repeats for so many runs',
    same: 'none of the others', new: 'asked only now', gone: 'asked only before',
};

/** The section: what differs, how many runs changed, the solvers, the runs. `words` are the
 *  chosen ones ("" : all that changed). */
function changesSection(changes, filters, words, setWords, sort, setSort) {
    const rank = word => changeWords.indexOf(word);
    const rows = d3.sort(changesSelect(changes.rows, filters), row => rank(row.word));
    const all = rows.length === changes.rows.length && changes.counts;
    const counts = all ? Object.entries(all).filter(([, count]) => count)
        : [...d3.rollup(rows, list => list.length, row => row.word)];
    const tally = new Map(d3.sort(counts, ([word]) => rank(word)));
    const chosen = words.length ? words : [...tally.keys()].filter(word => word !== 'same');
    const shown = rows.filter(row => chosen.includes(row.word));
    return element('div', {},
        element('p', {}, 'The results of ', element('strong', {}, changes.after), ' against ',
            element('strong', {}, changes.before), ': ' + changesText(tally)),
        changes.differences.length ? element('p', {class: 'soft'}, 'Made under other conditions: '
            + changes.differences.join('; ') + '.') : null,
        changesSolvers(d3.sort(changesSelect(changes.solvers, filters), row => rank(row.word),
            row => -Math.abs(Math.log(row.ratio || 1)))),
        element('div', {class: 'chips', role: 'group', 'aria-label': 'Runs with these words'},
            ...[...tally].map(([word, count]) => changesChip(word, count, chosen, setWords))),
        changesTable(shown, sort, setSort));
}

/** A word with its count: a button where there are such rows. Runs that are the same are only
 *  counted. */
function changesChip(word, count, chosen, setWords) {
    const content = [word + ' ', element('small', {}, String(count))];
    return word === 'same' ? element('span', {class: 'chip', title: changeHelp[word]}, ...content)
        : element('button', {type: 'button', class: 'chip', title: changeHelp[word],
            'aria-pressed': String(chosen.includes(word)),
            onclick: () => setWords(changesToggle(chosen, word))}, ...content);
}

/** The chosen words after a click on one. */
function changesToggle(chosen, word) {
    return chosen.includes(word) ? chosen.filter(w => w !== word) : [...chosen, word];
}

/** The rows that pass the filters on sets, solvers, tolerances and words. */
function changesSelect(rows, f) {
    const passes = (list, text) => !list || !list.length || list.includes(text);
    const words = (f.words || '').toLowerCase().split(/\s+/).filter(w => w);
    return rows.filter(row => passes(f.set, row.set)
        && (!f.solver?.length || changesLabels(row).some(label => f.solver.includes(label)))
        && passes(f.tolerance, String(row.tolerance)) && words.every(word =>
        [row.set, row.instance, row.solver, row.after?.ending].some(
            text => String(text ?? '').toLowerCase().includes(word))));
}

/** "of 840 runs 3 broke, 2 became slower, …". */
function changesText(tally) {
    const count = d3.sum(tally.values());
    const parts = [...tally].filter(([word]) => word !== 'same')
        .map(([word, k]) => k + ' ' + word);
    return 'of ' + countText(count, 'run') + ' ' + (parts.length ? listText(parts, 9)
        + (tally.has('same') ? '; the others are the same.' : '.') : 'none changed.');
}

/** The ratios of whole solvers. */
function changesSolvers(rows) {
    if (!rows.length) {
        return null;
    }
    const range = tableRange(rows.map(r => ({ratio: r.ratio, ratio_low: r.low,
        ratio_high: r.high})));
    return tableMake({id: 'changes-solvers', label: 'Change of the times of each solver',
        file: 'changes-solvers', rows, sort: '', columns: [
            {key: 'set', head: 'Set', value: r => r.set},
            {key: 'solver', head: 'Solver', value: r => r.solver},
            {key: 'tolerance', head: 'Tolerance', number: true, value: r => r.tolerance,
                cell: r => toleranceText(r.tolerance)},
            {key: 'ratio', head: 'Time ratio', number: true, value: r => r.ratio,
                cell: r => ratioText(r.ratio), help: 'Mean time now over mean time before, over '
                + 'the problems that both results solve; above 1 it is slower now.'},
            {key: 'interval', head: 'drawn', plain: true, axis: () => tableAxis(range),
                cell: r => tableInterval(r.low, r.ratio, r.high, range), value: r => r.ratio},
            {key: 'low', head: '95 %', number: true, value: r => r.low,
                cell: r => intervalText(r.low, r.high), help: 'Interval of the ratio.'},
            {key: 'high', saved: true, value: r => r.high},
            {key: 'word', head: 'Change', value: r => r.word, cell: changesWord},
        ]});
}

function changesWord(row) {
    return element('span', {class: changeClasses[row.word] || 'soft', title: changeHelp[row.word]},
        row.word);
}

/** The run of this page that a row is about; undefined where there is none. */
function changesRun(row) {
    const key = (...parts) => JSON.stringify(parts);
    report.byName = report.byName || new Map(report.runs.map(run => [key(run.instance.name,
        run.set.name, run.solver.label, run.tolerance), run]));
    return changesLabels(row).map(label => report.byName.get(key(row.instance, row.set, label,
        row.tolerance))).find(run => run);
}

/** The labels that a solver may have in a page of two folders: now, before. */
function changesLabels(row) {
    const {before, after} = report.changes;
    return [row.solver, row.solver + ' (' + after + ')', row.solver + ' (' + before + ')'];
}

/** The runs. */
function changesTable(rows, sort, setSort) {
    const of = (key, when, head, help, format) => ({key: when + '_' + key, head, help,
        number: key !== 'ending', value: r => r[when]?.[key],
        cell: r => r[when] ? format(r[when][key]) : '–'});
    const text = x => x ?? '–';
    const link = row => {
        const run = changesRun(row);
        return run ? runLink(run, row.instance) : row.instance;
    };
    return tableMake({id: 'changes-table', label: 'What changed, run by run', file: 'changes',
        rows, sort, setSort, columns: [
            {key: 'instance', head: 'Instance', value: r => r.instance, cell: link},
            {key: 'set', head: 'Set', value: r => r.set},
            {key: 'solver', head: 'Solver', value: r => r.solver},
            {key: 'tolerance', head: 'Tolerance', number: true, value: r => r.tolerance,
                cell: r => toleranceText(r.tolerance)},
            {key: 'word', head: 'Change', value: r => r.word, cell: changesWord,
                help: Object.entries(changeHelp).map(([w, h]) => w + ': ' + h).join('. ') + '.'},
            of('ending', 'before', 'Before', 'How the run ended before.', text),
            of('ending', 'after', 'Now', 'How the run ends now.', text),
            of('seconds', 'before', 'Time before', 'Time of one solve before.', secondsText),
            of('seconds', 'after', 'Time now', 'Time of one solve now.', secondsText),
            {key: 'ratio', head: 'Ratio', number: true, value: r => r.ratio,
                cell: r => ratioText(r.ratio), help: helpText('changes',
                    'ratio', 'Time now over time before.')},
            of('residual', 'before', 'Residual before', 'Residual before.', numberText),
            of('residual', 'after', 'Residual now', 'Residual now.', numberText),
        ]});
}
