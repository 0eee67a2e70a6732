/* SPDX-License-Identifier: Apache-2.0
 * tests/collision/mesh_growth.c: a box on a surface of 10^5 triangles, all of which are near.
 * Nothing is timed: these take half a second, and a minute where the work grows as the
 * square of the triangles or of their contacts, 10^10 comparisons. */
#include <config.h>

#include "surfaces.h"

enum { CELLS = 224 };

/* Half a side of the floor, of the box, and half its height. */
static const double half_floor = 5.0;
static const double half[3] = {4.5, 4.5, 2.0};
/* Of contacts by searches that stop at 1e-12 of sizes of ten. */
static const double tolerance = 1e-9;

/* Contacts of the box, its bottom at z. */
static void lay_box(perp_mesh *mesh, double z, perp_contacts *contacts)
{
    perp_shape surface = surface_shape(mesh);
    perp_shape box = shape_of("box", half[0], half[1], half[2]);
    const double r[3] = {0, 0, z + half[2]};

    collide(two_bodies(&surface, &box, r, NULL), 1e-3, contacts);
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
    perp_mesh *mesh = surface_floor(half_floor, CELLS);
    perp_contacts contacts = {0};

    lay_box(mesh, 0.0, &contacts);
    CU_ASSERT(contacts.count > points_below());
    CU_ASSERT(contacts.count < points_below() + (size_t)4 * 3 * CELLS);
    for (size_t k = 0; k < contacts.count; k++) {
        CU_ASSERT(fabs(contacts.at[k].gap) <= tolerance);
        CU_ASSERT(fabs(contacts.at[k].normal[2] - 1.0) <= tolerance);
    }
}

/* The box sank so deep that many triangles have a shorter way out at its sides. */
TEST(a_box_deep_in_a_hundred_thousand_triangles_comes_out_upwards)
{
    static const double deep = 1.9;
    perp_mesh *mesh = surface_floor(half_floor, CELLS);
    perp_contacts contacts = {0};

    lay_box(mesh, -deep, &contacts);
    CU_ASSERT(contacts.count > points_below());
    for (size_t k = 0; k < contacts.count; k++) {
        CU_ASSERT(fabs(contacts.at[k].gap + deep) <= tolerance);
        CU_ASSERT(fabs(contacts.at[k].normal[2] - 1.0) <= tolerance);
    }
}
