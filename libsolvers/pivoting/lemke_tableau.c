/* SPDX-License-Identifier: Apache-2.0
 * pivoting/lemke_tableau.c: Lemke's basis as a dense dictionary.
 *
 *     basic = c + T nonbasic,   T is n x (n+1), at first [M | d]
 *     exchange (r, s), p = T_rs:
 *         T_ij -= T_is T_rj / p,   T_rj := -T_rj / p,   T_is := T_is / p,   T_rs := 1 / p
 *
 * An exchange is one update of rank one: 2 n^2 flops, 16 n^2 bytes of traffic. Best while
 * T fits in the cache next to the processor. Nothing is ever recomputed, so rounding
 * accumulates; the polish at the end removes it. [cottle-pang-stone-2009, section 2.3] */
#include <config.h>

#include <cblas.h>

#include "lemke.h"

typedef struct tableau {
    double *T;      /* ld x (n+1), column-major */
    int ld;         /* n padded to 8 */
    double *column; /* n: the pivot column, its pivot replaced by 0 */
    double *row;    /* n+1: the pivot row over the pivot */
} tableau;

/* A pivot of the first basis below this, relative to the largest entry of M, is taken for 0
 * and its block of M for singular: sqrt(eps), where half of the digits are lost. */
static const double singular = 1e-8;

static perp_status tableau_setup(lemke *s, perp_workspace *ws, perp_error *err)
{
    tableau *b = perp_workspace_take(ws, 1, sizeof *b);
    size_t n = (size_t)s->n;
    size_t ld = (n + 7) / 8 * 8;
    size_t count = 0;

    if (b && perp_mul(ld, n + 1, &count)) {
        b->ld = (int)ld;
        b->T = perp_workspace_reals(ws, count);
        b->column = perp_workspace_reals(ws, n);
        b->row = perp_workspace_reals(ws, n + 1);
    }
    if (!b || !b->T || !b->column || !b->row) {
        return perp_fail(err, PERP_ERR_MEMORY, "lemke: no memory for %zu x %zu reals", ld,
                         n + 1);
    }
    s->basis = b;
    s->scratch = b->T;
    return PERP_OK;
}

/* The column of a nonbasic variable. */
static double *tableau_column(const lemke *s, int variable)
{
    const tableau *b = s->basis;

    return b->T + (size_t)(-1 - s->place[variable]) * (size_t)b->ld;
}

/* Exchange the basic variable at position r with the nonbasic variable `entering`. */
static void tableau_pivot(lemke *s, int entering, int r)
{
    tableau *b = s->basis;
    const int n = s->n, place = s->place[entering], leaving = s->label[r];
    double *T_s = tableau_column(s, entering);
    const double inverse = 1.0 / T_s[r];

    /* Everything outside the pivot's row and column. */
    cblas_dcopy(n, T_s, 1, b->column, 1);
    b->column[r] = 0.0;
    for (int j = 0; j <= n; j++) {
        b->row[j] = b->T[(size_t)j * (size_t)b->ld + (size_t)r] * inverse;
    }
    b->row[-1 - place] = 0.0;
    cblas_dger(CblasColMajor, n, n + 1, -1.0, b->column, 1, b->row, 1, b->T, b->ld);

    /* The row, the column, the pivot. */
    for (int j = 0; j <= n; j++) {
        b->T[(size_t)j * (size_t)b->ld + (size_t)r] = -b->row[j];
    }
    for (int i = 0; i < n; i++) {
        T_s[i] = b->column[i] * inverse;
    }
    T_s[r] = inverse;

    s->label[r] = entering;
    s->place[entering] = r;
    s->place[leaving] = place;
}

/* The largest entry in the rows of basic w_i and the columns of nonbasic z_k whose pairs
 * are swapped; false if it is too small. */
static bool tableau_largest(const lemke *s, double threshold, int *entering, int *r)
{
    double largest = threshold;
    bool found = false;

    for (int k = 0; k < s->n; k++) {
        if (!s->swapped[k] || s->place[s->n + k] >= 0) {
            continue;
        }
        for (int i = 0; i < s->n; i++) {
            double size = fabs(tableau_column(s, s->n + k)[i]);

            if (size > largest && s->label[i] < s->n && s->swapped[s->label[i]]) {
                largest = size;
                *entering = s->n + k;
                *r = i;
                found = true;
            }
        }
    }
    return found;
}

static bool tableau_start(lemke *s)
{
    tableau *b = s->basis;
    const int n = s->n;
    double threshold = 0.0;
    int swaps = 0;

    for (int j = 0; j < n; j++) {
        memcpy(b->T + (size_t)j * (size_t)b->ld, s->p->A->x + (size_t)j * s->p->A->ld,
               (size_t)n * sizeof(double));
        s->label[j] = j;
        s->place[j] = j;
        s->place[n + j] = -1 - j;
        s->c[j] = s->p->b[j];
        swaps += s->swapped[j];
    }
    s->place[2 * n] = -1 - n;

    threshold = swaps > 0 ? singular * perp_operator_max(s->p->A) : 0.0;

    /* Bring in the variables of the swapped pairs, the largest pivot first. */
    for (int k = 0; k < swaps; k++) {
        int entering = 0, r = 0;
        double t = 0.0;

        if (!tableau_largest(s, threshold, &entering, &r)) {
            return false;
        }
        t = -s->c[r] / tableau_column(s, entering)[r];
        cblas_daxpy(n, t, tableau_column(s, entering), 1, s->c, 1);
        s->c[r] = t;
        tableau_pivot(s, entering, r);
    }
    for (int i = 0; i < n; i++) {
        b->T[(size_t)n * (size_t)b->ld + (size_t)i] = s->d[s->label[i] % n];
    }
    return true;
}

static void tableau_rates(lemke *s, int entering, double *a)
{
    const double *T_s = tableau_column(s, entering);

    for (int i = 0; i < s->n; i++) {
        a[i] = -T_s[i];
    }
}

static void tableau_rates_at(lemke *s, int entering, const int *at, int count,
                             double *out)
{
    const double *T_s = tableau_column(s, entering);

    for (int k = 0; k < count; k++) {
        out[k] = -T_s[at[k]];
    }
}

static lemke_exchange tableau_exchange(lemke *s, int entering, int leaving, double t)
{
    tableau_pivot(s, entering, leaving);
    s->c[leaving] = t;
    return LEMKE_EXCHANGED;
}

const lemke_form perp_lemke_tableau = {
    .name = "tableau",
    .setup = tableau_setup,
    .start = tableau_start,
    .rates = tableau_rates,
    .rates_at = tableau_rates_at,
    .exchange = tableau_exchange,
};
