/* SPDX-License-Identifier: Apache-2.0
 * web/view/contacts.js: contacts and joints: points, normals, friction cones, impulses, anchors
 * and axes, as instances whose numbers change with the frame. */
'use strict';

/** A size that only one contact in fifty exceeds: the impulse of length 1. */
function contactsReference(motions) {
    const sizes = [];
    for (const motion of motions) {
        const p = motion.arrays.contact_impulse;
        const count = p ? p.length / 3 : 0;
        const stride = Math.max(1, Math.floor(count / 50000));
        for (let c = 0; c < count; c += stride) {
            const size = Math.hypot(p[3 * c], p[3 * c + 1], p[3 * c + 2]);
            if (size > 0) {
                sizes.push(size);
            }
        }
    }
    return sizes.length ? d3.quantile(sizes, 0.98) : 1;
}

/** Instances of a geometry, at most `room` of them, none at first. */
function contactsMesh(geometry, material, room) {
    const mesh = new THREE.InstancedMesh(geometry, material, Math.max(room, 1));
    mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
    mesh.instanceColor = new THREE.InstancedBufferAttribute(
        new Float32Array(3 * Math.max(room, 1)).fill(1), 3);
    mesh.instanceColor.setUsage(THREE.DynamicDrawUsage);
    mesh.frustumCulled = false;
    mesh.count = 0;
    return mesh;
}

/** A cone with its tip at the origin, height 1 along z and radius 1, with its rim. */
function contactsConeGeometry(sides) {
    const side = new THREE.ConeGeometry(1, 1, sides, 1, true);
    side.rotateX(-Math.PI / 2).translate(0, 0, 0.5);
    return side;
}

/** What draws the contacts of a motion. */
function contactsMake(motion) {
    const room = motion.most;
    const few = room > 2000;
    const solid = new THREE.MeshLambertMaterial();
    const glass = new THREE.MeshLambertMaterial({transparent: true, opacity: 0.3,
        side: THREE.DoubleSide, depthWrite: false});
    const shaft = shapeRound(few ? 1 : 2, 1, false).deleteAttribute('color');
    const head = shapeRound(few ? 1 : 3, 0, true).deleteAttribute('color');
    const rim = new THREE.TorusGeometry(1, 0.025, few ? 3 : 5, few ? 16 : 32).translate(0, 0, 1);
    const c = {
        points: contactsMesh(ballsGeometry(), ballsMaterial(new THREE.MeshLambertMaterial(), false),
            room),
        normals: contactsMesh(shaft, solid, room),
        cones: contactsMesh(contactsConeGeometry(few ? 12 : 32), glass, room),
        rims: contactsMesh(rim, solid, room),
        shafts: contactsMesh(shaft, solid, room),
        heads: contactsMesh(head, solid, room),
        group: new THREE.Group(),
    };
    c.rims.renderOrder = 2;
    c.cones.renderOrder = 3;
    c.group.add(c.points, c.normals, c.cones, c.rims, c.shafts, c.heads);
    return c;
}

/** Add an instance whose z axis is the unit d: radius r, length l, moved by `along` on d. */
function contactsAdd(mesh, at, d, r, l, along, colour) {
    const i = mesh.count++;
    const m = mesh.instanceMatrix.array;
    const t = 16 * i;
    // A unit vector across d, from the axis that is farthest from it.
    let [x, y, z] = Math.abs(d.x) < 0.6 ? [0, d.z, -d.y] : [-d.z, 0, d.x];
    const size = Math.hypot(x, y, z) || 1;
    x /= size;
    y /= size;
    z /= size;
    m[t] = r * x;
    m[t + 1] = r * y;
    m[t + 2] = r * z;
    m[t + 4] = r * (d.y * z - d.z * y);
    m[t + 5] = r * (d.z * x - d.x * z);
    m[t + 6] = r * (d.x * y - d.y * x);
    m[t + 8] = l * d.x;
    m[t + 9] = l * d.y;
    m[t + 10] = l * d.z;
    m[t + 12] = at.x + along * d.x;
    m[t + 13] = at.y + along * d.y;
    m[t + 14] = at.z + along * d.z;
    m[t + 15] = 1;
    colour.toArray(mesh.instanceColor.array, 3 * i);
}

const contactsNow = {at: new THREE.Vector3(), normal: new THREE.Vector3(),
    impulse: new THREE.Vector3(), colour: new THREE.Color(), plain: new THREE.Color()};

/** The glyphs of the frame. `orders`: {size, length, reference, show, equal, colour, plain}. */
function contactsMove(c, motion, orders) {
    const {show, size, length} = orders;
    const meshes = [c.points, c.normals, c.cones, c.rims, c.shafts, c.heads];
    meshes.forEach(mesh => { mesh.count = 0; });
    const wanted = show.contacts || show.normals || show.cones || show.impulses;
    const {at, normal, impulse, colour, plain} = contactsNow;
    const {contact_normal: n, contact_impulse: p, contact_mu: mu} = motion.arrays;
    plain.set(orders.plain);
    for (let k = motion.contacts.first; wanted && k < motion.contacts.end; k++) {
        const sign = dataContactSign(motion, k);
        dataContactPoint(motion, k, at);
        normal.set(n[3 * k], n[3 * k + 1], n[3 * k + 2]).multiplyScalar(sign).normalize();
        impulse.set(p[3 * k], p[3 * k + 1], p[3 * k + 2]).multiplyScalar(sign);
        colourContact(orders.colour, motion, k, colour);
        if (show.contacts) {
            contactsAdd(c.points, at, normal, 0.09 * size, 0.09 * size, 0, colour);
        }
        if (show.normals) {
            contactsAdd(c.normals, at, normal, 0.016 * size, 0.8 * size, 0.4 * size, plain);
        }
        if (show.cones && mu[k] > 0 && Number.isFinite(mu[k])) {
            const height = orders.equal ? 0.8 * length / Math.hypot(1, mu[k])
                : length * impulse.dot(normal) / orders.reference;
            if (height > 0) {
                contactsAdd(c.cones, at, normal, mu[k] * height, height, 0, colour);
                contactsAdd(c.rims, at, normal, mu[k] * height, height, 0, colour);
            }
        }
        if (show.impulses) {
            contactsArrow(c, at, impulse, length / orders.reference, size, colour);
        }
    }
    for (const mesh of meshes) {
        mesh.visible = mesh.count > 0;
        mesh.instanceMatrix.needsUpdate = true;
        mesh.instanceColor.needsUpdate = true;
    }
}

/** An arrow from the point of the contact along its impulse. */
function contactsArrow(c, at, impulse, scale, size, colour) {
    const length = scale * impulse.length();
    if (!(length > 0)) {
        return;
    }
    const head = Math.min(0.28 * size, 0.45 * length);
    const r = Math.min(0.035 * size, 0.08 * length);
    impulse.normalize();
    contactsAdd(c.shafts, at, impulse, r, length - head, (length - head) / 2, colour);
    contactsAdd(c.heads, at, impulse, 2.6 * r, head, length - head / 2, colour);
}

/** What draws the joints: a ball at the anchor and a bar along the axis, or from anchor to anchor
 *  of ropes and rods, in front of bodies. */
function contactsJoints(motion) {
    const count = motion.head.joints.length;
    const material = new THREE.MeshLambertMaterial({color: '#8b2f97', transparent: true,
        opacity: 0.9, depthTest: false});
    const balls = contactsMesh(shapeBall(count > 500 ? 2 : 5).deleteAttribute('color'),
        material, count);
    const bars = contactsMesh(shapeRound(count > 500 ? 1 : 3, 1, true).deleteAttribute('color'),
        material, count);
    const group = new THREE.Group();
    group.add(balls, bars);
    balls.renderOrder = 5;
    bars.renderOrder = 5;
    return {group, balls, bars};
}

/** A point of a body, or of the world, in world axes; with `turn` only, a direction. */
function contactsOnBody(motion, b, local, to, directed) {
    to.set(local[0], local[1], local[2]);
    if (b >= 0 && b < motion.bodies) {
        const q = new THREE.Quaternion(motion.turn[4 * b + 1], motion.turn[4 * b + 2],
            motion.turn[4 * b + 3], motion.turn[4 * b]);
        to.applyQuaternion(q);
        if (!directed) {
            to.x += motion.position[3 * b];
            to.y += motion.position[3 * b + 1];
            to.z += motion.position[3 * b + 2];
        }
    }
    return to;
}

/** Joints that hold two points at a distance. */
const contactsLines = new Set(['rope', 'rod']);

function contactsJointsMove(joints, motion, size, shown) {
    joints.balls.count = 0;
    joints.bars.count = 0;
    joints.group.visible = shown && motion.head.joints.length > 0;
    if (!joints.group.visible) {
        return;
    }
    const at = new THREE.Vector3();
    const axis = new THREE.Vector3();
    const white = new THREE.Color('#ffffff');
    for (const joint of motion.head.joints) {
        contactsOnBody(motion, joint.bodies[0], joint.anchor[0], at);
        contactsOnBody(motion, joint.bodies[0], joint.axis[0], axis, true);
        if (contactsLines.has(joint.type)) {
            contactsOnBody(motion, joint.bodies[1], joint.anchor[1], axis);
            const length = axis.sub(at).length();
            contactsAdd(joints.bars, at, axis.normalize(), 0.09 * size, length, length / 2, white);
            continue;
        }
        const directed = axis.lengthSq() > 0.25;
        axis.set(...directed ? axis.normalize().toArray() : [0, 0, 1]);
        contactsAdd(joints.balls, at, axis, 0.12 * size, 0.12 * size, 0, white);
        if (directed) {
            contactsAdd(joints.bars, at, axis, 0.035 * size, 1.1 * size, 0, white);
        }
    }
    for (const mesh of [joints.balls, joints.bars]) {
        mesh.visible = mesh.count > 0;
        mesh.instanceMatrix.needsUpdate = true;
        mesh.instanceColor.needsUpdate = true;
    }
}
