// SPDX-License-Identifier: Apache-2.0
// places.mjs: where the command, the source tree and the pages are; the scenes that are run.
import {join} from 'node:path';

import {run} from './tap.mjs';

export const perp = process.env.PERP;
export const source = process.env.PERP_SOURCE;
export const work = process.env.WEB_CHECK || process.cwd();

/** Names of runs, and the words for perp simulate. */
export const scenes = [
    ['contacts', 'stack', '--time', '0.5'],
    ['flat', 'painleve', '--time', '0.1'],
    ['maximal', 'pendulum-chain', '--set', 'links=5', '--time', '0.5', '--coordinates', 'maximal'],
    ['reduced', 'pendulum-chain', '--set', 'links=5', '--time', '0.5', '--coordinates', 'reduced'],
];

export function viewPage(name) {
    return join(work, 'view-' + name + '.html');
}

/** Whether perp makes viewer pages. */
export function viewWorks() {
    return run(perp, ['view', '--help']).status === 0;
}
