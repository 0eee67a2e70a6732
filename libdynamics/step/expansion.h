/* SPDX-License-Identifier: Apache-2.0
 * step/expansion.h: the problem of Poisson's second half. Private. */
#ifndef PERP_STEP_EXPANSION_H
#define PERP_STEP_EXPANSION_H

#include "step/stepper.h"

/** The problem of the second half, with additional rows for the friction that the
 *  returned impulses allow. Borrows system and rows.b of the stepper. */
typedef struct step_expansion {
    perp_problem problem;
    perp_set set;
    perp_pairs pairs;
    size_t extra;
    size_t *twin; /* additional rows: the corresponding friction row of the first half */
    double *J, *C, *b;
    int32_t *body;
    perp_block *blocks;
} step_expansion;

/** From the free velocities st->rows.b of the rows of the first half, and rows.z_returned. */
perp_status step_expansion_make(step_expansion *x, const perp_stepper *st,
                                perp_error *err);
/** Add the impulses of the additional rows to those of the corresponding rows. */
void step_expansion_fold(const step_expansion *x, double *z);
void step_expansion_free(step_expansion *x);

#endif
