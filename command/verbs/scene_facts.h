/* SPDX-License-Identifier: Apache-2.0
 * verbs/scene_facts.h: bodies, shapes and joints of a scene, for perp info. */
#ifndef PERP_VERBS_SCENE_FACTS_H
#define PERP_VERBS_SCENE_FACTS_H

#include <jansson.h>

#include <perp/dynamics/world.h>

/** Mass, centre of mass and inertia about it of all dynamic bodies together. */
void scene_facts_total(const perp_world *w);
/** A row for each body: its inertia is about its centre of mass in its own axes. */
void scene_facts_bodies(const perp_world *w);
/** A row for each joint: its bodies, its axis in world axes at the start, its limits, motors and springs. */
void scene_facts_joints(const perp_world *w);
json_t *scene_facts_total_json(const perp_world *w);
json_t *scene_facts_bodies_json(const perp_world *w);
json_t *scene_facts_joints_json(const perp_world *w);

#endif
