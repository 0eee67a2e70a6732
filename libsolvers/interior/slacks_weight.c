/* SPDX-License-Identifier: Apache-2.0
 * interior/slacks_weight.c: the linearised complementarity solved for impulses, dz = k - P y.
 *
 *     ds = q - W^-2 dv,   W^-2 = (2 p p^T - J)/eta^2,   p = (w_0, -w_1)
 *
 * Where only the tangents of dv are known, dv_0 follows from ds_0 by the first of these
 * equations. What then remains of W^-2 for the tangents is T = (I - 2 w_1 w_1^T / (1 + 2
 * |w_1|^2))/eta^2, which is computed without cancellation in the frame of w_1. */
#include <config.h>

#include "slacks.h"

/* T, column-major, and t = B_t0/B_00 with B = W^-2. */
static void slack_tangents(const perp_slack *c, double *T, double *t)
{
    double square = c->eta * c->eta;
    double a = c->w[1];
    double b = c->w[2];
    double norm = hypot(a, b);
    double across = 1.0 / square;
    double grown = 1.0 + 2.0 * norm * norm;
    double along = across / grown;

    t[0] = -2.0 * c->w[0] * a / grown;
    t[1] = -2.0 * c->w[0] * b / grown;
    a = norm > 0.0 ? a / norm : 1.0;
    b = norm > 0.0 ? b / norm : 0.0;
    T[0] = along * a * a + across * b * b;
    T[3] = along * b * b + across * a * a;
    T[1] = T[2] = (along - across) * a * b;
}

static void slack_cone_weight(const perp_slack *c, double *P)
{
    double scale = 1.0 / (c->eta * c->eta);

    for (unsigned j = 0; j < c->dim; j++) {
        for (unsigned i = j; i < c->dim; i++) {
            double w = (j == 0 && i > 0 ? -2.0 : 2.0) * c->w[i] * c->w[j];

            w += i == j && i > 0 ? 1.0 : 0.0;
            w -= i == j && i == 0 ? 1.0 : 0.0;
            w *= scale / ((i == 0 ? c->mu : 1.0) * (j == 0 ? c->mu : 1.0));
            P[i + j * c->dim] = P[j + i * c->dim] = w;
        }
    }
}

/* The block of size dim: T at its tangents, and for FRICTION what their normal adds to them. */
static void slack_tangents_weight(const perp_slack *c, unsigned dim, double *P)
{
    double T[4], t[2];
    unsigned at = (unsigned)(c->tail - c->first);
    unsigned tangents = c->dim - 1;

    slack_tangents(c, T, t);
    for (unsigned j = 0; j < tangents; j++) {
        for (unsigned i = 0; i < tangents; i++) {
            P[at + i + (at + j) * dim] = T[i + 2 * j];
        }
        if (c->kind == PERP_SLACK_FRICTION) {
            P[at + j] = c->mu * P[0] * t[j];
        }
    }
}

void perp_slacks_weight(const perp_slacks *q, const perp_set *set, double *P,
                        const size_t *start)
{
    for (size_t k = 0; k < set->count; k++) {
        size_t dim = set->blocks[k].dim;

        memset(P + start[k], 0, dim * dim * sizeof *P);
    }
    for (size_t k = 0; k < q->count; k++) {
        const perp_slack *c = &q->slack[k];
        double *block = P + start[c->block];

        if (c->dim == 1) { /* of the two slacks of a row 1/P is the sum */
            double one = c->s[0] / c->v[0];

            block[0] = block[0] > 0.0 ? 1.0 / (1.0 / block[0] + 1.0 / one) : one;
        } else if (c->kind == PERP_SLACK_CONE) {
            slack_cone_weight(c, block);
        } else {
            slack_tangents_weight(c, set->blocks[c->block].dim, block);
        }
    }
}

/* k of the tangents; `normal` is k of the row of the normal. */
static void slack_tangents_impulse(const perp_slack *c, double normal, double *k)
{
    double T[4], t[2];
    double head = c->kind == PERP_SLACK_FRICTION ? c->mu * normal : 0.0;

    slack_tangents(c, T, t);
    for (unsigned i = 1; i < c->dim; i++) {
        k[i - 1] = c->q[i] - t[i - 1] * (c->q[0] - head);
    }
}

void perp_slacks_impulse(const perp_slacks *q, const double *P, const size_t *start,
                         size_t n, double *k)
{
    memset(k, 0, n * sizeof *k);
    for (size_t i = 0; i < q->count; i++) {
        const perp_slack *c = &q->slack[i];

        if (c->dim == 1) {
            k[c->first] +=
                P[start[c->block]] * (c->kind == PERP_SLACK_LOWER ? c->g[0] : -c->g[0]);
        } else if (c->kind == PERP_SLACK_CONE) {
            k[c->first] = c->q[0] / c->mu;
            memcpy(k + c->tail, c->q + 1, (c->dim - 1) * sizeof *k);
        } else {
            slack_tangents_impulse(c, k[c->first], k + c->tail);
        }
    }
}

void perp_slacks_direction_from(perp_slacks *q, const double *dz, const double *y)
{
    for (size_t k = 0; k < q->count; k++) {
        perp_slack *c = &q->slack[k];
        const double *w = c->w;

        perp_slack_gather(c, dz, c->ds);
        if (c->dim == 1) {
            c->dv[0] = c->g[0] - c->v[0] / c->s[0] * c->ds[0];
            continue;
        }
        c->dv[1] = y[c->tail];
        c->dv[2] = c->dim == 3 ? y[c->tail + 1] : 0.0;
        if (c->kind == PERP_SLACK_CONE) {
            c->dv[0] = y[c->first] / c->mu;
        } else {
            double tail = w[1] * c->dv[1] + w[2] * c->dv[2];
            double grown = 1.0 + 2.0 * (w[1] * w[1] + w[2] * w[2]);

            c->dv[0] =
                (c->eta * c->eta * (c->q[0] - c->ds[0]) + 2.0 * w[0] * tail) / grown;
        }
    }
}
