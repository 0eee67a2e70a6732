// SPDX-License-Identifier: Apache-2.0
// browser.mjs: pages in a headless Chromium, with what they complain about and ask for.
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import puppeteer from 'puppeteer-core';

import {note, ok, same} from './tap.mjs';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
    'utf8');

/** The folder of pages and pictures. */
export const work = process.env.WEB_CHECK || process.cwd();
export const widths = [390, 1024, 1600];
export const schemes = ['light', 'dark'];

export function browserStart() {
    const flags = ['--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader',
        '--force-color-profile=srgb', '--disable-dev-shm-usage'];
    return puppeteer.launch({
        executablePath: process.env.PERP_CHROMIUM || '/usr/bin/chromium', pipe: true,
        args: [...flags, ...(process.getuid() === 0 ? ['--no-sandbox'] : []),
            ...(process.env.PERP_CHROMIUM_FLAGS || '').split(/\s+/).filter(f => f)],
        protocolTimeout: 300000,
    });
}

/** Open a file and wait until it is drawn. The page has `troubles`: console errors, exceptions,
 *  violations of the policy, and requests for anything but itself. */
export async function pageOpen(browser, file, {width = 1600, height = 1000, scheme = 'light',
    hash = '', timeout = 120000} = {}) {
    const page = await browser.newPage();
    page.troubles = [];
    const trouble = (kind, text) => page.troubles.push(kind + ': ' + text);
    const address = pathToFileURL(file).href;
    page.on('console', message => message.type() === 'error'
        && trouble('console', message.text()));
    page.on('pageerror', error => trouble('exception', error.message));
    page.on('request', request => {
        const url = request.url();
        if (url.split('#')[0] !== address && !/^(data|blob):/.test(url)) {
            trouble('request', url);
        }
    });
    await page.evaluateOnNewDocument(() => {
        window.violations = [];
        document.addEventListener('securitypolicyviolation',
            event => window.violations.push(event.violatedDirective + ' ' + event.blockedURI));
        window.hostile = () => {
            window.hostileRan = true;
        };
    });
    await page.setViewport({width, height});
    await page.emulateMediaFeatures([{name: 'prefers-color-scheme', value: scheme}]);
    await page.goto(address + hash, {timeout});
    await pageReady(page, timeout);
    return page;
}

/** Wait until the page says that it is drawn. */
export function pageReady(page, timeout = 60000) {
    return page.waitForFunction(() => document.documentElement.dataset.ready === '1',
        {timeout, polling: 50});
}

/** One line: nothing was wrong since the page was opened. */
export async function pageIsQuiet(page, name) {
    const violations = await page.evaluate(() => window.violations || []);
    ok(page.troubles.length === 0, name + ': no console error, exception or request',
        ...page.troubles);
    same(violations, [], name + ': no violation of the content policy');
    ok(!await page.evaluate(() => window.hostileRan), name + ': no name has run as a script');
}

/** What axe-core finds, one line per rule. */
export async function pageAxe(page) {
    await page.evaluate(axeSource);
    const {violations} = await page.evaluate(() => window.axe.run(document,
        {resultTypes: ['violations']}));
    return violations.map(v => v.id + ' (' + v.impact + '): ' + v.help + ' ['
        + v.nodes.length + '] ' + v.nodes.slice(0, 3).map(n => n.target.join(' ')
            + (n.any[0] ? ' (' + n.any[0].message + ')' : '')).join('; '));
}

/** A page at each width in light and dark: pictures, no sideways scrolling, axe-core. `prepare`:
 *  called with each page before its picture. */
export async function pageViews(browser, file, name, prepare) {
    for (const width of widths) {
        for (const scheme of schemes) {
            const view = name + '-' + width + '-' + scheme;
            const page = await pageOpen(browser, file, {width, scheme,
                height: width < 500 ? 844 : 1000});
            await prepare?.(page);
            await page.screenshot({path: join(work, view + '.png')});
            const [wide, window_] = await page.evaluate(() =>
                [document.documentElement.scrollWidth, innerWidth]);
            ok(wide <= window_, view + ': does not scroll sideways', wide + ' > ' + window_,
                ...await page.evaluate(pageWide));
            const found = await pageAxe(page);
            ok(found.length === 0, view + ': axe-core finds nothing', ...found);
            await page.close();
        }
    }
    note('pictures: ' + join(work, name + '-*.png'));
}

/** In the page: the elements that end to the right of the window and are not in a box that
 *  scrolls. */
function pageWide() {
    const scrolls = e => e && e !== document.body && (['auto', 'scroll', 'hidden'].includes(
        getComputedStyle(e).overflowX) || scrolls(e.parentElement));
    return [...document.body.querySelectorAll('*')].filter(e =>
        e.getBoundingClientRect().right > innerWidth + 1 && !scrolls(e.parentElement))
        .slice(0, 8).map(e => e.tagName + '#' + e.id + '.' + e.getAttribute('class') + ' to '
            + Math.round(e.getBoundingClientRect().right));
}
