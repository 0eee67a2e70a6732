/* SPDX-License-Identifier: Apache-2.0
 * interior/arc.c: tangent, centre and curve of the path, and the step along them. */
#include <config.h>

#include "arc.h"

enum {
    SHORTER = 40,  /* times that a step is shortened */
    CENTRINGS = 2, /* in a row: Newton's method need not converge to the path */
};

static const double neighbourhood = 0.1; /* least product, over the mean */
static const double shorten = 0.8;
static const double longest = 2.0;     /* step; m falls by e^2 at most */
static const double m_tolerance = 0.5; /* of m, against the prediction */
static const double centred = 0.1;     /* |c| of a point on the path */
static const double feasible = 1e-10;  /* |rd|, over beta, that a centring removes */
static const double parts[] = {1.0, 0.5, 0.2, 0.05}; /* of c, in this order */

void perp_arc_alloc(perp_arc *a, const perp_path *t, perp_workspace *ws)
{
    perp_arc_direction *all[] = {&a->unit, &a->tangent, &a->centre, &a->curve};

    a->size = t->p->n + 6 * t->slacks.count;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        all[k]->x = perp_workspace_reals(ws, a->size);
    }
}

void perp_arc_start(perp_arc *a)
{
    a->centrings = 0;
    a->length = 0.5 * longest;
}

/* d := the present direction of the path, with m as given. */
static void arc_get(const perp_path *t, double m, perp_arc_direction *d)
{
    double *x = d->x + t->p->n;

    memcpy(d->x, t->dz, t->p->n * sizeof *d->x);
    for (size_t k = 0; k < t->slacks.count; k++, x += 6) {
        memcpy(x, t->slacks.slack[k].ds, 3 * sizeof *x);
        memcpy(x + 3, t->slacks.slack[k].dv, 3 * sizeof *x);
    }
    d->m = m;
}

static void arc_put(const perp_arc_direction *d, perp_path *t)
{
    const double *x = d->x + t->p->n;

    memcpy(t->dz, d->x, t->p->n * sizeof *d->x);
    for (size_t k = 0; k < t->slacks.count; k++, x += 6) {
        memcpy(t->slacks.slack[k].ds, x, 3 * sizeof *x);
        memcpy(t->slacks.slack[k].dv, x + 3, 3 * sizeof *x);
    }
}

/* Mean of the products of the scaled slacks and multipliers, over m, and that of ln m. */
static double arc_dot(const perp_path *t, const perp_arc_direction *d,
                      const perp_arc_direction *e)
{
    const double *x = d->x + t->p->n;
    const double *y = e->x + t->p->n;
    double sum = 0.0;

    for (size_t k = 0; k < t->slacks.count; k++, x += 6, y += 6) {
        double a[3], b[3], c[3], f[3];

        perp_slack_scale(&t->slacks.slack[k], x, x + 3, a, b);
        perp_slack_scale(&t->slacks.slack[k], y, y + 3, c, f);
        for (unsigned i = 0; i < 3; i++) {
            sum += a[i] * c[i] + b[i] * f[i];
        }
    }
    return sum / (t->gap * (double)(2 * t->slacks.count)) +
           d->m * e->m / (t->gap * t->gap);
}

/* e := e_factor e + factor d */
static void arc_combine(const perp_arc *a, double e_factor, double factor,
                        const perp_arc_direction *d, perp_arc_direction *e)
{
    for (size_t i = 0; i < a->size; i++) {
        e->x[i] = e_factor * e->x[i] + factor * d->x[i];
    }
    e->m = e_factor * e->m + factor * d->m;
}

/* d := the present direction at constant m, made orthogonal to the tangent along u. */
static void arc_orthogonal(const perp_arc *a, const perp_path *t, perp_arc_direction *d)
{
    arc_get(t, 0.0, d);
    arc_combine(a, 1.0, -arc_dot(t, &a->tangent, d) / arc_dot(t, &a->tangent, &a->unit),
                &a->unit, d);
}

/* u, t, c and k; false where one of them is not finite. */
static bool arc_directions(perp_arc *a, perp_path *t)
{
    bool infeasible = t->infeasibility > feasible * t->beta;
    double scale = perp_ipm_kkt_negative(&t->kkt) ? 1.0 : -1.0;

    if (!perp_path_direct(t, infeasible ? -1.0 / t->gap : 0.0, 0.0, 1.0, 0.0)) {
        return false;
    }
    arc_get(t, 1.0, &a->unit);
    scale /= sqrt(arc_dot(t, &a->unit, &a->unit));
    arc_combine(a, 0.0, scale, &a->unit, &a->tangent);
    arc_put(&a->tangent, t);
    perp_slacks_keep_products(&t->slacks);
    if (!perp_path_direct(t, infeasible ? 0.0 : 1.0, 1.0, t->gap, 0.0)) {
        return false;
    }
    arc_orthogonal(a, t, &a->centre);
    if (!perp_path_direct(t, 0.0, 0.0, 0.0, 1.0)) {
        return false;
    }
    arc_orthogonal(a, t, &a->curve);
    return isfinite(scale);
}

/* The direction part c + h t + h^2 k; whether it ends near the path. */
static bool arc_try(perp_arc *a, perp_path *t, double part, double h)
{
    perp_arc_direction *d = &a->unit;
    double m = 0.0;

    arc_combine(a, 0.0, part, &a->centre, d);
    arc_combine(a, 1.0, h, &a->tangent, d);
    arc_combine(a, 1.0, h * h, &a->curve, d);
    arc_put(d, t);
    m = perp_slacks_mean_gap(&t->slacks, 1.0);
    return m > 0.0 && fabs(m - (t->gap + d->m)) <= m_tolerance * m &&
           perp_slacks_least_gap(&t->slacks, 1.0) >= neighbourhood * m;
}

/* A step to the path alone, with as much of c as stays near it. */
static bool arc_centre(perp_arc *a, perp_path *t)
{
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
        if (arc_try(a, t, parts[p], 0.0)) {
            return true;
        }
    }
    return false;
}

/* The longest step; false where there is none. */
static bool arc_search(perp_arc *a, perp_path *t)
{
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
        double h = fmin(longest, 2.0 * a->length);

        for (size_t k = 0; k < SHORTER; k++, h *= shorten) {
            if (arc_try(a, t, parts[p], h)) {
                a->length = h;
                return true;
            }
        }
    }
    return false;
}

bool perp_arc_step(perp_arc *a, perp_path *t)
{
    bool off = false;
    bool done = false;

    if (t->slacks.count == 0 || !(t->gap > 0.0) || !arc_directions(a, t)) {
        return false;
    }
    off = arc_dot(t, &a->centre, &a->centre) > centred * centred;
    a->centrings = off && a->centrings < CENTRINGS ? a->centrings + 1 : 0;
    done = (a->centrings > 0 && arc_centre(a, t)) || arc_search(a, t);
    t->step = 1.0;
    return done && perp_all_finite(t->dz, t->p->n);
}
