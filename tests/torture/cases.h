/* SPDX-License-Identifier: Apache-2.0
 * tests/torture/cases.h: cases in processes of their own, so that a signal is counted and
 * not the end. */
#ifndef PERP_TORTURE_CASES_H
#define PERP_TORTURE_CASES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What the worker has done, shared with its parent; the first member of what a torture
 *  counts. */
typedef struct torture_cases {
    size_t index; /**< at work */
    bool done;
    size_t wrong;
} torture_cases;

/** Zeroed memory that a worker shares with its parent, or NULL. */
void *torture_shared(size_t size);
/** Cases at->index .. end - 1, each within a minute, in a process that is started again
 *  behind one that killed it. */
void torture_cases_run(torture_cases *at, uint64_t seed, size_t end,
                       void (*run)(uint64_t seed, torture_cases *at));
/** Count a case as wrong and say what it was, but for more than sixty. */
void torture_cases_wrong(torture_cases *at, uint64_t seed, const char *what,
                         const char *fault);

#endif
