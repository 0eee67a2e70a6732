/* SPDX-License-Identifier: Apache-2.0
 * linear/tableau.h: the dense matrix T of a dictionary, basic = c + T nonbasic, under exchanges
 * of one or two basic variables with as many nonbasic ones. The caller keeps the values c and
 * the names of the variables. Private. */
#ifndef PERP_LINEAR_TABLEAU_H
#define PERP_LINEAR_TABLEAU_H

#include <perp/workspace.h>

typedef struct perp_tableau {
    size_t rows, cols, ld;
    double *T;      /* ld x cols, column-major */
    double *column; /* 2 rows: scratch of an exchange */
    double *row;    /* 2 cols */
} perp_tableau;

/** Memory from the workspace, of which the caller asks the status; ld is padded to 8. */
void perp_tableau_init(perp_tableau *t, size_t rows, size_t cols, perp_workspace *ws);
/** Exchange the variable of row r with that of column c; T_rc must not be 0. 2 rows cols
 *  flops. */
void perp_tableau_exchange(perp_tableau *t, size_t r, size_t c);
/** Exchange the variables of rows r[0], r[1] with those of columns c[0], c[1]: r[k] gets the
 *  variable of c[k]. The 2 x 2 block of T must be regular. 4 rows cols flops. */
void perp_tableau_exchange_two(perp_tableau *t, const size_t *r, const size_t *c);

static inline double *perp_tableau_at(const perp_tableau *t, size_t i, size_t j)
{
    return t->T + i + j * t->ld;
}

#endif
