/* SPDX-License-Identifier: Apache-2.0
 * tests/geometry/polytope_bad.c: hulls in hard places: points in another order, tiny,
 * huge, far and flat ones, NaN, and memory that runs out, also Qhull's. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dynamics.h"
#include "geometry/surface.h"
#include "polyhedra.h"
#include "scarce.h"
#include "world/world.h"

static size_t qhull_asked; /* times it wanted memory */

/* What Qhull lets a program put in place of its own: memory that runs out, no way to the
 * screen and none to the end. */
void *qh_malloc(size_t size);
void qh_free(void *memory);
void qh_exit(int code);
void qh_fprintf_stderr(int code, const char *format, ...);

void *qh_malloc(size_t size)
{
    qhull_asked++;
    return malloc(size);
}

void qh_free(void *memory)
{
    free(memory);
}

void qh_exit(int code)
{
    test_note("Qhull ends the program with %d", code);
    abort();
}

void qh_fprintf_stderr(int code, const char *format, ...)
{
    test_note("Qhull prints message %d: %s", code, format);
    CU_FAIL("Qhull prints");
}

/* Whether each face of a is one of b, its corners called as in b. */
static bool same_faces(const perp_polytope *a, const perp_polytope *b,
                       const int32_t *a_to_b)
{
    for (size_t f = 0; f < a->face_count; f++) {
        int32_t start = a->face_start[f];
        int32_t length = a->face_start[f + 1] - start;
        bool found = false;

        for (size_t g = 0; g < b->face_count && !found; g++) {
            int32_t k = polytope_side(b, (int32_t)g, a_to_b[a->face_corner[start]],
                                      a_to_b[a->face_corner[start + 1]]);

            found = k >= 0 && b->face_start[g + 1] - b->face_start[g] == length;
            for (int32_t i = 0; found && i < length; i++) {
                int32_t at = b->face_start[g] + (k - b->face_start[g] + i) % length;

                found = a_to_b[a->face_corner[start + i]] == b->face_corner[at];
            }
        }
        if (!found) {
            return false;
        }
    }
    return a->face_count == b->face_count;
}

/* Corner c of a in b, by its coordinates. */
static void match_corners(const perp_polytope *a, const perp_polytope *b, int32_t *a_to_b)
{
    CU_ASSERT_EQUAL_FATAL(a->corner_count, b->corner_count);
    for (size_t c = 0; c < a->corner_count; c++) {
        a_to_b[c] = -1;
        for (size_t d = 0; d < b->corner_count; d++) {
            if (memcmp(a->corner + 3 * c, b->corner + 3 * d, 24) == 0) {
                a_to_b[c] = (int32_t)d;
            }
        }
        CU_ASSERT_FATAL(a_to_b[c] >= 0);
    }
}

TEST(the_order_of_points_changes_only_the_numbers)
{
    perp_random g = {16};

    for (int run = 0; run < 40; run++) {
        double points[3 * 125], mixed[3 * 125];
        int32_t a_to_b[125];
        perp_polytope *a = NULL;
        perp_polytope *b = NULL;

        polyhedron_cloud(&g, run % 2, points);
        memcpy(mixed, points, sizeof mixed);
        for (size_t k = 124; k > 0; k--) {
            size_t l = (size_t)perp_random_uniform(&g, 0.0, (double)k + 1.0);
            double swap[3];

            vec3_copy(swap, mixed + 3 * k);
            vec3_copy(mixed + 3 * k, mixed + 3 * l);
            vec3_copy(mixed + 3 * l, swap);
        }
        a = polytope_of(125, points);
        b = polytope_of(125, mixed);
        match_corners(a, b, a_to_b);
        CU_ASSERT_TRUE(same_faces(a, b, a_to_b));
        polytope_check_order(b, 125, mixed);
    }
}

/* Faces start at their lowest corner and ascend, so that they name themselves. */
TEST(faces_are_numbered_by_their_corners)
{
    perp_random g = {17};
    double points[3 * 125];
    perp_polytope *a = NULL;
    perp_polytope *b = NULL;

    polyhedron_cloud(&g, 1, points);
    a = polytope_of(125, points);
    b = polytope_of(125, points);
    for (size_t f = 0; f < a->face_count; f++) {
        const int32_t *c = a->face_corner + a->face_start[f];

        for (int32_t k = a->face_start[f] + 1; k < a->face_start[f + 1]; k++) {
            CU_ASSERT(a->face_corner[k] > c[0]);
        }
        if (f > 0) {
            const int32_t *d = a->face_corner + a->face_start[f - 1];

            CU_ASSERT(d[0] < c[0] || (d[0] == c[0] && d[1] < c[1]));
        }
    }
    CU_ASSERT_EQUAL(memcmp(a->normal, b->normal, 3 * a->face_count * 8), 0);
    CU_ASSERT_EQUAL(memcmp(a->direction, b->direction, 3 * a->direction_count * 8), 0);
}

TEST(tiny_huge_and_far_hulls_have_the_same_faces)
{
    static const double sizes[] = {1e-6, 1.0, 1e6};
    perp_random g = {18};

    for (int run = 0; run < 30; run++) {
        double points[3 * 125], moved[3 * 125];
        perp_polytope *a = NULL;
        perp_polytope *b = NULL;
        double size = sizes[run / 2 % 3];
        double far = run / 6 % 2 == 0 ? 0.0 : 1e3;
        int32_t a_to_b[125];

        polyhedron_cloud(&g, run % 2, points);
        for (int k = 0; k < 375; k++) {
            moved[k] = far + size * points[k];
        }
        a = polytope_of(125, points);
        b = polytope_of(125, moved);
        CU_ASSERT_EQUAL_FATAL(a->corner_count, b->corner_count);
        for (size_t c = 0; c < a->corner_count; c++) {
            a_to_b[c] = (int32_t)c; /* both in the order of the points */
        }
        CU_ASSERT_TRUE(same_faces(a, b, a_to_b));
        for (size_t f = 0; f < a->face_count; f++) {
            /* of 1e-6 at 1e3 coordinates have seven digits left, of small faces less */
            double share = far > 0.0 && size < 1.0 ? 1e-4 : 1e-9;

            CU_ASSERT_DOUBLE_EQUAL(b->area[f], size * size * a->area[f],
                                   share * size * size);
        }
    }
}

/* A pyramid over a square; `off` [m] lifts one corner of it. */
static perp_polytope *pyramid(double off, bool rounded)
{
    const double q[4] = {0.8, 0.36, -0.48, 0.0};
    double points[15] = {1, 0, 0, 0, 1, 0, -1, 0, 0, 0, -1, 0, 0, 0, 1};

    points[2] = off;
    for (int k = 0; k < 15; k += 3) {
        perp_quat_rotate(q, points + k, points + k);
    }
    for (int k = 0; rounded && k < 15; k++) {
        points[k] = nearbyint(1e7 * points[k]) / 1e7;
    }
    return polytope_of(5, points);
}

/* The square is one face as far as its digits tell: seven where there are no more, and
 * nine in all others, lest a pair of facets that is nearly flat by chance loses its own
 * normals. */
TEST(one_pair_in_a_plane_counts_as_far_as_digits_tell)
{
    static const struct {
        double off;
        bool rounded;
        size_t faces;
    } cases[] = {{0.0, false, 5},   {1e-10, false, 5}, {-5e-8, false, 6},
                 {-1e-6, false, 6}, {0.0, true, 5},    {-1e-5, true, 6}};

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        perp_polytope *h = pyramid(cases[k].off, cases[k].rounded);

        CU_ASSERT_EQUAL(h->face_count, cases[k].faces);
    }
}

static void refused(size_t n, const double *points, const char *text)
{
    perp_polytope *h = NULL;
    perp_error err = {0};

    CU_ASSERT_EQUAL(perp_polytope_new(&h, n, points, &err), PERP_ERR_DATA);
    CU_ASSERT_PTR_NULL(h);
    if (strcmp(err.text, text) != 0) {
        test_note("found    %s", err.text);
        CU_FAIL("the message");
    }
}

TEST(points_without_a_volume_are_refused)
{
    const double same[15] = {1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3};
    const double line[15] = {0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 9, 9, 9};
    const double tetrahedron[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    double flat[15] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0.3, 0.3, 0};
    double spoilt[12];

    refused(3, line, "hull: 3 points, expected at least four");
    refused(0, NULL, "hull: 0 points, expected at least four");
    refused((size_t)1 << 27, line, "hull: 134217728 points are too many"); /* unread */
    refused(5, same, "hull: 5 points span 0, expected from 1e-100 to 1e100 [m]");
    refused(5, line,
            "hull: 5 points lie in one plane, expected points that span a volume");
    refused(5, flat,
            "hull: 5 points lie in one plane, expected points that span a volume");
    flat[14] = 1e-9; /* rounding of a plane of eight digits */
    refused(5, flat,
            "hull: 5 points lie in one plane, expected points that span a volume");
    for (int k = 0; k < 15; k++) {
        flat[k] += 1e9; /* here the last digit is 1e-7 */
    }
    refused(5, flat,
            "hull: 5 points lie in one plane, expected points that span a volume");
    memcpy(spoilt, tetrahedron, sizeof spoilt);
    spoilt[7] = NAN;
    refused(4, spoilt, "hull: point 2 is not finite");
    spoilt[7] = 1e200;
    refused(4, spoilt, "hull: 4 points span 1e+200, expected from 1e-100 to 1e100 [m]");
    for (int k = 0; k < 12; k++) {
        spoilt[k] = 1e-150 * tetrahedron[k];
    }
    refused(4, spoilt, "hull: 4 points span 1e-150, expected from 1e-100 to 1e100 [m]");
}

/* Qhull's own words, which nothing above it lets happen, become one line. */
TEST(qhull_is_heard_in_one_line)
{
    double flat[15] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0.3, 0.3, 0};
    surface facets;
    perp_error err = {0};

    CU_ASSERT_EQUAL(qhull_facets(5, flat, &facets, &err), PERP_ERR_DATA);
    CU_ASSERT_PTR_NULL(facets.start);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "hull: Qhull found no hull of 5 points: QH"));
    CU_ASSERT_PTR_NULL(strchr(err.text, '\n'));
}

static perp_status hull_once(void *context, perp_error *err)
{
    perp_polytope *h = NULL;
    perp_status status = perp_polytope_new(&h, 125, context, err);

    CU_ASSERT_EQUAL(status == PERP_OK, h != NULL);
    return status;
}

TEST(hulls_survive_without_memory_also_in_qhull)
{
    perp_random g = {19};
    double points[3 * 125];

    for (int kind = 0; kind < 2; kind++) {
        qhull_asked = 0;
        polyhedron_cloud(&g, kind, points);
        scarce_everywhere(hull_once, points, "polytope");
        CU_ASSERT(qhull_asked > 0); /* else its memory was not in our hands */
    }
}
