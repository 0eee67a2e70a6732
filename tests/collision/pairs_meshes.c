/* SPDX-License-Identifier: Apache-2.0
 * tests/collision/pairs_meshes.c: two solids with flat sides as surfaces of triangles, and such a
 * one on a plane, against what is measured of the solids. */
#include <config.h>

#include "pairs_laws.h"
#include "surfaces.h"

/* Apart, in shares of the sizes: below, and in an overlap, features give another depth. */
static const double apart = 1e-6;
/* Shallow overlaps, in shares of the smaller solid. */
static const double shallow = 0.02;

/* The faces of a box or hull as a mesh; NULL: of other solids. */
static perp_mesh *mesh_of(const convex *s)
{
    const double *e = s->shape.size;
    double room[24];
    perp_shape box = hull_of_box(e[0], e[1], e[2], room);
    perp_polytope *hull = s->shape.polytope;
    perp_mesh *mesh = NULL;

    if (s->dimension == 2 || !s->shape.type->is_polytope) {
        return NULL;
    }
    if (s->shape.type->core == PERP_CORE_BOX) {
        hull = hull_of(8, box.corners, 3).polytope;
    } else if (!hull) {
        hull = hull_of(s->corner_count, s->corner, 3).polytope;
    }
    mesh = surface_of_hull(hull);
    return mesh;
}

static void check_gap(const convex *a, const convex *b, const perp_proximity *p,
                      const perp_proximity *q)
{
    const double size = pairs_size(a, b);
    const double tolerance = pairs_tolerance(a, b, p) + 1e-10 * size;

    if (p->gap > apart * size || a->shape.type->unbounded) {
        pairs_at_most(fabs(q->gap - p->gap), tolerance, "the gap of meshes off");
        pairs_at_most(fabs(convex_apart(a, b, q->normal) - p->gap), tolerance,
                      "the normal of meshes: supporting planes off the gap");
    } else if (p->gap > -shallow * fmin(convex_reach(a), convex_reach(b))) {
        pairs_at_most(q->gap, fmax(p->gap, 0.0) + tolerance,
                      "the gap of meshes that touch");
    }
}

void pairs_check_meshes(const convex *a, const convex *b, const perp_proximity *p)
{
    perp_mesh *mesh[2] = {mesh_of(a), mesh_of(b)};
    perp_shape shape[2] = {a->shape, b->shape};
    perp_placed at[2] = {a->at, b->at};
    perp_proximity q;
    perp_error err = {0};

    if (mesh[1] && (mesh[0] || a->shape.type->unbounded)) {
        for (int k = 0; k < 2; k++) {
            shape[k] = mesh[k] ? surface_shape(mesh[k]) : shape[k];
            at[k].shape = &shape[k];
        }
        if (perp_proximity_find(NULL, &at[0], &at[1], NULL, &q, &err) != PERP_OK) {
            test_note("%s", err.text);
            CU_FAIL_FATAL("two meshes are not measured");
        }
        check_gap(a, b, p, &q);
    }
}
