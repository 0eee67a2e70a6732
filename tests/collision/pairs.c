/* SPDX-License-Identifier: Apache-2.0
 * tests/collision/pairs.c: two solids of every kind, in every way that they can stand to
 * each other, by every narrow type that takes them: regimes x pairs of kinds x laws
 * (pairs_laws.h).
 *
 *     PERP_TEST_POSES=N     instead of a regime's own number of poses
 *     PERP_TEST_SEED=S      other draws */
#include <config.h>

#include <stdlib.h>

#include "pairs_laws.h"
#include "poses.h"

typedef struct regime regime;
struct regime {
    const char *name;
    unsigned dimension;
    double size[2]; /* of the solids [m] */
    int poses;      /* of each pair of kinds */
    int same;       /* of the same solids, one after the other */
    void (*stand)(const regime *r, convex *a, convex *b, int pose, perp_random *g);
    bool many; /* answers may be many: laws of one answer do not hold */
    uint64_t seed;
};

/* Edges that are parallel but for 1e-7 cross anywhere within that. */
static const double parallel = 1e-7;
/* Faces that lean by up to 8 degrees are clipped all the same, at the loss of the square
 * of that angle: SAT_FLUSH_LOSS. */
static const double flush = 0.01;
static const double origin[3] = {0};
static const double straight[4] = {1, 0, 0, 0};

static long number(const char *variable, long usual)
{
    const char *text = getenv(variable);

    return text ? strtol(text, NULL, 10) : usual;
}

static int poses_of(const regime *r)
{
    int usual = getenv("PERP_TEST_BRIEF") ? r->poses / 10 + 1 : r->poses;

    return (int)number("PERP_TEST_POSES", usual);
}

/* The direction in which solids are stacked: z, or y in the plane. */
static void up_of(const convex *a, double up[3])
{
    vec3_set(up, 0.0, a->dimension == 2, a->dimension == 3);
}

/* Turned by the vector `turn`, as far as the plane allows. */
static void put_turned(convex *s, const double x[3], const double turn[3])
{
    double flat[3] = {turn[0], turn[1], turn[2]};
    double q[4];

    if (s->dimension == 2) {
        vec3_set(flat, 0.0, 0.0, turn[0] + turn[1] + turn[2]);
    }
    perp_quat_exp(flat, q);
    convex_put(s, x, s->shape.type->unbounded ? straight : q);
}

/* b over a, so that their supporting planes across `up` are a gap apart. */
static void raise(convex *a, convex *b, double gap)
{
    double up[3], x[3];

    up_of(a, up);
    vec3_add(b->at.x, gap - convex_apart(a, b, up), up, x);
    convex_put(b, x, b->turn);
}

static void stand_anyhow(const regime *r, convex *a, convex *b, int pose, perp_random *g)
{
    (void)pose;
    convex_scatter(a, 0.2 * fmin(r->size[0], r->size[1]), g);
    convex_scatter(b, 0.7 * (convex_reach(a) + convex_reach(b)), g);
}

/* Both at the origin or nearly, as they are and turned. */
static void stand_deep(const regime *r, convex *a, convex *b, int pose, perp_random *g)
{
    static const double spread[] = {0.0, 1e-15, 1e-12, 1e-9, 1e-6, 1e-2};

    (void)r;
    convex_put(a, origin, straight);
    convex_scatter(b, spread[pose / 2 % 6], g);
    convex_put(b, b->at.x, pose % 2 ? b->turn : straight);
}

/* b moved by -gap n touches, from apart and from overlap. */
static void stand_touching(const regime *r, convex *a, convex *b, int pose,
                           perp_random *g)
{
    perp_proximity p;
    double known, x[3];

    (void)r;
    (void)pose;
    convex_scatter(a, 0.2, g);
    convex_scatter(b, 0.9, g);
    p = pairs_measure(a, b, NULL);
    vec3_add(b->at.x, -p.gap, p.normal, x);
    known = pairs_tolerance(a, b, &p);
    convex_put(b, x, b->turn);
    p = pairs_measure(a, b, NULL);
    CU_ASSERT(fabs(p.gap) <= known + pairs_tolerance(a, b, &p));
}

/* One above the other, their axes along z but for a small angle. */
static void stand_stacked(const regime *r, convex *a, convex *b, int pose, perp_random *g)
{
    static const double angles[] = {0.0, 1e-13, 1e-10, 1e-7, 3e-5, 1e-3};
    static const double gaps[] = {-1e-2, 0.0, 1e-3};
    const double turn[3] = {0.6 * angles[pose % 6], 0.8 * angles[pose % 6], 0};
    const double aside = pose / 18 % 2 ? 0.1 : 0.0;
    double x[3] = {aside, 0.5 * aside, 0};

    (void)r;
    (void)g;
    convex_put(a, origin, straight);
    put_turned(b, x, turn);
    raise(a, b, gaps[pose / 6 % 3]);
}

/* An eighth of a turn about x below, about y above: ridges cross; and the corner (1, 1,
 * 1) of boxes turned down. */
static void stand_ridged(const regime *r, convex *a, convex *b, int pose, perp_random *g)
{
    static const double ridges[2][3] = {{M_PI / 4, 0, 0}, {0, M_PI / 4, 0}};
    static const double corner[3] = {1.5453, -1.5453, 0}; /* about 2.19 rad */
    const bool crossed = pose / 3 % 2 == 0;
    const double x[3] = {0.03, a->dimension == 2 ? 0.0 : 0.05, 0};

    (void)r;
    (void)g;
    put_turned(a, origin, crossed ? ridges[0] : origin);
    put_turned(b, x, crossed ? ridges[1] : corner);
    raise(a, b, 1e-2 * (pose % 3 - 1));
}

/* The first, a ball, centred on the second's surface or a rounding off it: there the way
 * from the centre to the nearest point has no direction. */
static void stand_centred(const regime *r, convex *a, convex *b, int pose, perp_random *g)
{
    static const double offs[] = {0.0, 1e-16, 1e-15, 1e-14, 1e-12, 1e-9};
    double off = (pose % 2 ? -1.0 : 1.0) * offs[pose / 2 % 6];
    perp_proximity p;
    double x[3];

    (void)r;
    convex_scatter(a, 1.0, g);
    convex_scatter(b, 0.2, g);
    p = pairs_measure(a, b, NULL);
    vec3_add(p.p_b, off, p.normal, x);
    convex_put(a, x, a->turn);
}

/* Boxes of half extents 1/2 and 1, hulls, places on a lattice of 1/2, quarter turns or
 * nearly so: faces and edges touch exactly. */
static void stand_square(const regime *r, convex *a, convex *b, int pose, perp_random *g)
{
    static const double quarter[4][4] = {
        {1, 0, 0, 0}, {1, 1, 0, 0}, {1, 0, 1, 0}, {0.5, 0.5, 0.5, 0.5}};
    convex *const both[2] = {a, b};

    (void)r;
    for (int side = 0; side < 2; side++) {
        convex *s = both[side];
        double x[3] = {0.0, 0.0, 0.0};
        double q[4];

        memcpy(q, quarter[perp_random_integer(g, 0, 3)], sizeof q);
        q[1] += pose % 2 ? perp_random_uniform(g, -1e-7, 1e-7) : 0.0;
        q[3] += pose % 2 ? perp_random_uniform(g, -1e-7, 1e-7) : 0.0;
        if (s->dimension == 2) {
            q[3] += q[1] + q[2];
            q[1] = q[2] = 0.0;
        }
        perp_quat_normalize(q);
        for (unsigned c = 0; c < s->dimension; c++) {
            x[c] = 0.5 * (double)perp_random_integer(g, -1, 1);
            if (s->corner_count == 0) {
                s->shape.size[c] = 0.5 * (double)perp_random_integer(g, 1, 2);
            }
        }
        convex_put(s, x, q);
    }
}

/* Poses of one pair of kinds. */
static void visit(const regime *r, const char *one, const char *two)
{
    perp_random g = {r->seed + 1000 * (uint64_t)number("PERP_TEST_SEED", 0)};
    int poses = poses_of(r);

    for (const char *c = two; *c; c++) { /* other draws for other kinds */
        g.state += 7919 * (uint64_t)(unsigned char)*c + (uint64_t)(unsigned char)one[2];
    }
    for (int first = 0; first < poses; first += r->same) {
        convex a, b;

        convex_draw(&a, one, r->dimension, r->size[0], &g);
        convex_draw(&b, two, r->dimension, r->size[1], &g);
        for (int pose = first; pose < first + r->same && pose < poses; pose++) {
            const size_t mark = test_mark();
            char where[96];

            snprintf(where, sizeof where, "%s, %s and %s in %u-D, pose %d", r->name, one,
                     two, r->dimension, pose);
            r->stand(r, &a, &b, pose, &g);
            pairs_check(&a, &b, where, r->many ? NULL : &g);
            test_release(mark);
        }
        convex_free(&a);
        convex_free(&b);
    }
}

/* Each pair of kinds once, planes with each as well. */
static void campaign(const regime *r)
{
    const char *const *kinds = r->dimension == 2 ? convex_flat_kinds : convex_kinds;

    pairs_begin(0.0, 0.0);
    for (int k = 0; kinds[k]; k++) {
        visit(r, "plane", kinds[k]);
        for (int l = k; kinds[l]; l++) {
            visit(r, kinds[k], kinds[l]);
        }
    }
    if (!r->many) {
        pairs_end(r->name);
    }
}

/* A convex shape of the registry that the reference does not know would not be tried. */
TEST(every_convex_shape_of_the_registry_is_drawn)
{
    size_t count = 0;
    const perp_shape_type *const *types = perp_shape_types(&count);

    for (size_t k = 0; k < count; k++) {
        bool drawn = types[k]->is_mesh || types[k]->has_parts || types[k]->unbounded;

        for (int l = 0; convex_kinds[l]; l++) {
            drawn = drawn || strcmp(convex_kinds[l], types[k]->name) == 0;
        }
        CU_ASSERT(drawn);
    }
}

TEST(solids_that_stand_anyhow_have_their_gap)
{
    campaign(&(regime){"anyhow", 3, {1, 1}, 112, 16, stand_anyhow, false, 100});
    campaign(&(regime){"anyhow", 2, {1, 1}, 112, 16, stand_anyhow, false, 600});
}

/* A micrometre, a thousand kilometres, one ten thousand times as large as the other. */
TEST(sizes_do_not_matter)
{
    campaign(&(regime){"tiny", 3, {1e-6, 1e-6}, 16, 16, stand_anyhow, false, 701});
    campaign(&(regime){"huge", 3, {1e6, 1e6}, 16, 16, stand_anyhow, false, 702});
    campaign(&(regime){"uneven", 3, {1.0, 1e-4}, 16, 16, stand_anyhow, false, 703});
    campaign(&(regime){"uneven", 3, {1e-4, 1.0}, 16, 16, stand_anyhow, false, 704});
}

TEST(centres_that_coincide_have_a_depth)
{
    campaign(&(regime){"deep", 3, {1, 1}, 12, 12, stand_deep, true, 7});
    campaign(&(regime){"deep", 2, {1, 1}, 24, 12, stand_deep, true, 77});
}

TEST(solids_moved_by_their_gap_touch)
{
    campaign(&(regime){"touching", 3, {1, 1}, 8, 1, stand_touching, true, 8});
    campaign(&(regime){"touching", 2, {1, 1}, 24, 1, stand_touching, true, 88});
}

TEST(solids_parallel_or_nearly_have_a_gap)
{
    campaign(&(regime){"stacked", 3, {1, 1}, 36, 36, stand_stacked, true, 9});
    campaign(&(regime){"stacked", 2, {1, 1}, 36, 36, stand_stacked, true, 99});
}

TEST(edges_across_edges_and_corners_on_faces_have_a_gap)
{
    campaign(&(regime){"ridged", 3, {1, 1}, 6, 6, stand_ridged, true, 10});
    campaign(&(regime){"ridged", 2, {1, 1}, 6, 6, stand_ridged, true, 11});
}

TEST(spheres_centred_on_a_surface_have_a_normal)
{
    const regime centred = {"centred", 3, {0.5, 1}, 60, 12, stand_centred, true, 31};
    /* in pose 15 the centre is within the cone by a rounding, where side and base meet */
    const regime rims = {"centred", 3, {0.5, 1}, 60, 12, stand_centred, true, 1031};

    for (int k = 0; convex_kinds[k]; k++) {
        visit(&centred, "sphere", convex_kinds[k]);
    }
    visit(&rims, "sphere", "cone");
}

TEST(boxes_and_hulls_on_a_lattice_have_a_gap)
{
    const regime boxes = {"square", 3, {1, 1}, 800, 4, stand_square, true, 41};
    const regime hulls = {"square", 3, {1, 1}, 240, 4, stand_square, true, 41};
    const regime plane = {"square", 2, {1, 1}, 80, 4, stand_square, true, 43};

    pairs_begin(parallel, flush);
    visit(&boxes, "box", "box");
    visit(&hulls, "box", "hull");
    visit(&hulls, "hull", "hull");
    visit(&plane, "box", "box");
    visit(&plane, "box", "hull");
    visit(&plane, "hull", "hull");
    pairs_end("square");
}

/* Flush, edge on edge, corner on face, nearly parallel, far from 0, sizes of 1e-6 to
 * 1e6. */
TEST(boxes_in_every_hard_pose_have_a_gap)
{
    perp_random g = {101 + 1000 * (uint64_t)number("PERP_TEST_SEED", 0)};
    const regime hard = {.poses = 1050};

    pairs_begin(1e-8, 0.0); /* the root of rounding */
    for (int draw = 0; draw < poses_of(&hard); draw++) {
        const double *h = box_sizes[draw % BOX_SIZES];
        enum pose_kind kind = (enum pose_kind)(draw / BOX_SIZES % POSE_KINDS);
        const size_t mark = test_mark();
        double pose[2][7];
        char where[64];
        perp_proximity p;
        convex a, b;

        snprintf(where, sizeof where, "boxes %d, pose %d of kind %d", draw % BOX_SIZES,
                 draw, (int)kind);
        convex_make(&a, "box", 3, h[0], h[1], h[2]);
        convex_make(&b, "box", 3, h[3], h[4], h[5]);
        draw_pair(&g, kind, h, h + 3, pose[0], pose[1]);
        convex_put(&a, pose[0], pose[0] + 3);
        convex_put(&b, pose[1], pose[1] + 3);
        pairs_check(&a, &b, where, NULL);
        p = pairs_measure(&a, &b, NULL);
        CU_ASSERT(pairs_have_twins(&a, &b, &p));
        test_release(mark);
    }
}
