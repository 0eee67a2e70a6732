/* SPDX-License-Identifier: Apache-2.0
 * tests/joints/mobilizers_drift.c: how mobilizers move on: quasi-velocities, drifts,
 * and coordinates exchanged for others. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "math/vec3.h"
#include "random_mobilizer.h"

static const double pi = 3.14159265358979323846;

/* nu := N qd. */
static void quasi(const mobile_state *s, const double *qd, double *nu, double *N,
                  double *Ndot)
{
    size_t n = s->type->dof;

    if (s->type->quasi) {
        s->type->quasi(s->axes, s->q, s->qd, N, Ndot);
        mobile_apply(n, n, N, qd, nu);
    } else {
        memcpy(nu, qd, n * sizeof *nu);
    }
}

static void drift(const mobile_state *s, const double *nu, double dt, double *q)
{
    memcpy(q, s->q, s->type->dof * sizeof *q);
    if (s->type->drift) {
        s->type->drift(s->axes, q, nu, dt);
    } else {
        for (unsigned k = 0; k < s->type->dof; k++) {
            q[k] += dt * nu[k];
        }
    }
}

/* A drift by N qd starts with the twist S qd. */
static void check_quasi(const mobile_state *s, perp_random *g)
{
    double N[MOST * MOST], nu[MOST], up[MOST], down[MOST], phi[6], differences[6];

    (void)g;
    quasi(s, s->qd, nu, N, NULL);
    drift(s, nu, mobile_step, up);
    drift(s, nu, -mobile_step, down);
    mobile_twist_between(s, down, up, differences);
    mobile_twist(s, phi);
    test_agree("drift", differences, phi, 6, mobile_differences);
}

TEST(a_drift_starts_with_the_velocity)
{
    mobile_all(5.0, check_quasi);
}

static void check_quasi_rate(const mobile_state *s, perp_random *g)
{
    size_t n = (size_t)s->type->dof * s->type->dof;
    double q[MOST], N[MOST * MOST], Ndot[MOST * MOST], up[MOST * MOST], down[MOST * MOST];

    (void)g;
    if (!s->type->quasi) {
        return;
    }
    s->type->quasi(s->axes, s->q, s->qd, N, Ndot);
    mobile_moved(s, mobile_step, q);
    s->type->quasi(s->axes, q, NULL, up, NULL);
    mobile_moved(s, -mobile_step, q);
    s->type->quasi(s->axes, q, NULL, down, NULL);
    for (size_t k = 0; k < n; k++) {
        up[k] = (up[k] - down[k]) / (2.0 * mobile_step);
    }
    test_agree("dN/dt", Ndot, up, n, mobile_differences);
}

TEST(the_rate_of_the_quasi_velocity_is_its_difference)
{
    mobile_all(5.0, check_quasi_rate);
}

/* Q+ = Q exp(dt omega) for a ball, at any speed, and p+ = p + dt v for what floats. */
TEST(rotations_drift_exactly)
{
    static const char *const names[] = {"spherical", "free"};
    perp_random g = {821};

    for (int n = 0; n < 2 * DRAWS; n++) {
        mobile_state s = mobile_draw_state(perp_mobilizer_find(names[n % 2]), 3.0, &g);
        perp_frame before, after;
        double nu[MOST], q[MOST], turn[9], expected[9], p[3];
        double dt = pow(10.0, perp_random_uniform(&g, -4.0, 0.5));

        mobile_draw(&g, 2.0, nu, 6);
        drift(&s, nu, dt, q);
        s.type->place(s.axes, s.q, &before);
        s.type->place(s.axes, q, &after);
        vec3_scale(dt, nu, p);
        perp_exponential(p, turn);
        mat3_multiply(before.R, turn, expected);
        test_agree("R exp(dt nu)", after.R, expected, 9, 1e-14);
        vec3_add(before.p, n % 2 == 1 ? dt : 0.0, nu + 3, p);
        test_agree("p + dt nu", after.p, p, 3, 1e-14);
    }
}

/* Small steps without renewal: coordinates are continuous, past half a turn as well. */
TEST(a_drift_goes_on_past_half_a_turn)
{
    const perp_mobilizer *ball = perp_mobilizer_find("spherical");
    const double omega[3] = {0.3, -0.2, 0.9};
    double q[3] = {0.1, 0.05, 0.0};

    for (int k = 0; k < 500; k++) {
        double before[3];

        vec3_copy(before, q);
        ball->drift(NULL, q, omega, 0.01);
        vec3_subtract(q, before, before);
        /* |B^-1| (th/2)/sin(th/2) is 11 at most on this way, |omega| dt 0.01 */
        CU_ASSERT(vec3_length(before) <= 0.11);
    }
    CU_ASSERT(vec3_length(q) > 1.4 * pi);
}

static void check_renewal(const mobile_state *s, perp_random *g)
{
    mobile_state t = *s;
    perp_frame before, after;
    double phi[6], again[6];

    (void)g;
    s->type->place(s->axes, s->q, &before);
    mobile_twist(s, phi);
    if (!s->type->switch_chart || !s->type->switch_chart(t.axes, t.q, t.qd)) {
        CU_ASSERT(memcmp(&t, s, sizeof t) == 0);
        return;
    }
    s->type->place(t.axes, t.q, &after);
    mobile_twist(&t, again);
    test_agree("R", after.R, before.R, 9, 1e-13);
    test_agree("p", after.p, before.p, 3, 0.0);
    test_agree("S qd", again, phi, 6, 1e-13);
    CU_ASSERT(mobile_regular(&t) >= 4.0 / (pi * pi) - 1e-15); /* det B at half a turn */
    CU_ASSERT_FALSE(s->type->switch_chart(t.axes, t.q, t.qd));
}

TEST(renewal_keeps_pose_and_velocity)
{
    mobile_all(4.0, check_renewal);
    mobile_all(10.0, check_renewal);
}
