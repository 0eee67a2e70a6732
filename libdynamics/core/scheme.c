/* SPDX-License-Identifier: Apache-2.0
 * core/scheme.c: the choices of a step by name, their defaults and their check. */
#include <config.h>

#include <math.h>
#include <string.h>

#include <perp/dynamics/scheme.h>

#define PERP_TEXT_OF(name, text) text,
const char *const perp_model_names[] = {PERP_MODEL_LIST(PERP_TEXT_OF) NULL};
const char *const perp_stabilize_names[] = {PERP_STABILIZE_LIST(PERP_TEXT_OF) NULL};
const char *const perp_restitution_names[] = {PERP_RESTITUTION_LIST(PERP_TEXT_OF) NULL};
const char *const perp_integrator_names[] = {PERP_INTEGRATOR_LIST(PERP_TEXT_OF) NULL};
const char *const perp_bias_names[] = {PERP_BIAS_LIST(PERP_TEXT_OF) NULL};
const char *const perp_limits_names[] = {PERP_LIMITS_LIST(PERP_TEXT_OF) NULL};
const char *const perp_gyro_split_names[] = {PERP_GYRO_SPLIT_LIST(PERP_TEXT_OF) NULL};
const char *const perp_gyro_names[] = {PERP_GYRO_LIST(PERP_TEXT_OF) NULL};
const char *const perp_turn_names[] = {PERP_TURN_LIST(PERP_TEXT_OF) NULL};
const char *const perp_combine_names[] = {PERP_COMBINE_LIST(PERP_TEXT_OF) NULL};
#undef PERP_TEXT_OF

int perp_choice_find(const char *const *names, const char *name)
{
    for (int k = 0; names[k]; k++) {
        if (strcmp(names[k], name) == 0) {
            return k;
        }
    }
    return -1;
}

void perp_scheme_default(perp_scheme *scheme)
{
    memset(scheme, 0, sizeof *scheme);
    scheme->dt = 1.0 / 60.0;
    scheme->eta = 8;
    scheme->threshold = 0.01;
    scheme->erp = 0.2;
    scheme->max_correction = INFINITY;
    scheme->margin = 0.01;
    scheme->storage = PERP_STORAGE_FACTORED;
}

/* Numbers of a scheme and where they may lie; NaN lies nowhere. */
static perp_status scheme_number(const char *name, double x, double low, double high,
                                 const char *expected, perp_error *err)
{
    if (x >= low && x <= high) {
        return PERP_OK;
    }
    return perp_fail(err, PERP_ERR_OPTION, "scheme: %s is %g, expected %s", name, x,
                     expected);
}

enum { REDUCE_LEAST = 4 /* points that hold a face against turning */ };

perp_status perp_scheme_check(const perp_scheme *s, perp_error *err)
{
    /* the smallest normal number stands for «above 0» */
    const double above = 2.3e-308;
    const double most = 1e300;
    perp_status status =
        scheme_number("dt", s->dt, above, most, "a positive number [s]", err);

    if (status == PERP_OK) {
        status = scheme_number("erp", s->erp, 0.0, 1.0, "0 .. 1", err);
    }
    if (status == PERP_OK) {
        status = scheme_number("slop", s->slop, 0.0, most, "a length >= 0 [m]", err);
    }
    if (status == PERP_OK) {
        status = scheme_number("margin", s->margin, 0.0, most, "a length >= 0 [m]", err);
    }
    if (status == PERP_OK) {
        status = scheme_number("threshold", s->threshold, 0.0, most, "a speed >= 0 [m/s]",
                               err);
    }
    if (status == PERP_OK) {
        status = scheme_number("max-correction", s->max_correction, above, INFINITY,
                               "a positive speed [m/s]", err);
    }
    if (status == PERP_OK) {
        status =
            scheme_number("max-angle", s->max_angle, 0.0, most, "an angle >= 0", err);
    }
    if (status == PERP_OK && s->reduce > 0 && s->reduce < REDUCE_LEAST) {
        status = perp_fail(err, PERP_ERR_OPTION,
                           "scheme: reduce is %u, expected 0 or at least %d contacts",
                           s->reduce, REDUCE_LEAST);
    }
    if (status == PERP_OK && s->model == PERP_MODEL_PYRAMID &&
        (s->eta < 4 || s->eta % 2 != 0 || s->eta > 64)) {
        status = perp_fail(err, PERP_ERR_OPTION,
                           "scheme: pyramid of %u directions, expected an even number "
                           "from 4 to 64",
                           s->eta);
    }
    return status;
}
