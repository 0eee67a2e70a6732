/* SPDX-License-Identifier: Apache-2.0
 * web/view/shapes.js: surfaces of shapes. Round ones of any size share a unit geometry, with a
 * pattern of eighths so that their rotation can be seen; hulls and meshes have their own.
 * A shape consists of parts: {key, make, place: Matrix4, shade}. */
'use strict';

const shapeDark = 0.8;

/** Sides of round shapes for a number of bodies, four times a number per full circle. */
function shapeDetail(bodies) {
    for (const [most, detail] of [[80, 16], [300, 8], [1200, 4], [4000, 3]]) {
        if (bodies <= most) {
            return detail;
        }
    }
    return 2;
}

/** A geometry from corners, normals, shades and triangles. */
function shapeGeometry(corners, normals, shades, triangles) {
    const g = new THREE.BufferGeometry();
    g.setAttribute('position', new THREE.Float32BufferAttribute(corners, 3));
    g.setAttribute('normal', new THREE.Float32BufferAttribute(normals, 3));
    g.setAttribute('color', new THREE.Float32BufferAttribute(shades.flatMap(s => [s, s, s]), 3));
    g.setIndex(triangles);
    return g;
}

/** Eighths of the unit sphere, each of n x n triangles. */
function shapeBall(n) {
    const corners = [];
    const shades = [];
    const triangles = [];
    for (let o = 0; o < 8; o++) {
        const sign = [o & 1 ? -1 : 1, o & 2 ? -1 : 1, o & 4 ? -1 : 1];
        const odd = sign[0] * sign[1] * sign[2] < 0;
        const first = corners.length / 3;
        const at = (i, j) => first + i * (n + 1) - i * (i - 1) / 2 + j;
        for (let i = 0; i <= n; i++) {
            for (let j = 0; j <= n - i; j++) {
                // The sine spaces the corners evenly on the sphere.
                const p = [n - i - j, j, i].map((x, k) =>
                    sign[k] * Math.sin(Math.PI / 2 * x / n));
                const length = Math.hypot(...p);
                corners.push(...p.map(x => x / length));
                shades.push(odd ? shapeDark : 1);
            }
        }
        for (let i = 0; i < n; i++) {
            for (let j = 0; j < n - i; j++) {
                const add = (a, b, c) => triangles.push(...odd ? [a, c, b] : [a, b, c]);
                add(at(i, j), at(i, j + 1), at(i + 1, j));
                if (j < n - i - 1) {
                    add(at(i, j + 1), at(i + 1, j + 1), at(i + 1, j));
                }
            }
        }
    }
    return shapeGeometry(corners, corners, shades, triangles);
}

/** A round side between z = -1/2, radius 1, and z = 1/2 with the radius `top`, 1 or 0; the
 *  ends are closed where asked. */
function shapeRound(n, top, closed) {
    const corners = [];
    const normals = [];
    const shades = [];
    const triangles = [];
    const point = (angle, r, z, normal, shade) => {
        corners.push(r * Math.cos(angle), r * Math.sin(angle), z);
        normals.push(...normal);
        shades.push(shade);
    };
    const tilt = Math.hypot(1, 1 - top);
    for (let k = 0; k < 4 * n; k++) {
        const shade = Math.floor(k / n) % 2 ? shapeDark : 1;
        const first = corners.length / 3;
        for (const s of [k, k + 1]) {
            const a = s * Math.PI / (2 * n);
            const side = [Math.cos(a) / tilt, Math.sin(a) / tilt, (1 - top) / tilt];
            point(a, 1, -0.5, side, shade);
            point(a, top, 0.5, side, shade);
        }
        triangles.push(first, first + 2, first + 1, first + 1, first + 2, first + 3);
        for (const z of closed ? (top ? [-0.5, 0.5] : [-0.5]) : []) {
            const c = corners.length / 3;
            const normal = [0, 0, Math.sign(z)];
            point(0, 0, z, normal, shade);
            point(k * Math.PI / (2 * n), 1, z, normal, shade);
            point((k + 1) * Math.PI / (2 * n), 1, z, normal, shade);
            triangles.push(...z > 0 ? [c, c + 1, c + 2] : [c, c + 2, c + 1]);
        }
    }
    return shapeGeometry(corners, normals, shades, triangles);
}

/** A surface of triangles; edges of less than about 30 degrees are smooth. */
function shapeSurface(vertices, triangles) {
    const faces = [];
    const around = new Map();
    const a = new THREE.Vector3();
    const b = new THREE.Vector3();
    const c = new THREE.Vector3();
    const corners = [];
    const keys = [];
    for (let t = 0; t < triangles.length; t += 3) {
        a.fromArray(vertices, 3 * triangles[t]);
        b.fromArray(vertices, 3 * triangles[t + 1]);
        c.fromArray(vertices, 3 * triangles[t + 2]);
        corners.push(...a.toArray(), ...b.toArray(), ...c.toArray());
        const normal = b.clone().sub(a).cross(c.clone().sub(a));
        const area = normal.length();
        const face = {area, normal: normal.divideScalar(area || 1)};
        faces.push(face);
        for (const v of [a, b, c]) {
            const key = v.toArray().map(Math.fround).join();
            keys.push(key);
            around.set(key, (around.get(key) || []).concat(face));
        }
    }
    const normals = keys.flatMap((key, k) => {
        const own = faces[Math.floor(k / 3)];
        const sum = new THREE.Vector3();
        for (const face of around.get(key)) {
            if (face.normal.dot(own.normal) > 0.86) {
                sum.addScaledVector(face.normal, face.area);
            }
        }
        return sum.normalize().toArray();
    });
    return shapeGeometry(corners, normals, keys.map(() => 1), d3.range(keys.length));
}

/** Corners of the convex hull of points in the plane, counter-clockwise. */
function shapeOutline(vertices) {
    const points = d3.range(0, vertices.length, 3).map(k => [vertices[k], vertices[k + 1]]);
    const outline = d3.polygonHull(points) || points;
    return d3.polygonArea(outline) > 0 ? outline.reverse() : outline;
}

/** A prism over a convex polygon, from z = -1/2 to 1/2. */
function shapePrism(outline) {
    const vertices = [];
    const triangles = [];
    const n = outline.length;
    outline.forEach(([x, y]) => vertices.push(x, y, -0.5, x, y, 0.5));
    for (let k = 0; k < n; k++) {
        const [a, b] = [2 * k, 2 * ((k + 1) % n)];
        triangles.push(a, b, b + 1, a, b + 1, a + 1);
        if (k > 0 && k < n - 1) {
            triangles.push(1, a + 1, b + 1, 0, b, a);
        }
    }
    return shapeSurface(vertices, triangles);
}

const shapeUnits = {
    ball: detail => shapeBall(detail),
    tube: detail => shapeRound(detail, 1, false),
    cylinder: detail => shapeRound(detail, 1, true),
    cone: detail => shapeRound(detail, 0, true),
    disc: detail => shapeRound(3 * detail, 1, true),
    box: () => shapeSurface([-1, -1, -1, 1, -1, -1, 1, 1, -1, -1, 1, -1, -1, -1, 1, 1, -1, 1,
        1, 1, 1, -1, 1, 1], [0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4, 1, 2, 6, 1,
        6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7]),
};

/** The pose of a shape on its body as a matrix, times a scale, behind a move along z. */
function shapePlace(shape, scale, z) {
    const p = shape.pose;
    const place = new THREE.Matrix4().compose(new THREE.Vector3(p[0], p[1], p[2]),
        new THREE.Quaternion(p[4], p[5], p[6], p[3]), new THREE.Vector3(1, 1, 1));
    const own = new THREE.Matrix4().makeScale(...scale);
    own.setPosition(0, 0, z || 0);
    return place.multiply(own);
}

/** A part with a shared unit geometry. */
function shapeUnit(shape, unit, scale, z) {
    return {key: unit, make: shapeUnits[unit], place: shapePlace(shape, scale, z),
        shade: 1};
}

/** The parts of a shape in three dimensions. */
function shapeSolid(shape) {
    const [a, b, c] = shape.size;
    switch (shape.type) {
    case 'sphere':
        return [shapeUnit(shape, 'ball', [a, a, a])];
    case 'ellipsoid':
        return [shapeUnit(shape, 'ball', [a, b, c])];
    case 'box':
        return [shapeUnit(shape, 'box', [a, b, c])];
    case 'cylinder':
    case 'cone':
        return [shapeUnit(shape, shape.type, [a, a, b])];
    case 'capsule':
        return [shapeUnit(shape, 'tube', [a, a, b]),
            shapeUnit(shape, 'ball', [a, a, a], b / 2),
            shapeUnit(shape, 'ball', [a, a, a], -b / 2)];
    }
    if (!shape.vertices || !shape.triangles || !shape.triangles.length) {
        return [];
    }
    const key = JSON.stringify([shape.vertices, shape.triangles]);
    return [{key, make: () => shapeSurface(shape.vertices, shape.triangles),
        place: shapePlace(shape, [1, 1, 1]), shade: 1}];
}

/** The parts of a shape in two dimensions, seen along z: a dark prism, and in front of it a
 *  light one that leaves a border of the width `line`. */
function shapeFlat(shape, line) {
    const depth = 4 * line;
    const parts = (unit, x, y) => {
        const back = shapeUnit(shape, unit, [x, y, unit === 'box' ? depth / 2 : depth]);
        const front = shapeUnit(shape, unit, [Math.max(x - line, x / 2),
            Math.max(y - line, y / 2), unit === 'box' ? depth / 2 : depth], line);
        return [{...back, shade: 0.5}, front];
    };
    const [a, b] = shape.size;
    if (shape.type === 'sphere') {
        return parts('disc', a, a);
    }
    if (shape.type === 'box') {
        return parts('box', a, b);
    }
    if (!shape.vertices || shape.vertices.length < 9) {
        return [];
    }
    const outline = shapeOutline(shape.vertices);
    const middle = d3.polygonCentroid(outline);
    const reach = d3.min(outline, (p, k) => {
        const q = outline[(k + 1) % outline.length];
        return Math.abs((p[0] - middle[0]) * (q[1] - p[1]) - (p[1] - middle[1]) * (q[0] - p[0])) /
            (Math.hypot(q[0] - p[0], q[1] - p[1]) || 1);
    });
    const inner = Math.max(1 - line / (reach || 1), 0.5);
    const inset = outline.map(p => p.map((x, k) => middle[k] + inner * (x - middle[k])));
    return [[outline, 0.5, 0], [inset, 1, line]].map(([corners, shade, z]) => ({
        key: JSON.stringify(corners), make: () => shapePrism(corners), shade,
        place: shapePlace(shape, [1, 1, depth], z)}));
}

/** Radius of the ball around the origin of a bounded shape that contains it. */
function shapeReach(shape) {
    const [a, b, c] = shape.size;
    switch (shape.type) {
    case 'sphere':
        return a;
    case 'ellipsoid':
        return Math.max(a, b, c);
    case 'box':
        return Math.hypot(a, b, c || 0);
    case 'capsule':
        return a + b / 2;
    case 'cylinder':
    case 'cone':
        return Math.hypot(a, b / 2);
    case 'plane':
        return 0;
    }
    let reach = 0;
    for (let k = 0; shape.vertices && k < shape.vertices.length; k += 3) {
        reach = Math.max(reach, Math.hypot(shape.vertices[k], shape.vertices[k + 1],
            shape.vertices[k + 2]));
    }
    return reach;
}
