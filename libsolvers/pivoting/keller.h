/* SPDX-License-Identifier: Apache-2.0
 * pivoting/keller.h: the dictionary of Keller's method. keller_dictionary.c keeps it,
 * keller.c decides what is pivoted. Private. */
#ifndef PERP_PIVOTING_KELLER_H
#define PERP_PIVOTING_KELLER_H

#include "core/solvers.h"
#include "linear/tableau.h"

typedef struct keller {
    const perp_problem *p;
    perp_judge *judge;
    int n;
    perp_tableau T; /* n x n */
    double *b;      /* n: values of basic members */
    double *y;      /* n: values of nonbasic members */
    double *z, *w;
    char *swapped; /* n: z_i is basic */
    char *wanted;  /* n: to be swapped while the dictionary is built */
    double floor, size, largest, zero;
    int in_place; /* steps of length 0 in a row */
    double limit, pivots;
    double tolerance, best; /* residual asked for, and the least so far */
    int ends;
    int since;  /* pivots since the dictionary was built */
    int driven; /* pair in motion, or -1 */
} keller;

static inline double *keller_at(const keller *s, int i, int j)
{
    return perp_tableau_at(&s->T, (size_t)i, (size_t)j);
}

/** The dictionary after the k pairs in `at` (one or two) are swapped; no value is touched. */
void perp_keller_pivot(keller *s, const int *at, int k, perp_result *r);
/** The dictionary of the wanted pairs from M, and the values of its basic members. Pairs
 *  without a pivot stay in s->wanted, not swapped. */
void perp_keller_build(keller *s, perp_result *r);
/** The same for the pairs that are swapped; what is zero to rounding becomes so. */
void perp_keller_rebuild(keller *s, perp_result *r);
/** Whether w = q + M z is no longer what the dictionary says. */
bool perp_keller_has_drifted(keller *s, perp_result *r);
/** z of the dictionary; what is below zero by rounding is zero. */
void perp_keller_point(const keller *s, double *z);

#endif
