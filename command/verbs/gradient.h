/* SPDX-License-Identifier: Apache-2.0
 * verbs/gradient.h: the derivative of a step of a scene. */
#ifndef PERP_VERBS_GRADIENT_H
#define PERP_VERBS_GRADIENT_H

#include "command/cli/args.h"

/** Rows of the options of `perp simulate --gradient`. */
#define GRADIENT_OPTIONS                                                                 \
    {"gradient", 0, NULL,                                                                \
     "print the derivative of a step by the state and the torques of joints instead"},   \
        {"ties", 0, "open|free",                                                         \
         "gradient: rows that are at a bound and at rest: as they leave it, or free "    \
         "[open]"},                                                                      \
        {"least-norm", 0, NULL,                                                          \
         "gradient: accept contacts that share their load in many ways"},                \
        {"check", 0, NULL, "gradient: compare with differences of steps"},               \
    {                                                                                    \
        "accept", 0, "X", "gradient: largest relative error that --check accepts [1e-5]" \
    }

/** `perp simulate SCENE --gradient`; an exit status. */
int gradient_run(const cli_args *args, perp_error *err);

#endif
