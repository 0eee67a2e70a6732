/* SPDX-License-Identifier: Apache-2.0
 * runner/instance.h: a problem from a file or a generator call, reformulated as
 * requested. */
#ifndef PERP_RUNNER_INSTANCE_H
#define PERP_RUNNER_INSTANCE_H

#include <perp/perp.h>
#include <perp/reform.h>

/** How to read and reformulate a problem. Strings are borrowed; NULL stands for the
 *  default. */
typedef struct instance_request {
    const char *path;       /**< a file, "generate:spd:n=100,seed=3", or "scene:stack" */
    perp_read_options read; /**< of a file */
    const char
        *friction; /**< "coulomb" (as stored), "associated", "box", "pyramid:4", … */
    perp_global_form global; /**< how a global problem becomes local */
} instance_request;

enum { INSTANCE_NAME = 128 };

/** A problem and how it was made. */
typedef struct instance {
    perp_problem *given;         /* as read or generated */
    perp_reform_path *path;      /* from `given` to `problem` */
    const perp_problem *problem; /* as requested: every solver is judged on it */
    perp_notes notes;
    char name[INSTANCE_NAME]; /* short: the stem of the file, or the call */
} instance;

/** Read or generate, check, condense, and reformulate. A message begins with the path. */
perp_status instance_open(instance **in, const instance_request *request,
                          perp_error *err);
/** The same from a problem, which it takes over, also on failure; request->path names
 *  it. */
perp_status instance_new(instance **in, perp_problem *p, const instance_request *request,
                         perp_error *err);
/** NULL is allowed (no-op). */
void instance_free(instance *in);
/** A point z of the problem as requested (problem->n) from one of the problem as given
 *  (given->n), and the inverse map. */
void instance_map(const instance *in, const double *given, double *z);
void instance_unmap(const instance *in, const double *z, double *given);

/** "generate:…": not a file. */
bool instance_is_call(const char *path);
/** "stem", "stem#3" for an item of a batch, "spd:n=100" or "stack:step=3" for a call. */
void instance_name(const char *path, size_t item, char name[INSTANCE_NAME]);

/** The starting point z (problem->n) by its name: "cold", "guess" (stored in the file;
 *  cold where there is none), or a file that holds a vector. *what: what it became. */
perp_status instance_start(const instance *in, const char *start, double *z,
                           const char **what, perp_error *err);

#endif
