/* SPDX-License-Identifier: Apache-2.0
 * web/view/player.js: the time that is shown: playing, steps, jumps; and how much detail a
 * playing motion can have on this machine. */
'use strict';

const playerSpeeds = [0.1, 0.2, 0.5, 1, 2, 5, 10];

/** A player over the times of all motions; `change` is called with each new time. */
function playerMake(motions, change) {
    return {
        motions, change,
        start: d3.min(motions, m => m.start), end: d3.max(motions, m => m.end),
        time: d3.min(motions, m => m.start),
        playing: false, loop: true, speed: 1, last: null, running: false,
        economy: 0, slow: 0, quick: 0, rate: null,
    };
}

function playerSet(player, time) {
    player.time = Math.min(Math.max(time, player.start), player.end);
    player.change();
}

/** Go to the frame that is `count` frames of the first motion away. */
function playerStep(player, count) {
    const motion = player.motions[0];
    const {frame, part} = dataFrame(motion, player.time);
    const from = count < 0 && part > 0 ? frame + 1 : frame;
    const to = Math.min(Math.max(from + count, 0), motion.frames - 1);
    player.playing = false;
    playerSet(player, motion.time[to]);
}

function playerToggle(player, playing) {
    const wanted = playing === undefined ? !player.playing : playing;
    player.playing = wanted && player.end > player.start;
    player.last = null;
    if (player.playing && player.time >= player.end) {
        player.time = player.start;
    }
    player.change();
}

/** Move the time by the real time since the last picture. */
function playerAdvance(player, now) {
    if (!player.playing) {
        player.last = null;
        return;
    }
    const passed = player.last === null ? 0 : (now - player.last) / 1000;
    player.last = now;
    player.rate = passed > 0 ? 0.9 * (player.rate ?? 1 / passed) + 0.1 / passed : player.rate;
    // After a long break, as in a hidden tab, the motion goes on where it was.
    player.time += player.speed * Math.min(passed, 0.5);
    playerEconomy(player, passed);
    if (player.time >= player.end) {
        player.playing = player.loop;
        player.time = player.loop ? player.start : player.end;
    }
}

/** More economy after 0.4 s of pictures that took more than 1/33 s each, less after 200 quick
 *  ones. */
function playerEconomy(player, passed) {
    player.slow = Math.max(player.slow + (passed > 0.030 ? passed : -passed), 0);
    player.quick = passed < 0.018 && passed > 0 ? player.quick + 1 : 0;
    if (player.slow > 0.4 && player.economy < playerEconomies.length - 1) {
        player.economy++;
        player.slow = 0;
    } else if (player.quick > 200 && player.economy > 0) {
        player.economy--;
        player.quick = 0;
    }
}

/* What is spared while playing: the share of the pixels along a side, and the pictures
 * for each new shadow. */
const playerEconomies = [
    {pixels: 1, shadow: 1},
    {pixels: 1, shadow: 2},
    {pixels: 0.8, shadow: 3},
    {pixels: 0.66, shadow: 4},
    {pixels: 0.5, shadow: 6},
];

/** A time in words that keep their width: 1.250 s. */
function playerText(player, time) {
    const span = Math.max(player.end - player.start, 1e-9);
    const digits = Math.min(Math.max(Math.ceil(3 - Math.log10(span)), 2), 6);
    return `${time.toFixed(digits)} s`.replace('-', '−');
}
