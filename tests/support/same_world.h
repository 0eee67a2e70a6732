/* SPDX-License-Identifier: Apache-2.0
 * tests/support/same_world.h: worlds, states and scenes compared bit by bit. What differs is
 * noted, with `name` before it. */
#ifndef PERP_TEST_SAME_H
#define PERP_TEST_SAME_H

#include <perp/dynamics/scene.h>

#include "dynamics.h"

/** Bodies, materials, shapes, joints and forces; of a joint what its type reads. */
bool same_worlds(const char *name, const perp_world *a, const perp_world *b);
/** Poses, velocities, loads and coordinates of joints. */
bool same_states(const char *name, const perp_state *a, const perp_state *b);
/** Every member. */
bool same_schemes(const perp_scheme *a, const perp_scheme *b);
/** All of these, and the texts. */
bool same_scenes(const char *name, const perp_scene *a, const perp_scene *b);

#endif
