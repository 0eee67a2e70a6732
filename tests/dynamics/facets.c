/* SPDX-License-Identifier: Apache-2.0
 * tests/dynamics/facets.c: contacts of boxes and hulls with each other. */
#include <config.h>

#include "meetings.h"

static const double origin[3] = {0};

/* A box as a hull of its corners; `room` keeps them. */
static perp_shape hull_of_box(double a, double b, double c, double room[24])
{
    perp_shape s = shape_of("hull", 0, 0, 0);

    for (int k = 0; k < 8; k++) {
        vec3_set(room + 3 * k, k & 1 ? a : -a, k & 2 ? b : -b, k & 4 ? c : -c);
    }
    s.corner_count = 8;
    s.corners = room;
    return s;
}

static bool has_point(const perp_contacts *contacts, double x, double y, double z,
                      double tolerance)
{
    const double want[3] = {x, y, z};
    double d[3];

    for (size_t k = 0; k < contacts->count; k++) {
        vec3_subtract(contacts->at[k].point, want, d);
        if (vec3_length(d) <= tolerance) {
            return true;
        }
    }
    test_note("no contact at (%g, %g, %g)", x, y, z);
    return false;
}

/* A brick of half extents 1, 0.5, 0.25 on its like, at (x, y, 0.5 + gap), turned about z. */
static void brick_on_brick(double x, double y, double gap, double turn, bool hulls,
                           perp_contacts *contacts)
{
    perp_world *world = test_world(3, 0.0);
    double room[24];
    perp_shape brick =
        hulls ? hull_of_box(1.0, 0.5, 0.25, room) : shape_of("box", 1.0, 0.5, 0.25);
    const double r[3] = {x, y, 0.5 + gap};
    const double q[4] = {cos(0.5 * turn), 0, 0, sin(0.5 * turn)};

    put(world, "lower", 0.0, &brick, origin, NULL);
    put(world, "upper", 1.0, &brick, r, q);
    collide(world, 1e-3, contacts);
    for (size_t k = 0; k < contacts->count; k++) {
        CU_ASSERT_DOUBLE_EQUAL(contacts->at[k].normal[2], 1.0, 1e-15);
        /* of heights below 1: rounding */
        CU_ASSERT_DOUBLE_EQUAL(contacts->at[k].gap, gap, 1e-15);
        CU_ASSERT_DOUBLE_EQUAL(contacts->at[k].point[2], 0.25 + 0.5 * gap, 1e-15);
    }
    keys_are_distinct(contacts);
    perp_world_free(world);
}

static void an_aligned_box_stands_on_four_corners(void)
{
    perp_contacts contacts = {0};

    for (int hulls = 0; hulls < 2; hulls++) {
        brick_on_brick(0.0, 0.0, -1e-4, 0.0, hulls, &contacts);
        CU_ASSERT_EQUAL(contacts.count, 4);
        for (int c = 0; c < 4; c++) {
            CU_ASSERT(has_point(&contacts, c & 1 ? 1 : -1, c & 2 ? 0.5 : -0.5,
                                0.25 - 5e-5, 1e-14));
        }
    }
    perp_contacts_clear(&contacts);
}

static void bricks_shifted_touch_at_the_corners_of_their_overlap(void)
{
    /* the last two: by what rounding leaves, and by what it does not */
    const double shifts[][2] = {{1.0, 0.0},  {0.3, 0.2},      {0.0, 0.4},
                                {-1.5, 0.1}, {1e-15, -1e-15}, {1e-7, 1e-7}};
    perp_contacts contacts = {0};

    for (size_t k = 0; k < sizeof shifts / sizeof *shifts; k++) {
        double x = shifts[k][0];
        double y = shifts[k][1];

        for (int hulls = 0; hulls < 2; hulls++) {
            brick_on_brick(x, y, 2e-4, 0.0, hulls, &contacts);
            CU_ASSERT_EQUAL(contacts.count, 4);
            CU_ASSERT(
                has_point(&contacts, fmin(1, 1 + x), fmin(0.5, 0.5 + y), 0.2501, 1e-14));
            CU_ASSERT(
                has_point(&contacts, fmax(-1, x - 1), fmin(0.5, 0.5 + y), 0.2501, 1e-14));
            CU_ASSERT(has_point(&contacts, fmax(-1, x - 1), fmax(-0.5, y - 0.5), 0.2501,
                                1e-14));
        }
    }
    brick_on_brick(2.1, 0.0, 0.0, 0.0, false, &contacts);
    CU_ASSERT_EQUAL(contacts.count, 0);
    perp_contacts_clear(&contacts);
}

static void crossed_bricks_touch_where_their_outlines_cross(void)
{
    perp_contacts contacts = {0};

    brick_on_brick(0.1, 0.2, 0.0, 0.5 * M_PI, false, &contacts);
    CU_ASSERT_EQUAL(contacts.count, 4); /* |x - 0.1| <= 0.5, |y| <= 0.5 */
    for (int c = 0; c < 4; c++) {
        CU_ASSERT(
            has_point(&contacts, c & 1 ? 0.6 : -0.4, c & 2 ? 0.5 : -0.5, 0.25, 1e-14));
    }
    /* a brick turned in its middle by an eighth: its band |x - y| <= sqrt(1/2) and ends
     * |x + y| <= sqrt(2) meet |y| <= 1/2 at four crossings, within |x| <= 1.21: those beyond
     * |x| = 1 are cut there */
    brick_on_brick(0.0, 0.0, 0.0, 0.25 * M_PI, false, &contacts);
    CU_ASSERT_EQUAL(contacts.count, 8);
    CU_ASSERT(has_point(&contacts, sqrt(0.5) - 0.5, -0.5, 0.25, 1e-14));
    CU_ASSERT(has_point(&contacts, 1.0, 1.0 - sqrt(0.5), 0.25, 1e-14));
    CU_ASSERT(has_point(&contacts, 1.0, sqrt(2.0) - 1.0, 0.25, 1e-14));
    CU_ASSERT(has_point(&contacts, sqrt(2.0) - 0.5, 0.5, 0.25, 1e-14));
    perp_contacts_clear(&contacts);
}

static void keys_stay_under_small_motion(void)
{
    perp_contacts before = {0};
    perp_contacts after = {0};
    perp_random g = {3};

    brick_on_brick(0.3, 0.2, -1e-5, 0.2, false, &before);
    for (int draw = 0; draw < 20; draw++) {
        perp_world *world = test_world(3, 0.0);
        perp_shape brick = shape_of("box", 1.0, 0.5, 0.25);
        const double turn[3] = {perp_random_uniform(&g, -1e-6, 1e-6),
                                perp_random_uniform(&g, -1e-6, 1e-6), 0.2};
        double r[3] = {0.3, 0.2, 0.5 - 1e-5};
        double q[4];

        perp_quat_exp(turn, q);
        for (int k = 0; k < 3; k++) {
            r[k] += perp_random_uniform(&g, -1e-6, 1e-6);
        }
        put(world, "lower", 0.0, &brick, origin, NULL);
        put(world, "upper", 1.0, &brick, r, q);
        collide(world, 1e-3, &after);
        CU_ASSERT_EQUAL_FATAL(after.count, before.count);
        for (size_t k = 0; k < after.count; k++) {
            double d[3];

            CU_ASSERT(after.at[k].key == before.at[k].key);
            vec3_subtract(after.at[k].point, before.at[k].point, d);
            /* shift and turn of 1e-6 each at arms of about 1; crossings at an angle of 0.2
             * move five times as far */
            CU_ASSERT(vec3_length(d) <= 3e-5);
        }
        perp_world_free(world);
    }
    perp_contacts_clear(&before);
    perp_contacts_clear(&after);
}

static void a_leaning_card_touches_along_an_edge(void)
{
    const double angles[] = {0.3, 0.25 * M_PI, 1.2};

    for (size_t k = 0; k < sizeof angles / sizeof *angles; k++) {
        perp_world *world = test_world(3, 0.0);
        perp_contacts contacts = {0};
        perp_shape table = shape_of("box", 3.0, 2.0, 0.5);
        perp_shape card = shape_of("box", 0.01, 0.6, 1.0);
        double a = angles[k]; /* from upright, about y */
        const double q[4] = {cos(0.5 * a), 0, sin(0.5 * a), 0};
        /* the lowest edge is at (0.01, y, -1), so 0.01 sin a + cos a below the centre */
        const double r[3] = {0.0, 0.0, 0.5 + 0.01 * sin(a) + cos(a) - 1e-5};
        double x = 0.01 * cos(a) - sin(a);

        put(world, "card", 1.0, &card, r, q);
        put(world, "table", 0.0, &table, origin, NULL);
        collide(world, 1e-4, &contacts);
        CU_ASSERT_EQUAL_FATAL(contacts.count, 2);
        CU_ASSERT(has_point(&contacts, x, 0.6, 0.5 - 5e-6, 1e-14));
        CU_ASSERT(has_point(&contacts, x, -0.6, 0.5 - 5e-6, 1e-14));
        CU_ASSERT_DOUBLE_EQUAL(contacts.at[0].normal[2], -1.0, 1e-15);
        CU_ASSERT_DOUBLE_EQUAL(contacts.at[0].gap, -1e-5, 1e-15);
        CU_ASSERT(contacts.at[0].key != contacts.at[1].key);
        perp_contacts_clear(&contacts);
        perp_world_free(world);
    }
}

/* Two roofs, one along x and one along y, ridge on ridge. */
static void edges_that_cross_touch_once(void)
{
    const double lower[4] = {cos(M_PI / 8), sin(M_PI / 8), 0,
                             0}; /* about x: ridge along x */
    const double upper[4] = {cos(M_PI / 8), 0, sin(M_PI / 8), 0};
    perp_shape box = shape_of("box", 0.5, 0.5, 0.5);
    const double gaps[] = {-1e-3, 0.0, 1e-3};

    for (int k = 0; k < 3; k++) {
        perp_world *world = test_world(3, 0.0);
        perp_contacts contacts = {0};
        const double r[3] = {0.1, 0.2, sqrt(2.0) + gaps[k]};

        put(world, "lower", 0.0, &box, origin, lower);
        put(world, "upper", 1.0, &box, r, upper);
        collide(world, 2e-3, &contacts);
        CU_ASSERT_EQUAL_FATAL(contacts.count, 1);
        CU_ASSERT_DOUBLE_EQUAL(contacts.at[0].gap, gaps[k], 1e-14);
        CU_ASSERT_DOUBLE_EQUAL(contacts.at[0].normal[2], 1.0, 1e-14);
        CU_ASSERT(has_point(&contacts, 0.1, 0.0, sqrt(0.5) + 0.5 * gaps[k], 1e-14));
        perp_contacts_clear(&contacts);
        perp_world_free(world);
    }
}

/* The voussoirs of an arch, prisms of angle 0.3, meet face to face at their four corners. */
static void voussoirs_meet_at_four_corners(void)
{
    const double half = 0.15;
    perp_world *world = test_world(3, 0.0);
    perp_contacts contacts = {0};
    perp_shape prism = shape_of("hull", 0, 0, 0);
    double points[24];

    for (int k = 0; k < 8; k++) {
        double radius = k & 1 ? 2.5 : 2.0;
        double angle = k & 2 ? half : -half;

        vec3_set(points + 3 * k, radius * cos(angle), k & 4 ? 0.5 : -0.5,
                 radius * sin(angle));
    }
    prism.corner_count = 8;
    prism.corners = points;
    for (int k = 0; k < 6; k++) {
        const char name[2] = {(char)('a' + k), 0};
        const double turn[3] = {0, -2.0 * half * k, 0};
        double q[4];

        perp_quat_exp(turn, q);
        put(world, name, 1.0, &prism, origin, q);
    }
    collide(world, 1e-6, &contacts);
    CU_ASSERT_EQUAL(contacts.count, 5 * 4);
    for (size_t k = 0; k < contacts.count; k++) {
        const perp_contact *c = &contacts.at[k];
        double angle = half * (2 * c->i + 1);
        const double n[3] = {-sin(angle), 0, cos(angle)};

        CU_ASSERT_EQUAL(c->j, c->i + 1);
        test_agree("normal", c->normal, n, 3, 1e-14); /* sines and a product or two */
        CU_ASSERT_DOUBLE_EQUAL(c->gap, 0.0, 1e-14);
        CU_ASSERT_DOUBLE_EQUAL(fabs(c->point[1]), 0.5, 1e-14);
    }
    keys_are_distinct(&contacts);
    perp_contacts_clear(&contacts);
    perp_world_free(world);
}

static void rectangles_touch_at_two_points(void)
{
    perp_world *world = test_world(2, 0.0);
    perp_contacts contacts = {0};
    perp_shape box = shape_of("box", 1.0, 0.5, NAN);
    perp_shape disc = shape_of("sphere", 0.25, 0, 0);
    perp_shape floor = shape_of("plane", 0, 0, 0);
    const double below[3] = {0, -0.5, 0};
    const double above[3] = {0.5, 1.0 - 1e-4, 0};
    const double beside[3] = {1.25, 0, 0};

    put(world, "floor", 0.0, &floor, below, NULL);
    put(world, "lower", 1.0, &box, origin, NULL);
    put(world, "upper", 1.0, &box, above, NULL);
    put(world, "disc", 1.0, &disc, beside, NULL);
    collide(world, 1e-3, &contacts);
    CU_ASSERT_EQUAL_FATAL(contacts.count, 5);
    for (size_t k = 0; k < contacts.count; k++) {
        CU_ASSERT_EQUAL(contacts.at[k].normal[2], 0.0);
        CU_ASSERT_EQUAL(contacts.at[k].point[2], 0.0);
        CU_ASSERT_DOUBLE_EQUAL(contacts.at[k].gap, contacts.at[k].j == 2 ? -1e-4 : 0.0,
                               1e-15);
        CU_ASSERT_EQUAL(contacts.at[k].normal[1], contacts.at[k].j == 3 ? 0.0 : 1.0);
    }
    CU_ASSERT(has_point(&contacts, -1.0, -0.5, 0.0, 1e-15));
    CU_ASSERT(has_point(&contacts, 1.0, -0.5, 0.0, 1e-15));
    CU_ASSERT(has_point(&contacts, -0.5, 0.5 - 5e-5, 0.0, 1e-15));
    CU_ASSERT(has_point(&contacts, 1.0, 0.5 - 5e-5, 0.0, 1e-15));
    CU_ASSERT(has_point(&contacts, 1.0, 0.0, 0.0, 1e-15));
    keys_are_distinct(&contacts);
    perp_contacts_clear(&contacts);
    perp_world_free(world);
}

/* Overlap, normal and depth of stored pairs; `depth` bounds that of every contact. */
static void check_pair(const golden_case *c, perp_world *world)
{
    perp_contacts contacts = {0};
    bool overlap = json_is_true(json_object_get(c->out, "overlap"));

    collide(world, 0.0, &contacts);
    if ((contacts.count > 0) != overlap) {
        test_note("%s: %zu contacts", c->name, contacts.count);
    }
    CU_ASSERT_EQUAL_FATAL(contacts.count > 0, overlap);
    if (overlap) {
        golden_agree(c, "normal", deepest(&contacts)->normal, 3);
        CU_ASSERT(-deepest(&contacts)->gap <=
                  golden_real(c->out, "depth") * (1.0 + c->tol));
    }
    perp_contacts_clear(&contacts);
    perp_world_free(world);
}

static void check_boxes(const golden_case *c)
{
    perp_world *world = test_world(3, 0.0);
    perp_shape box = shape_of("box", 0, 0, 0);
    double r[3];
    double q[4];

    golden_reals(c->in, "c_i", 3, r);
    golden_reals(c->in, "q_i", 4, q);
    golden_reals(c->in, "h_i", 3, box.size);
    put(world, "i", 1.0, &box, r, q);
    golden_reals(c->in, "c_j", 3, r);
    golden_reals(c->in, "q_j", 4, q);
    golden_reals(c->in, "h_j", 3, box.size);
    put(world, "j", 1.0, &box, r, q);
    check_pair(c, world);
}

static void check_hulls(const golden_case *c)
{
    perp_world *world = test_world(3, 0.0);
    perp_shape hull = shape_of("hull", 0, 0, 0);
    double points[3 * 64];

    hull.corners = points;
    for (int k = 0; k < 2; k++) {
        const char *key = k ? "B" : "A";

        hull.corner_count = golden_count(c->in, key) / 3;
        CU_ASSERT_FATAL(hull.corner_count <= 64);
        golden_reals(c->in, key, 3 * hull.corner_count, points);
        put(world, key, 1.0, &hull, origin, NULL);
    }
    check_pair(c, world);
}

static void golden_boxes_and_hulls_overlap_as_stored(void)
{
    golden_each("collision_obb", NULL, check_boxes);
    golden_each("collision_hulls", NULL, check_hulls);
}

/* The nearest point of body k, a box of half extents h, to the world point p, in place. */
static void into_box(const perp_world *world, size_t k, const double h[3], double p[3])
{
    vec3_subtract(p, perp_body_pose(world, k), p);
    perp_quat_rotate_back(perp_body_pose(world, k) + 3, p, p);
    for (int c = 0; c < 3; c++) {
        p[c] = fmax(-h[c], fmin(h[c], p[c]));
    }
    perp_world_point(world, k, p, p);
}

/* Projections in turn onto two convex sets converge to points of each at their distance. */
static double distance_by_projections(const perp_world *world, const double h[3],
                                      const double g[3])
{
    double p[3] = {0};
    double q[3];
    double d[3];

    for (int k = 0; k < 4000; k++) {
        vec3_copy(q, p);
        into_box(world, 0, h, q);
        vec3_copy(p, q);
        into_box(world, 1, g, p);
    }
    vec3_subtract(p, q, d);
    return vec3_length(d);
}

static void boxes_touch_just_when_projections_say_so(void)
{
    const double h[3] = {0.5, 0.6, 0.7};
    const double k[3] = {0.3, 0.9, 0.4};
    perp_random g = {17};
    perp_contacts contacts = {0};
    int apart = 0;
    int near = 0;

    for (int draw = 0; draw < 300; draw++) {
        perp_world *world = test_world(3, 0.0);
        perp_shape box = shape_of("box", h[0], h[1], h[2]);
        double r[3];
        double q[4];
        double d = 0.0;

        draw_pose(&g, 0.9, r, q);
        put(world, "a", 1.0, &box, r, q);
        memcpy(box.size, k, sizeof k);
        draw_pose(&g, 0.9, r, q);
        put(world, "b", 1.0, &box, r, q);
        d = distance_by_projections(world, h, k);
        collide(world, 0.1, &contacts);
        if (d > 1e-3) { /* below, 4000 projections may not have arrived */
            apart++;
            near += contacts.count > 0;
            for (size_t c = 0; c < contacts.count; c++) {
                /* faces touch at points of both; one edge on another may bound the
                 * distance of their ends from below */
                CU_ASSERT(contacts.at[c].gap >= (contacts.count > 1 ? d - 1e-6 : 0.0));
            }
        } else if (d < 1e-9) {
            CU_ASSERT(contacts.count > 0 && deepest(&contacts)->gap <= 0.0);
        }
        perp_world_free(world);
    }
    CU_ASSERT(apart > 50 && apart < 250 && near > 5); /* all sides were seen */
    perp_contacts_clear(&contacts);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(an_aligned_box_stands_on_four_corners),
        TEST(bricks_shifted_touch_at_the_corners_of_their_overlap),
        TEST(crossed_bricks_touch_where_their_outlines_cross),
        TEST(keys_stay_under_small_motion),
        TEST(a_leaning_card_touches_along_an_edge),
        TEST(edges_that_cross_touch_once),
        TEST(voussoirs_meet_at_four_corners),
        TEST(rectangles_touch_at_two_points),
        TEST(golden_boxes_and_hulls_overlap_as_stored),
        TEST(boxes_touch_just_when_projections_say_so),
        TEST_END,
    };

    return test_run(argc, argv, "dynamics/facets", cases);
}
