/* SPDX-License-Identifier: Apache-2.0
 * web/view/items.js: many copies of a geometry, each with its matrix and colour, in one draw
 * call. The copies are real vertices that fetch their matrix from a texture: renderers in
 * software handle instances one by one, at the cost of a draw call each. Geometries whose copies
 * would take too much memory are drawn as instances. */
'use strict';

const itemsRow = 256; /* items in a row of the texture, four texels each */
const itemsVertices = 1200000; /* copies have at most as many vertices */

/* The names of an instance stand for what is fetched, so that the shaders of three.js for
 * instances work as they are. */
const itemsFetch = `
attribute float item;
uniform highp sampler2D items;
mat4 itemMatrix;
vec3 itemColor;
#define instanceMatrix itemMatrix
#define instanceColor itemColor
void itemFetch() {
    int k = int(item + 0.5);
    ivec2 at = ivec2(4 * (k % ${itemsRow}), k / ${itemsRow});
    vec4 a = texelFetch(items, at, 0);
    vec4 b = texelFetch(items, at + ivec2(1, 0), 0);
    vec4 c = texelFetch(items, at + ivec2(2, 0), 0);
    vec4 d = texelFetch(items, at + ivec2(3, 0), 0);
    itemMatrix = mat4(vec4(a.xyz, 0.0), vec4(b.xyz, 0.0), vec4(c.xyz, 0.0), d);
    itemColor = vec3(a.w, b.w, c.w);
}`;

/** A mesh of `count` copies. `array` has 16 numbers for each: its matrix by columns, where the
 *  fourth of the first three columns is the colour; 3 numbers per colour are apart where
 *  `colours` is not null. */
function itemsMake(unit, count, ball) {
    const vertices = unit.getAttribute('position').count;
    const apart = vertices * count > itemsVertices;
    const items = {unit, count, ball, apart, colours: null, texture: null};
    if (apart) {
        items.mesh = new THREE.InstancedMesh(unit, undefined, count);
        items.mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
        items.mesh.instanceColor = new THREE.InstancedBufferAttribute(
            new Float32Array(3 * count), 3);
        items.array = items.mesh.instanceMatrix.array;
        items.colours = items.mesh.instanceColor.array;
    } else {
        const rows = Math.max(Math.ceil(count / itemsRow), 1);
        items.array = new Float32Array(16 * itemsRow * rows);
        items.texture = new THREE.DataTexture(items.array, 4 * itemsRow, rows, THREE.RGBAFormat,
            THREE.FloatType);
        items.mesh = new THREE.Mesh(itemsCopies(unit, count));
        items.mesh.customDepthMaterial = itemsMaterial(items,
            ball ? ballsDepth() : new THREE.MeshDepthMaterial());
    }
    if (ball && apart) {
        items.mesh.customDepthMaterial = ballsDepth();
    }
    items.mesh.frustumCulled = false;
    items.mesh.raycast = (raycaster, hits) => itemsRaycast(items, raycaster, hits);
    return items;
}

/** `count` copies of the vertices and triangles, each vertex with the number of its copy. */
function itemsCopies(unit, count) {
    const g = new THREE.BufferGeometry();
    const vertices = unit.getAttribute('position').count;
    for (const name of ['position', 'normal', 'color']) {
        const from = unit.getAttribute(name).array;
        const to = new Float32Array(from.length * count);
        for (let k = 0; k < count; k++) {
            to.set(from, from.length * k);
        }
        g.setAttribute(name, new THREE.BufferAttribute(to, 3));
    }
    const item = new Float32Array(vertices * count);
    const from = unit.index.array;
    const index = new Uint32Array(from.length * count);
    for (let k = 0; k < count; k++) {
        item.fill(k, vertices * k, vertices * (k + 1));
        for (let i = 0; i < from.length; i++) {
            index[from.length * k + i] = from[i] + vertices * k;
        }
    }
    g.setAttribute('item', new THREE.BufferAttribute(item, 1));
    g.setIndex(new THREE.BufferAttribute(index, 1));
    return g;
}

/** Let a material of three.js draw these items. */
function itemsMaterial(items, material) {
    if (items.apart) {
        return material;
    }
    const before = material.onBeforeCompile;
    const key = material.customProgramCacheKey();
    material.defines = {...material.defines, USE_INSTANCING: '', USE_INSTANCING_COLOR: ''};
    material.onBeforeCompile = shader => {
        before.call(material, shader);
        shader.uniforms.items = {value: items.texture};
        shader.vertexShader = ballsReplace(shader.vertexShader, [
            ['#include <common>', `#include <common>\n${itemsFetch}`],
            ['void main() {', 'void main() {\nitemFetch();']]);
    };
    material.customProgramCacheKey = () => `items ${items.ball ? key : ''}`;
    return material;
}

/** Another geometry for all copies. */
function itemsGeometry(items, unit) {
    items.mesh.geometry.dispose();
    items.unit = unit;
    items.mesh.geometry = items.apart ? unit : itemsCopies(unit, items.count);
}

/** Set the colour of an item, linear red, green, blue. */
function itemsColour(items, k, r, g, b) {
    if (items.apart) {
        items.colours[3 * k] = r;
        items.colours[3 * k + 1] = g;
        items.colours[3 * k + 2] = b;
    } else {
        items.array[16 * k + 3] = r;
        items.array[16 * k + 7] = g;
        items.array[16 * k + 11] = b;
    }
}

/** The matrix of an item. */
function itemsMatrix(items, k, to) {
    to.fromArray(items.array, 16 * k);
    to.elements[3] = to.elements[7] = to.elements[11] = 0;
    return to;
}

/** Matrices or colours have changed. */
function itemsChanged(items) {
    if (items.apart) {
        items.mesh.instanceMatrix.needsUpdate = true;
        items.mesh.instanceColor.needsUpdate = true;
    } else {
        items.texture.needsUpdate = true;
    }
}

/** Where a ray meets the items. */
function itemsRaycast(items, raycaster, hits) {
    const probe = new THREE.Mesh(items.unit, items.mesh.material);
    const place = new THREE.Matrix4();
    const ray = new THREE.Ray();
    const point = new THREE.Vector3();
    const sphere = new THREE.Sphere(new THREE.Vector3(), 1);
    for (let k = 0; k < items.count; k++) {
        itemsMatrix(items, k, place);
        if (!items.ball) {
            const found = [];
            probe.matrixWorld.copy(place);
            probe.raycast(raycaster, found);
            hits.push(...found.map(hit => ({...hit, object: items.mesh, item: k})));
            continue;
        }
        ray.copy(raycaster.ray).applyMatrix4(place.clone().invert());
        if (ray.intersectSphere(sphere, point)) {
            point.applyMatrix4(place);
            hits.push({distance: point.distanceTo(raycaster.ray.origin), point: point.clone(),
                object: items.mesh, item: k});
        }
    }
}
