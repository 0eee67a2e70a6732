/* SPDX-License-Identifier: Apache-2.0
 * step/stepper.c: the sequence of a step.
 *
 *     1  contacts at the present poses              perp_collider_run
 *     2  u after an impact, if there is one         step_jump
 *        u_free, rows, the problem                  step_formulate
 *     3  its solution, u+                           step_impulses
 *     4  positions by u+                            perp_free_motion_finish
 *     5  correction of positions, where that is a method  step/stabilize_….c
 *     6  contacts again, to measure; impulses kept
 *
 * which with the semi-implicit free motion is symplectic Euler. A step is made on a copy of the
 * state, which is written back at the end; one that fails leaves the state as it was. Of a
 * world in reduced coordinates the same is done; q and qd follow the bodies within 2 and
 * 4. */
#include <config.h>

#include <stdlib.h>

#include <perp/blas.h>
#include <perp/solver_type.h>

#include "base/base.h"
#include "joints/softness.h"
#include "problem/parts.h"
#include "step/ledger.h"
#include "step/positions.h"
#include "step/solve.h"

/* A given number of iterations: the last point, sweeps along the load and against it, under
 * which piles come to rest sooner, and starts that damp. Where these are not given otherwise. */
static perp_status stepper_set_iterations(perp_stepper *st, perp_error *err)
{
    perp_options *opt = &st->opt;
    const long iterations = perp_options_integer(opt, "max-iterations");
    const perp_option *order = perp_options_find(opt, "order");
    bool sweeps = order && order->choices && strstr(order->choices, "local");
    bool alternates = sweeps && strstr(order->choices, "alternating");
    perp_status status = PERP_OK;

    if (iterations == 0) {
        return PERP_OK;
    }
    if (!perp_options_given(opt, "answer")) {
        status = perp_options_set(opt, "answer", "last", err);
    }
    st->damping = sweeps ? step_damping(&st->scheme, iterations) : 0.0;
    if (status == PERP_OK && alternates && !perp_options_given(opt, "order") &&
        !perp_options_given(opt, "threads")) {
        status = perp_options_set(opt, "order", "alternating", err);
    }
    return status;
}

/* Sequential impulses bound each tangent by the normal impulse of its contact: that is the box. */
static perp_status stepper_check_sweeps(const perp_stepper *st, perp_error *err)
{
    const perp_model model = st->scheme.model;

    if (model == PERP_MODEL_BOX || model == PERP_MODEL_FRICTIONLESS) {
        return PERP_OK;
    }
    return perp_fail(
        err, PERP_ERR_UNSUITABLE,
        "step: sequential impulses do not support friction %s, expected box or none",
        perp_model_names[model]);
}

/* The solver, auto where none is given, and its options as given, or its defaults. */
static perp_status stepper_set_solver(perp_stepper *st, const perp_solver_type *solver,
                                      const perp_options *opt, perp_error *err)
{
    perp_status status = PERP_OK;

    if (solver == &perp_sequential_impulses_solver) {
        return stepper_check_sweeps(st, err);
    }
    st->solver = solver;
    if (!solver || !opt) {
        status =
            perp_solver_parse(solver ? solver->name : "auto", &st->solver, &st->opt, err);
    }
    if (opt) {
        st->opt = *opt;
    }
    st->opt.brief = true; /* of a step the residual alone is reported */
    if (status == PERP_OK) {
        status = stepper_set_iterations(st, err);
    }
    return status == PERP_OK ? perp_context_new(&st->context, err) : status;
}

/* Sequential impulses keep the velocity of each body; those of a tree are not its own. */
static perp_status stepper_check_solver(const perp_stepper *st, perp_error *err)
{
    if (st->solver || !st->world->reduced) {
        return PERP_OK;
    }
    return perp_fail(err, PERP_ERR_UNSUITABLE,
                     "step: sequential impulses do not support reduced coordinates, "
                     "expected a solver");
}

/* What may fail when a stepper is made. */
static perp_status stepper_open(perp_stepper *st, const perp_stepper_options *options,
                                perp_error *err)
{
    TRY(stepper_set_solver(st, options->solver, options->options, err));
    TRY(stepper_check_solver(st, err));
    TRY(perp_collider_new(&st->collider, err));
    TRY(step_reserve_bodies(st, err));
    TRY(perp_state_new(&st->state, st->world, err));
    if (!st->user) {
        TRY(perp_state_new(&st->owned, st->world, err));
        st->user = st->owned;
    }
    return PERP_OK;
}

perp_status perp_stepper_new(perp_stepper **stepper, const perp_world *world,
                             const perp_scheme *scheme,
                             const perp_stepper_options *options, perp_error *err)
{
    const perp_stepper_options given = options ? *options : (perp_stepper_options){0};
    perp_stepper *st = NULL;
    perp_status status = PERP_OK;

    *stepper = NULL;
    TRY(perp_scheme_check(scheme, err));
    TRY(perp_blas_reserve(err));
    st = calloc(1, sizeof *st);
    if (!st) {
        return perp_fail(err, PERP_ERR_MEMORY, "step: no memory for a stepper");
    }
    st->world = world;
    st->user = given.state;
    st->scheme = st->given = *scheme;
    st->warm = !given.cold;
    status = stepper_open(st, &given, err);
    if (status != PERP_OK) {
        perp_stepper_free(st);
        return status;
    }
    *stepper = st;
    return PERP_OK;
}

perp_state *perp_stepper_state(perp_stepper *st)
{
    return st->user;
}

perp_status perp_stepper_reset(perp_stepper *st, perp_error *err)
{
    if (st->user == st->world->start) {
        return perp_fail(err, PERP_ERR_ARGUMENT,
                         "step: the stepper moves world->start, which has no copy to "
                         "return to");
    }
    TRY(perp_state_copy(st->user, st->world->start, err));
    st->memory.blocks = st->memory.rows = 0;
    st->memory.damped = false;
    st->found.valid = false;
    st->step = 0;
    return PERP_OK;
}

perp_status perp_stepper_set_dt(perp_stepper *st, double dt, perp_error *err)
{
    perp_scheme scheme = st->given;
    perp_status status = PERP_OK;

    if (dt != scheme.dt) {
        scheme.erp = fmin(1.0, scheme.erp * (dt / scheme.dt));
        scheme.dt = dt;
        status = perp_scheme_check(&scheme, err);
    }
    if (status == PERP_OK) {
        st->scheme = scheme;
    }
    return status;
}

void perp_stepper_free(perp_stepper *st)
{
    if (st) {
        perp_context_free(st->context);
        perp_collider_free(st->collider);
        perp_contacts_clear(&st->contacts);
        perp_contacts_clear(&st->touching);
        perp_free_motion_clear(&st->motion);
        perp_system_clear(&st->system);
        perp_system_clear(&st->positions);
        perp_rows_clear(&st->middle);
        perp_result_free(st->result);
        perp_result_free(st->expansion);
        perp_result_free(st->position_result);
        step_memory_clear(&st->memory);
        step_memory_clear(&st->impact);
        free(st->bodies.block);
        free(st->bodies.island);
        free(st->rows.block);
        perp_state_free(st->state);
        perp_state_free(st->owned);
        free(st);
    }
}

void perp_stepper_set_filter(perp_stepper *st, perp_collide_filter *filter, void *context)
{
    st->filter = filter;
    st->filter_context = context;
    st->found.valid = false;
}

const perp_system *perp_stepper_system(const perp_stepper *stepper)
{
    return &stepper->system;
}

const perp_contacts *perp_stepper_contacts(const perp_stepper *stepper)
{
    return &stepper->contacts;
}

const perp_result *perp_stepper_result(const perp_stepper *stepper)
{
    return stepper->result;
}

const perp_collide_report *perp_stepper_collision(const perp_stepper *stepper)
{
    return perp_collider_report(stepper->collider);
}

perp_status step_collide(perp_stepper *st, perp_contacts *contacts, perp_error *err)
{
    perp_collide_settings settings = collide_settings_of(&st->scheme);

    settings.filter = st->filter;
    settings.filter_context = st->filter_context;
    return perp_collider_run(st->collider, st->world, st->state, &settings, contacts,
                             err);
}

/* Contacts at the present poses: the contacts of the end of the last step if nothing has
 * changed since. */
static perp_status stepper_find_contacts(perp_stepper *st, perp_error *err)
{
    const perp_world *w = st->world;
    const perp_state *state = st->state;
    const step_found *f = &st->found;
    bool same =
        f->valid && !st->filter && f->bodies == w->body_count &&
        memcmp(st->bodies.s_end, state->s, 7 * w->body_count * sizeof *state->s) == 0 &&
        memcmp(st->bodies.u_end, state->u, 6 * w->body_count * sizeof *state->u) == 0 &&
        step_fingerprint(w) == f->world;

    st->found.valid = false;
    if (same) {
        perp_contacts last = st->contacts;

        st->contacts = st->touching;
        st->touching = last;
        return PERP_OK;
    }
    return step_collide(st, &st->contacts, err);
}

/* Record that st->touching was found at the present poses. */
static void stepper_remember_contacts(perp_stepper *st)
{
    const perp_world *w = st->world;
    const perp_state *state = st->state;

    st->found = (step_found){true, w->body_count, step_fingerprint(w)};
    memcpy(st->bodies.s_end, state->s, 7 * w->body_count * sizeof *state->s);
    memcpy(st->bodies.u_end, state->u, 6 * w->body_count * sizeof *state->u);
}

/* Poses and velocities (NULL: not asked) that are numbers at the end of this step. */
static perp_status stepper_check_moved(const perp_stepper *st, const double *s,
                                       const double *u, perp_error *err)
{
    return step_check_finite(st->world, s, u, st->user->t + st->scheme.dt, st->step + 1,
                             err);
}

/* The impact, the free motion, rows and impulses. */
static perp_status stepper_solve(perp_stepper *st, const step_formulation *f,
                                 perp_report *report, perp_error *err)
{
    step_formulation smooth = *f;

    st->at = st->state;
    TRY(step_jump(st, f, report, err));
    smooth.moved = step_has_impacts(f->scheme) && st->impact.blocks == 0;
    TRY(step_formulate(&smooth, &st->at, err));
    TRY(step_impulses(st, f, false, report, err));
    return stepper_check_moved(st, NULL, st->bodies.u_plus, err);
}

/* Back to the state at the start, with the work done so far. */
static perp_status stepper_start_again(perp_stepper *st, perp_report *report,
                                       perp_error *err)
{
    TRY(perp_state_copy(st->state, st->user, err));
    step_refresh(st->world, st->state);
    report->outcome = PERP_SOLVED;
    report->reason = "";
    report->residual = 0.0;
    memset(report->ledger, 0, sizeof report->ledger);
    return PERP_OK;
}

/* From the present state to velocities after impulses. */
static perp_status stepper_find_velocities(perp_stepper *st, perp_report *report,
                                           perp_error *err)
{
    step_formulation f = {.world = st->world,
                          .state = st->state,
                          .scheme = &st->scheme,
                          .contacts = &st->contacts,
                          .motion = &st->motion,
                          .system = &st->system,
                          .middle = &st->middle,
                          .impact = &st->impact,
                          .step = st->step + 1};
    perp_status status = stepper_find_contacts(st, err);

    if (status == PERP_OK) {
        step_soften(st);
        status = stepper_solve(st, &f, report, err);
    }
    while (status == PERP_OK && step_take_open(&f, st->bodies.u_plus)) {
        f.chosen = true;
        status = stepper_start_again(st, report, err);
        if (status == PERP_OK) {
            status = stepper_solve(st, &f, report, err);
        }
    }
    if (status == PERP_OK) {
        status = step_stabilize_prepare(st, report, err);
    }
    report->contacts = st->contacts.count;
    report->rows = st->system.rows.count;
    return status;
}

/* Poses and velocities may be numbers of which the energy is none: a run has come apart. */
static perp_status stepper_check_energy(const perp_stepper *st, const perp_report *report,
                                        perp_error *err)
{
    const perp_world *w = st->world;
    size_t fastest = 0;
    double most = 0.0;

    if (isfinite(report->kinetic + report->potential + report->stored)) {
        return PERP_OK;
    }
    for (size_t c = 0; c < 6 * w->body_count; c++) {
        fastest = fabs(st->state->u[c]) > most ? c / 6 : fastest;
        most = fmax(most, fabs(st->state->u[c]));
    }
    return perp_fail(err, PERP_ERR_DATA,
                     "body \"%s\": a velocity of %.3g makes the energy infinite at t = "
                     "%.9g, step %zu",
                     w->name[fastest], most, st->state->t, st->step + 1);
}

/* Positions by the velocities, and their correction; the parts of the ledger that rows do
 * not fill. */
static perp_status stepper_find_positions(perp_stepper *st, perp_report *report,
                                          perp_error *err)
{
    const perp_world *w = st->world;
    perp_state *state = st->state;
    step_balance balance;
    step_energy end;
    perp_status status = PERP_OK;

    step_ledger_open(st, &balance);
    TRY(perp_free_motion_finish(&st->motion, w, state, st->bodies.u_plus, &st->scheme,
                                err));
    state->t = st->user->t + st->scheme.dt;
    TRY(stepper_check_moved(st, state->s, state->u, err));
    step_track_joints(w, state); /* inertias are already those of the new poses */
    step_ledger_close(st, &balance, &end, report->ledger);
    if (step_stabilize_moves(&st->scheme)) {
        const double before = step_total(&end);

        status = step_stabilize_correct(st, report, err);
        if (status == PERP_OK) {
            status = stepper_check_moved(st, state->s, state->u, err);
        }
        step_energies(w, state, &end);
        report->ledger[PERP_LEDGER_STABILIZATION] += step_total(&end) - before;
    }
    report->kinetic = end.kinetic;
    report->potential = end.potential;
    report->stored = end.joints + end.forces;
    return status == PERP_OK ? stepper_check_energy(st, report, err) : status;
}

/* Contacts, errors of joints, speeds and momenta at the end of the step. */
static perp_status stepper_measure(perp_stepper *st, perp_report *report, perp_error *err)
{
    const perp_world *w = st->world;
    const perp_state *state = st->state;

    TRY(step_collide(st, &st->touching, err));
    for (size_t k = 0; k < st->touching.count; k++) {
        report->penetration = fmax(report->penetration, -st->touching.at[k].gap);
    }
    report->pairs = perp_stepper_collision(st)->looked_at;
    report->unresolved = perp_stepper_collision(st)->unresolved_count;
    for (size_t k = 0; k < w->joint_count; k++) {
        double length = 0.0;
        double angle = 0.0;

        if (!joint_is_enabled(&w->joints[k], w)) {
            continue;
        }
        perp_joint_drift(&w->joints[k], w, state, &length, &angle);
        report->drift_length = fmax(report->drift_length, length);
        report->drift_angle = fmax(report->drift_angle, angle);
    }
    for (size_t k = 0; k < w->body_count; k++) {
        if (world_moves(w, (int32_t)k)) {
            report->speed =
                fmax(report->speed, vec3_length(perp_body_velocity(state, k)));
        }
    }
    perp_world_momentum(w, state, report->momentum);
    perp_world_angular_momentum(w, state, report->angular_momentum);
    report->t = state->t;
    report->step = st->step + 1;
    return PERP_OK;
}

/* A step of st->state. The last lines reserve memory for the impulses that are kept, while
 * a failure still leaves the user's state unchanged. */
static perp_status stepper_make_step(perp_stepper *st, perp_report *report,
                                     perp_error *err)
{
    TRY(step_check_finite(st->world, st->state->s, st->state->u, st->user->t,
                          st->step + 1, err));
    step_refresh(st->world, st->state);
    st->removals = st->world->removals;
    TRY(stepper_find_velocities(st, report, err));
    TRY(stepper_find_positions(st, report, err));
    TRY(stepper_measure(st, report, err));
    if (st->warm && st->result) {
        const perp_set *set = st->system.problem.set;

        TRY(step_memory_reserve(&st->memory, set->count, set->n, err));
    }
    return PERP_OK;
}

perp_status perp_stepper_step(perp_stepper *st, perp_report *report, perp_error *err)
{
    perp_report made = {.outcome = PERP_SOLVED, .reason = ""};
    perp_status status = PERP_OK;

    TRY(stepper_check_solver(st, err));
    TRY(world_state_check(st->user, st->world, err));
    TRY(step_reserve_bodies(st, err));
    status = perp_state_copy(st->state, st->user, err);
    if (status == PERP_OK) {
        perp_blas_hold();
        status = stepper_make_step(st, &made, err);
        perp_blas_release();
    }
    if (status != PERP_OK) {
        return status;
    }
    world_state_take(st->user, st->state);
    st->memory.blocks = st->memory.rows = 0;
    st->memory.damped = false;
    if (st->result) {
        step_memory_add(&st->impact, &st->system, st->result->z);
    }
    if (st->warm && st->result) {
        step_memory_keep(&st->memory, &st->system, &st->contacts, st->rows.z_compression);
        st->memory.removals = st->removals;
        if (st->damping > 0.0 && made.outcome != PERP_SOLVED) {
            step_memory_damp(st);
        }
    }
    stepper_remember_contacts(st);
    st->step++;
    *report = made;
    return PERP_OK;
}
