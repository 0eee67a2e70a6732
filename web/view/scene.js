/* SPDX-License-Identifier: Apache-2.0
 * web/view/scene.js: what is drawn: a stage per motion with light, shadow, bodies, contacts and
 * marks, and the picture of all stages, side by side or one above the other. */
'use strict';

/** Colours of the drawing, which follow the theme of the page. */
const sceneThemes = {
    light: {back: '#eef1f5', ground: '#dfe4ea', lines: '#9aa5b1', strength: 0.75, plain: '#3d4450',
        sky: '#ffffff', earth: '#c9cdd4', shadow: 0.2, mark: '#a33b00', joint: '#8b2f97'},
    dark: {back: '#14161a', ground: '#20242b', lines: '#4d5664', strength: 0.75, plain: '#c6ccd6',
        sky: '#dfe6f2', earth: '#3a4150', shadow: 0.45, mark: '#ff9d66', joint: '#d58be3'},
    paper: {back: '#ffffff', ground: '#ffffff', lines: '#c3cad2', strength: 0.0, plain: '#3d4450',
        sky: '#ffffff', earth: '#d0d3d8', shadow: 0.24, mark: '#a33b00', joint: '#8b2f97'},
};

/** Does a processor draw, not a graphics card? Then several samples per pixel are too slow for
 *  a motion; a picture at rest has more pixels instead. */
function sceneSoftware() {
    const gl = document.createElement('canvas').getContext('webgl2');
    const names = gl && gl.getExtension('WEBGL_debug_renderer_info');
    const name = names ? gl.getParameter(names.UNMASKED_RENDERER_WEBGL) : '';
    if (gl) {
        gl.getExtension('WEBGL_lose_context')?.loseContext();
    }
    return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}

/** A renderer for a canvas; null without WebGL. */
function sceneRenderer(canvas) {
    try {
        const software = sceneSoftware();
        const renderer = new THREE.WebGLRenderer({canvas, antialias: !software,
            powerPreference: 'high-performance'});
        renderer.software = software;
        renderer.shadowMap.enabled = true;
        renderer.shadowMap.type = THREE.PCFShadowMap;
        renderer.shadowMap.autoUpdate = false;
        renderer.autoClear = false;
        return renderer;
    } catch {
        return null;
    }
}

/** Three unit axes of the world as it is seen: right, front (towards the reader) and up. */
function sceneAxes(motion) {
    if (motion.flat) {
        const up = motion.up.clone().setZ(0);
        if (up.lengthSq() < 0.5) {
            up.set(0, 1, 0);
        }
        up.normalize();
        const front = new THREE.Vector3(0, 0, 1);
        return {up, front, right: up.clone().cross(front)};
    }
    const up = motion.up.clone().normalize();
    // The front is -y where z is up, as in most of the scenes; else z, or the axis across.
    const front = Math.abs(up.z) > 0.7 ? new THREE.Vector3(0, -1, 0) : new THREE.Vector3(0, 0, 1);
    front.addScaledVector(up, -front.dot(up)).normalize();
    return {up, front, right: up.clone().cross(front)};
}

function sceneLight(stage) {
    const {motion, extent} = stage;
    const {up, front, right} = sceneAxes(motion);
    stage.sky = new THREE.HemisphereLight('#ffffff', '#cccccc', motion.flat ? 2.2 : 2.1);
    stage.sky.position.copy(motion.flat ? front : up);
    const sun = new THREE.DirectionalLight('#ffffff', motion.flat ? 1.2 : 1.9);
    sun.position.copy(extent.middle).addScaledVector(up, 2.4 * extent.radius)
        .addScaledVector(front, (motion.flat ? 3 : 0.9) * extent.radius)
        .addScaledVector(right, -1.3 * extent.radius);
    sun.target.position.copy(extent.middle);
    const s = sun.shadow.camera;
    const reach = 1.15 * extent.radius;
    Object.assign(s, {left: -reach, right: reach, top: reach, bottom: -reach,
        near: 0.1 * extent.radius, far: 6 * extent.radius});
    s.updateProjectionMatrix();
    sun.castShadow = !motion.flat;
    sun.shadow.normalBias = 0.02 * extent.typical;
    sun.shadow.bias = -0.0005;
    stage.sun = sun;
    stage.scene.add(stage.sky, sun, sun.target);
}

/** The size of the shadow map in pixels, and the softness of its edge. */
function sceneShadow(stage, size, radius) {
    const shadow = stage.sun.shadow;
    if (shadow.mapSize.x !== size && shadow.map) {
        shadow.map.dispose();
        shadow.map = null;
    }
    shadow.mapSize.set(size, size);
    shadow.radius = radius;
    stage.shadowDue = true;
}

/** A ring of constant size on the screen around a place. */
function sceneRing() {
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = 128;
    const pen = canvas.getContext('2d');
    for (const [colour, width] of [['#000000', 22], ['#ffffff', 12]]) {
        pen.strokeStyle = colour;
        pen.lineWidth = width;
        pen.beginPath();
        pen.arc(64, 64, 48, 0, 2 * Math.PI);
        pen.stroke();
    }
    const map = new THREE.CanvasTexture(canvas);
    map.colorSpace = THREE.SRGBColorSpace;
    const ring = new THREE.Sprite(new THREE.SpriteMaterial({map, depthTest: false,
        transparent: true}));
    ring.renderOrder = 20;
    ring.visible = false;
    return ring;
}

/** All that one motion is drawn with. */
function sceneStage(motion, extent, detail) {
    const stage = {motion, extent, scene: new THREE.Scene(), shadowDue: true, outline: null};
    sceneLight(stage);
    stage.bodies = bodiesMake(motion, extent, detail);
    stage.planes = motion.head.shapes.filter(s => s.type === 'plane')
        .map(s => bodiesPlane(motion, s, extent));
    stage.contacts = contactsMake(motion);
    stage.joints = contactsJoints(motion);
    stage.mark = sceneRing();
    stage.ring = sceneRing();
    stage.planes.forEach(p => stage.scene.add(p.group));
    stage.scene.add(stage.bodies.group, stage.contacts.group, stage.joints.group, stage.mark,
        stage.ring);
    // Marks of two dimensions lie in front of the bodies.
    stage.contacts.group.position.z = motion.flat ? extent.typical : 0;
    bodiesLook(stage.bodies, 'solid', motion.bodies <= 300 && !motion.flat);
    return stage;
}

/** Colours of the stage. */
function sceneTheme(stage, name) {
    const theme = sceneThemes[name];
    stage.scene.background = null;
    stage.back = new THREE.Color(theme.back);
    stage.joints.balls.material.color.set(theme.joint);
    stage.sky.color.set(theme.sky);
    stage.sky.groundColor.set(stage.motion.flat ? theme.sky : theme.earth);
    for (const plane of stage.planes) {
        plane.uniforms.lines.value.set(theme.lines);
        plane.uniforms.ground.value.set(theme.ground);
        plane.uniforms.strength.value = theme.strength;
        plane.shadow.material.opacity = theme.shadow;
    }
}

/** Bring a stage to the time of its motion. */
function scenePose(stage) {
    bodiesMove(stage.bodies, stage.motion);
    for (const plane of stage.planes) {
        bodiesPlaneMove(plane, stage.motion, stage.extent);
    }
    stage.shadowDue = true;
}

/** Colours, contacts and joints of the frame by the settings of the viewer. */
function sceneDress(stage, settings, colour, reference) {
    const plain = sceneThemes[settings.paint].plain;
    bodiesColour(stage.bodies, stage.motion, colour);
    contactsMove(stage.contacts, stage.motion, {colour, plain, show: settings.show,
        equal: settings.equal, reference, size: stage.extent.typical * settings.scale,
        length: 1.6 * stage.extent.typical * settings.scale});
    contactsJointsMove(stage.joints, stage.motion, stage.extent.typical * settings.scale,
        settings.show.joints);
    for (const plane of stage.planes) {
        plane.group.visible = settings.show.floor;
        plane.grid.visible = settings.grid;
        // Walls let light and shadow through: behind them stands nothing.
        plane.shadow.visible = !stage.motion.flat && plane.level;
    }
    if (stage.outline) {
        bodiesOutlineMove(stage.outline);
    }
}

/** Mark a body by an outline; -1: none. */
function sceneOutline(stage, body, colour) {
    if (stage.outline) {
        stage.scene.remove(stage.outline);
        stage.outline = null;
    }
    if (body >= 0) {
        stage.outline = bodiesOutline(stage.bodies, body, 0.07 * stage.extent.typical, colour);
        stage.scene.add(stage.outline);
        bodiesOutlineMove(stage.outline);
    }
}

/** Put a ring at a place, or hide it. */
function sceneRingAt(ring, place, colour) {
    ring.visible = !!place;
    if (place) {
        ring.position.copy(place);
        ring.material.color.set(colour);
    }
}

/** Rectangles of the stages in the canvas, in CSS pixels from the top left corner. */
function sceneTiles(count, width, height) {
    if (count === 1) {
        return [{x: 0, y: 0, width, height}];
    }
    return width >= height
        ? [0, 1].map(k => ({x: k * width / 2, y: 0, width: width / 2, height}))
        : [0, 1].map(k => ({x: 0, y: k * height / 2, width, height: height / 2}));
}

/** Length in the world of a pixel at a place. */
function scenePixel(camera, place, height) {
    if (camera.isOrthographicCamera) {
        return (camera.top - camera.bottom) / camera.zoom / height;
    }
    const depth = place.clone().sub(camera.position)
        .dot(camera.getWorldDirection(new THREE.Vector3()));
    return 2 * Math.max(depth, 1e-9) * Math.tan(camera.fov * Math.PI / 360) / height;
}

/** Draw all stages with the same camera. */
function sceneDraw(renderer, stages, camera, size) {
    const tiles = sceneTiles(stages.length, size.width, size.height);
    renderer.setScissorTest(true);
    stages.forEach((stage, k) => {
        const tile = tiles[k];
        cameraAspect(camera, tile.width / tile.height);
        for (const [ring, pixels] of [[stage.mark, 46], [stage.ring, 26]]) {
            if (ring.visible) {
                ring.scale.setScalar(pixels * scenePixel(camera, ring.position, tile.height));
            }
        }
        const bottom = size.height - tile.y - tile.height;
        renderer.setViewport(tile.x, bottom, tile.width, tile.height);
        renderer.setScissor(tile.x, bottom, tile.width, tile.height);
        renderer.setClearColor(stage.back, 1);
        renderer.clear();
        renderer.shadowMap.needsUpdate = stage.shadowDue;
        renderer.render(stage.scene, camera);
        stage.shadowDue = false;
    });
}
