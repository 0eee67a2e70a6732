/* SPDX-License-Identifier: Apache-2.0
 * gradient/inface.c: block Jacobi inside a face; blocks of 1, 2 and 3 rows. */
#include <config.h>

#include "inface.h"

bool perp_inface_init(perp_inface *c, const perp_faces *f, perp_workspace *ws)
{
    size_t room = 0;

    if (!perp_mul(f->count, 6, &room)) {
        return false;
    }
    c->block = perp_workspace_reals(ws, room);
    c->inverse = perp_workspace_reals(ws, room);
    return c->block && c->inverse;
}

/* V := D^-1 for a positive definite D of `dim` rows, both packed; the rest of V is 0. False
 * when a pivot is at most 1e-12 of the largest diagonal entry, which is rounding. */
static bool inface_invert(unsigned dim, const double *D, double *V)
{
    double floor = 1e-12 * fmax(D[0], fmax(D[2], D[5]));
    double l21 = D[0] > 0.0 ? D[1] / D[0] : 0.0;
    double l31 = D[0] > 0.0 ? D[3] / D[0] : 0.0;
    double d2 = dim > 1 ? D[2] - l21 * D[1] : 1.0;
    double e32 = D[4] - l31 * D[1];
    double l32 = 0.0;
    double d3 = 1.0;

    if (!(D[0] > floor) || (dim > 1 && !(d2 > floor))) {
        return false;
    }
    l32 = e32 / d2;
    d3 = dim > 2 ? D[5] - l31 * D[3] - l32 * e32 : 1.0;
    if (dim > 2 && !(d3 > floor)) {
        return false;
    }
    /* D = L diag(d) L^T; the columns of L^-1 are (1, -l21, m31), (0, 1, -l32), (0, 0, 1). */
    double m31 = l21 * l32 - l31;

    V[0] =
        1.0 / D[0] + (dim > 1 ? l21 * l21 / d2 : 0.0) + (dim > 2 ? m31 * m31 / d3 : 0.0);
    V[1] = dim > 1 ? -l21 / d2 - (dim > 2 ? m31 * l32 / d3 : 0.0) : 0.0;
    V[2] = dim > 1 ? 1.0 / d2 + (dim > 2 ? l32 * l32 / d3 : 0.0) : 0.0;
    V[3] = dim > 2 ? m31 / d3 : 0.0;
    V[4] = dim > 2 ? -l32 / d3 : 0.0;
    V[5] = dim > 2 ? 1.0 / d3 : 0.0;
    return true;
}

void perp_inface_factor(perp_inface *c, const perp_faces *f, const perp_operator *A)
{
    size_t i = 0;

    for (size_t b = 0; b < f->count; b++) {
        unsigned dim = f->block[b].dim;
        double full[9] = {0};
        double *D = c->block + 6 * b;
        double *V = c->inverse + 6 * b;

        perp_operator_diagonal_block(A, i, dim, full);
        memset(D, 0, 6 * sizeof *D);
        for (unsigned r = 0, at = 0; r < dim; r++) {
            for (unsigned col = 0; col <= r; col++) {
                D[at++] = full[r + col * dim];
            }
        }
        if (!inface_invert(dim, D, V)) {
            memset(V, 0, 6 * sizeof *V);
            memset(D, 0, 6 * sizeof *D);
            V[0] = V[2] = V[5] = 1.0;
            D[0] = D[2] = D[5] = 1.0;
        }
        i += dim;
    }
}

/* y := S x for a packed symmetric S. */
static inline void inface_apply_packed(unsigned dim, const double *S, const double *x,
                                       double *y)
{
    if (dim == 3) {
        y[0] = S[0] * x[0] + S[1] * x[1] + S[3] * x[2];
        y[1] = S[1] * x[0] + S[2] * x[1] + S[4] * x[2];
        y[2] = S[3] * x[0] + S[4] * x[1] + S[5] * x[2];
    } else if (dim == 2) {
        y[0] = S[0] * x[0] + S[1] * x[1];
        y[1] = S[1] * x[0] + S[2] * x[1];
    } else {
        y[0] = S[0] * x[0];
    }
}

static void inface_apply_ray(unsigned dim, const double *D, const double *x,
                             const double *phi, double *z)
{
    double Dx[3] = {0};
    double xx = 0.0;
    double xDx = 0.0;

    inface_apply_packed(dim, D, x, Dx);
    for (unsigned j = 0; j < dim; j++) {
        xx += x[j] * x[j];
        xDx += x[j] * Dx[j];
    }
    for (unsigned j = 0; j < dim; j++) {
        z[j] = phi[j] * (xx / xDx);
    }
}

void perp_inface_apply(const perp_inface *c, const perp_faces *f, const double *x,
                       const double *phi, double *z)
{
    size_t i = 0;

    for (size_t b = 0; b < f->count; b++) {
        unsigned dim = f->block[b].dim;

        switch ((perp_face)f->block[b].face) {
        case PERP_FACE_INSIDE:
            inface_apply_packed(dim, c->inverse + 6 * b, phi + i, z + i);
            break;
        case PERP_FACE_RAY:
            inface_apply_ray(dim, c->block + 6 * b, x + i, phi + i, z + i);
            break;
        case PERP_FACE_POINT:
            memset(z + i, 0, dim * sizeof *z);
            break;
        }
        i += dim;
    }
}
