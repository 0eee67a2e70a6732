/* SPDX-License-Identifier: Apache-2.0
 * pivoting/keller_dictionary.c: a dense dictionary under principal pivots.
 *
 *     B = T_II,  T_JJ -= T_JI B^-1 T_IJ,  T_JI := T_JI B^-1,  T_IJ := -B^-1 T_IJ,
 *     T_II := B^-1,  I one pair or two [cottle-pang-stone-2009, section 2.3]
 *
 * Built from M by pivots on the pairs wanted, 1 x 1 or 2 x 2 by the size of what they divide
 * by [bunch-parlett-1971]. A pivot costs an update of rank one or two. */
#include <config.h>

#include <cblas.h>

#include "keller.h"

/* Values beyond this, relative to the data, from the w formed anew have drifted. */
static const double drift = 1e-9;

/* A 1 x 1 pivot is taken when it is this part of the largest entry: then growth is least
 * [bunch-parlett-1971]. And a block without entries above `singular` is singular. */
static const double balance = 0.6403882032022076;
static const double singular = 1e-11;

/* The dictionary after the pairs in `at` (one or two) are swapped; values are not touched.
 * B = T_II, T_JJ -= T_JI B^-1 T_IJ, T_JI := T_JI B^-1, T_IJ := -B^-1 T_IJ, T_II := B^-1. */
void perp_keller_pivot(keller *s, const int *at, int k, perp_result *r)
{
    const int n = s->n;
    double B[4] = {*keller_at(s, at[0], at[0]), 0.0, 0.0, 0.0};

    if (k == 1) {
        B[0] = 1.0 / B[0];
    } else {
        double a = B[0];
        double b = *keller_at(s, at[0], at[1]);
        double c = *keller_at(s, at[1], at[0]);
        double d = *keller_at(s, at[1], at[1]);
        double det = a * d - b * c;

        B[0] = d / det;
        B[1] = -c / det;
        B[2] = -b / det;
        B[3] = a / det;
    }
    /* c := T_:I B^-1, rows := T_I:, both 0 on I. */
    for (int q = 0; q < k; q++) {
        double *c = s->c + (size_t)q * (size_t)s->ld;

        memset(c, 0, (size_t)n * sizeof *c);
        for (int l = 0; l < k; l++) {
            cblas_daxpy(n, B[l + q * k], keller_at(s, 0, at[l]), 1, c, 1);
        }
        cblas_dcopy(n, keller_at(s, at[q], 0), s->ld, s->rows + q * s->ld, 1);
    }
    for (int q = 0; q < k; q++) {
        for (int l = 0; l < k; l++) {
            s->c[(size_t)q * (size_t)s->ld + (size_t)at[l]] = 0.0;
            s->rows[(size_t)q * (size_t)s->ld + (size_t)at[l]] = 0.0;
        }
    }
    for (int q = 0; q < k; q++) {
        cblas_dger(CblasColMajor, n, n, -1.0, s->c + q * s->ld, 1, s->rows + q * s->ld, 1,
                   s->T, s->ld);
    }
    for (int q = 0; q < k; q++) {
        memcpy(keller_at(s, 0, at[q]), s->c + (size_t)q * (size_t)s->ld,
               (size_t)n * sizeof *s->c);
    }
    for (int q = 0; q < k; q++) {
        for (int j = 0; j < n; j++) {
            double sum = 0.0;

            for (int l = 0; l < k; l++) {
                sum += B[q + l * k] * s->rows[(size_t)l * (size_t)s->ld + (size_t)j];
            }
            *keller_at(s, at[q], j) = -sum;
        }
    }
    for (int q = 0; q < k; q++) {
        for (int l = 0; l < k; l++) {
            *keller_at(s, at[q], at[l]) = B[q + l * k];
        }
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
        cblas_dgemv(CblasColMajor, CblasNoTrans, n, n, 1.0, s->T, s->ld, s->w, 1, 1.0,
                    s->b, 1);
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
        memcpy(keller_at(s, 0, j), M->x + (size_t)j * M->ld, (size_t)s->n * sizeof *s->T);
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
        double told = s->swapped[i] ? s->y[i] : s->b[i];

        size = fmax(size, s->largest * fabs(s->z[i]));
        error = fmax(error, fabs(s->w[i] + s->p->b[i] - told));
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
