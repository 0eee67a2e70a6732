/* SPDX-License-Identifier: Apache-2.0
 * tests/fuzz/fuzz_mesh.c: any bytes as a file of OBJ or STL. What was read is a surface
 * whose sides find each other, and its points have a hull or a message; what was not has
 * a message of one line. */
#include <config.h>

#include <math.h>

#include <perp/dynamics/geometry.h>
#include <perp/dynamics/tree.h>

#include "fuzz_files.h"
#include "reference.h"

static void check(const perp_mesh *m)
{
    if (m->triangle_count == 0 || m->point_count < 3 ||
        perp_tree_count(m->tree) != m->triangle_count || !perp_tree_sound(m->tree)) {
        abort();
    }
    for (size_t k = 0; k < 3 * m->point_count; k++) {
        if (!isfinite(m->point[k])) {
            abort();
        }
    }
    for (size_t k = 0; k < 3 * m->triangle_count; k++) {
        int32_t other = m->beyond[k];
        bool back = other < 0;

        if (m->corner[k] < 0 || (size_t)m->corner[k] >= m->point_count ||
            !isfinite(m->normal[k])) {
            abort();
        }
        for (size_t c = 0; !back && c < 3; c++) {
            back = m->beyond[3 * (size_t)other + c] == (int32_t)(k / 3);
        }
        if (!back) {
            abort();
        }
    }
}

static void check_hull(const perp_mesh *m)
{
    perp_polytope *h = NULL;
    perp_error err = {0};
    perp_status status = perp_polytope_new(&h, m->point_count, m->point, &err);

    if ((status == PERP_OK) != (h != NULL) ||
        (!h && (!err.text[0] || strchr(err.text, '\n'))) ||
        (h && h->corner_count + h->face_count != h->edge_count + 2)) {
        abort();
    }
    perp_polytope_free(h);
}

FUZZ(mesh)
{
    perp_mesh *m = NULL;
    perp_error err = {0};
    perp_status status =
        perp_mesh_parse(&m, (const char *)data, size, "file.obj", 1.0, &err);

    if ((status == PERP_OK) != (m != NULL) ||
        (!m && (!err.text[0] || strchr(err.text, '\n')))) {
        abort();
    }
    if (m) {
        check(m);
        check_hull(m);
    }
    perp_mesh_free(m);
    return 0;
}
