// SPDX-License-Identifier: Apache-2.0
// pages.mjs: the results, runs and pages that the checks look at, made by the built perp:
//
//   small     the suite of this folder: hostile names, failures, certificates, varied parameters,
//             a sequence, scenes
//   changes   a part of it once more, against small
//   quick     the suite "quick"
//   motions   a scene with joints, one with contacts, two to compare, many bodies
import {existsSync, mkdirSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

import {check, note, ok, run, skip} from './tap.mjs';
import {perp, scenes, source, viewWorks, work} from './places.mjs';

function perpRuns(sentence, ...words) {
    const r = run(perp, words);
    return ok(r.status === 0, sentence, 'perp ' + words.join(' '), r.error, r.out);
}

/** Results are those of this perp: older ones are made again. */
function isNew(path) {
    return existsSync(path) && statSync(path).mtimeMs > statSync(perp).mtimeMs;
}

function makeResults() {
    const suite = join(source, 'tests/web/suite.json');
    const small = join(work, 'small');
    const changes = join(work, 'changes');
    const quick = join(work, 'quick');
    rmSync(small, {recursive: true, force: true});
    rmSync(changes, {recursive: true, force: true});
    perpRuns('a suite with hostile names is run', 'compare', suite, '-o', small, '-q');
    const r = run(perp, ['compare', suite, '-o', changes, '-q', '--against', small, '--only',
        'friction', '--only', 'scenes']);
    ok(r.status === 0 || r.status === 1, 'two results are compared', r.error, r.out);
    if (!isNew(join(quick, 'runs.jsonl'))) {
        rmSync(quick, {recursive: true, force: true});
        perpRuns('the suite quick is run', 'compare', 'quick', '-o', quick, '-q');
    } else {
        perpRuns('the page of the suite quick is made', 'plot', quick);
    }
}

/** A scene of `count` spheres that fall. */
function sceneOfMany(count) {
    const side = Math.ceil(Math.cbrt(count));
    const spheres = Array.from({length: count}, (_, k) => ({
        name: 'sphere ' + k,
        position: [k % side, Math.floor(k / side) % side,
            1 + Math.floor(k / side / side)].map(x => 0.3 * x),
        shapes: [{type: 'sphere', radius: 0.1}], density: 1000,
    }));
    return {title: 'Many spheres fall', gravity: [0, 0, -9.81], bodies: spheres};
}

function makeMotions() {
    const make = (name, ...words) => {
        const folder = join(work, 'run-' + name);
        rmSync(folder, {recursive: true, force: true});
        return perpRuns('the run ' + name + ' is made', 'simulate', ...words, '-o', folder, '-q')
            && perpRuns('the viewer page ' + name + ' is made', 'view', folder, '-o',
                join(work, 'view-' + name + '.html'));
    };
    for (const [name, ...words] of scenes) {
        make(name, ...words);
    }
    for (const count of [1000, 10000]) {
        const scene = join(work, 'many-' + count + '.json');
        writeFileSync(scene, JSON.stringify(sceneOfMany(count)));
        make('many-' + count, scene, '--time', '0.3', '--dt', '0.01');
    }
    const pair = ['maximal', 'reduced'].map(name => join(work, 'run-' + name));
    perpRuns('the page of two motions is made', 'view', ...pair, '-o',
        join(work, 'view-two.html'));
}

await check(async () => {
    mkdirSync(work, {recursive: true});
    makeResults();
    if (viewWorks()) {
        makeMotions();
    } else {
        skip('the pages of the viewer are made', 'perp has no verb view');
    }
    note('pages: ' + work);
});
