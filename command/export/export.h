/* SPDX-License-Identifier: Apache-2.0
 * export/export.h: the problems of a scene, of a stored run, of a suite or of a file, added to
 * a collection. */
#ifndef PERP_EXPORT_EXPORT_H
#define PERP_EXPORT_EXPORT_H

#include <perp/dynamics/scene.h>

#include "command/campaign/instance.h"
#include "command/campaign/suite.h"
#include "command/cli/args.h"
#include "command/export/collection.h"

/** What is asked for. Strings are borrowed. */
typedef struct export_orders {
    collection *to;
    const char *when;         /**< steps of a run: a condition, or a number of steps */
    bool global;              /**< of the steps of a scene: M, H in place of W */
    bool condense;            /**< global problems become local */
    const char *friction;     /**< of problems that are there; NULL: theirs */
    const volatile int *stop; /**< not 0: end */
} export_orders;

/** A problem, which is taken over, also on failure. */
perp_status export_problem(const export_orders *o, perp_problem *p, const char *name,
                           const collection_origin *origin, perp_error *err);
/** An instance file, "generate:…" or "scene:…"; each item of a file with several. */
perp_status export_instance(const export_orders *o, const char *path,
                            const perp_read_options *read, const char *name,
                            perp_error *err);
/** Each item of a sequence. */
perp_status export_sequence(const export_orders *o, const char *path, const char *name,
                            perp_error *err);
/** The steps of a scene under the options that `args` holds. `scene` is moved. */
perp_status export_scene(const export_orders *o, perp_scene *scene, const cli_args *args,
                         const char *name, perp_error *err);
/** The steps of a stored run, a folder of perp simulate: it is run again, and each step must
 *  have the time and the residual that are stored. */
perp_status export_trajectory(const export_orders *o, const char *dir, perp_error *err);
/** True for such a folder. */
bool export_is_trajectory(const char *dir);
/** All that a suite names; a scene is run once, with the first solver, coordinates and
 *  integrator of its set. */
perp_status export_suite(const export_orders *o, const suite *s, perp_error *err);

#endif
