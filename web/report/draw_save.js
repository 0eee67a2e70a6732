/* SPDX-License-Identifier: Apache-2.0
 * web/report/draw_save.js: a figure as a file: SVG that stands alone, PNG, and its numbers. */
'use strict';

const drawSaveWidth = 760;
const drawKept = ['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-linejoin',
    'stroke-linecap', 'opacity', 'fill-opacity', 'font-family', 'font-size', 'font-weight',
    'text-anchor', 'paint-order'];

/** The menu of a figure. */
function drawMenu(state) {
    const menu = element('details', {class: 'figure-menu'});
    const item = (text, act) => element('button', {type: 'button', onclick: () => {
        menu.open = false;
        act();
    }}, text);
    menu.append(element('summary', {'aria-label': 'Save figure: ' + state.spec.title}, 'Save'),
        element('div', {class: 'figure-items'},
            item('SVG', () => drawSaveSvg(state)), item('PNG', () => drawSavePng(state)),
            item('CSV', () => saveFile(state.spec.name + '.csv', 'text/csv',
                csvText(drawRows(state.spec))))));
    menu.addEventListener('keydown', event => {
        if (event.key === 'Escape' && menu.open) {
            menu.open = false;
            menu.querySelector('summary').focus();
            event.stopPropagation();
        }
    });
    menu.addEventListener('focusout', event => {
        if (!menu.contains(event.relatedTarget)) {
            menu.open = false;
        }
    });
    return menu;
}

/** The rows of the CSV: one per point, unless the figure has its own. */
function drawRows(spec) {
    if (spec.rows) {
        return spec.rows();
    }
    const name = (axis, v) => (axis.scale === 'band' ? axis.names[v] ?? v : v);
    const rows = [['panel', 'series', 'x', 'y', 'low', 'high', 'failed']];
    for (const panel of spec.panels) {
        for (const s of panel.series.filter(s => !s.silent)) {
            for (const p of s.points) {
                rows.push([panel.title || '', s.key, p.failed === 'x' ? '' : name(panel.x, p.x),
                    p.failed === 'y' ? '' : name(panel.y, p.y), p.low ?? '', p.high ?? '',
                    p.failed || p.cross ? 'yes' : 'no']);
            }
        }
    }
    return rows;
}

/** A text that XML 1.0 can hold. */
function drawXmlText(text) {
    return shownText(text).replace(/[\ufffe\uffff]/g, '\ufffd')
        .toWellFormed();
}

/** The figure as it prints, with all styles inside: {text, width, height}. */
function drawSvgText(state) {
    const {svg} = drawPaint(state.spec, drawSaveWidth, state.hidden, true);
    const stage = element('div', {class: 'figure figure-light', 'aria-hidden': 'true'}, svg);
    document.body.append(stage);
    drawInline(svg);
    stage.remove();
    const space = 'http://www.w3.org/2000/svg';
    const [width, height] = [drawSaveWidth, Number(svg.getAttribute('height'))];
    const head = ['title', 'desc'].map(n => document.createElementNS(space, n));
    head[0].textContent = drawXmlText(state.spec.title);
    head[1].textContent = drawXmlText(state.spec.caption);
    svg.prepend(...head, element('rect', {width, height, fill: '#ffffff'}));
    svg.setAttribute('role', 'img');
    const walk = document.createTreeWalker(svg, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
        walk.currentNode.data = drawXmlText(walk.currentNode.data);
    }
    return {text: '<?xml version="1.0" encoding="UTF-8"?>\n'
        + new XMLSerializer().serializeToString(svg) + '\n', width, height};
}

/** Write the computed styles into attributes; classes and handles of the page go. */
function drawInline(svg) {
    const all = [...svg.querySelectorAll('*')];
    for (const e of all) {
        const style = getComputedStyle(e);
        if (style.display === 'none') {
            e.remove();
            continue;
        }
        for (const name of drawKept) {
            const text = e.tagName === 'text' || e.tagName === 'tspan';
            const value = style.getPropertyValue(name);
            const own = e.hasAttribute(name) && ['stroke-dasharray', 'font-size', 'text-anchor']
                .includes(name);
            if ((name.startsWith('font') || name === 'text-anchor') !== text && e.tagName !== 'g'
                && (name.startsWith('font') || name === 'text-anchor')) {
                continue;
            }
            if (e.tagName !== 'g' && !own && value && value !== 'auto') {
                e.setAttribute(name, drawSvgValue(name, value));
            }
        }
    }
    for (const e of [svg, ...all]) {
        ['class', 'style', 'tabindex', 'role', 'aria-label', 'data-key'].forEach(a =>
            e.removeAttribute(a));
    }
}

/** A computed value as an attribute of SVG. */
function drawSvgValue(name, value) {
    const colour = /^rgba?\(/.test(value) ? d3.color(value) : null;
    if (colour) {
        return colour.opacity === 0 ? 'none' : colour.opacity < 1 ? colour.formatRgb()
            : colour.formatHex();
    }
    return name === 'font-size' || name === 'stroke-width' ? value.replace(/px$/, '')
        : name === 'font-family' ? 'Helvetica, Arial, sans-serif' : value;
}

function drawSaveSvg(state) {
    saveFile(state.spec.name + '.svg', 'image/svg+xml', drawSvgText(state).text);
}

/** Twice the pixels, for slides. */
async function drawSavePng(state) {
    const {text, width, height} = drawSvgText(state);
    const url = URL.createObjectURL(new Blob([text], {type: 'image/svg+xml'}));
    try {
        const image = new Image();
        image.src = url;
        await image.decode();
        const canvas = element('canvas', {width: 2 * width, height: 2 * height});
        const pen = canvas.getContext('2d');
        pen.scale(2, 2);
        pen.drawImage(image, 0, 0, width, height);
        const blob = await new Promise(done => canvas.toBlob(done, 'image/png'));
        saveFile(state.spec.name + '.png', 'image/png', blob);
    } finally {
        URL.revokeObjectURL(url);
    }
}
