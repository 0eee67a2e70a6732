/* SPDX-License-Identifier: Apache-2.0
 * web/report/tables.js: tables that sort, explain their headings and can be saved; the ranking of
 * a set and the table of all sets. */
'use strict';

const tableRows = 500;
const tableWidth = 104;

/* Rows that are drawn at once; the others, by the body of their table, wait until there is time. */
const tableFirst = 100;
const tableWaiting = new Map();

/** A table in a box of its own. Options: id, label (what it is), columns, rows, sort ("key" or
 *  "-key", or ""), setSort(sort), file (name of its CSV), attributes(row).
 *  A column: {key, head, help, value(row), cell(row), number, first: "more" (order of the first
 *  click), wide, plain (neither sorted nor saved), saved (only that)}; `value` sorts and is
 *  saved, `cell` is shown. */
function tableMake(options) {
    const state = {...options, all: false, sort: options.sort || ''};
    state.columns = options.columns.filter(column => !column.saved);
    const head = element('tr', {});
    const body = element('tbody', {});
    const table = element('table', {id: options.id},
        element('caption', {class: 'unseen'}, options.label), element('thead', {}, head), body);
    const box = element('div', {class: 'box', tabindex: '0', role: 'region',
        'aria-label': 'Table: ' + options.label}, table);
    const more = element('button', {type: 'button', onclick: () => {
        state.all = true;
        tableFill(state, body, more);
    }});
    const save = element('button', {type: 'button', onclick: () => saveFile(
        options.file + '.csv', 'text/csv;charset=utf-8', tableCsv(state, options.columns))},
    'Save as CSV');
    head.append(...state.columns.map(column => tableHead(state, column, () => {
        tableArrows(state, head);
        tableFill(state, body, more);
        state.setSort?.(state.sort);
    })));
    tableArrows(state, head);
    tableFill(state, body, more);
    return element('div', {class: 'table'}, box,
        element('div', {class: 'tools'}, more, options.rows.length ? save : null));
}

/** The heading of a column: a button that sorts and one that explains. */
function tableHead(state, column, changed) {
    if (column.plain) {
        return element('th', {scope: 'col'}, element('span', {class: 'unseen'}, column.head),
            column.axis());
    }
    const sort = element('button', {type: 'button', class: 'sort', onclick: () => {
        const up = column.first === 'more' ? '-' + column.key : column.key;
        const down = column.first === 'more' ? column.key : '-' + column.key;
        state.sort = state.sort === up ? down : up;
        changed();
    }}, column.head, element('span', {class: 'arrow', 'aria-hidden': 'true'}));
    return element('th', {scope: 'col', class: column.number ? 'n' : null,
        'data-key': column.key}, sort, column.help ? helpButton(column.head, column.help) : null);
}

/** Show by which column the table is sorted. */
function tableArrows(state, head) {
    for (const th of head.children) {
        const key = th.dataset.key;
        if (!key) {
            continue;
        }
        const order = state.sort === key ? 'ascending' : state.sort === '-' + key ? 'descending'
            : null;
        th.querySelector('.arrow').textContent = order ? (order === 'ascending' ? '▲' : '▼') : '';
        if (order) {
            th.setAttribute('aria-sort', order);
        } else {
            th.removeAttribute('aria-sort');
        }
    }
}

/** The rows in the chosen order; what has no value comes last. */
function tableSorted(state) {
    const key = state.sort.replace(/^-/, '');
    const column = state.columns.find(c => c.key === key);
    if (!column) {
        return state.rows;
    }
    const sign = state.sort.startsWith('-') ? -1 : 1;
    const compare = (a, b) => typeof a === 'number' && typeof b === 'number' ? a - b
        : String(a).localeCompare(String(b), 'en', {numeric: true});
    const missing = x => x === null || x === undefined || x === '';
    return state.rows.map(row => [column.value(row), row]).sort(([a], [b]) => missing(a)
        || missing(b) ? missing(a) - missing(b) : sign * compare(a, b)).map(([, row]) => row);
}

/** Draw the rows, at most tableRows of them until all are asked for. */
function tableFill(state, body, more) {
    const rows = tableSorted(state);
    const shown = state.all ? rows : rows.slice(0, tableRows);
    const first = shown.slice(0, tableFirst);
    body.replaceChildren(...first.map(row => tableRow(state, row)));
    tableWaiting.delete(body);
    if (shown.length > first.length) {
        tableWaiting.set(body, () => body.append(...shown.slice(tableFirst).map(
            row => tableRow(state, row))));
        pageLater();
    }
    if (rows.length === 0) {
        body.append(element('tr', {}, element('td', {colspan: state.columns.length,
            class: 'soft'}, 'Nothing matches.')));
    }
    more.hidden = shown.length === rows.length;
    more.textContent = 'Show all ' + rows.length + ' rows';
}

/** Draw the rows that wait. */
function tableFinish() {
    for (const [body, draw] of tableWaiting) {
        tableWaiting.delete(body);
        if (body.isConnected) {
            draw();
        }
    }
}

function tableRow(state, row) {
    const cells = state.columns.map((column, k) => {
        const value = column.value(row);
        const content = column.cell ? column.cell(row)
            : typeof value === 'number' ? numberText(value) : value ?? '–';
        return element(k === 0 ? 'th' : 'td', {scope: k === 0 ? 'row' : null,
            class: column.number ? 'n' : column.wide ? 'wide' : null, 'data-column': column.key,
            'data-value': column.number ? value ?? '' : null}, content);
    });
    return element('tr', state.attributes ? state.attributes(row) : {}, ...cells);
}

function tableCsv(state, columns) {
    const kept = columns.filter(column => !column.plain);
    return csvText([kept.map(c => c.csv || c.key),
        ...tableSorted(state).map(row => kept.map(c => c.value(row)))]);
}

/** A button that explains a word in a note beside it. */
function helpButton(word, text) {
    const button = element('button', {type: 'button', class: 'help', 'aria-expanded': 'false',
        'aria-controls': 'help', 'aria-label': 'What “' + word + '” means',
        onclick: () => helpToggle(button, word, text)}, '?');
    return button;
}

/** Show the note of a button, or hide it when it is the one that is shown. */
function helpToggle(button, word, text) {
    const note = document.getElementById('help');
    const again = note.owner === button && !note.hidden;
    helpHide();
    if (again) {
        return;
    }
    note.owner = button;
    note.replaceChildren(element('strong', {}, word), ' ', text);
    note.hidden = false;
    button.setAttribute('aria-expanded', 'true');
    const at = button.getBoundingClientRect();
    const left = Math.min(at.left, document.documentElement.clientWidth - note.offsetWidth - 12);
    const below = at.bottom + 6;
    const top = below + note.offsetHeight < innerHeight ? below : at.top - note.offsetHeight - 6;
    note.style.left = Math.max(12, left) + 'px';
    note.style.top = Math.max(6, top) + 'px';
}

/** Hide the note; true when one was shown. */
function helpHide() {
    const note = document.getElementById('help');
    if (!note || note.hidden) {
        return false;
    }
    note.hidden = true;
    note.owner?.setAttribute('aria-expanded', 'false');
    return true;
}

/** The explanation of a column: that of the data where they have one. */
function helpText(table, name, text) {
    return sentenceText(report.columns.find(c => c.table === table && c.name === name)?.text
        || text);
}

/** An interval on a logarithmic scale of [least, most], the line of 1 behind it. */
function tableInterval(low, value, high, [least, most]) {
    const width = tableWidth;
    const x = d3.scaleLog([least, most], [4, width - 4]).clamp(true);
    const mark = (class_, attributes) => element('line', {class: class_, y1: 9, y2: 9,
        ...attributes});
    const known = low !== null && low !== undefined && high !== null && high !== undefined;
    return element('svg', {class: 'interval', width, height: 18, viewBox: `0 0 ${width} 18`,
        'aria-hidden': 'true'},
    mark('one', {x1: x(1), x2: x(1), y1: 0, y2: 18}),
    known ? mark('span', {x1: x(low), x2: x(high)}) : null,
    known ? mark('span', {x1: x(low), x2: x(low), y1: 6, y2: 12}) : null,
    known ? mark('span', {x1: x(high), x2: x(high), y1: 6, y2: 12}) : null,
    value > 0 ? element('circle', {cx: x(value), cy: 9, r: 3.2}) : null);
}

/** The axis over such intervals: powers of ten. */
function tableAxis([least, most]) {
    const width = tableWidth;
    const x = d3.scaleLog([least, most], [4, width - 4]);
    const first = Math.ceil(Math.log10(least) - 1e-9);
    const last = Math.floor(Math.log10(most) + 1e-9);
    const step = Math.max(1, Math.ceil((last - first + 1) / 5));
    const ticks = d3.range(first, last + 1, step).map(k => 10 ** k);
    return element('svg', {class: 'interval axis', width, height: 16,
        viewBox: `0 0 ${width} 16`, 'aria-hidden': 'true'},
    ...ticks.map(t => element('text', {x: x(t), y: 11, 'text-anchor': 'middle'},
        t >= 1e4 || t < 0.01 ? t.toExponential(0).replace('e+', 'e') : numberText(t))));
}

/** The range of the intervals of a ranking. */
function tableRange(rows) {
    const values = rows.flatMap(r => [r.ratio, r.ratio_low, r.ratio_high]).filter(v => v > 0);
    const least = Math.min(1, ...values);
    const most = Math.max(1, ...values);
    return most > 1.5 * least ? [least / 1.1, most * 1.1] : [least / 1.5, most * 1.5];
}

/** A name with the line and colour that its curves have. */
function solverName(solver) {
    return element('span', {class: 'solver'}, solverMark(solver), element('span', {},
        solver.label));
}

/** "1.38 to 3.87"; a dash where there is no interval. */
function intervalText(low, high) {
    return low === null || low === undefined || high === null || high === undefined ? '–'
        : numberText(low) + ' to ' + numberText(high);
}

/** A number of runs that opens them. */
function runsButton(text, runs, title, best) {
    if (!runs.length) {
        return String(text);
    }
    return element('button', {type: 'button', class: best ? 'cell best' : 'cell',
        'aria-label': text + ': show ' + title,
        onclick: () => pageActions.showRuns(runs, title)}, String(text));
}

/** The table of a ranking. */
function rankingTable(ranking, sort, setSort) {
    const {rows} = ranking;
    const range = tableRange(rows);
    const most = d3.max(rows, r => r.solved);
    const share = r => r.taken ? r.solved / r.taken : null;
    const fastest = d3.max(rows, r => r.fastest);
    const of = (row, test) => ranking.runs.filter(run => run.solver === row.solver && test(run));
    const best = (text, is) => is ? element('strong', {}, text) : text;
    const columns = [
        {key: 'solver', head: 'Solver', help: rankingText('solver'), value: r => r.solver.label,
            cell: r => solverName(r.solver)},
        {key: 'solved', head: 'Solved', number: true, first: 'more', help: rankingText('solved'),
            value: r => r.solved, cell: r => runsButton(r.solved + '/' + r.taken,
                of(r, run => run.ending.class !== 'refused'), r.solver.label + ' on '
                + ranking.set.name, r.solved === most && most > 0)},
        {key: 'share', head: 'Share', number: true, first: 'more', help: rankingText('share'),
            value: share, cell: r => best(percentText(share(r)), share(r) === 1)},
        {key: 'refused', head: 'N/A', number: true, help: rankingText('refused'),
            value: r => r.refused, cell: r => runsButton(r.refused || '·',
                of(r, run => run.ending.class === 'refused'), 'not applicable: '
                + r.solver.label)},
        {key: 'ratio', head: 'Time ratio', number: true, help: rankingText('ratio'),
            value: r => r.ratio, cell: r => best(ratioText(r.ratio), r.ratio !== null
                && r.ratio === d3.min(rows, row => row.ratio ?? undefined))},
        {key: 'interval', head: 'drawn', plain: true, axis: () => tableAxis(range),
            value: r => r.ratio, cell: r => tableInterval(r.ratio_low, r.ratio, r.ratio_high, range)},
        {key: 'ratio_low', head: '95 %', number: true, help: rankingText('interval'),
            value: r => r.ratio_low, cell: r => intervalText(r.ratio_low, r.ratio_high)},
        {key: 'ratio_high', saved: true, value: r => r.ratio_high},
        {key: 'fastest', head: 'Fastest', number: true, first: 'more', help: rankingText('fastest'),
            value: r => r.fastest, cell: r => best(String(r.fastest), r.fastest === fastest
                && fastest > 0)},
    ];
    if (ranking.stored) {
        columns.push({key: 'verdict', head: 'Verdict', help: rankingText('verdict'),
            value: r => r.verdict});
    }
    return tableMake({id: 'ranking', label: 'Ranking of the solvers on ' + ranking.set.name,
        columns, rows, sort, setSort, file: 'ranking',
        attributes: r => ({'data-solver': r.solver.label})});
}

const rankingHelp = {
    solver: 'The name of the solver with what was asked of it. Its line has the same look in '
        + 'every figure.',
    solved: 'Problems solved, of those that the solver takes. A click lists the runs.',
    share: 'Share of the problems solved, of those that the solver takes.',
    refused: 'Problems that the solver does not take. They count nowhere else: not applicable is '
        + 'not a failure.',
    ratio: 'Mean time, divided by that of the best solver, or of the one that is chosen. The note below the table says which '
        + 'mean and over which problems.',
    interval: 'Interval of the ratio: 95 % of resampled sets of problems give a ratio in it. '
        + 'The line beside it is drawn on a logarithmic scale; the thin line is a ratio of 1.',
    fastest: 'Problems on which no solver is faster by more than 5 %.',
    verdict: 'Slower or faster than the best where Wilcoxon’s signed-rank test says so (5 %, '
        + 'corrected after Holm), tie up to 5 %, else unclear.',
};

/** What a column of the ranking means: in the words of the data where they have some. */
function rankingText(key) {
    return helpText('ranking', key, rankingHelp[key]);
}

/** 0.966 -> "96.6 %"; only what is complete is 100 %. */
function percentText(share) {
    if (share === null) {
        return '–';
    }
    const text = (100 * share).toFixed(share === 0 || share === 1 ? 0 : 1);
    return (share < 1 && text === '100.0' ? '99.9' : text) + '\u00a0%';
}

/** A ratio with three digits: "2.13", "245". */
function ratioText(ratio) {
    return ratio === null || ratio === undefined ? '–'
        : ratio < 1000 ? ratio.toPrecision(3) : numberText(ratio);
}

/** The table of solvers and sets: solved, and the ratio of times. */
function setsTable(rankings, choose) {
    const solvers = report.solvers.filter(s => rankings.some(r => r.rows.some(
        row => row.solver === s)));
    const row = (ranking, solver) => ranking.rows.find(r => r.solver === solver);
    const columns = [{key: 'solver', head: 'Solver', value: s => s.label, cell: solverName},
        ...rankings.map((ranking, k) => ({
            key: 'set' + k, csv: ranking.set.name, head: ranking.set.name, number: true,
            first: 'more', help: (ranking.set.title || ranking.set.name) + '. '
                + countText(ranking.rows[0]?.problems ?? 0, 'problem') + ', tolerance '
                + toleranceText(ranking.tolerance) + '. A cell has the problems solved of those '
                + 'that the solver takes, and below it the ratio of times.',
            value: s => row(ranking, s)?.solved,
            cell: s => setsCell(ranking, row(ranking, s), choose),
        }))];
    return tableMake({id: 'sets-table', label: 'Solvers and sets', columns, rows: solvers,
        sort: '', file: 'sets', attributes: s => ({'data-solver': s.label})});
}

/** One solver on one set. */
function setsCell(ranking, row, choose) {
    if (!row) {
        return element('span', {class: 'soft'}, '·');
    }
    if (row.taken === 0) {
        return element('span', {class: 'soft'}, 'N/A');
    }
    const most = d3.max(ranking.rows, r => r.solved);
    const all = row.solved === most && most > 0;
    const runs = ranking.runs.filter(run => run.solver === row.solver);
    return element('span', {class: 'share'},
        runsButton(row.solved + '/' + row.taken, runs, row.solver.label + ' on '
            + ranking.set.name, all),
        element('small', {class: row.ratio === 1 ? 'best' : null},
            row.ratio === null || row.ratio === undefined ? ' ' : ratioText(row.ratio) + '×'));
}

/** Three findings about a ranking: lists of texts and elements. `details` explain failures, once
 *  they are read. */
function findingsOf(ranking, details) {
    const {rows} = ranking;
    const most = d3.max(rows, r => r.solved) || 0;
    if (!most) {
        return [['No solver solved a problem of this choice.']];
    }
    const leaders = rows.filter(r => r.solved === most);
    return [findingMost(leaders, most), findingFastest(rows, leaders),
        findingFailures(ranking, details)];
}

/** Names of rows, in bold. */
function findingNames(rows) {
    return element('strong', {}, listText(rows.map(r => r.solver.label), 6));
}

function findingMost(leaders, most) {
    const {problems} = leaders[0];
    const one = leaders.length === 1;
    if (most === problems) {
        return [findingNames(leaders), one ? ' solves ' : ' solve ', problems === 1
            ? 'the one problem.' : 'all ' + problems + ' problems.'];
    }
    return [findingNames(leaders), one ? ' solves most: ' : ' solve most: ', most + ' of '
        + countText(problems, 'problem') + ' (' + percentText(most / problems) + ')'
        + (one ? '.' : ' each.')];
}

/** "2.13 times its time (95 %: 1.38 to 3.87); the interval excludes 1." */
function findingRatio(row, whose, of = []) {
    const tied = Math.abs(Math.log(row.ratio)) <= Math.log1p(modelTie);
    const times = (tied ? 'the same' : ratioText(row.ratio) + ' times ' + whose) + ' time';
    if (row.ratio_low === null || row.ratio_low === undefined) {
        return [times, ...of, '; there are too few problems for an interval.'];
    }
    const apart = row.ratio_low > 1 || row.ratio_high < 1;
    const doubt = apart && row.verdict === 'unclear'
        ? ', but the test by ranks does not confirm it (p\u00a0=\u00a0' + numberText(row.p, 2) + ')' : '';
    return [times, ...of, ' (95\u00a0%: ' + intervalText(row.ratio_low, row.ratio_high)
        + '); the interval ' + (apart ? 'excludes 1' + doubt : 'includes 1') + '.'];
}

function findingFastest(rows, leaders) {
    const timed = list => list.filter(r => r.ratio > 0).sort((a, b) => a.ratio - b.ratio);
    const reference = rows.find(r => ['best', 'reference'].includes(r.verdict))
        || rows.find(r => r.ratio === 1);
    const [first, second] = timed(leaders);
    if (!first || !reference) {
        return ['Their times cannot be compared: no problem is solved by two of them.'];
    }
    const among = leaders.length > 1 ? 'Among them ' : '';
    if (first !== reference) {
        return [among, findingNames([first]), among ? ' is fastest. It' : '', ' takes ',
            findingRatio(first, 'the', [' of ', findingNames([reference])])].flat();
    }
    const next = second || timed(rows.filter(r => r !== first))[0];
    if (!next) {
        return [findingNames([first]), ' is the only one whose time can be compared.'];
    }
    const best = next.ratio >= 1 ? [among, findingNames([first]), among ? ' is fastest. '
        : ' is also fastest. '] : [];
    return [...best, findingNames([next]), next.ratio < 1 ? ', which solves fewer,' : '', ' takes ',
        ...findingRatio(next, best.length ? 'its' : 'the', best.length ? []
            : [' of ', findingNames([first])])];
}

/** Who failed most and why; who does not take problems; who solves approximations. */
function findingFailures(ranking, details) {
    const by = class_ => d3.groups(ranking.runs.filter(r => r.ending.class === class_),
        r => r.solver).sort((a, b) => b[1].length - a[1].length);
    const failed = by('failed');
    const parts = [];
    if (failed.length) {
        const [solver, runs] = failed[0];
        const taken = ranking.rows.find(r => r.solver === solver)?.taken ?? runs.length;
        const why = modelTally(runs.map(r => r.ending.name)).map(([e, k]) => k + ' ' + e);
        parts.push(findingNames([{solver}]), ' fails most: ', runsButton(runs.length + ' of '
            + taken, runs, 'failures of ' + solver.label), ' (' + why.join(', ') + ')');
        const example = details && details[runs[0].index];
        if (example?.reason) {
            parts.push('; on ', runLink(runs[0], runs[0].instance.name), ': “'
                + shortText(example.reason, 110) + '”');
        }
        parts.push('. ');
    } else {
        parts.push('No run failed. ');
    }
    parts.push(...findingOthers(by('refused'), ' not take ', 'not applicable'),
        ...findingOthers(by('approximate'), ' solve only an approximation of ', 'approximations'));
    return parts;
}

/** "dantzig and mpgp do not take 12 problems each." */
function findingOthers(groups, verb, title) {
    if (!groups.length) {
        return [];
    }
    const counts = [...d3.group(groups, ([, runs]) => runs.length)];
    const parts = counts.slice(0, 3).flatMap(([count, same], k) => {
        const one = same.length === 1;
        const does = verb === ' not take ' ? (one ? ' does' : ' do') + verb
            : one ? verb.replace('solve', 'solves') : verb;
        return [k ? ', ' : '', findingNames(same.map(([solver]) => ({solver}))), k ? ' ' : does,
            runsButton(k ? String(count) : countText(count, 'problem'),
                same.flatMap(([, runs]) => runs), title), one ? '' : ' each'];
    });
    const rest = d3.sum(counts.slice(3), ([, same]) => same.length);
    return [...parts, rest ? ', ' + countText(rest, 'other solver') + ' fewer' : '', '. '];
}

/** A text cut at a word; what is left out is marked. */
function shortText(text, most) {
    return text.length <= most ? text : text.slice(0, most).replace(/\s+\S*$/, '') + ' …';
}
