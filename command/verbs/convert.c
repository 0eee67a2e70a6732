/* SPDX-License-Identifier: Apache-2.0
 * verbs/convert.c: write a problem in another format, on request reformulated, a scene, or the
 * motion of a run. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/file.h"
#include "command/export/mjcf.h"
#include "command/simulate/recipe.h"
#include "command/simulate/robots.h"
#include "command/verbs/scenes.h"
#include "command/verbs/verbs.h"
#include "command/view/formats.h"

static const cli_option convert_options[] = {
    {"from", 0, "NAME", "format of IN, if it cannot be detected"},
    {"to", 0, "NAME", "format of OUT, if its extension does not determine it"},
    {"kind", 0, "KIND", "kind of problem in IN, if it cannot be detected"},
    {"to-kind", 0, "KIND", "kind of problem to write, if the format has several"},
    {"item", 0, "K", "case of a batch, counted from 0"},
    {"step", 0, "K", "write step K of a sequence as an instance, counted from 0"},
    {"symmetric-upper", 0, NULL, "IN stores only the upper triangle of M"},
    {"law", 0, "LAW",
     "friction law of cones: coulomb, or associated (the convex relaxation)"},
    {"formulation", 0, "NAME",
     "problem to write it as: natural, associated, box, pyramid:N"},
    {"condense", 0, NULL, "write the local form of a global problem"},
    {"every", 0, "K", "write frame 0 and each K-th one after it, of a run [1]"},
    SCENE_SET_OPTION,
    ROBOT_OPTIONS,
    {"quiet", 'q', NULL, "print nothing"},
    CLI_OPTION_END,
};

/* A global problem stays global unless something asks for the local form. */
static perp_status convert_read(const cli_args *args, instance **in, perp_problem **as_is,
                                perp_notes *notes, perp_error *err)
{
    instance_request request;
    const perp_format *known = NULL;
    bool changed = cli_args_given(args, "condense") || cli_args_given(args, "law") ||
                   cli_args_given(args, "formulation");
    perp_status status = PERP_OK;

    TRY(verb_request(args, args->word[0], &request, err));
    request.read.format = cli_args_value(args, "from");
    if (cli_args_given(args, "step")) {
        double step = 0.0;

        status = cli_args_whole(args, "step", 0, 0, 1e9, &step, err);
        if (status != PERP_OK) {
            return status;
        }
        request.read.item = (size_t)step;
    }
    if (request.read.format) {
        status = perp_format_named(&known, request.read.format, err);
        if (status != PERP_OK) {
            return status;
        }
    }
    if (changed || instance_is_call(request.path) || recipe_is_call(request.path)) {
        status = instance_open(in, &request, err);
        *notes = status == PERP_OK ? (*in)->notes : *notes;
        return status;
    }
    return perp_problem_read(as_is, request.path, &request.read, notes, err);
}

/* Whether OUT, or an option, asks for one problem. */
static bool convert_wants_problem(const cli_args *args)
{
    static const char *const alone[] = {"to", "law", "formulation", "condense"};
    const char *out = args->word[1];
    const char *slash = strrchr(out, '/');

    for (size_t k = 0; k < sizeof alone / sizeof *alone; k++) {
        if (cli_args_given(args, alone[k])) {
            return true;
        }
    }
    return strchr(slash ? slash + 1 : out, '.') && !perp_path_ends(out, ".hdf5") &&
           !perp_path_ends(out, ".h5") && perp_file_descriptor(out) < 0;
}

/* A sequence of one step, as simulate --capture writes them, is a problem where one is asked for. */
static perp_status convert_is_single(const cli_args *args, bool *single, perp_error *err)
{
    perp_sequence *s = NULL;
    size_t count = 0;

    *single = false;
    if (!convert_wants_problem(args)) {
        return PERP_OK;
    }
    TRY(perp_sequence_open(&s, args->word[0], err));
    count = perp_sequence_count(s);
    perp_sequence_free(s);
    *single = count == 1;
    return *single ? PERP_OK
                   : perp_fail(err, PERP_ERR_OPTION,
                               "perp convert: %s is a sequence of %zu step%s, and %s is "
                               "one problem: expected --step K, or for all steps a name "
                               "that ends in .hdf5 or has no extension",
                               args->word[0], count, perp_plural(count), args->word[1]);
}

/* A sequence as a whole: from a file, or from a folder of files, to one of these. */
static int convert_sequence(const cli_args *args, perp_error *err)
{
    perp_sequence *s = NULL;
    char text[256];
    perp_status status = PERP_OK;

    if (cli_args_given(args, "kind")) {
        perp_fail(err, PERP_ERR_OPTION,
                  "perp convert: --kind needs one step of a sequence: --step K");
        return CLI_BAD_INPUT;
    }
    status = perp_sequence_open(&s, args->word[0], err);
    if (status == PERP_OK) {
        status = perp_sequence_write(s, args->word[1], err);
    }
    if (status == PERP_OK && !cli_args_given(args, "quiet")) {
        status = verb_describe_sequence(s, text, sizeof text, err);
        output_print(stdout, OUTPUT_PLAIN, "%s: %s\n", args->word[1], text);
    }
    perp_sequence_free(s);
    return status == PERP_OK ? CLI_DONE : CLI_BAD_INPUT;
}

/* Options that only problems have, up to NULL; `skip`: one of them that is allowed. */
static perp_status convert_refuse(const cli_args *args, const char *skip,
                                  const char *what, perp_error *err)
{
    static const char *const others[] = {
        "from", "to",  "kind",        "to-kind",         "item",
        "step", "law", "formulation", "symmetric-upper", "condense"};

    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        if (cli_args_given(args, others[k]) && !(skip && strcmp(others[k], skip) == 0)) {
            return perp_fail(err, PERP_ERR_OPTION,
                             "perp convert: option --%s is for problems, and %s is a %s",
                             others[k], args->word[0], what);
        }
    }
    return PERP_OK;
}

/* The motion of a run in one of the formats of motions. */
static int convert_motion(const cli_args *args, perp_error *err)
{
    const char *to = cli_args_value(args, "to");
    const char *path = args->word[1];
    const motion_format *format = to ? motion_format_find(to) : motion_format_of(path);
    motion *m = NULL;
    double every = 1.0;
    perp_status status = convert_refuse(args, "to", "run", err);

    if (status == PERP_OK) {
        status = cli_args_whole(args, "every", 1, 1, 1e9, &every, err);
    }
    if (status == PERP_OK && !format) {
        status = perp_fail(err, PERP_ERR_OPTION,
                           "perp convert: %s: %s is a run, expected a name or --to of "
                           "perp list exports: .pvd, .glb, .gltf",
                           to ? to : path, args->word[0]);
    }
    if (status == PERP_OK) {
        status = motion_read(&m, args->word[0], err);
    }
    if (status == PERP_OK) {
        motion_keep_every(m, (size_t)every);
        status = format->write(m, path, err);
    }
    if (status == PERP_OK && !cli_args_given(args, "quiet")) {
        output_print(stdout, OUTPUT_PLAIN,
                     "%s: %s, %zu frame%s, %zu bod%s, %zu shape%s, %llu contact%s\n",
                     path, format->name, m->frame_count, perp_plural(m->frame_count),
                     m->body_count, perp_plural_y(m->body_count), m->shape_count,
                     perp_plural(m->shape_count),
                     (unsigned long long)m->contact_end[m->frame_count - 1],
                     perp_plural((size_t)(m->contact_end[m->frame_count - 1])));
    }
    motion_free(m);
    return status == PERP_OK ? CLI_DONE : CLI_BAD_INPUT;
}

/* How a scene is written: as a model of MuJoCo, or as a scene. */
static perp_status convert_scene_write(const cli_args *args, const perp_scene *scene,
                                       mjcf_notes *notes, bool *mjcf, perp_error *err)
{
    const char *to = cli_args_value(args, "to");
    const char *path = args->word[1];

    *mjcf = to || perp_path_ends(path, ".xml");
    if (to && strcmp(to, "mjcf") != 0) {
        return perp_fail(err, PERP_ERR_OPTION,
                         "perp convert: %s is a scene, which --to %s does not hold; "
                         "expected mjcf, or no --to",
                         args->word[0], to);
    }
    if (!to && motion_format_of(path)) {
        return perp_fail(err, PERP_ERR_OPTION,
                         "perp convert: %s holds a run, and %s is a scene; first: perp "
                         "simulate %s -o RUN",
                         path, args->word[0], args->word[0]);
    }
    return *mjcf ? mjcf_write(scene, args->word[0], path, notes, err)
                 : perp_scene_write(scene, NULL, path, err);
}

/* A scene or a robot as a scene that is written out. */
static int convert_scene(const cli_args *args, perp_error *err)
{
    perp_scene *scene = NULL;
    mjcf_notes notes = {0};
    bool mjcf = false;
    perp_status status = convert_refuse(args, "to", "scene", err);

    if (status == PERP_OK && cli_args_given(args, "every")) {
        status = perp_fail(err, PERP_ERR_OPTION,
                           "perp convert: option --every is for runs, and %s is a scene",
                           args->word[0]);
    }
    if (status == PERP_OK) {
        status = scene_open(args, args->word[0], &scene, NULL, err);
    }
    if (status == PERP_OK) {
        status = convert_scene_write(args, scene, &notes, &mjcf, err);
    }
    if (status == PERP_OK && !cli_args_given(args, "quiet")) {
        output_print(stdout, OUTPUT_PLAIN,
                     "%s: %s, %zu bod%s, %zu shape%s, %zu joint%s, %zu force%s\n",
                     args->word[1], mjcf ? "mjcf" : "a scene", scene->world->body_count,
                     perp_plural_y(scene->world->body_count), scene->world->shape_count,
                     perp_plural(scene->world->shape_count), scene->world->joint_count,
                     perp_plural(scene->world->joint_count), scene->world->force_count,
                     perp_plural(scene->world->force_count));
        for (size_t k = 0; k < notes.count; k++) {
            output_fact(stdout, "note", "%s", notes.line[k]);
        }
        if (notes.more) {
            output_fact(stdout, "note", "%zu more", notes.more);
        }
    }
    perp_scene_free(scene);
    return status == PERP_OK ? CLI_DONE : CLI_BAD_INPUT;
}

static int convert_run(const cli_args *args, perp_error *err)
{
    bool alone = cli_args_given(args, "step") || cli_args_given(args, "item");
    const char *to = cli_args_value(args, "to");
    instance *in = NULL;
    perp_problem *as_is = NULL;
    const perp_format *known = NULL;
    perp_notes notes = {0};
    const perp_problem *p = NULL;
    perp_status status = PERP_OK;
    char text[256];

    if (scene_detect(args->word[0])) {
        return convert_scene(args, err);
    }
    if (motion_is_trajectory(args->word[0])) {
        return convert_motion(args, err);
    }
    if (cli_args_given(args, "every")) {
        perp_fail(err, PERP_ERR_OPTION,
                  "perp convert: option --every is for runs, and %s is not one",
                  args->word[0]);
        return CLI_BAD_INPUT;
    }
    if (!alone && perp_sequence_detect(args->word[0])) {
        if (convert_is_single(args, &alone, err) != PERP_OK) {
            return CLI_BAD_INPUT;
        }
        if (!alone) {
            return convert_sequence(args, err);
        }
    }
    if (to) {
        status = perp_format_named(&known, to, err);
    }
    if (status == PERP_OK) {
        status = convert_read(args, &in, &as_is, &notes, err);
    }
    p = in ? in->problem : as_is;
    if (status == PERP_OK) {
        status = perp_problem_write(p, args->word[1], to, cli_args_value(args, "to-kind"),
                                    err);
    }
    if (status == PERP_OK && !cli_args_given(args, "quiet")) {
        verb_describe(p, text, sizeof text);
        output_print(stdout, OUTPUT_PLAIN, "%s: %s\n", args->word[1], text);
        for (size_t k = 0; k < notes.count; k++) {
            output_fact(stdout, "note", "%s", notes.line[k]);
        }
        verb_print_left_out(args, p, args->word[1], to);
    }
    instance_free(in);
    perp_problem_free(as_is);
    return status == PERP_OK ? CLI_DONE : CLI_BAD_INPUT;
}

const cli_verb verb_convert = {
    .name = "convert",
    .summary =
        "write an instance or sequence in another format, a scene with plain numbers or "
        "for MuJoCo, or a run for ParaView or as glTF",
    .usage = "IN OUT [--to NAME] [--formulation pyramid:8] [--condense] [--step K] "
             "[--every K]",
    .more =
        "A sequence, one HDF5 file or a folder of them, becomes one file OUT.hdf5, or a "
        "folder\n"
        "OUT/ with one file per step and an index; --step K writes one of its steps as "
        "an\n"
        "instance, and a sequence of one step is an instance in other formats. A "
        "scene, one of perp list scenes or a\n"
        "robot (URDF) is written as a scene, in numbers that are read with the same "
        "bits,\n"
        "or to OUT.xml as a model of MuJoCo (MJCF). A run of perp simulate becomes "
        "OUT.pvd\n"
        "with the folder OUT/ for ParaView, or OUT.glb, OUT.gltf. See perp list "
        "exports. OUT may be\n"
        "-, standard output, with --to FORMAT.\n",
    .options = convert_options,
    .least = 2,
    .most = 2,
    .numbers = true,
    .run = convert_run,
};
