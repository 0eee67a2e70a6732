/* SPDX-License-Identifier: Apache-2.0
 * interior/slacks.c: slacks and multipliers on half lines and Lorentz cones. The formulas of
 * the scaling and of the Jordan product are those of [vandenberghe-2010, sections 4 and 5]. */
#include <config.h>

#include "slacks.h"

/* y := G x for the rows of one slack, without the constant part of s. */
static void slack_gather(const perp_slack *c, const double *x, double *y)
{
    x += c->first;
    switch (c->kind) {
    case PERP_SLACK_LOWER:
        y[0] = x[0];
        break;
    case PERP_SLACK_UPPER:
        y[0] = -x[0];
        break;
    case PERP_SLACK_CONE:
        y[0] = c->mu * x[0];
        y[1] = x[1];
        y[2] = c->dim == 3 ? x[2] : 0.0;
        break;
    case PERP_SLACK_DISK:
        y[0] = 0.0;
        y[1] = x[0];
        y[2] = x[1];
        break;
    }
}

/* x += scale G^T y */
static void slack_scatter(const perp_slack *c, double scale, const double *y, double *x)
{
    x += c->first;
    switch (c->kind) {
    case PERP_SLACK_LOWER:
        x[0] += scale * y[0];
        break;
    case PERP_SLACK_UPPER:
        x[0] -= scale * y[0];
        break;
    case PERP_SLACK_CONE:
        x[0] += scale * c->mu * y[0];
        for (unsigned i = 1; i < c->dim; i++) {
            x[i] += scale * y[i];
        }
        break;
    case PERP_SLACK_DISK:
        x[0] += scale * y[1];
        x[1] += scale * y[2];
        break;
    }
}

static double slack_dot(const double *x, const double *y)
{
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

/* det x = x_0^2 - |x_1|^2 without cancellation of squares. */
static double slack_det(const double *x)
{
    double tail = hypot(x[1], x[2]);

    return (x[0] - tail) * (x[0] + tail);
}

static void slack_jordan(const double *a, const double *b, double *c)
{
    double head = slack_dot(a, b);

    c[1] = a[0] * b[1] + b[0] * a[1];
    c[2] = a[0] * b[2] + b[0] * a[2];
    c[0] = head;
}

/* The y with a o y = c; y may be c. */
static void slack_jordan_divide(const double *a, const double *c, double *y)
{
    double head = (a[0] * c[0] - a[1] * c[1] - a[2] * c[2]) / slack_det(a);

    y[1] = (c[1] - head * a[1]) / a[0];
    y[2] = (c[2] - head * a[2]) / a[0];
    y[0] = head;
}

/* y := W x, or W^-1 x for sign -1; y may be x. */
static void slack_apply_scaling(const perp_slack *c, double sign, const double *x,
                                double *y)
{
    const double *w = c->w;
    double factor = sign > 0.0 ? c->eta : 1.0 / c->eta;
    double tail = w[1] * x[1] + w[2] * x[2];
    double along = sign * x[0] + tail / (1.0 + w[0]);
    double head = w[0] * x[0] + sign * tail;

    y[1] = factor * (x[1] + along * w[1]);
    y[2] = factor * (x[2] + along * w[2]);
    y[0] = factor * head;
}

/* y := H x = eta^2 (2 w (w.x) - J x) */
static void slack_apply_H(const perp_slack *c, const double *x, double *y)
{
    double square = c->eta * c->eta;
    double twice = 2.0 * slack_dot(c->w, x);
    double head = square * (twice * c->w[0] - x[0]);

    y[1] = square * (twice * c->w[1] + x[1]);
    y[2] = square * (twice * c->w[2] + x[2]);
    y[0] = head;
}

static perp_slack *slacks_append(perp_slacks *q, perp_slack_kind kind, unsigned dim,
                                 size_t first)
{
    perp_slack *c = &q->slack[q->count++];

    memset(c, 0, sizeof *c);
    c->kind = kind;
    c->dim = dim;
    c->first = first;
    return c;
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
        for (unsigned i = 1; i < block->dim; i++) {
            q->fixed[first + i] = block->mu == 0.0;
        }
        if (block->mu > 0.0) {
            slacks_append(q, PERP_SLACK_CONE, block->dim, first)->mu = block->mu;
        } else {
            slacks_append(q, PERP_SLACK_LOWER, 1, first);
        }
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

void perp_slacks_alloc(perp_slacks *q, const perp_set *set, perp_workspace *ws)
{
    size_t most = set->count + perp_set_count(set, PERP_SET_BOX);

    q->slack = perp_workspace_alloc(ws, most, sizeof *q->slack);
    q->fixed = perp_workspace_alloc(ws, set->n, sizeof *q->fixed);
}

void perp_slacks_assign(perp_slacks *q, const perp_set *set)
{
    q->count = 0;
    memset(q->fixed, 0, set->n * sizeof *q->fixed);
    for (size_t k = 0; k < set->count; k++) {
        slacks_append_block(q, &set->blocks[k]);
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
        for (unsigned i = 1; i < block->dim; i++) {
            z[i] = fixed[i] ? 0.0 : z[i];
            tail = hypot(tail, z[i]);
        }
        z[0] = fmax(z[0], margin + (tail > 0.0 ? tail / block->mu : 0.0));
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

    slack_gather(c, z, c->s);
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
        c->s[0] = c->bound;
        c->v[1] = w[c->first];
        c->v[2] = w[c->first + 1];
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
        slack_initialise(&q->slack[k], scale[q->slack[k].first], least, z, w);
    }
}

void perp_slacks_subtract_multipliers(const perp_slacks *q, double *w)
{
    for (size_t k = 0; k < q->count; k++) {
        slack_scatter(&q->slack[k], -1.0, q->slack[k].v, w);
    }
}

double perp_slacks_mean_gap(const perp_slacks *q, double t)
{
    double sum = 0.0;

    for (size_t k = 0; k < q->count; k++) {
        const perp_slack *c = &q->slack[k];

        for (unsigned i = 0; i < c->dim; i++) {
            sum += (c->s[i] + t * c->ds[i]) * (c->v[i] + t * c->dv[i]);
        }
    }
    return q->count ? sum / (double)q->count : 0.0;
}

static bool slack_update_cone(perp_slack *c)
{
    double det_s = slack_det(c->s);
    double det_v = slack_det(c->v);
    double s[3], v[3];
    double g = 0.0;

    if (!(det_s > 0.0 && det_v > 0.0 && c->s[0] > 0.0 && c->v[0] > 0.0)) {
        return false;
    }
    for (unsigned i = 0; i < 3; i++) {
        s[i] = c->s[i] / sqrt(det_s);
        v[i] = c->v[i] / sqrt(det_v);
    }
    g = 2.0 * sqrt(0.5 * (1.0 + slack_dot(s, v)));
    c->w[0] = (v[0] + s[0]) / g;
    c->w[1] = (v[1] - s[1]) / g;
    c->w[2] = (v[2] - s[2]) / g;
    c->eta = sqrt(sqrt(det_v / det_s));
    slack_apply_scaling(c, 1.0, c->s, c->lambda);
    return slack_det(c->lambda) > 0.0;
}

bool perp_slacks_update_scaling(perp_slacks *q)
{
    for (size_t k = 0; k < q->count; k++) {
        perp_slack *c = &q->slack[k];

        if (c->dim == 1 ? !(c->s[0] > 0.0 && c->v[0] > 0.0) : !slack_update_cone(c)) {
            return false;
        }
    }
    return true;
}

void perp_slacks_add_scaling(const perp_slacks *q, perp_shifted *K)
{
    for (size_t k = 0; k < q->count; k++) {
        const perp_slack *c = &q->slack[k];
        unsigned skip = c->kind == PERP_SLACK_DISK;
        unsigned dim = c->dim - skip;
        double H[9] = {c->v[0] / c->s[0]};

        for (unsigned j = 0; j < dim && c->dim > 1; j++) {
            double unit[3] = {0};
            double column[3];

            unit[j + skip] = j + skip == 0 ? c->mu : 1.0;
            slack_apply_H(c, unit, column);
            column[0] *= c->mu;
            memcpy(H + (size_t)j * dim, column + skip, dim * sizeof *H);
        }
        perp_shifted_add_block(K, c->first, dim, H);
    }
}

void perp_slacks_predictor_rhs(perp_slacks *q, double *rhs)
{
    for (size_t k = 0; k < q->count; k++) {
        perp_slack *c = &q->slack[k];

        for (unsigned i = 0; i < c->dim; i++) {
            c->g[i] = -c->v[i];
        }
        slack_scatter(c, 1.0, c->g, rhs);
    }
}

static void slack_correct_cone(perp_slack *c, double target)
{
    double a[3], b[3];

    slack_apply_scaling(c, 1.0, c->ds, a);
    slack_apply_scaling(c, -1.0, c->dv, b);
    slack_jordan(a, b, a);
    slack_jordan(c->lambda, c->lambda, b);
    for (unsigned i = 0; i < 3; i++) {
        a[i] = -a[i] - b[i];
    }
    a[0] += target;
    slack_jordan_divide(c->lambda, a, a);
    slack_apply_scaling(c, 1.0, a, c->g);
}

void perp_slacks_corrector_rhs(perp_slacks *q, double target, double *rhs)
{
    for (size_t k = 0; k < q->count; k++) {
        perp_slack *c = &q->slack[k];

        if (c->dim == 1) {
            c->g[0] = (target - c->ds[0] * c->dv[0]) / c->s[0] - c->v[0];
        } else {
            slack_correct_cone(c, target);
        }
        slack_scatter(c, 1.0, c->g, rhs);
    }
}

void perp_slacks_direction(perp_slacks *q, const double *dz)
{
    for (size_t k = 0; k < q->count; k++) {
        perp_slack *c = &q->slack[k];
        double Hds[3] = {0};

        slack_gather(c, dz, c->ds);
        if (c->dim == 1) {
            Hds[0] = c->v[0] / c->s[0] * c->ds[0];
        } else {
            slack_apply_H(c, c->ds, Hds);
        }
        for (unsigned i = 0; i < c->dim; i++) {
            c->dv[i] = c->g[i] - Hds[i];
        }
    }
}

/* The largest t with x + t d in the Lorentz cone: the first root of a t^2 + 2 b t + c. */
static double slack_max_cone_step(const double *x, const double *d)
{
    double a = slack_det(d);
    double b = x[0] * d[0] - x[1] * d[1] - x[2] * d[2];
    double c = slack_det(x);
    double disc = b * b - a * c;

    if (d[0] >= 0.0 && a >= 0.0) {
        return INFINITY; /* d is in the cone */
    }
    if (!(disc > 0.0)) {
        return b < 0.0 ? c / -b : INFINITY;
    }
    if (b < 0.0) {
        return c / (sqrt(disc) - b);
    }
    return a < 0.0 ? (b + sqrt(disc)) / -a : INFINITY;
}

double perp_slacks_max_step(const perp_slacks *q)
{
    double step = INFINITY;

    for (size_t k = 0; k < q->count; k++) {
        const perp_slack *c = &q->slack[k];

        if (c->dim == 1) {
            step = c->ds[0] < 0.0 ? fmin(step, -c->s[0] / c->ds[0]) : step;
            step = c->dv[0] < 0.0 ? fmin(step, -c->v[0] / c->dv[0]) : step;
        } else {
            step = fmin(step, slack_max_cone_step(c->s, c->ds));
            step = fmin(step, slack_max_cone_step(c->v, c->dv));
        }
    }
    return step;
}

void perp_slacks_step(perp_slacks *q, double t)
{
    for (size_t k = 0; k < q->count; k++) {
        perp_slack *c = &q->slack[k];

        for (unsigned i = 0; i < c->dim; i++) {
            c->s[i] += t * c->ds[i];
            c->v[i] += t * c->dv[i];
        }
    }
}
