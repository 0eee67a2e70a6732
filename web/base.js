/* SPDX-License-Identifier: Apache-2.0
 * web/base.js: what the pages share: their data, elements, numbers, files to save.
 * All scripts of a page share one scope. */
'use strict';

/** The bytes of a block of data. */
async function blockBytes(id) {
    const block = document.getElementById(id);
    const packed = Uint8Array.from(atob(block.textContent), c => c.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
    return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** The value of a block of JSON; null when the page has none of that name. */
async function blockJson(id) {
    if (!document.getElementById(id)) {
        return null;
    }
    return JSON.parse(new TextDecoder().decode(await blockBytes(id)));
}

/** A text as a page shows it: characters that would turn or hide what stands around them have
 *  marks, "\\u202e". Newlines and tabs stay. */
function shownText(text) {
    return String(text).replace(hiddenCharacters, c => {
        const code = c.charCodeAt(0);
        return code < 0x80 ? '\\x' + code.toString(16).padStart(2, '0')
            : '\\u' + code.toString(16).padStart(4, '0');
    });
}

const hiddenCharacters = new RegExp('[\\0-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u061c\\u200b\\u200e\\u200f'
    + '\\u2028-\\u202e\\u2060-\\u206f\\ufeff]', 'g');

/** An element: element('td', {class: 'n', onclick: f}, 'text', child, …). Texts are never read
 *  as markup, and shown by shownText; null and undefined children are left out. */
function element(name, attributes, ...children) {
    const space = svgNames.has(name) ? 'http://www.w3.org/2000/svg' : null;
    const e = space ? document.createElementNS(space, name) : document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
        if (value === null || value === undefined || value === false) {
            continue;
        }
        if (typeof value === 'function') {
            e.addEventListener(key.replace(/^on/, ''), value);
        } else {
            e.setAttribute(key, value === true ? '' : value);
        }
    }
    e.append(...children.flat().filter(c => c !== null && c !== undefined)
        .map(c => c instanceof Node ? c : shownText(c)));
    return e;
}
const svgNames = new Set(['svg', 'g', 'path', 'line', 'rect', 'circle', 'text', 'polyline', 'polygon', 'tspan',
    'clipPath', 'defs', 'use', 'pattern']);

/** A number as people read it: 0.000213 -> "2.13e-4", with `digits` significant ones. */
function numberText(x, digits = 3) {
    if (x === null || x === undefined || Number.isNaN(x)) {
        return '–';
    }
    if (!Number.isFinite(x)) {
        return x > 0 ? '∞' : '−∞';
    }
    const size = Math.abs(x);
    if (Number.isInteger(x) && size < 1e6) {
        return String(x).replace('-', '−');
    }
    const text = size !== 0 && (size < 1e-3 || size >= 1e6)
        ? x.toExponential(digits - 1).replace('e+', 'e')
        : String(Number(x.toPrecision(digits)));
    return text.replace(/-/g, '−');
}

/** Let the reader save `parts` (texts, blobs) as a file. */
function saveFile(name, type, ...parts) {
    const url = URL.createObjectURL(new Blob(parts, {type}));
    const link = element('a', {href: url, download: name});
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
}

/** Rows of cells as CSV (RFC 4180). A text that a spreadsheet would take for a formula is led by an
 *  apostrophe, by the rule of command/cli/csv.h. */
function csvText(rows) {
    const formula = text => /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(text)
        && !/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text);
    const cell = x => {
        const text = x === null || x === undefined ? '' : String(x);
        const lead = typeof x === 'string' && formula(text) ? "'" : '';
        return lead || /[",;\n\r\t]|^ | $/.test(text)
            ? '"' + lead + text.replace(/"/g, '""') + '"' : text;
    };
    return rows.map(row => row.map(cell).join(',')).join('\r\n') + '\r\n';
}
