/* SPDX-License-Identifier: Apache-2.0
 * step/expansion.h: the problem of Poisson's second half. Private. */
#ifndef PERP_STEP_EXPANSION_H
#define PERP_STEP_EXPANSION_H

#include "step/stepper.h"

/** The problem, and the rows behind those of the first half: friction that what is given
 *  back allows. Borrows the stepper's system and rows.b. */
typedef struct step_expansion {
    perp_problem problem;
    perp_set set;
    perp_pairs pairs;
    size_t extra;
    size_t *twin; /* extra: the friction row of the first half that it is the same as */
    double *J, *C, *b;
    int32_t *body;
    perp_block *blocks;
} step_expansion;

/** From the free velocities st->rows.b of the rows of the first half, and rows.z_returned. */
perp_status step_expansion_make(step_expansion *x, const perp_stepper *st,
                                perp_error *err);
/** Add the impulses of the extra rows to those of their twins. */
void step_expansion_fold(const step_expansion *x, double *z);
void step_expansion_free(step_expansion *x);

#endif
