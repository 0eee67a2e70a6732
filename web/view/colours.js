/* SPDX-License-Identifier: Apache-2.0
 * web/view/colours.js: what colours mean: ranges of quantities, tables from codes to colours,
 * colour bars. Viridis and the three colours of the status can be told apart by colour-blind
 * readers. */
'use strict';

const colourModes = [
    {id: 'body', name: 'body'},
    {id: 'speed', name: 'speed', unit: 'm/s', array: 'speed'},
    {id: 'energy', name: 'kinetic energy', unit: 'J', array: 'energy'},
    {id: 'residual', name: 'contact residual', unit: '1'},
    {id: 'status', name: 'contact status'},
];
const colourStatus = ['#8a9099', '#0072b2', '#e69f00'];
const colourNone = '#b9bec6';

/** Can the motions be coloured that way? */
function colourOffered(motions, id) {
    const mode = colourModes.find(m => m.id === id);
    if (!mode) {
        return false;
    }
    if (id === 'body') {
        return true;
    }
    return motions.some(m => mode.array ? m.arrays[mode.array] && m.bodies : m.most > 0);
}

/** The range of a colour bar, from all motions and frames: `high` is what 99.8 per cent of the
 *  values other than 0 do not exceed, `least` is exceeded by 99.5 per cent. */
function colourRange(motions, id) {
    const values = [];
    for (const motion of motions) {
        const codes = id === 'residual' ? motion.arrays.contact_residual : motion.arrays[id];
        const stride = Math.max(1, Math.floor((codes ? codes.length : 0) / 200000));
        for (let k = 0; codes && k < codes.length; k += stride) {
            const x = id === 'residual' ? codes[k] : dataLogarithm(codes[k]);
            if (x > 0) {
                values.push(x);
            }
        }
    }
    if (!values.length) {
        return {high: 1, least: 1e-6, middle: 1};
    }
    const sorted = Float64Array.from(values).sort();
    const high = sorted[Math.min(Math.floor(0.998 * sorted.length), sorted.length - 1)];
    const low = sorted[Math.floor(0.005 * sorted.length)];
    return {high, middle: sorted[sorted.length >> 1],
        least: Math.min(Math.max(low, high * 1e-9), high / 10)};
}

/** A scale for a quantity: a function from its values to 0..1, and its inverse. */
function colourScale(range, log) {
    if (log) {
        const [a, b] = [Math.log10(range.least), Math.log10(range.high)];
        return {log, low: range.least, high: range.high,
            place: x => x > 0 ? Math.min(Math.max((Math.log10(x) - a) / (b - a), 0), 1) : 0,
            value: s => 10 ** (a + s * (b - a))};
    }
    return {log, low: 0, high: range.high,
        place: x => Math.min(Math.max(x / range.high, 0), 1),
        value: s => s * range.high};
}

/** 256 colours of viridis as linear red, green, blue. */
const colourViridis = (() => {
    const table = new Float32Array(3 * 256);
    const colour = new THREE.Color();
    for (let k = 0; k < 256; k++) {
        colour.set(d3.interpolateViridis(k / 255)).toArray(table, 3 * k);
    }
    return table;
})();

/** The row of colourViridis for a place of 0..1. */
function colourRow(place) {
    return 3 * Math.round(255 * place);
}

/** Rows of colourViridis for all codes of 16 bits. */
function colourCodes(scale) {
    const rows = new Uint16Array(65536);
    for (let q = 0; q < 65536; q++) {
        rows[q] = colourRow(scale.place(dataLogarithm(q)));
    }
    return rows;
}

/** What a mode needs to colour: {id, scale, codes}. `log` may be null: the usual one. */
function colourMake(motions, id, log) {
    const mode = colourModes.find(m => m.id === id);
    if (id === 'body' || id === 'status') {
        return {id, mode};
    }
    const range = colourRange(motions, id);
    // Speeds are linear unless most of them would look like 0.
    const usual = id !== 'speed' || range.middle < 0.05 * range.high;
    const scale = colourScale(range, log ?? usual);
    return {id, mode, scale, codes: mode.array ? colourCodes(scale) : null};
}

const colourFixed = new THREE.Color(colourNone);
const colourOfStatus = colourStatus.map(c => new THREE.Color(c));

/** The colour of a body now, written to `to` at `at` as linear numbers; `own` is its own one. */
function colourBody(colour, motion, body, own, to, at) {
    let from = own;
    let row = 0;
    switch (colour.id) {
    case 'speed':
    case 'energy': {
        const codes = motion.arrays[colour.id];
        if (!codes || motion.head.bodies[body].fixed) {
            from = colourFixed;
            break;
        }
        row = colour.codes[codes[motion.frame * motion.bodies + body]];
        to.set(colourViridis.subarray(row, row + 3), at);
        return;
    }
    case 'residual':
        if (motion.bodyResidual[body] >= 0 && !motion.head.bodies[body].fixed) {
            row = colourRow(colour.scale.place(motion.bodyResidual[body]));
            to.set(colourViridis.subarray(row, row + 3), at);
            return;
        }
        from = colourFixed;
        break;
    case 'status': {
        const status = motion.head.bodies[body].fixed ? -1 : motion.bodyStatus[body];
        from = status >= 0 ? colourOfStatus[status] : colourFixed;
        break;
    }
    }
    to[at] = from.r;
    to[at + 1] = from.g;
    to[at + 2] = from.b;
}

/** The colour of a contact: its residual where residuals are asked for, else its status. */
function colourContact(colour, motion, c, to) {
    const residual = motion.arrays.contact_residual[c];
    if (colour.id === 'residual') {
        return Number.isNaN(residual) ? to.copy(colourFixed)
            : to.fromArray(colourViridis, colourRow(colour.scale.place(residual)));
    }
    return to.copy(colourOfStatus[motion.arrays.contact_status[c]] || colourFixed);
}

/** Ticks of a scale that fit a bar. */
function colourTicks(scale) {
    if (!scale.log) {
        return d3.scaleLinear([0, scale.high], [0, 1]).ticks(4);
    }
    const [a, b] = [Math.ceil(Math.log10(scale.low) - 1e-9),
        Math.floor(Math.log10(scale.high) + 1e-9)];
    const step = Math.max(1, Math.ceil((b - a + 1) / 5));
    const ticks = d3.range(a, b + 1, step).map(k => 10 ** k);
    return ticks.length > 1 ? ticks : [scale.low, scale.high];
}

/** The legend of what is shown, in an element: a bar with units, or names of the status. */
function colourLegend(box, colour, contactsShown) {
    box.replaceChildren();
    if (colour.scale) {
        const gradient = d3.range(0, 1.01, 0.1).map(s => d3.interpolateViridis(s)).join(',');
        const bar = element('div', {class: 'legend-bar'});
        bar.style.background = `linear-gradient(to right, ${gradient})`;
        const ticks = element('div', {class: 'legend-ticks'});
        for (const x of colourTicks(colour.scale)) {
            const tick = element('span', {}, plotsTick(x));
            tick.style.left = `${100 * colour.scale.place(x)}%`;
            ticks.append(tick);
        }
        const unit = colour.mode.unit === '1' ? '' : ` [${colour.mode.unit}]`;
        box.append(element('div', {class: 'legend-title'}, colour.mode.name + unit), bar, ticks);
    }
    if (colour.id === 'status' || (contactsShown && colour.id !== 'residual')) {
        const keys = element('div', {class: 'legend-keys'});
        dataStatusNames.forEach((name, k) => {
            const patch = element('i', {'aria-hidden': 'true'});
            patch.style.background = colourStatus[k];
            keys.append(element('span', {}, patch, name));
        });
        box.append(keys);
    }
    box.hidden = !box.childElementCount;
}
