/* SPDX-License-Identifier: Apache-2.0
 * pivoting/lemke_tableau.c: Lemke's basis as a dense dictionary.
 *
 *     basic = c + T nonbasic,   T is n x (n+1), at first [M | d]   (linear/tableau.h)
 *
 * An exchange is one update of rank one: 2 n^2 flops, 16 n^2 bytes of traffic. Best while
 * T fits in the cache next to the processor. Nothing is ever recomputed, so rounding
 * accumulates; the polish at the end removes it. [cottle-pang-stone-2009, section 2.3] */
#include <config.h>

#include <cblas.h>

#include "base/base.h"
#include "lemke.h"
#include "linear/tableau.h"

/* A pivot of the first basis below this, relative to the largest entry of M, is taken for 0
 * and its block of M for singular: sqrt(eps), where half of the digits are lost. */
static const double singular = 1e-8;

static perp_status tableau_setup(lemke *s, perp_workspace *ws, perp_error *err)
{
    perp_tableau *t = perp_workspace_alloc(ws, 1, sizeof *t);

    TRY(perp_workspace_status(ws, err));
    perp_tableau_init(t, (size_t)s->n, (size_t)s->n + 1, ws);
    s->basis = t;
    s->scratch = t->T;
    return perp_workspace_status(ws, err);
}

/* The column of a nonbasic variable. */
static double *tableau_column(const lemke *s, int variable)
{
    return perp_tableau_at(s->basis, 0, (size_t)(-1 - s->place[variable]));
}

/* Exchange the basic variable at position r with the nonbasic variable `entering`. */
static void tableau_pivot(lemke *s, int entering, int r)
{
    const int place = s->place[entering], leaving = s->label[r];

    perp_tableau_exchange(s->basis, (size_t)r, (size_t)(-1 - place));
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
    perp_tableau *t = s->basis;
    const int n = s->n;
    double threshold = 0.0;
    int swaps = 0;

    for (int j = 0; j < n; j++) {
        memcpy(perp_tableau_at(t, 0, (size_t)j), s->p->A->x + (size_t)j * s->p->A->ld,
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
        double value = 0.0;

        if (!tableau_largest(s, threshold, &entering, &r)) {
            return false;
        }
        value = -s->c[r] / tableau_column(s, entering)[r];
        cblas_daxpy(n, value, tableau_column(s, entering), 1, s->c, 1);
        s->c[r] = value;
        tableau_pivot(s, entering, r);
    }
    for (int i = 0; i < n; i++) {
        *perp_tableau_at(t, (size_t)i, (size_t)n) = s->d[s->label[i] % n];
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
