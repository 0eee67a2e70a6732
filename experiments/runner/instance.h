/* SPDX-License-Identifier: Apache-2.0
 * runner/instance.h: a problem by its file or generator call, made into what is asked. */
#ifndef PERP_RUNNER_INSTANCE_H
#define PERP_RUNNER_INSTANCE_H

#include <perp/perp.h>

/** What is asked for. Strings are borrowed; NULL stands for the default. */
typedef struct instance_request {
    const char *path;        /**< a file, or "generate:spd:n=100,seed=3" */
    perp_read_options read;  /**< of a file */
    const char *law;         /**< "coulomb" (as stored), "associated" */
    const char *formulation; /**< of the problem itself: "natural", "pyramid:4", … */
    bool factored;           /**< a global problem stays in factors, not condensed */
} instance_request;

enum { INSTANCE_NAME = 128, INSTANCE_STEPS = 3 };

/** A problem and how it came about. */
typedef struct instance {
    perp_problem *given;               /* as read or generated */
    perp_reform *step[INSTANCE_STEPS]; /* condensed or factored, associated, formulated */
    size_t steps;
    const perp_problem *problem; /* as asked: what every solver is judged on */
    perp_notes notes;
    char name[INSTANCE_NAME]; /* short: the stem of the file, or the call */
} instance;

/** Read or generate, check, condense, and formulate. A message begins with the path. */
perp_status instance_open(instance **in, const instance_request *request,
                          perp_error *err);
/** The same from a problem, which it takes over, also on failure; request->path names it. */
perp_status instance_take(instance **in, perp_problem *p, const instance_request *request,
                          perp_error *err);
void instance_free(instance *in); /* takes NULL */
/** A point of the problem as given (given->n) and the one it is for the problem as asked
 *  (problem->n); and the way back. */
perp_status instance_forth(const instance *in, const double *given, double *z,
                           perp_error *err);
perp_status instance_back(const instance *in, const double *z, double *given,
                          perp_error *err);

/** "generate:…": not a file. */
bool instance_is_call(const char *path);
/** "stem", "stem#3" for an item of a batch, "spd:n=100" for a call. */
void instance_name(const char *path, size_t item, char name[INSTANCE_NAME]);

/** The starting point z (problem->n) by its name: "cold", "guess" (stored in the file; cold
 *  where there is none), or a file that holds a vector. *what: what it became. */
perp_status instance_start(const instance *in, const char *start, double *z,
                           const char **what, perp_error *err);

#endif
