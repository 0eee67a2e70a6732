/* SPDX-License-Identifier: Apache-2.0
 * view/film.h: pictures and films of a viewer page, drawn by a headless Chromium. */
#ifndef PERP_VIEW_FILM_H
#define PERP_VIEW_FILM_H

#include <perp/base.h>

typedef struct film_orders {
    const char *page; /**< the viewer page, a file */
    const char
        *setup; /**< script that sets the view before the first picture; NULL: none */
    int width, height; /**< pixels, even for a film */
    double at;    /**< time of a picture, INFINITY: the last one; first of a film [s] */
    double end;   /**< last time of a film; INFINITY: that of the motion */
    double rate;  /**< pictures per second of the film */
    double speed; /**< seconds of the motion per second of the film */
} film_orders;

/** One picture, as PNG. */
perp_status film_picture(const film_orders *orders, const char *path, perp_error *err);
/** A film (.mp4, .webm, .gif by the extension) through ffmpeg. PERP_ERR_LIBRARY: ffmpeg is not
 *  installed, or it fails (its last line). */
perp_status film_write(const film_orders *orders, const char *path, perp_error *err);

#endif
