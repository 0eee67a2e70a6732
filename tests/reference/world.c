/* SPDX-License-Identifier: Apache-2.0
 * tests/reference/world.c: checks of a state. */
#include <config.h>

#include "math/math.h"
#include "reference.h"

int32_t test_nonfinite_body(const perp_world *w, const perp_state *state)
{
    for (size_t k = 0; k < w->body_count; k++) {
        if (!math_finite(state->s + 7 * k, 7) || !math_finite(state->u + 6 * k, 6)) {
            return (int32_t)k;
        }
    }
    return -1;
}
