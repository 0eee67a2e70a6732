/* SPDX-License-Identifier: Apache-2.0
 * web/report/sections.js: what the sections of the page contain. */
'use strict';

/* In order. `when`: the section exists; `draw` makes its content; `uses`: what else of the state
 * it depends on. */
const pageSections = [
    {id: 'answer', title: 'The answer', draw: sectionAnswer, uses: ['theme', 'sort', 'details']},
    {id: 'sets', title: 'All sets', when: () => report.sets.length > 1, draw: sectionSets,
        uses: ['theme']},
    {id: 'changes', title: 'What changed', when: () => report.changes, draw: sectionChanges,
        uses: ['changes', 'sort']},
    {id: 'figures', title: 'Figures of the set', draw: () => sectionFigures('set'),
        uses: ['theme']},
    {id: 'across', title: 'Figures of all sets', draw: () => sectionFigures('all'),
        uses: ['theme'], when: () => reportFigures.some(f => f.scope === 'all'
            && sectionFigure(f, report.runs))},
    {id: 'own', title: 'Your own figure', draw: sectionOwn, uses: ['theme', 'own']},
    {id: 'failures', title: 'Failures', draw: sectionFailures, uses: ['sort', 'details']},
    {id: 'instances', title: 'Instances', draw: sectionInstances, uses: ['theme', 'sort']},
    {id: 'runs', title: 'Runs', draw: sectionRuns, uses: ['theme', 'sort']},
    {id: 'words', title: 'What the words mean', draw: sectionWords},
    {id: 'machine', title: 'Machine and versions', draw: sectionMachine},
];

/** The title, what was compared, when and where. */
function pageTitle() {
    const m = report.machine || {};
    const title = report.title || report.suite || 'Comparison of solvers';
    const parts = [countText(report.sets.length, 'set'), countText(report.solvers.length,
        'solver'), countText(report.instances.length, 'problem'),
    countText(report.runs.length, 'run'), dateText(report.date),
    m.cpu && m.cpu + (m.cores ? ', ' + countText(m.cores, 'core') : ''),
    'perp ' + (report.version || '') + (report.commit ? ' (' + report.commit + ')' : '')];
    document.getElementById('suite').textContent = shownText([...new Set([report.suite,
        ...report.folders])].filter(t => t).join(' · '));
    document.getElementById('title').textContent = shownText(title[0].toUpperCase()
        + title.slice(1));
    document.getElementById('what').replaceChildren(parts.filter(t => t).join(' · '),
        ...(report.noise?.length ? [' · ', element('a', {href: '#machine'},
            countText(report.noise.length, 'note') + ' on the times')] : []),
        ...(contradictionErrors().length ? [' · ', element('a', {href: '#failures'},
            countText(contradictionErrors().length, 'error') + ' of perp')] : []));
}

/** "2026-11-20T14:03:00Z" -> "2026-11-20 14:03 UTC". */
function dateText(date) {
    const [, day, time] = (date || '').match(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/) || [];
    return day ? day + ' ' + time + ' UTC' : date || null;
}

/** What stands where nothing is left to show. */
function sectionEmpty(text) {
    return element('p', {class: 'soft'}, text);
}

/** The laws of friction of the instances of runs, after a comma; '' without any. */
function lawText(runs) {
    const words = {coulomb: 'Coulomb\u2019s law', associated: 'associated law',
        pyramid: 'pyramid friction', box: 'box friction'};
    const laws = Object.keys(words).filter(law => runs.some(r => r.instance.law === law));
    return laws.length ? ', ' + laws.map(law => words[law]).join(' and ') : '';
}

/** The findings, the ranked table and the profile of the chosen set. */
function sectionAnswer() {
    const set = pageSet();
    const tolerance = pageTolerance(set);
    const ranking = modelRanking(set, tolerance, pageTable(set, tolerance));
    const name = element('h3', {id: 'set-title'}, element('span', {class: 'set'}, set.name),
        ' ', set.title || '', element('small', {}, countText(ranking.rows[0]?.problems ?? 0,
            'problem') + lawText(ranking.runs) + ', residual at most ' + toleranceText(tolerance)));
    if (!ranking.runs.length) {
        return [name, sectionEmpty('No run of this set passes the filters.')];
    }
    const [sort, setSort] = pageSort('ranking', '');
    const profile = reportFigures.find(f => f.scope === 'set');
    return [name, element('ul', {class: 'findings'}, ...findingsOf(ranking, pageNow.details)
        .map(parts => element('li', {}, ...parts))),
    element('div', {class: 'answer'}, element('div', {}, pairsChoice(ranking,
        against => stateSet({against})), rankingTable(ranking, sort, setSort),
        element('p', {class: 'note'}, rankingNote(ranking)), pairsSection(ranking)),
    profile ? sectionFigure(profile, ranking.runs, 'first') : null)];
}

/** How the numbers of a ranking were computed. */
function rankingNote(ranking) {
    const reference = ranking.rows.find(row => row.verdict === 'reference');
    const best = reference ? reference.solver.label : 'the best solver';
    const order = 'Ordered by problems solved, then by time; the best of each column is bold. ';
    return order + (ranking.stored
        ? 'Ratio: shifted geometric mean of the times over that of ' + best + ', over the '
            + 'problems that both take, a failure counted with its time limit. 95\u00a0%: '
            + 'bootstrap interval over the problems. These are the numbers of tables/summary.csv.'
        : 'Filters are set, so these numbers are computed here. Ratio: geometric mean of the '
            + 'ratios of times to those of ' + (reference ? best : best
                + ' (most problems solved, then least time)') + ', over the problems that both solve. 95\u00a0%: percentile bootstrap over '
            + 'these problems, ' + modelSamples + ' resamples, fixed seed.');
}

/** A figure whose title is a heading with an anchor; null where it has nothing to show. */
function sectionFigure(figure, runs, class_) {
    let drawn = null;
    try {
        drawn = figure.make(runs, pageActions);
    } catch (error) {
        console.error(error);
        drawn = element('p', {class: 'notice'}, 'This figure cannot be drawn: ' + error.message);
    }
    if (!drawn) {
        return null;
    }
    const id = 'figure-' + figure.name;
    return element('div', {class: 'plate ' + (class_ || ''), id}, sectionTitled(drawn,
        text => pageHeading(3, id, text || figure.title)));
}

/** A figure whose title is a heading; `make` makes it from the text of the title. */
function sectionTitled(figure, make) {
    const title = figure.querySelector('.figure-title');
    const heading = make(title?.textContent);
    if (!title) {
        return [heading, figure];
    }
    heading.classList.add('figure-title');
    title.replaceWith(heading);
    return figure;
}

/** The table of solvers and sets, at the chosen tolerance. */
function sectionSets() {
    const chosen = pageNow.state.tolerance;
    const rankings = report.sets.map(set => {
        const all = modelTolerances(set);
        const tolerance = all.includes(chosen) ? chosen : all[all.length - 1];
        return modelRanking(set, tolerance, pageTable(set, tolerance), false);
    }).filter(ranking => ranking.runs.length);
    if (!rankings.length) {
        return sectionEmpty('No run passes the filters.');
    }
    return [element('p', {class: 'note'}, 'Problems solved of those that the solver takes, and '
        + 'the ratio of times to the best solver of the set, or to the one that is chosen. Choose a set: ',
    ...rankings.flatMap(({set}, k) => [k ? ', ' : '', element('a', {
        href: stateHref({set: set.name, at: 'answer'}), title: set.title || null,
        onclick: event => {
            event.preventDefault();
            stateSet({set: set.name, at: 'answer'});
            pageJump('answer');
        }}, set.name)]), '.'), setsTable(rankings)];
}

function sectionChanges() {
    const [sort, setSort] = pageSort('changes', '');
    return changesSection(report.changes, pageNow.state.filters, pageNow.state.changes,
        changes => stateSet({changes}), sort, setSort);
}

/** The figures of the chosen set, without the one beside the ranking, and its other tables; or the
 *  figures of all sets. */
function sectionFigures(scope) {
    const set = pageSet();
    const of = reportFigures.filter(f => f.scope === scope);
    const runs = scope === 'set' ? pageTable(set, pageTolerance(set)) : pageNow.runs;
    const drawn = (scope === 'set' ? of.slice(1) : of).map(f => sectionFigure(f, runs))
        .filter(figure => figure);
    return [scope === 'set' ? element('p', {class: 'note'}, 'Set ', element('strong', {},
        set.name), ', residual at most ' + toleranceText(pageTolerance(set)) + '.') : null,
    drawn.length ? element('div', {class: 'plates'}, ...drawn)
        : sectionEmpty('These runs give no figure.'),
    ...scope === 'set' && runs.length === modelTable(set, pageTolerance(set)).length
        ? report.tables.filter(entry => entry.set === set
            && entry.tolerance === pageTolerance(set)).map(sectionTable) : []];
}

function sectionOwn() {
    return [element('p', {class: 'note'}, 'Any two numbers of the runs that are shown. The link of '
        + 'the page keeps the choice.'), ownFigure(() => pageNow.runs, pageNow.state.own || {},
        pageActions)];
}

/** Solved runs that a certificate of another run excludes. */
function contradictionErrors() {
    return (report.contradictions || []).filter(c => c.error);
}

/** Problems that one run solved and another has shown to have no solution. */
function contradictionsList() {
    const all = report.contradictions || [];
    return all.length ? element('ul', {class: 'plain contradictions'}, ...all.map(c =>
        element('li', {}, c.error ? element('strong', {}, 'Error of perp: ') : '', c.text)))
        : null;
}

/** What failed, and what was not applicable. */
function sectionFailures() {
    const failed = pageNow.runs.filter(r => ['failed', 'approximate'].includes(r.ending.class));
    const refused = pageNow.runs.filter(r => r.ending.class === 'refused');
    const [sort, setSort] = pageSort('failures', '');
    const tally = modelTally(failed.map(r => r.ending)).map(([ending, count]) =>
        element('li', {}, runsButton(count, failed.filter(r => r.ending === ending), ending.name),
            ' ', endingMark(ending), ' ', element('span', {class: 'soft'}, ending.help)));
    return [contradictionsList(), failed.length ? element('ul', {class: 'plain'}, ...tally)
        : element('p', {}, 'No run failed.'),
    failed.length ? failuresTable(failed, pageNow.details, sort, setSort) : null,
    refused.length ? element('p', {class: 'note'}, 'Not counted as failures: ',
        runsButton(countText(refused.length, 'run'), refused, 'not applicable'),
        ' whose solver does not take the problem.') : null,
    ...(report.warnings?.length ? [sectionHeading('warnings', 'Warnings of runs'),
        element('ul', {class: 'plain'}, ...report.warnings.map(text => element('li', {}, text)))] : [])];
}

function sectionInstances() {
    const [sort, setSort] = pageSort('instances', '');
    return instancesTable(pageNow.runs, sort, setSort);
}

function sectionRuns() {
    const [sort, setSort] = pageSort('runs', '');
    return runsTable(pageNow.runs, {id: 'runs-table', label: 'Runs', file: 'runs', sort, setSort});
}

/** A heading within a section. */
function sectionHeading(id, title) {
    const heading = pageHeading(3, id, title);
    heading.id = id;
    return heading;
}

/** The residual first, then how runs end, the measures, the columns. */
function sectionWords() {
    const words = rows => element('dl', {class: 'words'}, ...rows.map(([name, text]) =>
        element('div', {}, element('dt', {}, name), element('dd', {}, text))));
    return [...definitionNodes(report.definition),
        sectionHeading('endings', 'How a run ends'),
        words(report.endings.map(e => [endingMark(e), e.help])),
        sectionHeading('measures', 'Measures'),
        words(report.measures.map(m => [headText(m.label) + (m.unit ? ' [' + m.unit + ']' : ''),
            sentenceText(m.help)])),
        sectionHeading('ranking-words', 'The ranking'),
        words([['Solved', 'solved'], ['Share', 'share'], ['N/A', 'refused'],
            ['Time ratio', 'ratio'], ['95\u00a0%', 'interval'], ['Fastest', 'fastest'],
            ['Verdict', 'verdict']].map(([name, key]) => [name, rankingText(key)])),
        sectionHeading('solver-words', 'Solvers'),
        words(report.solvers.filter(s => s.summary).map(s => [solverName(s), sentenceText(s.summary)]))];
}

/** The definition of the residual: HTML of perp itself, of which only these elements are taken. */
function definitionNodes(html) {
    const taken = new Set(['P', 'SUB', 'SUP', 'I', 'EM', 'B', 'STRONG', 'CODE', 'UL', 'OL', 'LI']);
    const copy = node => {
        if (node.nodeType === Node.TEXT_NODE) {
            return [node.textContent];
        }
        const children = [...node.childNodes].flatMap(copy);
        if (/^H\d$/.test(node.nodeName)) {
            return [sectionHeading('residual', node.textContent)];
        }
        return taken.has(node.nodeName) ? [element(node.nodeName.toLowerCase(), {}, ...children)]
            : children;
    };
    const parsed = new DOMParser().parseFromString(html || '', 'text/html');
    return [...parsed.body.childNodes].flatMap(copy);
}

function sectionMachine() {
    const flat = (value, name) => value !== null && typeof value === 'object'
        ? Object.entries(value).flatMap(([key, v]) => flat(v, name ? name + ', ' + key : key))
        : [[name.replaceAll('_', ' '), value === null ? '–' : String(value)]];
    return [report.noise?.length ? element('ul', {}, ...report.noise.map(text => element('li', {},
        text))) : null, factsList([['perp', (report.version || '') + ' ' + (report.commit || '')],
        ...(report.plugins || []).map(text => ['plugin', text]),
        ['folders', report.folders.join(', ')], ['date of the newest run',
            dateText(report.date) || '–'], ...flat(report.machine || {}, '')])];
}

/** The line, dash and marker of a solver, as its curves have them. */
function solverMark(solver) {
    const look = drawLook(solver);
    const svg = element('svg', {class: 'look', width: 26, height: 12, viewBox: '0 0 26 12',
        'aria-hidden': 'true'},
    element('path', {class: 'stroke', d: 'M1 6H25', 'stroke-dasharray': drawDash(look, 1.7)}),
    element('path', {class: drawMarkerOpen(look.marker) ? 'open' : 'full',
        d: drawMarker(look.marker, 13, 6, 3.6)}));
    svg.style.setProperty('--ink-light', look.colour);
    svg.style.setProperty('--ink-dark', drawInkDark(look.colour));
    return svg;
}

/** A table that perp made for a set: texts as they are. */
function sectionTable(entry) {
    const id = 'table-' + entry.name;
    const number = text => text !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
    const columns = entry.headings.map((head, k) => ({key: 'c' + k, csv: head, head,
        number: entry.rows.every(row => typeof number(row[k]) === 'number' || row[k] === ''
            || row[k] === '-'),
        wide: d3.max(entry.rows, row => row[k].length) > 60,
        value: row => number(row[k]), cell: row => row[k]}));
    return element('div', {id}, pageHeading(3, id, headText(entry.title)),
        element('p', {class: 'note'}, entry.explained),
        tableMake({id: id + '-rows', label: entry.title, columns, rows: entry.rows, sort: '',
            file: entry.name}));
}
