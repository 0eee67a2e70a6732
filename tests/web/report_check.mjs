// SPDX-License-Identifier: Apache-2.0
// report_check.mjs: report.html in a browser: numbers, filters, links, keyboard, names that are
// hostile, looks.
import {existsSync, statSync} from 'node:fs';
import {join} from 'node:path';

import {browserStart, pageIsQuiet, pageOpen, pageReady, pageViews, work} from './browser.mjs';
import {check, csvRead, note, ok, part, same, skip} from './tap.mjs';

const most = 3e6;
const drawnRows = 500;

/** "12 of 840 runs shown" -> [12, 840]. */
async function shown(page) {
    await pageReady(page);
    const text = await page.$eval('#shown', e => e.textContent);
    return (text.match(/\d+/g) || []).map(Number);
}

/** Wait until a count of runs is shown; returns what is shown at last. */
async function shownBecomes(page, count) {
    await page.waitForFunction(n => parseInt(document.getElementById('shown').textContent, 10)
        === n, {timeout: 10000}, count).catch(() => null);
    return (await shown(page))[0];
}

/** The chips of a dimension. */
function chip(name, value) {
    return '#filters [data-filter="' + name + '"] .chip[data-value="' + CSS(value) + '"]';
}

function CSS(text) {
    return text.replace(/["\\]/g, '\\$&');
}

async function openFilters(page) {
    if (await page.$eval('#filters', e => e.hidden)) {
        await page.click('#filters-open');
    }
}

/** Each filter shows as many runs as tables/runs.csv has. */
async function filtersFilter(page, name, rows) {
    const all = rows.length;
    same(await shown(page), [all, all], name + ': all runs of runs.csv are shown');
    await openFilters(page);
    for (const key of ['set', 'solver', 'ending']) {
        const values = [...new Set(rows.map(row => row[key]))];
        const chips = await page.$$eval('#filters [data-filter="' + key + '"] .chip',
            list => list.map(e => e.dataset.value));
        if (values.length > 1) {
            same([...chips].sort(), [...values].sort(), name + ': the values of the filter ' + key);
        }
        for (const value of values.slice(0, values.length > 1 ? 4 : 0)) {
            const expected = rows.filter(row => row[key] === value).length;
            await page.click(chip(key, value));
            same(await shownBecomes(page, expected), expected, name + ': ' + key + ' = ' + value);
            await page.click('#reset');
            await shownBecomes(page, all);
        }
    }
    await twoFilters(page, name, rows);
    await sizesFilter(page, name, rows);
    await searchFilters(page, name, rows);
}

/** Values of one filter add up, two filters are both asked for; the tables follow. */
async function twoFilters(page, name, rows) {
    const sets = [...new Set(rows.map(row => row.set))].slice(0, 2);
    const solver = rows.find(row => row.set === sets[0]).solver;
    const of = rows.filter(row => sets.includes(row.set) && row.solver === solver);
    for (const set of sets) {
        await page.click(chip('set', set));
    }
    await page.click(chip('solver', solver));
    same(await shownBecomes(page, of.length), of.length, name + ': two sets and a solver');
    const rowCount = Math.min(drawnRows, of.length);
    await page.waitForFunction(n => document.querySelectorAll('#runs tr[data-run]').length === n,
        {timeout: 10000}, rowCount).catch(() => null);
    same(await page.$$eval('#runs tr[data-run]', list => list.length), rowCount,
        name + ': the table of runs follows the filters');
    same(await page.$$eval('#ranking tr[data-solver]', list => list.map(e => e.dataset.solver)),
        [solver], name + ': the ranking follows the filters');
    const hash = await page.evaluate(() => location.hash);
    const other = await pageOpen(page.browser(), page.file, {hash});
    same(await shown(other), [of.length, rows.length], name + ': the link restores the filters');
    const pressed = await other.$$eval('#filters .chip[aria-pressed="true"]',
        list => list.map(e => e.dataset.value));
    same(pressed.sort(), [...sets, solver].sort(), name + ': the link restores the buttons');
    await other.close();
    await page.goBack();
    const before = rows.filter(row => sets.includes(row.set)).length;
    same(await shownBecomes(page, before), before, name + ': the back button takes one filter off');
    await page.click('#reset');
    same(await shownBecomes(page, rows.length), rows.length, name + ': reset shows all runs');
}

async function sizesFilter(page, name, rows) {
    const sizes = [...new Set(rows.map(row => Number(row.n)))].sort((a, b) => a - b);
    const least = sizes[Math.floor(sizes.length / 2)];
    const expected = rows.filter(row => Number(row.n) >= least).length;
    await page.type('#size-least', String(least));
    await page.keyboard.press('Enter');
    same(await shownBecomes(page, expected), expected, name + ': sizes from ' + least);
    await page.click('#reset');
    await shownBecomes(page, rows.length);
}

async function searchFilters(page, name, rows) {
    const word = rows[0].instance.replace(/^generate:/, '').slice(0, 6).toLowerCase()
        .split(/\s/)[0];
    const titles = await page.evaluate(w => report.sets.filter(s => (s.title || '').toLowerCase()
        .includes(w)).map(s => s.name), word);
    const problems = await page.evaluate(w => report.instances.filter(i => (i.problem || '')
        .toLowerCase().includes(w)).map(i => i.name), word);
    const expected = rows.filter(row => ['set', 'instance', 'solver', 'ending'].some(key =>
        row[key].toLowerCase().includes(word)) || titles.includes(row.set)
        || problems.includes(row.instance)).length;
    await page.type('#search', word);
    same(await shownBecomes(page, expected), expected, name + ': search for ' + word);
    await page.click('#reset');
    await shownBecomes(page, rows.length);
}

/** A number of nine digits, as CSV has it; null where there is none. */
function digits(text) {
    return text === '' || text === null || text === undefined || Number.isNaN(Number(text)) ? null
        : Number(Number(text).toPrecision(9));
}

/** The ranking of each set and tolerance has the numbers of tables/summary.csv. */
async function rankingIsSummary(page, name, rows) {
    const keys = {solved: 'solved', refused: 'not_applicable', ratio: 'ratio',
        ratio_low: 'ratio_low', fastest: 'fastest'};
    const groups = new Map();
    rows.forEach(row => {
        const key = row.set + '\n' + row.tolerance;
        groups.set(key, [...groups.get(key) || [], row]);
    });
    for (const [key, of] of groups) {
        const [set, tolerance] = key.split('\n');
        await page.select('#set', set);
        await page.select('#tolerance', String(Number(tolerance)));
        await pageReady(page);
        const found = await page.$$eval('#ranking tr[data-solver]', (list, names) =>
            list.map(row => [row.dataset.solver, ...names.map(column =>
                row.querySelector('[data-column="' + column + '"]')?.dataset.value)]),
        Object.keys(keys));
        const order = (a, b) => a[0] < b[0] ? -1 : 1;
        same(found.map(([solver, ...v]) => [solver, ...v.map(digits)]).sort(order),
            of.map(row => [row.solver, ...Object.values(keys).map(k => digits(row[k]))])
                .sort(order), name + ': the ranking of ' + set + ' at ' + tolerance
                + ' is that of summary.csv');
    }
}

/** What the keyboard alone can do. */
async function keyboardWorks(page, name) {
    const focus = () => page.evaluate(() => {
        const e = document.activeElement;
        const style = getComputedStyle(e);
        return {name: e.tagName + '#' + e.id + '.' + e.className, shows:
            style.outlineStyle !== 'none' || style.boxShadow !== 'none', body: e === document.body};
    });
    await page.keyboard.press('Tab');
    ok(await page.evaluate(() => document.activeElement.matches('a.skip')),
        name + ': the first stop of the keyboard is the link past the controls');
    await page.keyboard.press('Enter');
    ok(await page.evaluate(() => document.activeElement.closest('#answer') !== null),
        name + ': that link leads to the answer');
    const stops = [];
    for (let k = 0; k < 25; k++) {
        await page.keyboard.press('Tab');
        stops.push(await focus());
    }
    same(stops.filter(s => !s.body && !s.shows).map(s => s.name), [],
        name + ': the focus can be seen at each stop');
    ok(stops.every((s, k) => k < 3 || s.name !== stops[k - 1].name || s.name
        !== stops[k - 2].name || s.name !== stops[k - 3].name || !/#.+\./.test(s.name)),
    name + ': the focus moves on', ...stops.map(s => s.name));
    await helpOpens(page, name);
    await runOpens(page, name);
}

async function helpOpens(page, name) {
    await page.focus('#ranking .help');
    await page.keyboard.press('Enter');
    ok(await page.$eval('#help', e => !e.hidden && e.textContent.length > 10),
        name + ': a heading is explained by the keyboard');
    await page.keyboard.press('Escape');
    ok(await page.$eval('#help', e => e.hidden), name + ': Escape closes the explanation');
}

/** A run is opened and closed by the keyboard; its link opens it. */
async function runOpens(page, name) {
    await page.focus('#runs tr[data-run] a');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => !document.getElementById('run-panel').hidden
        && /perp (solve|compare|simulate)/.test(document.getElementById('run-panel').textContent),
    {timeout: 20000}).catch(() => null);
    const text = await page.$eval('#run-panel', e => e.hidden ? '' : e.textContent);
    ok(/perp (solve|compare|simulate)/.test(text), name
        + ': a run shows the command that repeats it', text.slice(0, 300));
    ok(await page.evaluate(() => document.getElementById('run-panel').contains(
        document.activeElement)), name + ': the focus is in the panel of the run');
    const hash = await page.evaluate(() => location.hash);
    const other = await pageOpen(page.browser(), page.file, {hash});
    const title = '#run-panel #panel-title';
    await other.waitForSelector(title, {visible: true, timeout: 20000}).catch(() => null);
    same(await other.$eval(title, e => e.textContent).catch(() => null),
        await page.$eval(title, e => e.textContent).catch(() => ''), name + ': the link of a run opens it');
    await other.close();
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => document.getElementById('run-panel').hidden,
        {timeout: 5000}).catch(() => null);
    ok(await page.$eval('#run-panel', e => e.hidden), name + ': Escape closes the panel');
    ok(!(await page.evaluate(() => document.activeElement === document.body)), name
        + ': the focus returns to where it was');
}

/** Clicks lead to runs: a cell of the ranking lists as many as it counts. */
async function cellsLead(page, name) {
    const cell = '#ranking tr[data-solver] [data-column="solved"] button';
    const [text] = await page.$$eval(cell, list => list.map(e => e.textContent));
    const taken = Number((text || '').split('/')[1]);
    await page.click(cell);
    await page.waitForSelector('#run-panel tr[data-run]', {visible: true, timeout: 10000})
        .catch(() => null);
    same(await page.$$eval('#run-panel tr[data-run]', list => list.length),
        Math.min(taken, drawnRows), name + ': a cell of the ranking lists the runs behind it');
    await page.keyboard.press('Escape');
}

/** Sorting by a heading. */
async function sortsByHeading(page, name) {
    const values = () => page.$$eval('#runs td[data-column="seconds"]',
        list => list.map(e => e.dataset.value).filter(v => v !== '').map(Number));
    const head = '#runs th[data-key="seconds"]';
    const up = (a, b) => a - b;
    await page.click(head + ' .sort');
    same(await page.$eval(head, e => e.getAttribute('aria-sort')), 'ascending',
        name + ': a sorted column says so');
    const first = await values();
    same(first, [...first].sort(up), name + ': a heading sorts the runs');
    await page.click(head + ' .sort');
    const second = await values();
    same(second, [...second].sort((a, b) => b - a), name + ': a second click sorts them in reverse');
}

/** Contents and anchors. */
async function anchorsLead(page, name) {
    const broken = await page.$$eval('#contents a, #sections a.anchor', list => list
        .map(a => decodeURIComponent(a.getAttribute('href').slice(1)))
        .filter(id => !document.getElementById(id)));
    same(broken, [], name + ': each link of the contents has its section');
    const links = await page.$$('#contents a');
    ok(links.length >= 6, name + ': there is a table of contents');
    await links[links.length - 1].click();
    await new Promise(done => setTimeout(done, 400));
    const place = await page.evaluate(() => {
        const last = [...document.querySelectorAll('#contents a')].pop();
        const id = decodeURIComponent(last.getAttribute('href').slice(1));
        const contents = document.getElementById('contents').getBoundingClientRect();
        const top = document.getElementById(id).getBoundingClientRect().top;
        return {sections: top < innerHeight && top > -50, contents: contents.bottom > 0};
    });
    same(place, {sections: true, contents: true}, name
        + ': a link of the contents leads to its section and stays in sight');
}

/** What the printer gets. */
async function printWorks(page, name) {
    await page.emulateMediaFeatures([{name: 'prefers-color-scheme', value: 'dark'}]);
    await page.pdf({path: join(work, name + '.pdf'), format: 'A4', printBackground: true,
        timeout: 120000});
    ok(statSync(join(work, name + '.pdf')).size > 20000, name + ': can be printed');
    await page.emulateMediaType('print');
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
    const found = await page.evaluate(() => {
        const gone = id => {
            const e = document.getElementById(id);
            return !e || getComputedStyle(e).display === 'none' || e.offsetHeight === 0;
        };
        const [r, g, b] = getComputedStyle(document.body).backgroundColor.match(/\d+/g)
            .map(Number);
        return {controls: gone('controls'), contents: gone('contents'),
            light: r + g + b > 700, closed: [...document.querySelectorAll(
                'main details:not([open])')].filter(e => e.getClientRects().length > 0)
                .map(e => e.textContent.slice(0, 40))};
    });
    same(found, {controls: true, contents: true, light: true, closed: []},
        name + ': print has light colours, no controls and nothing folded');
    await page.screenshot({path: join(work, name + '-print.png')});
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
    await page.emulateMediaType('screen');
}

/** The button changes the colours, and the link keeps them. */
async function themeSwitches(page, name) {
    const colour = p => p.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await colour(page);
    await page.click('#theme');
    const dark = await colour(page);
    ok(light !== dark, name + ': the button switches to dark colours');
    const other = await pageOpen(page.browser(), page.file, {hash: await page.evaluate(
        () => location.hash)});
    same(await colour(other), dark, name + ': the link keeps the colours');
    await other.close();
    await page.click('#theme');
}

/** Figures are drawn, not pictures. */
async function figuresAreDrawn(page, name) {
    const found = await page.evaluate(() => ({
        answer: document.querySelectorAll('#answer .plate svg').length > 0,
        set: document.querySelectorAll('#figures .plate svg').length > 0,
        own: document.querySelectorAll('#own svg').length > 0,
        failed: document.querySelectorAll('.plate .notice').length,
        pictures: document.querySelectorAll('img').length,
        unnamed: [...document.querySelectorAll('.plate svg')].filter(s =>
            s.getAttribute('role') === 'img' && !s.getAttribute('aria-label')
            && !s.querySelector('title') && !s.getAttribute('aria-labelledby')).length,
    }));
    same(found, {answer: true, set: true, own: true, failed: 0, pictures: 0, unnamed: 0},
        name + ': figures are drawn from the data and have a text');
}

/** The text of a cell of CSV, without the apostrophe before what looks like a formula. */
function cellText(cell) {
    return cell.replace(/^'(?='*[=+\-@\t\r\n＝＋－＠])/, '');
}

/** Names that are markup stand in the page as they are. */
async function hostileNamesAreText(page, name, rows) {
    await page.evaluate(() => pageDrawAll());
    const missing = await page.evaluate(names => {
        const text = document.body.textContent;
        return names.filter(n => !text.includes(n));
    }, [...new Set(rows.flatMap(row => [row.instance, row.solver, row.set]))].map(cellText));
    same(missing, [], name + ': each name is in the page as it is');
    const made = await page.evaluate(() => [...document.querySelectorAll(
        'img, main i[onmouseover], [onerror], main b')].map(e => e.outerHTML));
    same(made, [], name + ': no name has become an element');
    ok(await page.evaluate(() => document.title.includes('</title>')
        || !document.querySelector('title ~ script')), name + ': the title is a text');
}

/** All columns of the ranking are in sight on the usual widths of laptops. */
async function rankingFits(browser, file, name) {
    for (const width of [1280, 1366, 1440, 1536]) {
        const page = await pageOpen(browser, file, {width});
        const [wide, seen] = await page.$eval('#ranking', table => {
            const box = table.closest('.box') || table;
            return [box.scrollWidth, box.clientWidth];
        });
        ok(wide <= seen, name + ': no column of the ranking is hidden at ' + width, wide + ' > '
            + seen);
        await page.screenshot({path: join(work, name + '-' + width + '.png')});
        await page.close();
    }
}

/** The page of two folders lists as many changes as against.csv. */
async function changesAreThose(page, name, rows) {
    const tally = {};
    rows.forEach(row => {
        tally[row.verdict] = (tally[row.verdict] || 0) + 1;
    });
    ok(await page.$('#changes') !== null, name + ': there is a section of changes');
    const found = await page.$$eval('#changes .chip', list => Object.fromEntries(list.map(e =>
        e.textContent.trim().split(/\s+(?=\d+$)/)).map(([w, n]) => [w, Number(n)])));
    const sorted = o => Object.entries(o).sort();
    same(sorted(found), sorted(tally), name + ': the counts of changes are those of against.csv');
}

async function everything(browser, name) {
    const file = join(work, name, 'report.html');
    if (!existsSync(file)) {
        ok(false, name + ': there is a page', file);
        return;
    }
    const rows = csvRead(join(work, name, 'tables/runs.csv'));
    note(name + ': ' + (statSync(file).size / 1e6).toFixed(2) + ' MB, ' + rows.length + ' runs');
    const summary = csvRead(join(work, name, 'tables/summary.csv'));
    const against = join(work, name, 'against.csv');
    const parts = {
        keyboard: page => keyboardWorks(page, name),
        figures: page => figuresAreDrawn(page, name),
        filters: page => filtersFilter(page, name, rows),
        ranking: page => rankingIsSummary(page, name, summary),
        cells: page => cellsLead(page, name),
        sorting: page => sortsByHeading(page, name),
        colours: page => themeSwitches(page, name),
        names: page => hostileNamesAreText(page, name, rows),
        anchors: page => anchorsLead(page, name),
        changes: page => existsSync(against) && changesAreThose(page, name, csvRead(against)),
        print: page => printWorks(page, name),
    };
    for (const [key, body] of Object.entries(parts)) {
        await part(name + ', ' + key, async () => {
            const page = await pageOpen(browser, file);
            page.file = file;
            await body(page);
            await pageIsQuiet(page, name + ', ' + key);
            await page.close();
        });
    }
    await part(name + ', ranking at widths', () => rankingFits(browser, file, name));
    await pageViews(browser, file, name);
}

await check(async () => {
    const browser = await browserStart();
    const picked = (process.env.WEB_PAGES || 'small changes quick').split(' ');
    try {
        for (const name of picked) {
            await everything(browser, name);
        }
        const quick = join(work, 'quick/report.html');
        if (existsSync(quick)) {
            const {size} = statSync(quick);
            ok(size <= most, 'the page of the suite quick has at most 3 MB', size + ' bytes');
        } else {
            skip('the page of the suite quick has at most 3 MB', 'it was not made');
        }
    } finally {
        await browser.close();
    }
});
