/* SPDX-License-Identifier: Apache-2.0
 * tests/dynamics/box_pairs.c: contacts of two boxes: those of the hulls of their corners,
 * as near as the boxes are, the same while they rest. */
#include <config.h>

#include "run.h"
#include "sides.h"

static const double origin[3] = {0};

static void stand(perp_world *world, size_t k, const double pose[7])
{
    memcpy(perp_body_pose(world->start, k), pose, 7 * sizeof *pose);
}

static perp_world *two(const double half[6], bool hulls)
{
    perp_world *world = test_world(3, 0.0);
    double room[24];

    for (int k = 0; k < 2; k++) {
        const double *h = half + 3 * k;
        perp_shape box = hulls ? hull_of_box(h[0], h[1], h[2], room)
                               : shape_of("box", h[0], h[1], h[2]);

        put(world, k ? "b" : "a", 1.0, &box, origin, NULL);
    }
    return world;
}

static bool same_contacts(const perp_contacts *one, const perp_contacts *other,
                          double size)
{
    if (one->count != other->count) {
        test_note("%zu contacts, not %zu", one->count, other->count);
        return false;
    }
    for (size_t k = 0; k < one->count; k++) {
        const perp_contact *c = &one->at[k];
        const perp_contact *d = &other->at[k];
        double shift[3];
        double turn[3];

        vec3_subtract(c->point, d->point, shift);
        vec3_subtract(c->normal, d->normal, turn);
        /* both round differently; crossings at small angles lose up to six digits before
         * they count as parallel */
        if (c->key != d->key || fabs(c->gap - d->gap) > 1e-12 * size ||
            vec3_length(shift) > 1e-9 * size || vec3_length(turn) > 1e-9) {
            test_note("contact %zu: gap %.17g, not %.17g; point off by %g, normal by %g",
                      k, c->gap, d->gap, vec3_length(shift), vec3_length(turn));
            return false;
        }
    }
    return true;
}

TEST(boxes_meet_as_hulls_of_their_corners)
{
    enum { POSES = 10002 };
    perp_random g = {71};
    perp_contacts contacts[2] = {{0}, {0}};
    int draws = POSES / BOX_SIZES / POSE_KINDS + 1;
    size_t touching[POSE_KINDS] = {0};

    for (int s = 0; s < BOX_SIZES; s++) {
        perp_world *worlds[2] = {two(box_sizes[s], false), two(box_sizes[s], true)};
        double size = fmin(vec3_length(box_sizes[s]), vec3_length(box_sizes[s] + 3));
        double both = vec3_length(box_sizes[s]) + vec3_length(box_sizes[s] + 3);

        for (int draw = 0; draw < draws * POSE_KINDS; draw++) {
            enum pose_kind kind = (enum pose_kind)(draw % POSE_KINDS);
            double margin = draw % 5 == 0 ? 0.5 * size : 0.02 * size;
            double a[7];
            double b[7];

            draw_pair(&g, kind, box_sizes[s], box_sizes[s] + 3, a, b);
            for (int k = 0; k < 2; k++) {
                stand(worlds[k], 0, a);
                stand(worlds[k], 1, b);
                collide(worlds[k], margin, &contacts[k]);
            }
            if (!same_contacts(&contacts[0], &contacts[1], both)) {
                test_note("sizes %d, pose %d of kind %d", s, draw, (int)kind);
                CU_FAIL_FATAL("another contact_query");
            }
            touching[kind] += contacts[0].count > 0;
        }
        perp_world_free(worlds[0]);
        perp_world_free(worlds[1]);
    }
    for (int kind = 0; kind < POSE_KINDS; kind++) {
        CU_ASSERT(touching[kind] > 300);
    }
    perp_contacts_clear(&contacts[0]);
    perp_contacts_clear(&contacts[1]);
}

/* The nearest contact of a pair apart against its distance. */
static void check_apart(const perp_contacts *contacts, const perp_proximity *p,
                        double margin, double noise)
{
    const perp_contact *c = NULL;

    if (p->gap > margin) {
        CU_ASSERT_EQUAL(contacts->count, 0);
        return;
    }
    CU_ASSERT_FATAL(contacts->count > 0);
    c = deepest(contacts);
    if (fabs(c->gap - p->gap) > noise || vec3_dot(c->normal, p->normal) < 0.99) {
        test_note("gap %g, not %g; normals at %g", c->gap, p->gap,
                  vec3_dot(c->normal, p->normal));
        CU_FAIL_FATAL("a contact elsewhere");
    }
}

TEST(pairs_apart_have_a_contact_at_their_distance)
{
    perp_random g = {73};
    perp_contacts contacts = {0};
    size_t seen = 0;

    for (int s = 0; s < BOX_SIZES; s++) {
        const double *h = box_sizes[s];
        double least = fmin(vec3_length(h), vec3_length(h + 3));
        double margin = 0.5 * least;
        perp_shape shapes[2] = {shape_of("box", h[0], h[1], h[2]),
                                shape_of("box", h[3], h[4], h[5])};
        perp_world *worlds[2] = {two(h, false), two(h, true)};

        for (int draw = 0; draw < 100 * POSE_KINDS; draw++) {
            double pose[2][7];
            perp_placed a;
            perp_placed b;
            perp_proximity p;

            draw_pair(&g, (enum pose_kind)(draw % POSE_KINDS), h, h + 3, pose[0],
                      pose[1]);
            a = place(&shapes[0], pose[0]);
            b = place(&shapes[1], pose[1]);
            p = near_by("sat", &a, &b, 3);
            /* where noise may choose between a face and an edge: 1e-6 of the reach; then
             * the normal too is that of a face within 8 degrees */
            for (int k = 0; k < 2 && p.gap > 1e-5 * least; k++) {
                stand(worlds[k], 0, pose[0]);
                stand(worlds[k], 1, pose[1]);
                collide(worlds[k], margin, &contacts);
                check_apart(&contacts, &p, margin, 1.01e-6 * least);
                seen += contacts.count > 0;
            }
        }
        perp_world_free(worlds[0]);
        perp_world_free(worlds[1]);
    }
    CU_ASSERT(seen > 1000);
    perp_contacts_clear(&contacts);
}

/* Where the axis is that of the depth, the deepest contact is as deep. */
TEST(pairs_that_overlap_have_a_contact_at_their_depth)
{
    perp_random g = {79};
    perp_contacts contacts = {0};
    size_t overlaps = 0;
    size_t same = 0;

    for (int draw = 0; draw < 1000; draw++) {
        perp_world *world = test_world(3, 0.0);
        perp_shape shapes[2] = {draw_hull(&g, 6 + (size_t)draw % 30, 1.0),
                                shape_of("box", 0.5, 0.4, 0.8)};
        double pose[2][7];
        perp_placed at[2];
        perp_proximity p;

        if (draw % 2) {
            shapes[1].type = shapes[0].type;
            shapes[1].polytope = shapes[0].polytope;
        }
        for (int k = 0; k < 2; k++) {
            draw_pose(&g, 0.9, pose[k], pose[k] + 3);
            at[k] = place(&shapes[k], pose[k]);
            put(world, k ? "b" : "a", 1.0, &shapes[k], pose[k], pose[k] + 3);
        }
        p = near_by("sat", &at[0], &at[1], 3);
        collide(world, 0.0, &contacts);
        if (p.gap < 0.0) {
            double turn = 0.0;

            overlaps++;
            CU_ASSERT_FATAL(contacts.count > 0);
            turn = vec3_dot(deepest(&contacts)->normal, p.normal);
            same += turn >= 1.0 - 1e-9;
            /* faces as good as edges to 1e-6; flush ones to 0.01 of the smaller reach */
            CU_ASSERT_DOUBLE_EQUAL(deepest(&contacts)->gap, p.gap,
                                   turn >= 1.0 - 1e-9 ? 1.01e-6 : 0.01);
        }
        perp_polytope_free(shapes[0].polytope);
        perp_world_free(world);
    }
    CU_ASSERT(overlaps > 300 && same > overlaps * 9 / 10);
    perp_contacts_clear(&contacts);
}

/* A brick on the ground, a larger one beside it with a cube flush on it, and a box turned
 * on that. */
static perp_world *resting(void)
{
    static const double halves[][3] = {
        {0.5, 0.3, 0.2}, {0.4, 0.4, 0.4}, {0.4, 0.4, 0.4}, {0.1, 0.2, 0.3}};
    static const double at[][3] = {
        {2, 1, 0.2}, {0, 0, 0.4}, {0, 0, 1.2}, {0.1, 0.05, 1.9}};
    perp_world *world = test_world(3, 9.81);

    run_ground(world);
    for (int k = 0; k < 4; k++) {
        const char name[2] = {(char)('a' + k), 0};
        int32_t body = run_box(world, name, 1.0, halves[k], at[k][0], at[k][1], at[k][2]);

        if (k == 3) {
            turn_about(0, 0, 1, 0.3, perp_body_pose(world->start, (size_t)body) + 3);
        }
    }
    perp_world_refresh(world, world->start);
    return world;
}

TEST(boxes_at_rest_keep_four_points_with_four_keys)
{
    enum { STEPS = 1000 };
    perp_scheme scheme = run_scheme(1.0 / 100.0);
    perp_contacts first = {0};
    perp_contacts now = {0};
    run r;

    scheme.stabilize = PERP_STABILIZE_BAUMGARTE;
    r = run_begin(resting(), &scheme, "nsgs+newton", true);
    collide(r.world, 1e-4, &first);
    CU_ASSERT_EQUAL(first.count, 16);
    keys_are_distinct(&first);
    for (int step = 0; step < STEPS; step++) {
        run_steps(&r, 1);
        collide(r.world, 1e-4, &now);
        CU_ASSERT_EQUAL_FATAL(now.count, first.count);
        for (size_t k = 0; k < now.count; k++) {
            CU_ASSERT_FATAL(now.at[k].key == first.at[k].key);
        }
    }
    run_end(&r);
    perp_contacts_clear(&first);
    perp_contacts_clear(&now);
}

TEST_MAIN("dynamics/box_pairs")
