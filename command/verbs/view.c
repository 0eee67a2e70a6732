/* SPDX-License-Identifier: Apache-2.0
 * verbs/view.c: look at the motion of a run, at two of them side by side, or at the contacts of
 * an instance: as a page, a picture or a film. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "command/campaign/solution.h"
#include "command/cli/data.h"
#include "command/cli/plugin.h"
#include "command/cli/take.h"
#include "command/verbs/scenes.h"
#include "command/verbs/verbs.h"
#include "command/verbs/view_files.h"

static const cli_option view_options[] = {
    {"output", 'o', "FILE",
     "what to write, - is standard output [view.html in the folder of the run; "
     "INSTANCE.html]"},
    {"png", 0, NULL, "write a picture instead of a page [view.png]"},
    {"film", 0, "FILE", "write a film instead of a page: .mp4, .webm or .gif"},
    {"at", 0, "T", "time of the picture, or at which the page starts [s]"},
    {"from", 0, "T", "first time of the film [the start; s]"},
    {"to", 0, "T", "last time of the film [the end; s]"},
    {"size", 0, "WxH", "pixels of a picture or film [1280x800]"},
    {"rate", 0, "N", "pictures per second of a film [30]"},
    {"speed", 0, "X", "seconds of the motion per second of the film [1]"},
    {"colour", 0, VIEW_COLOURS, "what the colour shows [body]"},
    {"camera", 0, VIEW_CAMERAS, "direction of view [iso]"},
    {"show", 0, "MARKS",
     "marks that are drawn, joined by commas, or none: floor, joints, contacts, normals, "
     "cones, impulses"},
    {"follow", 0, "BODY", "name of a body that the camera follows"},
    {"contact-data", 0, "MB",
     "size of the contacts in a page; beyond it frames are left out evenly [8]"},
    {"solver", 's', "SOLVER", "solver of an instance [auto]"},
    PLUGIN_OPTION,
    {"solution", 0, "FILE", "impulses of an instance, instead of solving it"},
    VERB_PROBLEM_OPTIONS,
    VERB_READ_OPTIONS,
    {"quiet", 'q', NULL, "do not print the names of the files"},
    CLI_OPTION_END,
};

/* The impulses of an instance: as stored in a file, or found by a solver. */
static perp_status view_impulses(const cli_args *args, const instance *in, double *z,
                                 perp_error *err)
{
    const char *file = cli_args_value(args, "solution");
    const char *solver = cli_args_value(args, "solver");
    const perp_solver_type *type = NULL;
    perp_options opt;
    solution *s = NULL;
    perp_result *r = NULL;
    size_t n = in->problem->n;
    perp_status status = PERP_OK;

    if (file) {
        status = solution_read(&s, file, err);
        if (status == PERP_OK && (!s->z || s->n != n)) {
            status = perp_fail(err, PERP_ERR_DATA,
                               "%s: %zu number%s, expected one for each of %zu rows",
                               file, s->n, perp_plural(s->n), n);
        }
        if (status == PERP_OK) {
            memcpy(z, s->z, n * sizeof *z);
        }
        solution_free(s);
        return status;
    }
    status = plugin_parse(solver ? solver : "auto", &type, &opt, err);
    if (status == PERP_OK) {
        status = perp_result_new(&r, n, err);
    }
    if (status == PERP_OK) {
        status = perp_solve(type, in->problem, &opt, r, err);
    }
    if (status == PERP_OK) {
        memcpy(z, r->z, n * sizeof *z);
        if (r->outcome != PERP_SOLVED) {
            output_print(stderr, OUTPUT_BAD, "perp view: %s: not solved, %s: %s\n",
                         in->name, perp_outcome_text(r->outcome), r->reason);
        }
    }
    perp_result_free(r);
    return status;
}

static perp_status view_instance(const cli_args *args, const char *path, motion **m,
                                 perp_error *err)
{
    instance_request request;
    instance *in = NULL;
    double *z = NULL;
    perp_status status = verb_request(args, path, &request, err);

    if (status == PERP_OK) {
        status = instance_open(&in, &request, err);
    }
    if (status == PERP_OK) {
        z = take_reals(in->problem->n);
        status = view_impulses(args, in, z, err);
    }
    if (status == PERP_OK) {
        status = motion_of_problem(m, in->problem, z, in->name, err);
    }
    free(z);
    instance_free(in);
    return status;
}

static perp_status view_open(const cli_args *args, const char *path, motion **m,
                             perp_error *err)
{
    if (motion_is_trajectory(path)) {
        return motion_read(m, path, err);
    }
    if (data_is_folder(path)) {
        return perp_fail(err, PERP_ERR_READ,
                         "%s: no trajectory.h5 is there, expected the folder of perp "
                         "simulate",
                         path);
    }
    if (scene_detect(path)) {
        return perp_fail(
            err, PERP_ERR_OPTION,
            "perp view: %s is a scene, expected a run of it: perp simulate %s "
            "--view",
            path, path);
    }
    return view_instance(args, path, m, err);
}

/* view.EXTENSION in the folder of a run, or next to its trajectory; NAME.EXTENSION in the
 * current folder for an instance. */
static void view_default(const char *path, const motion *m, const char *extension,
                         char out[DATA_PATH])
{
    if (data_is_folder(path)) {
        snprintf(out, DATA_PATH, "%s/view%s", path, extension);
    } else if (motion_is_trajectory(path)) {
        snprintf(out, DATA_PATH, "%.*sview%s", (int)data_folder_length(path), path,
                 extension);
    } else {
        snprintf(out, DATA_PATH, "%s%s", m->title, extension);
        for (char *c = out; *c; c++) {
            *c = *c == '/' || *c == ':' ? '-' : *c;
        }
    }
}

static perp_status view_write(const cli_args *args, motion *const *motions,
                              perp_error *err)
{
    const char *film = cli_args_value(args, "film");
    bool png = cli_args_given(args, "png");
    char path[DATA_PATH];
    view_orders orders;
    perp_status status = view_orders_read(&orders, args, err);

    if (status == PERP_OK && png && film) {
        status = perp_fail(err, PERP_ERR_OPTION,
                           "perp view: --png and --film exclude each other");
    }
    if (film || cli_args_given(args, "output")) {
        snprintf(path, sizeof path, "%s", film ? film : cli_args_value(args, "output"));
    } else {
        view_default(args->word[0], motions[0], png ? ".png" : ".html", path);
    }
    if (status == PERP_OK) {
        status = film  ? view_film(&orders, motions, path, err)
                 : png ? view_picture(&orders, motions, path, err)
                       : view_page_of(&orders, motions, path, err);
    }
    json_decref(orders.options);
    if (status == PERP_OK && !cli_args_given(args, "quiet")) {
        output_print(stdout, OUTPUT_PLAIN, "%s\n", path);
    }
    return status;
}

static int view_run(const cli_args *args, perp_error *err)
{
    motion *motions[2] = {NULL, NULL};
    perp_status status = PERP_OK;

    for (size_t k = 0; k < args->word_count && status == PERP_OK; k++) {
        status = view_open(args, args->word[k], &motions[k], err);
    }
    if (status == PERP_OK) {
        status = view_write(args, motions, err);
    }
    motion_free(motions[0]);
    motion_free(motions[1]);
    return status == PERP_OK ? CLI_DONE : CLI_BAD_INPUT;
}

const cli_verb verb_view = {
    .name = "view",
    .summary = "look at a run or an instance: a page, a picture, a film",
    .usage = "RUN [RUN] | INSTANCE [-o FILE] [--png | --film FILE]",
    .more = "RUN is the folder of perp simulate or its trajectory.h5. The page needs "
            "no other file and no network: it shows the bodies, joints, contacts, "
            "friction cones and impulses, and plots of the metrics, and plays the "
            "motion. Exit status: 0 written; 2 bad usage or input.\n"
            "Two runs are played side by side, with the time and place of their "
            "largest difference. An INSTANCE whose rows have labels with contact "
            "points is solved and shown as its contacts. Pictures and films are drawn "
            "by Chromium (Debian: chromium), films need ffmpeg.\n",
    .words = "INSTANCE|DIR",
    .usual = "output|png|film|at|size|colour|camera|show|solver|solution",
    .options = view_options,
    .least = 1,
    .most = 2,
    .run = view_run,
};
