/* SPDX-License-Identifier: Apache-2.0
 * web/view/panel.js: the panel: numbers of the selection, search, and what is known of the
 * motions. */
'use strict';

/** Rows of a name and a text as a list of definitions. */
function panelNumbers(rows) {
    return element('dl', {class: 'numbers'}, rows.filter(r => r).flatMap(([name, text]) =>
        [element('dt', {}, name), element('dd', {}, text)]));
}

function panelVector(x, y, z) {
    return [x, y, z].map(v => numberText(v, 4)).join(', ');
}

/** The numbers of a body now. */
function panelBody(motion, b) {
    const body = motion.head.bodies[b];
    const speed = dataQuantity(motion, 'speed', motion.frame, b);
    const energy = dataQuantity(motion, 'energy', motion.frame, b);
    const p = motion.position;
    return [
        body.fixed ? ['fixed', 'not moved by impulses'] : ['mass', body.mass > 0
            ? `${numberText(body.mass, 4)} kg` : 'unknown'],
        ['position', `${panelVector(p[3 * b], p[3 * b + 1], p[3 * b + 2])} m`],
        Number.isNaN(speed) ? null : ['speed', `${numberText(speed)} m/s`],
        Number.isNaN(energy) ? null : ['kinetic energy', `${numberText(energy)} J`],
        motion.most ? ['status', motion.bodyStatus[b] < 0 ? 'no contact'
            : dataStatusNames[motion.bodyStatus[b]]] : null,
        motion.bodyResidual[b] >= 0 ? ['residual', numberText(motion.bodyResidual[b])] : null,
    ];
}

/** The numbers of a contact. */
function panelContact(motion, c) {
    const a = motion.arrays;
    const impulse = dataContactImpulse(motion, c);
    const mu = a.contact_mu[c];
    const used = mu > 0 && impulse.along > 0 ? impulse.across / (mu * impulse.along) : NaN;
    const n = [0, 1, 2].map(k => a.contact_normal[3 * c + k] / 32767);
    const at = dataContactPoint(motion, c, new THREE.Vector3());
    return [
        ['status', dataStatusNames[a.contact_status[c]] || 'unknown'],
        ['gap', `${numberText(a.contact_gap[c])} m`],
        ['impulse', `${numberText(impulse.whole)} N s`],
        ['along the normal', `${numberText(impulse.along)} N s`],
        ['across it', `${numberText(impulse.across)} N s`],
        ['friction coefficient', numberText(mu)],
        Number.isNaN(used) ? null : ['share of the cone', `${numberText(100 * used)} %`],
        ['residual', numberText(a.contact_residual[c])],
        ['point', `${panelVector(at.x, at.y, at.z)} m`],
        ['normal', panelVector(...n)],
    ];
}

/** The numbers of a joint: how far apart its anchors are. */
function panelJoint(motion, k) {
    const joint = motion.head.joints[k];
    const at = [0, 1].map(i => contactsOnBody(motion, joint.bodies[i], joint.anchor[i],
        new THREE.Vector3()));
    return [
        ['type', joint.type],
        ['anchor', `${panelVector(at[0].x, at[0].y, at[0].z)} m`],
        ['anchors apart', `${numberText(at[0].distanceTo(at[1]))} m`],
    ];
}

/** A button that selects something. */
function panelLink(viewer, name, pick) {
    return element('li', {}, element('button', {type: 'button',
        onclick: () => viewSelect(pick)}, name));
}

const panelListed = 8;

/** Bodies of the contact or joint, contacts of the body, as links. */
function panelLinks(viewer, pick) {
    const {motion} = pick.stage;
    const body = b => panelLink(viewer, dataBodyName(motion, b),
        {stage: pick.stage, kind: 'body', index: b});
    if (pick.kind !== 'body') {
        const bodies = pick.kind === 'joint' ? motion.head.joints[pick.index].bodies : pick.bodies;
        return bodies.map(b => b >= 0 && b < motion.bodies ? body(b)
            : element('li', {class: 'soft'}, dataBodyName(motion, b)));
    }
    const links = [];
    let count = 0;
    const pair = motion.arrays.contact_body;
    for (let c = motion.contacts.first; c < motion.contacts.end; c++) {
        if (pair[2 * c] === pick.index || pair[2 * c + 1] === pick.index) {
            const other = pair[2 * c] === pick.index ? pair[2 * c + 1] : pair[2 * c];
            count++;
            if (links.length < panelListed) {
                links.push(panelLink(viewer, `contact with ${dataBodyName(motion, other)}`,
                    {stage: pick.stage, kind: 'contact', index: c}));
            }
        }
    }
    motion.head.joints.forEach((joint, k) => {
        if (joint.bodies.includes(pick.index)) {
            links.push(panelLink(viewer, `joint ${joint.name || k}`,
                {stage: pick.stage, kind: 'joint', index: k}));
        }
    });
    if (count > panelListed) {
        links.push(element('li', {class: 'soft'},
            `${count - panelListed} more contacts: select them in the picture`));
    }
    return links;
}

/** Which of two motions. */
function panelLead(motion) {
    return viewer.stages.length > 1 ? `${'AB'[motion.number]}: ` : '';
}

function panelName(pick) {
    const {motion} = pick.stage;
    const lead = panelLead(motion);
    if (pick.kind === 'body') {
        return lead + dataBodyName(motion, pick.index);
    }
    if (pick.kind === 'joint') {
        return `${lead}joint ${motion.head.joints[pick.index].name || pick.index}`;
    }
    return `${lead}contact`;
}

/** Show the selection: the frame, the links of what it touches, and its numbers. */
function panelPick(viewer) {
    const box = document.getElementById('picked');
    const pick = viewer.picked;
    if (!pick) {
        box.replaceChildren(element('p', {class: 'soft'},
            'Click a body, a contact or a joint to read its numbers.'));
        return;
    }
    const follow = pick.kind === 'body' ? element('button', {type: 'button', id: 'follow',
        'aria-pressed': String(viewFollows(pick)), onclick: () => viewFollow()}, 'Follow') : null;
    box.replaceChildren(element('h3', {}, panelName(pick)),
        element('div', {id: 'picked-numbers'}),
        element('p', {class: 'buttons'}, follow,
            element('button', {type: 'button', onclick: () => viewSelect(null)}, 'Clear')),
        element('ul', {class: 'list', id: 'picked-links'}));
    viewer.linked = null;
    panelPickNumbers(viewer, true);
}

/** Renew the numbers of the selection; the links only where asked, as they have the focus. */
function panelPickNumbers(viewer, links) {
    const pick = viewer.picked;
    const box = document.getElementById('picked-numbers');
    if (!pick || !box) {
        return;
    }
    pickRefresh(pick);
    const {motion} = pick.stage;
    if (pick.index < 0) {
        box.replaceChildren(element('p', {class: 'soft'}, 'These bodies do not touch now.'));
    } else {
        const rows = {body: panelBody, contact: panelContact, joint: panelJoint}[pick.kind];
        box.replaceChildren(panelNumbers(rows(motion, pick.index)));
    }
    const key = `${pickText(pick)} ${motion.contacts.frame}`;
    if (links && viewer.linked !== key) {
        viewer.linked = key;
        document.getElementById('picked-links').replaceChildren(...panelLinks(viewer, pick));
    }
}

/** The names that a search finds, as buttons. */
function panelSearch(viewer, text) {
    const list = document.getElementById('found');
    list.replaceChildren();
    if (!text.trim()) {
        return;
    }
    const {found, count} = pickSearch(viewer, text.trim(), panelListed);
    for (const {name, pick} of found) {
        list.append(panelLink(viewer, panelLead(pick.stage.motion) + name, pick));
    }
    if (!count) {
        list.append(element('li', {class: 'soft'}, 'No body or joint has this in its name.'));
    } else if (count > found.length) {
        list.append(element('li', {class: 'soft'}, `${found.length} of ${count} shown`));
    }
}

/** In words, how contacts were left out; null: none. */
function panelThinned(motion) {
    const kept = motion.kept;
    if (!kept.length || kept.length >= motion.frames) {
        return null;
    }
    const gaps = new Set(kept.slice(1).map((f, k) => f - kept[k]));
    const each = gaps.size === 1 ? `every ${[...gaps][0]}th frame`
        : `${kept.length} of ${motion.frames} frames`;
    return `contacts at ${each}; between them those of the last one are shown`;
}

/** What is known of a motion. */
function panelAbout(motion) {
    const {head} = motion;
    const thinned = panelThinned(motion);
    const moving = head.bodies.filter(b => !b.fixed).length;
    const box = element('div', {},
        element('h3', {}, panelLead(motion) + head.title),
        panelNumbers([
            head.source ? ['source', head.source] : null,
            head.solver ? ['solver', head.solver] : null,
            head.coordinates ? ['coordinates', head.coordinates] : null,
            ['dimension', String(head.dimension)],
            head.dt > 0 ? ['time step', `${numberText(head.dt)} s`] : null,
            ['frames', String(motion.frames)],
            motion.end > motion.start ? ['time', `${numberText(motion.start)} to ` +
                `${numberText(motion.end, 4)} s`] : null,
            ['bodies', `${motion.bodies}, ${moving} moving`],
            head.joints.length ? ['joints', String(head.joints.length)] : null,
            ['contacts per frame', `up to ${motion.most}`],
            motion.bodies ? ['error of positions', `≤ ${numberText(head.errors.position, 2)} m`]
                : null,
            motion.bodies ? ['error of rotations', `≤ ${numberText(head.errors.angle, 2)} rad`]
                : null,
        ]),
        element('p', {class: 'soft'}, 'Positions and rotations are rounded to 16 bits to keep ' +
            'the page small. Between frames they are interpolated.'));
    if (thinned) {
        box.append(element('p', {class: 'soft'}, `To keep the page small it has ${thinned}.`));
    }
    return box;
}
