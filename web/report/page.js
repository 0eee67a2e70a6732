/* SPDX-License-Identifier: Apache-2.0
 * web/report/page.js: the state of the page, which is its URL fragment, the sections and when they
 * are drawn. */
'use strict';

/* What is shown. `list`: the runs that a click asked for, {runs, title}, or null. */
const pageNow = {state: null, runs: [], tables: new Map(), list: null, details: null,
    sections: [], shown: '', printing: false};

/* More runs than this are many. */
const pageLarge = 3000;

/* State and fragment: lists of names, texts. */
const stateLists = {sets: 'set', kinds: 'kind', solvers: 'solver', tolerances: 'tolerance',
    endings: 'ending', folders: 'folder'};

/** The state of a fragment: "answer&set=lcp&solvers=pgs,lemke". */
function stateRead(text) {
    const state = {at: '', set: null, against: null, tolerance: null, run: null, own: null, theme: '',
        filters: {values: {}}, sort: {}, changes: []};
    const list = value => value.split(',').filter(v => v).map(decodeURIComponent);
    for (const part of text.replace(/^#/, '').split('&')) {
        const [, key, value] = part.match(/^([^=]*)=(.*)$/s) || [null, 'at', part];
        try {
            statePart(state, decodeURIComponent(key), value, list);
        } catch {
            /* A part that cannot be decoded is a part that is not there. */
        }
    }
    return state;
}

function statePart(state, key, value, list) {
    const number = () => Number.isFinite(Number(value)) && value !== '' ? Number(value) : null;
    if (stateLists[key]) {
        state.filters[stateLists[key]] = list(value);
    } else if (key.startsWith('value.')) {
        state.filters.values[key.slice(6)] = list(value);
    } else if (key.startsWith('sort.')) {
        state.sort[key.slice(5)] = decodeURIComponent(value);
    } else if (key === 'from' || key === 'to') {
        state.filters[key === 'from' ? 'least' : 'most'] = number() ?? undefined;
    } else if (key === 'search') {
        state.filters.words = decodeURIComponent(value);
    } else if (key === 'changes') {
        state.changes = list(value);
    } else if (key === 'run' || key === 'tolerance') {
        state[key] = number();
    } else if (key === 'own') {
        state.own = JSON.parse(decodeURIComponent(value));
    } else if (['at', 'set', 'against', 'theme'].includes(key)) {
        state[key] = decodeURIComponent(value);
    }
}

/** The fragment of a state. */
function stateText(state) {
    const f = state.filters;
    const list = values => values.map(encodeURIComponent).join(',');
    const parts = [encodeURIComponent(state.at || '')];
    const add = (key, value) => {
        if (value !== null && value !== undefined && value !== '') {
            parts.push(encodeURIComponent(key) + '=' + value);
        }
    };
    add('set', state.set && encodeURIComponent(state.set));
    add('against', state.against && encodeURIComponent(state.against));
    add('tolerance', state.tolerance);
    Object.entries(stateLists).forEach(([key, name]) => add(key, list(f[name] || [])));
    Object.entries(f.values).forEach(([key, values]) => add('value.' + key, list(values)));
    add('from', f.least);
    add('to', f.most);
    add('search', f.words && encodeURIComponent(f.words));
    add('changes', list(state.changes));
    Object.entries(state.sort).forEach(([key, s]) => add('sort.' + key, encodeURIComponent(s)));
    add('own', state.own && encodeURIComponent(JSON.stringify(state.own)));
    add('theme', state.theme);
    add('run', state.run);
    return parts.join('&');
}

/** The link to the page in another state. */
function stateHref(changes) {
    return encodeURIComponent(decodeURIComponent(location.pathname.split('/').pop())) + '#'
        + stateText({...pageNow.state, ...changes});
}

/** Change the state. Options: list (the runs to show), replace (no step of its own for the back
 *  button), quiet (what was changed is drawn already). */
function stateSet(changes, options = {}) {
    const before = pageNow.state;
    pageNow.state = {...before, ...changes};
    if ('list' in options) {
        pageNow.list = options.list;
    }
    const list = pageNow.list && {title: pageNow.list.title,
        runs: pageNow.list.runs.map(run => run.index)};
    history[options.replace ? 'replaceState' : 'pushState']({list}, '', stateHref({}));
    if (!options.quiet) {
        pageUpdate(before);
    }
}

/** The state of the fragment, after a step back or a link that was typed. */
function stateFollow() {
    const before = pageNow.state;
    const list = history.state?.list;
    pageNow.state = stateRead(location.hash);
    pageNow.list = list ? {title: list.title, runs: list.runs.map(k => report.runs[k])} : null;
    pageUpdate(before);
}

/* What tables and figures may ask for. */
const pageActions = {
    showRuns: (runs, title) => stateSet({run: null}, {list: {runs: [...runs], title}}),
    openRun: run => stateSet({run: run.index}, {list: pageNow.list?.runs.includes(run)
        ? pageNow.list : null}),
    close: () => stateSet({run: null}, {list: null}),
    setState: own => stateSet({own}, {replace: true, quiet: true}),
};

/** The chosen set, or the first one that the filters leave. */
function pageSet() {
    const kept = pageNow.state.filters.set || [];
    const of = name => report.sets.find(s => s.name === name);
    const chosen = of(pageNow.state.set);
    return chosen && (!kept.length || kept.includes(chosen.name)) ? chosen
        : of(kept[0]) || chosen || report.sets[0];
}

/** The chosen tolerance of a set, or its tightest. */
function pageTolerance(set) {
    const all = modelTolerances(set);
    return all.includes(pageNow.state.tolerance) ? pageNow.state.tolerance
        : all[all.length - 1] ?? report.tolerances[0];
}

/** The runs that are shown of a set at a tolerance. */
function pageTable(set, tolerance) {
    return pageNow.tables.get(modelKey(set, tolerance)) || [];
}

/** How a table is sorted, and how the reader changes that. */
function pageSort(table, first) {
    return [pageNow.state.sort[table] ?? first, sort => stateSet({sort: {...pageNow.state.sort,
        [table]: sort}}, {quiet: true})];
}

/** Bring the page to its state. */
function pageUpdate(before) {
    const {state} = pageNow;
    const changed = key => !before || JSON.stringify(before[key]) !== JSON.stringify(state[key]);
    if (changed('theme')) {
        pageTheme();
    }
    if (changed('filters')) {
        pageNow.runs = modelSelect(state.filters);
        pageNow.tables = d3.group(pageNow.runs, run => modelKey(run.set, run.tolerance));
        pageStale(() => true);
    }
    modelAgainst = state.against;
    if (changed('set') || changed('tolerance') || changed('against')) {
        pageStale(s => ['answer', 'sets', 'figures'].includes(s.id));
    }
    for (const key of ['changes', 'own', 'sort']) {
        if (changed(key)) {
            pageStale(s => s.uses?.includes(key));
        }
    }
    controlsUpdate();
    pageDrawVisible();
    const shown = state.run + ' ' + (pageNow.list ? pageNow.list.title + pageNow.list.runs.length
        : '');
    if (shown !== pageNow.shown) {
        pageNow.shown = shown;
        pagePanel();
    }
    if (before && changed('at') && state.at) {
        pageJump(state.at);
    }
}

/** Open, fill or close the panel. */
function pagePanel() {
    const run = report.runs[pageNow.state.run ?? -1];
    if (run) {
        panelRun(run, pageNow.list).catch(pageFailed);
    } else if (pageNow.list) {
        panelList(pageNow.list.runs, pageNow.list.title);
    } else {
        panelHide();
    }
}

/** Light, dark, or as the system has it. */
function pageTheme() {
    const root = document.documentElement;
    const {theme} = pageNow.state;
    if (theme === 'dark' || theme === 'light') {
        root.dataset.theme = theme;
    } else {
        delete root.dataset.theme;
    }
    pageStale(s => s.uses?.includes('theme'));
}

/** Mark sections that no longer show what they should. */
function pageStale(test) {
    delete document.documentElement.dataset.ready;
    pageNow.sections.filter(test).forEach(section => {
        section.stale = true;
    });
}

/** Draw a section; the focus stays on the element at the same place. */
function pageDraw(section) {
    const inner = () => [...section.body.querySelectorAll('button, a, input, select')];
    const at = inner().indexOf(document.activeElement);
    section.stale = false;
    try {
        section.body.replaceChildren(...[section.draw()].flat().filter(child => child));
    } catch (error) {
        console.error(error);
        section.body.replaceChildren(element('p', {class: 'notice', role: 'alert'},
            'This section cannot be drawn: ' + error.message));
    }
    if (at >= 0) {
        inner()[at]?.focus({preventScroll: true});
    }
}

/** Draw what is in sight now, and the rest when there is time. */
function pageDrawVisible() {
    pageNow.sections.filter(s => s.stale).forEach(section => {
        const box = section.node.getBoundingClientRect();
        if (box.top < innerHeight + 200 && box.bottom > -200) {
            pageDraw(section);
        }
    });
    pageLater();
}

function pageLater() {
    const next = pageNow.sections.find(section => section.stale);
    if (!next && !tableWaiting.size) {
        document.documentElement.dataset.ready = '1';
    } else if (!pageNow.waiting) {
        pageNow.waiting = true;
        (window.requestIdleCallback || setTimeout)(() => {
            pageNow.waiting = false;
            if (next?.stale) {
                pageDraw(next);
            } else {
                tableFinish();
            }
            pageLater();
        });
    }
}

function pageDrawAll() {
    pageNow.sections.filter(s => s.stale).forEach(pageDraw);
    tableFinish();
}

/** Go to a heading; what is above it is drawn first, so that it stays where it is. */
function pageJump(id) {
    pageDrawAll();
    const target = document.getElementById(id);
    if (target) {
        if (id === pageNow.sections[0].id) {
            scrollTo(0, 0);
        } else {
            target.scrollIntoView();
            requestAnimationFrame(() => requestAnimationFrame(() => target.scrollIntoView()));
        }
        if (!document.getElementById('run-panel').hidden) {
            return;
        }
        const heading = target.querySelector('h2, h3') || target;
        heading.tabIndex = -1;
        heading.focus({preventScroll: true});
    }
}

/** A heading with a link to itself. */
function pageHeading(level, id, title, ...more) {
    return element('h' + level, {}, title, ...more, element('a', {class: 'anchor',
        href: '#' + encodeURIComponent(id), 'aria-label': 'Link to “' + title + '”'}, '#'));
}

/** Make the elements of the sections and the contents. */
function pageBuild() {
    pageNow.sections = pageSections.filter(s => !s.when || s.when()).map(s => {
        const body = element('div', {class: 'body'});
        const node = element('section', {id: s.id},
            pageHeading(2, s.id, s.title), body);
        return {...s, node, body, stale: true};
    });
    document.getElementById('sections').replaceChildren(...pageNow.sections.map(s => s.node));
    const link = (id, title) => element('li', {}, element('a', {href: '#' + id,
        'data-to': id}, title));
    document.getElementById('contents').replaceChildren(element('ol', {},
        ...pageNow.sections.map(s => link(s.id, s.title))));
    const watch = new IntersectionObserver(entries => {
        entries.forEach(entry => {
            const section = pageNow.sections.find(s => s.node === entry.target);
            section.seen = entry.isIntersecting;
            if (entry.isIntersecting && section.stale) {
                pageDraw(section);
            }
        });
    }, {rootMargin: '200px'});
    pageNow.sections.forEach(s => watch.observe(s.node));
}

/** Mark the section in sight in the contents. */
function pageMark() {
    const top = s => s.node.getBoundingClientRect().top;
    const at = pageNow.sections.filter(s => top(s) < innerHeight / 3).pop()
        || pageNow.sections[0];
    for (const a of document.querySelectorAll('#contents a')) {
        if (a.dataset.to === at?.id) {
            a.setAttribute('aria-current', 'location');
        } else {
            a.removeAttribute('aria-current');
        }
    }
}

/** Links to headings keep the rest of the state. */
function pageClick(event) {
    const link = event.target.closest?.('a[href^="#"]');
    if (link && !event.defaultPrevented && !event.ctrlKey && !event.metaKey) {
        const at = decodeURIComponent(link.getAttribute('href').slice(1));
        if (!at.includes('&')) {
            event.preventDefault();
            const again = pageNow.state.at === at;
            stateSet({at}, {replace: again});
            if (again) {
                pageJump(at);
            }
        }
        document.body.classList.remove('menu');
    }
    if (!event.target.closest?.('.help')) {
        helpHide();
    }
}

/** Escape closes what is open, the topmost first. */
function pageKey(event) {
    if (event.key !== 'Escape' || helpHide()) {
        return;
    }
    if (document.body.classList.contains('menu')) {
        document.body.classList.remove('menu');
        controlsUpdate();
    } else if (!document.getElementById('run-panel').hidden) {
        pageActions.close();
    }
}

/** For paper: everything is drawn and open, in light colours. */
function pagePrint(begins) {
    const root = document.documentElement;
    pageNow.printing = begins;
    if (begins) {
        root.dataset.theme = 'light';
        pageStale(s => s.uses?.includes('theme'));
        pageDrawAll();
        document.querySelectorAll('details:not([open])').forEach(d => {
            d.open = d.dataset.closed = true;
        });
    } else {
        document.querySelectorAll('details[data-closed]').forEach(d => {
            d.open = false;
            delete d.dataset.closed;
        });
        pageTheme();
        pageDrawVisible();
    }
}

function pageFailed(error) {
    console.error(error);
    document.getElementById('sections').prepend(element('p', {class: 'notice', role: 'alert'},
        'The page cannot be drawn: ' + error.message));
}

/** Reasons of failures, once the details are read. */
async function pageReasons() {
    pageNow.details = await blockJson('details');
    pageStale(s => s.uses?.includes('details'));
    pageDrawVisible();
}

async function pageStart() {
    await modelLoad();
    pageNow.state = stateRead(location.hash);
    pageTitle();
    document.body.classList.toggle('large', report.runs.length > pageLarge);
    controlsBuild();
    pageBuild();
    pageUpdate(null);
    document.addEventListener('click', pageClick);
    document.addEventListener('keydown', pageKey);
    addEventListener('popstate', stateFollow);
    addEventListener('scroll', pageMark, {passive: true});
    addEventListener('beforeprint', () => pagePrint(true));
    addEventListener('afterprint', () => pagePrint(false));
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
        if (!pageNow.printing) { // paper has light colours of its own
            pageTheme();
            pageDrawVisible();
        }
    });
    pageMark();
    await pageReasons();
    if (pageNow.state.at) {
        pageJump(pageNow.state.at);
    }
}

pageStart().catch(pageFailed);
