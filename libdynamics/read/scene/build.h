/* SPDX-License-Identifier: Apache-2.0
 * read/scene/build.h: the world of a scene, built item by item. Private. */
#ifndef PERP_READ_SCENE_BUILD_H
#define PERP_READ_SCENE_BUILD_H

#include "read/scene/members.h"
#include "world/shapes.h"

/* parameters.c: named numbers with defaults. */

perp_status scene_read_parameters(scene_reader *rd, const scene_at *root,
                                  const perp_scene_set *sets, size_t count);

/* repeat.c: copies. */

/* What a list holds. */
typedef enum scene_items {
    SCENE_ONCE, /* items that are not repeated */
    SCENE_BODIES,
    SCENE_ROBOTS,
    SCENE_SHAPES,
    SCENE_JOINTS,
    SCENE_GEARS,
    SCENE_FORCES,
} scene_items;

/* `build` for every copy of the item at `at`, whose "repeat" is at `repeat`. */
typedef perp_status scene_build(scene_reader *rd, const scene_at *at);
perp_status scene_repeat(scene_reader *rd, const scene_at *at, scene_items items,
                         scene_build *build);
/* The number of levels of a "repeat"; 0: it is not one. */
size_t scene_repeat_levels(const scene_at *repeat);
/* The name of the index of the level `depth` of `levels`. */
void scene_index_name(const scene_at *level, size_t depth, size_t levels,
                      char name[SCENE_WORD]);

/* Transform a point, a direction or an orientation to the present copy, in place. */
void scene_place_point(const scene_reader *rd, double p[3]);
void scene_place_direction(const scene_reader *rd, double a[3]);
void scene_place_rotation(const scene_reader *rd, double q[4]);

/* repeat_count.c: refuse the "repeat" of the item at `at` if it makes more than the
 * limits allow; otherwise its copies are counted in rd->turns. */

perp_status scene_repeat_check(scene_reader *rd, const scene_at *at, scene_items items);

/* solids.c: shapes of a body. */

/* While it is built; hulls, surfaces and parts belong to this list. */
typedef struct scene_solids {
    size_t count, room, item_room;
    bool parts;       /* of a compound */
    bool free;        /* one that names its body */
    int32_t material; /* of those that name none */
    perp_shape *at;
    size_t *item; /* index of the shape of the document that each is a copy of */
} scene_solids;

perp_status scene_solids_read(scene_reader *rd, const scene_at *at, scene_solids *list);
void scene_solids_clear(scene_solids *list);
/* A shape on a body that it names. */
perp_status scene_build_shape(scene_reader *rd, const scene_at *at);
/* Their total mass properties at density 1, in the axes of the body. */
perp_status scene_solids_mass(scene_reader *rd, const scene_at *at,
                              const scene_solids *list, shape_mass *sum);
/* forms.c: corners, files, parts and groups of a shape. */

perp_status scene_form_read(scene_reader *rd, const scene_at *at, const scene_shape *s,
                            perp_shape *shape);
/* Release its hull, mesh and parts. */
void scene_form_clear(perp_shape *shape);
void scene_files_clear(scene_reader *rd);
/* The path, relative to the folder of the scene unless it begins with a slash; the caller
 * frees it; NULL: no memory. */
char *scene_path_of(const scene_reader *rd, const char *name);

/** The erp of a joint or material: NAN (missing) means that of the scheme, 0 no
 *  correction. */
static inline double scene_erp(double given)
{
    return isnan(given) ? 0.0 : given > 0.0 ? given : PERP_ERP_NONE;
}
/* The material named by the member of `at`; NULL: the default one. */
perp_status scene_find_material(scene_reader *rd, const scene_at *at, const char *name,
                                int32_t *index);

/* bodies.c, robots.c, links.c: what is built; one copy each. */

perp_status scene_build_body(scene_reader *rd, const scene_at *at);
perp_status scene_build_ground(scene_reader *rd, const scene_at *at);
perp_status scene_build_robot(scene_reader *rd, const scene_at *at);
perp_status scene_build_joint(scene_reader *rd, const scene_at *at);
perp_status scene_build_gear(scene_reader *rd, const scene_at *at);
perp_status scene_build_force(scene_reader *rd, const scene_at *at);
/* Settings of a free axis: limits, motor, spring, armature. */
perp_status scene_read_axis(scene_reader *rd, const scene_axis *a, perp_axis_unit unit,
                            perp_axis *axis);
/* The number of the body named by the text at `at`; the first use of "world" creates that
 * body. */
perp_status scene_find_body(scene_reader *rd, const scene_at *at, int32_t *index);
perp_status scene_world_body(scene_reader *rd, const scene_at *at, int32_t *index);

#endif
