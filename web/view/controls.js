/* SPDX-License-Identifier: Apache-2.0
 * web/view/controls.js: buttons, lists and keys of the page, and how it starts. */
'use strict';

const controlsIcons = {
    first: 'M2 2h2v12H2z M14 2v12L5 8z', back: 'M12 2v12L3 8z M12 2h2v12h-2z',
    play: 'M3 1v14l11-7z', pause: 'M3 2h4v12H3z M9 2h4v12H9z',
    forward: 'M4 2v12l9-6z M2 2h2v12H2z', last: 'M12 2h2v12h-2z M2 2v12l9-6z',
};

function controlsIcon(name) {
    return element('svg', {viewBox: '0 0 16 16', 'aria-hidden': 'true'},
        element('path', {d: controlsIcons[name]}));
}

/** The button for play and pause says what it does next. */
function viewPlayButton() {
    const button = viewById('play');
    const name = viewer.player.playing ? 'pause' : 'play';
    if (button.dataset.icon !== name) {
        button.dataset.icon = name;
        button.replaceChildren(controlsIcon(name));
        button.setAttribute('aria-label', name === 'play' ? 'Play' : 'Pause');
    }
}

/** Set all controls to the settings. */
function viewControls() {
    const s = viewer.settings;
    viewById('color').value = s.color;
    viewById('look').value = s.look;
    viewById('scale').value = String(Math.log2(s.scale));
    viewById('equal').checked = s.equal;
    viewById('speed').value = String(viewer.player.speed);
    for (const input of viewById('shows').querySelectorAll('input')) {
        input.checked = s.show[input.value];
    }
}

/** The list of marks: only those that the motions have. */
function controlsShows() {
    const contacts = viewer.motions.some(m => m.most > 0);
    const there = {floor: viewer.motions.some(m => m.head.shapes.some(s => s.type === 'plane')),
        joints: viewer.motions.some(m => m.head.joints.length > 0), contacts, normals: contacts,
        cones: contacts && viewer.motions.some(m => m.arrays.contact_mu.some(mu => mu > 0)),
        impulses: contacts};
    for (const [id, name] of Object.entries(viewShows)) {
        if (there[id]) {
            viewById('shows').append(element('label', {}, element('input', {type: 'checkbox',
                value: id, onchange: event => {
                    viewer.settings.show[id] = event.target.checked;
                    viewColour();
                }}), ' ', name));
        }
    }
    viewById('scale-row').hidden = !contacts && !there.joints;
    viewById('equal-row').hidden = !there.cones;
    viewById('shows').hidden = !Object.values(there).some(x => x);
}

function controlsPanel() {
    const s = viewer.settings;
    const on = (id, type, act) => viewById(id).addEventListener(type, act);
    viewById('color').append(...colourModes.filter(m => colourOffered(viewer.motions, m.id))
        .map(m => element('option', {value: m.id}, m.name)));
    controlsShows();
    on('color', 'change', event => {
        s.color = event.target.value;
        s.log = null;
        viewColour();
    });
    on('log', 'change', event => {
        s.log = event.target.checked;
        viewColour();
    });
    on('look', 'change', event => {
        s.look = event.target.value;
        viewLooks();
    });
    on('scale', 'input', event => {
        s.scale = 2 ** Number(event.target.value);
        viewColour();
    });
    on('equal', 'change', event => {
        s.equal = event.target.checked;
        viewColour();
    });
    on('search', 'input', event => panelSearch(viewer, event.target.value));
    on('search', 'keydown', event => {
        if (event.key === 'Enter') {
            viewById('found').querySelector('button')?.click();
        }
    });
    on('fit', 'click', () => viewCamera(viewer.rig.side, true));
    on('nearer', 'click', () => controlsCamera(() => cameraZoom(viewer.rig, 1 / 1.3)));
    on('farther', 'click', () => controlsCamera(() => cameraZoom(viewer.rig, 1.3)));
    on('save', 'click', pictureSave);
    on('theme', 'click', () => {
        document.documentElement.dataset.theme = viewer.settings.paint === 'dark' ? 'light'
            : 'dark';
        viewTheme();
    });
    const views = viewer.motions[0].flat ? {iso: 'Whole'} : {iso: 'Isometric', front: 'Front',
        side: 'Side', top: 'Top'};
    viewById('views').append(...Object.entries(views).map(([id, name]) =>
        element('button', {type: 'button', onclick: () => viewCamera(id)}, name)));
    viewById('about').append(...viewer.motions.map(panelAbout));
}

/** A change of the camera by hand: the view has no name any more. */
function controlsCamera(act) {
    act();
    viewer.camera = null;
    viewer.cameraNow = null;
    viewDue();
}

function controlsPlayer() {
    const {player} = viewer;
    const on = (id, type, act) => viewById(id).addEventListener(type, act);
    for (const id of ['first', 'back', 'play', 'forward', 'last']) {
        viewById(id).append(controlsIcon(id));
    }
    viewById('play').dataset.icon = 'play';
    on('first', 'click', () => playerSet(player, player.start));
    on('back', 'click', () => playerStep(player, -1));
    on('play', 'click', () => playerToggle(player));
    on('forward', 'click', () => playerStep(player, 1));
    on('last', 'click', () => playerSet(player, player.end));
    const time = viewById('time');
    time.min = String(player.start);
    time.max = String(player.end);
    time.addEventListener('input', () => {
        player.last = null;
        playerSet(player, Number(time.value));
    });
    viewById('speed').append(...playerSpeeds.map(x =>
        element('option', {value: String(x)}, `${x}×`)));
    on('speed', 'change', event => { player.speed = Number(event.target.value); });
    on('loop', 'change', event => { player.loop = event.target.checked; });
    viewById('player').hidden = viewer.motions.every(m => m.frames < 2);
}

function controlsPlots() {
    viewer.charts = plotsOffered(viewer.motions, viewer.difference);
    viewById('plots-list').append(...viewer.charts.map(chart => element('label', {},
        element('input', {type: 'checkbox', value: chart.id, onchange: () => viewPlots(
            [...viewById('plots-list').querySelectorAll('input:checked')].map(i => i.value))}),
        ' ', chart.name)));
    viewById('plots-box').hidden = !viewer.charts.length;
    viewById('foot').hidden = viewById('plots-box').hidden && viewById('player').hidden;
    viewById('plots-box').addEventListener('toggle', viewSize);
    viewPlots(plotsUsual(viewer.charts));
}

/** Keys of the page; inputs keep the keys that they need themselves. */
function controlsKeys(event) {
    const tag = event.target.tagName;
    const own = tag === 'INPUT' && event.target.type !== 'checkbox' || tag === 'SELECT' ||
        tag === 'TEXTAREA';
    if (event.ctrlKey || event.metaKey || event.altKey || own ||
        (event.key === ' ' && ['BUTTON', 'SUMMARY', 'INPUT', 'A'].includes(tag))) {
        return;
    }
    const {player, rig} = viewer;
    const turn = {ArrowLeft: [-0.12, 0], ArrowRight: [0.12, 0], ArrowUp: [0, 0.12],
        ArrowDown: [0, -0.12]}[event.key];
    const acts = {
        ' ': () => playerToggle(player),
        ArrowLeft: () => playerStep(player, -1),
        ArrowRight: () => playerStep(player, 1),
        Home: () => playerSet(player, player.start),
        End: () => playerSet(player, player.end),
        '+': () => controlsCamera(() => cameraZoom(rig, 1 / 1.2)),
        '-': () => controlsCamera(() => cameraZoom(rig, 1.2)),
        1: () => viewCamera('iso'), 2: () => viewCamera('front'), 3: () => viewCamera('side'),
        4: () => viewCamera('top'), f: viewFollow, F: viewFollow,
        Escape: () => viewSelect(null),
    };
    const act = event.shiftKey && turn ? () => controlsCamera(() => cameraTurn(rig, ...turn))
        : acts[event.key];
    if (act) {
        event.preventDefault();
        act();
    }
}

/** Selecting by a click, and the camera by mouse and fingers. */
function controlsCanvas() {
    const {canvas, rig} = viewer;
    let down = null;
    canvas.addEventListener('pointerdown', event => { down = [event.clientX, event.clientY]; });
    canvas.addEventListener('pointerup', event => {
        if (down && Math.hypot(event.clientX - down[0], event.clientY - down[1]) < 4 &&
            event.button === 0) {
            const box = canvas.getBoundingClientRect();
            viewSelect(pickAt(viewer, event.clientX - box.left, event.clientY - box.top));
        }
        down = null;
    });
    rig.controls.addEventListener('start', () => {
        viewer.camera = null;
        viewer.cameraNow = null;
    });
    rig.controls.addEventListener('change', viewDue);
    rig.controls.zoomToCursor = viewer.stages.length === 1;
    document.addEventListener('keydown', controlsKeys);
    window.addEventListener('hashchange', viewRecall);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', viewTheme);
    new ResizeObserver(viewSize).observe(viewById('stage'));
}

/** Titles, names of the sides, and the largest difference. */
function controlsTexts() {
    const {motions, difference} = viewer;
    const [a] = motions;
    viewById('title').textContent = shownText(a.head.title || 'Motion');
    viewById('subtitle').textContent = motions.length > 1 ? '' : [a.head.solver,
        a.head.coordinates && `${a.head.coordinates} coordinates`,
        a.frames > 1 ? `${a.frames} frames` : `${a.most} contacts`].filter(x => x).join(' · ');
    if (motions.length > 1) {
        motions.forEach((m, k) => {
            viewById(`name-${k}`).hidden = false;
            viewById(`name-${k}`).textContent = shownText([`${'AB'[k]}: ${m.head.title}`,
                m.head.solver, m.head.coordinates].filter(x => x).join(' · '));
        });
    }
    const plane = a.flat ? null : viewer.stages[0].planes[0];
    viewById('cell').textContent = plane
        ? `cells of the grid: ${numberText(plane.uniforms.cell.value)} m` : '';
    if (difference) {
        viewById('difference-box').hidden = false;
        viewById('difference-text').textContent = `${numberText(difference.length)} m and ` +
            `${numberText(difference.angle)} rad: ${difference.body} at ` +
            `${numberText(difference.time, 4)} s. ${difference.bodies} bodies were compared by ` +
            'name. The ring in both pictures marks the place.';
        viewById('difference-go').addEventListener('click', controlsDifference);
    }
}

function controlsDifference() {
    const {difference} = viewer;
    playerToggle(viewer.player, false);
    playerSet(viewer.player, difference.time);
    viewPose();
    const index = viewer.motions[0].head.bodies.findIndex(b => b.name === difference.body);
    controlsCamera(() => cameraLookAt(viewer.rig, new THREE.Vector3(...difference.at)));
    viewSelect(index >= 0 ? {stage: viewer.stages[0], kind: 'body', index} : null);
}

/** Settings for a motion that has not been looked at: contacts where they can be told apart. */
function controlsFirst() {
    const {show} = viewer.settings;
    const bare = viewer.motions.every(m => m.bodies === 0);
    const few = viewer.motions.every(m => m.most <= 150);
    show.contacts = bare || few;
    show.impulses = bare || few;
    show.cones = bare;
    show.joints = viewer.motions.every(m => m.head.joints.length <= 200);
}

/** Say in the place of the drawing why there is none. */
function controlsTrouble(text) {
    viewById('loading').hidden = true;
    viewById('canvas').hidden = true;
    viewById('trouble').hidden = false;
    viewById('trouble').textContent = text;
    document.documentElement.dataset.ready = '1';
}

function controlsStages() {
    const extents = viewer.motions.map(bodiesExtent);
    const box = extents.reduce((sum, e) => sum.union(e.box), new THREE.Box3());
    viewer.extent = {...extents[0], box, middle: box.getCenter(new THREE.Vector3()),
        radius: Math.max(box.getSize(new THREE.Vector3()).length() / 2, 1e-6)};
    const bodies = d3.sum(viewer.motions, m => m.bodies);
    viewer.detail = shapeDetail(bodies);
    viewer.stages = viewer.motions.map((motion, k) => {
        const stage = sceneStage(motion, {...viewer.extent, typical: extents[k].typical,
            reach: extents[k].reach},
            viewer.detail);
        stage.fine = bodies <= 300 && !motion.flat;
        sceneShadow(stage, (bodies <= 300 ? 2048 : 1024) / (viewer.renderer.software ? 2 : 1), 3);
        return stage;
    });
    viewer.colour = colourMake(viewer.motions, 'body', null);
    viewer.reference = contactsReference(viewer.motions);
    viewer.rig = cameraMake(viewer.motions[0], viewer.extent, viewer.canvas);
}

/** On a phone the settings are folded away at first. */
function controlsFold() {
    if (matchMedia('(max-width: 760px)').matches) {
        document.querySelectorAll('#panel details').forEach(d => { d.open = false; });
    }
}

/** The settings that the page was made with; one that the motions do not have is named. */
function controlsOptions(options) {
    try {
        pictureSet(options);
    } catch (error) {
        viewById('subtitle').append(` · ${error.message}`);
    }
}

async function controlsStart() {
    viewer.canvas = viewById('canvas');
    viewer.motions = (await Promise.all([dataMotion(0), dataMotion(1)])).filter(m => m);
    viewer.difference = await blockJson('difference');
    viewer.renderer = sceneRenderer(viewer.canvas);
    viewer.player = playerMake(viewer.motions, viewDue);
    if (!viewer.renderer) {
        throw new Error('This browser cannot draw in three dimensions: WebGL 2 is not available. ' +
            'Switch it on, or open this file in another browser.');
    }
    controlsStages();
    controlsFirst();
    controlsFold();
    controlsTexts();
    controlsPanel();
    controlsPlayer();
    controlsCanvas();
    viewTheme();
    viewSize();
    viewCamera('iso');
    controlsPlots();
    panelPick(viewer);
    controlsOptions(await blockJson('options'));
    viewRecall();
    viewControls();
    viewLooks();
    viewColour();
    viewById('loading').hidden = true;
    viewDraw();
    await pictureShown();
    document.documentElement.dataset.ready = '1';
}

window.perpView = {
    ready: controlsStart().catch(error => {
        controlsTrouble(error.message);
        throw error;
    }),
    get duration() {
        return [viewer.player.start, viewer.player.end];
    },
    still: pictureStill,
    show: pictureShow,
    set: pictureSet,
};
window.perpView.ready.catch(() => {}); /* the page says it already */
