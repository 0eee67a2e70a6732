/* SPDX-License-Identifier: Apache-2.0
 * step/trees.c: integration of bodies in reduced coordinates.
 *
 *     H(q) qdd + c(q, qd) = tau + J^T f,    nu = N(q) dq/dt,    dnu/dt = N qdd + dN/dt qd
 *
 * with f the forces of the world, including weight (in place of the gravity of the
 * trees), and tau springs and dampers of joints. Velocities are stored as nu, for a
 * rotation the angular velocity in axes of the child. A chart switch does not change nu,
 * a constant nu moves q exactly by the exponential, and in a free spin nu obeys Euler's
 * equations for any q. All centrifugal and gyroscopic terms of links are in c(q, qd).
 * Charts are switched before a step, never between stages, which must use one chart.
 * [featherstone-2008] */
#include <config.h>

#include <math.h>

#include "articulation/articulated.h"
#include "base/base.h"
#include "reduced/reduced.h"
#include "step/integrate.h"

/* Bodies, and what trees hang on, by q and qd; axes of joints are not looked at. */
static perp_status trees_place_links(const perp_world *w, perp_state *state,
                                     perp_error *err)
{
    perp_status status = PERP_OK;

    reduced_base(w, state);
    status = perp_articulation_update(state->trees, err);
    if (status == PERP_OK) {
        reduced_put_bodies(w, state);
    }
    return status;
}

perp_status trees_begin(perp_free_motion *motion, const perp_world *w, perp_state *state,
                        perp_error *err)
{
    perp_articulation *tree = state->trees;
    perp_status status = PERP_OK;

    reduced_base(w, state);
    status = perp_articulation_update(tree, err);
    memcpy(motion->s + 7 * w->body_count, tree->q, tree->n * sizeof *tree->q);
    perp_articulation_quasi(tree, tree->qd, motion->u + 6 * w->body_count);
    return status;
}

perp_status trees_free(perp_free_motion *motion, const perp_world *w,
                       const perp_state *state, perp_error *err)
{
    const perp_reduced *r = w->reduced;
    double *qd = motion->trees;
    double *links = qd + state->trees->n;

    TRY(perp_articulation_rates(state->trees, motion->u + 6 * w->body_count, qd, err));
    perp_articulation_velocities(state->trees, qd, true, links);
    for (size_t k = 0; k < state->trees->count; k++) {
        memcpy(motion->u + 6 * r->body[k], links + 6 * k, 6 * sizeof *links);
    }
    return PERP_OK;
}

/* Copy the six numbers of the body of each link. */
static void trees_gather_links(const perp_reduced *r, const double *bodies, double *links)
{
    for (size_t k = 0; k < r->tree->count; k++) {
        memcpy(links + 6 * k, bodies + 6 * r->body[k], 6 * sizeof *links);
    }
}

perp_status trees_accelerations(const perp_free_motion *motion, const perp_world *w,
                                const perp_state *state, const double *f, double *nu_dot,
                                perp_error *err)
{
    static const double none[3] = {0.0, 0.0, 0.0};
    perp_articulation *tree = state->trees;
    double *tau = motion->trees;
    double *links = tau + tree->n;
    perp_status status = PERP_OK;

    trees_gather_links(w->reduced, f, links);
    memset(tau, 0, tree->n * sizeof *tau);
    perp_articulation_passive(tree, tau);
    status = articulated_aba(tree, none, tau, links, nu_dot, err);
    if (status == PERP_OK) {
        perp_articulation_quasi_rate(tree, nu_dot, nu_dot);
    }
    return status;
}

/* How often velocity terms are evaluated again. Turning by th in a step, a velocity that
 * rotates grows by th^2/2 of it with those of the start, by th^4/8 with those of the
 * first guess of the middle, and shrinks by th^4/8 from the second on, up to th = 2. As
 * few passes as let it grow by less than 1e-6 in a step. */
int trees_passes(const perp_articulation *tree, double h)
{
    double square = 0.0;

    for (size_t k = 0; k < tree->count; k++) {
        const double *omega = tree->u + 6 * k + 3;

        square = fmax(square, vec3_dot(omega, omega));
    }
    square *= h * h;
    return square <= 2e-6 ? 0 : square * square <= 8e-6 ? 1 : 2;
}

perp_status trees_middle(const perp_free_motion *motion, const perp_world *w,
                         const perp_state *state, double h, const double *f,
                         double *nu_dot, perp_error *err)
{
    perp_articulation *tree = state->trees;
    const double *nu = motion->u + 6 * w->body_count;
    int passes = trees_passes(tree, h);
    perp_status status = trees_accelerations(motion, w, state, f, nu_dot, err);

    for (; status == PERP_OK && passes > 0; passes--) {
        for (size_t c = 0; c < tree->n; c++) {
            tree->qd[c] = nu[c] + 0.5 * h * nu_dot[c];
        }
        status = perp_articulation_rates(tree, tree->qd, tree->qd, err);
        if (status == PERP_OK) {
            status = articulated_speeds(tree, err);
        }
        if (status == PERP_OK) {
            status = trees_accelerations(motion, w, state, f, nu_dot, err);
        }
    }
    return status;
}

perp_status trees_place(const perp_world *w, perp_state *state, const double *q,
                        const double *nu, perp_error *err)
{
    perp_articulation *tree = state->trees;
    perp_status status = PERP_OK;

    memcpy(tree->q, q, tree->n * sizeof *q);
    status = perp_articulation_rates(tree, nu, tree->qd, err);
    return status == PERP_OK ? trees_place_links(w, state, err) : status;
}

void trees_drift(const perp_state *state, const double *nu, double dt, double *q)
{
    const perp_articulation *tree = state->trees;

    for (size_t k = 0; k < tree->count; k++) {
        const perp_link *link = &tree->links[k];
        size_t first = tree->first[k];

        if (link->mobilizer->drift) {
            link->mobilizer->drift(link->axes, q + first, nu + first, dt);
        } else {
            for (size_t c = first; c < tree->first[k + 1]; c++) {
                q[c] += dt * nu[c];
            }
        }
    }
}

/* nu that gives links the velocities in u, 6 a body; links: scratch, 6 a link. */
static perp_status trees_velocities(const perp_world *w, const perp_state *state,
                                    const double *u, double *links, double *nu,
                                    perp_error *err)
{
    const perp_reduced *r = w->reduced;
    perp_articulation *tree = state->trees;
    perp_status status = PERP_OK;

    /* also of the base body; correction velocities exclude its prescribed motion */
    for (size_t k = 0; k < tree->count; k++) {
        if (r->hangs_on[k] >= 0) {
            memcpy(tree->base_u + 6 * k, u + 6 * r->hangs_on[k], 6 * sizeof *u);
        }
    }
    trees_gather_links(r, u, links);
    status = articulated_fit_rates(tree, links, nu, err);
    if (status == PERP_OK) {
        perp_articulation_quasi(tree, nu, nu);
    }
    return status;
}

/* pushed[k] := 1 for a link of a tree in which rows changed a velocity, else 0; whether any is. */
static bool trees_find_pushed(const perp_free_motion *motion, const perp_world *w,
                              const perp_state *state, const double *u_plus,
                              double *pushed)
{
    const perp_articulation *tree = state->trees;
    bool any = false;

    for (size_t k = 0; k < tree->count; k++) {
        const size_t at = 6 * (size_t)w->reduced->body[k];

        pushed[k] = memcmp(u_plus + at, motion->u + at, 6 * sizeof *u_plus) != 0;
        any = any || pushed[k] > 0.0;
    }
    for (size_t k = tree->count; any && k > 0;
         k--) { /* up to the root, then down again */
        const int32_t parent = tree->links[k - 1].parent;

        if (parent >= 0) {
            pushed[parent] = fmax(pushed[parent], pushed[k - 1]);
        }
    }
    for (size_t k = 0; any && k < tree->count; k++) {
        const int32_t parent = tree->links[k].parent;

        pushed[k] = parent >= 0 ? pushed[parent] : pushed[k];
    }
    return any;
}

/* Coordinates of links that rows act on, by the mean of nu before and after; `mean` is nu before. */
static void trees_finish_pushed(const perp_free_motion *motion, const perp_world *w,
                                perp_state *state, const perp_scheme *scheme,
                                const double *pushed, double *mean, double *nu)
{
    perp_articulation *tree = state->trees;
    const double *free_q = motion->s + 7 * w->body_count;
    const double *free_nu = motion->u + 6 * w->body_count;
    const double share = integrate_end_share(scheme);

    for (size_t c = 0; c < tree->n; c++) {
        mean[c] = (1.0 - share) * mean[c] + share * nu[c];
    }
    trees_drift(state, mean, scheme->dt, tree->q);
    for (size_t k = 0; k < tree->count; k++) {
        const size_t first = tree->first[k];
        const size_t count = tree->first[k + 1] - first;

        if (pushed[k] == 0.0) {
            memcpy(tree->q + first, free_q + first, count * sizeof *nu);
            memcpy(nu + first, free_nu + first, count * sizeof *nu);
        }
    }
}

perp_status trees_finish(const perp_free_motion *motion, const perp_world *w,
                         perp_state *state, const double *u_plus,
                         const perp_scheme *scheme, perp_error *err)
{
    perp_articulation *tree = state->trees;
    const double *free_nu = motion->u + 6 * w->body_count;
    double *before = motion->trees;
    double *links = before + tree->n; /* scratch of velocities, then which are pushed */
    double *nu = tree->qd;

    if (!trees_find_pushed(motion, w, state, u_plus, links)) {
        memcpy(nu, free_nu, tree->n * sizeof *nu);
        if (motion->positions) {
            memcpy(tree->q, motion->s + 7 * w->body_count, tree->n * sizeof *nu);
        } else {
            trees_drift(state, nu, scheme->dt, tree->q);
        }
        return perp_articulation_rates(tree, nu, tree->qd, err);
    }
    perp_articulation_quasi(tree, tree->qd, before);
    TRY(trees_velocities(w, motion->middle ? motion->moving : state, u_plus, links, nu,
                         err));
    if (motion->positions) {
        trees_find_pushed(motion, w, state, u_plus, links);
        trees_finish_pushed(motion, w, state, scheme, links, before, nu);
    } else {
        trees_drift(state, nu, scheme->dt, tree->q);
    }
    return perp_articulation_rates(tree, nu, tree->qd, err);
}

perp_status trees_set_velocities(const perp_free_motion *motion, const perp_world *w,
                                 perp_state *state, const double *u, perp_error *err)
{
    perp_articulation *tree = state->trees;
    perp_status status =
        trees_velocities(w, state, u, motion->trees + tree->n, tree->qd, err);

    return status == PERP_OK ? perp_articulation_rates(tree, tree->qd, tree->qd, err)
                             : status;
}

perp_status trees_move(const perp_world *w, perp_state *state, const double *u, double dt,
                       perp_error *err)
{
    perp_articulation *tree = state->trees;
    double *push = state->work + 6 * tree->count;

    TRY(trees_velocities(w, state, u, state->work, push, err));
    perp_articulation_quasi(tree, tree->qd, tree->qd);
    trees_drift(state, push, dt, tree->q);
    return perp_articulation_rates(tree, tree->qd, tree->qd, err);
}
