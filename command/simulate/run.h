/* SPDX-License-Identifier: Apache-2.0
 * simulate/run.h: run a scene and write all that there is to know of it. */
#ifndef PERP_SIMULATE_RUN_H
#define PERP_SIMULATE_RUN_H

#include <perp/dynamics/scene.h>

#include "command/simulate/settings.h"
#include "command/simulate/summary.h"

struct sim_orders {
    perp_scene *scene; /**< its world is moved */
    const char *text;  /**< the scene as it was read */
    const char *place; /**< where it was, if it reads other files; or NULL */
    const char
        *robot; /**< options that a URDF file was read with, a line each; or NULL */
    const sim_settings *settings;
    const char *dir;
    const char
        *taken; /**< the folder that would have been used, had it not existed; or NULL */
    bool resume, quiet;
    bool held;                /**< the caller has locked the folder */
    double within;            /**< seconds that all steps may take; 0: any */
    size_t checkpoint;        /**< most steps between two checkpoints; 0: no limit */
    const char *capture;      /**< NULL: nothing is captured */
    const volatile int *stop; /**< not 0: end without the current step */
};

/** Run to the end, or to a step that cannot be made, or until it is stopped; what was
 *  made is written in each case. A state that is not finite is an early end and no
 *  failure. */
perp_status simulate_run(const sim_orders *orders, sim_summary *summary, sim_end *end,
                         perp_error *err);

#endif
