/* SPDX-License-Identifier: Apache-2.0
 * web/report/own.js: the reader's own figure: any measure against any other or against what varies,
 * coloured and split as chosen, over the runs that the filters leave. */
'use strict';

const ownKinds = {points: 'points', lines: 'lines of medians', boxes: 'boxes',
    cumulated: 'cumulated shares'};
const ownDefaults = {x: 'n', y: 'seconds', facet: '', kind: 'points', logx: true,
    logy: true};
const ownColours = ['#0072B2', '#D55E00', '#009E73', '#000000', '#56B4E9', '#CC79A7', '#E69F00',
    '#6B4E00'];
const ownMarkers = [7, 5, 9, 13, 11, 15, 1, 3];
const ownTurns = [0, 2, 4, 6, 3, 1, 7, 5];

/** The k-th look, as command/figures/style.c gives it. */
function ownLook(k) {
    const c = k % 8;
    const r = Math.floor(k / 8) % 8;
    return {colour: ownColours[c], dash: (c ^ r) + 1, marker: ownMarkers[c ^ ownTurns[r]]};
}

/** What a figure may show: [{key, label, unit, of: run => value, numbers, log}]. */
function ownFields() {
    const names = (key, label, of) => ({key, label, unit: '', of, numbers: false, log: false});
    const fields = [
        names('solver', 'solver', r => r.solver.label),
        names('set', 'set', r => r.set.name),
        names('problem', 'family of problems', r => r.instance.problem),
        names('instance', 'instance', r => r.instance.name),
        names('kind', 'kind', r => r.instance.kind),
        names('law', 'friction law', r => r.instance.law),
        names('ending', 'ending', r => r.ending.name),
        names('folder', 'folder', r => r.folder),
        {key: 'tolerance', label: 'tolerance', unit: '', of: r => r.tolerance, numbers: true,
            log: true},
        {key: 'n', label: 'rows', unit: '', of: r => r.instance.n, numbers: true, log: true},
        {key: 'nonzeros', label: 'nonzeros of A', unit: '', of: r => r.instance.nonzeros,
            numbers: true, log: true},
        {key: 'condition', label: 'condition of A', unit: '', of: r => r.instance.condition,
            numbers: true, log: true},
    ];
    const known = new Set(fields.map(f => f.key));
    for (const p of report.parameters) {
        const values = report.runs.map(r => r.values[p.name]).filter(v => v !== null
            && v !== undefined);
        fields.push({key: 'vary.' + p.name, label: p.name.replace(/^solver\./, ''), unit: p.unit,
            of: r => r.values[p.name], numbers: values.every(v => typeof v === 'number'),
            log: false, varied: true});
    }
    for (const m of report.measures.filter(m => !known.has(m.key))) {
        fields.push({key: m.key, label: ownMeasureLabel(m), unit: m.unit, of: r => r[m.key],
            numbers: true, log: m.scale === 'log', measure: true});
    }
    return fields.filter(f => report.runs.some(r => ownValue(f, r) !== null));
}

/** The label of a measure; with its key where another one has the same. */
function ownMeasureLabel(m) {
    return report.measures.some(o => o !== m && o.label === m.label) ? `${m.label} (${m.key})`
        : m.label;
}

/** The value of a field: a finite number, a text, or null. */
function ownValue(field, run) {
    const value = field.of(run);
    if (value === null || value === undefined || value === '') {
        return null;
    }
    return field.numbers ? (Number.isFinite(value) ? value : null) : String(value);
}

/** A state with only what exists; what is missing is chosen. */
function ownState(state, fields) {
    const few = report.solvers.length <= 12;
    const s = {...ownDefaults, by: few ? 'solver' : 'kind', ...state};
    const is = (key, test) => fields.some(f => f.key === key && test(f));
    s.y = is(s.y, f => f.numbers) ? s.y : (fields.find(f => f.measure) || fields[0]).key;
    s.x = is(s.x, () => true) ? s.x : 'solver';
    s.by = is(s.by, () => true) ? s.by : '';
    s.facet = is(s.facet, () => true) ? s.facet : '';
    s.kind = ownKinds[s.kind] ? s.kind : 'points';
    s.logx = s.logx !== false && s.logx !== 'false';
    s.logy = s.logy !== false && s.logy !== 'false';
    return s;
}

/** Groups of runs by a field, in the order of numbers or of their first occurrence. */
function ownGroups(runs, field) {
    if (!field) {
        return [['', runs]];
    }
    const groups = d3.groups(runs, r => ownValue(field, r));
    return field.numbers ? groups.sort((a, b) => d3.ascending(a[0], b[0])) : groups;
}

/** The name of a group. */
function ownGroupName(field, value) {
    return !field ? 'runs' : value === null ? 'no ' + field.label
        : field.numbers ? field.label + ' ' + figureNumber(value) : String(value);
}

/** An axis of a field. */
function ownAxis(field, runs, log) {
    const values = runs.map(r => ownValue(field, r)).filter(v => v !== null);
    if (!field.numbers) {
        return {scale: 'band', label: field.label, names: dataDistinct(values)};
    }
    const able = values.some(v => v > 0) && !values.some(v => v < 0);
    return {scale: log && able ? 'log10' : 'linear', label: field.label, unit: field.unit};
}

/** The place of a value on an axis; NaN where the axis cannot show it. */
function ownPlace(axis, value) {
    return value === null ? NaN : axis.scale === 'band' ? axis.names.indexOf(value)
        : axis.scale === 'log10' && !(value > 0) ? NaN : value;
}

/** One point per run. */
function ownPoints(runs, x, y, axes, shift) {
    return runs.map(run => ({
        x: ownPlace(axes.x, ownValue(x, run)), y: ownPlace(axes.y, ownValue(y, run)),
        dx: axes.x.scale === 'band' ? shift : 0, cross: !dataSolved(run), runs: [run],
    })).map(p => (p.cross && Number.isNaN(p.y) && !Number.isNaN(p.x)
        ? {...p, failed: 'y', cross: false} : p)).filter(p => !Number.isNaN(p.x)
        && (p.failed || !Number.isNaN(p.y)));
}

/** Medians of the solved runs with quartiles, and a cross where runs failed. */
function ownMedians(runs, x, y, axes, shift) {
    const groups = ownGroups(runs.filter(r => ownValue(x, r) !== null), x);
    return groups.flatMap(([value, of]) => {
        const at = {x: ownPlace(axes.x, value), dx: axes.x.scale === 'band' ? shift : 0};
        const sorted = of.filter(dataSolved).map(r => ownPlace(axes.y, ownValue(y, r)))
            .filter(v => !Number.isNaN(v)).sort((a, b) => a - b);
        const failed = of.filter(r => !dataSolved(r));
        const q = p => dataQuantile(sorted, p);
        return [sorted.length ? {...at, y: q(0.5), low: sorted.length > 1 ? q(0.25) : null,
            high: sorted.length > 1 ? q(0.75) : null, runs: of} : null,
        failed.length ? {...at, failed: 'y', runs: failed} : null];
    }).filter(p => p && !Number.isNaN(p.x));
}

/** The share of all runs of a group whose value is at most x; failed runs never are. */
function ownShares(runs, y, axis) {
    const sorted = runs.filter(dataSolved).map(run => ({run, x: ownPlace(axis, ownValue(y, run))}))
        .filter(v => !Number.isNaN(v.x)).sort((a, b) => a.x - b.x);
    const first = sorted.slice(0, 1).map(v => ({x: v.x, y: 0, runs: []}));
    return first.concat(sorted.map((v, k) => ({x: v.x, y: (k + 1) / runs.length,
        get runs() {
            return sorted.slice(0, k + 1).map(w => w.run);
        }})));
}

/** The series of a panel of points, lines or shares. */
function ownSeries(runs, s, f, axes, looks) {
    const groups = ownGroups(runs, f.by);
    return groups.map(([value, of], k) => {
        const key = ownGroupName(f.by, value);
        const shift = (k - (groups.length - 1) / 2) * Math.min(6, 40 / groups.length);
        const points = s.kind === 'cumulated' ? ownShares(of, f.y, axes.x)
            : s.kind === 'lines' ? ownMedians(of, f.x, f.y, axes, shift)
                : ownPoints(of, f.x, f.y, axes, shift);
        const form = s.kind === 'cumulated' ? 'steps'
            : s.kind === 'lines' && axes.x.scale !== 'band' ? 'line' : 'points';
        return {key, look: looks(f.by, value, of), form, small: 3.6, points, runs: of,
            ...(s.kind === 'points' ? {tip: p => ownTip(p, f)} : {})};
    }).filter(g => g.points.length);
}

/** What the tip says of one run. */
function ownTip(point, f) {
    const [run] = point.runs;
    const text = field => field.label + ' ' + (field.numbers
        ? numberText(ownValue(field, run)) + (field.unit ? ' ' + field.unit : '')
        : ownValue(field, run));
    return [...new Set([run.instance.name, run.solver.label, text(f.x), text(f.y),
        run.ending.name])];
}

/** Boxes of y over the values of x, one beside the other for each colour. */
function ownBoxes(runs, s, f, looks) {
    const axis = ownAxis(f.y, runs, s.logy);
    const rows = ownGroups(runs.filter(r => ownValue(f.x, r) !== null), f.x);
    const all = ownGroups(runs, f.by);
    const split = f.by && f.by.key !== f.x.key && all.length > 1;
    const lines = rows.flatMap(([value, of]) => (split ? ownGroups(of, f.by) : [[null, of]])
        .map(([by, mine]) => ({value, by, mine})));
    const name = l => ownGroupName({...f.x, label: f.x.label}, l.value)
        + (split ? ', ' + ownGroupName(f.by, l.by) : '');
    const groups = lines.map(l => ({
        name: name(l), look: split ? looks(f.by, l.by, l.mine) : looks(f.x, l.value, l.mine),
        values: l.mine.filter(dataSolved).filter(r => !Number.isNaN(ownPlace(axis,
            ownValue(f.y, r)))).map(run => ({y: ownValue(f.y, run), run})),
        failed: l.mine.filter(r => !dataSolved(r)),
    })).filter(g => g.values.length || g.failed.length);
    return {...figureBoxPanel(groups, {label: f.y.label, unit: f.y.unit,
        scale: axis.scale === 'log10' ? 'log' : 'linear'}, axis.scale === 'log10'), row: 22};
}

/** One panel. */
function ownPanel(runs, s, f, title, looks, all) {
    if (s.kind === 'boxes') {
        return {title, ...ownBoxes(runs, s, f, looks)};
    }
    const axes = s.kind === 'cumulated'
        ? {x: ownAxis(f.y, all, s.logy), y: {scale: 'linear', label: 'share of runs',
            domain: [0, 1]}}
        : {x: ownAxis(f.x, all, s.logx), y: ownAxis(f.y, all, s.logy)};
    const series = ownSeries(runs, s, f, axes, looks);
    if (axes.x.scale === 'band') {
        ownTurn(axes, series);
    }
    return {title, ...axes, series};
}

/** Names go to the vertical axis, where they have room. */
function ownTurn(axes, series) {
    [axes.x, axes.y] = [axes.y, axes.x];
    axes.y = {...axes.y, label: ''};
    for (const s of series) {
        s.along = 'x';
        s.points = s.points.map(p => ({...p, x: p.y, y: p.x, dx: 0, dy: p.dx,
            failed: p.failed ? 'x' : undefined}));
    }
}

/** The figure of a state over runs; null when no run has both values. */
function ownSpec(runs, state, fields) {
    const s = ownState(state, fields);
    const field = key => fields.find(f => f.key === key);
    const f = {x: field(s.x), y: field(s.y), by: field(s.by), facet: field(s.facet)};
    const needsX = s.kind !== 'cumulated';
    const taken = runs.filter(r => dataTaken(r) && (!needsX || ownValue(f.x, r) !== null)
        && (ownValue(f.y, r) !== null || !dataSolved(r)));
    if (!taken.some(r => ownValue(f.y, r) !== null)) {
        return null;
    }
    const order = new Map(ownGroups(taken, f.by).map(([value], k) => [value, k]));
    const looks = (of, value, list) => (of?.key === 'solver' ? drawLook(list[0].solver)
        : of === f.by ? ownLook(order.get(value) ?? 0) : ownLook(0));
    const panels = ownGroups(taken, f.facet).map(([value, of]) => ownPanel(of, s, f,
        f.facet ? ownGroupName(f.facet, value) : '', looks, taken));
    const shown = panels.filter(p => p.series.length);
    if (!shown.length) {
        return null;
    }
    const against = needsX ? ' against ' + f.x.label : '';
    return {
        name: 'own-figure', panels: shown, panelWidth: s.kind === 'boxes' ? 480 : 340,
        legend: s.kind === 'boxes' ? 'none' : undefined,
        title: figureCapital(f.y.label) + against,
        caption: ownCaption(s, f, taken, runs),
        rows: () => [['set', 'instance', 'solver', 'tolerance', 'ending',
            ...new Set([f.x, f.y, f.by, f.facet].filter(v => v).map(v => v.key))],
        ...taken.map(r => [r.set.name, r.instance.name, r.solver.label, r.tolerance, r.ending.name,
            ...[...new Set([f.x, f.y, f.by, f.facet].filter(v => v))].map(v => ownValue(v, r))])],
    };
}

/** What the figure shows and what it cannot show. */
function ownCaption(s, f, taken, runs) {
    const what = {points: 'One point per run; a cross is a run that did not solve.',
        lines: 'Medians of the solved runs with quartiles; a cross in the margin marks runs that '
            + 'did not solve.',
        boxes: 'Quartiles of the solved runs with the median; whiskers reach 1.5 times their '
            + 'distance, further runs are points; a cross in the margin marks runs that did not '
            + 'solve.',
        cumulated: 'The share of the runs that solve with a value of at most x.'}[s.kind];
    const logs = [s.kind !== 'boxes' && s.kind !== 'cumulated' && s.logx ? f.x : null,
        s.logy ? f.y : null].filter(v => v?.numbers);
    const lost = taken.filter(r => logs.some(v => ownValue(v, r) === 0)).length;
    return what + ` ${countText(taken.length, 'run')} of the ${runs.length} that are chosen`
        + (taken.length < runs.length ? '; the others have no such value or are not applicable'
            : '') + '.' + (lost ? ` ${countText(lost, 'run')} with a value of 0 cannot stand on a `
            + 'logarithmic axis.' : '');
}

/** A choice with a label. */
function ownSelect(label, value, options, act) {
    const select = element('select', {onchange: () => act(select.value)},
        ...options.map(([key, text]) => element('option', {value: key,
            selected: key === value}, text)));
    return element('label', {}, label, select);
}

function ownCheck(label, value, act) {
    const box = element('input', {type: 'checkbox', checked: value,
        onchange: () => act(box.checked)});
    return element('label', {class: 'own-check'}, box, label);
}

/** The reader's own figure as an element; its method `update()` draws it again from the runs that
 *  getRuns() returns. */
function ownFigure(getRuns, state, actions) {
    const fields = ownFields();
    let now = ownState(state, fields);
    const plot = element('div', {class: 'own-plot'});
    const form = element('form', {class: 'own-form', onsubmit: e => e.preventDefault()});
    const draw = () => {
        const spec = ownSpec(getRuns(), now, fields);
        plot.replaceChildren(spec ? drawFigure(spec, actions) : element('p', {class: 'own-empty'},
            'None of the chosen runs has these values.'));
    };
    const set = (key, value) => {
        now = ownState({...now, [key]: value}, fields);
        actions.setState?.({...now});
        ownForm(form, now, fields, set);
        draw();
    };
    ownForm(form, now, fields, set);
    draw();
    const root = element('div', {class: 'own'}, form, plot);
    root.update = draw;
    return root;
}

/** Fill the form; the control that had the focus keeps it. */
function ownForm(form, now, fields, set) {
    const at = [...form.elements].indexOf(document.activeElement);
    const option = f => [f.key, f.label + (f.unit ? ` [${f.unit}]` : '')];
    const numbers = fields.filter(f => f.numbers).map(option);
    const few = fields.filter(f => !f.measure && f.key !== 'instance').map(option);
    const x = fields.find(f => f.key === now.x);
    form.replaceChildren(
        ownSelect('kind', now.kind, Object.entries(ownKinds), v => set('kind', v)),
        ownSelect('y', now.y, numbers, v => set('y', v)),
        ...(now.kind === 'cumulated' ? [] : [ownSelect('x', now.x, fields.map(option),
            v => set('x', v))]),
        ownSelect('colour', now.by, [['', 'one colour'], ...few], v => set('by', v)),
        ownSelect('one panel per', now.facet, [['', 'one panel'], ...few], v => set('facet', v)),
        ownCheck('log y', now.logy, v => set('logy', v)),
        ...(x?.numbers && !['boxes', 'cumulated'].includes(now.kind)
            ? [ownCheck('log x', now.logx, v => set('logx', v))] : []));
    form.elements[at]?.focus();
}
