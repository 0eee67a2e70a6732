/* SPDX-License-Identifier: Apache-2.0
 * runner/arms.h: a sequence solved step by step, from one kind of start.
 *
 *     cold       every step from 0
 *     warm       from the step before, block by block by its key; from 0 after a failure
 *     oracle     from the step's own answer, found by a cold solve that does not count
 *     perturbed  from that answer with noise, projected on the set: every number is changed
 *                by at most `noise` times the root mean square of the answer */
#ifndef PERP_RUNNER_ARMS_H
#define PERP_RUNNER_ARMS_H

#include <perp/perp.h>

#include "experiments/runner/instance.h"

/** Each arm and its name. */
#define ARMS_LIST(X)                                                                     \
    X(ARM_COLD, "cold")                                                                  \
    X(ARM_WARM, "warm")                                                                  \
    X(ARM_ORACLE, "oracle")                                                              \
    X(ARM_PERTURBED, "perturbed")

typedef enum arm_kind {
#define ARM_ENUM(name, text) name,
    ARMS_LIST(ARM_ENUM)
#undef ARM_ENUM
        ARM_KINDS,
} arm_kind;

/** "cold|warm|oracle|perturbed" */
#define ARM_NAMES "cold|warm|oracle|perturbed"

const char *arm_name(arm_kind arm);
/** The arm of that name; false when there is none. */
bool arm_find(const char *name, arm_kind *arm);

/** How a sequence is solved. */
typedef struct arms_orders {
    const perp_sequence *sequence;
    instance_request request; /**< path for messages; law and formulation of every step */
    const perp_solver_type *type;
    const perp_options *opt; /**< its seed is that of the noise */
    arm_kind arm;
    double noise;
    size_t repeats; /**< of each solve; the least time counts */
} arms_orders;

/** What became of a step. */
typedef struct arms_step {
    size_t index;
    double t;
    const perp_problem *problem; /**< as asked */
    size_t blocks, matched; /**< of the given problem; matched: with a start (warm) */
    const perp_result *result;
    double seconds; /**< the least */
} arms_step;

/** Solve every step in order, telling of each; `tell` may stop it all by a status. A solver
 *  that refuses a step ends it with that error and the number of the step. */
perp_status arms_run(const arms_orders *orders,
                     perp_status (*tell)(void *context, const arms_step *step,
                                         perp_error *err),
                     void *context, perp_error *err);

#endif
