/* SPDX-License-Identifier: Apache-2.0
 * tests/support/step_differences.c: derivatives of steps against differences. */
#include <config.h>

#include "step_differences.h"

static const double step = 1e-5;

static double *copy(const double *x, size_t n)
{
    double *y = calloc(n + 1, sizeof *y);

    CU_ASSERT_PTR_NOT_NULL_FATAL(y);
    memcpy(y, x, n * sizeof *y);
    return y;
}

stage stage_of(perp_world *world, perp_model model, const char *solver)
{
    const perp_reduction free_bodies = {.free_bodies = true};

    return stage_by(world, &free_bodies, model, solver);
}

stage stage_by(perp_world *world, const perp_reduction *how, perp_model model,
               const char *solver)
{
    stage st = {.world = world, .scheme = run_scheme(0.01), .solver = solver};
    const perp_articulation *tree = NULL;

    st.scheme.model = model;
    st.scheme.stabilize = PERP_STABILIZE_BAUMGARTE;
    st.scheme.eta = 4;
    forest_reduce(world, how);
    tree = world->start->trees;
    st.s = copy(world->start->s, 7 * world->body_count);
    st.u = copy(world->start->u, 6 * world->body_count);
    st.load = copy(world->start->load, 6 * world->body_count);
    st.q = copy(tree->q, tree->n);
    st.qd = copy(tree->qd, tree->n);
    return st;
}

void stage_end(stage *st)
{
    free(st->s);
    free(st->load);
    free(st->u);
    free(st->q);
    free(st->qd);
}

size_t stage_size(const stage *st)
{
    return st->world->start->trees->n;
}

void stage_put(const stage *st, double t, const double *dq, const double *dqd)
{
    perp_articulation *tree = st->world->start->trees;

    memcpy(st->world->start->s, st->s, 7 * st->world->body_count * sizeof *st->s);
    memcpy(st->world->start->u, st->u, 6 * st->world->body_count * sizeof *st->u);
    for (size_t i = 0; i < tree->n; i++) {
        tree->q[i] = st->q[i] + (dq ? t * dq[i] : 0.0);
        tree->qd[i] = st->qd[i] + (dqd ? t * dqd[i] : 0.0);
    }
    OK(perp_world_forward_kinematics(st->world, st->world->start, NULL));
}

void stage_step(const stage *st, double t, const double *dq, const double *dqd,
                const double *load, double *out)
{
    const size_t n = stage_size(st);
    perp_options opt;
    const perp_solver_type *solver = run_solver(st->solver, &opt);
    perp_stepper *stepper = NULL;
    perp_report report;
    perp_error err = {0};

    stage_put(st, t, dq, dqd);
    for (size_t i = 0; i < 6 * st->world->body_count; i++) {
        st->world->start->load[i] = st->load[i] + (load ? t * load[i] : 0.0);
    }
    OK(perp_stepper_new(
        &stepper, st->world, &st->scheme,
        &(perp_stepper_options){
            .solver = solver, .options = &opt, .state = st->world->start, .cold = true},
        &err));
    if (perp_stepper_step(stepper, &report, &err) != PERP_OK) {
        test_note("%s", err.text);
        CU_FAIL_FATAL("a step");
    }
    CU_ASSERT_EQUAL(report.outcome, PERP_SOLVED);
    memcpy(out, st->world->start->trees->q, n * sizeof *out);
    memcpy(out + n, st->world->start->trees->qd, n * sizeof *out);
    perp_stepper_free(stepper);
    memcpy(st->world->start->load, st->load,
           6 * st->world->body_count * sizeof *st->load);
    stage_put(st, 0.0, NULL, NULL);
}

perp_step_gradient *stage_gradient(const stage *st, const perp_sensitivity_options *how)
{
    perp_step_gradient *g = NULL;
    perp_options opt;
    const perp_solver_type *solver = run_solver(st->solver, &opt);
    perp_error err = {0};

    if (perp_step_gradient_new(&g, st->world, st->world->start, &st->scheme, solver, &opt,
                               how, &err) != PERP_OK) {
        test_note("%s", err.text);
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(g);
    return g;
}

bool stage_same(const char *what, size_t number, const double *x, const double *y,
                size_t n, double tolerance)
{
    double size = fmax(1.0, test_largest(n, y));
    bool good = true;

    for (size_t i = 0; i < n; i++) {
        if (!(fabs(x[i] - y[i]) <= tolerance * size)) {
            test_note("%s %zu, entry %zu: %.10g, expected %.10g", what, number, i, x[i],
                      y[i]);
            good = false;
        }
    }
    return good;
}

/* (out - state at t)/(h) */
static void take_off(const stage *st, double t, double h, const double *const *d,
                     double *behind, double *out)
{
    stage_step(st, t, d[0], d[1], d[2], behind);
    for (size_t i = 0; i < 2 * stage_size(st); i++) {
        out[i] = (out[i] - behind[i]) / h;
    }
}

void stage_differences(const stage *st, bool one_sided, const double *dq,
                       const double *dqd, const double *load, double *out)
{
    const size_t n = 2 * stage_size(st);
    const double *const d[3] = {dq, dqd, load};
    double *other = test_alloc(2 * n, sizeof *other);

    stage_step(st, step, dq, dqd, load, out);
    if (!one_sided) {
        take_off(st, -step, 2.0 * step, d, other, out);
    } else { /* 2 D(h/2) - D(h) */
        stage_step(st, 0.5 * step, dq, dqd, load, other);
        take_off(st, 0.0, step, d, other + n, out);
        take_off(st, 0.0, 0.5 * step, d, other + n, other);
        for (size_t i = 0; i < n; i++) {
            out[i] = 2.0 * other[i] - out[i];
        }
    }
}

void stage_check(const stage *st, const perp_sensitivity_options *how,
                 size_t states[PERP_ACTIVE_STATES])
{
    const size_t n = stage_size(st), bodies = st->world->body_count;
    perp_step_gradient *g = stage_gradient(st, how);
    double *D = calloc(6 * n * n, sizeof *D), *out = calloc(2 * n, sizeof *out);
    double *unit = calloc(n, sizeof *unit), *load = calloc(6 * bodies, sizeof *load);
    double *dtau = calloc(n, sizeof *dtau), *answer = calloc(2 * n, sizeof *answer);
    perp_error err = {0};

    CU_ASSERT_FATAL(D && out && unit && load && dtau && answer);
    perp_step_gradient_after(g, answer, answer + n);
    if (perp_step_gradient_matrix(g, D, &err) != PERP_OK) {
        test_note("%s", err.text);
        CU_FAIL_FATAL("a matrix");
    }
    for (int s = 0; perp_step_gradient_solution(g) && s < PERP_ACTIVE_STATES; s++) {
        states[s] +=
            perp_sensitivity_count(perp_step_gradient_solution(g), (perp_active)s);
    }
    stage_step(st, 0.0, NULL, NULL, NULL, out);
    CU_ASSERT(
        stage_same("step", 0, answer, out, 2 * n, 1e-9)); /* of one solver's tolerance */
    for (size_t j = 0; j < 2 * n; j++) {
        unit[j % n] = 1.0;
        stage_differences(st, false, j < n ? unit : NULL, j < n ? NULL : unit, NULL, out);
        unit[j % n] = 0.0;
        CU_ASSERT(stage_same("column", j, D + 2 * n * j, out, 2 * n, step_differences));
    }
    for (size_t j = 0; j < 6 * bodies; j++) {
        load[j] = 1.0;
        stage_differences(st, false, NULL, NULL, load, out);
        perp_step_gradient_load(g, load, dtau);
        memset(answer, 0, 2 * n * sizeof *answer);
        for (size_t i = 0; i < 2 * n * n; i++) {
            answer[i % (2 * n)] += D[4 * n * n + i] * dtau[i / (2 * n)];
        }
        CU_ASSERT(stage_same("load", j, answer, out, 2 * n, step_differences));
        load[j] = 0.0;
    }
    free(D), free(out), free(unit), free(load), free(dtau), free(answer);
}
