// SPDX-License-Identifier: Apache-2.0
// view_check.mjs: the viewer page in a browser: player, links, keyboard, pictures, looks, speed.
import {existsSync, statSync} from 'node:fs';
import {join} from 'node:path';

import {browserStart, pageAxe, pageIsQuiet, pageOpen, pageViews, work} from './browser.mjs';
import {scenes, viewPage, viewWorks} from './places.mjs';
import {check, note, ok, same, skip} from './tap.mjs';

const most = 20e6;

const wait = milliseconds => new Promise(done => setTimeout(done, milliseconds));

/** The time in the slider [s]. */
function time(page) {
    return page.$eval('#time', e => Number(e.value));
}

/** What pictures and films need. */
async function interfaceIsThere(page, name) {
    const found = await page.evaluate(async () => {
        await window.perpView.ready;
        const [from, to] = window.perpView.duration;
        return {duration: Number.isFinite(from) && to >= from,
            functions: ['still', 'show', 'set'].map(f => typeof window.perpView[f])};
    });
    same(found, {duration: true, functions: ['function', 'function', 'function']},
        name + ': perpView has ready, duration, still, show and set');
}

/** Something is drawn: the picture of the canvas has many colours. */
async function somethingIsDrawn(page, name) {
    const picture = await (await page.$('#canvas')).screenshot({encoding: 'base64'});
    const colours = await page.evaluate(pictureColours, picture);
    ok(colours > 20, name + ': something is drawn', colours + ' colours');
}

/** In the page: the number of colours of a PNG, of the pixels of a grid. */
async function pictureColours(base64) {
    const image = new Image();
    image.src = 'data:image/png;base64,' + base64;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.width;
    canvas.height = image.height;
    const context = canvas.getContext('2d');
    context.drawImage(image, 0, 0);
    const {data} = context.getImageData(0, 0, canvas.width, canvas.height);
    const seen = new Set();
    for (let k = 0; k < data.length; k += 4 * 7) {
        seen.add(data[k] << 16 | data[k + 1] << 8 | data[k + 2]);
    }
    return seen.size;
}

/** The time after it has come to `wanted`, or after ten seconds: a picture may take long. */
async function timeBecomes(page, wanted) {
    await page.waitForFunction(t => Math.abs(Number(document.getElementById('time').value) - t)
        < 1e-6 * (Math.abs(t) + 1), {timeout: 10000, polling: 30}, wanted).catch(() => null);
    return time(page);
}

/** One line: the time is that one, within rounding. */
async function timeIs(page, wanted, sentence) {
    const found = await timeBecomes(page, wanted);
    return ok(Math.abs(found - wanted) < 1e-6 * (Math.abs(wanted) + 1), sentence,
        found + ', expected ' + wanted);
}

/** Play, pause, steps, jumps, by buttons and by keys. */
async function playerWorks(page, name) {
    const [from, to] = await page.evaluate(() => window.perpView.duration);
    const one = await page.evaluate(() => viewer.motions[0].time[1]);
    await page.click('#first');
    await timeIs(page, from, name + ': the first frame');
    await page.click('#forward');
    await timeIs(page, one, name + ': one step forward');
    await page.click('#back');
    await timeIs(page, from, name + ': one step back');
    await page.click('#last');
    await timeIs(page, to, name + ': the last frame');
    await page.click('#first');
    await page.click('#play');
    const times = new Set();
    for (let k = 0; k < 60 && times.size < 4; k++) {
        await wait(100);
        times.add(await time(page));
    }
    await page.click('#play');
    ok(times.size > 3, name + ': it plays', ...times);
    await wait(1000);
    const stopped = await time(page);
    await wait(500);
    same(await time(page), stopped, name + ': it pauses');
    await page.focus('#canvas');
    for (const [key, wanted] of [['Home', from], ['ArrowRight', one], ['ArrowLeft', from],
        ['End', to]]) {
        await page.keyboard.press(key);
        await timeIs(page, wanted, name + ': the key ' + key);
    }
}

/** The link keeps time and colours. */
async function linkRestores(page, name, file) {
    const [from, to] = await page.evaluate(() => window.perpView.duration);
    const middle = from + 0.5 * (to - from);
    const colours = await page.$$eval('#color option', list => list.filter(o => !o.disabled)
        .map(o => o.value));
    ok(colours.length > 1, name + ': there are several ways to colour', ...colours);
    await page.select('#color', colours[colours.length - 1]);
    await page.evaluate(t => window.perpView.show(t), middle);
    await wait(1000);
    const hash = await page.evaluate(() => location.hash);
    const other = await pageOpen(page.browser(), file, {hash});
    const there = await other.evaluate(() => [Number(document.getElementById('time').value),
        document.getElementById('color').value]);
    ok(Math.abs(there[0] - middle) < 1e-5 * (to - from + 1) && there[1]
        === colours[colours.length - 1], name + ': the link restores time and colours', hash,
    ...there);
    await other.close();
}

/** A body is found by its name, and its numbers are shown. */
async function bodyIsFound(page, name) {
    const body = await page.evaluate(() => viewer.motions[0].head.bodies.find(b => !b.fixed)?.name);
    if (!body) {
        skip(name + ': a body is found by its name', 'all bodies are fixed');
        return;
    }
    await page.type('#search', body);
    await page.waitForSelector('#found button', {timeout: 5000}).catch(() => null);
    await page.click('#found button').catch(() => null);
    await wait(300);
    const text = await page.$eval('#picked', e => e.textContent);
    ok(text.includes(body) && /\d/.test(text), name + ': a body is found by its name',
        body, text);
}

/** Pictures: no controls, white, the same each time, another one at another time. */
async function stillIsStill(browser, name, file) {
    const page = await pageOpen(browser, file, {width: 800, height: 600, scheme: 'dark'});
    const [from, to] = await page.evaluate(async () => {
        await window.perpView.still();
        return window.perpView.duration;
    });
    const picture = async t => {
        await page.evaluate(x => window.perpView.show(x), t);
        return page.screenshot({encoding: 'base64'});
    };
    const a = await picture(from);
    const b = await picture(from + 0.9 * (to - from));
    const c = await picture(from);
    ok(a === c, name + ': the same time gives the same picture');
    ok(a !== b, name + ': another time gives another picture');
    const corners = await page.evaluate(async base64 => {
        const image = new Image();
        image.src = 'data:image/png;base64,' + base64;
        await image.decode();
        const canvas = document.createElement('canvas');
        [canvas.width, canvas.height] = [image.width, image.height];
        const context = canvas.getContext('2d');
        context.drawImage(image, 0, 0);
        return [[1, 1], [image.width - 2, 1]].map(([x, y]) =>
            [...context.getImageData(x, y, 1, 1).data].slice(0, 3));
    }, a);
    same(corners, [[255, 255, 255], [255, 255, 255]], name + ': pictures are white above');
    const controls = await page.evaluate(() => [...document.querySelectorAll(
        'button, input, select, summary')].filter(e => e.offsetParent !== null).map(e => e.id));
    same(controls, [], name + ': pictures have no controls');
    await page.screenshot({path: join(work, 'view-' + name + '-still.png')});
    await page.close();
}

/** Pictures per second while playing, and what draws them. */
async function speed(browser, name, file, width, height) {
    const started = Date.now();
    const page = await pageOpen(browser, file, {width, height, timeout: 300000});
    const loaded = (Date.now() - started) / 1000;
    const found = await page.evaluate(async () => {
        const context = document.createElement('canvas').getContext('webgl2');
        const names = context?.getExtension('WEBGL_debug_renderer_info');
        const frames = [];
        document.getElementById('first').click();
        document.getElementById('play').click();
        await new Promise(done => {
            const next = now => {
                frames.push(now);
                if (now - frames[0] < 6000) {
                    requestAnimationFrame(next);
                } else {
                    done();
                }
            };
            requestAnimationFrame(next);
        });
        const late = frames.filter(t => t - frames[0] > 2000); // after it has adapted
        return {renderer: names ? context.getParameter(names.UNMASKED_RENDERER_WEBGL) : 'unknown',
            bodies: viewer.motions[0].head.bodies.length,
            rate: (late.length - 1) / (late[late.length - 1] - late[0]) * 1000};
    });
    note(name + ': ' + found.bodies + ' bodies at ' + width + ' x ' + height + ': '
        + found.rate.toFixed(1) + ' pictures per second, loaded in ' + loaded.toFixed(1) + ' s, '
        + (statSync(file).size / 1e6).toFixed(1) + ' MB; ' + found.renderer);
    ok(found.rate > 0, name + ': plays');
    await pageIsQuiet(page, name);
    await page.close();
}

async function everything(browser, name, file) {
    const page = await pageOpen(browser, file);
    await interfaceIsThere(page, name);
    await somethingIsDrawn(page, name);
    await playerWorks(page, name);
    await linkRestores(page, name, file);
    await bodyIsFound(page, name);
    await pageIsQuiet(page, name);
    await page.close();
    await stillIsStill(browser, name, file);
}

/** Two motions: the largest difference is named, and a button leads there. */
async function twoMotions(browser, file) {
    const page = await pageOpen(browser, file);
    ok(await page.$eval('#difference-box', e => !e.hidden && /\d/.test(e.textContent)),
        'two: the largest difference is stated');
    const before = await time(page);
    await page.click('#difference-go');
    await wait(500);
    const found = await page.evaluate(async () => (await blockJson('difference'))?.time);
    ok(Math.abs(await time(page) - found) < 1e-3 && found !== before,
        'two: a button leads to its time', found, await time(page));
    same(await page.evaluate(() => viewer.stages.length), 2, 'two: both are drawn');
    await pageIsQuiet(page, 'two');
    await page.close();
}

/** Where there is no WebGL, the page says so. */
async function withoutWebgl(browser, file) {
    const page = await browser.newPage();
    await page.evaluateOnNewDocument(() => {
        const before = HTMLCanvasElement.prototype.getContext;
        HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
            return /webgl/.test(kind) ? null : before.call(this, kind, ...rest);
        };
    });
    await page.goto('file://' + file);
    await page.waitForSelector('#trouble:not([hidden])', {timeout: 10000}).catch(() => null);
    const text = await page.$eval('#trouble', e => e.hidden ? '' : e.textContent);
    ok(/WebGL/.test(text), 'without WebGL the page says so', text);
    await page.close();
}

const wanted = (process.env.WEB_PAGES || '').split(' ').filter(w => w);
const asked = name => wanted.length === 0 || wanted.includes(name);

await check(async () => {
    if (!wanted.length && !viewWorks()) {
        skip('the viewer', 'perp has no verb view');
        return;
    }
    const browser = await browserStart();
    try {
        for (const name of scenes.map(([first]) => first).filter(asked)) {
            ok(existsSync(viewPage(name)), name + ': there is a page');
            await everything(browser, name, viewPage(name));
        }
        if (asked('contacts')) {
            await pageViews(browser, viewPage('contacts'), 'view-contacts');
            await withoutWebgl(browser, viewPage('contacts'));
        }
        if (asked('two')) {
            await twoMotions(browser, viewPage('two'));
            const page = await pageOpen(browser, viewPage('two'), {width: 390, height: 844});
            const found = await pageAxe(page);
            ok(found.length === 0, 'two: axe-core finds nothing', ...found);
            await page.close();
        }
        for (const [name, width, height] of [['many-1000', 1280, 720], ['many-10000', 1280, 720]]) {
            if (asked(name)) {
                await speed(browser, name, viewPage(name), width, height);
                ok(statSync(viewPage(name)).size < most, name + ': the page is below 20 MB');
            }
        }
    } finally {
        await browser.close();
    }
});
