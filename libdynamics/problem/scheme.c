/* SPDX-License-Identifier: Apache-2.0
 * problem/scheme.c: the texts of the choices of a scheme, its defaults, and what it
 * asks of a search for contacts. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "problem/parts.h"

#define PERP_TEXT_OF(name, text) text,
const char *const perp_model_names[] = {PERP_MODEL_LIST(PERP_TEXT_OF) NULL};
const char *const perp_stabilize_names[] = {PERP_STABILIZE_LIST(PERP_TEXT_OF) NULL};
const char *const perp_restitution_names[] = {PERP_RESTITUTION_LIST(PERP_TEXT_OF) NULL};
const char *const perp_integrator_names[] = {PERP_INTEGRATOR_LIST(PERP_TEXT_OF) NULL};
const char *const perp_bias_names[] = {PERP_BIAS_LIST(PERP_TEXT_OF) NULL};
const char *const perp_limits_names[] = {PERP_LIMITS_LIST(PERP_TEXT_OF) NULL};
const char *const perp_gyro_split_names[] = {PERP_GYRO_SPLIT_LIST(PERP_TEXT_OF) NULL};
const char *const perp_turn_names[] = {PERP_TURN_LIST(PERP_TEXT_OF) NULL};
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

perp_collide_settings collide_settings_of(const perp_scheme *scheme)
{
    return (perp_collide_settings){
        .margin = scheme->margin,
        .speculative = scheme->speculative ? scheme->dt : 0.0,
        .closing = scheme->dt,
        .broad = scheme->broad,
        .narrow = scheme->narrow,
        .reduce = scheme->reduce,
        .threads = scheme->threads,
    };
}
