/* SPDX-License-Identifier: Apache-2.0
 * reform/dictionary.h: the dictionary w = b + A z after exchanges of variables.
 * Private. */
#ifndef PERP_REFORM_DICTIONARY_H
#define PERP_REFORM_DICTIONARY_H

#include "core/solvers.h"

/** basic = q + T nonbasic. Variables are numbered: w_i is i, z_i is n + i. */
typedef struct perp_dictionary {
    size_t n;
    double *T;         /* n x n, column-major */
    double *q;         /* n */
    size_t *basic;     /* n: the variable of a row */
    size_t *nonbasic;  /* n: the variable of a column */
    double *row, *col; /* n: scratch of an exchange */
} perp_dictionary;

/** The dictionary of p with basic = w and nonbasic = z, in memory of the workspace. */
perp_status perp_dictionary_init(perp_dictionary *d, const perp_problem *p,
                                 perp_workspace *ws, perp_error *err);
/** Exchange the variable of row r, which becomes nonbasic, with that of column c, which
 *  becomes basic. T_rc must not be 0. Costs 2 n^2 flops. */
void perp_dictionary_exchange(perp_dictionary *d, size_t r, size_t c);

static inline double perp_dictionary_at(const perp_dictionary *d, size_t i, size_t j)
{
    return d->T[i + j * d->n];
}

static inline bool perp_dictionary_is_w(const perp_dictionary *d, size_t variable)
{
    return variable < d->n;
}

#endif
