/* SPDX-License-Identifier: Apache-2.0
 * view/film.c: pictures and films of a viewer page, drawn by a headless Chromium.
 *
 * The page offers window.perpView: `ready`, a promise; `duration`, the first and the last time [s];
 * still(), which hides the controls and makes the background white; show(t), whose promise is
 * kept when the frame at time t is drawn. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/base.h"
#include "base/file.h"
#include "command/cli/progress.h"
#include "command/view/encoder.h"
#include "command/view/film.h"
#include "web/browser.h"

/* Seconds that one picture may take: ten thousand bodies without a graphics device. */
static const double film_seconds = 180.0;

typedef struct film {
    const film_orders *orders;
    browser *page;
    double from, to; /* the motion [s] */
} film;

/* Messages of scripts name the page. */
static perp_status film_run(film *m, const char *script, json_t **value, perp_error *err)
{
    perp_error reason = {0};
    perp_status status = browser_evaluate(m->page, script, value, &reason);

    return status == PERP_OK
               ? PERP_OK
               : perp_fail(err, status, "%s: %s", m->orders->page, reason.text);
}

static perp_status film_read_duration(film *m, perp_error *err)
{
    static const char script[] =
        "(async () => {if (!window.perpView) { throw 'the page shows no motion'; }await "
        "window.perpView.ready;return Array.from(window.perpView.duration); })()";
    json_t *value = NULL;
    perp_status status = film_run(m, script, &value, err);

    if (status == PERP_OK && json_unpack(value, "[FF!]", &m->from, &m->to) != 0) {
        status =
            perp_fail(err, PERP_ERR_LIBRARY,
                      "%s: perpView.duration: expected two numbers", m->orders->page);
    }
    json_decref(value);
    return status;
}

static perp_status film_open(film *m, perp_error *err)
{
    const film_orders *orders = m->orders;

    TRY(browser_open(&m->page,
                     &(browser_orders){.file = orders->page,
                                       .width = orders->width,
                                       .height = orders->height,
                                       .seconds = film_seconds},
                     err));
    TRY(film_read_duration(m, err));
    TRY(film_run(m, "window.perpView.still()", NULL, err));
    /* behind still(), so that it can choose another background as well */
    if (orders->setup) {
        TRY(film_run(m, orders->setup, NULL, err));
    }
    return PERP_OK;
}

/* A time of the motion; `end`: of a motion that was asked for to its end. */
static perp_status film_check_time(const film *m, double t, perp_error *err)
{
    double slack = 1e-6 * fmax(1e-3, m->to - m->from); /* a decimal fraction, rounded */

    return t >= m->from - slack && t <= m->to + slack
               ? PERP_OK
               : perp_fail(err, PERP_ERR_ARGUMENT,
                           "the time is %.6g s, expected one from %.6g s to %.6g s", t,
                           m->from, m->to);
}

static perp_status film_draw(film *m, double t, unsigned char **png, size_t *size,
                             perp_error *err)
{
    char script[64];
    perp_status status = PERP_OK;

    snprintf(script, sizeof script, "window.perpView.show(%.17g)",
             fmin(fmax(t, m->from), m->to));
    *png = NULL;
    status = film_run(m, script, NULL, err);
    return status == PERP_OK ? browser_screenshot(m->page, png, size, err) : status;
}

static perp_status film_save(const char *path, const unsigned char *png, size_t size,
                             perp_error *err)
{
    perp_file_out out = {0};
    perp_status status = perp_file_create(&out, path, err);

    if (status == PERP_OK) {
        fwrite(png, 1, size, out.f);
        status = perp_file_commit(&out, err); /* finds what was not written */
    }
    return status;
}

perp_status film_picture(const film_orders *orders, const char *path, perp_error *err)
{
    film m = {.orders = orders};
    unsigned char *png = NULL;
    size_t size = 0;
    double t = 0.0;
    perp_status status = film_open(&m, err);

    if (status == PERP_OK) {
        t = orders->at == INFINITY ? m.to : orders->at;
        status = film_check_time(&m, t, err);
    }
    if (status == PERP_OK) {
        status = film_draw(&m, t, &png, &size, err);
    }
    browser_close(m.page);
    if (status == PERP_OK) {
        status = film_save(path, png, size, err);
    }
    free(png);
    return status;
}

static perp_status film_add_all(film *m, encoder *e, double end, perp_error *err)
{
    const film_orders *orders = m->orders;
    double step = orders->speed / orders->rate;
    size_t count = (size_t)floor((end - orders->at) / step + 1e-6) + 1;
    progress_bar bar;
    perp_status status = PERP_OK;

    progress_bar_start(&bar, stderr, false, 0, count);
    for (size_t k = 0; k < count && status == PERP_OK; k++) {
        double t = orders->at + (double)k * step;
        unsigned char *png = NULL;
        size_t size = 0;

        status = film_draw(m, t, &png, &size, err);
        if (status == PERP_OK) {
            status = encoder_add(e, png, size, err);
        }
        free(png);
        progress_bar_draw(&bar, k + 1, "%.2f s", t);
    }
    progress_bar_end(&bar);
    return status;
}

static perp_status film_check(const film_orders *orders, const char *path,
                              perp_error *err)
{
    const struct {
        const char *name;
        double value;
    } positive[] = {{"rate", orders->rate}, {"speed", orders->speed}};

    for (size_t k = 0; k < sizeof positive / sizeof *positive; k++) {
        if (!(positive[k].value > 0.0 && isfinite(positive[k].value))) {
            return perp_fail(err, PERP_ERR_ARGUMENT,
                             "%s: the %s is %g, expected a positive number", path,
                             positive[k].name, positive[k].value);
        }
    }
    return encoder_check(path, orders->width, orders->height, err);
}

perp_status film_write(const film_orders *orders, const char *path, perp_error *err)
{
    film m = {.orders = orders};
    encoder *e = NULL;
    double end = orders->end;
    perp_status status = film_check(orders, path, err);

    if (status == PERP_OK) {
        status = film_open(&m, err);
    }
    if (status == PERP_OK) {
        end = orders->end == INFINITY ? m.to : orders->end;
        status = film_check_time(&m, orders->at, err);
    }
    if (status == PERP_OK) {
        status = film_check_time(&m, end, err);
    }
    if (status == PERP_OK && end < orders->at) {
        status = perp_fail(err, PERP_ERR_ARGUMENT,
                           "%s: the film ends at %.6g s, expected a time after %.6g s",
                           path, end, orders->at);
    }
    if (status == PERP_OK) {
        status = encoder_open(&e, path, orders->rate, err);
    }
    if (status == PERP_OK) {
        status = film_add_all(&m, e, end, err);
    }
    browser_close(m.page);
    if (status == PERP_OK) {
        status = encoder_finish(e, err);
    }
    encoder_free(e);
    return status;
}
