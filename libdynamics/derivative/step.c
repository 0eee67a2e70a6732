/* SPDX-License-Identifier: Apache-2.0
 * derivative/step.c: a step made for its derivative.
 *
 * The sequence of perp_stepper_step up to the impulses, on the world as it stands:
 * contacts, problem, solution. Then what all directions share:
 * velocities of links for unit rates, rows as they act on rates, forces that the links
 * feel with impulses spread over the step, and the two recursions that are
 * differentiated. All of it is done to copies of the state. */
#include <config.h>

#include <stdlib.h>

#include "base/base.h"
#include "derivative/step.h"
#include "problem/parts.h"
#include "step/integrate.h"
#include "step/stepper.h"

void perp_step_gradient_free(perp_step_gradient *g)
{
    if (g) {
        perp_state_free(g->state);
        perp_state_free(g->beside);
        perp_collider_free(g->collider);
        perp_contacts_clear(&g->contacts);
        perp_contacts_clear(&g->moved);
        perp_free_motion_clear(&g->motion);
        perp_system_clear(&g->system);
        perp_rows_clear(&g->rows);
        perp_result_free(g->result);
        perp_sensitivity_free(g->gradient);
        tangent_clear(&g->guess[0]);
        tangent_clear(&g->guess[1]);
        tangent_clear(&g->now);
        tangent_clear(&g->end);
        free(g->block);
        free(g->Jr);
        free(g->dz_db);
        free(g->found);
        free(g);
    }
}

static perp_status step_refuse(perp_error *err, const char *what, const char *found)
{
    return perp_fail(err, PERP_ERR_UNSUITABLE, "gradient: %s, found %s", what, found);
}

static perp_status step_check(const perp_world *w, const perp_scheme *s, perp_error *err)
{
    TRY(perp_scheme_check(s, err));
    if (!w->reduced) {
        return perp_fail(
            err, PERP_ERR_UNSUITABLE,
            "gradient: the world is in maximal coordinates, expected reduced ones");
    }
    for (size_t k = 0; k < w->body_count; k++) {
        if (w->motion[k] == PERP_MOTION_DYNAMIC && perp_world_link(w, k) < 0) {
            return perp_fail(err, PERP_ERR_UNSUITABLE,
                             "gradient: body \"%s\" is in no tree, expected a world "
                             "reduced with free bodies included",
                             w->name[k]);
        }
    }
    for (size_t k = 0; k < PERP_JOINT_AXES * w->joint_count; k++) {
        const perp_joint *joint = &w->joints[k / PERP_JOINT_AXES];

        if (joint->axes[k % PERP_JOINT_AXES].gear.ratio != 0.0) {
            return step_refuse(err, "expected joints without gears", joint->name);
        }
    }
    if (s->integrator != PERP_INTEGRATOR_SEMI_IMPLICIT) {
        return step_refuse(err, "expected the semi-implicit integrator",
                           perp_integrator_names[s->integrator]);
    }
    if (s->restitution == PERP_RESTITUTION_POISSON) {
        return step_refuse(err, "expected restitution by Newton or Moreau", "poisson");
    }
    if (s->stabilize != PERP_STABILIZE_BAUMGARTE && s->stabilize != PERP_STABILIZE_NONE) {
        return step_refuse(err, "expected stabilisation by baumgarte or none",
                           perp_stabilize_names[s->stabilize]);
    }
    return PERP_OK;
}

/* Contacts, and the problem of a step. */
static perp_status formulate(perp_step_gradient *g, perp_error *err)
{
    const perp_collide_settings settings = collide_settings_of(&g->scheme);
    const step_formulation f = {.world = g->world,
                                .state = g->state,
                                .scheme = &g->scheme,
                                .contacts = &g->contacts,
                                .motion = &g->motion,
                                .system = &g->system};
    perp_state *at = NULL;
    perp_status status =
        perp_collider_run(g->collider, g->world, g->state, &settings, &g->contacts, err);

    status = status == PERP_OK ? step_formulate(&f, &at, err) : status;
    g->m = g->system.rows.count;
    return status;
}

/* The derivative of the impulses. A row that fails is called by its name, which takes labels. */
static perp_status step_derive(perp_step_gradient *g, const perp_sensitivity_options *how,
                               perp_error *err)
{
    perp_problem *p = &g->system.problem;
    perp_error failed = {0};
    perp_status status =
        perp_sensitivity_new(&g->gradient, p, g->result->z, how, &failed);

    if (status != PERP_ERR_DATA || p->labels) {
        return status == PERP_OK ? status : perp_fail(err, status, "%s", failed.text);
    }
    if (system_labels(&g->system, g->world, &g->contacts, p->set, NULL, &p->labels,
                      err) == PERP_OK) {
        status = perp_sensitivity_new(&g->gradient, p, g->result->z, how, err);
    }
    perp_labels_free(p->labels);
    p->labels = NULL;
    return status;
}

static perp_status solve(perp_step_gradient *g, const perp_solver_type *solver,
                         const perp_options *opt, const perp_sensitivity_options *how,
                         perp_error *err)
{
    const perp_problem *p = &g->system.problem;
    perp_status status = perp_result_new(&g->result, p->n, err);

    if (status == PERP_OK) {
        status = perp_solve(solver, p, opt, g->result, err);
    }
    if (status == PERP_OK && g->result->outcome != PERP_SOLVED) {
        status = perp_fail(err, PERP_ERR_DATA, "gradient: the step was not solved: %s",
                           g->result->reason);
    }
    return status == PERP_OK ? step_derive(g, how, err) : status;
}

/* The next `count` numbers of the block. */
static double *step_part(double **at, size_t count)
{
    double *x = *at;

    *at += count;
    return x;
}

static perp_status step_take(perp_step_gradient *g, perp_error *err)
{
    const size_t n = g->n, bodies = g->world->body_count, links = g->tree->count;
    const size_t m = g->m, rows = g->system.problem.n,
                 blocks = g->system.rows.block_count;
    double *at = NULL;

    g->block =
        math_alloc(9 * n + 18 * bodies + 18 * links + 6 * links * n + 51 * m + 2 * rows,
                   sizeof *g->block);
    g->Jr = math_alloc(m * n, sizeof *g->Jr);
    g->found = math_alloc(2 * blocks, sizeof *g->found);
    if (!g->block || !g->Jr || !g->found) {
        return perp_fail(err, PERP_ERR_MEMORY,
                         "gradient: no memory for %zu coordinates and %zu rows", n, m);
    }
    at = g->block;
    g->u_plus = step_part(&at, 6 * bodies);
    g->ahead.f = step_part(&at, 6 * bodies);
    g->behind.f = step_part(&at, 6 * bodies);
    g->nu = step_part(&at, n);
    g->nu_dot = step_part(&at, n);
    g->nu_plus = step_part(&at, n);
    g->dnu = step_part(&at, n);
    g->drate = step_part(&at, n);
    g->dtau = step_part(&at, n);
    g->x = step_part(&at, n);
    g->v = step_part(&at, n);
    g->zero = step_part(&at, n);
    g->forces = step_part(&at, 6 * links);
    g->du = step_part(&at, 6 * links);
    g->df = step_part(&at, 6 * links);
    g->unit = step_part(&at, 6 * links * n);
    g->J = step_part(&at, 12 * m);
    g->dJ = step_part(&at, 12 * m);
    g->dbias = step_part(&at, m);
    g->ahead.J = step_part(&at, 12 * m);
    g->ahead.bias = step_part(&at, m);
    g->behind.J = step_part(&at, 12 * m);
    g->behind.bias = step_part(&at, m);
    g->dr = step_part(&at, rows);
    g->dz = step_part(&at, rows);
    g->ahead.found = g->found;
    g->behind.found = g->found + blocks;
    return PERP_OK;
}

/* Velocities of links for unit rates; rows as they act on rates. */
static void step_jacobians(perp_step_gradient *g)
{
    const size_t links = 6 * g->tree->count;

    for (size_t j = 0; j < g->n; j++) {
        g->x[j] = 1.0;
        perp_articulation_velocities(g->tree, g->x, false, g->unit + links * j);
        g->x[j] = 0.0;
    }
    for (size_t e = 0; e < 2 * g->m; e++) {
        const int32_t body = perp_rows_bodies(&g->system.rows, e / 2)[e % 2];
        const int32_t link = body < 0 ? -1 : perp_world_link(g->world, (size_t)body);

        for (size_t j = 0; link >= 0 && j < g->n; j++) {
            for (size_t c = 0; c < 6; c++) {
                g->Jr[e / 2 * g->n + j] +=
                    g->J[6 * e + c] * g->unit[links * j + 6 * (size_t)link + c];
            }
        }
    }
}

/* nu+ = nu_free + N H^-1 J_r^T z. */
static void step_velocities_after(perp_step_gradient *g)
{
    const double *nu_free = g->motion.u + 6 * g->world->body_count;

    for (size_t r = 0; r < g->m; r++) {
        for (size_t i = 0; i < g->n; i++) {
            g->dtau[i] += g->Jr[r * g->n + i] * g->result->z[r];
        }
    }
    perp_articulation_solve_mass(g->tree, g->dtau, NULL, g->x, NULL);
    perp_articulation_quasi(g->tree, g->x, g->x);
    perp_articulation_quasi(g->tree, g->qd, g->nu);
    for (size_t i = 0; i < g->n; i++) {
        g->nu_plus[i] = nu_free[i] + g->x[i];
        g->nu_dot[i] = (g->nu_plus[i] - g->nu[i]) / g->scheme.dt;
    }
}

/* Forces but gravity, which the recursion knows; impulses over dt. */
static void step_forces_of(perp_step_gradient *g)
{
    perp_world_forces(g->world, g->state, false, g->ahead.f);
    step_gradient_links(g, g->ahead.f, g->forces);
    for (size_t k = 0; k < g->tree->count; k++) {
        vec3_add(g->forces + 6 * k, -g->tree->links[k].mass, g->tree->gravity,
                 g->forces + 6 * k);
    }
}

/* v := velocities at which the free motion took velocity terms, nu + dt/2 of the acceleration
 * that the guess before has without impulses. */
static perp_status step_guesses(perp_step_gradient *g, perp_error *err)
{
    perp_status status = PERP_OK;

    g->passes = trees_passes(g->tree, g->scheme.dt);
    memcpy(g->v, g->nu, g->n * sizeof *g->v);
    for (int k = 0; status == PERP_OK && k < g->passes; k++) {
        tangent *t = &g->guess[k];

        status = tangent_new(t, g->tree, err);
        if (status == PERP_OK) {
            status = tangent_place(t, g->v, NULL, g->forces, g->dtau, err);
        }
        if (status == PERP_OK) { /* ID is affine in the acceleration */
            perp_articulation_solve_mass(g->tree, g->dtau, NULL, g->x, NULL);
            perp_articulation_quasi(g->tree, g->x, g->x);
            for (size_t i = 0; i < g->n; i++) {
                g->x[i] = -g->x[i];
            }
            status = tangent_place(t, g->v, g->x, g->forces, NULL, err);
        }
        for (size_t i = 0; i < g->n; i++) {
            g->v[i] = g->nu[i] + 0.5 * g->scheme.dt * g->x[i];
        }
    }
    return status;
}

static perp_status step_prepare(perp_step_gradient *g, perp_error *err)
{
    const perp_world *w = g->world;
    const perp_state *state = g->state;
    perp_status status = tangent_new(&g->now, g->tree, err);

    status = status == PERP_OK ? tangent_new(&g->end, g->tree, err) : status;
    status = status == PERP_OK ? perp_articulation_update(g->tree, err) : status;
    status = status == PERP_OK ? perp_articulation_factor(g->tree, 0.0, err) : status;
    if (status != PERP_OK) {
        return status;
    }
    step_gradient_J(&g->system.rows, 0, g->m, g->J);
    step_jacobians(g);
    step_velocities_after(g);
    step_forces_of(g);
    status = step_guesses(g, err);
    if (status == PERP_OK) {
        step_gradient_impulses(g, g->J, g->forces);
        status = tangent_place(&g->now, g->v, g->nu_dot, g->forces, NULL, err);
    }
    if (status == PERP_OK) {
        status = tangent_place(&g->end, g->nu_plus, NULL, NULL, NULL, err);
    }
    memcpy(g->u_plus, state->u, 6 * w->body_count * sizeof *state->u);
    for (size_t k = 0; k < g->tree->count; k++) {
        double *u = g->u_plus + 6 * w->reduced->body[k];

        vec3_copy(u, g->end.links[k].v);
        vec3_copy(u + 3, g->end.links[k].omega);
    }
    return status;
}

/* *copy := a state of its own. */
static perp_status copy_state(perp_state **copy, const perp_world *world,
                              const perp_state *state, perp_error *err)
{
    perp_status status = perp_state_new(copy, world, err);

    return status == PERP_OK ? perp_state_copy(*copy, state, err) : status;
}

/* The step, at a copy of this state; then the copies are of one chart. */
static perp_status step_make(perp_step_gradient *g, const perp_state *state,
                             const perp_solver_type *solver, const perp_options *opt,
                             const perp_sensitivity_options *how, perp_error *err)
{
    perp_status status = PERP_OK;

    TRY(copy_state(&g->state, g->world, state, err));
    g->tree = g->state->trees;
    g->n = g->tree->n;
    g->q = g->tree->q;
    g->qd = g->tree->qd;
    g->switch_chart = g->tree->switch_chart;
    perp_world_refresh(g->world, g->state);
    status = perp_collider_new(&g->collider, err);
    status = status == PERP_OK ? formulate(g, err) : status;
    if (status == PERP_OK && g->m > 0) {
        status = solve(g, solver, opt, how, err);
    }
    g->tree->switch_chart = false;
    status = status == PERP_OK ? copy_state(&g->beside, g->world, g->state, err) : status;
    status = status == PERP_OK ? step_take(g, err) : status;
    return status == PERP_OK ? step_prepare(g, err) : status;
}

perp_status perp_step_gradient_new(perp_step_gradient **out, const perp_world *world,
                                   const perp_state *state, const perp_scheme *scheme,
                                   const perp_solver_type *solver,
                                   const perp_options *opt,
                                   const perp_sensitivity_options *how, perp_error *err)
{
    perp_step_gradient *g = NULL;
    perp_status status = world_state_check(state, world, err);

    *out = NULL;
    if (status == PERP_OK) {
        status = step_check(world, scheme, err);
    }
    if (status != PERP_OK) {
        return status;
    }
    g = calloc(1, sizeof *g);
    if (!g) {
        return perp_fail(err, PERP_ERR_MEMORY, "gradient: no memory for a step");
    }
    g->world = world;
    g->scheme = *scheme;
    status = step_make(g, state, solver, opt, how, err);
    if (status != PERP_OK) {
        perp_step_gradient_free(g);
        return status;
    }
    *out = g;
    return PERP_OK;
}

void perp_step_gradient_after(const perp_step_gradient *g, double *q, double *qd)
{
    double place[PERP_MOBILIZER_DOF];
    double rate[PERP_MOBILIZER_DOF];

    for (size_t k = 0; k < g->tree->count; k++) {
        const perp_link *link = &g->tree->links[k];
        const size_t at = g->tree->first[k];
        const size_t bytes = link->mobilizer->dof * sizeof *place;

        joint_step(link, g->q + at, g->nu_plus + at, g->scheme.dt, g->switch_chart, place,
                   rate);
        if (q) {
            memcpy(q + at, place, bytes);
        }
        if (qd) {
            memcpy(qd + at, rate, bytes);
        }
    }
}

void perp_step_gradient_load(const perp_step_gradient *g, const double *load,
                             double *dtau)
{
    const size_t links = 6 * g->tree->count;

    for (size_t j = 0; j < g->n; j++) {
        dtau[j] = 0.0;
        for (size_t e = 0; e < links; e++) {
            dtau[j] += g->unit[links * j + e] *
                       load[6 * (size_t)g->world->reduced->body[e / 6] + e % 6];
        }
    }
}

const perp_system *perp_step_gradient_system(const perp_step_gradient *g)
{
    return &g->system;
}

perp_sensitivity *perp_step_gradient_solution(const perp_step_gradient *g)
{
    return g->gradient;
}
