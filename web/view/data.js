/* SPDX-License-Identifier: Apache-2.0
 * web/view/data.js: the motions of the page, decoded from the layout that view/pack.h describes,
 * and their state at a time. */
'use strict';

const dataTypes = {f32: Float32Array, u32: Uint32Array, i32: Int32Array, u16: Uint16Array,
    i16: Int16Array, u8: Uint8Array};
const dataWords = {4: Uint32Array, 2: Uint16Array, 1: Uint8Array};

/** An array of the block. Planes of bytes are put together, then differences are summed. */
function dataArray(entry, bytes) {
    const Type = dataTypes[entry.type];
    const size = Type.BYTES_PER_ELEMENT;
    const count = entry.shape.reduce((a, b) => a * b, 1);
    const part = bytes.slice(entry.start, entry.start + count * size);
    if (!entry.planes) {
        return new Type(part.buffer);
    }
    const words = new dataWords[size](count);
    for (let k = 0; k < size; k++) {
        for (let i = 0, at = k * count; i < count; i++) {
            words[i] |= part[at + i] << 8 * k;
        }
    }
    const width = entry.shape[0] ? count / entry.shape[0] : count;
    for (let i = width; i < count; i++) {
        words[i] += words[i - width];
    }
    return new Type(words.buffer);
}

/** A motion of the page; null when there is none of that number. */
async function dataMotion(number) {
    const head = await blockJson(`motion-${number}`);
    if (!head) {
        return null;
    }
    const bytes = await blockBytes(`motion-${number}-data`);
    const arrays = {};
    for (const [name, entry] of Object.entries(head.arrays)) {
        arrays[name] = dataArray(entry, bytes);
    }
    const bodies = head.bodies.length;
    const motion = {
        number, head, arrays, bodies,
        frames: head.frames,
        time: arrays.time,
        start: arrays.time[0],
        end: arrays.time[head.frames - 1],
        flat: head.dimension === 2,
        up: new THREE.Vector3(...head.up),
        kept: head.contacts.frames,
        most: dataMostContacts(arrays.contact_end),
        // The state at the time that is shown.
        frame: 0,
        shown: -1,
        position: new Float32Array(3 * bodies),
        turn: new Float32Array(4 * bodies),
        bodyResidual: new Float32Array(bodies),
        bodyStatus: new Int8Array(bodies),
    };
    motion.turn.forEach((x, k) => { motion.turn[k] = k % 4 === 0 ? 1 : 0; });
    return motion;
}

/** The largest number of contacts of a frame. */
function dataMostContacts(ends) {
    let most = 0;
    for (let k = 0; ends && k < ends.length; k++) {
        most = Math.max(most, ends[k] - (k ? ends[k - 1] : 0));
    }
    return most;
}

/** The last frame at or before a time, and the part of the way to the next one. Times are
 *  stored in single precision, so that a frame counts from slightly before its time. */
function dataFrame(motion, t) {
    const time = motion.time;
    const slack = 1e-6 * Math.max(Math.abs(motion.end), 1e-3);
    let low = 0;
    let high = motion.frames - 1;
    while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (time[middle] <= t + slack) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    const next = Math.min(low + 1, motion.frames - 1);
    const span = time[next] - time[low];
    const part = span > 0 ? Math.min(Math.max((t - time[low]) / span, 0), 1) : 0;
    return {frame: low, part: part < 1e-5 ? 0 : part};
}

/** Where the contacts of a frame stand: [first, end), and the frame that they belong to: the
 *  last one up to it that kept them. */
function dataContacts(motion, frame) {
    const kept = motion.kept;
    let low = -1;
    let high = kept.length - 1;
    while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (kept[middle] <= frame) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    if (low < 0) {
        return {first: 0, end: 0, frame: -1};
    }
    const ends = motion.arrays.contact_end;
    return {first: low ? ends[low - 1] : 0, end: ends[low], frame: kept[low]};
}

/** Set the poses of all bodies to those at a time: positions on the line between the frames,
 *  rotations on the arc. */
function dataSetTime(motion, t) {
    const {frame, part} = dataFrame(motion, t);
    const changed = motion.shown !== frame + part;
    motion.frame = frame;
    motion.shown = frame + part;
    motion.contacts = dataContacts(motion, frame);
    if (!changed) {
        return false;
    }
    const {origin, scale, position, turn} = motion.arrays;
    const bodies = motion.bodies;
    const next = Math.min(frame + 1, motion.frames - 1);
    for (let b = 0; b < bodies; b++) {
        const p = 3 * (frame * bodies + b);
        const q = 3 * (next * bodies + b);
        for (let k = 0; k < 3; k++) {
            const steps = position[p + k] + part * (position[q + k] - position[p + k]);
            motion.position[3 * b + k] = origin[3 * b + k] + scale[b] * steps;
        }
        dataTurn(motion.turn, 4 * b, turn, 4 * (frame * bodies + b), 4 * (next * bodies + b),
            part);
    }
    dataBodyContacts(motion);
    return true;
}

/** The unit quaternion at part s of the shorter arc from the one at p to the one at q. */
function dataTurn(to, at, from, p, q, s) {
    let dot = from[p] * from[q] + from[p + 1] * from[q + 1] + from[p + 2] * from[q + 2] +
        from[p + 3] * from[q + 3];
    dot /= 32767 * 32767;
    const sign = dot < 0 ? -1 : 1;
    let a = 1 - s;
    let c = s;
    if (s > 0 && sign * dot < 0.9995) {
        const angle = Math.acos(Math.min(sign * dot, 1));
        a = Math.sin((1 - s) * angle);
        c = Math.sin(s * angle);
    }
    c *= sign;
    let length = 0;
    for (let k = 0; k < 4; k++) {
        const x = a * from[p + k] + (s > 0 ? c * from[q + k] : 0);
        to[at + k] = x;
        length += x * x;
    }
    length = Math.sqrt(length) || 1;
    for (let k = 0; k < 4; k++) {
        to[at + k] /= length;
    }
}

/** For each body the largest residual and the most active status of its contacts; -1: none. */
function dataBodyContacts(motion) {
    const {contact_body: body, contact_residual: residual, contact_status: status} =
        motion.arrays;
    motion.bodyResidual.fill(-1);
    motion.bodyStatus.fill(-1);
    for (let c = motion.contacts.first; c < motion.contacts.end; c++) {
        for (let k = 0; k < 2; k++) {
            const b = body[2 * c + k];
            if (b >= 0 && b < motion.bodies) {
                if (residual[c] > motion.bodyResidual[b]) {
                    motion.bodyResidual[b] = residual[c];
                }
                motion.bodyStatus[b] = Math.max(motion.bodyStatus[b], status[c]);
            }
        }
    }
}

/** Place of a contact in world axes. */
function dataContactPoint(motion, c, to) {
    const [low, high] = motion.head.contacts.box;
    const q = motion.arrays.contact_point;
    return to.set(
        low[0] + (high[0] - low[0]) * q[3 * c] / 65535,
        low[1] + (high[1] - low[1]) * q[3 * c + 1] / 65535,
        low[2] + (high[2] - low[2]) * q[3 * c + 2] / 65535);
}

/** Should the contact be drawn the other way round? Impulses act on body 1; where that one does
 *  not move by impulses, the impulse on body 0 is drawn. */
function dataContactSign(motion, c) {
    const [a, b] = [motion.arrays.contact_body[2 * c], motion.arrays.contact_body[2 * c + 1]];
    const moves = k => k >= 0 && k < motion.bodies && !motion.head.bodies[k].fixed;
    return moves(a) && !moves(b) ? -1 : 1;
}

/** Impulse of a contact: along the normal, across it, and as a whole [N s]. */
function dataContactImpulse(motion, c) {
    const {contact_impulse: p, contact_normal: n} = motion.arrays;
    const k = 3 * c;
    const along = (p[k] * n[k] + p[k + 1] * n[k + 1] + p[k + 2] * n[k + 2]) / 32767;
    const whole = Math.hypot(p[k], p[k + 1], p[k + 2]);
    return {along, whole, across: Math.sqrt(Math.max(whole * whole - along * along, 0))};
}

/** A quantity stored as a logarithm: speed [m/s] or kinetic energy [J]; NaN when absent. */
function dataQuantity(motion, name, frame, body) {
    const q = motion.arrays[name];
    return q ? dataLogarithm(q[frame * motion.bodies + body]) : NaN;
}

/** The number that a logarithmic code of 16 bits means. */
function dataLogarithm(q) {
    return q === 0 ? 0 : 10 ** (-6 + 12 * (q - 1) / 65534);
}

/** Name of a body; the world has number -1. */
function dataBodyName(motion, b) {
    if (b < 0) {
        return 'the world';
    }
    return b < motion.bodies ? motion.head.bodies[b].name || `body ${b}` : `body ${b}`;
}
const dataStatusNames = ['open', 'sticking', 'sliding'];
