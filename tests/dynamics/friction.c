/* SPDX-License-Identifier: Apache-2.0
 * tests/dynamics/friction.c: models of friction of one contact, and what relates them. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dynamics.h"
#include "math/vec3.h"

/* One contact: u = W gamma + b in the order n, t1, t2. */
typedef struct one_contact {
    double W[9], b[3], mu;
} one_contact;

static one_contact read_contact(const golden_case *c)
{
    one_contact k;

    golden_reals(c->in, "W", 9, k.W);
    golden_reals(c->in, "b", 3, k.b);
    k.mu = golden_real(c->in, "mu");
    return k;
}

static void velocity(const one_contact *k, const double gamma[3], double u[3])
{
    mat3_apply(k->W, gamma, u);
    vec3_add(u, 1.0, k->b, u);
}

static void solve(perp_problem *p, const char *solver, size_t n, double *z)
{
    perp_result *r =
        test_solve(p, solver, "tolerance=1e-12", "max-iterations=200000", NULL);

    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    memcpy(z, r->z, n * sizeof *z);
    perp_result_free(r);
    perp_problem_free(p);
}

static void solve_cone(const one_contact *k, perp_law law, double gamma[3])
{
    perp_problem *p = test_cones(3, 1, k->W, k->b, &k->mu);

    p->law = law;
    solve(p, law == PERP_LAW_COULOMB ? "nsgs" : "ipm-socp", 3, gamma);
}

static void solve_box(const one_contact *k, double gamma[3])
{
    perp_problem *p = test_cones(3, 1, k->W, k->b, &k->mu);
    perp_set *set = NULL;

    CU_ASSERT_EQUAL_FATAL(perp_set_new(&set, 3, NULL), PERP_OK);
    perp_set_add_nonneg(set);
    perp_set_add_friction(set, k->mu, 0);
    perp_set_add_friction(set, k->mu, 0);
    test_give_set(p, set);
    solve(p, "pgs", 3, gamma);
}

/* [n, d_1 .. d_eta, aux] by hand: D^T W D with ones and mu on the border. */
static void solve_pyramid(const one_contact *k, unsigned eta, double gamma[3])
{
    const double t1[3] = {0.0, 1.0, 0.0};
    const double t2[3] = {0.0, 0.0, 1.0};
    const size_t n = eta + 2;
    double D[3 * 17] = {1.0, 0.0, 0.0};
    double M[18 * 18] = {0.0};
    double q[18] = {0.0};
    double z[18];

    perp_pyramid_directions(t1, t2, eta, D + 3);
    for (size_t i = 0; i <= eta; i++) {
        double u[3];

        mat3_apply(k->W, D + 3 * i, u);
        for (size_t j = 0; j <= eta; j++) {
            M[j * n + i] = vec3_dot(D + 3 * j, u);
        }
        M[i * n + n - 1] = i > 0 ? 1.0 : 0.0;
        M[(n - 1) * n + i] = i > 0 ? -1.0 : k->mu;
        q[i] = vec3_dot(D + 3 * i, k->b);
    }
    solve(test_lcp(n, M, q), "lemke", n, z);
    vec3_set(gamma, 0.0, 0.0, 0.0);
    for (size_t i = 0; i <= eta; i++) {
        vec3_add(gamma, z[i], D + 3 * i, gamma);
    }
}

static double tangent(const double x[3])
{
    return hypot(x[1], x[2]);
}

/* |gamma - P_K(gamma - c~)|, c~ raised by De Saxce's term. */
static double de_saxce(const one_contact *k, const double gamma[3])
{
    double u[3];
    double x[3];

    velocity(k, gamma, u);
    u[0] += k->mu * tangent(u);
    vec3_subtract(gamma, u, x);
    perp_project_cone(k->mu, 3, x);
    vec3_subtract(gamma, x, x);
    return vec3_length(x);
}

static void agree(const golden_case *c, const one_contact *k, const char *gamma_key,
                  const char *u_key, const double gamma[3])
{
    double u[3];

    velocity(k, gamma, u);
    golden_agree(c, gamma_key, gamma, 3);
    golden_agree(c, u_key, u, 3);
}

/* The cone's solution is one of those listed, of which there may be more. */
static void check_coulomb(const golden_case *c, const one_contact *k)
{
    double gamma[3];
    double listed[16];
    double nearest = INFINITY;
    const size_t count = golden_count(c->out, "coulomb_gamma") / 3;

    solve_cone(k, PERP_LAW_COULOMB, gamma);
    golden_reals(c->out, "coulomb_gamma", 3 * count, listed);
    for (size_t i = 0; i < count; i++) {
        double d[3];

        vec3_subtract(gamma, listed + 3 * i, d);
        nearest = fmin(nearest, vec3_length(d));
        CU_ASSERT(de_saxce(k, listed + 3 * i) <= c->tol);
    }
    CU_ASSERT(nearest <= c->tol);
    CU_ASSERT(de_saxce(k, gamma) <= 1e-10); /* RES 1e-12 in units of the contact */
}

static void check_models(const golden_case *c)
{
    const one_contact k = read_contact(c);
    double gamma[3];

    check_coulomb(c, &k);
    solve_cone(&k, PERP_LAW_ASSOCIATED, gamma);
    agree(c, &k, "ccp_gamma", "ccp_u", gamma);
    solve_pyramid(&k, 4, gamma);
    agree(c, &k, "pyramid4_gamma", "pyramid4_u", gamma);
    solve_pyramid(&k, 8, gamma);
    agree(c, &k, "pyramid8_gamma", "pyramid8_u", gamma);
    solve_box(&k, gamma);
    agree(c, &k, "box_gamma", "box_u", gamma);
}

TEST(the_four_models_are_the_golden_ones)
{
    golden_each("friction_models", NULL, check_models);
}

/* Cone, stick or slip, direction: with R = mu gamma_n, |x| <= R, |v| (|x| - R) = 0 and
 * x.v = -|x||v|; the normal is complementary. */
static void check_law(const golden_case *c)
{
    const one_contact k = read_contact(c);
    double g[3];
    double u[3];

    solve_cone(&k, PERP_LAW_COULOMB, g);
    velocity(&k, g, u);
    /* RES 1e-12 times impulses and speeds near 1 */
    CU_ASSERT(tangent(g) <= k.mu * g[0] + 1e-10);
    CU_ASSERT(fabs(tangent(u) * (tangent(g) - k.mu * g[0])) <= 1e-10);
    CU_ASSERT(fabs(g[1] * u[1] + g[2] * u[2] + tangent(g) * tangent(u)) <= 1e-10);
    CU_ASSERT(g[0] >= 0.0 && u[0] >= -1e-10 && fabs(g[0] * u[0]) <= 1e-10);
}

TEST(solutions_obey_coulombs_conditions)
{
    golden_each("friction_models", NULL, check_law);
}

/* c_n >= mu |c_t| opens the contact in every model. */
TEST(all_models_agree_on_an_open_contact)
{
    const one_contact k = {
        .W = {0.5, 0, 0, 0, 0.5, 0, 0, 0, 0.5}, .b = {0.6, 0.6, 0.8}, .mu = 0.5};
    double g[5][3];

    solve_cone(&k, PERP_LAW_COULOMB, g[0]);
    solve_cone(&k, PERP_LAW_ASSOCIATED, g[1]);
    solve_pyramid(&k, 4, g[2]);
    solve_pyramid(&k, 8, g[3]);
    solve_box(&k, g[4]);
    for (int m = 0; m < 5; m++) {
        CU_ASSERT(vec3_length(g[m]) <= 1e-11); /* an interior point stops near 0 */
    }
}

static void check_sticking(const golden_case *c)
{
    const one_contact k = read_contact(c);
    const char *status =
        json_string_value(json_array_get(json_object_get(c->out, "coulomb_status"), 0));
    double g[3];
    double x[3];

    solve_cone(&k, PERP_LAW_COULOMB, g);
    if (strcmp(status, "stick") != 0) {
        return;
    }
    solve_cone(&k, PERP_LAW_ASSOCIATED, x);
    test_agree("associated", x, g, 3, c->tol);
    if (fabs(g[1]) + fabs(g[2]) <= k.mu * g[0]) { /* inside the square on its corner */
        solve_pyramid(&k, 4, x);
        test_agree("pyramid", x, g, 3, c->tol);
    }
    if (fmax(fabs(g[1]), fabs(g[2])) <= k.mu * g[0]) {
        solve_box(&k, x);
        test_agree("box", x, g, 3, c->tol);
    }
}

TEST(models_agree_when_sticking_inside_their_sets)
{
    golden_each("friction_models", NULL, check_sticking);
}

/* W = E/m, b = (-g dt, v, 0), sliding along t1: the closed forms of every model. */
TEST(sliding_follows_the_closed_forms)
{
    const double m = 2.0;
    const double fall = 0.0981;
    const double v = 1.0;
    const double mu = 0.5;
    const one_contact k = {
        .W = {1 / m, 0, 0, 0, 1 / m, 0, 0, 0, 1 / m}, .b = {-fall, v, 0.0}, .mu = mu};
    const double coulomb[3] = {m * fall, -mu * m * fall, 0.0};
    const double n = m * (fall + mu * v) / (1.0 + mu * mu);
    const double associated[3] = {n, -mu * n, 0.0};
    double g[3];
    double u[3];

    /* answers to RES 1e-12, numbers below 1 */
    solve_cone(&k, PERP_LAW_COULOMB, g);
    test_agree("coulomb", g, coulomb, 3, 1e-10);
    solve_pyramid(&k, 4, g);
    test_agree("pyramid along a direction", g, coulomb, 3, 1e-10);
    solve_box(&k, g);
    test_agree("box along an axis", g, coulomb, 3, 1e-10);
    solve_cone(&k, PERP_LAW_ASSOCIATED, g);
    test_agree("associated", g, associated, 3, 1e-9);
    velocity(&k, g, u);
    CU_ASSERT_DOUBLE_EQUAL(u[0], mu * tangent(u), 1e-9); /* it lifts off */
    CU_ASSERT(u[0] > 0.1);
}

/* Of all sliding contacts of the golden file. */
static void check_lift(const golden_case *c)
{
    const one_contact k = read_contact(c);
    double g[3];
    double u[3];

    solve_cone(&k, PERP_LAW_ASSOCIATED, g);
    velocity(&k, g, u);
    CU_ASSERT(g[0] * (u[0] - k.mu * tangent(u)) <= 1e-9);
    CU_ASSERT(u[0] - k.mu * tangent(u) >= -1e-9);
}

TEST(associated_contacts_lift_by_mu_times_their_slip)
{
    golden_each("friction_models", NULL, check_lift);
}

/* s <- |c_t| of the convex problem with b + mu s n: its fixed point obeys Coulomb. */
static void check_fixed_point(const golden_case *c)
{
    one_contact k = read_contact(c);
    const double b_n = k.b[0];
    double g[3];
    double s = 0.0;
    double step = INFINITY;

    for (int round = 0; round < 200 && step > 1e-12; round++) {
        double u[3];

        k.b[0] = b_n + k.mu * s;
        solve_cone(&k, PERP_LAW_ASSOCIATED, g);
        velocity(&k, g, u);
        step = fabs(tangent(u) - s);
        s = tangent(u);
    }
    k.b[0] = b_n;
    CU_ASSERT(step <= 1e-10);
    CU_ASSERT(de_saxce(&k, g) <=
              1e-8); /* interior solutions, hundredfold by the rounds */
}

TEST(convex_problems_repeated_reach_coulombs_law)
{
    golden_each("friction_models", NULL, check_fixed_point);
}

/* min v.y over |y| <= R: -R|v| at y = -R v/|v|, with nu = |v|/R; 0 alone when R = 0. */
TEST(friction_dissipates_most_over_its_disc)
{
    perp_random g = {17};

    for (int trial = 0; trial < 50; trial++) {
        const double v[2] = {perp_random_uniform(&g, -1.0, 1.0),
                             perp_random_uniform(&g, -1.0, 1.0)};
        const double R = trial == 0 ? 0.0 : perp_random_uniform(&g, 0.1, 2.0);
        const double speed = hypot(v[0], v[1]);
        const double x[2] = {-R * v[0] / speed, -R * v[1] / speed};
        const double nu = R > 0.0 ? speed / R : 0.0;

        for (int k = 0; k < 400; k++) { /* the disc, its centre and edge among it */
            const double r = R * (k % 20) / 19.0;
            const double angle = 0.31415926 * (k / 20);
            const double value = r * (v[0] * cos(angle) + v[1] * sin(angle));

            CU_ASSERT(value >= x[0] * v[0] + x[1] * v[1] - 1e-14); /* rounding */
        }
        CU_ASSERT_DOUBLE_EQUAL(x[0] * v[0] + x[1] * v[1], -R * speed, 1e-14);
        if (R > 0.0) { /* v + nu x = 0 with |x| = R: the conditions of optimality */
            CU_ASSERT_DOUBLE_EQUAL(v[0] + nu * x[0], 0.0, 1e-14);
            CU_ASSERT_DOUBLE_EQUAL(v[1] + nu * x[1], 0.0, 1e-14);
            CU_ASSERT_DOUBLE_EQUAL(hypot(x[0], x[1]), R, 1e-14);
        }
    }
}

/* The polygon lies in the disc: it dissipates cos(pi/eta) .. 1 of what the disc does. */
TEST(a_pyramid_dissipates_nearly_what_a_cone_does)
{
    const double t1[3] = {1.0, 0.0, 0.0};
    const double t2[3] = {0.0, 1.0, 0.0};
    const double pi = 3.14159265358979323846;
    double d[3 * 16];

    for (unsigned eta = 4; eta <= 16; eta += 2) {
        double least = 1.0;

        perp_pyramid_directions(t1, t2, eta, d);
        for (int k = 0; k < 720; k++) {
            const double v[3] = {cos(k * pi / 360.0), sin(k * pi / 360.0), 0.0};
            double most = 0.0;

            for (unsigned h = 0; h < eta; h++) {
                most = fmax(most, -vec3_dot(d + 3 * (size_t)h, v));
            }
            least = fmin(least, most);
        }
        /* the worst direction is within half a degree of one that was tried */
        CU_ASSERT(least >= cos(pi / eta) - 1e-14 && least <= cos(pi / eta) + 5e-3);
    }
}

static void check_projection(const golden_case *c)
{
    const double mu = golden_real(c->in, "mu");
    double x[3];
    double p[3];
    double rest[3];
    double again[3];

    golden_reals(c->in, "x", 3, x);
    vec3_copy(p, x);
    perp_project_cone(mu, 3, p);
    golden_agree(c, "p", p, 3);
    vec3_subtract(x, p, rest); /* x = p + rest, p.rest = 0, -rest in the dual cone */
    CU_ASSERT_DOUBLE_EQUAL(vec3_dot(p, rest), 0.0, 1e-14);
    CU_ASSERT(-rest[0] >= mu * tangent(rest) - 1e-14);
    vec3_copy(again, p);
    perp_project_cone(mu, 3, again);
    test_agree("again", again, p, 3, 1e-15);
}

TEST(projections_on_the_cone_are_the_golden_ones)
{
    golden_each("cone_projection", NULL, check_projection);
}

/* mu 1/2 and 2, restitution 1/4 and 1, erp 1/8 and the scheme's. */
TEST(surfaces_are_combined_by_the_rules_of_the_world)
{
    const perp_material a = {
        .name = "a", .mu = 0.5, .restitution = 0.25, .mu_rolling = 0.0, .erp = 0.125};
    const perp_material b = {
        .name = "b", .mu = 2.0, .restitution = 1.0, .mu_rolling = 0.0, .erp = 0.5};
    const double expected[] = {1.0, 1.0, 0.5, 2.0, 1.25}; /* in the order of the rules */
    perp_world *world = test_world(3, 0.0);
    perp_material pair;
    int32_t i = -1;
    int32_t j = -1;

    CU_ASSERT_EQUAL_FATAL(perp_world_add_material(world, &a, &i, NULL), PERP_OK);
    CU_ASSERT_EQUAL_FATAL(perp_world_add_material(world, &b, &j, NULL), PERP_OK);
    perp_world_combine(world, i, j, &pair);
    CU_ASSERT_EQUAL(pair.restitution, 0.25); /* products, unless told otherwise */
    for (int rule = 0; rule <= PERP_COMBINE_AVERAGE; rule++) {
        world->combine_mu = world->combine_erp = (perp_combine)rule;
        perp_world_combine(world, i, j, &pair);
        CU_ASSERT_EQUAL(pair.mu, expected[rule]);
    }
    CU_ASSERT_EQUAL(pair.erp, 0.3125);
    perp_world_free(world);
}

TEST_MAIN("dynamics/friction")
