/* SPDX-License-Identifier: Apache-2.0
 * tests/command/simulations.h: runs of scenes into folders, for tests of what they write. */
#ifndef PERP_TEST_SIMULATIONS_H
#define PERP_TEST_SIMULATIONS_H

#include <stdio.h>
#include <string.h>

#include "command/simulate/run.h"
#include "command/simulate/trajectory.h"
#include "support.h"

static const volatile int go_on;

/* Run a scene with the words given into a folder of its own. */
static inline perp_status run_into(const char *dir, const char *text, int argc,
                                   char **argv, sim_summary *summary, perp_error *err)
{
    static const cli_option options[] = {SIM_SETTINGS_OPTIONS,
                                         {"resume", 0, NULL, "go on"},
                                         {"capture", 0, "WHEN", "keep"},
                                         CLI_OPTION_END};
    static const cli_verb verb = {
        .name = "simulate", .usage = "", .options = options, .settings = true};
    static sim_end end; /* too large for the stack; not scarce */
    sim_settings settings;
    cli_args args;
    sim_orders o = {
        .text = text, .settings = &settings, .dir = dir, .quiet = true, .stop = &go_on};
    perp_status status = cli_args_read(&args, &verb, argc, argv, err);

    status = status ? status
                    : perp_scene_parse(&o.scene, text, strlen(text), "test.json", err);
    status = status ? status : sim_settings_read(&settings, &args, o.scene, err);
    o.resume = status == PERP_OK && cli_args_given(&args, "resume");
    o.capture = status == PERP_OK ? cli_args_value(&args, "capture") : NULL;
    status = status ? status : simulate_run(&o, summary, &end, err);
    perp_scene_free(o.scene);
    return status;
}

/* A folder that is not there yet. */
static inline const char *fresh(const char *name)
{
    static const char *const files[] = {"trajectory.h5", "metrics.csv"};
    const char *dir = test_scratch(name);
    char path[4096];

    for (size_t k = 0; k < 2; k++) {
        snprintf(path, sizeof path, "%s/%s", dir, files[k]);
        remove(path);
    }
    remove(dir);
    return dir;
}

static inline void open_run(trajectory_file *f, const char *dir, char path[4096])
{
    snprintf(path, 4096, "%s/trajectory.h5", dir);
    OK(trajectory_open(f, path, NULL));
}

#endif
