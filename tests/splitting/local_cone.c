/* SPDX-License-Identifier: Apache-2.0
 * tests/splitting/local_cone.c: the problem of one contact, both laws, in the plane and
 * in space, judged by the common residual. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "instances.h"
#include "splitting/local_cone.h"

/* RES allows 10 roundings of the impulse; this is what the solver may add to them where
 * the velocity alone is rounded. The worst of 8000 problems of the reference is
 * 1.2e-14. */
static const double rounding = 2e-14;

typedef struct contact {
    unsigned dim;
    perp_law law;
    double mu;
    double D[9], q[3]; /* D by columns */
} contact;

/* The residual as published, which allows for the rounding of large impulses. */
static double judge(contact *c, double *r)
{
    perp_operator A = {.type = &perp_operator_dense,
                       .rows = c->dim,
                       .cols = c->dim,
                       .ld = c->dim,
                       .block_size = 1,
                       .count = (size_t)c->dim * c->dim,
                       .x = c->D};
    perp_block block = {.kind = PERP_SET_CONE, .dim = c->dim, .mu = c->mu};
    perp_set set = {.n = c->dim, .count = 1, .blocks = &block};
    perp_problem p = {.n = c->dim, .A = &A, .b = c->q, .set = &set, .law = c->law};

    perp_judge *judge = NULL;
    perp_measures m = {.residual_literature = INFINITY};

    if (perp_judge_new(&judge, &p, NULL) == PERP_OK) {
        perp_judge_measure(judge, r, 1e-8, &m);
    }
    return m.residual_literature;
}

static bool solve(const contact *c, double guess, double *r)
{
    local_cone k;

    perp_local_cone_init(&k, c->dim, c->mu, c->law, c->D, 0.0);
    memset(r, 0, 3 * sizeof *r);
    return perp_local_cone_solve(&k, c->q, &guess, r);
}

static void check_near(const double *r, double a, double b, double c, double tolerance)
{
    CU_ASSERT_DOUBLE_EQUAL(r[0], a, tolerance);
    CU_ASSERT_DOUBLE_EQUAL(r[1], b, tolerance);
    CU_ASSERT_DOUBLE_EQUAL(r[2], c, tolerance);
}

/* W = diag(2, 4, 4), q = (q_n, 3, -4): r_n = -q_n/2, u_t = 0 needs |r_t| = 5/4. */
TEST(solves_free_stick_and_slip_by_hand)
{
    contact c = {3, PERP_LAW_COULOMB, 0.5, {2, 0, 0, 0, 4, 0, 0, 0, 4}, {1, 3, -4}};
    double r[3];

    CU_ASSERT(solve(&c, 0.0, r)); /* leaves */
    check_near(r, 0, 0, 0, 0);
    c.q[0] = -6; /* r_n = 3, cone 1.5 */
    CU_ASSERT(solve(&c, 0.0, r));
    check_near(r, 3, -0.75, 1, 1e-15); /* exact up to one rounding each */
    c.q[0] = -4;                       /* r_n = 2, cone 1: slips along -q_t */
    CU_ASSERT(solve(&c, 0.0, r));
    check_near(r, 2, -0.6, 0.8, 4e-15);
}

/* A sphere (m = 2, R = 0.1, I = 2/5 m R^2) falls at 1 with v_x = 1 and spin 20: the
 * contact slips at -1, W = diag(1/m, 7/(2m), 7/(2m)). Sticks: r_t = 1/(7/4) = 4/7 <= 0.3
 * * 2. */
TEST(drops_a_spinning_sphere)
{
    contact c = {
        3, PERP_LAW_COULOMB, 0.3, {0.5, 0, 0, 0, 1.75, 0, 0, 0, 1.75}, {-1, -1, 0}};
    double r[3];

    CU_ASSERT(solve(&c, 0.0, r));
    check_near(r, 2, 4.0 / 7.0, 0, 1e-15);
    c.mu = 0.2; /* slips */
    CU_ASSERT(solve(&c, 0.0, r));
    check_near(r, 2, 0.4, 0, 4e-15);
}

/* W = diag(2, 4), mu = 1/2, q = (-2, 10): Coulomb u_n = 0: r_n = 1, r_t = -1/2.
 * Associated: along d = (1, -1/2): d.Wd = 3, q.d = -7, r = 7/3 d, u = (8/3, 16/3), u_n =
 * mu |u_t|. */
TEST(solves_the_plane_by_hand)
{
    contact c = {2, PERP_LAW_COULOMB, 0.5, {2, 0, 0, 4}, {-2, 10, 0}};
    double r[3];

    CU_ASSERT(solve(&c, 0.0, r));
    check_near(r, 1, -0.5, 0, 1e-15);
    c.law = PERP_LAW_ASSOCIATED;
    CU_ASSERT(solve(&c, 0.0, r));
    check_near(r, 7.0 / 3.0, -7.0 / 6.0, 0, 1e-15);
    c.q[0] = 3; /* Coulomb leaves; associated is still pushed: 3 < mu 10 */
    CU_ASSERT(solve(&c, 0.0, r));
    check_near(r, 2.0 / 3.0, -1.0 / 3.0, 0, 1e-15);
    c.q[0] = 5; /* in the dual cone: nothing to do */
    CU_ASSERT(solve(&c, 0.0, r));
    check_near(r, 0, 0, 0, 0);
}

/* n orthonormal vectors by Gram and Schmidt. */
static void random_frame(perp_random *g, unsigned n, double Q[3][3])
{
    for (unsigned j = 0; j < n; j++) {
        double length = 0.0;

        for (unsigned i = 0; i < n; i++) {
            Q[j][i] = perp_random_uniform(g, -1, 1);
        }
        for (unsigned k = 0; k < j; k++) {
            double dot = 0.0;

            for (unsigned i = 0; i < n; i++) {
                dot += Q[j][i] * Q[k][i];
            }
            for (unsigned i = 0; i < n; i++) {
                Q[j][i] -= dot * Q[k][i];
            }
        }
        for (unsigned i = 0; i < n; i++) {
            length += Q[j][i] * Q[j][i];
        }
        for (unsigned i = 0; i < n; i++) {
            Q[j][i] /= sqrt(length);
        }
    }
}

/* D = Q diag(1, l, 1/cond) Q^T, l between, cond up to 10^decades; with `skew` a skew part
 * of up to the size of the diagonal. */
static void random_contact(perp_random *g, contact *c, bool skew, double decades)
{
    unsigned n = c->dim;
    double low = pow(10.0, -perp_random_uniform(g, 0, decades));
    double lambda[3] = {1.0, n == 3 ? pow(low, perp_random_unit(g)) : low, low};
    double Q[3][3];

    random_frame(g, n, Q);
    memset(c->D, 0, sizeof c->D);
    for (unsigned i = 0; i < n; i++) {
        for (unsigned j = 0; j < n; j++) {
            for (unsigned k = 0; k < n; k++) {
                c->D[i + n * j] += Q[k][i] * lambda[k] * Q[k][j];
            }
        }
    }
    for (unsigned i = 0; skew && i < n; i++) {
        for (unsigned j = 0; j < i; j++) {
            double a = sqrt(c->D[i + n * i] * c->D[j + n * j]) *
                       perp_random_uniform(g, -1, 1) *
                       pow(10.0, perp_random_uniform(g, -6, 0));

            c->D[i + n * j] += a;
            c->D[j + n * i] -= a;
        }
    }
}

/* |q_t|/|q_n| up to 100, now and then leaving; mu up to 5. */
static void random_load(perp_random *g, contact *c, int turn)
{
    double scale = pow(10.0, perp_random_uniform(g, -2, 2));

    c->q[0] = turn % 10 ? -1.0 : perp_random_uniform(g, -1, 1);
    c->q[1] = scale * perp_random_uniform(g, -1, 1);
    c->q[2] = scale * perp_random_uniform(g, -1, 1);
    c->mu = turn % 7 ? perp_random_uniform(g, 0, 5) : perp_random_unit(g);
}

static void check_many(unsigned dim, perp_law law, double decades, double bound)
{
    perp_random g = {7};
    double worst = 0.0;
    int at = -1;

    for (int turn = 0; turn < 8000; turn++) {
        contact c = {.dim = dim, .law = law};
        double r[3], residual;

        random_contact(&g, &c, turn % 2, decades);
        random_load(&g, &c, turn);
        CU_ASSERT_FATAL(solve(&c, 0.0, r));
        residual = judge(&c, r);
        if (!(residual <= worst)) {
            worst = residual;
            at = turn;
        }
    }
    if (!(worst <= bound)) {
        test_note("seed 7, problem %d: RES %.2e", at, worst);
    }
    CU_ASSERT(worst <= bound);
}

TEST(solves_8000_random_contacts_to_rounding)
{
    check_many(3, PERP_LAW_COULOMB, 12, rounding);
}

TEST(solves_8000_random_plane_contacts_to_rounding)
{
    check_many(2, PERP_LAW_COULOMB, 12, rounding);
    check_many(2, PERP_LAW_ASSOCIATED, 12, rounding);
}

/* With a condition of 1e12 the impulse may be 1e10 velocities, whose rounding the
 * allowance just covers: 1e-12 leaves one digit of room for those. */
TEST(solves_8000_random_associated_contacts_to_rounding)
{
    check_many(3, PERP_LAW_ASSOCIATED, 6, rounding);
    check_many(3, PERP_LAW_ASSOCIATED, 12, 1e-12);
}

TEST(the_guess_changes_nothing_but_the_way)
{
    perp_random g = {11};

    for (int turn = 0; turn < 500; turn++) {
        contact c = {.dim = 3, .law = turn % 2 ? PERP_LAW_ASSOCIATED : PERP_LAW_COULOMB};
        double r[3];

        random_contact(&g, &c, turn % 3 == 0, 6);
        random_load(&g, &c, turn);
        CU_ASSERT(solve(&c, pow(10.0, perp_random_uniform(&g, -9, 9)), r));
        CU_ASSERT(judge(&c, r) <= rounding);
    }
}

/* In the plane of the tangent t1 a contact in space is one in the plane. */
TEST(a_plane_contact_is_one_in_space_without_t2)
{
    perp_random g = {13};

    for (int turn = 0; turn < 500; turn++) {
        contact c = {.dim = 2, .law = turn % 2 ? PERP_LAW_ASSOCIATED : PERP_LAW_COULOMB};
        contact s = {.dim = 3, .law = c.law};
        double r[3], x[3];

        random_contact(&g, &c, turn % 3 == 0, 2);
        random_load(&g, &c, turn);
        s.mu = c.mu;
        memcpy(s.q, c.q, 2 * sizeof *c.q);
        s.D[0] = c.D[0];
        s.D[1] = c.D[1];
        s.D[3] = c.D[2];
        s.D[4] = s.D[8] = c.D[3];
        CU_ASSERT(solve(&c, 0.0, r));
        CU_ASSERT(solve(&s, 0.0, x));
        r[2] = 0.0;
        CU_ASSERT(judge(&s, r) <= rounding);
        CU_ASSERT(judge(&c, x) <= rounding);
    }
}

/* The associated law of a symmetric W is a convex QP: projected gradient finds it,
 * slowly. cond <= 30 and 3000 steps: (1 - 1/30)^3000 = 1e-44. */
TEST(the_associated_law_is_the_cone_qp)
{
    perp_random g = {17};

    for (int turn = 0; turn < 200; turn++) {
        contact c = {.dim = turn % 2 ? 3 : 2, .law = PERP_LAW_ASSOCIATED};
        double r[3], x[3] = {0, 0, 0};

        random_contact(&g, &c, false, 1.5);
        random_load(&g, &c, turn);
        for (int k = 0; k < 3000; k++) {
            double y[3];

            for (unsigned i = 0; i < c.dim; i++) {
                y[i] = x[i] - c.q[i];
                for (unsigned j = 0; j < c.dim; j++) {
                    y[i] -= c.D[i + c.dim * j] * x[j];
                }
            }
            memcpy(x, y, c.dim * sizeof *x); /* |W| = 1: a unit step */
            perp_project_cone(c.mu, c.dim, x);
        }
        CU_ASSERT(solve(&c, 0.0, r));
        for (unsigned i = 0; i < c.dim; i++) { /* both to cond * rounding * |r| */
            CU_ASSERT_DOUBLE_EQUAL(r[i], x[i], 1e-11 * (1.0 + fabs(x[0])));
        }
    }
}

TEST(cheap_steps_stand_still_at_the_solution)
{
    perp_random g = {19};

    for (int turn = 0; turn < 400; turn++) {
        contact c = {.dim = turn % 4 < 2 ? 3 : 2,
                     .law = turn % 2 ? PERP_LAW_ASSOCIATED : PERP_LAW_COULOMB};
        local_cone k;
        double r[3], u[3], x[3], y[3];

        random_contact(&g, &c, turn % 3 == 0, 1);
        random_load(&g, &c, turn);
        perp_local_cone_init(&k, c.dim, c.mu, c.law, c.D, 0.0);
        CU_ASSERT(solve(&c, 0.0, r));
        for (unsigned i = 0; i < c.dim; i++) {
            u[i] = c.q[i];
            for (unsigned j = 0; j < c.dim; j++) {
                u[i] += c.D[i + c.dim * j] * r[j];
            }
        }
        memcpy(x, r, sizeof r);
        memcpy(y, r, sizeof r);
        perp_local_cone_project(&k, u, x);
        perp_local_cone_two_step(&k, u, y);
        for (unsigned i = 0; i < c.dim; i++) { /* rounding of u times 1/|W|, |q| to 100 */
            CU_ASSERT_DOUBLE_EQUAL(x[i], r[i], 1e-12 * (1.0 + fabs(r[0])));
            CU_ASSERT_DOUBLE_EQUAL(y[i], r[i], 1e-12 * (1.0 + fabs(r[0])));
        }
    }
}

TEST(without_friction_only_the_normal_pushes)
{
    contact c = {3, PERP_LAW_COULOMB, 0, {2, 1, 1, 1, 3, 0, 1, 0, 3}, {-4, 1, 2}};
    double r[3];

    CU_ASSERT(solve(&c, 0.0, r));
    check_near(r, 2, 0, 0, 0);
    c.law = PERP_LAW_ASSOCIATED;
    CU_ASSERT(solve(&c, 0.0, r));
    check_near(r, 2, 0, 0, 0);
}

/* mu = 1e10. What can stick does: r = -W^-1 q = (13/5, -6/5, -2/3), where the term mu
 * |u_t| makes RES of any rounding. With W_nt r_t beyond what the normal can hold, r_n is
 * what is left, |r_t|/mu. */
TEST(takes_a_huge_coefficient)
{
    contact c = {3, PERP_LAW_COULOMB, 1e10, {2, 1, 0, 1, 3, 0, 0, 0, 3}, {-4, 1, 2}};
    double r[3];

    CU_ASSERT(solve(&c, 0.0, r));
    check_near(r, 2.6, -1.2, -2.0 / 3.0, 1e-15);
    c.q[1] = -30;
    CU_ASSERT(solve(&c, 0.0, r));
    CU_ASSERT(judge(&c, r) <= rounding);
    CU_ASSERT(r[0] > 0.0 && r[0] < 1e-8); /* |r_t| < 30 */
    c.law = PERP_LAW_ASSOCIATED;
    CU_ASSERT(solve(&c, 0.0, r));
    CU_ASSERT(judge(&c, r) <= rounding);
}

TEST(refuses_a_normal_without_mass)
{
    contact c = {3, PERP_LAW_COULOMB, 0.5, {0, 0, 0, 0, 1, 0, 0, 0, 1}, {-1, 0, 0}};
    double r[3];

    CU_ASSERT_FALSE(solve(&c, 0.0, r)); /* W_nn = 0 and pushed */
    c.D[0] = -1;
    CU_ASSERT_FALSE(solve(&c, 0.0, r));
    memset(c.D, 0, sizeof c.D);
    CU_ASSERT_FALSE(solve(&c, 0.0, r));
    c.q[0] = 1; /* leaving: nothing is asked of it */
    CU_ASSERT(solve(&c, 0.0, r));
    check_near(r, 0, 0, 0, 0);
}

/* W_tt = 0 or indefinite by more than rounding has no promise, but ends, and in the
 * cone. */
TEST(ends_in_the_cone_whatever_the_block)
{
    perp_random g = {23};

    for (int turn = 0; turn < 2000; turn++) {
        contact c = {.dim = turn % 2 ? 3 : 2, .mu = perp_random_uniform(&g, 0, 2)};
        double r[3];

        c.law = turn % 4 < 2 ? PERP_LAW_COULOMB : PERP_LAW_ASSOCIATED;
        for (unsigned i = 0; i < c.dim * c.dim; i++) {
            c.D[i] = turn % 8 < 4 && i > 0 ? 0.0 : perp_random_uniform(&g, -1, 1);
        }
        c.D[0] = fabs(c.D[0]);
        random_load(&g, &c, turn);
        CU_ASSERT(solve(&c, 0.0, r));
        CU_ASSERT(isfinite(r[0]) && isfinite(r[1]) && isfinite(r[2]));
        CU_ASSERT(hypot(r[1], c.dim == 3 ? r[2] : 0.0) <= c.mu * r[0] * (1 + 1e-14));
    }
}

TEST(ends_on_nan)
{
    contact c = {3, PERP_LAW_COULOMB, 0.5, {2, 0, 0, 0, 4, 0, 0, 0, 4}, {-1, NAN, 3}};
    double r[3];

    solve(&c, 0.0, r);
    CU_ASSERT_FALSE(judge(&c, r) <= 1.0);
    c.law = PERP_LAW_ASSOCIATED;
    solve(&c, 0.0, r);
    CU_ASSERT_FALSE(judge(&c, r) <= 1.0);
}

static void load_contact(contact *c, const perp_problem *p)
{
    *c = (contact){3, p->law, p->set->blocks[0].mu, {0}, {0}};
    perp_operator_diagonal_block(p->A, 0, 3, c->D);
    memcpy(c->q, p->b, sizeof c->q);
}

TEST(agrees_with_24_contacts_solved_elsewhere)
{
    json_t *root = test_golden_json("local3_24");
    const json_t *one = NULL;
    size_t k = 0;

    json_array_foreach(json_object_get(root, "cases"), k, one)
    {
        const double mu = json_number_value(json_object_get(one, "mu"));
        double W[9], b[3], r[3], stored[3];
        contact c;

        test_json_reals(json_object_get(one, "W"), 9, W);
        test_json_reals(json_object_get(one, "q"), 3, b);
        test_json_reals(json_object_get(one, "r"), 3, stored);
        load_contact(&c, test_cones(3, 1, W, b, &mu));
        CU_ASSERT(solve(&c, 0.0, r));
        CU_ASSERT(judge(&c, r) <= rounding);
        for (int i = 0; i < 3; i++) { /* mu <= 1 here: unique; cond(W) <= 1e5 */
            CU_ASSERT_DOUBLE_EQUAL(r[i], stored[i], 1e-9 * (1.0 + fabs(stored[0])));
        }
    }
    CU_ASSERT_EQUAL(k, 24);
    json_decref(root);
}

static double distance3(const double *a, const double *b)
{
    return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

/* The file promises its numbers to 1e-7. Coulomb's law may have several answers. */
static void check_friction_model(size_t index, const json_t *in, const json_t *out)
{
    const json_t *answers = json_object_get(out, "coulomb_gamma");
    contact c = {.dim = 3, .mu = json_number_value(json_object_get(in, "mu"))};
    double rows[9], r[3], golden[3], nearest = INFINITY;

    test_json_reals(json_object_get(in, "W"), 9, rows);
    test_json_reals(json_object_get(in, "b"), 3, c.q);
    for (int i = 0; i < 9; i++) {
        c.D[i / 3 + 3 * (i % 3)] = rows[i];
    }
    CU_ASSERT(solve(&c, 0.0, r));
    CU_ASSERT(judge(&c, r) <= rounding);
    for (size_t i = 0; i < json_array_size(answers); i++) {
        test_json_reals(json_array_get(answers, i), 3, golden);
        nearest = fmin(nearest, distance3(r, golden));
    }
    if (!(nearest <= 1e-7 * (1.0 + fabs(r[0])))) {
        test_note("case %zu: %.2e away", index, nearest);
        CU_FAIL("not one of the golden answers");
    }

    c.law = PERP_LAW_ASSOCIATED;
    CU_ASSERT(solve(&c, 0.0, r));
    CU_ASSERT(judge(&c, r) <= rounding);
    test_json_reals(json_object_get(out, "ccp_gamma"), 3, golden);
    CU_ASSERT(distance3(r, golden) <= 1e-7 * (1.0 + fabs(r[0])));
}

TEST(agrees_with_the_friction_models_of_another_code)
{
    CU_ASSERT_EQUAL(test_each_friction_model(check_friction_model), 12);
}
