/* SPDX-License-Identifier: Apache-2.0
 * interior/slacks_set.c: the slacks of a set and where they start. */
#include <config.h>

#include "slacks.h"

static perp_slack *slacks_append(perp_slacks *q, perp_slack_kind kind, unsigned dim,
                                 size_t first)
{
    perp_slack *c = &q->slack[q->count++];

    memset(c, 0, sizeof *c);
    c->kind = kind;
    c->dim = dim;
    c->first = c->tail = first;
    return c;
}

/* Friction of the impulse on row `normal` on the rows from `tail` on. */
static void slacks_append_cone(perp_slacks *q, size_t normal, size_t tail, unsigned dim,
                               double mu)
{
    perp_slack *c = NULL;

    for (unsigned i = 0; i + 1 < dim; i++) {
        q->fixed[tail + i] = mu == 0.0;
    }
    if (mu > 0.0) {
        c = slacks_append(q, q->bilinear ? PERP_SLACK_FRICTION : PERP_SLACK_CONE, dim,
                          normal);
        c->tail = tail;
        c->mu = mu;
    }
}

static void slacks_append_block(perp_slacks *q, const perp_block *block)
{
    size_t first = block->first;

    switch (block->kind) {
    case PERP_SET_NONNEG:
        slacks_append(q, PERP_SLACK_LOWER, 1, first);
        break;
    case PERP_SET_BOX:
        q->fixed[first] = block->lo == block->hi;
        if (isfinite(block->lo) && !q->fixed[first]) {
            slacks_append(q, PERP_SLACK_LOWER, 1, first)->bound = block->lo;
        }
        if (isfinite(block->hi) && !q->fixed[first]) {
            slacks_append(q, PERP_SLACK_UPPER, 1, first)->bound = block->hi;
        }
        break;
    case PERP_SET_CONE:
        if (q->bilinear ||
            block->mu == 0.0) { /* before its friction, as slacks_weight.c */
            slacks_append(q, PERP_SLACK_LOWER, 1, first);
        }
        slacks_append_cone(q, first, first + 1, block->dim, block->mu);
        break;
    case PERP_SET_ROLLING:
        slacks_append(q, PERP_SLACK_LOWER, 1, first);
        slacks_append_cone(q, first, first + 1, 3, block->mu);
        slacks_append_cone(q, first, first + 3, 3, block->mu_rolling);
        break;
    case PERP_SET_DISK:
        q->fixed[first] = q->fixed[first + 1] = block->radius == 0.0;
        if (block->radius > 0.0) {
            slacks_append(q, PERP_SLACK_DISK, 3, first)->bound = block->radius;
        }
        break;
    default: /* FREE */
        break;
    }
}

size_t perp_slacks_most(const perp_set *set)
{
    return set->count + perp_set_count(set, PERP_SET_BOX) +
           perp_set_count(set, PERP_SET_CONE) + 2 * perp_set_count(set, PERP_SET_ROLLING);
}

void perp_slacks_alloc(perp_slacks *q, const perp_set *set, perp_workspace *ws)
{
    q->slack = perp_workspace_alloc(ws, perp_slacks_most(set), sizeof *q->slack);
    q->fixed = perp_workspace_alloc(ws, set->n, sizeof *q->fixed);
}

void perp_slacks_assign(perp_slacks *q, const perp_set *set)
{
    q->count = 0;
    memset(q->fixed, 0, set->n * sizeof *q->fixed);
    for (size_t k = 0; k < set->count; k++) {
        size_t before = q->count;

        slacks_append_block(q, &set->blocks[k]);
        for (size_t i = before; i < q->count; i++) {
            q->slack[i].block = k;
        }
    }
}

/* z moved inside its interval by `margin`, or to the middle of a narrower interval. */
static double slacks_move_inside(const perp_block *block, double z, double margin)
{
    double lo = block->kind == PERP_SET_BOX ? block->lo : 0.0;
    double hi = block->kind == PERP_SET_BOX ? block->hi : INFINITY;
    double half = 0.5 * (hi - lo);

    margin = fmin(margin, half);
    return margin == half ? lo + half : fmin(fmax(z, lo + margin), hi - margin);
}

static void slacks_initialise_block(const perp_block *block, const bool *fixed,
                                    double margin, double *z)
{
    double tail = 0.0;

    z += block->first;
    fixed += block->first;
    switch (block->kind) {
    case PERP_SET_NONNEG:
    case PERP_SET_BOX:
        if (!fixed[0]) {
            z[0] = slacks_move_inside(block, z[0], margin);
        } else {
            z[0] = block->lo;
        }
        break;
    case PERP_SET_CONE:
    case PERP_SET_ROLLING:
        for (unsigned i = 1; i < block->dim; i++) {
            double mu = i < 3 ? block->mu : block->mu_rolling;

            z[i] = fixed[i] ? 0.0 : z[i];
            tail = hypot(tail, z[i] == 0.0 ? 0.0 : z[i] / mu);
        }
        z[0] = fmax(z[0], margin + tail);
        break;
    case PERP_SET_DISK:
        tail = hypot(z[0], z[1]);
        tail = fixed[0] ? 0.0 : fmin(1.0, fmax(0.0, 0.9 * block->radius) / tail);
        z[0] *= tail > 0.0 ? tail : 0.0;
        z[1] *= tail > 0.0 ? tail : 0.0;
        break;
    default:
        break;
    }
}

/* s from z, v from w. */
static void slack_initialise(perp_slack *c, double scale, double least, const double *z,
                             const double *w)
{
    double half = 0.0;

    perp_slack_gather(c, z, c->s);
    switch (c->kind) {
    case PERP_SLACK_LOWER: /* far from its bound the multiplier is small from the start */
        c->s[0] -= c->bound;
        c->v[0] = least * scale * fmin(1.0, least / (scale * c->s[0]));
        c->v[0] = fmax(w[c->first], c->v[0]);
        break;
    case PERP_SLACK_UPPER:
        c->s[0] += c->bound;
        c->v[0] = least * scale * fmin(1.0, least / (scale * c->s[0]));
        c->v[0] = fmax(-w[c->first], c->v[0]);
        break;
    case PERP_SLACK_CONE:
        c->v[1] = w[c->first + 1];
        c->v[2] = c->dim == 3 ? w[c->first + 2] : 0.0;
        half = hypot(c->v[1], c->v[2]);
        c->v[0] = fmax(w[c->first] / c->mu, least * scale / c->mu + half);
        break;
    case PERP_SLACK_DISK:
    case PERP_SLACK_FRICTION: /* of bound 0 */
        c->s[0] += c->bound;
        c->v[1] = w[c->tail];
        c->v[2] = c->dim == 3 ? w[c->tail + 1] : 0.0;
        c->v[0] = least * scale + hypot(c->v[1], c->v[2]);
        break;
    }
}

void perp_slacks_initialise(perp_slacks *q, const perp_set *set, const double *scale,
                            double least, double *z, const double *w)
{
    for (size_t k = 0; k < set->count; k++) {
        const perp_block *block = &set->blocks[k];

        slacks_initialise_block(block, q->fixed, least / scale[block->first], z);
    }
    for (size_t k = 0; k < q->count; k++) {
        slack_initialise(&q->slack[k], scale[q->slack[k].tail], least, z, w);
    }
}

/* The positive root x of x (x - y) = product. */
static double slack_root(double y, double product)
{
    double root = sqrt(y * y + 4.0 * product);

    return y > 0.0 ? 0.5 * (y + root) : 2.0 * product / (root - y);
}

/* s and v = d (s - y) of one cone with s o v = m e. With the spectral decomposition of y that of s
 * has the same axis, and each eigenvalue is a positive root. */
static void slack_center(perp_slack *c, double d, double m, const double *y)
{
    double tail = hypot(y[1], y[2]);
    double low = slack_root(y[0] - tail, m / d);
    double high = slack_root(y[0] + tail, m / d);

    c->s[0] = 0.5 * (high + low);
    c->v[0] = 0.5 * (m / low + m / high);
    for (unsigned i = 1; i < 3; i++) {
        double axis = tail > 0.0 ? y[i] / tail : 0.0;

        c->s[i] = 0.5 * (high - low) * axis;
        c->v[i] = 0.5 * (m / high - m / low) * axis;
    }
}

void perp_slacks_center_cones(perp_slacks *q, const double *d, double m, const double *z0,
                              const double *w, double *z)
{
    for (size_t k = 0; k < q->count; k++) {
        perp_slack *c = &q->slack[k];
        double y[3];

        if (c->kind != PERP_SLACK_CONE) {
            continue;
        }
        perp_slack_gather(c, z0, y);
        y[0] -= w[c->first] / c->mu / d[c->tail];
        for (unsigned i = 1; i < c->dim; i++) {
            y[i] -= w[c->tail + i - 1] / d[c->tail];
        }
        slack_center(c, d[c->tail], m, y);
        z[c->first] = c->s[0] / c->mu;
        memcpy(z + c->tail, c->s + 1, (c->dim - 1) * sizeof *z);
    }
}
