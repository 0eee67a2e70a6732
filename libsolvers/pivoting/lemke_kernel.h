/* SPDX-License-Identifier: Apache-2.0
 * pivoting/lemke_kernel.h: the kernel of a basis, shared by the two files that keep it.
 *
 * With R the m rows whose w is nonbasic and S the m basic variables among z and z0,
 *
 *     K = [M d]_RS,   x_S = -K^-1 q_R,   w_i = q_i + [M d]_iS x_S   for i not in R
 *
 * so only K needs an inverse, G, kept explicitly; P = [M d]_:S is kept too, its rows
 * ordered so that K is its leading block. The variable of column j of K has position j,
 * that of row p >= m of P, a basic w, has position p. Private. */
#ifndef PERP_PIVOTING_LEMKE_KERNEL_H
#define PERP_PIVOTING_LEMKE_KERNEL_H

#include <cblas.h>

#include "lemke.h"

typedef struct lemke_basis {
    int m;          /* rows and columns of K */
    int ld;         /* n padded to 8 */
    int updates;    /* exchanges since the last factorisation */
    bool delicate;  /* K is ill-conditioned: solutions must be refined */
    bool lost;      /* and a fresh one is no better */
    double error;   /* of what was refined last, estimated */
    double largest; /* entry of M */
    double *P;      /* ld x n: column j is that of the variable at position j < m */
    double *G;      /* ld x n: G[j + i*ld], variable j, row i */
    double *D;      /* n: covering column, by row */
    int *row;       /* n: order of the rows; the first m are R */
    double *h;      /* n: column of an entering z, in that order */
    double *h2;     /* n: the same, of another */
    double *g;      /* n: scratch, as are the next three */
    double *g2;
    double *u;
    double *v;
    double *y;        /* right-hand side of what is refined */
    double *r;        /* residual of that, and */
    double *dx;       /* correction */
    long double *sum; /* n: products of that residual */
    int *ipiv;        /* n: of dgetrf */
    int lwork;
    double *work; /* lwork: of dgetri */
} lemke_basis;

/* Column j of P or G. */
static inline double *lemke_basis_column(const lemke_basis *b, double *x, int j)
{
    return x + (size_t)j * (size_t)b->ld;
}

/* y := G x or G^T x. */
static inline void lemke_basis_solve(const lemke_basis *b, CBLAS_TRANSPOSE transpose,
                                     const double *x, double *y)
{
    if (b->m > 0) {
        cblas_dgemv(CblasColMajor, transpose, b->m, b->m, 1.0, b->G, b->ld, x, 1, 0.0, y,
                    1);
    }
}

/** Improve x = op(G) y, y not in r or dx. False if G is too far from the inverse of K. */
bool perp_lemke_basis_refine(lemke_basis *b, CBLAS_TRANSPOSE transpose, const double *y,
                             double *x);

/** Exchange the entering variable, whose rates are in s->a and whose column, if it is a
 *  z, is in h, with the one at position `leaving`. False, with nothing changed, if two
 *  ways to compute the pivot differ by more than `tolerance`. */
bool perp_lemke_basis_exchange(lemke *s, int entering, int leaving, double t,
                               double tolerance);

#endif
