/* SPDX-License-Identifier: Apache-2.0
 * interior/slacks.c: slacks and multipliers on half lines and Lorentz cones. The formulas of
 * the scaling and of the Jordan product are those of [vandenberghe-2010, sections 4 and 5]. */
#include <config.h>

#include "slacks.h"

void perp_slack_gather(const perp_slack *c, const double *x, double *y)
{
    if (c->dim == 1) {
        y[0] = c->kind == PERP_SLACK_LOWER ? x[c->first] : -x[c->first];
        return;
    }
    y[0] = c->kind == PERP_SLACK_DISK ? 0.0 : c->mu * x[c->first];
    y[1] = x[c->tail];
    y[2] = c->dim == 3 ? x[c->tail + 1] : 0.0;
}

/* x += scale E^T y */
static void slack_scatter(const perp_slack *c, double scale, const double *y, double *x)
{
    if (c->dim == 1) {
        x[c->first] += c->kind == PERP_SLACK_LOWER ? scale * y[0] : -scale * y[0];
        return;
    }
    if (c->kind == PERP_SLACK_CONE) {
        x[c->first] += scale * c->mu * y[0];
    }
    for (unsigned i = 1; i < c->dim; i++) {
        x[c->tail + i - 1] += scale * y[i];
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

/* The least eigenvalue of the product of two points of the cone, from its trace 2 x.y and its
 * determinant det x det y. */
static double slack_least_eigenvalue(const double *x, const double *y)
{
    double dot = slack_dot(x, y);
    double det = slack_det(x) * slack_det(y);

    if (!(x[0] > 0.0 && y[0] > 0.0 && slack_det(x) > 0.0 && slack_det(y) > 0.0)) {
        return -1.0;
    }
    return det / (dot + sqrt(fmax(dot * dot - det, 0.0)));
}

double perp_slacks_least_gap(const perp_slacks *q, double t)
{
    double least = INFINITY;

    for (size_t k = 0; k < q->count; k++) {
        const perp_slack *c = &q->slack[k];
        double s[3], v[3];

        for (unsigned i = 0; i < 3; i++) {
            s[i] = c->s[i] + t * c->ds[i];
            v[i] = c->v[i] + t * c->dv[i];
        }
        least = fmin(least, c->dim == 1 ? s[0] * v[0] : slack_least_eigenvalue(s, v));
    }
    return least;
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

/* H[.., j] of the rows of z from c->first on: E^T H G of one FRICTION, dim x dim. */
static void slack_friction_block(const perp_slack *c, unsigned dim, double *H)
{
    unsigned gap = dim - c->dim; /* rows between the normal and the tangents */

    memset(H, 0, (size_t)dim * dim * sizeof *H);
    for (unsigned j = 0; j < c->dim; j++) {
        double unit[3] = {0};
        double column[3];

        unit[j] = j == 0 ? c->mu : 1.0;
        slack_apply_H(c, unit, column);
        memcpy(H + (size_t)(j == 0 ? 0 : j + gap) * dim + 1 + gap, column + 1,
               (c->dim - 1) * sizeof *H);
    }
}

/* The same of one CONE or DISK: symmetric to the bit. */
static void slack_cone_block(const perp_slack *c, unsigned skip, double *H)
{
    unsigned dim = c->dim - skip;

    for (unsigned j = 0; j < dim; j++) {
        double unit[3] = {0};
        double column[3];

        unit[j + skip] = j + skip == 0 ? c->mu : 1.0;
        slack_apply_H(c, unit, column);
        column[0] *= c->mu;
        for (unsigned i = j; i < dim; i++) {
            H[i + j * dim] = H[j + i * dim] = column[i + skip];
        }
    }
}

void perp_slacks_add_scaling(const perp_slacks *q, perp_shifted *K)
{
    for (size_t k = 0; k < q->count; k++) {
        const perp_slack *c = &q->slack[k];
        double H[25] = {c->v[0] / c->s[0]};
        size_t first = c->kind == PERP_SLACK_DISK ? c->tail : c->first;
        unsigned dim = c->kind == PERP_SLACK_DISK ? c->dim - 1 : c->dim;

        if (c->kind == PERP_SLACK_FRICTION) {
            dim = (unsigned)(c->tail - c->first) + c->dim - 1;
            slack_friction_block(c, dim, H);
        } else if (c->dim > 1) {
            slack_cone_block(c, c->kind == PERP_SLACK_DISK, H);
        }
        perp_shifted_add_block(K, first, dim, H);
    }
}

void perp_slacks_predictor(perp_slacks *q)
{
    for (size_t k = 0; k < q->count; k++) {
        perp_slack *c = &q->slack[k];

        for (unsigned i = 0; i < c->dim; i++) {
            c->g[i] = -c->v[i];
            c->q[i] = -c->s[i];
        }
    }
}

void perp_slacks_keep_products(perp_slacks *q)
{
    for (size_t k = 0; k < q->count; k++) {
        perp_slack *c = &q->slack[k];
        double a[3], b[3];

        if (c->dim == 1) {
            c->product[0] = c->ds[0] * c->dv[0];
            continue;
        }
        slack_apply_scaling(c, 1.0, c->ds, a);
        slack_apply_scaling(c, -1.0, c->dv, b);
        slack_jordan(a, b, c->product);
    }
}

void perp_slack_scale(const perp_slack *c, const double *ds, const double *dv, double *a,
                      double *b)
{
    if (c->dim == 1) {
        double root = sqrt(c->v[0] / c->s[0]);

        a[0] = root * ds[0];
        b[0] = dv[0] / root;
        a[1] = a[2] = b[1] = b[2] = 0.0;
        return;
    }
    slack_apply_scaling(c, 1.0, ds, a);
    slack_apply_scaling(c, -1.0, dv, b);
}

static void slack_correct_cone(perp_slack *c, double own, double target, double weight)
{
    double a[3], b[3];

    slack_jordan(c->lambda, c->lambda, b);
    for (unsigned i = 0; i < 3; i++) {
        a[i] = -weight * c->product[i] - own * b[i];
    }
    a[0] += target;
    slack_jordan_divide(c->lambda, a, a);
    slack_apply_scaling(c, 1.0, a, c->g);
    slack_apply_scaling(c, -1.0, a, c->q);
}

void perp_slacks_corrector(perp_slacks *q, double own, double target, double weight)
{
    for (size_t k = 0; k < q->count; k++) {
        perp_slack *c = &q->slack[k];

        if (c->dim == 1) {
            c->g[0] = (target - weight * c->product[0]) / c->s[0] - own * c->v[0];
            c->q[0] = (target - weight * c->product[0]) / c->v[0] - own * c->s[0];
        } else {
            slack_correct_cone(c, own, target, weight);
        }
    }
}

void perp_slacks_add_rhs(const perp_slacks *q, double *rhs)
{
    for (size_t k = 0; k < q->count; k++) {
        slack_scatter(&q->slack[k], 1.0, q->slack[k].g, rhs);
    }
}

void perp_slacks_direction(perp_slacks *q, const double *dz)
{
    for (size_t k = 0; k < q->count; k++) {
        perp_slack *c = &q->slack[k];
        double Hds[3] = {0};

        perp_slack_gather(c, dz, c->ds);
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
