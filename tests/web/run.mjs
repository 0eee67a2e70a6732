// SPDX-License-Identifier: Apache-2.0
// run.mjs: make the pages, then run every *_check.mjs of this folder, each in a process of its own,
// as one TAP. Words pick the checks whose names hold one of them. PERP is the command, PERP_SOURCE
// the source tree, WEB_CHECK the folder of pages and pictures.
import {spawn} from 'node:child_process';
import {readdirSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {createInterface} from 'node:readline';
import {fileURLToPath} from 'node:url';

const folder = dirname(fileURLToPath(import.meta.url));
const minutes = 20;
let count = 0;
let failed = 0;

/** One program; its lines are counted on. */
function runOne(name) {
    return new Promise(resolve => {
        const child = spawn(process.execPath, [join(folder, name)],
            {stdio: ['ignore', 'pipe', 'inherit']});
        const timer = setTimeout(() => child.kill('SIGKILL'), minutes * 60000);
        let planned = false;
        let bad = 0;
        const line = text => {
            const [, result, rest] = text.match(/^(ok|not ok) \d+ - (.*)$/s) || [];
            planned = planned || /^1\.\.\d+$/.test(text);
            if (result) {
                count++;
                bad += result === 'ok' ? 0 : 1;
                console.log(result + ' ' + count + ' - ' + rest);
            } else if (!/^1\.\.\d+$/.test(text)) {
                console.log(text);
            }
        };
        createInterface({input: child.stdout}).on('line', line);
        child.on('close', (code, signal) => {
            clearTimeout(timer);
            if (!planned || (code !== 0 && bad === 0)) {
                line('not ok 0 - ' + name + ': runs to its end');
                console.log('#   status ' + code + ', signal ' + signal);
            }
            failed += bad;
            resolve();
        });
    });
}

const picked = process.argv.slice(2);
const checks = readdirSync(folder).filter(name => name.endsWith('_check.mjs')).sort()
    .filter(name => picked.length === 0 || picked.some(word => name.includes(word)));
for (const name of ['pages.mjs', ...checks]) {
    await runOne(name);
}
console.log('1..' + count);
process.exitCode = failed ? 1 : 0;
