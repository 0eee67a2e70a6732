/* SPDX-License-Identifier: Apache-2.0
 * tests/collision/mpr.c: portal refinement against GJK, EPA and libccd's own GJK, and
 * pairs of convex shapes as a collider meets them. */
#include <config.h>

#include <ccd/ccd.h>
#include <stdlib.h>

#include "collision/query.h"
#include "nearness.h"

static void each_kind(unsigned dimension, int draws,
                      void (*visit)(convex *a, convex *b, perp_random *g))
{
    convex_each_pair(&(convex_draws){dimension, draws, 0.6, 0.6, 79}, visit);
}

static perp_proximity by(void (*measure)(const perp_placed *, const perp_placed *,
                                         const perp_narrow_settings *, perp_proximity *),
                         convex *a, convex *b)
{
    const perp_narrow_settings settings = {.dimension = a->dimension};
    perp_proximity p;

    measure(convex_at(a), convex_at(b), &settings, &p);
    return p;
}

/* Solids as libccd sees them in this test. */
static void farthest(const void *object, const ccd_vec3_t *direction, ccd_vec3_t *point)
{
    const perp_placed *at = object;
    const perp_shape *s = at->shape;
    double d[3], p[3];

    mat3_apply_transposed(at->R, direction->v, d);
    s->type->support(s, d, p);
    vec3_normalize(d);
    vec3_add(p, s->type->radius ? s->type->radius(s) : 0.0, d, p);
    mat3_apply(at->R, p, p);
    vec3_add(p, 1.0, at->x, p);
    ccdVec3Set(point, p[0], p[1], p[2]);
}

static void overlap_pair(convex *a, convex *b, perp_random *g)
{
    perp_proximity p = by(perp_epa, a, b);
    ccd_t ccd;

    (void)g;
    CCD_INIT(&ccd);
    ccd.support1 = ccd.support2 = farthest;
    ccd.max_iterations = 500;
    if (fabs(p.gap) > 1e-3 * convex_reaches(a, b)) { /* its own tolerances are coarse */
        CU_ASSERT_EQUAL(ccdGJKIntersect(convex_at(a), convex_at(b), &ccd) != 0,
                        p.overlap);
    }
}

TEST(overlap_is_that_of_another_gjk)
{
    each_kind(3, 20, overlap_pair);
}

TEST(small_and_large_shapes_are_alike)
{
    const double sizes[] = {1.0, 1e-6, 1e6};

    for (int k = 0; k < 3; k++) {
        convex a, b;
        const double x[3] = {1.2 * sizes[k], 0.3 * sizes[k], -0.2 * sizes[k]};
        perp_proximity p;

        convex_make(&a, "box", 3, sizes[k], sizes[k], sizes[k]);
        convex_make(&b, "ellipsoid", 3, 0.5 * sizes[k], 0.4 * sizes[k], 0.3 * sizes[k]);
        convex_put(&b, x, NULL);
        p = by(perp_mpr, &a, &b);
        CU_ASSERT_STRING_EQUAL(p.ran, "mpr");
        CU_ASSERT_DOUBLE_EQUAL(p.gap / sizes[k], -0.3, 1e-6);
    }
}

TEST(touching_and_concentric_shapes_have_an_answer)
{
    const double at[][3] = {{2, 0, 0}, {2, 2, 0}, {2, 2, 2}, {0, 0, 0}, {2, 0.5, 0.1}};

    for (int k = 0; k < 5; k++) {
        convex a, b;
        perp_proximity p;

        convex_make(&a, "box", 3, 1, 1, 1);
        convex_make(&b, "box", 3, 1, 1, 1);
        convex_put(&b, at[k], NULL);
        p = by(perp_mpr, &a, &b);
        CU_ASSERT(p.converged && p.overlap);
        CU_ASSERT(at[k][0] > 0.0 ? fabs(p.gap) <= 1e-14 : p.gap <= -2.0 + 1e-12);
        CU_ASSERT_DOUBLE_EQUAL(vec3_length(p.normal), 1.0, 1e-14);
    }
}

TEST(nan_and_infinite_input_gives_no_depth)
{
    is_lost_without_numbers(perp_narrow_find("mpr"), "box", 11);
}

/* A cylinder that lies across a cone, met by a type with limited iterations. */
static void meet(const char *type, unsigned iterations, perp_contacts *contacts,
                 contact_query *m)
{
    perp_world *world = test_world(3, 0.0);
    perp_shape cylinder = shape_of("cylinder", 0.5, 2.0, 0);
    perp_shape cone = shape_of("cone", 0.7, 1.5, 0);
    const double low[3] = {0};
    const double high[3] = {0.1, 0.2, 1.0};
    const double q[4] = {sqrt(0.65), 0.5, 0.3, 0.1};
    placed at[2] = {0};
    scratch room = {0};

    put(world, "low", 1.0, &cylinder, low, NULL);
    put(world, "high", 1.0, &cone, high, q);
    for (int k = 0; k < 2; k++) {
        at[k].at.shape = &world->shapes[k];
        at[k].number = (size_t)k;
        at[k].body = k;
        perp_shape_pose(world->start, at[k].at.shape, at[k].at.R, at[k].at.x);
    }
    contacts->count = 0;
    *m = (contact_query){.world = world,
                         .dimension = 3,
                         .settings = {.iterations = iterations},
                         .contacts = contacts,
                         .scratch = &room};
    query_begin(m, &at[0], &at[1]);
    perp_narrow_find(type)->meet(m);
    free(room.at);
}

TEST(an_unresolved_pair_has_a_contact_at_its_bound)
{
    perp_contacts contacts = {0};
    contact_query m;
    double gap = 0.0;

    meet("gjk", 0, &contacts, &m);
    CU_ASSERT(!m.unresolved);
    CU_ASSERT_FATAL(contacts.count > 0);
    gap = deepest(&contacts)->gap;
    CU_ASSERT(gap < -0.1);
    meet("mpr", 0, &contacts, &m);
    CU_ASSERT(
        m.unresolved); /* its normal does not separate the two: the overlap along it is a bound */
    CU_ASSERT(m.who.gap <= gap + 1e-9);
    CU_ASSERT_FATAL(contacts.count > 0);
    meet("gjk", 1, &contacts, &m);
    CU_ASSERT(m.unresolved);
    CU_ASSERT(m.who.gap <= gap + 1e-9);
    CU_ASSERT_PTR_NOT_NULL(m.who.ran);
    CU_ASSERT_FATAL(contacts.count > 0);
}

TEST(no_pair_takes_it_unless_it_is_asked_for)
{
    const perp_shape_type *const *types = perp_shape_types(NULL);
    const perp_narrow_type *mpr = perp_narrow_find("mpr");

    for (size_t a = 0; types[a]; a++) {
        for (size_t b = 0; types[b]; b++) {
            for (unsigned dimension = 2; dimension <= 3; dimension++) {
                CU_ASSERT(perp_narrow_choose(NULL, types[a], types[b], dimension) != mpr);
            }
        }
    }
}
