/* SPDX-License-Identifier: Apache-2.0
 * runner/policies.h: a sequence solved item by item, under one warm-start policy.
 *
 *     cold       every item from 0
 *     warm       from the solution of the previous item, block by block by its key; from 0
 *                when that was not solved
 *     oracle     from the item's own solution, found by a cold solve that is not counted
 *     perturbed  from that solution with noise, projected on the set: every number is changed
 *                by at most `noise` times the root mean square of the solution */
#ifndef PERP_RUNNER_POLICIES_H
#define PERP_RUNNER_POLICIES_H

#include <perp/perp.h>

#include "command/campaign/instance.h"

/** Each policy and its name. */
#define POLICY_LIST(X)                                                                   \
    X(POLICY_COLD, "cold")                                                               \
    X(POLICY_WARM, "warm")                                                               \
    X(POLICY_ORACLE, "oracle")                                                           \
    X(POLICY_PERTURBED, "perturbed")

typedef enum policy_kind {
#define POLICY_ENUM(name, text) name,
    POLICY_LIST(POLICY_ENUM)
#undef POLICY_ENUM
        POLICY_KINDS,
} policy_kind;

#define POLICY_NAMES "cold|warm|oracle|perturbed"

const char *policy_name(policy_kind policy);
/** The policy of that name; false when there is none. */
bool policy_find(const char *name, policy_kind *policy);

/** How a sequence is solved. */
typedef struct policies_request {
    const perp_sequence *sequence;
    instance_request item; /**< path for messages; law and formulation of every item */
    const perp_solver_type *type;
    const perp_options *opt; /**< its seed is that of the noise */
    policy_kind policy;
    double noise;
    size_t repeats; /**< of each solve; the least time counts */
} policies_request;

/** The result of one item. */
typedef struct policies_step {
    size_t index;
    double t;
    const perp_problem *problem; /**< as asked */
    size_t blocks, matched; /**< of the given problem; matched: with a start (warm) */
    const perp_result *result;
    double seconds; /**< the least */
} policies_step;

/** Solve every item in order and report each; a status of `report` other than PERP_OK ends
 *  the run. An item that the solver refuses ends it with that error and the item's number. */
perp_status policies_run(const policies_request *request,
                         perp_status (*report)(void *context, const policies_step *step,
                                               perp_error *err),
                         void *context, perp_error *err);

#endif
