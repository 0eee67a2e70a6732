/* SPDX-License-Identifier: Apache-2.0
 * step/formulate.c: the problem of a step, before anything is solved or moved.
 *
 *     free motion u_free, rows J and bias, A = J M^-1 J^T + C, b = J u_free - bias
 *
 * The stepper, the gradient of a step and perp_step_formulate share step_formulate, so
 * that they have the same bits. */
#include <config.h>

#include "base/base.h"
#include "collision/collider.h"
#include "joints/softness.h"
#include "problem/parts.h"
#include "reduced/reduced.h"
#include "step/stepper.h"

/* The first body whose entries of x (NULL: not asked) are not finite, and which; or false. */
static bool formulate_find_nonfinite(const perp_world *w, const double *s,
                                     const double *u, size_t *body, const char **what)
{
    for (size_t k = 0; k < w->body_count; k++) {
        *body = k;
        if (s && !math_finite(s + 7 * k, 3)) {
            *what = "position";
        } else if (s && !math_finite(s + 7 * k + 3, 4)) {
            *what = "orientation";
        } else if (u && !math_finite(u + 6 * k, 3)) {
            *what = "velocity";
        } else if (u && !math_finite(u + 6 * k + 3, 3)) {
            *what = "angular velocity";
        } else {
            continue;
        }
        return true;
    }
    return false;
}

perp_status step_check_finite(const perp_world *world, const double *s, const double *u,
                              double t, size_t step, perp_error *err)
{
    size_t body = 0;
    const char *what = "";

    if (!formulate_find_nonfinite(world, s, u, &body, &what)) {
        return PERP_OK;
    }
    return step > 0 ? perp_fail(err, PERP_ERR_DATA,
                                "body \"%s\": %s is not finite at t = %.9g, step %zu",
                                world->name[body], what, t, step)
                    : perp_fail(err, PERP_ERR_DATA,
                                "body \"%s\": %s is not finite at t = %.9g",
                                world->name[body], what, t);
}

void step_track_joints(const perp_world *world, perp_state *state)
{
    for (size_t k = 0; k < world->joint_count; k++) {
        if (!reduced_tells_axes(world, k)) {
            perp_joint_track(&world->joints[k], world, state,
                             perp_joint_axes_of(state, k));
        }
    }
}

void step_refresh(const perp_world *world, perp_state *state)
{
    perp_world_refresh(world, state);
    step_track_joints(world, state);
}

/* Trees are made of joints and bodies that work. */
static perp_status formulate_check_enabled(const perp_world *w, perp_error *err)
{
    const perp_reduced *r = w->reduced;

    for (size_t k = 0; r && k < w->body_count; k++) {
        if (w->disabled[k] && perp_world_link(w, k) >= 0) {
            return perp_fail(err, PERP_ERR_UNSUITABLE,
                             "body \"%s\": disabled, but part of a tree, expected a "
                             "world that was reduced without it",
                             w->name[k]);
        }
    }
    for (size_t k = 0; r && k < w->joint_count; k++) {
        const perp_joint *joint = &w->joints[k];

        if (k < r->joints && r->joint_link[k] >= 0 && !joint_is_enabled(joint, w)) {
            return perp_fail(
                err, PERP_ERR_UNSUITABLE,
                "joint \"%s\": it or one of its bodies is disabled, but it is eliminated "
                "in a tree, expected a world that was reduced without it",
                joint->name);
        }
    }
    return PERP_OK;
}

/* Impulses on trees change velocities by H^-1, which knows nothing of implicit forces. */
static perp_status formulate_check_implicit(const step_formulation *f, perp_error *err)
{
    if (!f->motion->trees_implicit || f->system->rows.count == 0) {
        return PERP_OK;
    }
    return perp_fail(
        err, PERP_ERR_UNSUITABLE,
        "step: integrator implicit does not support forces together with impulses in "
        "reduced coordinates, expected maximal coordinates or another integrator");
}

/* The free motion frees M* of the step before, which its problem was made of. */
static void formulate_clear_mass(perp_system *system)
{
    if (system->mass) {
        memset(&system->problem, 0, sizeof system->problem);
    }
    system->mass = NULL;
}

perp_status step_free_motion(const step_formulation *f, perp_error *err)
{
    const perp_world *w = f->world;

    TRY(formulate_check_enabled(w, err));
    formulate_clear_mass(f->system);
    TRY(perp_free_motion_run(f->motion, w, f->state, f->scheme, err));
    return step_check_finite(w, f->motion->positions ? f->motion->s : NULL, f->motion->u,
                             f->state->t + f->scheme->dt, f->step, err);
}

perp_status step_formulate(const step_formulation *f, perp_state **at, perp_error *err)
{
    const perp_world *w = f->world;
    perp_scheme scheme = *f->scheme;
    perp_system *system = f->system;
    perp_status status = f->moved ? PERP_OK : step_free_motion(f, err);

    *at = f->state;
    if (step_has_impacts(&scheme)) {
        scheme.restitution =
            PERP_RESTITUTION_POISSON; /* the impact had it: none in the rows */
    }
    if (status == PERP_OK && !step_has_impacts(f->scheme)) {
        step_choose_contacts(f); /* else before the impact */
    }
    if (status == PERP_OK) {
        system->mass = f->motion->mass;
        status = perp_rows_write(&system->rows, w, f->state, f->contacts, &scheme, err);
    }
    if (status == PERP_OK) {
        status = formulate_check_implicit(f, err);
    }
    if (status == PERP_OK) {
        status = step_set_rows(f, at, err);
    }
    return status == PERP_OK ? perp_system_formulate(system, w, *at, f->motion->u,
                                                     f->contacts, f->scheme, err)
                             : status;
}

/* The first problem that a step solves: that of an impact, where there is one. */
static perp_status formulate_first(const step_formulation *f, perp_error *err)
{
    perp_state *at = NULL;
    bool impact = false;
    perp_status status = PERP_OK;

    if (step_has_impacts(f->scheme)) {
        status = step_free_motion(f, err);
        if (status == PERP_OK) {
            step_choose_contacts(f);
            status = step_formulate_impact(f, &impact, err);
        }
    }
    return status == PERP_OK && !impact ? step_formulate(f, &at, err) : status;
}

/* Contacts at the state, then the problem. */
static perp_status formulate_collide_and(const step_formulation *f,
                                         perp_contacts *contacts, perp_error *err)
{
    const perp_collide_settings settings = collide_settings_of(f->scheme);
    perp_collider *collider = NULL;
    perp_status status = perp_collider_new(&collider, err);

    if (status == PERP_OK) {
        status =
            perp_collider_run(collider, f->world, f->state, &settings, contacts, err);
    }
    perp_collider_free(collider);
    return status == PERP_OK ? formulate_first(f, err) : status;
}

perp_status perp_step_formulate(const perp_world *world, const perp_state *state,
                                const perp_scheme *scheme, perp_contacts *contacts,
                                perp_system *system, perp_error *err)
{
    perp_state *copy = NULL;
    perp_free_motion motion = {0};
    perp_rows middle = {0};
    perp_status status = perp_scheme_check(scheme, err);

    contacts->count = contacts->open = 0;
    memset(&system->problem, 0, sizeof system->problem);
    if (status == PERP_OK) {
        status = step_check_finite(world, state->s, state->u, state->t, 0, err);
    }
    if (status == PERP_OK) {
        status = perp_state_new(&copy, world, err);
    }
    if (status == PERP_OK) {
        status = perp_state_copy(copy, state, err);
    }
    if (status == PERP_OK) {
        const step_formulation f = {.world = world,
                                    .state = copy,
                                    .scheme = scheme,
                                    .contacts = contacts,
                                    .motion = &motion,
                                    .system = system,
                                    .middle = &middle};

        step_refresh(world, copy);
        status = formulate_collide_and(&f, contacts, err);
    }
    if (status == PERP_OK && system->problem.n > 0) {
        status = system_label_step(system, world, contacts, state->t, scheme->dt, err);
    }
    if (motion.mass) {
        system_hold_mass(system, motion.mass);
        motion.mass = NULL;
    }
    if (motion.moving && system_uses(system, motion.moving)) {
        system_hold(system, motion.moving);
        motion.moving = NULL;
    }
    perp_free_motion_clear(&motion);
    perp_rows_clear(&middle);
    if (copy && system_uses(system, copy)) {
        system_hold(system, copy);
        copy = NULL;
    }
    perp_state_free(copy);
    return status;
}
