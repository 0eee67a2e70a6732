/* SPDX-License-Identifier: Apache-2.0
 * verbs/convert.c: write a problem in another format, on request reformulated, a scene, or the
 * motion of a run. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/file.h"
#include "command/cli/plugin.h"
#include "command/export/mjcf.h"
#include "command/simulate/recipe.h"
#include "command/simulate/robots.h"
#include "command/simulate/settings.h"
#include "command/verbs/dataset.h"
#include "command/verbs/scenes.h"
#include "command/verbs/suites.h"
#include "command/verbs/verbs.h"
#include "command/view/formats.h"

static const cli_option convert_options[] = {
    {"output", 'o', "FILE/DIR",
     "in place of the word OUT; a folder gets all problems of IN, an index and a README"},
    {"to", 0, "FORMAT",
     "format of OUT, if its extension does not determine it, see perp info formats; of "
     "the files in a folder [fclib]"},
    {"from", 0, "FORMAT", "format of IN, if it cannot be detected"},
    {"kind", 0, "KIND", "kind of problem in IN, if it cannot be detected"},
    {"to-kind", 0, "KIND", "kind of problem to write, if the format has several"},
    {"item", 0, "K", "case of a batch, counted from 0"},
    {"step", 0, "K", "write step K of a sequence as an instance, counted from 0"},
    {"symmetric-upper", 0, NULL, "IN stores only the upper triangle of M"},
    {"condense", 0, NULL, "write the local form of a global problem"},
    {"when", 0, "WHEN",
     "steps of a scene or a run for the folder: every N-th, or where a condition holds: "
     "'residual>1e-6', 'contacts>50 && step%10==0' [1]"},
    {"global", 0, NULL, "steps of a scene: M, H and f in place of W and q"},
    {"title", 0, "TEXT", "heading of the README [the name of the source]"},
    {"licence", 0, "LICENCE", "licence of what perp computes, for the index"},
    {"spectrum", 0, "N",
     "index: rank and condition of problems of at most N rows [1000]"},
    PLUGIN_OPTION,
    SCENE_SET_OPTION,
    ROBOT_OPTIONS,
    SIM_SETTINGS_OPTIONS,
    {"quiet", 'q', NULL, "print nothing"},
    CLI_OPTION_END,
};

/* Options for the folder of all problems, which one result does not read. */
#define CONVERT_OF_FOLDER "when|global|title|licence|spectrum|plugin|solver"

/* What is written: the second word, or -o. */
static const char *convert_out(const cli_args *args)
{
    return args->word_count == 2 ? args->word[1] : cli_args_value(args, "output");
}

/* Whether a path has the extension of something that one file holds. */
static bool convert_is_file(const char *out)
{
    static const char *const others[] = {".json", ".xml", ".hdf5", ".h5"};
    size_t count = 0;
    const perp_format *const *formats = perp_formats(&count);

    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        if (perp_path_ends(out, others[k])) {
            return true;
        }
    }
    for (size_t k = 0; k < count; k++) {
        if (*formats[k]->extension && perp_path_ends(out, formats[k]->extension)) {
            return true;
        }
    }
    return motion_format_of(out) || perp_file_descriptor(out) >= 0;
}

/* A global problem stays global unless something asks for the local form. */
static perp_status convert_read(const cli_args *args, instance **in, perp_problem **as_is,
                                perp_notes *notes, perp_error *err)
{
    instance_request request;
    const perp_format *known = NULL;
    bool changed = cli_args_given(args, "condense") || cli_args_given(args, "friction");
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
    static const char *const alone[] = {"to", "friction", "condense"};
    const char *out = convert_out(args);
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
    return *single
               ? PERP_OK
               : perp_fail(err, PERP_ERR_OPTION,
                           "perp convert: %s is a sequence of %zu step%s, and %s is "
                           "one problem: expected --step K, or for all steps a name "
                           "that ends in .hdf5 or has no extension",
                           args->word[0], count, perp_plural(count), convert_out(args));
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
        status = perp_sequence_write(s, convert_out(args), err);
    }
    if (status == PERP_OK && !cli_args_given(args, "quiet")) {
        status = verb_describe_sequence(s, text, sizeof text, err);
        output_print(stdout, OUTPUT_PLAIN, "%s: %s\n", convert_out(args), text);
    }
    perp_sequence_free(s);
    return status == PERP_OK ? CLI_DONE : CLI_BAD_INPUT;
}

/* Options that only problems have, up to NULL; `skip`: one of them that is allowed. */
static perp_status convert_refuse(const cli_args *args, const char *skip,
                                  const char *what, perp_error *err)
{
    static const char *const others[] = {"from",    "to",   "kind",     "to-kind",
                                         "item",    "step", "friction", "symmetric-upper",
                                         "condense"};

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
    const char *path = convert_out(args);
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
                           "perp info exports: .pvd, .glb, .gltf",
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
    const char *path = convert_out(args);

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
                     convert_out(args), mjcf ? "mjcf" : "a scene",
                     scene->world->body_count, perp_plural_y(scene->world->body_count),
                     scene->world->shape_count, perp_plural(scene->world->shape_count),
                     scene->world->joint_count, perp_plural(scene->world->joint_count),
                     scene->world->force_count, perp_plural(scene->world->force_count));
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

/* One instance, sequence, scene or run to one result. */
static int convert_one(const cli_args *args, perp_error *err)
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
        status = perp_problem_write(p, convert_out(args), to,
                                    cli_args_value(args, "to-kind"), err);
    }
    if (status == PERP_OK && !cli_args_given(args, "quiet")) {
        verb_describe(p, text, sizeof text);
        output_print(stdout, OUTPUT_PLAIN, "%s: %s\n", convert_out(args), text);
        for (size_t k = 0; k < notes.count; k++) {
            output_fact(stdout, "note", "%s", notes.line[k]);
        }
        verb_print_left_out(args, p, convert_out(args), to);
    }
    instance_free(in);
    perp_problem_free(as_is);
    return status == PERP_OK ? CLI_DONE : CLI_BAD_INPUT;
}

static int convert_run(const cli_args *args, perp_error *err)
{
    const char *out = cli_args_value(args, "output");

    if (!convert_out(args) || (out && args->word_count == 2)) {
        perp_fail(err, PERP_ERR_OPTION,
                  out ? "perp convert: OUT and -o together"
                      : "perp convert: OUT or -o DIR is missing");
        return CLI_BAD_INPUT;
    }
    if (out && !convert_is_file(out)) {
        return dataset_make(args, err);
    }
    if (suite_detect(args->word[0])) {
        perp_fail(err, PERP_ERR_OPTION,
                  "perp convert: %s is a suite: -o DIR gets all of its problems",
                  args->word[0]);
        return CLI_BAD_INPUT;
    }
    if (cli_args_refuse(args, CONVERT_OF_FOLDER SIM_SETTINGS_NAMES,
                        "is for -o DIR, a folder of problems", err) != PERP_OK ||
        cli_args_refuse_settings(args, err) != PERP_OK) {
        return CLI_BAD_INPUT;
    }
    return convert_one(args, err);
}

const cli_verb verb_convert = {
    .name = "convert",
    .summary = "write a problem, sequence, scene, run or suite in another format",
    .usage = "IN OUT | IN -o DIR [--to FORMAT] [--step K] [--when WHEN]",
    .more = "A problem is written in the format of OUT; a sequence as OUT.hdf5 or a "
            "folder OUT/; a scene or a robot (URDF) as a scene in plain numbers, or "
            "OUT.xml for MuJoCo; a run of perp simulate as OUT.pvd for ParaView, "
            "OUT.glb or OUT.gltf. OUT may be -, standard output, with --to FORMAT. -o "
            "DIR makes a data set of all problems of a scene, a run, a suite or a "
            "file.\n"
            "A sequence is one HDF5 file or a folder of them; in a folder OUT/ there "
            "is one file per step and an index. --step K writes one of its steps as "
            "an instance, and a sequence of one step is an instance in other formats. "
            "The numbers of a scene are read again with the same bits. The folder "
            "OUT/ beside OUT.pvd holds its data. See perp info exports.\n"
            "The data set has a file per problem, index.csv (name, kind, n, contacts, "
            "rank, condition, hash, source, licence) and README.md, which explains "
            "them. A run is made again, and each step must have its stored residual "
            "to the bit. A scene of a suite is run once, by the first solver of its "
            "group. WHEN is as for perp simulate --capture. A problem that the format "
            "cannot hold has a row without a file, with the reason. Exit status: 0 "
            "all written; 1 not all; 2 bad usage or input; 130 interrupted, nothing "
            "is written.\n",
    .words = "INSTANCE|SCENE|SUITE|DIR",
    .usual = "output|to|from|step|friction|condense|when|every|set|quiet",
    .options = convert_options,
    .least = 1,
    .most = 2,
    .settings = true,
    .solver = true,
    .numbers = true,
    .run = convert_run,
};
