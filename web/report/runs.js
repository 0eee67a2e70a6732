/* SPDX-License-Identifier: Apache-2.0
 * web/report/runs.js: the tables of runs, failures and instances, and the panel that shows one run
 * or a list of them. */
'use strict';

const endingGlyphs = {solved: '●', approximate: '◐', refused: '–', failed: '×'};

/** How a run ended: a sign and a word, so that it can be read without colours. */
function endingMark(ending) {
    return element('span', {class: 'ending ' + ending.class, title: ending.help},
        element('span', {'aria-hidden': 'true'}, endingGlyphs[ending.class] || '×'), ' ',
        ending.name);
}

/** A link that opens a run. */
function runLink(run, text) {
    return element('a', {href: stateHref({run: run.index}), onclick: event => {
        if (!event.ctrlKey && !event.metaKey && !event.shiftKey) {
            event.preventDefault();
            pageActions.openRun(run);
        }
    }}, text);
}

/** A label as a heading. */
function headText(label) {
    return /^[a-z]{2}/.test(label) ? label[0].toUpperCase() + label.slice(1) : label;
}

/* What tables show of the measures of a run: the residual is that of the problem as given. */
const runKeys = {residual: ['residual_given', 'residual'], seconds: ['seconds'],
    iterations: ['iterations'], products: ['work.products', 'products'], bytes: ['bytes']};

/** The measure that stands for one of runKeys; undefined where the runs do not have it. */
function runMeasure(key) {
    const first = runKeys[key].find(k => report.measures.some(m => m.key === k));
    return report.measures.find(m => m.key === first);
}

/** The residual of the problem as given. */
function runResidual(run) {
    const key = runMeasure('residual')?.key;
    return key ? run[key] : null;
}

/** The columns of measures that tables of runs have. */
function runMeasures(keys) {
    return keys.map(key => [key, runMeasure(key)]).filter(([, m]) => m)
        .map(([key, m]) => ({key, csv: m.key, head: (key === 'residual' ? 'Residual'
            : headText(m.label)) + (m.unit && m.key !== 'seconds'
            ? ' [' + m.unit + ']' : ''), number: true, help: sentenceText(m.help), value: run => run[m.key],
        cell: run => key === 'seconds' ? secondsText(run.seconds) : numberText(run[m.key])}));
}

/** The columns of what was varied among the runs. */
function runParameters(runs) {
    const has = p => runs.some(run => run.values[p.name] !== null
        && run.values[p.name] !== undefined);
    return report.parameters.filter(has).map(p => ({key: 'value of ' + p.name, csv: p.name, number: true,
        head: p.name + (p.unit ? ' [' + p.unit + ']' : ''), help: 'A value that the suite varies.',
        value: run => run.values[p.name],
        cell: run => typeof run.values[p.name] === 'number' ? numberText(run.values[p.name])
            : modelValue(run, p.name)}));
}

/** A column of runs by its key. */
function runColumns(keys) {
    const of = {
        instance: {key: 'instance', head: 'Instance', value: r => r.instance.name,
            cell: r => runLink(r, r.instance.name),
            help: 'The problem; a click opens the run.'},
        set: {key: 'set', head: 'Set', value: r => r.set.name,
            help: 'The set of the suite that the problem is in.'},
        solver: {key: 'solver', head: 'Solver', value: r => r.solver.label,
            cell: r => solverName(r.solver),
            help: 'The name of the solver with what was asked of it.'},
        tolerance: {key: 'tolerance', head: 'Tolerance', number: true, value: r => r.tolerance,
            cell: r => toleranceText(r.tolerance),
            help: 'The residual at which a run counts as solved.'},
        ending: {key: 'ending', head: 'Ending', value: r => r.ending.name,
            cell: r => endingMark(r.ending), help: 'How the run ended; the words are '
                + 'explained in “What the words mean”.'},
        n: {key: 'n', head: 'n', number: true, value: r => r.instance.n,
            help: 'Number of unknowns: rows of A.'},
        folder: {key: 'folder', head: 'Folder', value: r => r.folder,
            help: 'The folder of results that the run is from.'},
    };
    return keys.map(key => of[key]);
}

/** The table of runs. */
function runsTable(runs, {id, label, file, sort, setSort, short}) {
    const one = list => list.length > 1;
    const columns = short
        ? [...runColumns(['instance', 'solver', 'ending']), ...runMeasures(['residual', 'seconds'])]
        : [...runColumns(['instance', ...(one(report.sets) ? ['set'] : []), 'n', 'solver',
            ...(one(report.tolerances) ? ['tolerance'] : []), 'ending',
            ...(one(report.folders) ? ['folder'] : [])]),
        ...runMeasures(['residual', 'seconds', 'iterations', 'products', 'bytes']),
        ...runParameters(runs)];
    return tableMake({id, label, columns, rows: runs, sort, setSort, file, attributes: r => ({
        'data-run': r.index, class: 'run ' + r.ending.class})});
}

/** The table of runs that did not solve, with their reasons; `details` may not be read yet. */
function failuresTable(runs, details, sort, setSort) {
    const reason = run => {
        const d = details && details[run.index];
        return d ? d.message || d.reason || '' : '';
    };
    const certificate = run => {
        const c = details && details[run.index]?.certificate;
        return c ? (c.kind || 'direction') + (c.verified ? ', verified' : ', NOT verified') : '';
    };
    const columns = [...runColumns(['instance', ...(report.sets.length > 1 ? ['set'] : []),
        'solver', ...(report.tolerances.length > 1 ? ['tolerance'] : []), 'ending']),
    ...runMeasures(['residual']),
    {key: 'reason', head: 'Reason', wide: true, value: reason,
        help: 'What stopped the run, in the words of the solver.'},
    {key: 'certificate', head: 'Certificate', value: certificate,
        help: 'What the solver proved at its end, and whether perp checked it on the problem.'}];
    return tableMake({id: 'failures-table', label: 'Runs that did not solve', columns, rows: runs,
        sort, setSort, file: 'failures', attributes: r => ({'data-run': r.index})});
}

/** The table of instances, from the runs that are shown. */
function instancesTable(runs, sort, setSort) {
    const rows = [...d3.group(runs, run => run.instance)].map(([instance, of]) => {
        const taken = of.filter(r => r.ending.class !== 'refused');
        const best = d3.least(of.filter(r => modelCost(r) !== null), modelCost);
        return {instance, of, taken, best, solved: taken.filter(
            r => r.ending.class === 'solved').length};
    });
    const number = (key, head, help) => ({key, head, help, number: true,
        value: row => row.instance[key]});
    const columns = [
        {key: 'name', head: 'Instance', value: row => row.instance.name,
            help: 'The problem; a click lists its runs.',
            cell: row => runsButton(row.instance.name, row.of, row.instance.name)},
        {key: 'kind', head: 'Kind', value: row => row.instance.kind,
            help: 'The kind of problem: LCP, with bounds, frictional contact in 2D or 3D, …'},
        {key: 'law', head: 'Law', value: row => row.instance.law,
            help: 'The friction law of its contacts.'},
        number('n', 'n', 'Number of unknowns: rows of A.'),
        number('contacts', 'Contacts', 'Number of contacts.'),
        number('nonzeros', 'Nonzeros', 'Entries of A that are stored.'),
        number('rank', 'Rank', 'Rank of A; empty where it was not computed.'),
        number('condition', 'Condition', 'Largest over least nonzero singular value of A.'),
        {key: 'solved', head: 'Solved', number: true, value: row => row.solved,
            help: 'Runs that solved it, of those whose solver takes it.',
            cell: row => row.solved + '/' + row.taken.length},
        {key: 'best', head: 'Least time', number: true, value: row => row.best?.seconds,
            help: 'The least time of a run that solved it.',
            cell: row => row.best ? runLink(row.best, secondsText(row.best.seconds)) : '–'},
        {key: 'fastest', head: 'By', value: row => row.best?.solver.label,
            help: 'The solver of this run.',
            cell: row => row.best ? solverName(row.best.solver) : '–'},
    ];
    return tableMake({id: 'instances-table', label: 'Instances', columns, rows, sort, setSort,
        file: 'instances'});
}

/** Show a list of runs in the panel. */
function panelList(runs, title) {
    const tally = modelTally(runs.map(run => run.ending)).map(([ending, count]) =>
        element('span', {class: 'tally'}, count + ' ', endingMark(ending)));
    panelShow(title, element('div', {}, element('p', {}, countText(runs.length, 'run'), '. ',
        ...tally), runsTable(runs, {id: 'panel-runs', label: title, file: 'runs', sort: '',
        short: true})));
}

/** Show one run in the panel; `list` are the runs it was opened from. */
async function panelRun(run, list) {
    const title = run.instance.name + ' · ' + run.solver.label;
    const body = element('div', {'data-run': run.index});
    panelShow(title, body, panelSteps(run, list));
    const details = await modelDetails(run) || {};
    const parts = [panelEnding(run, details), panelCommand(details), panelNumbers(run, details),
        panelPath(details), panelCertificate(details), panelSequence(details),
        panelContacts(details), panelHistory(details),
        panelInstance(run), panelOthers(run), panelAsked(run, details), panelMeasures(run)];
    body.replaceChildren(...parts.filter(part => part));
}

/** A part of the panel under its heading; nothing when it has no content. */
function panelPart(title, ...content) {
    const kept = content.filter(c => c !== null && c !== undefined);
    return kept.length ? element('section', {}, element('h3', {}, title), ...kept) : null;
}

/** Fill the panel and open it. */
function panelShow(title, body, steps) {
    const panel = document.getElementById('run-panel');
    const heading = element('h2', {id: 'panel-title', tabindex: '-1'}, title);
    if (panel.hidden) {
        panel.before_ = document.activeElement;
    }
    panel.replaceChildren(element('div', {class: 'top'}, heading, element('div', {class: 'tools'}, steps,
        element('button', {type: 'button', class: 'close', 'aria-label': 'Close',
            onclick: () => pageActions.close()}, '×'))), body);
    panel.hidden = false;
    panel.scrollTop = 0;
    document.body.classList.add('open');
    panelCovers(matchMedia('(max-width: 760px)').matches);
    heading.focus({preventScroll: true});
}

/** On a phone the panel covers the page, which then takes no focus. */
function panelCovers(covers) {
    ['head', 'contents', 'main'].forEach(id => {
        document.getElementById(id).inert = covers;
    });
}

/** Close the panel; the focus goes back to where it was. */
function panelHide() {
    const panel = document.getElementById('run-panel');
    if (!panel.hidden) {
        panel.hidden = true;
        document.body.classList.remove('open');
        panelCovers(false);
        panel.before_?.isConnected && panel.before_.focus({preventScroll: true});
    }
}

/** Buttons to the list, to the run before and to the next one, and for a link to this one. */
function panelSteps(run, list) {
    const at = list ? list.runs.indexOf(run) : -1;
    const step = (text, label, k) => element('button', {type: 'button', 'aria-label': label,
        disabled: !list.runs[k], onclick: () => pageActions.openRun(list.runs[k])}, text);
    const link = element('button', {type: 'button', onclick: () => copyText(location.href, link)},
        'Copy link');
    return at < 0 ? [link] : [
        element('button', {type: 'button', onclick: () => pageActions.showRuns(list.runs,
            list.title)}, '≡ ' + countText(list.runs.length, 'run')),
        step('‹', 'Run before', at - 1), step('›', 'Next run', at + 1), link];
}

/** How it ended, in words. */
function panelEnding(run, details) {
    const words = details.message || details.reason;
    return element('section', {class: 'first'}, element('p', {}, endingMark(run.ending), ' ',
        element('span', {class: 'soft'}, run.ending.help)),
    words ? element('p', {class: run.ending.class === 'failed' ? 'words failed' : 'words'}, words)
        : null);
}

/** The numbers that are asked first. */
function panelNumbers(run, details) {
    const repeats = details.repeats || [];
    const spread = repeats.length > 1 ? ' (' + countText(repeats.length, 'repeat') + ': '
        + secondsText(d3.min(repeats)) + ' to ' + secondsText(d3.max(repeats)) + ')' : '';
    const rows = [['Set', run.set.name], ['Tolerance', toleranceText(run.tolerance)],
        ['Residual', numberText(runResidual(run))],
        ['Time', secondsText(run.seconds) + spread],
        ['Iterations', numberText(run.iterations)],
        ...(report.folders.length > 1 ? [['Folder', run.folder]] : []),
        ...report.parameters.filter(p => run.values[p.name] !== null
            && run.values[p.name] !== undefined)
            .map(p => [p.name, modelValue(run, p.name) + (p.unit ? '\u00a0' + p.unit : '')])];
    return factsList(rows);
}

/** Names and values. */
function factsList(rows) {
    return element('dl', {class: 'facts'}, ...rows.map(([name, value]) => element('div', {},
        element('dt', {}, name), element('dd', {}, value ?? '–'))));
}

/** The line that repeats the run. */
function panelCommand(details) {
    if (!details.command) {
        return null;
    }
    const button = element('button', {type: 'button',
        onclick: () => copyText(details.command, button)}, 'Copy');
    return panelPart('Run it again', element('div', {class: 'command'},
        element('code', {tabindex: '0', role: 'region', 'aria-label': 'command'},
            details.command), button));
}

function panelPath(details) {
    return panelPart('Solution path', details.path?.length ? element('ol', {class: 'path'},
        ...details.path.map(step => element('li', {}, step))) : null);
}

/** The residual during the run. */
function panelHistory(details) {
    const figure = details.history?.length ? figureHistory(details) : null;
    return figure && element('section', {}, sectionTitled(figure, text => element('h3', {},
        text || 'History')));
}

function panelCertificate(details) {
    const c = details.certificate;
    if (!c) {
        return null;
    }
    return panelPart('Certificate', element('p', {}, element('strong', {}, c.kind || 'direction'),
        ', ', element('span', {class: c.verified ? 'good' : 'bad'}, c.verified
            ? 'verified on the problem' : 'NOT verified'), c.says ? ': ' + c.says : ''),
    element('details', {}, element('summary', {}, 'Its numbers'), element('pre', {tabindex: '0'},
        JSON.stringify(c, null, 1).replace(/\n\s+(?=[-\d])/g, ' '))));
}

/** The residuals of the contacts: quantiles, and the worst ones by name. */
function panelContacts(details) {
    const contacts = details.contacts;
    if (!contacts) {
        return null;
    }
    const names = ['least', '25 %', 'median', '75 %', 'largest'];
    return panelPart('Residual per contact',
        contacts.quantiles ? factsList(contacts.quantiles.map((q, k) => [names[k],
            numberText(q)])) : null,
        contacts.worst?.length ? element('p', {}, 'Worst: ', contacts.worst.map(w => w.name + ' '
            + numberText(w.residual)).join(', ') + '.') : null);
}

/** The problems of a sequence, one after another. */
function panelSequence(details) {
    const steps = details.steps;
    if (!steps?.iterations?.length) {
        return null;
    }
    const rows = steps.iterations.map((iterations, k) => ({k: k + 1, iterations,
        seconds: steps.seconds?.[k], residual: steps.residual?.[k], ending: steps.outcome?.[k]}));
    const number = (key, head, format) => ({key, head, number: true, value: r => r[key],
        cell: r => format(r[key])});
    return panelPart('Problem by problem', tableMake({id: 'panel-steps', rows, sort: '',
        label: 'The problems of the sequence', file: 'sequence', columns: [
            number('k', 'Problem', numberText), {key: 'ending', head: 'Ending',
                value: r => r.ending}, number('residual', 'Residual', numberText),
            number('seconds', 'Time', secondsText), number('iterations', 'Iterations',
                numberText)]}));
}

function panelInstance(run) {
    const i = run.instance;
    const rows = [['Kind', i.kind], ...(i.law ? [['Law', i.law]] : []), ['n', numberText(i.n)],
        ['Contacts', numberText(i.contacts)], ['Nonzeros', numberText(i.nonzeros)],
        ['Rank', numberText(i.rank)], ['Condition', numberText(i.condition)]];
    return panelPart('The instance', factsList(rows),
        i.note ? element('p', {class: 'soft'}, i.note) : null,
        element('div', {class: 'pair'}, i.pattern ? figurePattern(i) : null,
            i.spectrum?.length ? figureSpectrum(i) : null),
        element('p', {class: 'soft small'}, i.file ? 'File ' + i.file : '', i.hash
            ? ' · hash ' + i.hash : ''));
}

/** What the other solvers did on the same instance. */
function panelOthers(run) {
    const others = report.runs.filter(r => r.instance === run.instance && r.set === run.set
        && r.tolerance === run.tolerance);
    return panelPart('The same problem, every solver', others.length > 1 ? tableMake({
        id: 'panel-others', label: 'The same problem, every solver', rows: others, sort: 'seconds',
        file: 'instance', columns: [
            {key: 'solver', head: 'Solver', value: r => r.solver.label,
                cell: r => r === run ? solverName(r.solver) : runLink(r, solverName(r.solver))},
            ...runColumns(['ending']), ...runMeasures(['residual', 'seconds'])],
        attributes: r => ({class: r === run ? 'here' : null}),
    }) : null);
}

/** Options and limits. */
function panelAsked(run, details) {
    const entries = [...Object.entries(details.options || {}), ...Object.entries(
        details.limits || {}).map(([key, value]) => ['limit of ' + key, value])];
    if (details.seed !== null && details.seed !== undefined && !details.options?.seed) {
        entries.push(['seed', details.seed]);
    }
    if (details.date) {
        entries.push(['date of the run', dateText(details.date)]);
    }
    return panelPart('What was asked', entries.length ? element('details', {},
        element('summary', {}, countText(entries.length, 'option')), factsList(entries.map(
            ([key, value]) => [key, typeof value === 'object' ? JSON.stringify(value)
                : String(value)]))) : null);
}

/** Every measure with its explanation. */
function panelMeasures(run) {
    const rows = report.measures.filter(m => run[m.key] !== null && run[m.key] !== undefined);
    return panelPart('All measures', element('table', {class: 'measures'},
        element('thead', {}, element('tr', {}, element('th', {scope: 'col'}, 'Measure'),
            element('th', {scope: 'col', class: 'n'}, 'Value'),
            element('th', {scope: 'col'}, 'What it is'))),
        element('tbody', {}, ...rows.map(m => element('tr', {},
            element('th', {scope: 'row'}, m.label + (m.unit ? ' [' + m.unit + ']' : '')),
            element('td', {class: 'n'}, numberText(run[m.key], 4)),
            element('td', {class: 'soft'}, sentenceText(m.help)))))));
}

/** Copy a text, and say so on the button. */
async function copyText(text, button) {
    const name = button.dataset.name || button.textContent;
    button.dataset.name = name;
    let copied = true;
    try {
        await navigator.clipboard.writeText(text);
    } catch {
        const area = element('textarea', {readonly: true, class: 'unseen'});
        area.value = text;
        document.body.append(area);
        area.select();
        copied = document.execCommand('copy');
        area.remove();
        button.focus();
    }
    button.textContent = copied ? 'Copied' : 'Not copied';
    setTimeout(() => {
        button.textContent = name;
    }, 1500);
}
