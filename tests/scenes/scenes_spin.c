/* SPDX-License-Identifier: Apache-2.0
 * tests/scenes/scenes_spin.c: the scenes of bodies that spin: T-handle, heavy top. */
#include <config.h>

#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>
#include <gsl/gsl_sf_ellint.h>
#include <math.h>
#include <string.h>

#include "math/vec3.h"
#include "motion.h"
#include "scene_run.h"

static const double moments[3] = {1.0, 2.0, 3.0};
static const double pi = 3.14159265358979323846;

static void body_omega(const play *p, const char *body, double w[3])
{
    perp_quat_rotate_back(play_pose(p, body) + 3, play_velocity(p, body) + 3, w);
}

/* 100 s, each second against Jacobi's functions; w of the axis, its least share. */
static void fly_handle(const char *name, int axis, double *error, double *least)
{
    play p = play_scene(name);
    double L0[3];
    double w0[3];

    body_omega(&p, "handle", w0);
    perp_world_angular_momentum(play_world(&p), play_world(&p)->start, L0);
    *error = 0.0;
    *least = 1.0;
    for (int second = 1; second <= 100; second++) {
        double w[3];
        double exact[3];

        play_until(&p, second);
        body_omega(&p, "handle", w);
        test_free_spin(moments, w0, second, exact);
        *least = fmin(*least, w[axis] / w0[axis]);
        vec3_subtract(w, exact, w);
        *error = fmax(*error, vec3_length(w));
    }
    /* RK4 is of fourth order: rates of 1/s at 1/60 s give (1/60)^4/120 a second */
    CU_ASSERT(*error < 1e-6);
    page_says(name, "greatest error of omega in 100 s [rad/s]", *error);
    page_says(name, "relative change of the energy in 100 s",
              p.run.energy / p.energy - 1.0);
    vec3_subtract(p.run.report.angular_momentum, L0, L0);
    page_says(name, "change of the angular momentum in 100 s [kg m^2/s]",
              vec3_length(L0));
    CU_ASSERT(fabs(p.run.energy / p.energy - 1.0) <= 1e-10);
    play_end(&p);
}

TEST(handles_spin_on_about_their_outer_axes)
{
    double error = 0.0;
    double least = 0.0;

    fly_handle("t-handle-1", 0, &error, &least);
    CU_ASSERT(least > 0.99);
    page_says("t-handle-1", "least share of the spin about its axis", least);
    fly_handle("t-handle-3", 2, &error, &least);
    CU_ASSERT(least > 0.99);
    page_says("t-handle-3", "least share of the spin about its axis", least);
}

/* Half a period is 2 K(k)/lambda; omega_2 is a multiple of sn, L2 > 2T I2. */
static double time_of_a_flip(const double w0[3])
{
    double E = vec3_dot((double[3]){w0[0], 2.0 * w0[1], 3.0 * w0[2]}, w0);
    double L2 = w0[0] * w0[0] + 4.0 * w0[1] * w0[1] + 9.0 * w0[2] * w0[2];
    double lambda = sqrt((L2 - E) / 6.0);
    double k = sqrt((3.0 * E - L2) / (L2 - E));

    CU_ASSERT_FATAL(L2 > 2.0 * E);
    return 2.0 * gsl_sf_ellint_Kcomp(k, GSL_PREC_DOUBLE) / lambda;
}

TEST(a_handle_flips_about_its_middle_axis)
{
    double error = 0.0;
    double least = 0.0;
    double w[3];
    double before = 0.0;
    double first = 0.0;
    double last = 0.0;
    int flips = 0;
    double flip = 0.0;
    play p;

    fly_handle("t-handle-2", 1, &error, &least);
    CU_ASSERT(least < -0.99);
    p = play_scene("t-handle-2");
    body_omega(&p, "handle", w);
    flip = time_of_a_flip(w);
    before = w[1];
    while (p.run.world->start->t < p.time) {
        play_steps(&p, 1);
        body_omega(&p, "handle", w);
        if (before * w[1] <= 0.0) {
            last = p.run.world->start->t - p.scheme.dt * w[1] / (w[1] - before);
            first = flips++ ? first : last;
        }
        before = w[1];
    }
    CU_ASSERT_FATAL(flips > 1);
    page_says("t-handle-2", "flips in 100 s", flips);
    page_says("t-handle-2", "from flip to flip, by elliptic functions [s]", flip);
    /* zeros between steps are interpolated along a line: dt^2/8 of a curvature below 1 */
    CU_ASSERT_DOUBLE_EQUAL((last - first) / (flips - 1), flip, 1e-5);
    page_says("t-handle-2", "from flip to flip [s]", (last - first) / (flips - 1));
    play_end(&p);
}

TEST(energies_of_the_variants_drift_as_the_page_says)
{
    static const struct {
        const char *what;
        perp_integrator integrator;
        perp_gyro gyro;
        double known, within; /* the digits given, or the order of RK4 */
    } rows[] = {
        {"rk4", PERP_INTEGRATOR_RK4, PERP_GYRO_EXPLICIT, 0.0, 1e-10},
        {"semi-implicit, midpoint", PERP_INTEGRATOR_SEMI_IMPLICIT, PERP_GYRO_MIDPOINT,
         0.0, 1e-11},
        {"semi-implicit, explicit", PERP_INTEGRATOR_SEMI_IMPLICIT, PERP_GYRO_EXPLICIT,
         0.10, 0.005},
        {"semi-implicit, implicit-body", PERP_INTEGRATOR_SEMI_IMPLICIT,
         PERP_GYRO_IMPLICIT_BODY, -0.09, 0.005},
        {"semi-implicit, implicit-world", PERP_INTEGRATOR_SEMI_IMPLICIT,
         PERP_GYRO_IMPLICIT_WORLD, -0.09, 0.005},
        {"semi-implicit, implicit-converged", PERP_INTEGRATOR_SEMI_IMPLICIT,
         PERP_GYRO_CONVERGED, -0.09, 0.005},
        {"implicit, explicit", PERP_INTEGRATOR_IMPLICIT, PERP_GYRO_EXPLICIT, -0.09,
         0.005},
    };

    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        perp_scene *scene = play_read("t-handle-2");
        double drift = 0.0;
        play p;

        scene->scheme.integrator = rows[k].integrator;
        scene->scheme.override_gyro = true;
        scene->scheme.gyro = rows[k].gyro;
        p = play_start(scene, NULL);
        play_until(&p, 100.0);
        drift = p.run.energy / p.energy - 1.0;
        CU_ASSERT_DOUBLE_EQUAL(drift, rows[k].known, rows[k].within);
        page_says("t-handle-2", rows[k].what, drift);
        play_end(&p);
    }
}

/* The top: I across and along the axis about the centre, m, l, theta. */
static const double I1 = 0.002 + 1.0 * 0.1 * 0.1; /* about the tip */
static const double I3 = 0.003;
static const double mgl = 1.0 * 9.81 * 0.1;
static const double w3 = 100.0;

/* The slow root of I1 cos(theta) Omega^2 - I3 w3 Omega + m g l = 0. */
static double steady_precession(double theta)
{
    double a = I1 * cos(theta);

    return 2.0 * mgl / (I3 * w3 + sqrt(I3 * I3 * w3 * w3 - 4.0 * a * mgl));
}

static void top_axis(const play *p, double e[3])
{
    perp_quat_rotate(play_pose(p, "top") + 3, (const double[3]){0.0, 0.0, 1.0}, e);
}

/* Relative error of the precession, and how far theta leaves 30 deg, with steps of dt. */
static void precess(double dt, double time, double *rate, double *nutation, play *p)
{
    perp_scene *scene = play_read("heavy-top");
    double angle = 0.0;
    double before = 0.0;

    scene->scheme.dt = dt;
    *p = play_start(scene, NULL);
    *nutation = 0.0;
    while (p->run.world->start->t < time - 0.5 * dt) {
        double e[3];
        double now = 0.0;

        play_steps(p, 1);
        top_axis(p, e);
        now = atan2(e[1], e[0]);
        angle += remainder(now - before, 2.0 * pi);
        before = now;
        *nutation = fmax(*nutation, fabs(atan2(hypot(e[0], e[1]), e[2]) - pi / 6.0));
    }
    *rate = angle / time;
}

TEST(a_fast_top_precesses_steadily)
{
    double exact = steady_precession(pi / 6.0);
    double time = play_brief() ? 0.25 : 2.0;
    double rate[2];
    double nutation[2];
    play p;

    for (int half = 0; half < 2; half++) {
        precess(half ? 0.25e-3 : 0.5e-3, time, &rate[half], &nutation[half], &p);
        CU_ASSERT(p.drift_length < 1e-12); /* where the projection ends */
        if (half == 0 && !play_brief()) {
            page_says("heavy-top", "precession [rad/s]", rate[0]);
            page_says("heavy-top", "by the formula [rad/s]", exact);
            page_says("heavy-top", "greatest departure from 30 deg in 2 s [rad]",
                      nutation[0]);
            page_says("heavy-top", "drift of the tip [m]", p.drift_length);
            page_says("heavy-top", "energy lost in 2 s [J]", p.energy - p.run.energy);
        }
        play_end(&p);
    }
    /* of first order in dt w3 = 0.05; halving dt halves it */
    CU_ASSERT_DOUBLE_EQUAL(rate[0], exact, 0.02 * exact);
    CU_ASSERT(fabs(rate[1] - exact) < 0.6 * fabs(rate[0] - exact));
    CU_ASSERT(nutation[1] < 0.6 * nutation[0]);
}

/* theta, its rate, phi, psi of a top, with p_phi and p_psi constant
 * [landau-lifshitz-1976]. */
static int top_rates(double t, const double y[], double dy[], void *context)
{
    const double *momentum = context;
    double s = sin(y[0]);
    double c = cos(y[0]);
    double phi = (momentum[0] - momentum[1] * c) / (I1 * s * s);

    (void)t;
    dy[0] = y[1];
    dy[1] = phi * phi * s * c - momentum[1] * phi * s / I1 + mgl * s / I1;
    dy[2] = phi;
    return GSL_SUCCESS;
}

/* Let go without precession it falls, nutates and so precesses: its axis at time t. */
static void nutating_axis(double t, double e[3])
{
    double momentum[2] = {I3 * w3 * cos(pi / 6.0), I3 * w3};
    double y[3] = {pi / 6.0, 0.0, 0.0};
    double now = 0.0;
    gsl_odeiv2_system system = {top_rates, NULL, 3, momentum};
    gsl_odeiv2_driver *d =
        gsl_odeiv2_driver_alloc_y_new(&system, gsl_odeiv2_step_rk8pd, 1e-4, 1e-12, 1e-12);

    CU_ASSERT_PTR_NOT_NULL_FATAL(d);
    CU_ASSERT_EQUAL(gsl_odeiv2_driver_apply(d, &now, t, y), GSL_SUCCESS);
    gsl_odeiv2_driver_free(d);
    vec3_set(e, sin(y[0]) * cos(y[2]), sin(y[0]) * sin(y[2]), cos(y[0]));
}

static double nutation_error(double dt)
{
    perp_scene *scene = play_read("heavy-top");
    perp_world *w = scene->world;
    int32_t k = perp_world_find_body(w, "top");
    double *u = perp_body_velocity(w->start, (size_t)k);
    double e[3];
    double exact[3];
    play p;

    memset(u, 0, 6 * sizeof *u);
    u[3] = 0.5 * w3;
    u[5] = sqrt(0.75) * w3;
    scene->scheme.dt = dt;
    p = play_start(scene, NULL);
    play_until(&p, 0.5);
    top_axis(&p, e);
    nutating_axis(0.5, exact);
    vec3_subtract(e, exact, e);
    play_end(&p);
    return vec3_length(e);
}

TEST(a_top_let_go_nutates_as_the_reference)
{
    double dt = play_brief() ? 0.5e-3 : 0.25e-3;
    double coarse = nutation_error(2.0 * dt);
    double fine = nutation_error(dt);

    /* first order: nutations of I3 w3/I1 = 25/s in 0.5 s are damped by a share of 25 dt
     * each */
    CU_ASSERT(coarse < 0.1);
    CU_ASSERT_DOUBLE_EQUAL(log2(coarse / fine), 1.0, 0.2);
}
