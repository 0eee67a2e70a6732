/* SPDX-License-Identifier: Apache-2.0
 * export/mjcf_check.c: what of a scene MJCF cannot express. */
#include <config.h>

#include <math.h>
#include <string.h>

#include <perp/dynamics/force.h>

#include "command/export/mjcf_parts.h"

static bool check_is_zero(const double *x, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        if (x[k] != 0.0) {
            return false;
        }
    }
    return true;
}

/* MuJoCo has the gyroscopic torque always; it vanishes where all moments of inertia are equal. */
static bool check_round(const double I[9])
{
    double most = fabs(I[0]);

    return fabs(I[4] - I[0]) <= 1e-12 * most && fabs(I[8] - I[0]) <= 1e-12 * most &&
           fabs(I[1]) <= 1e-12 * most && fabs(I[2]) <= 1e-12 * most &&
           fabs(I[5]) <= 1e-12 * most;
}

static void check_body(mjcf *m, size_t k)
{
    const perp_world *w = m->w;
    const perp_scheme *scheme = &m->scene->scheme;
    perp_gyro gyro = scheme->override_gyro ? scheme->gyro : w->gyro[k];

    if (!mjcf_is_text(w->name[k])) {
        mjcf_refuse(m, "the name of body %zu has a character that XML does not have", k);
    }
    if (w->disabled[k]) {
        mjcf_refuse(m, "body \"%s\" is disabled, which MJCF cannot express", w->name[k]);
    }
    if (w->motion[k] == PERP_MOTION_KINEMATIC &&
        !check_is_zero(perp_body_velocity(m->state, k), 6)) {
        mjcf_refuse(
            m, "body \"%s\" is kinematic and moves; in MuJoCo a program must move it",
            w->name[k]);
    }
    if (!check_is_zero(m->state->load + 6 * k, 6)) {
        mjcf_refuse(m, "body \"%s\" has a load, which MJCF cannot express", w->name[k]);
    }
    if (mjcf_dynamic(m, k) && gyro == PERP_GYRO_NONE &&
        !check_round(w->inertia + 9 * k)) {
        mjcf_refuse(m, "body \"%s\" has no gyroscopic torque; MuJoCo always has it",
                    w->name[k]);
    }
}

static void check_force(mjcf *m, const perp_force *force)
{
    if (strcmp(force->type->name, "spring") != 0) {
        mjcf_refuse(m, "force \"%s\" is of type %s; of forces MJCF has springs only",
                    force->name, force->type->name);
    } else if (force->value[0] < 0.0 || force->value[1] < 0.0 || force->value[2] < 0.0) {
        mjcf_refuse(m, "spring \"%s\" has a negative number, which MJCF does not allow",
                    force->name);
    }
}

static void check_scheme(mjcf *m)
{
    const perp_scheme *s = &m->scene->scheme;

    if (s->integrator != PERP_INTEGRATOR_SEMI_IMPLICIT &&
        s->integrator != PERP_INTEGRATOR_RK4 &&
        s->integrator != PERP_INTEGRATOR_IMPLICIT) {
        mjcf_note(m, "integrator %s is not one of MuJoCo: written as Euler",
                  perp_integrator_names[s->integrator]);
    }
    if (s->model == PERP_MODEL_BOX) {
        mjcf_note(m, "friction model box is not one of MuJoCo: written as a pyramid");
    }
}

void mjcf_check(mjcf *m)
{
    if (m->w->dimension != 3) {
        mjcf_refuse(m, "a world of two dimensions, MJCF has three");
    }
    for (size_t k = 0; k < m->w->body_count; k++) {
        check_body(m, k);
    }
    for (size_t k = 0; k < m->w->force_count; k++) {
        check_force(m, &m->w->forces[k]);
    }
    check_scheme(m);
}
