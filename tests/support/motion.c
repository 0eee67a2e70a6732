/* SPDX-License-Identifier: Apache-2.0
 * tests/support/motion.c: free motion, and the torque-free spin of a body in closed form.
 *
 * With E = 2T, L2 = |L|^2 and a, c the axes 1 and 3 when L2 > E I_2, else 3 and 1:
 *
 *     w_a = A cn(u), w_2 = s B sn(u), w_c = s C dn(u),   u = lambda t + u_0, s = sign w_c
 *     A^2 = (E I_c - L2)/(I_a (I_c - I_a)),   B^2 = (E I_c - L2)/(I_2 (I_c - I_2))
 *     C^2 = (L2 - E I_a)/(I_c (I_c - I_a)),
 *     lambda^2 = (I_c - I_2)(L2 - E I_a)/(I_1 I_2 I_3)
 *     k^2 = (I_2 - I_a)(E I_c - L2)/((I_c - I_2)(L2 - E I_a))
 *
 * Reference: [landau-lifshitz-1976, section 37]. */
#include <config.h>

#include <gsl/gsl_sf_ellint.h>
#include <gsl/gsl_sf_elljac.h>
#include <math.h>

#include "motion.h"

void test_fly(perp_world *world, perp_integrator integrator, double h, size_t steps)
{
    perp_free_motion motion = {0};
    perp_scheme scheme;

    perp_scheme_default(&scheme);
    scheme.dt = h;
    scheme.integrator = integrator;
    for (size_t k = 0; k < steps; k++) {
        OK(perp_free_motion_run(&motion, world, world->start, &scheme, NULL));
        perp_free_motion_finish(&motion, world, world->start, motion.u, &scheme, NULL);
    }
    perp_free_motion_clear(&motion);
}

void test_free_spin(const double I[3], const double w0[3], double t, double w[3])
{
    double E = I[0] * w0[0] * w0[0] + I[1] * w0[1] * w0[1] + I[2] * w0[2] * w0[2];
    double L2 = I[0] * I[0] * w0[0] * w0[0] + I[1] * I[1] * w0[1] * w0[1] +
                I[2] * I[2] * w0[2] * w0[2];
    int a = L2 > E * I[1] ? 0 : 2;
    int c = 2 - a;
    double to_c = E * I[c] - L2;
    double to_a = L2 - E * I[a];
    double A = sqrt(to_c / (I[a] * (I[c] - I[a])));
    double B = sqrt(to_c / (I[1] * (I[c] - I[1])));
    double C = sqrt(to_a / (I[c] * (I[c] - I[a])));
    double lambda = sqrt((I[c] - I[1]) * to_a / (I[0] * I[1] * I[2]));
    double m = (I[1] - I[a]) * to_c / ((I[c] - I[1]) * to_a);
    double s = w0[c] < 0.0 ? -1.0 : 1.0;
    double phase =
        gsl_sf_ellint_F(atan2(s * w0[1] / B, w0[a] / A), sqrt(m), GSL_PREC_DOUBLE);
    double sn = 0.0;
    double cn = 0.0;
    double dn = 0.0;

    gsl_sf_elljac_e(lambda * t + phase, m, &sn, &cn, &dn);
    w[a] = A * cn;
    w[1] = s * B * sn;
    w[c] = s * C * dn;
}
