/* SPDX-License-Identifier: Apache-2.0
 * tests/torture/kinds.h: the kinds of problems of torture, and one problem by its number. */
#ifndef PERP_TORTURE_KINDS_H
#define PERP_TORTURE_KINDS_H

#include "command/generate/torture.h"

enum { KINDS_MOST = 40 };

/** A problem and what is known of it. */
typedef struct torture_case {
    perp_problem *p;
    perp_torture_truth truth;
    size_t kind;    /* index of its kind */
    char what[192]; /* how to make it again */
} torture_case;

/** Kinds: mixture, then those of the family torture. */
size_t torture_kind_count(void);
const char *torture_kind_name(size_t kind);
/** The index of a name, or the count. */
size_t torture_kind_find(const char *name);

/** Problem `index` of a seed: every second one is a mixture, the others are of each kind in turn;
 *  `only`: all are of this kind, unless it is the count of kinds. c->p is NULL without memory. */
void torture_case_draw(torture_case *c, uint64_t seed, size_t index, size_t only);
void torture_case_free(torture_case *c);

#endif
