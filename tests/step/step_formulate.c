/* SPDX-License-Identifier: Apache-2.0
 * tests/step/step_formulate.c: the problem of a step without the step. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scarce.h"
#include "world_run.h"

/* A ball that falls onto a box at a slant, a box on the ground, a hinge between them. */
static perp_world *small_world(double restitution)
{
    static const double half[3] = {0.3, 0.2, 0.1};
    perp_world *w = test_world(3, 9.81);
    perp_joint *hinge = NULL;
    int32_t a = 0;
    int32_t b = 0;

    run_ground(w);
    run_material(w, 0.5, restitution);
    a = run_box(w, "a", 2.0, half, 0.0, 0.0, 0.099);
    b = run_box(w, "b", 1.0, half, 0.7, 0.0, 0.0999);
    run_ball(w, "c", 0.5, 0.1, 0.05, 0.02, 0.2991);
    perp_body_velocity(w->start, (size_t)a)[3] = 0.1;
    perp_body_velocity(w->start, (size_t)b)[0] = -0.3;
    perp_body_velocity(w->start, 3)[2] = -2.0;
    hinge = run_joint(w, "revolute", a, b, (const double[3]){0.35, 0.0, 0.1},
                      (const double[3]){0.0, 1.0, 0.0});
    hinge->axes[0].has_lower = true;
    hinge->axes[0].lower = -0.1;
    hinge->axes[0].motor = PERP_MOTOR_VELOCITY;
    hinge->axes[0].target = 0.2;
    hinge->axes[0].max_force = 1.0;
    return w;
}

/* All of A, by its rows. */
static void same_matrix(const perp_operator *A, const perp_operator *B, size_t n)
{
    double *unit = test_alloc(n, sizeof *unit);
    size_t differ = 0;

    for (size_t j = 0; j < n; j++) {
        unit[j] = 1.0;
        for (size_t i = 0; i < n; i++) {
            differ +=
                perp_operator_row_dot(A, i, unit) != perp_operator_row_dot(B, i, unit);
        }
        unit[j] = 0.0;
    }
    CU_ASSERT_EQUAL(differ, 0);
}

static void same_problem(const perp_problem *p, const perp_problem *q)
{
    CU_ASSERT_EQUAL_FATAL(p->n, q->n);
    CU_ASSERT_EQUAL(memcmp(p->b, q->b, p->n * sizeof *p->b), 0);
    CU_ASSERT_EQUAL_FATAL(p->set->count, q->set->count);
    CU_ASSERT_EQUAL(
        memcmp(p->set->blocks, q->set->blocks, p->set->count * sizeof *p->set->blocks),
        0);
    CU_ASSERT_STRING_EQUAL(p->title, q->title);
    same_matrix(p->A, q->A, p->n);
}

/* Formulated first, then stepped from the same state. */
static void expect_the_problem_of_the_step(perp_world *w, const perp_scheme *scheme)
{
    perp_contacts contacts = {0};
    perp_system system = {0};
    perp_state *before = NULL;
    perp_error err = {0};
    run r = run_begin(w, scheme, "nsgs", false);

    OK(perp_state_new(&before, w, NULL));
    for (int k = 0; k < 2; k++) { /* the second into the memory of the first */
        perp_status status =
            perp_step_formulate(w, w->start, scheme, &contacts, &system, &err);

        if (status != PERP_OK) {
            test_note("%s", err.text);
        }
        OK(status);
    }
    CU_ASSERT_EQUAL(memcmp(before->s, w->start->s, 7 * w->body_count * sizeof(double)),
                    0);
    CU_ASSERT_EQUAL(memcmp(before->u, w->start->u, 6 * w->body_count * sizeof(double)),
                    0);
    CU_ASSERT_EQUAL(before->t, w->start->t);
    CU_ASSERT(system.problem.n > 12);
    CU_ASSERT_PTR_NOT_NULL_FATAL(system.problem.labels);
    CU_ASSERT_EQUAL(system.problem.labels->count, system.problem.set->count);
    CU_ASSERT_EQUAL(system.problem.labels->at[0].key, system.keys[0]);
    CU_ASSERT_EQUAL(system.problem.origin->time, w->start->t + scheme->dt);
    CU_ASSERT_EQUAL(system.problem.origin->dt, scheme->dt);
    run_steps(&r, 1);
    CU_ASSERT_EQUAL(contacts.count, perp_stepper_contacts(r.stepper)->count);
    same_problem(&system.problem, &perp_stepper_system(r.stepper)->problem);
    perp_system_clear(&system);
    perp_contacts_clear(&contacts);
}

TEST(it_is_the_problem_that_the_next_step_solves)
{
    static const perp_model models[] = {PERP_MODEL_CONE, PERP_MODEL_PYRAMID,
                                        PERP_MODEL_BOX};
    static const perp_restitution laws[] = {
        PERP_RESTITUTION_NEWTON, PERP_RESTITUTION_MOREAU, PERP_RESTITUTION_POISSON};

    for (int k = 0; k < 3; k++) {
        perp_scheme scheme = run_scheme(0.01);
        perp_world *w = small_world(0.4);

        scheme.model = models[k];
        scheme.restitution = laws[k];
        scheme.stabilize = PERP_STABILIZE_BAUMGARTE;
        scheme.storage = k == 2 ? PERP_STORAGE_DENSE : PERP_STORAGE_FACTORED;
        if (laws[k] == PERP_RESTITUTION_POISSON) { /* at rest: no impact */
            memset(w->start->u, 0, 6 * w->body_count * sizeof *w->start->u);
        }
        expect_the_problem_of_the_step(w, &scheme);
    }
}

/* Boxes at rest: the step has no impact, and no force that depends on the motion. */
TEST(it_is_so_for_integrators_that_move_positions)
{
    static const double half[3] = {0.3, 0.2, 0.1};

    for (int k = 0; k <= PERP_INTEGRATOR_MOMENTUM; k++) {
        perp_scheme scheme = run_scheme_by((perp_integrator)k, 0.01);
        perp_world *w = test_world(3, 9.81);

        scheme.model = PERP_MODEL_PYRAMID;
        run_ground(w);
        run_material(w, 0.5, 0.4);
        run_box(w, "a", 2.0, half, 0.0, 0.0, 0.099);
        run_box(w, "b", 1.0, half, 0.7, 0.0, 0.1);
        expect_the_problem_of_the_step(w, &scheme);
    }
}

/* A ball lands at (1, 0, -2) m/s with e = 0.5: b = J u - bias, without the weight of the step. */
TEST(of_an_impact_it_is_the_problem_of_the_impact)
{
    const double normal[] = {-3.0,
                             -2.0}; /* Newton asks for the rebound, Poisson for rest */

    for (int k = 0; k < 2; k++) {
        perp_scheme scheme = run_scheme_by(PERP_INTEGRATOR_VELOCITY_VERLET, 0.01);
        perp_world *w = test_world(3, 9.81);
        perp_contacts contacts = {0};
        perp_system system = {0};

        scheme.restitution = k == 0 ? PERP_RESTITUTION_NEWTON : PERP_RESTITUTION_POISSON;
        run_ground(w);
        run_material(w, 0.5, 0.5);
        run_ball(w, "ball", 0.5, 0.1, 0.0, 0.0, 0.1);
        perp_body_velocity(w->start, 1)[0] = 1.0;
        perp_body_velocity(w->start, 1)[2] = -2.0;
        OK(perp_step_formulate(w, w->start, &scheme, &contacts, &system, NULL));
        CU_ASSERT_EQUAL_FATAL(system.problem.n, 3);
        CU_ASSERT_DOUBLE_EQUAL(system.problem.b[0], normal[k], 1e-15);
        CU_ASSERT_DOUBLE_EQUAL(hypot(system.problem.b[1], system.problem.b[2]), 1.0,
                               1e-15);
        perp_system_clear(&system);
        perp_contacts_clear(&contacts);
    }
}

TEST(it_is_so_in_reduced_coordinates)
{
    perp_scheme scheme = run_scheme(0.01);
    perp_world *w = small_world(0.0);

    OK(perp_world_reduce(w, NULL, NULL));
    expect_the_problem_of_the_step(w, &scheme);
}

/* The problem outlives the state: z = 0 leaves the free velocities, and an impulse on the
 * first row moves the bodies by M^-1 J^T. */
TEST(the_problem_needs_no_state_afterwards)
{
    perp_scheme scheme = run_scheme(0.01);
    perp_world *w = small_world(0.0);
    perp_contacts contacts = {0};
    perp_system system = {0};
    perp_state *state = NULL;
    double u[24];
    double *z = NULL;
    double *w_of = NULL;

    OK(perp_world_reduce(w, NULL, NULL));
    OK(perp_state_new(&state, w, NULL));
    OK(perp_step_formulate(w, state, &scheme, &contacts, &system, NULL));
    perp_state_free(state);
    z = test_alloc(system.problem.n, sizeof *z);
    w_of = test_alloc(system.problem.n, sizeof *w_of);
    perp_system_velocities(&system, z, u);
    test_agree("u_free", u, system.u_free, 24, 1e-14);
    z[0] = 0.7;
    perp_system_velocities(&system, z, u);
    perp_operator_apply(system.problem.A, z, w_of);
    for (size_t r = 0; r < system.rows.count; r++) {
        static const double rest[6] = {0};
        const int32_t *body = perp_rows_bodies(&system.rows, r);
        double made[12];
        double rate = perp_row_rate(perp_rows_row(&system.rows, r, made),
                                    body[0] < 0 ? rest : u + 6 * body[0],
                                    body[1] < 0 ? rest : u + 6 * body[1]);

        /* a dozen roundings of numbers near 1 */
        CU_ASSERT_DOUBLE_EQUAL(rate - system.rows.bias[r] + system.rows.soft[r] * z[r],
                               w_of[r] + system.problem.b[r], 1e-12);
    }
    perp_system_clear(&system);
    perp_contacts_clear(&contacts);
}

TEST(what_is_unsuitable_is_refused)
{
    perp_scheme scheme = run_scheme(0.01);
    perp_world *w = small_world(0.0);
    perp_contacts contacts = {0};
    perp_system system = {0};
    perp_error err = {0};
    perp_shape plane = {.type = perp_shape_type_find("plane"), .body = 1};

    /* two planes: no algorithm takes them */
    OK(perp_world_add_shape(w, &plane, NULL, NULL));
    CU_ASSERT_EQUAL(perp_step_formulate(w, w->start, &scheme, &contacts, &system, &err),
                    PERP_ERR_UNSUITABLE);
    CU_ASSERT_EQUAL(system.problem.n, 0);
    CU_ASSERT_EQUAL(contacts.count, 0);

    w = small_world(0.0);
    w->materials[0].mu_rolling = 0.01;
    scheme.model = PERP_MODEL_BOX;
    CU_ASSERT_EQUAL(perp_step_formulate(w, w->start, &scheme, &contacts, &system, NULL),
                    PERP_ERR_UNSUITABLE);
    scheme.dt = -1.0;
    perp_error_clear(&err);
    CU_ASSERT_EQUAL(perp_step_formulate(w, w->start, &scheme, &contacts, &system, &err),
                    PERP_ERR_OPTION);
    CU_ASSERT_STRING_EQUAL(err.text, "scheme: dt is -1, expected a positive number [s]");
    scheme.dt = 0.01;
    w->start->u[6] = NAN;
    perp_error_clear(&err);
    CU_ASSERT_EQUAL(perp_step_formulate(w, w->start, &scheme, &contacts, &system, &err),
                    PERP_ERR_DATA);
    CU_ASSERT_STRING_EQUAL(err.text, "body \"a\": velocity is not finite at t = 0");
    CU_ASSERT_EQUAL(system.problem.n, 0);
    perp_system_clear(&system);
    perp_contacts_clear(&contacts);
}

static perp_status scarce_work(void *context, perp_error *err)
{
    perp_world *w = context;
    perp_scheme scheme = run_scheme(0.01);
    perp_contacts contacts = {0};
    perp_system system = {0};
    perp_status status =
        perp_step_formulate(w, w->start, &scheme, &contacts, &system, err);

    CU_ASSERT((status == PERP_OK) == (system.problem.n > 0));
    perp_system_clear(&system);
    perp_contacts_clear(&contacts);
    return status;
}

TEST(memory_that_runs_out_is_survived)
{
    perp_world *w = small_world(0.0);

    scarce_everywhere(scarce_work, w, "formulate");
    OK(perp_world_reduce(w, NULL, NULL));
    scarce_everywhere(scarce_work, w, "formulate, reduced");
}
