/* SPDX-License-Identifier: Apache-2.0
 * pivoting/keller_dictionary.c: a dense dictionary under principal pivots.
 *
 * T is that of linear/tableau.h. It is built from M by pivots on the pairs wanted, 1 x 1 or 2 x 2 by the size of what they divide
 * by [bunch-parlett-1971]. */
#include <config.h>

#include <cblas.h>

#include "keller.h"

/* Values beyond this, relative to the data, of the w formed again show a drift. */
static const double drift = 1e-9;

/* A 1 x 1 pivot is taken when it is this part of the largest entry: then growth is least
 * [bunch-parlett-1971]. And a block without entries above `singular` is singular. */
static const double balance = 0.6403882032022076;
static const double singular = 1e-11;

void perp_keller_pivot(keller *s, const int *at, int k, perp_result *r)
{
    const size_t pairs[2] = {(size_t)at[0], k == 2 ? (size_t)at[1] : 0};

    if (k == 1) {
        perp_tableau_exchange(&s->T, pairs[0], pairs[0]);
    } else {
        perp_tableau_exchange_two(&s->T, pairs, pairs);
    }
    for (int q = 0; q < k; q++) {
        s->swapped[at[q]] = !s->swapped[at[q]];
    }
    r->work.pivots += k;
    s->since += k;
}

/* The best next pivot among the wanted pairs: 1 or 2 of them in `at`; 0: singular. */
static int keller_choose(const keller *s, int *at)
{
    double diagonal = 0.0;
    double other = 0.0;
    int pair[2] = {0, 0};

    for (int j = 0; j < s->n; j++) {
        if (!s->wanted[j]) {
            continue;
        }
        if (fabs(*keller_at(s, j, j)) > diagonal) {
            diagonal = fabs(*keller_at(s, j, j));
            at[0] = j;
        }
        for (int i = 0; i < j; i++) {
            double size = s->wanted[i]
                              ? fmin(fabs(*keller_at(s, i, j)), fabs(*keller_at(s, j, i)))
                              : 0.0;

            if (size > other) {
                other = size;
                pair[0] = i;
                pair[1] = j;
            }
        }
    }
    if (fmax(diagonal, other) <= singular * s->largest) {
        return 0;
    }
    if (diagonal >= balance * other) {
        return 1;
    }
    at[0] = pair[0];
    at[1] = pair[1];
    return 2;
}

/* Values of the basic members from those of the nonbasic ones: b := c + T y, where c are
 * the values at y = 0. By M itself: z of the swapped pairs is known through T. */
static void keller_values(keller *s)
{
    const int n = s->n;

    /* With q nonbasic in z only: basic = T (nonbasic - shift), where swapping w_i makes the
     * constant q_i part of what multiplies T. */
    for (int i = 0; i < n; i++) {
        s->w[i] = s->swapped[i] ? s->y[i] - s->p->b[i] : s->y[i];
        s->b[i] = s->swapped[i] ? 0.0 : s->p->b[i];
    }
    if (n > 0) {
        cblas_dgemv(CblasColMajor, CblasNoTrans, n, n, 1.0, s->T.T, (int)s->T.ld, s->w, 1,
                    1.0, s->b, 1);
    }
}

/* The dictionary of the wanted pairs from M; s->wanted keeps those that had no pivot. */
void perp_keller_build(keller *s, perp_result *r)
{
    const perp_operator *M = s->p->A;
    const double pivots = r->work.pivots;
    int at[2] = {0, 0};
    int k = 0;

    for (int j = 0; j < s->n; j++) {
        memcpy(keller_at(s, 0, j), M->x + (size_t)j * M->ld,
               (size_t)s->n * sizeof(double));
    }
    memset(s->swapped, 0, (size_t)s->n);
    while ((k = keller_choose(s, at)) > 0) {
        perp_keller_pivot(s, at, k, r);
        for (int q = 0; q < k; q++) {
            s->wanted[at[q]] = 0;
        }
    }
    r->work.factorizations += 1.0;
    r->work.flops_factor += 2.0 * (r->work.pivots - pivots) * s->n * (double)s->n;
    r->work.pivots = pivots;
    s->since = 0;
    keller_values(s);
}

void perp_keller_point(const keller *s, double *z)
{
    for (int i = 0; i < s->n; i++) {
        z[i] = s->swapped[i] ? s->b[i] : s->y[i];
        z[i] = z[i] > 0.0 ? z[i] : 0.0;
    }
}

/* Is w = q + M z still what the dictionary says? */
bool perp_keller_has_drifted(keller *s, perp_result *r)
{
    double size = s->size;
    double error = 0.0;

    for (int i = 0; i < s->n; i++) {
        s->z[i] = s->swapped[i] ? s->b[i] : s->y[i];
    }
    perp_operator_apply(s->p->A, s->z, s->w);
    r->work.products += 1.0;
    for (int i = 0; i < s->n; i++) {
        double expected = s->swapped[i] ? s->y[i] : s->b[i];

        size = fmax(size, s->largest * fabs(s->z[i]));
        error = fmax(error, fabs(s->w[i] + s->p->b[i] - expected));
    }
    return !(error <= drift * size);
}

/* Build again for the present pairs; what was zero stays so. */
void perp_keller_rebuild(keller *s, perp_result *r)
{
    memcpy(s->wanted, s->swapped, (size_t)s->n);
    perp_keller_build(s, r);
    for (int i = 0; i < s->n; i++) {
        s->b[i] = fabs(s->b[i]) <= 1e-13 * s->size ? 0.0 : s->b[i];
    }
}
