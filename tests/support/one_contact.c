/* SPDX-License-Identifier: Apache-2.0
 * tests/support/one_contact.c: one contact, solved as a step formulates it. */
#include <config.h>

#include <lapacke.h>
#include <string.h>

#include "formulated_world.h"
#include "math/vec3.h"
#include "one_contact.h"

void one_contact_velocity(const one_contact *k, const double gamma[3], double u[3])
{
    mat3_apply(k->W, gamma, u);
    vec3_add(u, 1.0, k->b, u);
}

/* W and b are in the order n, t1, t2 of this normal; to the world and back. */
static const double normal[3] = {0.6, 0.0, 0.8};

static void to_world(const double x[3], double out[3])
{
    double t1[3];
    double t2[3];

    vec3_tangents(normal, t1, t2);
    for (int c = 0; c < 3; c++) {
        out[c] = x[0] * normal[c] + x[1] * t1[c] + x[2] * t2[c];
    }
}

static void from_world(const double x[3], double out[3])
{
    double t1[3];
    double t2[3];

    vec3_tangents(normal, t1, t2);
    vec3_set(out, vec3_dot(x, normal), vec3_dot(x, t1), vec3_dot(x, t2));
}

/* Ground, and a body that a contact at the origin gives W: 1/m is the least eigenvalue, with
 * eigenvector e, the arm; W = E/m + a f f^T + b g g^T, and since e x f = +-g
 * I = e e^T + f f^T/b + g g^T/a. Of a multiple of E the arm is 0. Returns m. */
static double make_bodies(perp_world *world, const one_contact *k)
{
    double vector[9];
    double value[3];
    double axis[9];
    double inertia[3] = {1.0, 1.0, 1.0};
    double arm = 0.0;

    memcpy(vector, k->W, sizeof vector);
    CU_ASSERT_EQUAL_FATAL(LAPACKE_dsyev(LAPACK_COL_MAJOR, 'V', 'L', 3, vector, 3, value),
                          0);
    if (value[1] > value[0]) {
        arm = 1.0;
        inertia[1] = 1.0 / (value[2] - value[0]);
        inertia[2] = 1.0 / (value[1] - value[0]);
    }
    for (ptrdiff_t d = 0; d < 9; d += 3) {
        to_world(vector + d, axis + d);
    }
    test_ball(world, "ground", 0.0, 1.0, 0.0, 0.0, 0.0);
    test_ball(world, "body", 1.0 / value[0], 1.0, -arm * axis[0], -arm * axis[1],
              -arm * axis[2]);
    for (size_t c = 0; c < 9; c++) { /* not that of a solid */
        world->inertia[9 + c] = inertia[0] * axis[c / 3] * axis[c % 3] +
                                inertia[1] * axis[3 + c / 3] * axis[3 + c % 3] +
                                inertia[2] * axis[6 + c / 3] * axis[6 + c % 3];
    }
    perp_world_refresh(world, world->start);
    return 1.0 / value[0];
}

/* The velocity of the body at the contact, n, t1, t2. */
static void contact_velocity(const perp_world *world, const double *u, double out[3])
{
    double v[3];

    vec3_cross(perp_body_pose(world->start, 1), u + 9, v); /* w x arm */
    vec3_add(v, 1.0, u + 6, v);
    from_world(v, out);
}

void one_contact_solve(const one_contact *k, perp_model model, unsigned eta,
                       double gamma[3])
{
    static const char *const solver[] = {[PERP_MODEL_CONE] = "nsgs",
                                         [PERP_MODEL_ASSOCIATED] = "ipm-socp",
                                         [PERP_MODEL_PYRAMID] = "lemke",
                                         [PERP_MODEL_BOX] = "pgs"};
    const double origin[3] = {0};
    perp_world *world = test_world(3, 0.0);
    double u[12] = {[9] = 0.3, [10] = -0.2, [11] = 0.5};
    double expected[3];
    double found[3];
    double m = make_bodies(world, k);
    perp_result *r = NULL;
    stage s;

    stage_open(&s, world);
    s.scheme.model = model;
    s.scheme.eta = eta;
    s.scheme.storage = PERP_STORAGE_DENSE;
    stage_touch(&s, 0, 1, origin, normal, 0.0, k->mu);
    contact_velocity(world, u, found);
    vec3_subtract(k->b, found, found);
    to_world(found, u + 6);
    stage_formulate_at(&s, u);
    r = test_solve(&s.system.problem, solver[model], "tolerance=1e-12",
                   "max-iterations=200000", NULL);
    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    perp_system_impulses(&s.system, r->z, u);
    from_world(u + 6, gamma);
    vec3_scale(m, gamma, gamma);
    perp_system_velocities(&s.system, r->z, u);
    contact_velocity(world, u, found);
    one_contact_velocity(k, gamma, expected);
    test_agree("J u+", found, expected, 3, 1e-12); /* rounding of a few terms */
    stage_close(&s);
}
