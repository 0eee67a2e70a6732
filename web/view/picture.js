/* SPDX-License-Identifier: Apache-2.0
 * web/view/picture.js: window.perpView, by which a headless browser makes pictures and films. */
'use strict';

/** Resolves after a picture has reached the screen. */
function pictureShown() {
    return new Promise(resolve => {
        requestAnimationFrame(() => requestAnimationFrame(resolve));
    });
}

/** White background, no controls, fine shadows and surfaces. Options: `background`, a colour;
 *  `legend`: false leaves the colour bar out; `grid`: true shows that of the floor. */
function pictureStill(options) {
    const orders = options || {};
    playerToggle(viewer.player, false);
    viewer.still = true;
    document.documentElement.classList.add('still');
    document.documentElement.dataset.theme = 'light';
    viewer.settings.paint = 'paper';
    viewer.settings.legend = orders.legend !== false;
    viewer.settings.grid = !!orders.grid;
    if (orders.background) {
        sceneThemes.paper.back = orders.background;
        document.body.style.background = orders.background;
    }
    for (const stage of viewer.stages) {
        const bodies = stage.motion.bodies;
        bodiesDetail(stage.bodies, bodies <= 3000 ? 12 : bodies <= 12000 ? 6 : 4);
        sceneShadow(stage, 2048, 10);
        stage.fine = !stage.motion.flat;
    }
    viewer.detail = null;
    viewLooks();
    viewTheme();
    viewSize();
    return pictureShow(viewer.player.time);
}

/** Draw the motion at a time, interpolated between frames; resolves after it is drawn. */
function pictureShow(time) {
    const t = Number(time);
    if (!Number.isFinite(t)) {
        return Promise.reject(new Error(`perpView.show: time ${time}, expected a number [s]`));
    }
    viewer.player.playing = false;
    playerSet(viewer.player, t);
    viewDraw();
    cancelAnimationFrame(viewer.due); /* it is drawn already */
    viewer.due = 0;
    return pictureShown();
}

/** A camera in options: the name of a view, also "iso now" for where bodies are now, or
 *  {position: 3, target: 3, zoom}. */
function pictureCamera(camera) {
    if (typeof camera === 'string') {
        const [name, when] = camera.split(' ');
        if (!(name in cameraViews) || (when !== undefined && when !== 'now')) {
            throw new Error(`perpView.set: camera "${camera}", expected one of: ` +
                `${Object.keys(cameraViews).join(', ')}, also followed by " now"`);
        }
        viewer.cameraNow = when === 'now' ? name : null;
        viewCamera(name, when === 'now');
    } else if (!cameraSetNumbers(viewer.rig, [...camera.position || [], ...camera.target || [],
        camera.zoom || 1])) {
        throw new Error('perpView.set: camera: expected a name, or position and target of ' +
            'three numbers each');
    }
    viewer.camera = typeof camera === 'string' ? viewer.camera : null;
}

/** Set what is shown: color (or colour), log, camera, at, show: {floor, joints, contacts, normals,
 *  cones, impulses}, look, scale (factor), equal, follow (name of a body), pick (name), speed,
 *  theme, plots (names). */
function pictureSet(options) {
    const o = options || {};
    const s = viewer.settings;
    const color = o.color ?? o.colour;
    if (color !== undefined && color !== null) {
        if (!colourOffered(viewer.motions, color)) {
            throw new Error(`perpView.set: color "${color}", expected one of: ` + colourModes
                .filter(m => colourOffered(viewer.motions, m.id)).map(m => m.id).join(', '));
        }
        s.color = color;
    }
    s.log = typeof o.log === 'boolean' ? o.log : s.log;
    for (const [name, shown] of Object.entries(o.show || {})) {
        if (!(name in s.show)) {
            throw new Error(`perpView.set: show "${name}", expected one of: ` +
                Object.keys(s.show).join(', '));
        }
        s.show[name] = !!shown;
    }
    if (['solid', 'through', 'hidden'].includes(o.look)) {
        s.look = o.look;
    }
    s.scale = o.scale > 0 ? Number(o.scale) : s.scale;
    s.equal = typeof o.equal === 'boolean' ? o.equal : s.equal;
    if (playerSpeeds.includes(o.speed)) {
        viewer.player.speed = o.speed;
    }
    if (o.theme === 'light' || o.theme === 'dark') {
        document.documentElement.dataset.theme = o.theme;
        viewTheme();
    }
    if (Array.isArray(o.plots)) {
        viewPlots(o.plots);
    }
    viewLooks();
    if (Number.isFinite(o.at)) {
        playerSet(viewer.player, o.at);
        viewPose();
    }
    if (o.camera) {
        pictureCamera(o.camera);
    }
    for (const [name, act] of [[o.pick, viewSelect], [o.follow, pictureFollow]]) {
        if (name) {
            act(pictureNamed(name));
        }
    }
    viewControls();
    viewColour();
    viewDue();
}

/** The selection of a body or joint of this very name. */
function pictureNamed(name) {
    for (const stage of viewer.stages) {
        for (const [kind, list] of [['body', stage.motion.head.bodies],
            ['joint', stage.motion.head.joints]]) {
            const index = list.findIndex(thing => thing.name === name);
            if (index >= 0) {
                return {stage, kind, index};
            }
        }
    }
    throw new Error(`perpView.set: no body or joint is called "${name}"`);
}

function pictureFollow(pick) {
    if (pick.kind === 'body') {
        cameraFollow(viewer.rig, {motion: pick.stage.motion, body: pick.index});
    }
}

/** Save what is drawn, without the controls, as a PNG of the size of the drawing. */
function pictureSave() {
    viewDraw();
    viewer.canvas.toBlob(blob => {
        const name = viewer.motions[0].head.title.replace(/[^\w-]+/g, '-') || 'motion';
        saveFile(`${name}.png`, 'image/png', blob);
    });
}
