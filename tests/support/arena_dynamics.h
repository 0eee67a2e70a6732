/* SPDX-License-Identifier: Apache-2.0
 * tests/support/arena_dynamics.h: what arena.h says, of the dynamics. Of surfaces and
 * hulls, which count their references, the test's own is kept; contacts are cleared. */
#ifndef PERP_TEST_ARENA_DYNAMICS_H
#define PERP_TEST_ARENA_DYNAMICS_H

#include <perp/dynamics/algorithms.h>
#include <perp/dynamics/dynamics.h>
#include <perp/dynamics/state.h>

#include "arena.h"

TEST_OBJECT(articulation)
TEST_OBJECT(broad)
TEST_OBJECT(collider)
TEST_OBJECT(mesh)
TEST_OBJECT(polytope)
TEST_OBJECT(scene)
TEST_OBJECT(state)
TEST_OBJECT(step_gradient)
TEST_OBJECT(stepper)
TEST_OBJECT(tree)
TEST_OBJECT(world)

#define perp_articulation_new(...)                                                       \
    TEST_MADE(articulation, perp_articulation_new, __VA_ARGS__)
#define perp_broad_new(...)    TEST_MADE(broad, perp_broad_new, __VA_ARGS__)
#define perp_collider_new(...) TEST_MADE(collider, perp_collider_new, __VA_ARGS__)
#define perp_mesh_new(...)     TEST_MADE(mesh, perp_mesh_new, __VA_ARGS__)
#define perp_mesh_parse(...)   TEST_MADE(mesh, perp_mesh_parse, __VA_ARGS__)
#define perp_mesh_read(...)    TEST_MADE(mesh, perp_mesh_read, __VA_ARGS__)
#define perp_polygon_new(...)  TEST_MADE(polytope, perp_polygon_new, __VA_ARGS__)
#define perp_polytope_new(...) TEST_MADE(polytope, perp_polytope_new, __VA_ARGS__)
#define perp_step_gradient_new(...)                                                      \
    TEST_MADE(step_gradient, perp_step_gradient_new, __VA_ARGS__)
#define perp_scene_read(...)       TEST_MADE(scene, perp_scene_read, __VA_ARGS__)
#define perp_scene_parse(...)      TEST_MADE(scene, perp_scene_parse, __VA_ARGS__)
#define perp_scene_read_with(...)  TEST_MADE(scene, perp_scene_read_with, __VA_ARGS__)
#define perp_scene_parse_with(...) TEST_MADE(scene, perp_scene_parse_with, __VA_ARGS__)
#define perp_state_new(...)        TEST_MADE(state, perp_state_new, __VA_ARGS__)
#define perp_stepper_new(...)      TEST_MADE(stepper, perp_stepper_new, __VA_ARGS__)
#define perp_tree_new(...)         TEST_MADE(tree, perp_tree_new, __VA_ARGS__)
#define perp_urdf_scene(...)       TEST_MADE(scene, perp_urdf_scene, __VA_ARGS__)
#define perp_world_new(...)        TEST_MADE(world, perp_world_new, __VA_ARGS__)
#define perp_articulation_free(x)  perp_articulation_free(test_given(x))
#define perp_broad_free(x)         perp_broad_free(test_given(x))
#define perp_collider_free(x)      perp_collider_free(test_given(x))
#define perp_mesh_free(x)          perp_mesh_free(test_given(x))
#define perp_polytope_free(x)      perp_polytope_free(test_given(x))
#define perp_scene_free(x)         perp_scene_free(test_given(x))
#define perp_state_free(x)         perp_state_free(test_given(x))
#define perp_step_gradient_free(x) perp_step_gradient_free(test_given(x))
#define perp_stepper_free(x)       perp_stepper_free(test_given(x))
#define perp_tree_free(x)          perp_tree_free(test_given(x))
#define perp_world_free(x)         perp_world_free(test_given(x))

static inline perp_status test_kept_contacts(perp_contacts *c, perp_status status)
{
    test_keep(c->at, free);
    return status;
}

/* The call may move the contacts that are kept. */
#define TEST_CONTACTS(c, call)        (test_given((c)->at), test_kept_contacts(c, call))
#define perp_collide(w, s, m, c, err) TEST_CONTACTS(c, perp_collide(w, s, m, c, err))
#define perp_collider_run(k, w, s, o, c, err)                                            \
    TEST_CONTACTS(c, perp_collider_run(k, w, s, o, c, err))
#define perp_step_formulate(w, s, o, c, p, err)                                          \
    TEST_CONTACTS(c, perp_step_formulate(w, s, o, c, p, err))
#define perp_contacts_clear(c) (test_given((c)->at), perp_contacts_clear(c))

#endif
