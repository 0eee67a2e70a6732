/* SPDX-License-Identifier: Apache-2.0
 * tests/scenes/scenes_joints.c: the scenes of pendulums and closed loops. */
#include <config.h>

#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_odeiv2.h>
#include <gsl/gsl_sf_ellint.h>
#include <math.h>

#include "scene_run.h"

/* From one passage through the lowest point to the next but one, with steps of dt. */
static double period(double dt, perp_coordinates coordinates)
{
    perp_scene *scene = play_read_in("pendulum", coordinates);
    double before = 0.0;
    double passed[3] = {0.0};
    int passages = 0;
    play p;

    scene->scheme.dt = dt;
    p = play_start(scene, NULL);
    before = play_pose(&p, "rod")[0];
    while (passages < 3) {
        double x = 0.0;

        CU_ASSERT_FATAL(play_world(&p)->start->t < p.time);
        play_steps(&p, 1);
        x = play_pose(&p, "rod")[0];
        if (before * x <= 0.0) {
            passed[passages++] = play_world(&p)->start->t - dt * x / (x - before);
        }
        before = x;
    }
    CU_ASSERT(p.drift_length < 1e-12); /* where the projection ends */
    play_end(&p);
    return passed[2] - passed[0];
}

static double elliptic_period(void)
{
    return 4.0 * sqrt(2.0 / 3.0 / 9.81) * gsl_sf_ellint_Kcomp(sqrt(0.5), GSL_PREC_DOUBLE);
}

TEST(a_pendulum_keeps_the_elliptic_period)
{
    double exact = elliptic_period();
    double coarse = period(1e-3, PERP_COORDINATES_MAXIMAL) - exact;
    double fine = period(0.5e-3, PERP_COORDINATES_MAXIMAL) - exact;

    page_says("pendulum", "period by the elliptic integral [s]", exact);
    page_says("pendulum", "period at 1 ms [s]", exact + coarse);
    page_says("pendulum", "period at 0.5 ms [s]", exact + fine);
    page_says("pendulum", "order of convergence", log2(coarse / fine));
    /* symplectic Euler is of first order; its error is smooth in dt */
    CU_ASSERT(fabs(coarse) < 0.02 * exact);
    CU_ASSERT_DOUBLE_EQUAL(log2(coarse / fine), 1.0, 0.05);
    CU_ASSERT_DOUBLE_EQUAL(2.0 * fine - coarse, 0.0, 1e-4 * exact);
}

/* With one coordinate symplectic Euler is leapfrog in other variables: the error of small
 * swings is (dt w)^2/24 = 6e-7 of the period [hairer-lubich-wanner-2006], and no larger
 * at a quarter turn. */
TEST(in_reduced_coordinates_its_period_is_right_to_a_millionth)
{
    double exact = elliptic_period();

    CU_ASSERT_DOUBLE_EQUAL(period(1e-3, PERP_COORDINATES_REDUCED), exact, 1e-6 * exact);
}

/* Angles a, b of two rods of 1 m and 1 kg from hanging, and their rates:
 *     4/3 a'' + c/2 b'' + s/2 b'^2 + 3/2 g sin a = 0
 *     1/3 b'' + c/2 a'' - s/2 a'^2 + 1/2 g sin b = 0,   c = cos(a - b), s = sin(a - b) */
static int rod_rates(double t, const double y[], double dy[], void *context)
{
    const double g = 9.81;
    double c = 0.5 * cos(y[0] - y[1]);
    double s = 0.5 * sin(y[0] - y[1]);
    double e = -s * y[3] * y[3] - 1.5 * g * sin(y[0]);
    double f = s * y[2] * y[2] - 0.5 * g * sin(y[1]);
    double det = 4.0 / 9.0 - c * c;

    (void)t;
    (void)context;
    dy[0] = y[2];
    dy[1] = y[3];
    dy[2] = (e / 3.0 - c * f) / det;
    dy[3] = (4.0 / 3.0 * f - c * e) / det;
    return GSL_SUCCESS;
}

/* Centre of the lower rod at time t. */
static void double_pendulum(double t, double *x, double *z)
{
    double y[4] = {0.5 * acos(-1.0), 0.0, 0.0, 0.0};
    double now = 0.0;
    gsl_odeiv2_system system = {rod_rates, NULL, 4, NULL};
    gsl_odeiv2_driver *d =
        gsl_odeiv2_driver_alloc_y_new(&system, gsl_odeiv2_step_rk8pd, 1e-4, 1e-12, 1e-12);

    CU_ASSERT_PTR_NOT_NULL_FATAL(d);
    CU_ASSERT_EQUAL(gsl_odeiv2_driver_apply(d, &now, t, y), GSL_SUCCESS);
    gsl_odeiv2_driver_free(d);
    *x = sin(y[0]) + 0.5 * sin(y[1]);
    *z = -cos(y[0]) - 0.5 * cos(y[1]);
}

static double double_pendulum_error(double dt, double t)
{
    perp_scene *scene = play_read("double-pendulum");
    const double *r = NULL;
    double x = 0.0;
    double z = 0.0;
    double error = 0.0;
    play p;

    scene->scheme.dt = dt;
    p = play_start(scene, NULL);
    play_until(&p, t);
    double_pendulum(t, &x, &z);
    r = play_pose(&p, "lower");
    error = hypot(r[0] - x, r[2] - z);
    CU_ASSERT_DOUBLE_EQUAL(r[1], 0.0, 1e-12); /* rounding */
    CU_ASSERT(p.drift_length < 2e-12);        /* where the projection ends */
    play_end(&p);
    return error;
}

TEST(a_double_pendulum_follows_lagrange)
{
    double coarse = double_pendulum_error(0.5e-3, 1.0);
    double fine = double_pendulum_error(0.25e-3, 1.0);
    play p;

    page_says("double-pendulum", "error at 1 s, steps of 0.5 ms [m]", coarse);
    page_says("double-pendulum", "error at 1 s, steps of 0.25 ms [m]", fine);
    CU_ASSERT(coarse < 0.05); /* of first order, rates of 10/s */
    CU_ASSERT_DOUBLE_EQUAL(log2(coarse / fine), 1.0, 0.1);
    if (!play_brief()) {
        p = play_scene("double-pendulum");
        play_until(&p, p.time);
        page_says("double-pendulum", "energy lost in 3 s [J]", p.energy - p.run.energy);
        page_says("double-pendulum", "drift of the joints [m]", p.drift_length);
        CU_ASSERT(p.rise <
                  1e-12); /* impulses to a new direction take energy, never give */
        play_end(&p);
    }
}

static void check_piston(perp_coordinates coordinates)
{
    play p = play_start(play_read_in("slider-crank", coordinates), NULL);
    double end = play_brief() ? 1.5 : p.time;
    double worst = 0.0;
    double least = 1.0;

    while (play_world(&p)->start->t < end - 0.5 * p.scheme.dt) {
        double phi = 0.0;
        double x = 0.0;
        const double *r = NULL;

        play_steps(&p, 1);
        phi = play_angle(&p, "crank");
        x = 0.2 * cos(phi) + sqrt(0.36 - pow(0.2 * sin(phi), 2.0));
        r = play_pose(&p, "piston");
        worst = fmax(worst, fabs(r[0] - x));
        worst = fmax(worst, hypot(r[1], r[2]));
        least = fmin(least, r[0]);
        /* the motor holds its speed, to the solver's 1e-8 of speeds near 1 m/s */
        CU_ASSERT_DOUBLE_EQUAL(play_velocity(&p, "crank")[4], -6.0, 1e-6);
    }
    /* four joints of 1e-12 each, where the projection ends, by levers of some metres */
    CU_ASSERT(worst < 1e-10);
    CU_ASSERT_DOUBLE_EQUAL(least, 0.4, 1e-3); /* dead centre, between steps of 25 mrad */
    if (!play_brief() && coordinates == PERP_COORDINATES_MAXIMAL) {
        page_says("slider-crank", "piston off the closed form [m]", worst);
        page_says("slider-crank", "drift of the joints [m]", p.drift_length);
        page_says("slider-crank", "crank after 4 s [rad]", play_axis(&p, "main"));
    }
    play_end(&p);
}

TEST(a_piston_goes_where_its_crank_says)
{
    check_piston(PERP_COORDINATES_MAXIMAL);
}

TEST(a_piston_closed_by_rows_follows_its_crank)
{
    check_piston(PERP_COORDINATES_REDUCED);
}

/* Angles of coupler and rocker from that of the crank: 0.3, 0.9,
 * 0.6 on pivots 1 m apart. */
static void four_bar(double crank, double *coupler, double *rocker)
{
    double Bx = 0.3 * cos(crank);
    double Bz = 0.3 * sin(crank);
    double L = hypot(1.0 - Bx, Bz);
    double along = (0.81 - 0.36 + L * L) / (2.0 * L);
    double up = sqrt(0.81 - along * along);
    double x = (along * (1.0 - Bx) + up * Bz) / L;
    double z = (-along * Bz + up * (1.0 - Bx)) / L;

    *coupler = atan2(z, x);
    *rocker = atan2(Bz + z, Bx + x - 1.0);
}

/* Rank of J: singular values above a millionth of the largest. */
static size_t rank(const perp_rows *rows, size_t bodies)
{
    gsl_matrix *J = gsl_matrix_calloc(rows->count, 6 * bodies);
    gsl_matrix *V = gsl_matrix_alloc(6 * bodies, 6 * bodies);
    gsl_vector *s = gsl_vector_alloc(6 * bodies);
    gsl_vector *work = gsl_vector_alloc(6 * bodies);
    size_t found = 0;

    CU_ASSERT_FATAL(J && V && s && work && rows->count >= 6 * bodies);
    for (size_t r = 0; r < rows->count; r++) {
        double made[12];
        const double *row = perp_rows_row(rows, r, made);

        for (size_t k = 0; k < 12; k++) {
            int32_t body = perp_rows_bodies(rows, r)[k / 6];

            if (body >= 0) {
                gsl_matrix_set(J, r, 6 * (size_t)body + k % 6, row[k]);
            }
        }
    }
    gsl_linalg_SV_decomp(J, V, s, work);
    while (found < 6 * bodies && gsl_vector_get(s, found) > 1e-6 * gsl_vector_get(s, 0)) {
        found++;
    }
    gsl_matrix_free(J);
    gsl_matrix_free(V);
    gsl_vector_free(s);
    gsl_vector_free(work);
    return found;
}

/* Energy lost until `end`; angles off the closed form at most `worst`. */
static double turn_four_bar(double dt, double end, perp_coordinates coordinates,
                            double *worst, play *p)
{
    perp_scene *scene = play_read_in("four-bar", coordinates);

    scene->scheme.dt = dt;
    *p = play_start(scene, NULL);
    *worst = 0.0;
    while (play_world(p)->start->t < end - 0.5 * dt) {
        double coupler = 0.0;
        double rocker = 0.0;

        play_steps(p, 1);
        four_bar(play_angle(p, "crank"), &coupler, &rocker);
        *worst = fmax(*worst, fabs(play_angle(p, "coupler") - coupler));
        *worst = fmax(*worst, fabs(play_angle(p, "rocker") - rocker));
    }
    return p->energy - p->run.energy;
}

static void check_four_bar(perp_coordinates coordinates)
{
    bool maximal = coordinates == PERP_COORDINATES_MAXIMAL;
    double end = play_brief() ? 0.5 : 2.0;
    double worst = 0.0;
    double lost[2];
    const perp_rows *rows = NULL;
    play p;

    lost[0] = turn_four_bar(1e-3, end, coordinates, &worst, &p);
    rows = &perp_stepper_system(p.run.stepper)->rows;
    CU_ASSERT_EQUAL(rows->count, maximal ? 20 : 5); /* of four hinges, of one */
    CU_ASSERT_EQUAL(maximal ? rank(rows, 3) : 17, 17);
    /* joints of 1e-12, where the projection ends, by levers of a metre */
    CU_ASSERT(worst < 1e-10);
    CU_ASSERT(p.drift_length < 2e-12 && p.drift_angle < 2e-12);
    /* projections of velocities to new directions never give energy; symplectic steps of
     * coordinates give and take, 9e-6 of 1.5 J in a step of 1 ms at most */
    CU_ASSERT(p.rise < (maximal ? 1e-12 : 2e-5));
    if (!play_brief() && maximal) {
        page_says("four-bar", "angles off the closed form [rad]", worst);
        page_says("four-bar", "drift of the joints [m]", p.drift_length);
        page_says("four-bar", "energy at the start [J]", p.energy);
        page_says("four-bar", "energy lost in 2 s [J]", lost[0]);
    }
    play_end(&p);
    lost[1] = turn_four_bar(2e-3, end, coordinates, &worst, &p);
    play_end(&p);
    /* of first order in dt: what is lost at no step length at all is nothing */
    CU_ASSERT_DOUBLE_EQUAL(lost[1] / lost[0], 2.0, 0.2);
}

TEST(a_four_bar_linkage_closes)
{
    check_four_bar(PERP_COORDINATES_MAXIMAL);
}

TEST(it_closes_in_reduced_coordinates)
{
    check_four_bar(PERP_COORDINATES_REDUCED);
}
