/* SPDX-License-Identifier: Apache-2.0
 * tests/torture/forests.h: small worlds whose joints form trees, drawn from a seed. */
#ifndef PERP_TORTURE_FORESTS_H
#define PERP_TORTURE_FORESTS_H

#include <perp/dynamics/dynamics.h>
#include <perp/perp.h>

/** What was drawn beside the world. */
typedef struct torture_forest {
    char what[160];
    perp_reduction how;
    perp_scheme scheme;
    bool rotors; /**< joints have armatures, which maximal coordinates know nothing of */
    double lengths; /**< size of the whole [m], at least 1 */
    double ratio;   /**< of the heaviest to the lightest body */
} torture_forest;

/** World number `index` of a seed, always the same, in maximal coordinates: up to
 *  fourteen bodies in one or more trees by joints of all types that can be eliminated,
 *  seen from either side, on a base that stands, moves as it was told, or floats; moved
 *  as these joints let them, at velocities they allow; then joints that close loops,
 *  bodies alone, limits, motors, springs, loads, shapes, and a ground that the lowest
 *  ones touch. NULL: what err says. */
perp_world *torture_forest_draw(uint64_t seed, size_t index, torture_forest *told,
                                perp_error *err);

#endif
