/* SPDX-License-Identifier: Apache-2.0
 * world/force_user.c: a force computed by a user's function. */
#include <config.h>

#include "world/forces.h"

static void user_apply(const perp_force *u, const perp_world *w, const perp_state *state,
                       double *f)
{
    u->call(u->context, w, state, f);
}

static perp_status user_check(const perp_force *u, perp_error *err)
{
    if (u->call) {
        return PERP_OK;
    }
    return perp_fail(err, PERP_ERR_DATA,
                     "force \"%s\": no function, expected one to call", force_name(u));
}

static const char *const user_parameters[] = {NULL};

const perp_force_type force_user = {
    .name = "user",
    .summary = "a function that the user provides",
    .bodies = 0,
    .apply = user_apply,
    .check = user_check,
    .parameters = user_parameters,
};
