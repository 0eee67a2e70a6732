/* SPDX-License-Identifier: Apache-2.0
 * verbs/view_files.c: the page, picture or film that perp view was asked for. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "base/file.h"
#include "command/cli/data.h"
#include "command/cli/take.h"
#include "command/verbs/verbs.h"
#include "command/verbs/view_files.h"
#include "command/view/film.h"
#include "command/view/page.h"

/* Chromium draws nothing in a window of less than about 88 rows, and waits. */
enum { VIEW_LEAST = 96, VIEW_MOST = 7680 };

/* "1280x800": even, as films need it. */
static perp_status view_size(view_orders *orders, const char *text, perp_error *err)
{
    char end = '\0';

    orders->width = 1280;
    orders->height = 800;
    if (text && (sscanf(text, "%dx%d%c", &orders->width, &orders->height, &end) != 2 ||
                 orders->width < VIEW_LEAST || orders->height < VIEW_LEAST ||
                 orders->width > VIEW_MOST || orders->height > VIEW_MOST ||
                 orders->width % 2 != 0 || orders->height % 2 != 0)) {
        return perp_fail(
            err, PERP_ERR_OPTION,
            "perp view: --size is \"%s\", expected WIDTHxHEIGHT in pixels, even "
            "numbers of %d .. %d, as 1280x800",
            text, VIEW_LEAST, VIEW_MOST);
    }
    return PERP_OK;
}

/* A member of the options, when it is given. */
static perp_status view_choice(json_t *options, const cli_args *args, const char *name,
                               perp_error *err)
{
    const char *value = cli_args_value(args, name);

    return value && json_object_set_new(options, name, json_string(value)) != 0
               ? perp_fail(err, PERP_ERR_OPTION, "perp view: --%s is no text", name)
               : PERP_OK;
}

/* "joints,cones" as {"joints": true, "cones": true, the others: false}. */
static perp_status view_marks(json_t *options, const cli_args *args, perp_error *err)
{
    static const char known[] = VIEW_MARKS;
    const char *value = cli_args_value(args, "show");
    char words[256], all[sizeof known], *save = NULL;
    json_t *show = json_object();
    perp_status status = PERP_OK;

    snprintf(all, sizeof all, "%s", known);
    for (char *w = strtok_r(all, "|", &save); w; w = strtok_r(NULL, "|", &save)) {
        json_object_set_new(show, w, json_false());
    }
    snprintf(words, sizeof words, "%s", value && strcmp(value, "none") != 0 ? value : "");
    for (char *w = strtok_r(words, ", ", &save); w && status == PERP_OK;
         w = strtok_r(NULL, ", ", &save)) {
        status = cli_args_choice(args, "show", w, known, err);
        json_object_set_new(show, w, json_true());
    }
    if (status != PERP_OK || !value) {
        json_decref(show);
        return status;
    }
    json_object_set_new(options, "show", show);
    return PERP_OK;
}

static perp_status view_times(view_orders *orders, const cli_args *args, perp_error *err)
{
    double megabytes = 0.0;
    perp_status status =
        cli_args_quantity(args, "at", "s", NAN, -INFINITY, INFINITY, &orders->at, err);

    if (status == PERP_OK) {
        status = cli_args_quantity(args, "from", "s", -INFINITY, -INFINITY, INFINITY,
                                   &orders->from, err);
    }
    if (status == PERP_OK) {
        status = cli_args_quantity(args, "to", "s", INFINITY, -INFINITY, INFINITY,
                                   &orders->to, err);
    }
    if (status == PERP_OK) {
        status = cli_args_number(args, "rate", 30.0, 1.0, 240.0, &orders->rate, err);
    }
    if (status == PERP_OK) {
        status = cli_args_number(args, "speed", 1.0, 1e-6, 1e6, &orders->speed, err);
    }
    if (status == PERP_OK) {
        status =
            cli_args_number(args, "contact-data", 8.0, 0.001, 1000.0, &megabytes, err);
    }
    orders->contact_bytes = (size_t)(1e6 * megabytes);
    return status;
}

perp_status view_orders_read(view_orders *orders, const cli_args *args, perp_error *err)
{
    perp_status status = PERP_OK;

    *orders = (view_orders){.options = json_object()};
    status = view_times(orders, args, err);
    if (status == PERP_OK) {
        status = view_size(orders, cli_args_value(args, "size"), err);
    }
    if (status == PERP_OK) {
        status = view_choice(orders->options, args, "colour", err);
    }
    if (status == PERP_OK) {
        status = view_choice(orders->options, args, "camera", err);
    }
    if (status == PERP_OK) {
        status = view_choice(orders->options, args, "follow", err);
    }
    if (status == PERP_OK) {
        status = view_marks(orders->options, args, err);
    }
    if (status == PERP_OK && isfinite(orders->at)) {
        json_object_set_new(orders->options, "at", json_real(orders->at));
    }
    return status;
}

/* A body to follow must be there. */
static perp_status view_check(const view_orders *orders, motion *const *motions,
                              perp_error *err)
{
    const char *name = json_string_value(json_object_get(orders->options, "follow"));
    const motion *m = motions[0];

    for (size_t b = 0; name && b < m->body_count; b++) {
        if (strcmp(m->bodies[b].name, name) == 0) {
            return PERP_OK;
        }
    }
    return name ? perp_fail(err, PERP_ERR_OPTION,
                            "perp view: --follow: %s has no body \"%s\"", m->source, name)
                : PERP_OK;
}

/* Contacts alone are coloured by their residuals. */
static void view_usual_colour(const view_orders *orders, const motion *m)
{
    if (m->body_count == 0 && !json_object_get(orders->options, "colour")) {
        json_object_set_new(orders->options, "colour", json_string("residual"));
    }
}

perp_status view_page_of(const view_orders *orders, motion *const *motions,
                         const char *path, perp_error *err)
{
    const view_page page = {.motions = {motions[0], motions[1]},
                            .options = orders->options,
                            .contact_bytes = orders->contact_bytes};
    perp_status status = view_check(orders, motions, err);

    view_usual_colour(orders, motions[0]);
    return status == PERP_OK ? view_page_write(&page, path, err) : status;
}

/* The page in a temporary folder, which is made and which the caller removes. */
static perp_status view_temporary(const view_orders *orders, motion *const *motions,
                                  char folder[DATA_PATH], char page[DATA_PATH + 16],
                                  perp_error *err)
{
    TRY(perp_folder_temporary(folder, DATA_PATH, false, err));
    take_temporary(folder);
    snprintf(page, DATA_PATH + 16, "%s/view.html", folder);
    return view_page_of(orders, motions, page, err);
}

/* Draw from a page that is removed afterwards. */
static perp_status view_draw(const view_orders *orders, motion *const *motions,
                             film_orders *film,
                             perp_status (*draw)(const film_orders *, const char *,
                                                 perp_error *),
                             const char *path, perp_error *err)
{
    char folder[DATA_PATH];
    char page[DATA_PATH + 16] = "";
    perp_status status = view_temporary(orders, motions, folder, page, err);

    film->page = page;
    film->width = orders->width;
    film->height = orders->height;
    if (status == PERP_OK) {
        status = draw(film, path, err);
    }
    if (*page) {
        unlink(page);
        rmdir(folder);
    }
    take_kept(folder);
    return status;
}

/* A picture is framed by the bodies at its time, not by the whole motion: "iso now". */
static void view_frame(const view_orders *orders)
{
    const char *camera = json_string_value(json_object_get(orders->options, "camera"));

    json_object_set_new(orders->options, "camera",
                        json_sprintf("%s now", camera ? camera : "iso"));
}

perp_status view_picture(const view_orders *orders, motion *const *motions,
                         const char *path, perp_error *err)
{
    const motion *m = motions[0];
    film_orders film = {.at = isfinite(orders->at) ? orders->at
                                                   : m->time[m->frame_count - 1]};

    view_frame(orders);
    return view_draw(orders, motions, &film, film_picture, path, err);
}

perp_status view_film(const view_orders *orders, motion *const *motions, const char *path,
                      perp_error *err)
{
    const motion *m = motions[0];
    film_orders film = {.at = fmax(orders->from, m->time[0]),
                        .end = orders->to,
                        .rate = orders->rate,
                        .speed = orders->speed};

    return view_draw(orders, motions, &film, film_write, path, err);
}
