/* SPDX-License-Identifier: Apache-2.0
 * pivoting/lemke_exchange.c: what an exchange does to the inverse of the kernel.
 *
 * With h the column of an entering z, g = G h_R, u the row of a leaving w, v = u G, it is
 *
 *     z enters, w leaves   border:  G' = [G + g v/f, -g/f; -v/f, 1/f], f = h_p - u g
 *     z enters, z leaves   column:  G' = G - (g - e_j) G_j: / g_j
 *     w enters, w leaves   row:     G' = G - G_:i (v - e_i) / v_i
 *     w enters, z leaves   shrink:  G' = G - G_:i G_j: / G_ji, without row j, column i
 *
 * each an update of rank one of m x m numbers, the first and third after a product u G.
 * Where a w leaves, its pivot is known in two ways, through u G and through the rates;
 * the distance between them measures how accurate an inverse G still is. [sargent-1978] */
#include <config.h>

#include "lemke_kernel.h"

/* v := u G with u the row of P at position p, which is to come into the kernel. The pivot
 * is then also `known` - v x; that must be `pivot` up to the tolerance. A delicate kernel
 * needs v refined where it is not. False if G is inaccurate. */
static bool basis_row(lemke_basis *b, int p, const double *x, double known, double pivot,
                      double tolerance)
{
    cblas_dcopy(b->m, b->P + p, b->ld, b->u, 1);
    lemke_basis_solve(b, CblasTrans, b->u, b->v);
    if (fabs(known - cblas_ddot(b->m, b->v, 1, x, 1) - pivot) <= tolerance) {
        return true;
    }
    return b->delicate && perp_lemke_basis_refine(b, CblasTrans, b->u, b->v) &&
           fabs(known - cblas_ddot(b->m, b->v, 1, x, 1) - pivot) <= tolerance;
}

/* Exchange the rows at positions i and p of P, and their names. */
static void basis_swap_rows(lemke_basis *b, int i, int p)
{
    int row = b->row[i];

    if (i != p) {
        cblas_dswap(b->m, b->P + i, b->ld, b->P + p, b->ld);
        b->row[i] = b->row[p];
        b->row[p] = row;
    }
}

/* Write `variable` with its value at a position. */
static void basis_set(lemke *s, int position, int variable, double value)
{
    s->c[position] = value;
    s->label[position] = variable;
    s->place[variable] = position;
}

/* z enters, w at position p leaves. False if G is inaccurate. */
static bool basis_border(lemke *s, int entering, int p, double t, double tolerance)
{
    lemke_basis *b = s->basis;
    const int m = b->m, leaving = s->label[p];
    const double f = -s->a[p], h_p = b->h[p];
    double *last = NULL;

    if (!basis_row(b, p, b->h, h_p, f, tolerance)) {
        return false;
    }
    cblas_dger(CblasColMajor, m, m, 1.0 / f, s->a, 1, b->v, 1, b->G, b->ld);
    last = lemke_basis_column(b, b->G, m);
    for (int j = 0; j < m; j++) {
        last[j] = -s->a[j] / f;
        lemke_basis_column(b, b->G, j)[m] = -b->v[j] / f;
    }
    last[m] = 1.0 / f;

    /* The row comes to the end of the kernel, the one from there goes to its place. */
    basis_swap_rows(b, m, p);
    b->h[p] = b->h[m];
    b->h[m] = h_p;
    basis_set(s, p, s->label[m], s->c[m]);
    memcpy(lemke_basis_column(b, b->P, m), b->h, (size_t)s->n * sizeof(double));
    basis_set(s, m, entering, t);
    s->place[leaving] = -1 - m;
    b->m++;
    return true;
}

/* z enters, z at position j leaves. */
static void basis_replace_column(lemke *s, int entering, int j, double t)
{
    lemke_basis *b = s->basis;
    const int m = b->m, leaving = s->label[j];

    cblas_dcopy(m, s->a, 1, b->g, 1);
    b->g[j] = 0.0;
    cblas_dcopy(m, b->G + j, b->ld, b->v, 1);
    cblas_dscal(m, 1.0 / s->a[j], b->v, 1);
    cblas_dger(CblasColMajor, m, m, -1.0, b->g, 1, b->v, 1, b->G, b->ld);
    cblas_dcopy(m, b->v, 1, b->G + j, b->ld);

    memcpy(lemke_basis_column(b, b->P, j), b->h, (size_t)s->n * sizeof(double));
    s->place[leaving] = -1;
    basis_set(s, j, entering, t);
}

/* w enters, w at position p leaves. False if G is inaccurate. */
static bool basis_replace_row(lemke *s, int entering, int p, double t, double tolerance)
{
    lemke_basis *b = s->basis;
    const int m = b->m, i = -1 - s->place[entering], leaving = s->label[p];
    double *G_i = lemke_basis_column(b, b->G, i);

    memset(b->g, 0, (size_t)m * sizeof *b->g);
    b->g[i] = -1.0;
    if (!basis_row(b, p, b->g, 0.0, -s->a[p], tolerance)) {
        return false;
    }
    cblas_dscal(m, -1.0 / s->a[p], b->v, 1);
    b->v[i] = 0.0;
    cblas_dger(CblasColMajor, m, m, 1.0, s->a, 1, b->v, 1, b->G, b->ld); /* a = -G_:i */
    cblas_dscal(m, -1.0 / s->a[p], G_i, 1);

    basis_swap_rows(b, i, p);
    basis_set(s, p, entering, t);
    s->place[leaving] = -1 - i;
    return true;
}

/* w enters, z at position j leaves. */
static void basis_shrink(lemke *s, int entering, int j, double t)
{
    lemke_basis *b = s->basis;
    const int last = b->m - 1, i = -1 - s->place[entering], leaving = s->label[j];

    /* The row and column of the pivot, then the last ones in their place. */
    cblas_dcopy(b->m, s->a, 1, b->g, 1); /* -G_:i */
    cblas_dcopy(b->m, b->G + j, b->ld, b->v, 1);
    cblas_dscal(b->m, 1.0 / s->a[j], b->v, 1); /* -G_j: / G_ji */
    memmove(lemke_basis_column(b, b->G, i), lemke_basis_column(b, b->G, last),
            (size_t)b->m * sizeof(double));
    cblas_dcopy(last, b->G + last, b->ld, b->G + j, b->ld);
    b->g[j] = b->g[last];
    b->v[i] = b->v[last];
    cblas_dger(CblasColMajor, last, last, -1.0, b->g, 1, b->v, 1, b->G, b->ld);

    basis_swap_rows(b, i, last);
    s->place[b->row[i]] = -1 - i;
    memmove(lemke_basis_column(b, b->P, j), lemke_basis_column(b, b->P, last),
            (size_t)s->n * sizeof(double));
    s->place[leaving] = -1;
    if (j != last) {
        basis_set(s, j, s->label[last], s->c[last]);
    }
    basis_set(s, last, entering, t);
    b->m = last;
}

bool perp_lemke_basis_exchange(lemke *s, int entering, int leaving, double t,
                               double tolerance)
{
    const lemke_basis *b = s->basis;
    const bool enters_z = entering >= s->n, leaves_z = leaving < b->m;

    if (enters_z && !leaves_z) {
        return basis_border(s, entering, leaving, t, tolerance);
    }
    if (!enters_z && !leaves_z) {
        return basis_replace_row(s, entering, leaving, t, tolerance);
    }
    if (enters_z) {
        basis_replace_column(s, entering, leaving, t);
    } else {
        basis_shrink(s, entering, leaving, t);
    }
    return true;
}
