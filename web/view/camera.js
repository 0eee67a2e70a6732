/* SPDX-License-Identifier: Apache-2.0
 * web/view/camera.js: the camera that all motions share, its usual views, and a body that it
 * follows. Three dimensions are seen in perspective, two along z. */
'use strict';

/** The camera of the motions and the control of it by mouse, finger and keyboard. */
function cameraMake(motion, extent, canvas) {
    const {up} = sceneAxes(motion);
    const r = extent.radius;
    const camera = motion.flat
        ? new THREE.OrthographicCamera(-r, r, r, -r, 0.01 * r, 100 * r)
        : new THREE.PerspectiveCamera(32, 1, 0.002 * r, 200 * r);
    camera.up.copy(up);
    // The axis of the control is that of the camera when it is made.
    const controls = new THREE.OrbitControls(camera, canvas);
    controls.enableDamping = false;
    controls.zoomToCursor = true;
    controls.maxDistance = 60 * r;
    controls.minDistance = 0.02 * Math.min(r, extent.typical);
    if (motion.flat) {
        controls.enableRotate = false;
        controls.mouseButtons.LEFT = controls.mouseButtons.RIGHT;
        controls.touches.ONE = 1; /* moves */
    }
    return {camera, controls, follow: null, flatWorld: motion.flat};
}

/** The shape of the picture: width over height. */
function cameraAspect(camera, aspect) {
    if (camera.isOrthographicCamera) {
        const half = camera.userData.half || 1;
        const wide = camera.userData.wide || 1;
        const height = Math.max(half, wide / aspect);
        Object.assign(camera, {left: -height * aspect, right: height * aspect, top: height,
            bottom: -height});
    } else {
        camera.aspect = aspect;
    }
    camera.updateProjectionMatrix();
}

const cameraViews = {
    iso: a => a.front.clone().multiplyScalar(0.9).addScaledVector(a.right, 0.55)
        .addScaledVector(a.up, 0.5),
    front: a => a.front.clone().addScaledVector(a.up, 0.04),
    side: a => a.right.clone().addScaledVector(a.up, 0.04),
    top: a => a.up.clone().addScaledVector(a.front, 0.001),
};

/** Show the whole motion from a usual side, in a picture of this shape. */
function cameraView(rig, motion, extent, name, aspect) {
    const axes = sceneAxes(motion);
    const {camera, controls} = rig;
    rig.side = name;
    controls.target.copy(extent.middle);
    if (rig.flatWorld) {
        const corners = cameraCorners(extent.box);
        const reach = axis => d3.max(corners, c =>
            Math.abs(c.clone().sub(extent.middle).dot(axis)));
        camera.userData = {half: 1.12 * reach(axes.up), wide: 1.12 * reach(axes.right)};
        camera.zoom = 1;
        camera.position.copy(extent.middle).addScaledVector(axes.front, 20 * extent.radius);
    } else {
        const direction = cameraViews[name](axes).normalize();
        camera.position.copy(extent.middle)
            .addScaledVector(direction, cameraDistance(rig, extent, direction, aspect));
    }
    controls.update();
}

function cameraCorners(box) {
    return d3.range(8).map(k => new THREE.Vector3(k & 1 ? box.max.x : box.min.x,
        k & 2 ? box.max.y : box.min.y, k & 4 ? box.max.z : box.min.z));
}

/** The least distance from which the corners of the box of the motion fit the picture. */
function cameraDistance(rig, extent, direction, aspect) {
    const {camera} = rig;
    const up = camera.up;
    const right = up.clone().cross(direction).normalize();
    const over = direction.clone().cross(right);
    const tall = Math.tan(camera.fov * Math.PI / 360) * 0.86;
    const wide = tall * aspect;
    let distance = 2 * extent.typical;
    for (const corner of cameraCorners(extent.box)) {
        const c = corner.sub(extent.middle);
        const depth = c.dot(direction);
        distance = Math.max(distance, depth + Math.abs(c.dot(right)) / wide,
            depth + Math.abs(c.dot(over)) / tall);
    }
    return distance;
}

/** Follow a body: {motion, body}, or null. */
function cameraFollow(rig, followed) {
    rig.follow = followed;
    if (followed) {
        rig.followPlace = new THREE.Vector3()
            .fromArray(followed.motion.position, 3 * followed.body);
        cameraLookAt(rig, rig.followPlace);
    }
}

/** Move the camera so that it looks at a place from the same side. */
function cameraLookAt(rig, place) {
    const move = place.clone().sub(rig.controls.target);
    rig.camera.position.add(move);
    rig.controls.target.copy(place);
    rig.controls.update();
}

/** Go on with the body that is followed. */
function cameraTrack(rig) {
    if (rig.follow) {
        const place = new THREE.Vector3()
            .fromArray(rig.follow.motion.position, 3 * rig.follow.body);
        const move = place.clone().sub(rig.followPlace);
        rig.camera.position.add(move);
        rig.controls.target.add(move);
        rig.followPlace.copy(place);
        rig.controls.update();
    }
}

/** Come nearer to, or go away from, what is looked at. */
function cameraZoom(rig, factor) {
    const {camera, controls} = rig;
    if (camera.isOrthographicCamera) {
        camera.zoom /= factor;
    } else {
        camera.position.sub(controls.target).multiplyScalar(factor).add(controls.target);
    }
    controls.update();
}

/** Turn around the target by angles: about the vertical, and up or down. */
function cameraTurn(rig, around, over) {
    const {camera, controls} = rig;
    const arm = camera.position.clone().sub(controls.target);
    if (rig.flatWorld) {
        const step = (camera.top - camera.bottom) / camera.zoom * 0.3;
        const right = camera.up.clone().cross(arm).normalize();
        const move = right.multiplyScalar(around * step).addScaledVector(camera.up, over * step);
        camera.position.add(move);
        controls.target.add(move);
    } else {
        const right = camera.up.clone().cross(arm).normalize();
        const tilt = Math.acos(Math.min(Math.max(arm.clone().normalize().dot(camera.up), -1), 1));
        const least = 0.01;
        const turn = Math.min(Math.max(tilt - over, least), Math.PI - least) - tilt;
        arm.applyAxisAngle(right, turn).applyAxisAngle(camera.up, around);
        camera.position.copy(controls.target).add(arm);
    }
    controls.update();
}

/** The camera as numbers: position, target and zoom; and back. */
function cameraNumbers(rig) {
    return [...rig.camera.position.toArray(), ...rig.controls.target.toArray(), rig.camera.zoom]
        .map(x => Number(x.toPrecision(6)));
}

function cameraSetNumbers(rig, numbers) {
    if (numbers.length < 6 || !numbers.every(Number.isFinite)) {
        return false;
    }
    rig.camera.position.fromArray(numbers, 0);
    rig.controls.target.fromArray(numbers, 3);
    rig.camera.zoom = numbers[6] > 0 ? numbers[6] : 1;
    rig.controls.update();
    return true;
}
