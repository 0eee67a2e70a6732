/* SPDX-License-Identifier: Apache-2.0
 * runner/instances.h: instances.jsonl, what is known of each instance of a comparison: one line per
 * instance, found by the hash of its problem.
 *
 *     {"schema": "perp-instance/1", "hash", "n", "nonzeros", "rank", "condition",
 *      "spectrum": [singular values, largest first], "pattern": {"size", "cells": [counts]},
 *      "seconds", "note"}
 *
 * At most 64 singular values, spread evenly over all of them; a grid of at most 32 x 32 counts of
 * nonzeros, row by row. "seconds" is what the description cost. Of more than INSTANCES_ROWS rows
 * the members are null and the note says so. */
#ifndef PERP_RUNNER_INSTANCES_H
#define PERP_RUNNER_INSTANCES_H

#include <jansson.h>

#include <perp/perp.h>

enum { INSTANCES_ROWS = 1000, INSTANCES_VALUES = 64, INSTANCES_CELLS = 32 };

typedef struct instances {
    int file;
    char *path;
    json_t *hashes; /* an object: the hash of every instance that is there */
} instances;

/** Open for appending; what a kill left of the last line is cut off. On failure nothing is open. */
perp_status instances_open(instances *list, const char *path, perp_error *err);
bool instances_has(const instances *list, const char *hash);
/** Append a description unless its hash is there; borrows it. */
perp_status instances_append(instances *list, const json_t *description, perp_error *err);
/** Append those of another such file whose hashes are not there. */
perp_status instances_merge(instances *list, const char *path, perp_error *err);
void instances_close(instances *list); /* no-op when it is zero but for file -1 */

/** The description of a problem with that hash; a new reference. */
json_t *instances_describe(const perp_problem *p, uint64_t hash);

#endif
