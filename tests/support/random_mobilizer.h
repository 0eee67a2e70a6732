/* SPDX-License-Identifier: Apache-2.0
 * tests/support/random_mobilizer.h: mobilizers in random states, and twists by differences. */
#ifndef PERP_TEST_MOBILE_H
#define PERP_TEST_MOBILE_H

#include "dynamics.h"

enum { MOST = PERP_MOBILIZER_DOF, DRAWS = 40 };

/** Steps of central differences: error h^2/6 times third derivatives of size 10 and more
 *  in angles of several radians, rounding 1e-15/h. */
static const double mobile_step = 1e-5;
static const double mobile_differences = 5e-9;

typedef struct mobile_state {
    const perp_mobilizer *type;
    double axes[6], q[MOST], qd[MOST];
} mobile_state;

/** n numbers in [-scale, scale). */
void mobile_draw(perp_random *g, double scale, double *x, size_t n);
/** Axes as the type needs them, coordinates within +-reach, away from singularities, and
 *  rates. */
mobile_state mobile_draw_state(const perp_mobilizer *type, double reach, perp_random *g);
/** Check every registered type in DRAWS states. */
void mobile_all(double reach, void (*check)(const mobile_state *s, perp_random *g));
double mobile_regular(const mobile_state *s);

/** y := A x, A with `rows` rows, column-major. */
void mobile_apply(size_t rows, size_t columns, const double *A, const double *x,
                  double *y);
/** phi := S qd, there. */
void mobile_twist(const mobile_state *s, double phi[6]);
/** q := s->q + t s->qd. */
void mobile_moved(const mobile_state *s, double t, double q[MOST]);
/** The twist of a motion from q = down to q = up in 2 steps, in axes of that at s->q, by
 *  differences. */
void mobile_twist_between(const mobile_state *s, const double *down, const double *up,
                          double phi[6]);

#endif
