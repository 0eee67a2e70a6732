/* SPDX-License-Identifier: Apache-2.0
 * web/view/bodies.js: the bodies of a motion, one draw call per distinct geometry;
 * planes as floors with a grid; the outline of the body that was picked. */
'use strict';

/** The range of what bodies pass along an axis; without the outermost hundredth at an end where
 *  that is far away from the others, as of a body that fell off. */
function bodiesRange(lows, highs) {
    const low = Float64Array.from(lows).sort();
    const high = Float64Array.from(highs).sort();
    const [a, b] = [d3.quantileSorted(low, 0.01), d3.quantileSorted(high, 0.99)];
    const far = 0.5 * (b - a);
    return [a - low[0] > far ? a : low[0], high.at(-1) - b > far ? b : high.at(-1)];
}

/** The distance of the farthest point of a shape from the centre of its body, at most; exact for
 *  hulls and meshes, whose own origin may be far away. */
function bodiesReach(shape) {
    const [x, y, z, qw, qx, qy, qz] = shape.pose;
    if (!shape.vertices) {
        return Math.hypot(x, y, z) + shapeReach(shape);
    }
    const turn = new THREE.Quaternion(qx, qy, qz, qw);
    const corner = new THREE.Vector3();
    let reach = 0;
    for (let k = 0; k < shape.vertices.length; k += 3) {
        corner.fromArray(shape.vertices, k).applyQuaternion(turn);
        reach = Math.max(reach, Math.hypot(x + corner.x, y + corner.y, z + corner.z));
    }
    return reach;
}

/** What the motion is drawn with: its middle, radius and the size of a typical body. Bodies
 *  that move count. */
function bodiesExtent(motion) {
    const reach = new Float64Array(motion.bodies);
    for (const shape of motion.head.shapes) {
        reach[shape.body] = Math.max(reach[shape.body],
            shape.type === 'plane' ? 0 : bodiesReach(shape));
    }
    const moving = d3.range(motion.bodies).filter(b => !motion.head.bodies[b].fixed && reach[b]);
    const counted = moving.length ? moving : d3.range(motion.bodies).filter(b => reach[b]);
    const {origin, scale, position} = motion.arrays;
    const stride = Math.max(1, Math.floor(motion.frames * counted.length / 30000));
    const lows = [[], [], []];
    const highs = [[], [], []];
    for (let i = 0; i < motion.frames * counted.length; i += stride) {
        const frame = Math.floor(i / counted.length);
        const b = counted[i % counted.length];
        for (let k = 0; k < 3; k++) {
            const x = origin[3 * b + k] + scale[b] * position[3 * (frame * motion.bodies + b) + k];
            lows[k].push(x - reach[b]);
            highs[k].push(x + reach[b]);
        }
    }
    const box = new THREE.Box3();
    if (counted.length) {
        for (let k = 0; k < 3; k++) {
            const [low, high] = bodiesRange(lows[k], highs[k]);
            box.min.setComponent(k, low);
            box.max.setComponent(k, high);
        }
    } else {
        const [low, high] = motion.kept.length ? motion.head.contacts.box : motion.head.bounds;
        box.min.set(...low.map(x => x ?? -1));
        box.max.set(...high.map(x => x ?? 1));
    }
    const size = box.getSize(new THREE.Vector3());
    const radius = Math.max(size.length() / 2, 1e-6);
    const typical = counted.length ? d3.median(counted, b => reach[b])
        : radius / Math.max(Math.cbrt(motion.most), 3);
    return {box, middle: box.getCenter(new THREE.Vector3()), radius, typical, reach};
}

/** The same for the time that is shown: a box around the bodies that move where they are now. */
function bodiesExtentNow(motions, extents) {
    const box = new THREE.Box3();
    const place = new THREE.Vector3();
    motions.forEach((motion, k) => {
        const all = motion.head.bodies.every(b => b.fixed);
        motion.head.bodies.forEach((body, b) => {
            const reach = extents[k].reach[b];
            if (reach && (all || !body.fixed)) {
                place.fromArray(motion.position, 3 * b);
                box.expandByPoint(place.clone().addScalar(reach));
                box.expandByPoint(place.subScalar(reach));
            }
        });
    });
    return box.isEmpty() ? extents[0] : {...extents[0], box,
        middle: box.getCenter(new THREE.Vector3()),
        radius: box.getSize(new THREE.Vector3()).length() / 2};
}

/** The bodies of a motion as items. */
function bodiesMake(motion, extent, detail) {
    const kinds = new Map();
    for (const shape of motion.head.shapes) {
        if (shape.type === 'plane') {
            continue;
        }
        const parts = motion.flat ? shapeFlat(shape, 0.05 * extent.typical) : shapeSolid(shape);
        for (const part of parts) {
            if (!kinds.has(part.key)) {
                kinds.set(part.key, {make: part.make, ball: part.key === 'ball', parts: []});
            }
            kinds.get(part.key).parts.push({...part, body: shape.body, colour: shape.colour});
        }
    }
    const group = new THREE.Group();
    const meshes = [...kinds.values()].map(kind => bodiesMesh(kind, detail));
    meshes.forEach(m => group.add(m.mesh));
    return {group, meshes, axes: new Float32Array(9 * motion.bodies)};
}

/** One draw call: a geometry, and for each copy its body, place and colour. */
function bodiesMesh(kind, detail) {
    const count = kind.parts.length;
    const items = itemsMake(kind.ball ? ballsGeometry() : kind.make(detail), count, kind.ball);
    items.mesh.castShadow = true;
    items.mesh.receiveShadow = true;
    const place = new Float32Array(12 * count);
    kind.parts.forEach((p, k) => {
        const e = p.place.elements;
        place.set([e[0], e[1], e[2], e[4], e[5], e[6], e[8], e[9], e[10], e[12], e[13], e[14]],
            12 * k);
    });
    items.mesh.userData = {bodies: kind.parts.map(p => p.body)};
    return {items, mesh: items.mesh, place, body: Int32Array.from(kind.parts, p => p.body),
        make: kind.make, ball: kind.ball, shade: Float32Array.from(kind.parts, p => p.shade),
        own: kind.parts.map(p => new THREE.Color(p.colour))};
}

/** Other geometries, of more or fewer sides. */
function bodiesDetail(bodies, detail) {
    for (const m of bodies.meshes.filter(mesh => !mesh.ball)) {
        itemsGeometry(m.items, m.make(detail));
    }
}

/** Matrices of all instances from the poses of the motion. */
function bodiesMove(bodies, motion) {
    const R = bodies.axes;
    const q = motion.turn;
    for (let b = 0; b < motion.bodies; b++) {
        const [w, x, y, z] = [q[4 * b], q[4 * b + 1], q[4 * b + 2], q[4 * b + 3]];
        const r = 9 * b;
        R[r] = 1 - 2 * (y * y + z * z);
        R[r + 1] = 2 * (x * y + w * z);
        R[r + 2] = 2 * (x * z - w * y);
        R[r + 3] = 2 * (x * y - w * z);
        R[r + 4] = 1 - 2 * (x * x + z * z);
        R[r + 5] = 2 * (y * z + w * x);
        R[r + 6] = 2 * (x * z + w * y);
        R[r + 7] = 2 * (y * z - w * x);
        R[r + 8] = 1 - 2 * (x * x + y * y);
    }
    for (const m of bodies.meshes) {
        bodiesMoveMesh(m, R, motion.position);
    }
}

function bodiesMoveMesh(m, R, position) {
    const to = m.items.array;
    const L = m.place;
    for (let i = 0; i < m.body.length; i++) {
        const r = 9 * m.body[i];
        const p = 3 * m.body[i];
        for (let c = 0; c < 4; c++) {
            const l = 12 * i + 3 * c;
            const t = 16 * i + 4 * c;
            const [x, y, z] = [L[l], L[l + 1], L[l + 2]];
            to[t] = R[r] * x + R[r + 3] * y + R[r + 6] * z;
            to[t + 1] = R[r + 1] * x + R[r + 4] * y + R[r + 7] * z;
            to[t + 2] = R[r + 2] * x + R[r + 5] * y + R[r + 8] * z;
        }
        const t = 16 * i + 12;
        to[t] += position[p];
        to[t + 1] += position[p + 1];
        to[t + 2] += position[p + 2];
        to[t + 3] = 1;
    }
    itemsChanged(m.items);
}

/** Colours of all instances. */
function bodiesColour(bodies, motion, colour) {
    const now = new Float32Array(3);
    for (const m of bodies.meshes) {
        for (let i = 0; i < m.body.length; i++) {
            colourBody(colour, motion, m.body[i], m.own[i], now, 0);
            // The border of a flat shape is darker.
            const shade = m.shade[i] === 1 ? 1 : 0.5 * m.shade[i];
            itemsColour(m.items, i, shade * now[0], shade * now[1], shade * now[2]);
        }
        itemsChanged(m.items);
    }
}

/** Solid, see-through or hidden; `fine`: a surface that shines a little. */
function bodiesLook(bodies, look, fine) {
    const through = look === 'through';
    const orders = {vertexColors: true, transparent: through, opacity: through ? 0.3 : 1,
        depthWrite: !through};
    const make = () => fine ? new THREE.MeshStandardMaterial({...orders, roughness: 0.62,
        metalness: 0}) : new THREE.MeshLambertMaterial(orders);
    bodies.group.visible = look !== 'hidden';
    for (const m of bodies.meshes) {
        m.mesh.material.dispose();
        m.mesh.material = itemsMaterial(m.items, m.ball ? ballsMaterial(make(), true) : make());
        m.mesh.castShadow = !through;
    }
}

/** An outline around a body: its parts again, blown up, seen from inside. */
function bodiesOutline(bodies, body, width, colour) {
    const group = new THREE.Group();
    const material = new THREE.MeshBasicMaterial({color: colour, side: THREE.BackSide});
    material.onBeforeCompile = shader => {
        shader.vertexShader = shader.vertexShader.replace('#include <begin_vertex>',
            'vec3 scales = vec3(length(modelMatrix[0]), length(modelMatrix[1]), ' +
            'length(modelMatrix[2]));\n' +
            `vec3 transformed = position + normalize(position + 1e-9) * ${width.toFixed(9)}` +
            ' / scales;');
    };
    for (const m of bodies.meshes) {
        m.body.forEach((b, i) => {
            if (b === body) {
                const mesh = new THREE.Mesh(m.ball ? m.make(12) : m.items.unit, material);
                mesh.matrixAutoUpdate = false;
                mesh.userData = {items: m.items, index: i};
                group.add(mesh);
            }
        });
    }
    return group;
}

function bodiesOutlineMove(outline) {
    for (const mesh of outline.children) {
        itemsMatrix(mesh.userData.items, mesh.userData.index, mesh.matrix);
        mesh.matrixWorldNeedsUpdate = true;
    }
}

const bodiesGridVertex = `
varying vec2 place;
uniform vec2 middle;
void main() {
    place = position.xy + middle;
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;
/* Lines of a grid, each tenth stronger, that fade away from the middle; below a floor of two
 * dimensions, the solid half. */
const bodiesGridFragment = `
varying vec2 place;
uniform float size, cell, flatWorld;
uniform vec2 middle;
uniform vec3 lines, ground;
uniform float strength;
float grid(float width) {
    vec2 p = place / width;
    vec2 w = fwidth(p);
    vec2 d = abs(fract(p - 0.5) - 0.5);
    vec2 line = (1.0 - smoothstep(w * 0.5, w * 1.5, d)) * (1.0 - smoothstep(0.2, 0.6, w));
    return max(line.x, line.y);
}
void main() {
    if (flatWorld > 0.5) {
        float edge = 1.0 - smoothstep(0.0, 1.5 * fwidth(place.y), abs(place.y));
        float deep = step(place.y, 0.0) * (1.0 - smoothstep(0.0, 0.12 * size, -place.y));
        float wide = 1.0 - smoothstep(0.5 * size, 0.95 * size, abs(place.x - middle.x));
        gl_FragColor = vec4(mix(lines, ground, 0.35), wide * max(0.9 * edge, 0.55 * deep));
    } else {
        float fade = 1.0 - smoothstep(0.15 * size, 0.98 * size, distance(place, middle));
        float line = max(0.35 * grid(cell), 0.8 * grid(5.0 * cell));
        gl_FragColor = vec4(mix(ground, lines, line), fade * max(strength, line));
    }
    #include <colorspace_fragment>
}`;

/** The width of a cell of the grid: 1, 2 or 5 times a power of ten. */
function bodiesCell(radius) {
    return d3.tickIncrement(0, 2 * radius, 10) < 0
        ? -1 / d3.tickIncrement(0, 2 * radius, 10) : d3.tickIncrement(0, 2 * radius, 10);
}

/** The floor of a plane: grid and shadow. */
function bodiesPlane(motion, shape, extent) {
    const place = shapePlace(shape, [1, 1, 1]);
    const size = 5 * extent.radius;
    const uniforms = {size: {value: size}, cell: {value: bodiesCell(extent.radius)},
        middle: {value: new THREE.Vector2()}, flatWorld: {value: motion.flat ? 1 : 0},
        lines: {value: new THREE.Color()}, ground: {value: new THREE.Color()},
        strength: {value: 0.5}};
    const square = new THREE.PlaneGeometry(2 * size, 2 * size);
    // Beyond this the light casts no shadow.
    const lit = new THREE.PlaneGeometry(4 * extent.radius, 4 * extent.radius);
    const grid = new THREE.Mesh(square, new THREE.ShaderMaterial({uniforms, transparent: true,
        depthWrite: false, vertexShader: bodiesGridVertex,
        fragmentShader: bodiesGridFragment}));
    grid.geometry = square.clone();
    if (motion.flat) {
        grid.geometry.scale(1, 0.5, 1).translate(0, -size / 2 + 0.01 * size, 0);
    }
    grid.renderOrder = -2;
    const shadow = new THREE.Mesh(lit, new THREE.ShadowMaterial({opacity: 0.22,
        depthWrite: false, polygonOffset: true, polygonOffsetFactor: -1,
        polygonOffsetUnits: -1}));
    shadow.renderOrder = -1;
    shadow.receiveShadow = true;
    shadow.visible = !motion.flat;
    const group = new THREE.Group();
    group.add(grid, shadow);
    group.matrixAutoUpdate = false;
    return {group, grid, shadow, place, body: shape.body, uniforms, size};
}

/** Place a floor, with the fading around the foot of the middle of the scene. */
function bodiesPlaneMove(plane, motion, extent) {
    const b = plane.body;
    const pose = new THREE.Matrix4().compose(
        new THREE.Vector3().fromArray(motion.position, 3 * b),
        new THREE.Quaternion(motion.turn[4 * b + 1], motion.turn[4 * b + 2],
            motion.turn[4 * b + 3], motion.turn[4 * b]), new THREE.Vector3(1, 1, 1));
    plane.group.matrix.multiplyMatrices(pose, plane.place);
    plane.group.matrixWorldNeedsUpdate = true;
    plane.level = new THREE.Vector3(0, 0, 1).transformDirection(plane.group.matrix)
        .dot(motion.up) > 0.7;
    const foot = extent.middle.clone().applyMatrix4(plane.group.matrix.clone().invert());
    plane.uniforms.middle.value.set(foot.x, motion.flat ? 0 : foot.y);
    for (const part of [plane.grid, plane.shadow]) {
        part.position.set(foot.x, motion.flat ? 0 : foot.y, motion.flat ? -extent.typical : 0);
    }
}
