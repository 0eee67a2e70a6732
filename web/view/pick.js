/* SPDX-License-Identifier: Apache-2.0
 * web/view/pick.js: what lies under a point of the picture, and what is selected:
 * {stage, kind: 'body' | 'contact' | 'joint', index}. */
'use strict';

/** The stage at a point of the canvas, and the point in its own axes, -1..1. */
function pickTile(viewer, x, y) {
    const {width, height} = viewer.size;
    const tiles = sceneTiles(viewer.stages.length, width, height);
    const k = tiles.findIndex(t => x >= t.x && x < t.x + t.width && y >= t.y &&
        y < t.y + t.height);
    const tile = tiles[Math.max(k, 0)];
    return {stage: viewer.stages[Math.max(k, 0)], tile,
        at: new THREE.Vector2(2 * (x - tile.x) / tile.width - 1,
            1 - 2 * (y - tile.y) / tile.height)};
}

/** The nearest of some places within a number of pixels: its number, or -1. */
function pickNearest(viewer, {tile, at}, count, placeOf, pixels) {
    const place = new THREE.Vector3();
    let best = -1;
    let least = pixels;
    let depth = Infinity;
    for (let k = 0; k < count; k++) {
        placeOf(k, place).project(viewer.rig.camera);
        const away = Math.hypot((place.x - at.x) * tile.width, (place.y - at.y) * tile.height) / 2;
        if (Math.abs(place.z) < 1 && (away < least - 2 || (away < least + 2 && place.z < depth &&
            away < pixels))) {
            best = k;
            least = Math.min(away, least);
            depth = place.z;
        }
    }
    return best;
}

/** What is at a point of the canvas: marks before bodies; null: nothing. */
function pickAt(viewer, x, y) {
    const found = pickTile(viewer, x, y);
    const {stage, tile, at} = found;
    const {motion} = stage;
    const {show, look} = viewer.settings;
    cameraAspect(viewer.rig.camera, tile.width / tile.height);
    viewer.rig.camera.updateMatrixWorld();
    if (show.joints) {
        const index = pickNearest(viewer, found, motion.head.joints.length, (k, to) =>
            pickJointPlace(motion, k, to), 9);
        if (index >= 0) {
            return {stage, kind: 'joint', index};
        }
    }
    if (show.contacts || show.normals || show.cones || show.impulses) {
        const {first, end} = motion.contacts;
        const index = pickNearest(viewer, found, end - first, (k, to) =>
            dataContactPoint(motion, first + k, to), 8);
        if (index >= 0) {
            return {stage, kind: 'contact', index: first + index};
        }
    }
    return look === 'hidden' ? null : pickBody(viewer, stage, at);
}

function pickBody(viewer, stage, at) {
    const ray = new THREE.Raycaster();
    ray.setFromCamera(at, viewer.rig.camera);
    stage.scene.updateMatrixWorld();
    const hit = ray.intersectObjects(stage.bodies.meshes.map(m => m.mesh), false)[0];
    return hit ? {stage, kind: 'body', index: hit.object.userData.bodies[hit.item]} : null;
}

function pickJointPlace(motion, k, to) {
    const joint = motion.head.joints[k];
    return contactsOnBody(motion, joint.bodies[0], joint.anchor[0], to);
}

/** Remember a contact by its bodies and its place, since each frame has numbers of its own. */
function pickRemember(pick) {
    if (pick && pick.kind === 'contact') {
        const {motion} = pick.stage;
        pick.bodies = [...motion.arrays.contact_body.slice(2 * pick.index, 2 * pick.index + 2)];
        pick.place = dataContactPoint(motion, pick.index, new THREE.Vector3());
        pick.frame = motion.contacts.frame;
    }
    return pick;
}

/** Find the selected contact again in the frame that is shown: the nearest one of its bodies;
 *  its index is -1 when they do not touch. */
function pickRefresh(pick) {
    const {motion} = pick.stage;
    if (pick.kind !== 'contact' || pick.frame === motion.contacts.frame) {
        return;
    }
    const place = new THREE.Vector3();
    let least = Infinity;
    pick.index = -1;
    pick.frame = motion.contacts.frame;
    for (let c = motion.contacts.first; c < motion.contacts.end; c++) {
        const [a, b] = [motion.arrays.contact_body[2 * c], motion.arrays.contact_body[2 * c + 1]];
        if ((a === pick.bodies[0] && b === pick.bodies[1]) ||
            (a === pick.bodies[1] && b === pick.bodies[0])) {
            const away = dataContactPoint(motion, c, place).distanceTo(pick.place);
            if (away < least) {
                least = away;
                pick.index = c;
            }
        }
    }
    if (pick.index >= 0) {
        dataContactPoint(motion, pick.index, pick.place);
    }
}

/** Where the ring of a selection stands; null: none. */
function pickPlace(pick) {
    const {motion} = pick.stage;
    if (pick.kind === 'joint') {
        return pickJointPlace(motion, pick.index, new THREE.Vector3());
    }
    return pick.kind === 'contact' && pick.index >= 0
        ? dataContactPoint(motion, pick.index, new THREE.Vector3()) : null;
}

/** A selection as text for the address of the page, and back. */
function pickText(pick) {
    return pick ? `${pick.stage.motion.number}:${pick.kind}:${pick.index}` : '';
}

function pickFromText(viewer, text) {
    const [number, kind, index] = text.split(':');
    const stage = viewer.stages[Number(number)];
    const k = Number(index);
    if (!stage || !Number.isInteger(k) || k < 0) {
        return null;
    }
    const {motion} = stage;
    const count = {body: motion.bodies, joint: motion.head.joints.length,
        contact: motion.arrays.contact_body ? motion.arrays.contact_body.length / 2 : 0}[kind];
    return k < count ? {stage, kind, index: k} : null;
}

/** The bodies and joints with a text in their name: at most `most` of them, and their number. */
function pickSearch(viewer, text, most) {
    const wanted = text.toLowerCase();
    const found = [];
    let count = 0;
    for (const stage of viewer.stages) {
        for (const [kind, list] of [['body', stage.motion.head.bodies],
            ['joint', stage.motion.head.joints]]) {
            list.forEach((thing, index) => {
                const name = thing.name || `${kind} ${index}`;
                if (name.toLowerCase().includes(wanted)) {
                    count++;
                    if (found.length < most) {
                        found.push({name, pick: {stage, kind, index}});
                    }
                }
            });
        }
    }
    return {found, count};
}
