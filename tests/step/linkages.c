/* SPDX-License-Identifier: Apache-2.0
 * tests/step/linkages.c: closed loops that have closed forms: a four-bar and a
 * slider-crank, in the plane x-z of space, turning about -y so that angles grow from x
 * towards z.
 *
 * Torque of the crank by virtual work: the power of all forces is that of inertia,
 *     T w2 = sum of m (a - g).v + I alpha w */
#include <config.h>

#include <math.h>
#include <string.h>

#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>

#include "math/vec3.h"
#include "random_tree.h"
#include "reference.h"

static const double g = 9.81;

/* Lengths a, b, c of crank, coupler and rocker, d between the fixed pivots: a crank that
 * can turn round, for a + d < b + c. */
static const double a = 0.3, b = 0.8, c = 0.6, d = 0.7;
static const double masses[3] = {0.5, 1.2, 0.9};
/* moments about the centres, which are in the middle of bars */
static const double moments[3] = {0.004, 0.07, 0.03};

/* A bar of some length along x from its joint, at x = at of the parent's joint frame. */
static perp_link bar(const char *name, int32_t parent, const char *mobilizer, size_t k,
                     double at, double length)
{
    perp_link link = plain_link(name, parent, mobilizer);

    vec3_set(link.axes, 0.0, -1.0, 0.0);
    if (strcmp(mobilizer, "prismatic") == 0) {
        vec3_set(link.axes, 1.0, 0.0, 0.0);
    }
    link.mass = masses[k];
    memset(link.inertia, 0, sizeof link.inertia);
    link.inertia[0] = link.inertia[8] = 0.5;
    link.inertia[4] = moments[k];
    link.Ep.p[0] = at;
    link.Ec.p[0] = 0.5 * length;
    return link;
}

static perp_articulation *build(const perp_link *links)
{
    perp_articulation *tree = NULL;

    OK(perp_articulation_new(&tree, links, 3, NULL));
    tree->gravity[2] = -g;
    return tree;
}

/* Crank and rocker on the base, the coupler on the crank's end. Body frames are in the
 * middle of bars. */
static perp_articulation *four_bar(void)
{
    const perp_link links[3] = {
        bar("crank", -1, "revolute", 0, 0.0, a),
        bar("coupler", 0, "revolute", 1, 0.5 * a, b),
        bar("rocker", -1, "revolute", 2, d, c),
    };

    return build(links);
}

/* A loop between a point of link 1 and one of link 2, along x and z; `all`: in space,
 * where the row along y says nothing. */
typedef struct closure {
    perp_articulation *tree;
    double x1[3], x2[3];
    bool all;
    double alpha, beta;
    double G[9], gdot[3], phi[3];
    perp_loops loops;
    double tau[3], qdd[3], lambda[3];
    size_t moves; /* rates asked for, by an integrator */
} closure;

static void close_rows(closure *s)
{
    static const size_t flat[2] = {0, 2};
    static const size_t space[3] = {0, 1, 2};
    const size_t *rows = s->all ? space : flat;
    const size_t m = s->all ? 3 : 2;
    double J1[9];
    double J2[9];
    double rate1[3];
    double rate2[3];
    double p1[3];
    double p2[3];

    perp_articulation_point(s->tree, 1, s->x1, J1, rate1);
    perp_articulation_point(s->tree, 2, s->x2, J2, rate2);
    mat3_apply(s->tree->E[1].R, s->x1, p1);
    vec3_add(p1, 1.0, s->tree->E[1].p, p1);
    mat3_apply(s->tree->E[2].R, s->x2, p2);
    vec3_add(p2, 1.0, s->tree->E[2].p, p2);
    for (size_t i = 0; i < m; i++) {
        for (size_t k = 0; k < 3; k++) {
            s->G[m * k + i] = J1[3 * k + rows[i]] - J2[3 * k + rows[i]];
        }
        s->gdot[i] = rate1[rows[i]] - rate2[rows[i]];
        s->phi[i] = p1[rows[i]] - p2[rows[i]];
    }
    s->loops = (perp_loops){.m = m,
                            .G = s->G,
                            .gdot = s->gdot,
                            .phi = s->phi,
                            .alpha = s->alpha,
                            .beta = s->beta};
}

static void close_state(closure *s, const double q[3], const double qd[3])
{
    perp_error err = {0};

    put_state(s->tree, q, qd);
    close_rows(s);
    if (perp_articulation_solve_loops(s->tree, s->tau, NULL, &s->loops, s->qdd, s->lambda,
                                      &err) != PERP_OK) {
        test_note("%s", err.text);
        CU_FAIL_FATAL("closing");
    }
}

static closure close_four_bar(bool all)
{
    return (closure){.tree = four_bar(),
                     .x1 = {0.5 * b, 0.0, 0.0},
                     .x2 = {0.5 * c, 0.0, 0.0},
                     .all = all};
}

/* A bar's point in the plane: x(t), its rates, of the angle th. */
typedef struct planar {
    double x[2], v[2], acc[2];
} planar;

/* p + r (cos th, sin th), with rates. */
static planar along(planar p, double r, const double th[3])
{
    const double e[2] = {cos(th[0]), sin(th[0])};
    const double n[2] = {-e[1], e[0]};

    for (int i = 0; i < 2; i++) {
        p.x[i] += r * e[i];
        p.v[i] += r * th[1] * n[i];
        p.acc[i] += r * (th[2] * n[i] - th[1] * th[1] * e[i]);
    }
    return p;
}

/* m (a - g).v + I alpha w of bar k. */
static double power(size_t k, planar p, const double th[3])
{
    return masses[k] * (p.acc[0] * p.v[0] + (p.acc[1] + g) * p.v[1]) +
           moments[k] * th[1] * th[2];
}

/* Angles t2, t3, t4 of the bars, with rates and accelerations, for those of the crank:
 * where two circles meet, and a e(t2) + b e(t3) = d e(0) + c e(t4) differentiated twice,
 * solved by Cramer's rule. */
static void four_bar_closed(const double t2[3], double t3[3], double t4[3])
{
    const double e[2] = {a * cos(t2[0]) - d, a * sin(t2[0])}; /* crank's end, from O4 */
    const double r2 = e[0] * e[0] + e[1] * e[1];
    /* at O4: the angle between the way to the crank's end and the rocker */
    const double angle = acos((c * c + r2 - b * b) / (2.0 * c * sqrt(r2)));
    double A;
    double B;
    double C;
    double D;
    double E;
    double F;

    t4[0] = atan2(e[1], e[0]) - angle;
    t3[0] = atan2(c * sin(t4[0]) - e[1], c * cos(t4[0]) - e[0]);
    t3[1] = a * t2[1] * sin(t4[0] - t2[0]) / (b * sin(t3[0] - t4[0]));
    t4[1] = a * t2[1] * sin(t2[0] - t3[0]) / (c * sin(t4[0] - t3[0]));
    A = c * sin(t4[0]);
    B = b * sin(t3[0]);
    C = a * t2[2] * sin(t2[0]) + a * t2[1] * t2[1] * cos(t2[0]) +
        b * t3[1] * t3[1] * cos(t3[0]) - c * t4[1] * t4[1] * cos(t4[0]);
    D = c * cos(t4[0]);
    E = b * cos(t3[0]);
    F = a * t2[2] * cos(t2[0]) - a * t2[1] * t2[1] * sin(t2[0]) -
        b * t3[1] * t3[1] * sin(t3[0]) + c * t4[1] * t4[1] * sin(t4[0]);
    t3[2] = (C * D - A * F) / (A * E - B * D);
    t4[2] = (C * E - B * F) / (A * E - B * D);
}

/* Numbers of size 100 through 3x3 systems of condition 1e3. */
static const double solved = 1e-10;

/* Sixteen positions of the crank, driven: the loop is closed there, velocities and
 * accelerations of the other bars are those of the closed form, and the torque does the
 * work of all inertia and weight. */
static void check_four_bar(bool all)
{
    closure s = close_four_bar(all);

    s.tau[0] = 2.5;
    for (int n = 0; n < 16; n++) {
        double t2[3] = {0.4 * n, 3.0, 0.0};
        double t3[3];
        double t4[3];
        double work = 0.0;
        planar origin = {{0}, {0}, {0}};
        planar pivot = {{d, 0.0}, {0}, {0}};

        four_bar_closed(t2, t3, t4);
        close_state(&s, (const double[3]){t2[0], t3[0] - t2[0], t4[0]},
                    (const double[3]){t2[1], t3[1] - t2[1], t4[1]});
        CU_ASSERT(test_largest(s.loops.m, s.phi) <= 1e-14);
        for (size_t i = 0; i < s.loops.m; i++) {
            double rate = 0.0;

            for (size_t k = 0; k < 3; k++) {
                rate += s.G[s.loops.m * k + i] * s.tree->qd[k];
            }
            CU_ASSERT_DOUBLE_EQUAL(rate, 0.0, 1e-13);
        }
        t2[2] = s.qdd[0];
        four_bar_closed(t2, t3, t4);
        CU_ASSERT_DOUBLE_EQUAL(s.qdd[1], t3[2] - t2[2], solved);
        CU_ASSERT_DOUBLE_EQUAL(s.qdd[2], t4[2], solved);
        work = power(0, along(origin, 0.5 * a, t2), t2) +
               power(1, along(along(origin, a, t2), 0.5 * b, t3), t3) +
               power(2, along(pivot, 0.5 * c, t4), t4);
        CU_ASSERT_DOUBLE_EQUAL(work, s.tau[0] * t2[1], solved);
        if (all) {
            /* rounding of eigenvectors, in units of the force across */
            CU_ASSERT(fabs(s.lambda[1]) <= 1e-12 * fmax(1.0, test_largest(3, s.lambda)));
        }
    }
    perp_articulation_free(s.tree);
}

TEST(a_four_bar_moves_as_its_closed_form_says)
{
    check_four_bar(false);
}

TEST(a_row_across_the_plane_changes_nothing)
{
    check_four_bar(true);
}

/* Crank a, rod b, and a piston on x: q = crank, rod against crank, piston. With
 * S = sqrt(b^2 - a^2 sin^2 th):  x = a cos th + S,  rod's angle = -asin(a sin th/b). */
static void slider_closed(const double t2[3], double t3[3], double x[3])
{
    const double cs = cos(t2[0]);
    const double sn = sin(t2[0]);
    const double S = sqrt(b * b - a * a * sn * sn);
    const double x1 = -a * sn - a * a * sn * cs / S;
    const double x2 = -a * cs - a * a * (cs * cs - sn * sn) / S -
                      pow(a, 4.0) * sn * sn * cs * cs / (S * S * S);
    const double y1 = -a * cs / S;
    const double y2 = a * sn / S - pow(a, 3.0) * sn * cs * cs / (S * S * S);

    x[0] = a * cs + S;
    x[1] = x1 * t2[1];
    x[2] = x2 * t2[1] * t2[1] + x1 * t2[2];
    t3[0] = -asin(a * sn / b);
    t3[1] = y1 * t2[1];
    t3[2] = y2 * t2[1] * t2[1] + y1 * t2[2];
}

TEST(a_slider_crank_moves_as_its_closed_form_says)
{
    const perp_link links[3] = {
        bar("crank", -1, "revolute", 0, 0.0, a),
        bar("rod", 0, "revolute", 1, 0.5 * a, b),
        bar("piston", -1, "prismatic", 2, 0.0, 0.0),
    };
    closure s = {.tree = build(links), .x1 = {0.5 * b, 0.0, 0.0}, .tau = {-4.0}};

    for (int n = 0; n < 16; n++) {
        double t2[3] = {0.4 * n, -5.0, 0.0};
        double t3[3];
        double x[3];
        double work = 0.0;
        planar origin = {{0}, {0}, {0}};

        slider_closed(t2, t3, x);
        close_state(&s, (const double[3]){t2[0], t3[0] - t2[0], x[0]},
                    (const double[3]){t2[1], t3[1] - t2[1], x[1]});
        CU_ASSERT(test_largest(2, s.phi) <= 1e-14);
        t2[2] = s.qdd[0];
        slider_closed(t2, t3, x);
        CU_ASSERT_DOUBLE_EQUAL(s.qdd[1], t3[2] - t2[2], solved);
        CU_ASSERT_DOUBLE_EQUAL(s.qdd[2], x[2], solved);
        work = power(0, along(origin, 0.5 * a, t2), t2) +
               power(1, along(along(origin, a, t2), 0.5 * b, t3), t3) +
               masses[2] * x[2] * x[1];
        CU_ASSERT_DOUBLE_EQUAL(work, s.tau[0] * t2[1], solved);
    }
    perp_articulation_free(s.tree);
}

/* y = (q, qd). */
static int linkage_rates(double t, const double *y, double *rate, void *context)
{
    closure *s = context;

    (void)t;
    s->moves++;
    close_state(s, y, y + 3);
    memcpy(rate, y + 3, 3 * sizeof *rate);
    memcpy(rate + 3, s->qdd, 3 * sizeof *rate);
    return GSL_SUCCESS;
}

/* From a crank at 1 rad; `off` is what the coupler's angle is off by. */
static void start(closure *s, double speed, double off, double y[6])
{
    double t2[3] = {1.0, speed, 0.0};
    double t3[3];
    double t4[3];

    four_bar_closed(t2, t3, t4);
    y[0] = t2[0];
    y[1] = t3[0] - t2[0] + off;
    y[2] = t4[0];
    y[3] = t2[1];
    y[4] = t3[1] - t2[1];
    y[5] = t4[1];
    close_state(s, y, y + 3);
}

static void go_on(closure *s, double *y, double from, double to)
{
    gsl_odeiv2_system system = {linkage_rates, NULL, 6, s};
    gsl_odeiv2_driver *driver =
        gsl_odeiv2_driver_alloc_y_new(&system, gsl_odeiv2_step_rk8pd, 1e-3, 1e-12, 0.0);

    CU_ASSERT_PTR_NOT_NULL_FATAL(driver);
    CU_ASSERT_EQUAL_FATAL(gsl_odeiv2_driver_apply(driver, &from, to, y), GSL_SUCCESS);
    gsl_odeiv2_driver_free(driver);
    close_state(s, y, y + 3);
}

static double energy(const closure *s)
{
    return perp_articulation_kinetic(s->tree, s->tree->qd) +
           perp_articulation_potential(s->tree);
}

/* Round and round for 2 s, by an eighth-order method: the forces of the loop do no work,
 * and it stays closed up to the method's error, 1e-12 a step in some hundred. */
TEST(a_free_four_bar_keeps_its_energy)
{
    closure s = close_four_bar(false);
    double y[6];
    double before = 0.0;

    start(&s, 15.0, 0.0, y);
    before = energy(&s);
    go_on(&s, y, 0.0, 2.0);
    CU_ASSERT_DOUBLE_EQUAL(energy(&s), before, 1e-9);
    CU_ASSERT(test_largest(2, s.phi) <= 1e-9);
    CU_ASSERT(s.moves > 100 && y[0] > 7.0);
    perp_articulation_free(s.tree);
}

/* phi'' + 2 alpha phi' + beta^2 phi = 0, for alpha = beta:
 * phi = (phi_0 + (phi_0' + alpha phi_0) t) e^(-alpha t). */
TEST(a_loop_that_gapes_is_pulled_together)
{
    const double alpha = 8.0;
    closure s = close_four_bar(false);
    double y[6];
    double phi[2];
    double rate[2] = {0.0, 0.0};

    s.alpha = s.beta = alpha;
    start(&s, 2.0, 0.02, y);
    memcpy(phi, s.phi, sizeof phi);
    for (size_t i = 0; i < 2; i++) {
        for (size_t k = 0; k < 3; k++) {
            rate[i] += s.G[2 * k + i] * s.tree->qd[k];
        }
    }
    CU_ASSERT(test_largest(2, phi) > 5e-3);
    for (int n = 0; n < 10; n++) {
        const double t = 0.1 * (n + 1);

        go_on(&s, y, 0.1 * n, t);
        for (size_t i = 0; i < 2; i++) {
            CU_ASSERT_DOUBLE_EQUAL(
                s.phi[i], (phi[i] + (rate[i] + alpha * phi[i]) * t) * exp(-alpha * t),
                1e-10);
        }
    }
    CU_ASSERT(test_largest(2, s.phi) < 1e-4);
    perp_articulation_free(s.tree);
}
