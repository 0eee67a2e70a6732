/* SPDX-License-Identifier: Apache-2.0
 * tests/support/world_run.c: runs of small worlds. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/vec3.h"
#include "reference.h"
#include "world_run.h"

const perp_solver_type *run_solver(const char *text, perp_options *opt)
{
    char copy[256];
    char *rest = NULL;
    char *word = NULL;
    const perp_solver_type *type = NULL;
    perp_error err = {0};
    perp_status status = PERP_OK;

    if (!text) {
        return &perp_sequential_impulses_solver;
    }
    snprintf(copy, sizeof copy, "%s", text);
    word = strtok_r(copy, " ", &rest);
    status = perp_solver_parse(word, &type, opt, &err);
    while (status == PERP_OK && (word = strtok_r(NULL, " ", &rest)) != NULL) {
        char *value = strchr(word, '=');

        CU_ASSERT_PTR_NOT_NULL_FATAL(value);
        *value = '\0';
        status = perp_options_set(opt, word, value + 1, &err);
    }
    if (status != PERP_OK) {
        test_note("%s: %s", text, err.text);
    }
    OK(status);
    return type;
}

static double world_energy(const perp_world *w, const perp_state *state)
{
    return perp_world_kinetic(w, state) + perp_world_potential(w, state) +
           perp_world_stored(w, state);
}

run run_begin(perp_world *world, const perp_scheme *scheme, const char *solver, bool warm)
{
    run r = {.world = world};
    perp_options opt;
    perp_error err = {0};
    const perp_solver_type *type = run_solver(solver, &opt);
    perp_status status = PERP_OK;

    /* also a world that was a scene's is freed with the test */
    test_keep(test_given(world), test_free_world);
    status = perp_stepper_new(&r.stepper, world, scheme,
                              &(perp_stepper_options){.solver = type,
                                                      .options = solver ? &opt : NULL,
                                                      .state = world->start,
                                                      .cold = !warm},
                              &err);
    if (status != PERP_OK) {
        test_note("%s", err.text);
    }
    OK(status);
    perp_world_refresh(world, world->start);
    r.energy = world_energy(world, world->start);
    return r;
}

static void check_ledger(run *r)
{
    const perp_report *p = &r->report;
    double energy = p->kinetic + p->potential + p->stored;
    double largest = fmax(fmax(fabs(p->kinetic), fabs(p->potential)), fabs(p->stored));
    double sum = 0.0;
    double miss = 0.0;

    largest = fmax(largest, fabs(r->energy));
    for (int k = 0; k < PERP_LEDGER_PARTS; k++) {
        sum += p->ledger[k];
        largest = fmax(largest, fabs(p->ledger[k]));
    }
    miss = fabs(sum - (energy - r->energy));
    if (!(miss <= 1e-12 * largest)) {
        test_note("step %zu: parts sum to %.17g, energy changed by %.17g", p->step, sum,
                  energy - r->energy);
    }
    CU_ASSERT(miss <= 1e-12 * largest); /* thousands of roundings of eps each */
    CU_ASSERT_DOUBLE_EQUAL(energy, world_energy(r->world, r->world->start),
                           1e-14 * largest);
    r->energy = energy;
}

void run_steps(run *r, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        perp_error err = {0};
        perp_status status = PERP_OK;

        r->energy = world_energy(r->world,
                                 r->world->start); /* tests change worlds between steps */
        status = perp_stepper_step(r->stepper, &r->report, &err);
        if (status != PERP_OK) {
            test_note("step %zu: %s", k, err.text);
        }
        OK(status);
        CU_ASSERT_EQUAL_FATAL(test_nonfinite_body(r->world, r->world->start), -1);
        r->unsolved += r->report.outcome != PERP_SOLVED;
        check_ledger(r);
    }
}

perp_scheme run_scheme(double dt)
{
    perp_scheme scheme;

    perp_scheme_default(&scheme);
    scheme.dt = dt;
    scheme.stabilize = PERP_STABILIZE_NONE;
    return scheme;
}

perp_scheme run_scheme_by(int integrator, double dt)
{
    perp_scheme scheme = run_scheme(dt);

    scheme.integrator = (perp_integrator)integrator;
    return scheme;
}

perp_status run_implicit_motion(void *world, perp_error *err)
{
    perp_free_motion motion = {0};
    perp_scheme scheme = run_scheme_by(PERP_INTEGRATOR_IMPLICIT, 0.01);
    perp_status status =
        perp_free_motion_run(&motion, world, ((perp_world *)world)->start, &scheme, err);

    perp_free_motion_clear(&motion);
    return status;
}

static void add_shape(perp_world *world, const char *type, int32_t body,
                      const double size[3])
{
    perp_shape shape = {.type = perp_shape_type_find(type), .body = body};
    perp_error err = {0};

    memcpy(shape.size, size, sizeof shape.size);
    if (perp_world_add_shape(world, &shape, NULL, &err) != PERP_OK) {
        test_note("%s", err.text);
        CU_FAIL_FATAL("shape");
    }
}

int32_t run_ball(perp_world *world, const char *name, double m, double radius, double x,
                 double y, double z)
{
    const double size[3] = {radius, 0.0, 0.0};
    int32_t k = test_ball(world, name, m, radius, x, y, z);

    add_shape(world, "sphere", k, size);
    return k;
}

int32_t run_box(perp_world *world, const char *name, double m, const double half[3],
                double x, double y, double z)
{
    perp_body b = {.name = name, .mass = m, .r = {x, y, z}};
    int32_t k = -1;

    b.motion = m > 0.0 ? PERP_MOTION_DYNAMIC : PERP_MOTION_STATIC;
    perp_inertia_box(m, half, b.inertia);
    OK(perp_world_add_body(world, &b, &k, NULL));
    add_shape(world, "box", k, half);
    return k;
}

int32_t run_ground(perp_world *world)
{
    const double none[3] = {0.0, 0.0, 0.0};
    perp_body b = {.name = "ground", .motion = PERP_MOTION_STATIC};
    int32_t k = -1;

    OK(perp_world_add_body(world, &b, &k, NULL));
    add_shape(world, "plane", k, none);
    return k;
}

void run_material(perp_world *world, double mu, double restitution)
{
    world->materials[0].mu = mu;
    world->materials[0].restitution = restitution;
    /* both surfaces have it: a pair has the same */
    world->combine_mu = PERP_COMBINE_GEOMETRIC_MEAN;
    world->combine_restitution = PERP_COMBINE_GEOMETRIC_MEAN;
}

perp_joint *run_joint(perp_world *world, const char *type, int32_t i, int32_t j,
                      const double at[3], const double along[3])
{
    perp_joint joint = {.type = perp_joint_type_find(type), .i = i, .j = j};
    perp_error err = {0};
    double across[3] = {0.0, 0.0, 0.0};
    double t2[3];
    int32_t k = -1;
    perp_status status = PERP_OK;

    CU_ASSERT_PTR_NOT_NULL_FATAL(joint.type);
    if ((joint.type->needs & PERP_JOINT_AXIS_J) && joint.type->axes == 2 &&
        joint.type->axis_unit[1] == PERP_AXIS_ANGLE) {
        perp_tangents(along, across, t2);
    }
    joint.theta = 0.5; /* of a cone; others find theirs */
    snprintf(joint.name, sizeof joint.name, "%s %d-%d", type, (int)i, (int)j);
    status = perp_joint_attach(&joint, world, world->start, at, along,
                               vec3_dot(across, across) > 0.0 ? across : NULL, &err);
    if (status == PERP_OK) {
        status = perp_world_add_joint(world, &joint, &k, &err);
    }
    if (status != PERP_OK) {
        test_note("%s", err.text);
    }
    OK(status);
    return &world->joints[k];
}
