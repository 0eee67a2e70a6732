/* SPDX-License-Identifier: Apache-2.0
 * simulate/settings.h: how a scene is run: what the scene says,
 * changed by what was typed. */
#ifndef PERP_SIMULATE_SETTINGS_H
#define PERP_SIMULATE_SETTINGS_H

#include <perp/dynamics/scene.h>
#include <perp/solver.h>

#include "experiments/cli/args.h"

typedef struct sim_settings {
    perp_scheme scheme;
    const perp_solver_type *solver; /**< NULL: sequential impulses */
    perp_options opt;               /**< of the solver */
    char solver_name[CLI_NAME];     /**< as it would be typed */
    perp_coordinates coordinates;
    perp_reduction reduction; /**< how, where they are reduced */
    bool warm;
    size_t every;            /**< steps a frame of the trajectory */
    size_t steps;            /**< how long the run is, from its start */
    const perp_scene *scene; /**< borrowed: its parameters */
} sim_settings;

/** Rows of the table of a verb that runs scenes. */
#define SIM_SETTINGS_OPTIONS                                                             \
    {"solver", 's', "NAME",                                                              \
     "which solver: see perp list solvers; or sequential-impulses [the scene's]"},       \
        {"model", 0, "MODEL",                                                            \
         "friction: cone, associated, pyramid:N, box, frictionless [the scene's]"},      \
        {"dt", 0, "S", "length of a step [the scene's]"},                                \
        {"time", 0, "S", "how long the run is, from its start [the scene's]"},           \
        {"steps", 0, "N", "the same in steps"},                                          \
        {"coordinates", 0, "NAME",                                                       \
         "of bodies that joints hold: maximal, reduced [the scene's]"},                  \
        {"rotations", 0, "NAME",                                                         \
         "reduced coordinates of ball joints: exponential, euler [the scene's]"},        \
        {"renew", 0, "off|on",                                                           \
         "exchange reduced coordinates before they are singular [the scene's]"},         \
        {"integrator", 0, "NAME", "of smooth forces: see perp list integrators"},        \
        {"gyro", 0, "NAME",                                                              \
         "gyroscopic torque of all bodies: own (as each says), none, explicit, "         \
         "implicit-body, implicit-world, implicit-converged"},                           \
        {"gyro-split", 0, "NAME", "with the torque: sequential, added"},                 \
        {"turn", 0, "NAME", "how orientations move: see perp list integrators"},         \
        {"max-angle", 0, "RAD", "most that a body turns in a step; 0: no cut"},          \
        {"stabilize", 0, "NAME",                                                         \
         "errors of positions: baumgarte, split, project, none"},                        \
        {"erp", 0, "X", "share of an error removed in a step"},                          \
        {"slop", 0, "M", "penetration left alone"},                                      \
        {"max-correction", 0, "X", "fastest correction of a penetration [m/s]"},         \
        {"margin", 0, "M", "contacts are seen up to this gap"},                          \
        {"speculative", 0, "off|on",                                                     \
         "contacts are seen from as far as a step may close"},                           \
        {"broad", 0, "NAME", "finds boxes that overlap: see perp list broad"},           \
        {"narrow", 0, "NAME",                                                            \
         "finds contacts, where it takes a pair: auto, or see perp list narrow"},        \
        {"reduce", 0, "N", "most contacts of a pair of shapes, at least 4; 0: all"},     \
        {"limits", 0, "NAME", "limits of joints have a row: always, on-violation"},      \
        {"restitution", 0, "NAME", "law of impact: newton, moreau, poisson"},            \
        {"threshold", 0, "X", "slower approach has no restitution [m/s]"},               \
        {"bias", 0, "NAME", "of correction and restitution: max, sum"},                  \
        {"storage", 0, "NAME", "of the matrix A: dense, csr, bsr, factored"},            \
        {"cold", 0, NULL, "start each solve from 0, not from the last impulses"},        \
    {                                                                                    \
        "every", 'e', "N", "steps a frame of the trajectory [1]"                         \
    }

/** The settings of a scene and what was typed over it. */
perp_status sim_settings_read(sim_settings *s, const cli_args *args,
                              const perp_scene *scene, perp_error *err);
/** What stands before the name of a parameter of the scene in the text of settings. */
#define SIM_SETTINGS_SET "--set "
/** All that decides on the bits of a run, a line each, "name = value"; on the heap. */
char *sim_settings_text(const sim_settings *s);
/** PERP_ERR_OPTION with the first line that differs: "`path`: dt was 0.01,
 *  is 0.02 now". */
perp_status sim_settings_same(const char *path, const char *then, const char *now,
                              perp_error *err);

#endif
