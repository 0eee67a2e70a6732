/* SPDX-License-Identifier: Apache-2.0
 * web/report/draw.js: figures of the report: drawFigure(spec, actions) is an element that draws
 * itself to its width, gives values to pointer and keyboard, and saves itself.
 *
 * spec: {name, title, caption, panels (see draw_panel.js), height, panelWidth, rows: () => rows of
 * the CSV, legend: "none" for a figure without one, "always" where one
 * curve has one, too}. */
'use strict';

/** The runs behind a key. */
function drawKeyRuns(entry) {
    return [...new Set(entry.parts.flatMap(s => s.runs || s.points.flatMap(p => p.runs || [])))];
}

/** The keys of a figure: [{key, look, form, parts: [series], extra}], each name once. */
function drawKeys(spec) {
    const keys = new Map();
    for (const panel of spec.panels) {
        for (const s of panel.series) {
            if (s.silent) {
                continue;
            }
            if (!keys.has(s.key)) {
                keys.set(s.key, {key: s.key, look: s.look, form: s.form, extra: s.extra || '',
                    parts: []});
            }
            keys.get(s.key).parts.push(s);
        }
    }
    return [...keys.values()];
}

/** What a key shows: a line with its marker, or the marker. */
function drawSwatch(entry, x, y) {
    const line = entry.form === 'steps' || entry.form === 'line';
    const at = x + 13;
    return [
        line ? element('path', {class: 'line', d: `M${x} ${y}H${x + 26}`,
            'stroke-width': drawLine, 'stroke-dasharray': drawDash(entry.look, drawLine)}) : null,
        entry.form === 'cells' ? null : element('path', {
            class: drawMarkerOpen(entry.look.marker) ? 'mark open' : 'mark',
            d: drawMarker(entry.look.marker, at, y, 4)}),
        entry.form === 'cells' ? element('rect', {class: 'swatch', x: at - 7, y: y - 7,
            width: 14, height: 14}) : null,
        entry.form === 'cells' ? element('text', {class: 'glyph', x: at, y: y + 4,
            'text-anchor': 'middle'}, entry.look.glyph) : null,
    ];
}

/** One key at a place. */
function drawKey(entry, x, y, width, hidden) {
    const shown = drawKeyText(entry, width - 34);
    const text = drawKeyText(entry, Infinity);
    const g = drawGroup(entry, 'key');
    g.classList.toggle('is-hidden', hidden.has(entry.key));
    g.setAttribute('role', 'button');
    g.setAttribute('aria-label', (shown === text ? '' : shown + ', ') + text
        + (hidden.has(entry.key) ? ', hidden' : '')
        + ': show its runs; with shift, hide it or show it');
    g.append(element('rect', {class: 'key-room', x: x - 2, y: y - 9, width: width + 2,
        height: 18}), ...drawSwatch(entry, x, y).filter(e => e),
    element('text', {class: 'key-name', x: x + 32, y: y + 4}, shown));
    return g;
}

/** The words of a key within a width; the name is cut, not what stands behind it. */
function drawKeyText(entry, width) {
    const extra = entry.extra ? ' ' + entry.extra : '';
    return drawShort(entry.key, Math.max(width - drawTextWidth(extra), 24)) + extra;
}

/** The width that a key needs. */
function drawKeyWidth(entry) {
    return 40 + drawTextWidth(entry.key + (entry.extra ? ' ' + entry.extra : ''));
}

/** Where curves end decides the order and height of keys beside them; each has a line to its
 *  curve. */
function drawKeysBeside(g, keys, panel, box, x, width, hidden) {
    const wanted = keys.map((entry, k) => {
        const series = panel.series.find(s => s.key === entry.key && !s.silent);
        const last = series && (series.form === 'steps' || series.form === 'line')
            ? series.points.filter(p => !p.failed && !p.cross).at(-1) : null;
        return {entry, end: last && !hidden.has(entry.key)
            ? [box.sx(last.x), box.sy(last.y)] : null, order: k};
    });
    wanted.sort((a, b) => (a.end ? a.end[1] : Infinity) - (b.end ? b.end[1] : Infinity)
        || a.order - b.order);
    const gap = Math.min(20, Math.max(15, box.h / wanted.length));
    let y = box.y + 4 - gap;
    const places = wanted.map(w => (y = Math.max(y + gap, Math.min(w.end ? w.end[1] : 0,
        box.y + box.h))));
    for (let k = places.length - 1, most = box.y + box.h + 8; k >= 0; k--, most -= gap) {
        places[k] = Math.max(Math.min(places[k], most), box.y + 4 + k * gap);
    }
    wanted.forEach((w, k) => {
        if (w.end) {
            const lead = drawGroup(w.entry, 'lead');
            lead.append(element('path', {d: `M${w.end[0] + 2} ${w.end[1]}L${x - 6} ${places[k]}`}));
            g.append(lead);
        }
        g.append(drawKey(w.entry, x, places[k], width, hidden));
    });
    return places.length ? places.at(-1) + 12 : 0;
}

/** Keys in rows below a figure; returns where they end. */
function drawKeysBelow(g, keys, x, y, width, hidden) {
    const cell = Math.min(Math.max(...keys.map(drawKeyWidth)) + 10, width);
    const columns = Math.max(1, Math.floor(width / cell));
    keys.forEach((entry, k) => g.append(drawKey(entry, x + k % columns * cell,
        y + 10 + Math.floor(k / columns) * 20, cell - 6, hidden)));
    return y + 10 + Math.ceil(keys.length / columns) * 20;
}

/** The height of a panel of a width. */
function drawPanelHeight(spec, panel, width, whole) {
    const m = panel.margins;
    if (panel.y.scale === 'band') {
        return m.top + m.bottom + panel.y.names.length * (panel.row || 24);
    }
    const wanted = spec.panels.length > 1 ? width * 0.72 : whole * (whole < 500 ? 0.72 : 0.52);
    return Math.max(230, Math.min(spec.height || 400, wanted));
}

/** Paint a figure: {svg, hits, boxes, keys}. `saved`: without the keys of hidden curves. */
function drawPaint(spec, width, hidden, saved = false) {
    const svg = element('svg', {class: 'figure-svg', width});
    const plots = element('g', {class: 'plots'});
    const legend = element('g', {class: 'keys', role: 'group', 'aria-label': 'Legend'});
    const all = drawKeys(spec);
    const keys = spec.legend === 'none' ? [] : all.filter(e => !saved || !hidden.has(e.key));
    const beside = spec.panels.length === 1 && width >= 600 && keys.length > 1
        && keys[0].form !== 'cells';
    const side = beside ? Math.min(Math.max(...keys.map(drawKeyWidth)) + 26, width * 0.36) : 0;
    const columns = Math.max(1, Math.min(spec.panels.length,
        Math.floor(width / (spec.panelWidth || 330))));
    const gap = 22;
    const wide = (width - side - (columns - 1) * gap) / columns;
    const panels = spec.panels.map(drawPrepare);
    const hits = [];
    const boxes = [];
    let y = 2;
    for (let row = 0; row < panels.length; row += columns) {
        const some = panels.slice(row, row + columns);
        for (const panel of some) {
            panel.margins = drawMargins(panel, wide);
        }
        const height = Math.max(...some.map(p => drawPanelHeight(spec, p, wide, width)));
        some.forEach((panel, k) => {
            const place = {x: 2 + k * (wide + gap), y, w: wide - 2,
                h: panel.y.scale === 'band' ? drawPanelHeight(spec, panel, wide, width) : height};
            boxes.push(drawPanel(plots, panel, place, all.map(e => e.key), hidden, hits,
                row + k));
        });
        y += height + 8;
    }
    if (beside) {
        y = Math.max(y, drawKeysBeside(legend, keys, panels[0], boxes[0],
            boxes[0].x + boxes[0].w + (panels[0].x.failed ? 58 : 24), side - 26, hidden));
    } else if (keys.length > 1 || (keys.length && spec.legend === 'always')) {
        y = drawKeysBelow(legend, keys, 4, y, width - 8, hidden);
    }
    if (hits.some(h => h.series.form === 'cells')) {
        hits.sort((a, b) => a.panel - b.panel || a.point.y - b.point.y || a.point.x - b.point.x);
    }
    svg.append(plots, legend);
    svg.setAttribute('height', Math.ceil(y));
    svg.setAttribute('viewBox', `0 0 ${width} ${Math.ceil(y)}`);
    return {svg, hits, boxes, keys: all};
}

/** The figure as an element. */
function drawFigure(spec, actions) {
    const state = {spec, actions: actions || {}, hidden: new Set(), width: 0, at: -1};
    state.plot = element('div', {class: 'figure-plot'});
    state.tip = element('div', {class: 'figure-tip', 'aria-hidden': 'true', hidden: true});
    state.said = element('p', {class: 'figure-said', 'aria-live': 'polite'});
    const clear = () => {
        state.hidden.clear();
        drawAgain(state);
    };
    state.all = element('button', {type: 'button', class: 'figure-all', hidden: true,
        onclick: clear}, 'Show all');
    const figure = element('figure', {class: 'figure', 'data-figure': spec.name},
        element('div', {class: 'figure-head'}, element('p', {class: 'figure-title'}, spec.title),
            state.all, drawMenu(state)),
        state.plot, state.tip, state.said,
        element('figcaption', {}, spec.caption));
    state.figure = figure;
    figure.drawState = state;
    queueMicrotask(() => drawFit(state));
    new ResizeObserver(() => requestAnimationFrame(() => drawFit(state))).observe(state.plot);
    return figure;
}

/** Draw a figure again where its width changed. */
function drawFit(state) {
    const width = Math.floor(state.plot.clientWidth);
    if (width > 0 && width !== state.width) {
        state.width = width;
        drawAgain(state);
    }
}

/** Draw a figure again, at its width and with its hidden curves. */
function drawAgain(state) {
    const focused = state.plot.contains(document.activeElement)
        ? document.activeElement.closest('[data-key]')?.dataset.key : null;
    const painted = drawPaint(state.spec, Math.max(state.width, 260), state.hidden);
    Object.assign(state, painted, {at: -1});
    state.all.hidden = state.hidden.size === 0;
    drawFocus(state);
    drawKeysListen(state);
    state.plot.replaceChildren(painted.svg);
    state.tip.hidden = true;
    if (focused) {
        [...painted.svg.querySelectorAll('.key')].find(k => k.dataset.key === focused)?.focus();
    }
}

/** Let one series stand out; null: none. */
function drawHighlight(state, key) {
    state.svg.classList.toggle('has-lit', key !== null);
    for (const g of state.svg.querySelectorAll('[data-key]')) {
        g.classList.toggle('is-lit', g.dataset.key === key);
    }
}

/** Legend: pointing highlights a curve, a click lists its runs, with shift it hides the curve.
 *  One stop of the keyboard; arrows move. */
function drawKeysListen(state) {
    const keys = [...state.svg.querySelectorAll('.key')];
    keys.forEach((g, k) => {
        const entry = state.keys.find(e => e.key === g.dataset.key);
        const act = event => {
            if (event.shiftKey) {
                drawToggle(state, entry.key);
            } else {
                state.actions.showRuns?.(drawKeyRuns(entry), entry.key);
            }
        };
        g.setAttribute('tabindex', k ? '-1' : '0');
        g.addEventListener('pointerenter', () => drawHighlight(state, entry.key));
        g.addEventListener('pointerleave', () => drawHighlight(state, null));
        g.addEventListener('focus', () => drawHighlight(state, entry.key));
        g.addEventListener('blur', () => drawHighlight(state, null));
        g.addEventListener('click', act);
        g.addEventListener('keydown', event => {
            const step = {ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1}[event.key];
            if (step) {
                event.preventDefault();
                const next = keys[(k + step + keys.length) % keys.length];
                g.setAttribute('tabindex', '-1');
                next.setAttribute('tabindex', '0');
                next.focus();
            } else if (event.key === 'Enter' || event.key === ' ') {
                event.preventDefault();
                act(event);
            }
        });
    });
}

/** Hide a curve, or show it again. */
function drawToggle(state, key) {
    if (!state.hidden.delete(key)) {
        state.hidden.add(key);
    }
    drawAgain(state);
}

/** The plot takes the pointer and the keyboard. */
function drawFocus(state) {
    const {svg, spec} = state;
    const hit = element('rect', {class: 'figure-hit', x: 0, y: 0,
        width: Math.max(...state.boxes.map(b => b.x + b.w)) + 2,
        height: Math.max(...state.boxes.map(b => b.y + b.h)) + 2,
        tabindex: '0', role: 'application', 'aria-label': drawSummary(spec, state.keys)
            + ' Arrow keys move through the values, Enter lists the runs.'});
    hit.addEventListener('pointermove', e => drawPoint(state, drawNearest(state, e), false));
    hit.addEventListener('pointerdown', e => drawPoint(state, drawNearest(state, e), false));
    hit.addEventListener('pointerleave', e => e.pointerType === 'touch'
        || drawPoint(state, -1, false));
    hit.addEventListener('click', e => drawClick(state, e));
    hit.addEventListener('blur', () => drawPoint(state, -1, false));
    hit.addEventListener('keydown', e => drawKeyboard(state, e));
    svg.querySelector('.plots').append(element('path', {class: 'ring'}), hit);
}

/** What a figure shows, in a sentence, for those who do not see it. */
function drawSummary(spec, keys) {
    const [p] = spec.panels;
    const names = keys.map(k => k.key + (k.extra ? ' ' + k.extra : ''));
    return spec.title + '. ' + (p.y.scale === 'band' ? '' : drawAxisName(p.y) + ' against ')
        + (drawAxisName(p.x) || 'columns') + '. '
        + (spec.panels.length > 1 ? spec.panels.length + ' panels. ' : '')
        + (names.length ? 'Shown: ' + names.join(', ') + '.' : '');
}

/** The hit nearest to the pointer, within reach; on curves the nearest curve counts. */
function drawNearest(state, event) {
    const rect = state.svg.getBoundingClientRect();
    const scale = state.svg.viewBox.baseVal.width / rect.width;
    const x = (event.clientX - rect.left) * scale;
    const y = (event.clientY - rect.top) * scale;
    let best = -1;
    let least = event.pointerType === 'touch' ? 48 : 36;
    const heights = new Map();
    const heightOf = (series, box) => {
        if (!heights.has(series)) {
            heights.set(series, drawHeight(series, box, x));
        }
        return heights.get(series);
    };
    state.hits.forEach((hit, k) => {
        const box = state.boxes[hit.panel];
        let far = Math.hypot(hit.x - x, hit.y - y);
        if (hit.series.form === 'cells' || hit.series.form === 'bars' || hit.point.q) {
            far = Math.abs(hit.y - y) > box.sy.step / 2 ? Infinity
                : hit.series.form === 'cells' ? (Math.abs(hit.x - x) > box.sx.step / 2
                    ? Infinity : 0) : Math.min(far, 20);
        } else if (hit.series.form === 'steps' && x >= box.x && x <= box.x + box.w) {
            const height = heightOf(hit.series, box);
            if (height !== null && hit.x <= x) {
                far = Math.min(far, Math.abs(height - y) + 0.02 * (x - hit.x));
            }
        }
        if (far < least) {
            [best, least] = [k, far];
        }
    });
    return best;
}

/** Show the values of a hit; `aloud`: they are read, too. */
function drawPoint(state, index, aloud) {
    const hit = state.hits[index];
    state.at = index;
    const ring = state.svg.querySelector('.ring');
    state.svg.querySelector('.figure-hit').classList.toggle('is-over', Boolean(hit));
    if (!hit) {
        state.tip.hidden = true;
        ring.setAttribute('d', '');
        drawHighlight(state, null);
        return;
    }
    const lines = (hit.series.tip || drawTipOf)(hit.point, hit.series, state.spec, hit.panel);
    ring.setAttribute('d', drawMarker(6, hit.x, hit.y, 7));
    drawHighlight(state, hit.series.form === 'cells' ? null : hit.series.key);
    state.tip.replaceChildren(element('b', {}, hit.series.form === 'cells' ? lines.shift()
        : hit.series.key), ...lines.map(l => element('span', {}, l)));
    state.tip.hidden = false;
    drawTipPlace(state, hit);
    if (aloud) {
        state.said.textContent = (hit.series.form === 'cells' ? ''
            : shownText(hit.series.key) + ': ')
            + [...state.tip.querySelectorAll('b, span')].slice(hit.series.form === 'cells' ? 0 : 1)
                .map(e => e.textContent).join(', ');
    }
}

/** The tip stands beside its point, within the figure. */
function drawTipPlace(state, hit) {
    const rect = state.svg.getBoundingClientRect();
    const frame = state.figure.getBoundingClientRect();
    const scale = rect.width / state.svg.viewBox.baseVal.width;
    const x = rect.left - frame.left + hit.x * scale;
    const y = rect.top - frame.top + hit.y * scale;
    const {offsetWidth: w, offsetHeight: h} = state.tip;
    const right = x + 14 + w < frame.width;
    state.tip.style.left = Math.max(0, right ? x + 14 : Math.min(x - 14 - w,
        frame.width - w)) + 'px';
    state.tip.style.top = Math.max(0, y - h - 10 > 0 ? y - h - 10 : y + 14) + 'px';
}

/** The values of a point where a series has no words of its own. */
function drawTipOf(point, series, spec, panel) {
    const {x, y} = spec.panels[panel];
    const value = (axis, v) => (axis.scale === 'band' ? axis.names[v] : drawAxisName(axis) + ' '
        + numberText(v));
    return [point.failed === 'x' ? 'failed' : value(x, point.x),
        point.failed === 'y' ? 'failed' : value(y, point.y),
        point.cross ? 'failed' : null,
        Number.isFinite(point.low) ? 'from ' + numberText(point.low) + ' to '
            + numberText(point.high) : null,
        point.note || null].filter(t => t);
}

/** Lead to the runs behind a hit. */
function drawOpen(state, index) {
    const hit = state.hits[index];
    if (hit?.point.runs?.length) {
        state.actions.showRuns?.([...new Set(hit.point.runs)], hit.point.title || hit.series.key);
    }
}

/** A click lists the runs; of two taps the first shows the values only. */
function drawClick(state, event) {
    const index = drawNearest(state, event);
    if (event.pointerType === 'touch' && index !== state.tapped) {
        state.tapped = index;
        return;
    }
    drawOpen(state, index);
}

/** Arrows: left and right along a series, up and down to another one; among cells, in a column. */
function drawKeyboard(state, event) {
    const {hits} = state;
    const now = hits[state.at];
    const step = {ArrowRight: 1, ArrowLeft: -1, ArrowDown: 1, ArrowUp: -1}[event.key];
    if (event.key === 'Escape' && now) {
        event.stopPropagation();
        drawPoint(state, -1, false);
    } else if (event.key === 'Enter' && now) {
        drawOpen(state, state.at);
    } else if (step && hits.length) {
        event.preventDefault();
        let next = 0;
        if (now && event.key.endsWith('t')) {
            next = (state.at + step + hits.length) % hits.length;
        } else if (now && now.series.form === 'cells') {
            const column = d3.range(hits.length).filter(k => hits[k].panel === now.panel
                && hits[k].point.x === now.point.x);
            next = column[(column.indexOf(state.at) + step + column.length) % column.length];
        } else if (now) {
            const other = d3.range(1, hits.length).map(k => (state.at + k * step
                + hits.length * k) % hits.length).find(k => hits[k].series !== now.series);
            next = other === undefined ? (state.at + step + hits.length) % hits.length
                : hits.findIndex(h => h.series === hits[other].series);
        }
        drawPoint(state, next, true);
    }
}
