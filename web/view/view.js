/* SPDX-License-Identifier: Apache-2.0
 * web/view/view.js: the page: reads the motions, connects controls and drawing, keeps the view
 * in the address. */
'use strict';

const viewShows = {floor: 'floor', joints: 'joints', contacts: 'contact points',
    normals: 'normals', cones: 'friction cones', impulses: 'impulses'};

const viewer = {motions: [], stages: [], plots: [], picked: null, difference: null, due: 0,
    posed: false, coloured: false, still: false, camera: 'iso', detail: null,
    size: {width: 1, height: 1},
    settings: {color: 'body', log: null, look: 'solid', scale: 1, equal: false, paint: 'light',
        legend: true, grid: true, show: {floor: true, joints: true, contacts: false, normals: false,
            cones: false, impulses: false}}};

const viewById = id => document.getElementById(id);

/** Ask for a picture; many requests make one. */
function viewDue() {
    viewer.rest = false;
    clearTimeout(viewer.resting);
    if (!viewer.due) {
        viewer.due = requestAnimationFrame(now => {
            viewer.due = 0;
            playerAdvance(viewer.player, now);
            viewDraw();
            if (viewer.player.playing) {
                viewDue();
            } else if (viewer.renderer.software) {
                viewer.resting = setTimeout(viewRest, 250);
            }
        });
    }
}

/** A finer picture when nothing has changed for a while. */
function viewRest() {
    viewer.rest = true;
    viewDraw();
}

/** Bring all motions to the time of the player. */
function viewPose() {
    let changed = false;
    for (const stage of viewer.stages) {
        if (dataSetTime(stage.motion, viewer.player.time) || !viewer.posed) {
            scenePose(stage);
            changed = true;
        }
    }
    viewer.posed = true;
    viewer.coloured = viewer.coloured && !changed;
}

/** Draw everything once. */
function viewDraw() {
    const spare = playerEconomies[viewer.player.playing ? viewer.player.economy : 0];
    viewPixels(viewer.still || viewer.rest ? viewer.renderer.software ? 2 : 1 : spare.pixels);
    viewPose();
    if (!viewer.coloured) {
        viewer.stages.forEach(stage => sceneDress(stage, viewer.settings, viewer.colour,
            viewer.reference));
        viewer.coloured = true;
    }
    viewer.pictures = (viewer.pictures || 0) + 1;
    if (spare.shadow > 1 && viewer.pictures % spare.shadow) {
        viewer.stages.forEach(stage => { stage.shadowDue = false; });
    }
    cameraTrack(viewer.rig);
    if (viewer.picked) {
        pickRefresh(viewer.picked);
        sceneRingAt(viewer.picked.stage.ring, pickPlace(viewer.picked), '#ffffff');
    }
    sceneDraw(viewer.renderer, viewer.stages, viewer.rig.camera, viewer.size);
    if (!viewer.still) {
        viewReadouts();
    }
}

/** Texts and cursors that follow the time; texts not more often than the eye reads. */
function viewReadouts() {
    const {player} = viewer;
    const now = performance.now();
    viewById('time').value = String(player.time);
    viewer.plots.forEach(plot => plotsCursor(plot, player.time));
    if (player.playing && now - (viewer.read || 0) < 90) {
        return;
    }
    viewer.read = now;
    const {frame} = dataFrame(viewer.motions[0], player.time);
    viewById('clock').textContent = `${playerText(player, player.time)}, frame ${frame}`;
    viewById('time').setAttribute('aria-valuetext', playerText(player, player.time));
    panelPickNumbers(viewer, !player.playing && !viewById('picked').contains(
        document.activeElement));
    viewPlayButton();
    viewRemember();
}

/** The resolution of the drawing: a share of that of the screen. */
function viewPixels(share) {
    const ratio = Math.min((window.devicePixelRatio || 1) * share, 2);
    if (viewer.ratio !== ratio) {
        viewer.ratio = ratio;
        viewer.renderer.setPixelRatio(ratio);
    }
}

/** The size of the drawing follows that of its box. */
function viewSize() {
    const box = viewById('stage').getBoundingClientRect();
    const size = {width: Math.max(Math.round(box.width), 1),
        height: Math.max(Math.round(box.height), 1)};
    if (size.width !== viewer.size.width || size.height !== viewer.size.height) {
        viewer.size = size;
        viewer.renderer.setSize(size.width, size.height, false);
        if (viewer.camera || viewer.cameraNow) {
            viewCamera(viewer.camera || viewer.cameraNow, !viewer.camera);
        }
        const tiles = sceneTiles(viewer.stages.length, size.width, size.height);
        viewById('stage').classList.toggle('two', tiles.length > 1 && tiles[1].x > 0);
        tiles.forEach((tile, k) => {
            viewById(`name-${k}`).style.left = `${tile.x}px`;
            viewById(`name-${k}`).style.top = tile.y ? `${tile.y + 8}px` : '';
        });
    }
    viewer.plots.forEach(plotsDraw);
    viewDue();
}

/** Show everything from a usual side; `now`: what moves where it is now. */
function viewCamera(name, now) {
    const tile = sceneTiles(viewer.stages.length, viewer.size.width, viewer.size.height)[0];
    cameraFollow(viewer.rig, null);
    cameraView(viewer.rig, viewer.motions[0], now ? bodiesExtentNow(viewer.motions,
        viewer.stages.map(s => s.extent)) : viewer.extent, name, tile.width / tile.height);
    viewer.camera = now ? null : name;
    viewDue();
}

/** Colours have changed: of bodies, marks and the legend. */
function viewColour() {
    viewer.colour = colourMake(viewer.motions, viewer.settings.color, viewer.settings.log);
    viewer.coloured = false;
    const {show} = viewer.settings;
    const marks = show.contacts || show.cones || show.impulses;
    colourLegend(viewById('legend'), viewer.colour, marks &&
        viewer.motions.some(m => m.most > 0));
    viewById('legend').hidden = viewById('legend').hidden || !viewer.settings.legend;
    viewById('log-row').hidden = !viewer.colour.scale;
    viewById('log').checked = !!viewer.colour.scale && viewer.colour.scale.log;
    viewDue();
}

/** How bodies look has changed. */
function viewLooks() {
    for (const stage of viewer.stages) {
        bodiesLook(stage.bodies, viewer.settings.look, stage.fine);
        stage.shadowDue = true;
    }
    viewDue();
}

/** Light or dark, as the page. */
function viewTheme() {
    const chosen = document.documentElement.dataset.theme;
    const dark = chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
    viewer.settings.paint = viewer.still ? 'paper' : dark ? 'dark' : 'light';
    viewById('theme').textContent = dark ? 'Light' : 'Dark';
    viewer.stages.forEach(stage => sceneTheme(stage, viewer.settings.paint));
    viewMarks();
    viewer.coloured = false;
    viewer.plots.forEach(plotsDraw);
    viewDue();
}

/** Outline of the selection, and the place of the largest difference. */
function viewMarks() {
    const theme = sceneThemes[viewer.settings.paint];
    for (const stage of viewer.stages) {
        const own = viewer.picked && viewer.picked.stage === stage ? viewer.picked : null;
        sceneOutline(stage, own && own.kind === 'body' ? own.index : -1, theme.mark);
        if (!own || own.kind === 'body') {
            sceneRingAt(stage.ring, null);
        }
        const at = viewer.difference && viewer.difference.at;
        sceneRingAt(stage.mark, at && !viewer.still ? new THREE.Vector3(...at) : null, theme.mark);
    }
}

/** Select a body, contact or joint; null: nothing. */
function viewSelect(pick) {
    viewer.picked = pickRemember(pick);
    viewMarks();
    panelPick(viewer);
    viewDue();
}

function viewFollows(pick) {
    const {follow} = viewer.rig;
    return !!follow && pick.kind === 'body' && follow.motion === pick.stage.motion &&
        follow.body === pick.index;
}

/** Follow the selected body, or stop following it. */
function viewFollow() {
    const pick = viewer.picked;
    if (!pick || pick.kind !== 'body') {
        return;
    }
    const on = !viewFollows(pick);
    viewer.camera = null;
    cameraFollow(viewer.rig, on ? {motion: pick.stage.motion, body: pick.index} : null);
    if (viewById('follow')) {
        viewById('follow').setAttribute('aria-pressed', String(on));
    }
    viewDue();
}

/** Show these charts. */
function viewPlots(ids) {
    const range = [viewer.player.start, viewer.player.end];
    viewer.plots = viewer.charts.filter(c => ids.includes(c.id))
        .map(chart => plotsMake(chart, range, t => playerSet(viewer.player, t)));
    viewById('plots').replaceChildren(...viewer.plots.map(plot => plot.figure));
    for (const input of viewById('plots-list').querySelectorAll('input')) {
        input.checked = ids.includes(input.value);
    }
    viewSize();
}

/** The view as the fragment of the address. */
function viewRemember() {
    clearTimeout(viewer.remember);
    viewer.remember = setTimeout(() => {
        const s = viewer.settings;
        const p = new URLSearchParams({t: String(Number(viewer.player.time.toPrecision(7))),
            color: s.color, show: Object.keys(s.show).filter(k => s.show[k]).join(' ')});
        p.set('cam', viewer.camera || cameraNumbers(viewer.rig).join(' '));
        const rest = {log: s.log === null ? '' : String(s.log), look: s.look === 'solid' ? ''
            : s.look, pick: pickText(viewer.picked)};
        for (const [name, text] of Object.entries(rest)) {
            if (text) {
                p.set(name, text);
            }
        }
        viewer.fragment = `#${p}`;
        history.replaceState(null, '', viewer.fragment);
    }, 300);
}

/** Set the view to that of the address. What it does not understand is left as it is. */
function viewRecall() {
    if (location.hash.length < 2 || location.hash === viewer.fragment) {
        return;
    }
    const p = new URLSearchParams(location.hash.slice(1));
    const s = viewer.settings;
    if (colourOffered(viewer.motions, p.get('color'))) {
        s.color = p.get('color');
    }
    s.log = p.get('log') ? p.get('log') === 'true' : s.log;
    s.look = ['through', 'hidden'].includes(p.get('look')) ? p.get('look') : s.look;
    if (p.has('show')) {
        const shown = p.get('show').split(' ');
        Object.keys(s.show).forEach(k => { s.show[k] = shown.includes(k); });
    }
    if (p.has('t') && Number.isFinite(Number(p.get('t')))) {
        playerSet(viewer.player, Number(p.get('t')));
        viewPose();
    }
    const camera = p.get('cam') || '';
    if (camera in cameraViews) {
        viewCamera(camera);
    } else if (cameraSetNumbers(viewer.rig, camera.split(' ').filter(x => x).map(Number))) {
        viewer.camera = null;
    }
    viewSelect(p.get('pick') ? pickFromText(viewer, p.get('pick')) : viewer.picked);
    viewControls();
    viewLooks();
    viewColour();
}
