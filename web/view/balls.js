/* SPDX-License-Identifier: Apache-2.0
 * web/view/balls.js: spheres and ellipsoids without triangles. Each is a square that faces the
 * eye; every pixel of it meets the ellipsoid by one equation of second degree. Edges are exact
 * at any size, and a thousand spheres cost two thousand triangles. */
'use strict';

/** The square of all balls. */
function ballsGeometry() {
    const g = new THREE.PlaneGeometry(2, 2);
    g.deleteAttribute('uv');
    g.setAttribute('color', new THREE.Float32BufferAttribute(new Array(12).fill(1), 3));
    return g;
}

const ballsVarying = `
varying vec3 ballPlace;
flat varying vec3 ballCentre;
flat varying mat3 ballInverse;`;

const ballsVertex = `
mat4 ballMatrix = modelViewMatrix * instanceMatrix;
mat3 ballAxes = mat3(ballMatrix);
vec3 ballSquares = vec3(dot(ballAxes[0], ballAxes[0]), dot(ballAxes[1], ballAxes[1]),
    dot(ballAxes[2], ballAxes[2]));
float ballReach = sqrt(max(ballSquares.x, max(ballSquares.y, ballSquares.z)));
bool ballFlat = projectionMatrix[3][3] == 1.0;
ballCentre = ballMatrix[3].xyz;
ballInverse = transpose(mat3(ballAxes[0] / ballSquares.x, ballAxes[1] / ballSquares.y,
    ballAxes[2] / ballSquares.z));
vec3 ballSight = ballFlat ? vec3(0.0, 0.0, -1.0) : normalize(ballCentre);
vec3 ballRight = normalize(cross(ballSight,
    abs(ballSight.y) < 0.9 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0)));
vec3 ballOver = cross(ballRight, ballSight);
float ballAway = dot(ballCentre, ballCentre);
float ballGrow = ballFlat ? 1.03
    : 1.03 * sqrt(ballAway / max(ballAway - ballReach * ballReach, 0.02 * ballAway));
vec4 mvPosition = vec4(ballCentre + ballReach * ballGrow *
    (position.x * ballRight + position.y * ballOver), 1.0);
ballPlace = mvPosition.xyz;
gl_Position = projectionMatrix * mvPosition;`;

/* `side` is -1 for the side towards the eye, 1 for the other one. */
const ballsHit = side => `
vec3 ballRay = projectionMatrix[3][3] == 1.0 ? vec3(0.0, 0.0, -1.0) : normalize(ballPlace);
vec3 ballFrom = ballInverse * (ballPlace - ballCentre);
vec3 ballAlong = ballInverse * ballRay;
float ballA = dot(ballAlong, ballAlong);
float ballB = dot(ballFrom, ballAlong);
float ballRoot = ballB * ballB - ballA * (dot(ballFrom, ballFrom) - 1.0);
float ballEdge = clamp(ballRoot / max(fwidth(ballRoot), 1e-12) + 0.5, 0.0, 1.0);
if (ballEdge <= 0.0) {
    discard;
}
float ballT = (-ballB + ${side}.0 * sqrt(max(ballRoot, 0.0))) / ballA;
vec3 ballLocal = ballFrom + ballT * ballAlong;
vec3 ballPoint = ballPlace + ballT * ballRay;
vec4 ballClip = projectionMatrix * vec4(ballPoint, 1.0);
gl_FragDepth = clamp(0.5 * ballClip.z / ballClip.w + 0.5, 0.0, 1.0);`;

const ballsShadow = `
#if defined(USE_SHADOWMAP) && NUM_DIR_LIGHT_SHADOWS > 0
uniform mat4 directionalShadowMatrix[NUM_DIR_LIGHT_SHADOWS];
vec4 ballCoord[NUM_DIR_LIGHT_SHADOWS];
#define vDirectionalShadowCoord ballCoord
#endif`;

const ballsLight = `
#if defined(USE_SHADOWMAP) && NUM_DIR_LIGHT_SHADOWS > 0
mat3 ballWorld = transpose(mat3(viewMatrix));
ballCoord[0] = directionalShadowMatrix[0] * vec4(ballWorld * (ballPoint +
    ballNormal * directionalLightShadows[0].shadowNormalBias) + cameraPosition, 1.0);
#endif`;

/** Replace parts of a shader; each must be there. */
function ballsReplace(text, parts) {
    for (const [from, to] of parts) {
        if (!text.includes(from)) {
            throw new Error(`balls: three.js has no ${from} any more`);
        }
        text = text.replace(from, to);
    }
    return text;
}

/** Make a shader of three.js draw balls; `parts`: what its fragments replace. */
function ballsShader(shader, parts) {
    shader.vertexShader = ballsReplace(shader.vertexShader, [
        ['#include <common>', `#include <common>\n${ballsVarying}`],
        ['#include <project_vertex>', ballsVertex]]);
    shader.fragmentShader = ballsReplace(shader.fragmentShader, [
        ['#include <common>', '#include <common>\nuniform mat4 projectionMatrix;' +
            ballsVarying], ...parts]);
}

/** Make a lit material of three.js draw balls; `pattern`: in eighths, light and dark. */
function ballsMaterial(material, pattern) {
    const dark = pattern ? shapeDark.toFixed(2) : '1.0';
    material.shadowSide = THREE.FrontSide;
    if (!material.transparent) {
        // The edge is smooth by its share of the samples of a pixel; the alpha of the canvas
        // stays 1.
        material.alphaToCoverage = true;
        Object.assign(material, {blending: THREE.CustomBlending, blendSrc: THREE.OneFactor,
            blendDst: THREE.ZeroFactor, blendSrcAlpha: THREE.ZeroFactor,
            blendDstAlpha: THREE.OneFactor});
    }
    material.onBeforeCompile = shader => {
        ballsShader(shader, [
            ['#include <shadowmap_pars_fragment>',
                `#include <shadowmap_pars_fragment>\n${ballsShadow}`],
            ['#include <clipping_planes_fragment>', `${ballsHit(-1)}
                vec3 ballNormal = normalize(ballLocal * ballInverse);`],
            ['#include <color_fragment>', `#include <color_fragment>
                float ballSide = ballLocal.x * ballLocal.y * ballLocal.z;
                diffuseColor.rgb *= ballSide < 0.0 ? ${dark} : 1.0;`],
            ['#include <normal_fragment_begin>', `float faceDirection = 1.0;
                vec3 normal = ballNormal;
                vec3 nonPerturbedNormal = normal;`],
            ['#include <lights_fragment_begin>', `${ballsLight}\n#include <lights_fragment_begin>`],
            ['#include <opaque_fragment>',
                'diffuseColor.a *= ballEdge;\n#include <opaque_fragment>']]);
    };
    material.customProgramCacheKey = () => `ball ${dark}`;
    return material;
}

/** What draws the shadows of balls: the side away from the light, so that they cast none on
 *  themselves. */
function ballsDepth() {
    const material = new THREE.MeshDepthMaterial({side: THREE.FrontSide});
    material.onBeforeCompile = shader => {
        ballsShader(shader, [
            ['#include <logdepthbuf_fragment>', ballsHit(1)]]);
    };
    return material;
}
