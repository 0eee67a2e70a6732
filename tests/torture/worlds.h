/* SPDX-License-Identifier: Apache-2.0
 * tests/torture/worlds.h: small worlds of shapes that are hard on purpose. */
#ifndef PERP_TORTURE_WORLDS_H
#define PERP_TORTURE_WORLDS_H

#include <perp/dynamics/dynamics.h>
#include <perp/perp.h>

/** How its shapes stand. */
typedef struct torture_world {
    char what[160]; /**< its kinds of shapes and places */
    double size;    /**< of its largest bounded shape [m] */
    bool generic;   /**< no pose makes two answers as good as each other */
} torture_world;

/** World number `index` of a seed, always the same: a body a shape, in the same order, or
 *  in the other one where `reversed`. NULL: what err says. */
perp_world *torture_world_draw(uint64_t seed, size_t index, bool reversed,
                               torture_world *told, perp_error *err);
/** Move all its bodies a little. */
void torture_world_stir(perp_world *world, uint64_t seed, double size);

#endif
