/* SPDX-License-Identifier: Apache-2.0
 * tests/dynamics/box_pairs.c: two boxes meet as the hulls of their corners do. */
#include <config.h>

#include "poses.h"

static const double origin[3] = {0};

/* Half extents of two boxes: alike, long, flat, 1e4 times as large, tiny, huge. */
static const double sizes[][6] = {
    {1, 1, 1, 1, 1, 1},
    {1, 0.5, 0.25, 0.3, 0.9, 0.4},
    {2, 2, 0.01, 0.5, 0.5, 0.5},
    {0.02, 0.03, 5, 1, 0.1, 0.7},
    {1e4, 2e4, 1e4, 1, 2, 3},
    {1e-6, 2e-6, 1.5e-6, 1e-6, 1e-6, 3e-6},
    {1e6, 1e6, 2e6, 3e6, 1e6, 1e6},
};

enum { SIZES = sizeof sizes / sizeof *sizes };

static void stand(perp_world *world, size_t k, const double pose[7])
{
    memcpy(perp_body_pose(world, k), pose, 7 * sizeof *pose);
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

static void boxes_meet_as_hulls_of_their_corners(void)
{
    enum { POSES = 10002 };
    perp_random g = {71};
    perp_contacts contacts[2] = {{0}, {0}};
    int draws = POSES / SIZES / POSE_KINDS + 1;
    size_t seen[POSE_KINDS][9] = {{0}};

    for (int s = 0; s < SIZES; s++) {
        perp_world *worlds[2] = {two(sizes[s], false), two(sizes[s], true)};
        double size = fmin(vec3_length(sizes[s]), vec3_length(sizes[s] + 3));
        double both = vec3_length(sizes[s]) + vec3_length(sizes[s] + 3);

        for (int draw = 0; draw < draws * POSE_KINDS; draw++) {
            enum pose_kind kind = (enum pose_kind)(draw % POSE_KINDS);
            double margin = draw % 5 == 0 ? 0.5 * size : 0.02 * size;
            double a[7];
            double b[7];

            draw_pair(&g, kind, sizes[s], sizes[s] + 3, a, b);
            for (int k = 0; k < 2; k++) {
                stand(worlds[k], 0, a);
                stand(worlds[k], 1, b);
                collide(worlds[k], margin, &contacts[k]);
            }
            if (!same_contacts(&contacts[0], &contacts[1], both)) {
                test_note("sizes %d, pose %d of kind %d", s, draw, (int)kind);
                CU_FAIL_FATAL("another meeting");
            }
            seen[kind][contacts[0].count > 8 ? 8 : contacts[0].count]++;
        }
        perp_world_free(worlds[0]);
        perp_world_free(worlds[1]);
    }
    for (int kind = 0; kind < POSE_KINDS; kind++) {
        test_note("kind %d: %zu %zu %zu %zu %zu %zu %zu %zu %zu", kind, seen[kind][0],
                  seen[kind][1], seen[kind][2], seen[kind][3], seen[kind][4],
                  seen[kind][5], seen[kind][6], seen[kind][7], seen[kind][8]);
    }
    perp_contacts_clear(&contacts[0]);
    perp_contacts_clear(&contacts[1]);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(boxes_meet_as_hulls_of_their_corners),
        TEST_END,
    };

    return test_run(argc, argv, "dynamics/box_pairs", cases);
}
