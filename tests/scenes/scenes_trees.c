/* SPDX-License-Identifier: Apache-2.0
 * tests/scenes/scenes_trees.c: the scenes of pendulums and trees, in maximal and in
 * reduced coordinates.
 *
 * Link k of a plane pendulum is at the angle a_k from hanging, its centre d_k and its end
 * l_k from its hinge. Centre k moves by c_ki a_i' at right angles to link i, where
 * c_ki = l_i for i < k and d_k for i = k, and with B_ij = sum over k of m_k c_ki c_kj
 *
 *     sum over j of (B_ij cos(a_i - a_j) + I_i delta_ij) a_j''
 *         = -sum over j of B_ij sin(a_i - a_j) a_j'^2 - g sin(a_i) sum over k of m_k c_ki
 */
#include <config.h>

#include <gsl/gsl_eigen.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_odeiv2.h>
#include <gsl/gsl_sf_bessel.h>
#include <math.h>
#include <stdio.h>

#include "scene_run.h"

enum { MOST = 50 };

static const double g = 9.81;
static const double turn = 6.283185307179586;

typedef struct linkage {
    size_t n;
    double length[MOST], centre[MOST], mass[MOST], moment[MOST];
} linkage;

/* B and the sums of m c. */
static void couplings(const linkage *p, gsl_matrix *B, double *weight)
{
    gsl_matrix_set_zero(B);
    for (size_t i = 0; i < p->n; i++) {
        weight[i] = 0.0;
        for (size_t k = i; k < p->n; k++) {
            double c = k == i ? p->centre[i] : p->length[i];

            weight[i] += p->mass[k] * c;
            for (size_t j = 0; j <= k; j++) {
                double e = k == j ? p->centre[j] : p->length[j];

                *gsl_matrix_ptr(B, i, j) += p->mass[k] * c * e;
            }
        }
    }
}

/* y = (a, a'). */
static int lagrange(double t, const double *y, double *dy, void *context)
{
    const linkage *p = context;
    double space[MOST * MOST];
    double weight[MOST];
    gsl_matrix_view B = gsl_matrix_view_array(space, p->n, p->n);
    gsl_vector_view rates = gsl_vector_view_array(dy + p->n, p->n);

    (void)t;
    couplings(p, &B.matrix, weight);
    for (size_t i = 0; i < p->n; i++) {
        double force = -g * sin(y[i]) * weight[i];

        for (size_t j = 0; j < p->n; j++) {
            double b = gsl_matrix_get(&B.matrix, i, j);

            force -= b * sin(y[i] - y[j]) * y[p->n + j] * y[p->n + j];
            gsl_matrix_set(&B.matrix, i, j, b * cos(y[i] - y[j]));
        }
        *gsl_matrix_ptr(&B.matrix, i, i) += p->moment[i];
        dy[i] = y[p->n + i];
        dy[p->n + i] = force;
    }
    if (gsl_linalg_cholesky_decomp1(&B.matrix) != GSL_SUCCESS) {
        return GSL_EBADFUNC;
    }
    return gsl_linalg_cholesky_svx(&B.matrix, &rates.vector);
}

/* Where the centre of the last link is at time t. */
static void last_centre(linkage *p, const double *start, double t, double *x, double *z)
{
    double y[2 * MOST] = {0.0};
    double now = 0.0;
    gsl_odeiv2_system system = {lagrange, NULL, 2 * p->n, p};
    gsl_odeiv2_driver *d =
        gsl_odeiv2_driver_alloc_y_new(&system, gsl_odeiv2_step_rk8pd, 1e-4, 1e-12, 1e-12);

    CU_ASSERT_PTR_NOT_NULL_FATAL(d);
    for (size_t k = 0; k < p->n; k++) {
        y[k] = start[k];
    }
    CU_ASSERT_EQUAL(gsl_odeiv2_driver_apply(d, &now, t, y), GSL_SUCCESS);
    gsl_odeiv2_driver_free(d);
    *x = *z = 0.0;
    for (size_t k = 0; k < p->n; k++) {
        double l = k + 1 < p->n ? p->length[k] : p->centre[k];

        *x += l * sin(y[k]);
        *z -= l * cos(y[k]);
    }
}

/* Hinges hold, and nothing leaves the plane. */
static void check_hinges(const play *p, perp_coordinates c, const char *last)
{
    /* where the projection ends; rounding of sums of links of a metre */
    double held = c == PERP_COORDINATES_REDUCED ? 1e-13 : 2e-12;

    CU_ASSERT(p->drift_length < held && p->drift_angle < held);
    CU_ASSERT_DOUBLE_EQUAL(play_pose(p, last)[1], 0.0, 1e-11);
}

static play begin(const char *name, perp_coordinates c, double dt)
{
    perp_scene *scene = play_read_in(name, c);

    scene->scheme.dt = dt;
    return play_start(scene, NULL);
}

static double pendulum_error(const char *name, const char *last, perp_coordinates c,
                             double dt, const double at[2])
{
    play p = begin(name, c, dt);
    const double *r = NULL;
    double error = 0.0;

    play_until(&p, 1.0);
    r = play_pose(&p, last);
    error = hypot(r[0] - at[0], r[2] - at[1]);
    check_hinges(&p, c, last);
    play_end(&p);
    return error;
}

static void row(char *text, const char *what, perp_coordinates c)
{
    snprintf(text, 128, what, perp_coordinates_names[c]);
}

/* Both are of first order, and page and equations agree. */
static void check_pendulum(const char *name, linkage *p, const double *start,
                           const char *last)
{
    double at[2];

    last_centre(p, start, 1.0, at, at + 1);
    for (int k = 0; k < 2; k++) {
        perp_coordinates c = k ? PERP_COORDINATES_REDUCED : PERP_COORDINATES_MAXIMAL;
        double coarse = pendulum_error(name, last, c, 2e-3, at);
        double fine = pendulum_error(name, last, c, 1e-3, at);
        char what[128];

        CU_ASSERT(coarse < 0.1); /* of first order, rates of 10/s */
        CU_ASSERT_DOUBLE_EQUAL(log2(coarse / fine), 1.0, 0.1);
        row(what, "%s: error at 1 s, steps of 2 ms [m]", c);
        page_says(name, what, coarse);
        row(what, "%s: error at 1 s, steps of 1 ms [m]", c);
        page_says(name, what, fine);
    }
}

/* Change of energy over a time. */
static double energy_change(const char *name, perp_coordinates c, double dt, double time,
                            double *drift)
{
    play p = begin(name, c, dt);
    double change = 0.0;

    play_until(&p, time);
    change = p.run.energy - p.energy;
    *drift = p.drift_length;
    play_end(&p);
    return change;
}

TEST(a_triple_pendulum_follows_lagrange_in_both_coordinates)
{
    linkage p = {.n = 3,
                 .length = {1.0, 0.8, 0.6},
                 .centre = {1.0, 0.8, 0.6},
                 .mass = {1.0, 0.7, 0.4},
                 .moment = {1e-3, 7e-4, 4e-4}};
    const double start[3] = {turn / 4.0, turn / 3.0, turn * 5.0 / 12.0};

    check_pendulum("triple-pendulum", &p, start, "third");
    if (!play_brief()) {
        for (int k = 0; k < 2; k++) {
            perp_coordinates c = k ? PERP_COORDINATES_REDUCED : PERP_COORDINATES_MAXIMAL;
            double drift = 0.0;
            double change = energy_change("triple-pendulum", c, 0.5e-3, 2.0, &drift);
            char what[128];

            row(what, "%s: energy gained in 2 s [J]", c);
            page_says("triple-pendulum", what, change);
            row(what, "%s: drift of the joints [m]", c);
            page_says("triple-pendulum", what, drift);
        }
    }
}

TEST(a_double_pendulum_follows_lagrange_in_reduced_coordinates)
{
    linkage p = {.n = 2,
                 .length = {1.0, 1.0},
                 .centre = {0.5, 0.5},
                 .mass = {1.0, 1.0},
                 .moment = {1.0 / 12.0, 1.0 / 12.0}};
    const double start[2] = {turn / 4.0, 0.0};
    double at[2];
    double coarse = 0.0;
    double drift = 0.0;

    last_centre(&p, start, 1.0, at, at + 1);
    coarse =
        pendulum_error("double-pendulum", "lower", PERP_COORDINATES_REDUCED, 0.5e-3, at);
    page_says("double-pendulum", "reduced: error at 1 s, steps of 0.5 ms [m]", coarse);
    if (!play_brief()) {
        double change = energy_change("double-pendulum", PERP_COORDINATES_REDUCED, 0.5e-3,
                                      3.0, &drift);

        page_says("double-pendulum", "reduced: energy gained in 3 s [J]", change);
        page_says("double-pendulum", "reduced: drift of the joints [m]", drift);
    }
}

/* The chain of the scene, and the slowest of its small swings: K v = w^2 M v. */
static double slowest_swing(linkage *p, double *v)
{
    const double each = 5.0 / MOST;
    gsl_matrix *M = gsl_matrix_alloc(MOST, MOST);
    gsl_matrix *K = gsl_matrix_calloc(MOST, MOST);
    gsl_matrix *V = gsl_matrix_alloc(MOST, MOST);
    gsl_vector *w2 = gsl_vector_alloc(MOST);
    gsl_eigen_gensymmv_workspace *work = gsl_eigen_gensymmv_alloc(MOST);
    double weight[MOST];
    double slowest = 0.0;

    CU_ASSERT_FATAL(M && K && V && w2 && work);
    p->n = MOST;
    for (size_t k = 0; k < MOST; k++) {
        p->length[k] = each;
        p->centre[k] = 0.5 * each;
        p->mass[k] = 5.0 / MOST;
        p->moment[k] = p->mass[k] * each * each / 12.0;
    }
    couplings(p, M, weight);
    for (size_t k = 0; k < MOST; k++) {
        *gsl_matrix_ptr(M, k, k) += p->moment[k];
        gsl_matrix_set(K, k, k, g * weight[k]);
    }
    CU_ASSERT_EQUAL(gsl_eigen_gensymmv(K, M, w2, V, work), GSL_SUCCESS);
    gsl_eigen_gensymmv_sort(w2, V, GSL_EIGEN_SORT_VAL_ASC);
    slowest = sqrt(gsl_vector_get(w2, 0));
    /* a = v q, and q = w^-2 v^T K a, as K is diagonal */
    for (size_t k = 0; k < MOST; k++) {
        v[k] = gsl_matrix_get(V, k, 0) * g * weight[k];
    }
    gsl_matrix_free(M);
    gsl_matrix_free(K);
    gsl_matrix_free(V);
    gsl_vector_free(w2);
    gsl_eigen_gensymmv_free(work);
    return slowest;
}

/* From one time at which the part v.a of the slowest swing is 0 to the next: pi/w. */
static double found_swing(perp_coordinates c, const double *v)
{
    const perp_scene_set small[] = {{"angle", "0.1 deg"}};
    perp_scene *scene = play_read_with("pendulum-chain", small, 1);
    double passed[2] = {0.0};
    double before = 1.0;
    int passages = 0;
    play p;

    scene->coordinates = c;
    scene->scheme.dt = 4e-3; /* the fastest swing, 240/s, needs less than 8 ms */
    p = play_start(scene, NULL);
    while (passages < 2) {
        double part = 0.0;

        CU_ASSERT_FATAL(play_world(&p)->start->t < 3.0);
        play_steps(&p, 1);
        for (size_t k = 0; k < MOST; k++) {
            char name[32];

            snprintf(name, sizeof name, "link %zu", k + 1);
            part += v[k] * play_angle(&p, name);
        }
        if (play_world(&p)->start->t > 2.0 * p.scheme.dt && before * part <= 0.0) {
            passed[passages++] =
                play_world(&p)->start->t - p.scheme.dt * part / (part - before);
        }
        before = part;
    }
    check_hinges(&p, c, "link 50");
    play_end(&p);
    return 0.5 * turn / (passed[1] - passed[0]);
}

TEST(a_chain_at_a_small_angle_swings_as_a_rope)
{
    linkage p;
    double v[MOST];
    double rope = 0.5 * gsl_sf_bessel_zero_J0(1) * sqrt(g / 5.0);
    double links = slowest_swing(&p, v);

    /* chain and rope are of second order in the length of links */
    CU_ASSERT_DOUBLE_EQUAL(links / rope, 1.0, 1.0 / (MOST * MOST));
    page_says("pendulum-chain", "slowest swing of a rope [rad/s]", rope);
    page_says("pendulum-chain", "slowest swing of fifty rods [rad/s]", links);
    for (int k = play_brief(); k < 2; k++) {
        perp_coordinates c = k ? PERP_COORDINATES_REDUCED : PERP_COORDINATES_MAXIMAL;
        double found = found_swing(c, v);
        char what[128];

        /* symplectic Euler: (w dt)^2/24 = 2e-6; angles of 0.1 deg: 1e-6; chords: 1e-5 */
        CU_ASSERT_DOUBLE_EQUAL(found / links, 1.0, 2e-5);
        row(what, "%s: its slowest swing [rad/s]", c);
        page_says("pendulum-chain", what, found);
    }
}

TEST(a_chain_keeps_its_energy_at_first_order)
{
    for (int k = play_brief(); k < 2; k++) {
        perp_coordinates c = k ? PERP_COORDINATES_REDUCED : PERP_COORDINATES_MAXIMAL;
        double drift = 0.0;
        double coarse = energy_change("pendulum-chain", c, 2e-3, 0.5, &drift);
        double fine = energy_change("pendulum-chain", c, 1e-3, 0.5, &drift);
        char what[128];

        CU_ASSERT_DOUBLE_EQUAL(coarse / fine, 2.0, 0.2);
        row(what, "%s: energy gained in 0.5 s, steps of 1 ms [J]", c);
        page_says("pendulum-chain", what, fine);
        row(what, "%s: drift of the joints [m]", c);
        page_says("pendulum-chain", what, drift);
    }
}

TEST(a_tree_of_a_thousand_links_keeps_its_energy)
{
    const double time = play_brief() ? 0.01 : 0.05;
    double drift = 0.0;
    double coarse = energy_change("tree", PERP_COORDINATES_REDUCED, 1e-3, time, &drift);
    double fine = energy_change("tree", PERP_COORDINATES_REDUCED, 0.5e-3, time, &drift);
    perp_scene *scene = play_read_in("tree", PERP_COORDINATES_REDUCED);
    play p;

    CU_ASSERT_DOUBLE_EQUAL(coarse / fine, 2.0, 0.2);
    CU_ASSERT(drift < 1e-12); /* rounding of sums of ten links of 20 m */
    /* a method of fourth order, whose error is below the rounding of 2160 J */
    scene->scheme.integrator = PERP_INTEGRATOR_RK4;
    p = play_start(scene, NULL);
    play_until(&p, time);
    CU_ASSERT(fabs(p.run.energy - p.energy) < 1e-9);
    if (!play_brief()) {
        page_says("tree", "reduced: energy gained in 0.05 s, steps of 1 ms [J]", coarse);
        page_says("tree", "reduced: the same by rk4 [J]", p.run.energy - p.energy);
        page_says("tree", "reduced: drift of the joints [m]", drift);
    }
    play_end(&p);
}
