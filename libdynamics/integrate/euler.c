/* SPDX-License-Identifier: Apache-2.0
 * integrate/euler.c: the two Euler methods without a system to solve; both of order 1.
 *
 *     semi-implicit   u+ = u + h a(s, u),   s+ = s moved by h u+    symplectic
 *     explicit        u+ = u + h a(s, u),   s+ = s moved by h u     gains energy
 *
 * Semi-implicit Euler sends the angular velocity through the gyroscopic stage of each
 * body; the explicit one has the gyroscopic torque in a(s, u).
 * [hairer-lubich-wanner-2006] */
#include <config.h>

#include "integrate.h"

static perp_status semi_implicit_flow(perp_flow *flow, perp_world *w,
                                      const perp_scheme *scheme, perp_error *err)
{
    double *f = flow->work;
    double h = scheme->dt;

    perp_world_forces(w, false, f);
    for (size_t k = 0; k < w->body_count; k++) {
        double *u = flow->u + 6 * k;
        perp_gyro gyro = integrate_gyro(w, scheme, k);
        double du[6] = {0};
        perp_status status = PERP_OK;

        if (w->motion[k] != PERP_MOTION_DYNAMIC) {
            continue;
        }
        if (gyro != PERP_GYRO_NONE) {
            status =
                perp_gyro_torque_stage(gyro, scheme->gyro_split, perp_body_pose(w, k) + 3,
                                       w->inertia + 9 * k, f + 6 * k + 3, h, u + 3, err);
        } else {
            mat3_apply(w->inverse_inertia + 9 * k, f + 6 * k + 3, du + 3);
        }
        if (status != PERP_OK) {
            return perp_fail_in(err, status, w->name[k]);
        }
        vec3_scale(w->inverse_mass[k], f + 6 * k, du);
        if (w->dimension == 2) {
            du[2] = 0.0;
        }
        for (int c = 0; c < 6; c++) {
            u[c] += h * du[c];
        }
    }
    return PERP_OK;
}

static void semi_implicit_scalar(const perp_oscillator *o, double h, size_t steps,
                                 double *x, double *v)
{
    for (size_t k = 0; k < steps; k++) {
        *v += h * o->a(o->context, *x);
        *x += h * *v;
    }
}

const integrator_type integrator_semi_implicit = {
    .positions = false,
    .work = 6,
    .flow = semi_implicit_flow,
    .scalar = semi_implicit_scalar,
};

static perp_status explicit_flow(perp_flow *flow, perp_world *w,
                                 const perp_scheme *scheme, perp_error *err)
{
    double *a = flow->work;

    (void)err; /* nothing is solved */
    integrate_accelerations(w, scheme, a);
    integrate_drift(w, scheme, w->s, w->u, scheme->dt, flow->s);
    integrate_kick(w, w->u, scheme->dt, a, flow->u);
    return PERP_OK;
}

static void explicit_scalar(const perp_oscillator *o, double h, size_t steps, double *x,
                            double *v)
{
    for (size_t k = 0; k < steps; k++) {
        double a = o->a(o->context, *x);

        *x += h * *v;
        *v += h * a;
    }
}

const integrator_type integrator_explicit = {
    .positions = true,
    .work = 6,
    .flow = explicit_flow,
    .scalar = explicit_scalar,
};
