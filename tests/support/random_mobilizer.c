/* SPDX-License-Identifier: Apache-2.0
 * tests/support/random_mobilizer.c: mobilizers in random states, and twists by differences. */
#include <config.h>

#include <math.h>

#include "math/vec3.h"
#include "random_mobilizer.h"

void mobile_draw(perp_random *g, double scale, double *x, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        x[k] = perp_random_uniform(g, -scale, scale);
    }
}

double mobile_regular(const mobile_state *s)
{
    return s->type->regular ? s->type->regular(s->axes, s->q) : 1.0;
}

mobile_state mobile_draw_state(const perp_mobilizer *type, double reach, perp_random *g)
{
    mobile_state s = {.type = type};

    do {
        mobile_draw(g, 1.0, s.axes, 6);
        vec3_normalize(s.axes);
        if (type->square) {
            vec3_add(s.axes + 3, -vec3_dot(s.axes, s.axes + 3), s.axes, s.axes + 3);
        }
        vec3_normalize(s.axes + 3);
    } while (fabs(vec3_dot(s.axes, s.axes + 3)) > 0.9);
    do {
        mobile_draw(g, reach, s.q, type->dof);
    } while (mobile_regular(&s) < 0.05);
    mobile_draw(g, 1.0, s.qd, type->dof);
    return s;
}

void mobile_all(double reach, void (*check)(const mobile_state *s, perp_random *g))
{
    size_t count = 0;
    const perp_mobilizer *const *types = perp_mobilizers(&count);

    for (size_t k = 0; k < count; k++) {
        perp_random g = {811 + k};
        unsigned before = CU_get_number_of_failures();

        for (int n = 0; n < DRAWS; n++) {
            mobile_state s = mobile_draw_state(types[k], reach, &g);

            check(&s, &g);
        }
        if (CU_get_number_of_failures() > before) {
            test_note("%s, coordinates up to %g, seed %zu", types[k]->name, reach,
                      811 + k);
        }
    }
}

void mobile_apply(size_t rows, size_t columns, const double *A, const double *x,
                  double *y)
{
    for (size_t i = 0; i < rows; i++) {
        y[i] = 0.0;
        for (size_t k = 0; k < columns; k++) {
            y[i] += A[rows * k + i] * x[k];
        }
    }
}

void mobile_twist(const mobile_state *s, double phi[6])
{
    double S[6 * MOST];

    s->type->motion(s->axes, s->q, NULL, S, NULL);
    mobile_apply(6, s->type->dof, S, s->qd, phi);
}

void mobile_moved(const mobile_state *s, double t, double q[MOST])
{
    for (unsigned k = 0; k < s->type->dof; k++) {
        q[k] = s->q[k] + t * s->qd[k];
    }
}

void mobile_twist_between(const mobile_state *s, const double *down, const double *up,
                          double phi[6])
{
    const double dt = 2.0 * mobile_step;
    perp_frame from;
    perp_frame to;
    perp_frame now;
    double rate[9];
    double W[9];
    double back[9];

    s->type->place(s->axes, down, &from);
    s->type->place(s->axes, up, &to);
    s->type->place(s->axes, s->q, &now);
    for (int k = 0; k < 9; k++) {
        rate[k] = (to.R[k] - from.R[k]) / dt;
        back[k] = now.R[3 * (k % 3) + k / 3];
    }
    mat3_multiply(back, rate, W);
    vec3_set(phi, 0.5 * (W[7] - W[5]), 0.5 * (W[2] - W[6]), 0.5 * (W[3] - W[1]));
    vec3_subtract(to.p, from.p, phi + 3);
    vec3_scale(1.0 / dt, phi + 3, phi + 3);
    mat3_apply_transposed(now.R, phi + 3, phi + 3);
}
