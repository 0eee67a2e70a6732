/* SPDX-License-Identifier: Apache-2.0
 * web/report/controls.js: the bar that stays in sight: the chosen set and tolerance, search, the
 * filters, how many runs are shown. */
'use strict';

const controlsMany = 24;

/** The dimensions of the filters: {name, title, values: [[text, count]], key}; `key` is a member of
 *  the filters, or a varied parameter where `parameter` is set. Those with one value are left
 *  out. */
function controlsDimensions() {
    const of = (key, title, text, parameter) => ({key, title, parameter,
        values: modelTally(report.runs.map(text))});
    const order = list => (a, b) => list.indexOf(a[0]) - list.indexOf(b[0]);
    const natural = (a, b) => a[0].localeCompare(b[0], 'en', {numeric: true});
    const all = [of('set', 'Set', r => r.set.name), of('kind', 'Kind', r => String(
        r.instance.kind)), of('solver', 'Solver', r => r.solver.label),
    of('tolerance', 'Tolerance', r => String(r.tolerance)), of('ending', 'Ending',
        r => r.ending.name), of('folder', 'Folder', r => r.folder),
    ...report.parameters.map(p => of(p.name, p.name + (p.unit ? ' [' + p.unit + ']' : ''),
        r => modelValue(r, p.name), true))];
    all[0].values.sort(order(report.sets.map(s => s.name)));
    all[2].values.sort(order(report.solvers.map(s => s.label)));
    all[3].values.sort(order(report.tolerances.map(String)));
    all.filter(d => d.parameter).forEach(d => d.values.sort((a, b) => Number(a[0]) - Number(b[0])
        || natural(a, b)));
    return all.filter(d => d.values.length > 1);
}

/** The chosen values of a dimension, and the filters with others. */
function controlsChosen(d) {
    const f = pageNow.state.filters;
    return (d.parameter ? f.values[d.key] : f[d.key]) || [];
}

function controlsChoose(d, chosen) {
    const f = pageNow.state.filters;
    const kept = chosen.length ? chosen : undefined;
    stateSet({filters: d.parameter ? {...f, values: {...f.values, [d.key]: chosen}}
        : {...f, [d.key]: kept}});
}

/** Make the bar and the panel of filters. */
function controlsBuild() {
    const toggle = element('button', {type: 'button', id: 'filters-open', 'aria-expanded': 'false',
        'aria-controls': 'filters', onclick: () => {
            const panel = document.getElementById('filters');
            panel.hidden = !panel.hidden;
            controlsUpdate();
        }}, 'Filters');
    const menu = element('button', {type: 'button', id: 'menu', 'aria-controls': 'contents',
        'aria-expanded': 'false', onclick: () => {
            document.body.classList.toggle('menu');
            controlsUpdate();
        }}, 'Contents');
    const reset = element('button', {type: 'button', id: 'reset', onclick: () =>
        stateSet({filters: {values: {}}})}, 'Reset');
    const theme = element('button', {type: 'button', id: 'theme', onclick: controlsTheme});
    document.getElementById('controls').replaceChildren(
        element('div', {class: 'bar'}, menu, controlsSets(), controlsTolerances(),
            controlsSearch(), toggle, element('span', {id: 'shown', role: 'status'}), reset, theme),
        element('div', {id: 'filters', role: 'group', 'aria-label': 'Filters', hidden: true},
            controlsSize(), ...controlsDimensions().map(controlsChips)));
}

/** The choice of the set. */
function controlsSets() {
    return element('label', {class: 'choice'}, element('span', {}, 'Set'), element('select', {
        id: 'set', onchange: event => stateSet({set: event.target.value})},
    ...report.sets.map(s => element('option', {value: s.name}, s.name))));
}

/** The choice of the tolerance; its values are those of the chosen set. */
function controlsTolerances() {
    return element('label', {class: 'choice'}, element('span', {}, 'Tolerance'),
        element('select', {id: 'tolerance', onchange: event => stateSet({
            tolerance: Number(event.target.value)})}));
}

/** The search; the names of the data are offered. Steps of one search are one step back. */
function controlsSearch() {
    let timer = 0;
    const find = event => {
        clearTimeout(timer);
        timer = setTimeout(() => {
            const before = pageNow.state.filters;
            stateSet({filters: {...before, words: event.target.value || undefined}},
                {replace: Boolean(before.words)});
        }, 120);
    };
    const names = new Set([...report.solvers.map(s => s.label), ...report.sets.map(s => s.name),
        ...report.endings.map(e => e.name), ...report.instances.map(i => i.name)]);
    return element('label', {class: 'choice search'}, element('span', {class: 'unseen'},
        'Search instances, solvers, endings'), element('input', {id: 'search', type: 'search',
        list: 'names', placeholder: 'Search instances, solvers, endings', autocomplete: 'off',
        oninput: find}), element('datalist', {id: 'names'}, ...[...names].map(
        name => element('option', {value: name}))));
}

/** The range of sizes. */
function controlsSize() {
    const [least, most] = d3.extent(report.instances, i => i.n);
    const field = (key, label, at) => element('label', {}, label, element('input', {
        type: 'number', id: 'size-' + key, min: 0, placeholder: at, onchange: event => stateSet({
            filters: {...pageNow.state.filters, [key]: event.target.value === '' ? undefined
                : Number(event.target.value)}})}));
    return element('fieldset', {}, element('legend', {}, 'Size n'),
        field('least', 'from ', least), field('most', ' to ', most));
}

/** One dimension: its values as buttons; of many values only a list to choose from. */
function controlsChips(d) {
    const set = element('fieldset', {'data-filter': (d.parameter ? 'value.' : '') + d.key},
        element('legend', {}, d.title));
    if (d.values.length > controlsMany && d.key !== 'solver' && d.key !== 'set') {
        set.append(element('select', {multiple: true, size: 6, 'aria-label': d.title,
            onchange: event => controlsChoose(d, [...event.target.selectedOptions].map(
                o => o.value))}, ...d.values.map(([text, count]) => element('option',
            {value: text}, text + ' (' + count + ')'))));
        return set;
    }
    set.append(...d.values.map(([text, count]) => {
        const chip = element('button', {type: 'button', class: 'chip', 'aria-pressed': 'false',
            onclick: () => controlsChoose(d, changesToggle(controlsChosen(d), text))}, text, ' ',
        element('small', {}, String(count)));
        chip.dataset.value = text;
        return chip;
    }));
    return set;
}

/** Bring the controls to the state. */
function controlsUpdate() {
    const {filters} = pageNow.state;
    const set = pageSet();
    const tolerance = document.getElementById('tolerance');
    document.getElementById('set').value = set.name;
    tolerance.replaceChildren(...modelTolerances(set).map(t => element('option', {value: t},
        toleranceText(t))));
    tolerance.value = String(pageTolerance(set));
    const search = document.getElementById('search');
    if (search !== document.activeElement) {
        search.value = filters.words || '';
    }
    document.getElementById('size-least').value = filters.least ?? '';
    document.getElementById('size-most').value = filters.most ?? '';
    for (const box of document.querySelectorAll('#filters [data-filter]')) {
        controlsMark(box);
    }
    controlsCount();
    const expanded = (id, is) => document.getElementById(id).setAttribute('aria-expanded',
        String(is));
    expanded('filters-open', !document.getElementById('filters').hidden);
    expanded('menu', document.body.classList.contains('menu'));
    document.getElementById('theme').textContent = controlsDark() ? 'Light' : 'Dark';
    document.getElementById('theme').setAttribute('aria-label', controlsDark()
        ? 'Use light colours' : 'Use dark colours');
}

/** Mark the chosen values of a dimension. */
function controlsMark(box) {
    const parameter = box.dataset.filter.startsWith('value.');
    const key = box.dataset.filter.slice(parameter ? 6 : 0);
    const chosen = new Set(controlsChosen({key, parameter}));
    box.querySelectorAll('.chip').forEach(chip => chip.setAttribute('aria-pressed',
        String(chosen.has(chip.dataset.value))));
    box.querySelectorAll('option').forEach(option => {
        option.selected = chosen.has(option.value);
    });
}

/** "n of m runs", and how many filters are set. */
function controlsCount() {
    const {filters} = pageNow.state;
    const {values, ...others} = filters;
    const set = [...Object.values(values), ...Object.values(others)].filter(
        v => v !== undefined && v !== '' && v.length !== 0).length;
    document.getElementById('shown').textContent = pageNow.runs.length + ' of '
        + report.runs.length + ' runs shown';
    document.getElementById('reset').hidden = set === 0;
    document.getElementById('filters-open').textContent = 'Filters' + (set ? ' · ' + set : '');
    document.body.classList.toggle('filtered', set > 0);
}

/** True when the page is dark now. */
function controlsDark() {
    const {theme} = pageNow.state;
    return theme ? theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
}

/** Light becomes dark, dark light; what the system says anyway is not kept. */
function controlsTheme() {
    const system = matchMedia('(prefers-color-scheme: dark)').matches;
    const dark = !controlsDark();
    stateSet({theme: dark === system ? '' : dark ? 'dark' : 'light'}, {replace: true});
}
