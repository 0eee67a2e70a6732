/* SPDX-License-Identifier: Apache-2.0
 * tests/collision/mesh_growth.c: a box on a surface of 10^5 triangles, all of which are near.
 * Nothing is timed: these take half a second, and a minute where the work grows as the
 * square of the triangles or of their contacts, 10^10 comparisons. */
#include <config.h>

#include <stdlib.h>

#include "contact_queries.h"

enum { CELLS = 224, POINTS = (CELLS + 1) * (CELLS + 1), TRIANGLES = 2 * CELLS * CELLS };

/* Half a side of the floor, of the box, and half its height. */
static const double half_floor = 5.0;
static const double half[3] = {4.5, 4.5, 2.0};
/* Of contacts by searches that stop at 1e-12 of sizes of ten. */
static const double tolerance = 1e-9;

/* A floor of squares of two triangles each,. */
static perp_mesh *floor_new(void)
{
    double *point = malloc(3 * POINTS * sizeof *point);
    int32_t *corner = malloc(3 * TRIANGLES * sizeof *corner);
    perp_mesh *mesh = NULL;

    CU_ASSERT_FATAL(point && corner);
    for (int k = 0; k < POINTS; k++) {
        vec3_set(point + 3 * k, half_floor * (2.0 * (k % (CELLS + 1)) / CELLS - 1.0),
                 half_floor * (2.0 * (k / (CELLS + 1)) / CELLS - 1.0), 0.0);
    }
    for (int c = 0; c < CELLS * CELLS; c++) {
        int32_t p = (int32_t)((c / CELLS) * (CELLS + 1) + c % CELLS);
        const int32_t square[6] = {p, p + 1,         p + CELLS + 2,
                                   p, p + CELLS + 2, p + CELLS + 1};

        memcpy(corner + 6 * c, square, sizeof square);
    }
    OK(perp_mesh_new(&mesh, POINTS, point, TRIANGLES, corner, NULL));
    free(point);
    free(corner);
    return mesh;
}

/* Contacts of the box, its bottom at z. */
static void lay_box(perp_mesh *mesh, double z, perp_contacts *contacts)
{
    perp_world *world = test_world(3, 0.0);
    perp_body ground = {.name = "ground", .motion = PERP_MOTION_STATIC};
    perp_shape surface = shape_of("mesh", 0, 0, 0);
    perp_shape box = shape_of("box", half[0], half[1], half[2]);

    surface.mesh = mesh;
    OK(perp_world_add_body(world, &ground, &surface.body, NULL));
    OK(perp_world_add_shape(world, &surface, NULL, NULL));
    put(world, "box", 1.0, &box, (const double[]){0, 0, z + half[2]}, NULL);
    collide(world, 1e-3, contacts);
}

/* Points of the floor below the box. */
static size_t points_below(void)
{
    size_t along = 0;

    for (int k = 0; k <= CELLS; k++) {
        along += fabs(half_floor * (2.0 * k / CELLS - 1.0)) <= half[0];
    }
    return along * along;
}

/* One at each point of the floor, though six triangles share it, and at the outline of the
 * box, which crosses 2 or 3 sides per square. */
TEST(contacts_of_a_hundred_thousand_triangles_are_one_at_each_place)
{
    perp_mesh *mesh = floor_new();
    perp_contacts contacts = {0};

    lay_box(mesh, 0.0, &contacts);
    CU_ASSERT(contacts.count > points_below());
    CU_ASSERT(contacts.count < points_below() + (size_t)4 * 3 * CELLS);
    for (size_t k = 0; k < contacts.count; k++) {
        CU_ASSERT(fabs(contacts.at[k].gap) <= tolerance);
        CU_ASSERT(fabs(contacts.at[k].normal[2] - 1.0) <= tolerance);
    }
    perp_contacts_clear(&contacts);
    perp_mesh_free(mesh);
}

/* The box sank so deep that many triangles have a shorter way out at its sides. */
TEST(a_box_deep_in_a_hundred_thousand_triangles_comes_out_upwards)
{
    static const double deep = 1.9;
    perp_mesh *mesh = floor_new();
    perp_contacts contacts = {0};

    lay_box(mesh, -deep, &contacts);
    CU_ASSERT(contacts.count > points_below());
    for (size_t k = 0; k < contacts.count; k++) {
        CU_ASSERT(fabs(contacts.at[k].gap + deep) <= tolerance);
        CU_ASSERT(fabs(contacts.at[k].normal[2] - 1.0) <= tolerance);
    }
    perp_contacts_clear(&contacts);
    perp_mesh_free(mesh);
}
