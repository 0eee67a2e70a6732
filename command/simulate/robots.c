/* SPDX-License-Identifier: Apache-2.0
 * simulate/robots.c: read URDF files as scenes. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/file.h"
#include "command/cli/take.h"
#include "command/simulate/robots.h"

static const char *const bases[] = {"usual", "fixed", "floating", NULL};
static const char *const unknowns[] = {"refuse", "ignore", NULL};
static const char *const meshes[] = {"surface", "hull", NULL};
static const char *const own_options[] = {"urdf-base",        "urdf-unknown",
                                          "urdf-meshes",      "urdf-package",
                                          "urdf-merge-fixed", "urdf-no-self-collision"};

bool robot_detect(const char *file, const char *text, size_t length)
{
    return perp_path_ends(file, ".urdf") || perp_urdf_detect(text, length);
}

/* The number of a choice of the table, the first one where it is not given. */
static unsigned choose(const cli_args *args, const char *name, const char *const *names)
{
    const char *text = cli_args_value(args, name);
    unsigned k = 0;

    while (text && names[k + 1] && strcmp(names[k], text) != 0) {
        k++;
    }
    return k;
}

static void read_options(const cli_args *args, perp_urdf_options *opt,
                         const char *roots[CLI_GIVEN_ROOM])
{
    size_t at = 0;

    while ((roots[opt->root_count] = cli_args_next(args, "urdf-package", &at))) {
        opt->root_count++;
    }
    opt->roots = roots;
    opt->base = (perp_urdf_base)choose(args, "urdf-base", bases);
    opt->unknown = (perp_urdf_unknown)choose(args, "urdf-unknown", unknowns);
    opt->meshes = (perp_urdf_meshes)choose(args, "urdf-meshes", meshes);
    opt->merge_fixed = cli_args_given(args, "urdf-merge-fixed");
    opt->no_self_collision = cli_args_given(args, "urdf-no-self-collision");
}

perp_status robot_open(const cli_args *args, const char *file, const char *text,
                       size_t length, const perp_scene_set *sets, size_t count,
                       perp_scene **scene, perp_error *err)
{
    const char *roots[CLI_GIVEN_ROOM + 1] = {NULL};
    perp_urdf_options opt = {.root_count = 0};

    read_options(args, &opt, roots);
    return perp_urdf_scene(scene, text, length, file, &opt, sets, count, err);
}

char *robot_place(const char *file, const char *text)
{
    return strstr(text, "\"file\"") || perp_urdf_detect(text, strlen(text))
               ? realpath(file, NULL)
               : NULL;
}

char *robot_words(const cli_args *args)
{
    char *words = NULL;
    size_t length = 0;
    FILE *out = take_stream(&words, &length);

    for (size_t k = 0; k < sizeof own_options / sizeof *own_options; k++) {
        const char *value = NULL;
        size_t at = 0, count = 0;

        while ((value = cli_args_next(args, own_options[k], &at))) {
            char *folder = strcmp(own_options[k], "urdf-package") == 0
                               ? realpath(value, NULL)
                               : NULL;

            fprintf(out, "--%s=%s\n", own_options[k], folder ? folder : value);
            free(folder);
            count++;
        }
        if (count == 0 && cli_args_given(args, own_options[k])) {
            fprintf(out, "--%s\n", own_options[k]);
        }
    }
    if (fclose(out) != 0) {
        free(words);
        words = NULL;
    }
    return words;
}

perp_status robot_refuse_options(const cli_args *args, const char *file, perp_error *err)
{
    for (size_t k = 0; k < sizeof own_options / sizeof *own_options; k++) {
        if (cli_args_given(args, own_options[k])) {
            return perp_fail(err, PERP_ERR_OPTION,
                             "perp %s: option --%s is for URDF files, and %s is not one",
                             args->verb->name, own_options[k], file);
        }
    }
    return PERP_OK;
}
