// SPDX-License-Identifier: Apache-2.0
// gltf_check.mjs: runs as glTF, judged by the validator of Khronos: no error and no warning.
import {mkdirSync, readFileSync, rmSync} from 'node:fs';
import {join} from 'node:path';

import validator from 'gltf-validator';

import {check, ok, run, same} from './tap.mjs';

const work = join(process.env.WEB_CHECK || '.', 'gltf');

// Boxes that fall, a ring of capsules, a flat world, and an arch that hardly moves.
const scenes = ['dominoes', 'rattleback', 'ring', 'chain', 'masonry-arch'];

/** The report of the validator on a file. */
function validate(path) {
    return validator.validateBytes(new Uint8Array(readFileSync(path)), {maxIssues: 20});
}

/** A scene for a short time, then both kinds of files. */
async function sceneIsValid(name) {
    const folder = join(work, name + '.perp');
    const made = run(process.env.PERP, ['simulate', name, '--time', '0.2', '-q', '-o', folder]);
    if (!ok(made.status === 0, name + ': runs', made.error)) {
        return;
    }
    for (const extension of ['glb', 'gltf']) {
        const path = join(work, name + '.' + extension);
        const converted = run(process.env.PERP, ['convert', '-q', folder, path]);
        if (!ok(converted.status === 0, name + ': becomes ' + extension, converted.error)) {
            continue;
        }
        const {issues, info} = await validate(path);
        ok(issues.numErrors === 0 && issues.numWarnings === 0,
            name + '.' + extension + ': no error and no warning', JSON.stringify(issues.messages));
        ok(info.drawCallCount > 0 && info.totalTriangleCount > 0,
            name + '.' + extension + ': has surfaces', JSON.stringify(info));
    }
}

/** The validator finds what is wrong: a rotation that is not unit. */
async function errorsAreFound() {
    const path = join(work, scenes[0] + '.gltf');
    const root = JSON.parse(readFileSync(path, 'utf8'));
    root.nodes[0].rotation = [1, 1, 1, 1];
    const text = new TextEncoder().encode(JSON.stringify(root));
    const {issues} = await validator.validateBytes(text, {});
    same(issues.numErrors > 0, true, 'a rotation that is not unit is an error');
}

check(async () => {
    rmSync(work, {recursive: true, force: true});
    mkdirSync(work, {recursive: true});
    for (const name of scenes) {
        await sceneIsValid(name);
    }
    await errorsAreFound();
});
