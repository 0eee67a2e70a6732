/* SPDX-License-Identifier: Apache-2.0
 * tests/collision/manifold.c: solids that touch at known points, as a table: how many contacts,
 * and where. Each case holds at several gaps, in both orders, moved, and of boxes also as hulls
 * and as meshes. */
#include <config.h>

#include "surfaces.h"

/* GJK and EPA agree on a gap to this share of sizes of about 1; so are places on faces.
 * On what is round places are off by the root of it times a radius. */
static const double iterated = 1e-9;
#define ROLLED 1e-4
/* Of boxes, places and gaps are exact but for rounding. */
static const double rounding = 1e-12;

typedef struct solid {
    const char *type;
    double size[3];
} solid;

/* Where sides are within rounding of each other triangles meet in more places; the order of
 * crossing beams should not matter, but does. */
enum { ALL_MESHES, UNMOVED_MESHES, NO_MESHES };

/* The solid b at x touches a at the origin, normal +z, at the height z. */
typedef struct touch {
    const char *name;
    solid a, b;
    double z, x[3];   /* the height of b follows from both sizes where it is 0 */
    size_t count;     /* contacts */
    double at[4][2];  /* x and y of some of them; of bricks, all follow from the sizes */
    double turn_b[4]; /* quaternions of any length; 0: unturned */
    double turn_a[4];
    double off;   /* of places across the normal; 0: as of gaps */
    double scale; /* of gaps and of the margin; 0: 1 */
    int meshes;   /* as which boxes are tried */
} touch;

// clang-format off
#define BOX(...)  {"box", {__VA_ARGS__}}
#define DRUM(...) {"cylinder", {__VA_ARGS__}}
#define PILL(...) {"capsule", {__VA_ARGS__}}
#define CONE(...) {"cone", {__VA_ARGS__}}
#define PLANE     {"plane", {0}}
#define BRICK     BOX(1, .5, .25)
#define LYING     {1, 1, 0, 0}
// clang-format on
#define ROOT   .70710678118654752  /* of 1/2 */
#define EIGHTH 2.41421356237309505 /* 1/tan(pi/8): half of an eighth of a turn */

/* clang-format off */
static const touch touches[] = {
    {"a cylinder on its rim on a box", BOX(2, 2, 1), DRUM(.5, .8), 1, {.3, -.2, 1.4}, .count = 24, .at = {{.8, -.2}, {-.2, -.2}, {.3, .3}, {.3, -.7}}},
    /* the 13 corners from 90 to 270 degrees stay, and a point of each side from 75 to 90 degrees */
    {"a cylinder cut at the edge of a box", BOX(2, 2, 1), DRUM(.5, .8), 1, {1.9, 0, 1.4}, .count = 15,
     .at = {{1.4, 0}, {1.9, .5}, {1.9, -.5}, {2, .5 - .1 / .12940952255126037 * (.5 - .48296291314453416)}}},
    {"a lying cylinder cut at the edges of a box", BOX(2, .5, 1), DRUM(.3, 1.6), 1, {.25, 0, 1.3}, .count = 2, .at = {{.25, .5}, {.25, -.5}}, .turn_b = LYING},
    {"a lying capsule cut at the edges of a box", BOX(2, .5, 1), PILL(.3, 1.6), 1, {.25, 0, 1.3}, .count = 2, .at = {{.25, .5}, {.25, -.5}}, .turn_b = LYING},
    {"a lying cylinder on a box", BOX(2, .5, 1), DRUM(.3, .6), 1, {.25, 0, 1.3}, .count = 2, .at = {{.25, .3}, {.25, -.3}}, .turn_b = LYING},
    {"a lying capsule on a box", BOX(2, .5, 1), PILL(.3, .6), 1, {.25, 0, 1.3}, .count = 2, .at = {{.25, .3}, {.25, -.3}}, .turn_b = LYING},
    {"a cylinder along a cylinder", DRUM(.5, 2), DRUM(.25, 1), .5, {0, .75, .75}, .count = 2, .at = {{0, .25}, {0, 1}}, .turn_b = LYING, .turn_a = LYING, .off = ROLLED},
    {"a cylinder along a capsule", PILL(.5, 2), DRUM(.25, 1), .5, {0, .75, .75}, .count = 2, .at = {{0, .25}, {0, 1}}, .turn_b = LYING, .turn_a = LYING, .off = ROLLED},
    {"a capsule along a cylinder", DRUM(.5, 2), PILL(.25, 1), .5, {0, .75, .75}, .count = 2, .at = {{0, .25}, {0, 1}}, .turn_b = LYING, .turn_a = LYING, .off = ROLLED},
    {"a capsule along a capsule", PILL(.5, 2), PILL(.25, 1), .5, {0, .75, .75}, .count = 2, .at = {{0, .25}, {0, 1}}, .turn_b = LYING, .turn_a = LYING, .off = ROLLED},
    {"a cylinder across a cylinder", DRUM(.5, 2), DRUM(.25, 1), .5, {0, .75, .75}, .count = 1, .at = {{0, .75}}, .turn_b = {1, 0, 1, 0}, .turn_a = LYING, .off = ROLLED},
    {"a cylinder across a capsule", PILL(.5, 2), DRUM(.25, 1), .5, {0, .75, .75}, .count = 1, .at = {{0, .75}}, .turn_b = {1, 0, 1, 0}, .turn_a = LYING, .off = ROLLED},
    {"a capsule across a cylinder", DRUM(.5, 2), PILL(.25, 1), .5, {0, .75, .75}, .count = 1, .at = {{0, .75}}, .turn_b = {1, 0, 1, 0}, .turn_a = LYING, .off = ROLLED},
    {"a capsule across a capsule", PILL(.5, 2), PILL(.25, 1), .5, {0, .75, .75}, .count = 1, .at = {{0, .75}}, .turn_b = {1, 0, 1, 0}, .turn_a = LYING, .off = ROLLED},
    {"a cylinder on a cylinder", DRUM(.5, 1), DRUM(.5, 1), .5, {0, 0, 1}, .count = 24, .at = {{.5, 0}}},
    {"a cone on a cylinder", DRUM(.5, 1), CONE(.5, 1), .5, {0, 0, 1}, .count = 24, .at = {{.5, 0}}},
    /* turned by half a side, 7.5 degrees: both polygons cross at all sides */
    {"a cylinder on a cylinder, turned", DRUM(.5, 1), DRUM(.5, 1), .5, {0, 0, 1}, .count = 48, .turn_b = {1, 0, 0, .0655434628152386}},
    {"a cone on a cylinder, turned", DRUM(.5, 1), CONE(.5, 1), .5, {0, 0, 1}, .count = 48, .turn_b = {1, 0, 0, .0655434628152386}},
    /* leaning by angles of rational sine and cosine, beyond 8 degrees: the lowest point */
    {"a cylinder leaning by 11 degrees", BOX(2, 2, 1), DRUM(.5, .8), 1, {0, 0, 1 + (.4 * 99 + .5 * 20) / 101}, .count = 1, .at = {{(.5 * 99 - .4 * 20) / 101, 0}}, .turn_b = {10, 0, 1, 0}, .off = ROLLED},
    {"a cylinder leaning by 23 degrees", BOX(2, 2, 1), DRUM(.5, .8), 1, {0, 0, 1 + (.4 * 12 + .5 * 5) / 13}, .count = 1, .at = {{(.5 * 12 - .4 * 5) / 13, 0}}, .turn_b = {5, 0, 1, 0}, .off = ROLLED},
    {"a cylinder leaning by 53 degrees", BOX(2, 2, 1), DRUM(.5, .8), 1, {0, 0, 1.64}, .count = 1, .at = {{-.02, 0}}, .turn_b = {2, 0, 1, 0}, .off = ROLLED},
    {"a cylinder leaning by 74 degrees", BOX(2, 2, 1), DRUM(.5, .8), 1, {0, 0, 1.592}, .count = 1, .at = {{-.244, 0}}, .turn_b = {4, 0, 3, 0}, .off = ROLLED},
    {"an edge on the end of a cylinder", DRUM(2, 1), BOX(.5, .25, .5), .5, {.2, 0, .5 + ROOT}, .count = 2, .at = {{.2, .25}, {.2, -.25}}, .turn_b = {EIGHTH, 0, 1, 0}},
    {"a cylinder on its rim on a plane", PLANE, DRUM(.5, 1), 0, {0, 0, .5}, .count = 24, .at = {{.5, 0}, {0, .5}, {-.5, 0}, {0, -.5}}},
    {"a lying cylinder on a plane", PLANE, DRUM(.5, 1), 0, {0, 0, .5}, .count = 2, .at = {{0, .5}, {0, -.5}}, .turn_b = LYING},
    {"a lying capsule on a plane", PLANE, PILL(.5, 1), 0, {0, 0, .5}, .count = 2, .at = {{0, .5}, {0, -.5}}, .turn_b = LYING},
    {"a leaning card of 16 degrees", BOX(3, 2, .5), BOX(.01, .6, 1), .5, {0, 0, .5 + .01 * .28 + .96}, .count = 2, .at = {{.01 * .96 - .28, .6}, {.01 * .96 - .28, -.6}}, .turn_b = {7, 0, 1, 0}, .scale = 1e-3},
    {"a leaning card of 37 degrees", BOX(3, 2, .5), BOX(.01, .6, 1), .5, {0, 0, .5 + .01 * .6 + .8}, .count = 2, .at = {{.01 * .8 - .6, .6}, {.01 * .8 - .6, -.6}}, .turn_b = {3, 0, 1, 0}, .scale = 1e-3},
    {"a leaning card of 74 degrees", BOX(3, 2, .5), BOX(.01, .6, 1), .5, {0, 0, .5 + .01 * .96 + .28}, .count = 2, .at = {{.01 * .28 - .96, .6}, {.01 * .28 - .96, -.6}}, .turn_b = {4, 0, 3, 0}, .scale = 1e-3},
    {"edges that cross", BOX(.5, .5, .5), BOX(.5, .5, .5), ROOT, {.1, .2, 2 * ROOT}, .count = 1, .at = {{.1, 0}}, .turn_b = {EIGHTH, 0, 1, 0}, .turn_a = {EIGHTH, 1, 0, 0}, .scale = .1},
    /* the band |x - y| <= sqrt(1/2) of a brick turned by an eighth meets |y| = 1/2, and its ends are cut at |x| = 1 */
    {"a brick turned by an eighth", BRICK, BRICK, .25, {0, 0, .5}, .count = 8, .at = {{ROOT - .5, -.5}, {1, 1 - ROOT}, {1, 2 * ROOT - 1}, {2 * ROOT - .5, .5}}, .turn_b = {EIGHTH, 0, 0, 1}, .scale = .1},
    {"a brick turned by a quarter", BRICK, BRICK, .25, {.1, .2, .5}, .count = 4, .at = {{.6, .5}, {.6, -.5}, {-.4, .5}, {-.4, -.5}}, .turn_b = {1, 0, 0, 1}, .scale = .1},
    {"bricks flush", BRICK, BRICK, .25, {0}, .count = 4},
    {"bricks flush at two sides", BRICK, BRICK, .25, {1}, .count = 4},
    {"bricks with a corner on each", BRICK, BRICK, .25, {.3, .2}, .count = 4},
    {"bricks beside each other along y", BRICK, BRICK, .25, {0, .4}, .count = 4},
    {"bricks that overlap by a quarter", BRICK, BRICK, .25, {-1.5, .1}, .count = 4},
    {"bricks shifted within rounding", BRICK, BRICK, .25, {1e-15, -1e-15}, .count = 4, .meshes = NO_MESHES},
    {"bricks shifted by 1e-7", BRICK, BRICK, .25, {1e-7, 1e-7}, .count = 4, .meshes = NO_MESHES},
    {"bricks apart", BRICK, BRICK, .25, {2.1}, .count = 0},
    {"cubes flush", BOX(.5, .5, .5), BOX(.5, .5, .5), .5, {0}, .count = 4},
    {"cubes flush at two sides", BOX(.5, .5, .5), BOX(.5, .5, .5), .5, {.25}, .count = 4},
    {"cubes with a corner on each", BOX(.5, .5, .5), BOX(.5, .5, .5), .5, {.3, -.2}, .count = 4},
    {"a box within a face", BOX(.5, .5, .5), BOX(.2, .3, .1), .5, {.1, .05}, .count = 4},
    {"a box over a smaller face", BOX(.2, .3, .1), BOX(.5, .5, .5), .1, {.1, .05}, .count = 4},
    {"crossing beams", BOX(1, .1, .1), BOX(.1, 1, .1), .1, {.05, .1}, .count = 4, .meshes = UNMOVED_MESHES},
};
/* clang-format on */

static bool is_brick(const touch *t)
{
    return t->x[2] == 0.0;
}

/* A box as itself, as a hull, as meshes of one and of 4 x 4 squares on each side. */
static perp_shape shape_in_form(const solid *s, int form, double room[24])
{
    const double *e = s->size;

    return form == 0   ? shape_of(s->type, e[0], e[1], e[2])
           : form == 1 ? hull_of_box(e[0], e[1], e[2], room)
                       : surface_shape(surface_box(e[0], e[1], e[2], form == 2 ? 1 : 4));
}

/* The k-th point where they touch; of bricks a corner of the rectangle of both faces. */
static bool touch_point(const touch *t, size_t k, double p[3])
{
    vec3_set(p, t->at[k][0], t->at[k][1], t->z);
    for (int c = 0; is_brick(t) && c < 2; c++) {
        const double *a = t->a.size, *b = t->b.size;

        p[c] = k >> c & 1 ? fmin(a[c], t->x[c] + b[c]) : fmax(-a[c], t->x[c] - b[c]);
    }
    return k < t->count && k < 4 && (is_brick(t) || p[0] != 0.0 || p[1] != 0.0);
}

/* A pose: place, then quaternion. */
static void carry(const double pose[7], const double x[3], double y[3])
{
    perp_quat_rotate(pose + 3, x, y);
    vec3_add(y, 1.0, pose, y);
}

static perp_world *touch_world(const touch *t, const perp_shape shape[2],
                               const double motion[7], bool swapped, double gap)
{
    perp_world *world = test_world(3, 0.0);

    for (int side = 0; side < 2; side++) {
        const int k = swapped ? 1 - side : side;
        double x[3] = {0}, turn[4] = {1, 0, 0, 0}, q[4];

        if (k == 1) {
            vec3_copy(x, t->x);
            x[2] += gap + (is_brick(t) ? t->a.size[2] + t->b.size[2] : 0.0);
        }
        if (vec3_length((k ? t->turn_b : t->turn_a)) > 0.0) {
            memcpy(turn, k ? t->turn_b : t->turn_a, sizeof turn);
        }
        carry(motion, x, x);
        perp_quat_multiply(motion + 3, turn, q);
        put(world, k ? "b" : "a", k, &shape[k], x, q);
    }
    return world;
}

/* As many contacts, of this gap and normal, and one at each of the points. */
static bool has_contacts(const perp_contacts *all, const touch *t, const double motion[7],
                         bool swapped, double gap)
{
    const bool boxes = strcmp(t->a.type, "box") == 0 && strcmp(t->b.type, "box") == 0;
    const double near = boxes ? rounding : iterated;
    const double up[3] = {0.0, 0.0, swapped ? -1.0 : 1.0};
    double n[3], p[3], d[3];
    bool good = all->count == t->count;

    perp_quat_rotate(motion + 3, up, n);
    for (size_t c = 0; c < all->count; c++) {
        good = good && fabs(all->at[c].gap - gap) <= near &&
               vec3_dot(all->at[c].normal, n) >= 1.0 - near;
    }
    for (size_t k = 0; k < 4 && touch_point(t, k, p); k++) {
        size_t found = 0;

        p[2] += 0.5 * gap;
        carry(motion, p, p);
        for (size_t c = 0; c < all->count; c++) {
            vec3_subtract(all->at[c].point, p, d);
            found += fabs(vec3_dot(d, n)) <= near &&
                     vec3_length(d) <= fmax(2.0 * near, t->off);
        }
        good = good && found == 1;
    }
    return good;
}

static const double unmoved[7] = {0, 0, 0, 1, 0, 0, 0};

static void check_touch(const touch *t, const perp_shape shape[2], const double motion[7],
                        bool swapped, double gap)
{
    const double scale = t->scale > 0.0 ? t->scale : 1.0;
    perp_contacts contacts = {0};

    gap *= scale;
    collide(touch_world(t, shape, motion, swapped, gap), 0.02 * scale, &contacts);
    if (!has_contacts(&contacts, t, motion, swapped, gap)) {
        test_note("%s and %s%s%s, gap %g: %zu contacts", shape[0].type->name,
                  shape[1].type->name, motion == unmoved ? "" : ", moved",
                  swapped ? ", swapped" : "", gap, contacts.count);
        for (size_t c = 0; c < contacts.count; c++) {
            const double *p = contacts.at[c].point, *n = contacts.at[c].normal;

            test_note("(%.17g, %.17g, %.17g) normal (%g, %g, %g) gap %.17g", p[0], p[1],
                      p[2], n[0], n[1], n[2], contacts.at[c].gap);
        }
        CU_FAIL("other contacts");
    }
    keys_are_distinct(&contacts);
}

static void run_touch(void)
{
    static const double gaps[] = {-4e-2, -1e-2, -1e-6, 0.0, 1e-6, 1e-2};
    static const int forms[][2] = {{0, 0}, {1, 1}, {2, 3}, {3, 2}};
    const touch *t = &touches[test_number()];
    double moved[7];
    perp_random g = {83};

    draw_pose(&g, 1.0, moved, moved + 3);
    for (int k = 0; k < (is_brick(t) ? 4 : 1); k++) {
        const bool meshes = k >= 2;
        double room[2][24];
        const perp_shape shape[2] = {shape_in_form(&t->a, forms[k][0], room[0]),
                                     shape_in_form(&t->b, forms[k][1], room[1])};

        for (int m = 0; m < 6 * 4 && !(meshes && t->meshes == NO_MESHES); m++) {
            const bool as_it_is = m % 4 == 0, deep = m / 4 == 0;

            /* deep in flush meshes that are turned, rounding takes some contacts for one */
            if (!meshes || as_it_is || (t->meshes == ALL_MESHES && !deep)) {
                check_touch(t, shape, m % 2 ? moved : unmoved, m / 2 % 2, gaps[m / 4]);
            }
        }
    }
}

TEST_SETUP
{
    for (size_t k = 0; k < sizeof touches / sizeof *touches; k++) {
        test_add(__FILE__, touches[k].name, run_touch);
    }
}
