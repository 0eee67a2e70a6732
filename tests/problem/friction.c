/* SPDX-License-Identifier: Apache-2.0
 * tests/problem/friction.c: models of friction of one contact, and what relates them. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "math/vec3.h"
#include "one_contact.h"
#include "problem/writer.h"

static const double pi = 3.14159265358979323846;

static one_contact read_contact(const golden_case *c)
{
    one_contact k;

    golden_reals(c->in, "W", 9, k.W);
    golden_reals(c->in, "b", 3, k.b);
    k.mu = golden_real(c->in, "mu");
    return k;
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

    one_contact_velocity(k, gamma, u);
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

    one_contact_velocity(k, gamma, u);
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

    one_contact_solve(k, PERP_MODEL_CONE, 0, gamma);
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
    one_contact_solve(&k, PERP_MODEL_ASSOCIATED, 0, gamma);
    agree(c, &k, "ccp_gamma", "ccp_u", gamma);
    one_contact_solve(&k, PERP_MODEL_PYRAMID, 4, gamma);
    agree(c, &k, "pyramid4_gamma", "pyramid4_u", gamma);
    one_contact_solve(&k, PERP_MODEL_PYRAMID, 8, gamma);
    agree(c, &k, "pyramid8_gamma", "pyramid8_u", gamma);
    one_contact_solve(&k, PERP_MODEL_BOX, 0, gamma);
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

    one_contact_solve(&k, PERP_MODEL_CONE, 0, g);
    one_contact_velocity(&k, g, u);
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

    one_contact_solve(&k, PERP_MODEL_CONE, 0, g[0]);
    one_contact_solve(&k, PERP_MODEL_ASSOCIATED, 0, g[1]);
    one_contact_solve(&k, PERP_MODEL_PYRAMID, 4, g[2]);
    one_contact_solve(&k, PERP_MODEL_PYRAMID, 8, g[3]);
    one_contact_solve(&k, PERP_MODEL_BOX, 0, g[4]);
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

    one_contact_solve(&k, PERP_MODEL_CONE, 0, g);
    if (strcmp(status, "stick") != 0) {
        return;
    }
    one_contact_solve(&k, PERP_MODEL_ASSOCIATED, 0, x);
    test_agree("associated", x, g, 3, c->tol);
    if (fabs(g[1]) + fabs(g[2]) <= k.mu * g[0]) { /* inside the square on its corner */
        one_contact_solve(&k, PERP_MODEL_PYRAMID, 4, x);
        test_agree("pyramid", x, g, 3, c->tol);
    }
    if (fmax(fabs(g[1]), fabs(g[2])) <= k.mu * g[0]) {
        one_contact_solve(&k, PERP_MODEL_BOX, 0, x);
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
    one_contact_solve(&k, PERP_MODEL_CONE, 0, g);
    test_agree("coulomb", g, coulomb, 3, 1e-10);
    one_contact_solve(&k, PERP_MODEL_PYRAMID, 4, g);
    test_agree("pyramid along a direction", g, coulomb, 3, 1e-10);
    one_contact_solve(&k, PERP_MODEL_BOX, 0, g);
    test_agree("box along an axis", g, coulomb, 3, 1e-10);
    one_contact_solve(&k, PERP_MODEL_ASSOCIATED, 0, g);
    test_agree("associated", g, associated, 3, 1e-9);
    one_contact_velocity(&k, g, u);
    CU_ASSERT_DOUBLE_EQUAL(u[0], mu * tangent(u), 1e-9); /* it lifts off */
    CU_ASSERT(u[0] > 0.1);
}

/* Of all sliding contacts of the golden file. */
static void check_lift(const golden_case *c)
{
    const one_contact k = read_contact(c);
    double g[3];
    double u[3];

    one_contact_solve(&k, PERP_MODEL_ASSOCIATED, 0, g);
    one_contact_velocity(&k, g, u);
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
        one_contact_solve(&k, PERP_MODEL_ASSOCIATED, 0, g);
        one_contact_velocity(&k, g, u);
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

/* W = G G^T + 0.3 E and b that approaches, at random. */
static one_contact random_contact(perp_random *g)
{
    one_contact k = {.mu = perp_random_uniform(g, 0.1, 0.8)};
    double G[9];

    for (int c = 0; c < 9; c++) {
        G[c] = perp_random_uniform(g, -0.7, 0.7);
    }
    for (ptrdiff_t i = 0; i < 3; i++) {
        for (ptrdiff_t j = 0; j < 3; j++) {
            k.W[3 * i + j] = vec3_dot(G + 3 * i, G + 3 * j) + (i == j ? 0.3 : 0.0);
        }
    }
    vec3_set(k.b, perp_random_uniform(g, -1.0, -0.2), perp_random_uniform(g, -2.0, 2.0),
             perp_random_uniform(g, -2.0, 2.0));
    return k;
}

/* u.y over the `sides` corners y of length R, the first one along t1 turned by `turn`: the
 * least of it, the most that they dissipate. */
static double least_power(const double u[3], double R, int sides, double turn)
{
    double least = INFINITY;

    for (int h = 0; h < sides; h++) {
        const double angle = turn + 2.0 * pi * h / sides;

        least = fmin(least, R * (u[1] * cos(angle) + u[2] * sin(angle)));
    }
    return least;
}

enum { DISC = 720 /* corners that stand for a circle, off by 1e-5 of R |u| */ };

/* Rounding of answers to RES 1e-12, impulses and velocities below 10. */
static const double power_rounding = 1e-9;

/* u = W gamma + b and gamma of a model, of which u_t.gamma_t is the power. */
static double solved_power(const one_contact *k, perp_model model, unsigned eta,
                           double g[3], double u[3])
{
    one_contact_solve(k, model, eta, g);
    one_contact_velocity(k, g, u);
    return g[1] * u[1] + g[2] * u[2];
}

/* min u_t.y over |y| <= R = mu gamma_n is -R |u_t|, and there u_t + (|u_t|/R) y = 0. */
static bool check_disc(const one_contact *k, perp_model model)
{
    double g[3];
    double u[3];
    double power = solved_power(k, model, 0, g, u);
    double R = k->mu * g[0];

    CU_ASSERT(tangent(g) <= R + power_rounding);
    CU_ASSERT(power <= least_power(u, R, DISC, 0.0) + power_rounding);
    CU_ASSERT_DOUBLE_EQUAL(power, -R * tangent(u), power_rounding);
    for (int c = 1; c < 3; c++) {
        CU_ASSERT_DOUBLE_EQUAL(R * u[c] + tangent(u) * g[c], 0.0, power_rounding);
    }
    if (model == PERP_MODEL_ASSOCIATED) { /* and u.y >= u.gamma = 0 over the whole cone */
        CU_ASSERT_DOUBLE_EQUAL(power + g[0] * u[0], 0.0, power_rounding);
        CU_ASSERT(u[0] + least_power(u, k->mu, DISC, 0.0) >= -power_rounding);
    } else {
        CU_ASSERT_DOUBLE_EQUAL(u[0], 0.0, power_rounding);
    }
    return tangent(u) > 1e-3;
}

/* The same over the polygon with corners R d_h, and R d_0 along t1; of the box over its square,
 * |y_1|, |y_2| <= R. */
static bool check_polygon(const one_contact *k, perp_model model, unsigned eta)
{
    const bool box = model == PERP_MODEL_BOX;
    const double turn = box ? 0.25 * pi : 0.0;
    double g[3];
    double u[3];
    double power = solved_power(k, model, eta, g, u);
    double corner = (box ? sqrt(2.0) : 1.0) * k->mu * g[0];
    double face = corner * cos(pi / eta);

    /* no face is passed: -g.a <= face for the normals a, halfway between corners */
    CU_ASSERT(least_power(g, 1.0, (int)eta, turn + pi / eta) >= -face - power_rounding);
    CU_ASSERT_DOUBLE_EQUAL(power, least_power(u, corner, (int)eta, turn), power_rounding);
    CU_ASSERT_DOUBLE_EQUAL(u[0], 0.0, power_rounding);
    return fabs(power + k->mu * g[0] * tangent(u)) > 1e-3; /* not what the disc has */
}

/* [stewart-trinkle-1996]: among the impulses that its set allows, friction is the one that
 * dissipates most at the velocity it leaves. */
TEST(friction_of_a_solved_contact_dissipates_most_over_its_set)
{
    perp_random g = {17};
    int slide[2] = {0};
    int differ[3] = {0};

    for (int trial = 0; trial < 50; trial++) {
        one_contact k = random_contact(&g);

        slide[0] += check_disc(&k, PERP_MODEL_CONE);
        slide[1] += check_disc(&k, PERP_MODEL_ASSOCIATED);
        differ[0] += check_polygon(&k, PERP_MODEL_PYRAMID, 4);
        differ[1] += check_polygon(&k, PERP_MODEL_PYRAMID, 8);
        differ[2] += check_polygon(&k, PERP_MODEL_BOX, 4);
    }
    CU_ASSERT(slide[0] > 10 && slide[1] > 10);
    CU_ASSERT(differ[0] > 10 && differ[1] > 10 && differ[2] > 10);
}

/* The polygon lies in the disc: it dissipates cos(pi/eta) .. 1 of what the disc does. */
TEST(a_pyramid_dissipates_nearly_what_a_cone_does)
{
    const double t1[3] = {1.0, 0.0, 0.0};
    const double t2[3] = {0.0, 1.0, 0.0};
    double d[3 * 16];

    for (unsigned eta = 4; eta <= 16; eta += 2) {
        double least = 1.0;

        pyramid_directions(t1, t2, eta, d);
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
