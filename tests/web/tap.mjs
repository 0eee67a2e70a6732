// SPDX-License-Identifier: Apache-2.0
// tap.mjs: what the checks share: lines of TAP, programs that are run, tables of CSV.
import {spawnSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {basename} from 'node:path';

const tap = {count: 0, failed: 0, suite: basename(process.argv[1] || 'check', '.mjs')};

/** One line: whether something holds. What explains a failure follows it. */
export function ok(result, sentence, ...notes) {
    tap.count++;
    tap.failed += result ? 0 : 1;
    console.log((result ? 'ok ' : 'not ok ') + tap.count + ' - ' + tap.suite + ': '
        + sentence.replace(/#/g, '\\#'));
    if (!result) {
        note(...notes);
    }
    return Boolean(result);
}

/** Two values are the same as JSON. */
export function same(found, expected, sentence) {
    const [a, b] = [found, expected].map(value => JSON.stringify(value));
    return ok(a === b, sentence, 'found    ' + a, 'expected ' + b);
}

/** A line for what cannot be checked here. */
export function skip(sentence, why) {
    tap.count++;
    console.log('ok ' + tap.count + ' - ' + tap.suite + ': ' + sentence + ' # SKIP ' + why);
}

/** Lines that are no results. */
export function note(...texts) {
    texts.flatMap(text => String(text ?? '').split('\n')).slice(0, 40)
        .forEach(line => console.log('#   ' + line));
}

/** A part of a check: an exception is one line, and what follows is still checked. */
export async function part(name, body) {
    try {
        await body();
    } catch (error) {
        ok(false, name + ': ends without an exception', error.stack);
    }
}

/** Run a check to its end, whatever it throws. */
export async function check(body) {
    try {
        await body();
    } catch (error) {
        ok(false, 'ends without an exception', error.stack);
    }
    console.log('1..' + tap.count);
    process.exitCode = tap.failed ? 1 : 0;
}

/** Run a program; {status, out, error}. */
export function run(program, words, options = {}) {
    const r = spawnSync(program, words, {encoding: 'utf8', maxBuffer: 1 << 28,
        env: {...process.env, NO_COLOR: '1'}, ...options});
    return {status: r.status, out: r.stdout, error: (r.stderr || '') + (r.error || '')};
}

/** The rows of a file of CSV (RFC 4180) as objects by the names of its head. */
export function csvRead(path) {
    const text = readFileSync(path, 'utf8');
    const rows = [[]];
    const cell = /("(?:[^"]|"")*"|[^,\r\n]*)(,|\r?\n|$)/g;
    for (let at = 0; at < text.length; at = cell.lastIndex) {
        const [, value, end] = cell.exec(text);
        rows[rows.length - 1].push(value.startsWith('"')
            ? value.slice(1, -1).replace(/""/g, '"') : value);
        if (end !== ',') {
            rows.push([]);
        }
    }
    const [head, ...body] = rows.filter(row => row.length);
    return body.map(row => Object.fromEntries(head.map((name, k) => [name, row[k]])));
}
