/* SPDX-License-Identifier: Apache-2.0
 * tests/geometry/bounds.c: bounding volumes: whether two meet, and those around points,
 * against golden values, samples and brute force. */
#include <config.h>

#include <math.h>
#include <stdlib.h>

#include "dynamics.h"
#include "polyhedra.h"
#include "reference.h"
#include "world/world.h"

static void read_box(const json_t *in, const char *tail, perp_obb *box)
{
    char key[3][8];
    double q[4];

    for (int k = 0; k < 3; k++) {
        snprintf(key[k], sizeof key[k], "%c%s", "cqh"[k], tail);
    }
    golden_reals(in, key[0], 3, box->x);
    golden_reals(in, key[1], 4, q);
    golden_reals(in, key[2], 3, box->half);
    perp_quat_normalize(q); /* stored with rounding */
    perp_rotation_matrix(q, box->R);
}

static void check_box(const golden_case *c)
{
    perp_obb box;
    perp_aabb out;

    read_box(c->in, "", &box);
    perp_aabb_of_obb(&box, &out);
    golden_agree(c, "lo", out.lo, 3);
    golden_agree(c, "hi", out.hi, 3);
}

TEST(boxes_around_oriented_boxes_are_the_golden_ones)
{
    golden_each("collision_primitives", "aabb_of_obb", check_box);
}

static void check_overlap(const golden_case *c)
{
    perp_obb a, b;
    bool overlap = json_is_true(json_object_get(c->out, "overlap"));

    read_box(c->in, "_i", &a);
    read_box(c->in, "_j", &b);
    CU_ASSERT_EQUAL(perp_obb_overlap(&a, &b), overlap);
    CU_ASSERT_EQUAL(perp_obb_overlap(&b, &a), overlap);
}

TEST(oriented_boxes_overlap_as_the_golden_ones_do)
{
    golden_each("collision_obb", NULL, check_overlap);
}

static void check_capsules(const golden_case *c)
{
    perp_capsule a, b;
    bool overlap = json_is_true(json_object_get(c->out, "overlap"));

    golden_reals(c->in, "a_i", 3, a.p);
    golden_reals(c->in, "b_i", 3, a.q);
    golden_reals(c->in, "a_j", 3, b.p);
    golden_reals(c->in, "b_j", 3, b.q);
    a.radius = golden_real(c->in, "r_i");
    b.radius = golden_real(c->in, "r_j");
    CU_ASSERT_EQUAL(perp_capsule_overlap(&a, &b), overlap);
    CU_ASSERT_EQUAL(perp_capsule_overlap(&b, &a), overlap);
}

static void check_balls(const golden_case *c)
{
    perp_sphere a, b;

    golden_reals(c->in, "c_i", 3, a.x);
    golden_reals(c->in, "c_j", 3, b.x);
    a.radius = golden_real(c->in, "r_i");
    b.radius = golden_real(c->in, "r_j");
    CU_ASSERT_EQUAL(perp_sphere_overlap(&a, &b),
                    json_is_true(json_object_get(c->out, "overlap")));
}

TEST(balls_and_capsules_overlap_as_the_golden_ones_do)
{
    golden_each("collision_primitives", "sphere_sphere", check_balls);
    golden_each("collision_primitives", "capsule_capsule", check_capsules);
}

static void random_box(perp_random *g, double far, perp_obb *box)
{
    double axes[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

    polyhedron_place(g, 0.0, 1.0, 3, axes);
    for (int k = 0; k < 9; k++) {
        box->R[k] = axes[3 * (k % 3) + k / 3];
    }
    for (int k = 0; k < 3; k++) {
        box->x[k] = perp_random_uniform(g, -far, far);
        box->half[k] = perp_random_uniform(g, 0.1, 1.0);
    }
}

static void box_corners(const perp_obb *box, double points[24])
{
    polyhedron_box(box->half, points);
    for (int k = 0; k < 8; k++) {
        mat3_apply(box->R, points + 3 * k, points + 3 * k);
        vec3_add(points + 3 * k, 1.0, box->x, points + 3 * k);
    }
}

/* A (-) B holds the origin exactly when A and B meet: another way to the same answer. */
TEST(oriented_boxes_agree_with_the_difference_of_their_corners)
{
    perp_random g = {21};
    int met = 0;

    for (int run = 0; run < 400; run++) {
        const double origin[3] = {0.0, 0.0, 0.0};
        perp_obb box[2];
        double corners[2][24];
        perp_polytope *hull[2] = {NULL, NULL};
        perp_polytope *difference = NULL;
        double outside = 0.0;

        for (int k = 0; k < 2; k++) {
            random_box(&g, 0.9, &box[k]);
            box_corners(&box[k], corners[k]);
            OK(perp_polytope_new(&hull[k], 8, corners[k], NULL));
        }
        OK(perp_minkowski_difference(&difference, hull[0], hull[1], NULL));
        outside = perp_polytope_outside(difference, origin);
        met += outside < 0.0;
        /* nearer than planes are merged by nobody knows */
        if (fabs(outside) > 1e-6) {
            CU_ASSERT_EQUAL(perp_obb_overlap(&box[0], &box[1]), outside < 0.0);
        }
    }
    CU_ASSERT(met > 50 && met < 350);
}

/* All of it in numbers without rounding. */
TEST(touching_counts)
{
    const perp_sphere ball[3] = {{{0, 0, 0}, 1}, {{3, 0, 0}, 2}, {{3.001, 0, 0}, 2}};
    const perp_capsule capsule[3] = {{{0, 0, 0}, {0, 0, 4}, 1},
                                     {{2, 0, 1}, {2, 0, 9}, 1},
                                     {{0, -2.001, 2}, {0, -9, 2}, 1}};
    const perp_capsule crossing = {{-3, 2, 2}, {3, 2, 2}, 1};
    const perp_capsule point = {{0, 0, 6}, {0, 0, 6}, 1};
    perp_obb a = {{0, 0, 0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}, {1, 1, 1}};
    perp_obb b = {{2, 2, 2}, {0, -1, 0, 1, 0, 0, 0, 0, 1}, {1, 1, 1}};
    const perp_aabb box[3] = {
        {{0, 0, 0}, {1, 1, 1}}, {{1, 1, 1}, {2, 2, 2}}, {{0, 0, 1.001}, {1, 1, 2}}};

    CU_ASSERT_TRUE(perp_sphere_overlap(&ball[0], &ball[1]));
    CU_ASSERT_FALSE(perp_sphere_overlap(&ball[0], &ball[2]));
    CU_ASSERT_TRUE(perp_capsule_overlap(&capsule[0], &capsule[1])); /* parallel */
    CU_ASSERT_FALSE(perp_capsule_overlap(&capsule[0], &capsule[2]));
    CU_ASSERT_TRUE(perp_capsule_overlap(&capsule[0], &crossing)); /* inner feet */
    CU_ASSERT_TRUE(perp_capsule_overlap(&capsule[0], &point));
    CU_ASSERT_TRUE(perp_capsule_overlap(&point, &point));
    CU_ASSERT_TRUE(perp_obb_overlap(&a, &b)); /* at a corner */
    b.x[1] = 2.001;
    CU_ASSERT_FALSE(perp_obb_overlap(&a, &b));
    CU_ASSERT_TRUE(perp_aabb_overlap(&box[0], &box[1]));
    CU_ASSERT_FALSE(perp_aabb_overlap(&box[0], &box[2]));
}

/* Cubes turned to stand on an edge each, the edges crossed: only the cross of these
 * separates them. */
TEST(crossed_edges_separate_where_no_face_does)
{
    const double s = sqrt(0.5);
    const perp_obb a = {{0, 0, 0}, {1, 0, 0, 0, s, -s, 0, s, s}, {1, 1, 1}};
    perp_obb b = {{0, 0, 2.0 / s * 1.01}, {s, 0, s, 0, 1, 0, -s, 0, s}, {1, 1, 1}};

    CU_ASSERT_FALSE(perp_obb_overlap(&a, &b));
    b.x[2] = 2.0 / s * 0.99;
    CU_ASSERT_TRUE(perp_obb_overlap(&a, &b));
}

/* The least ball has two, three or four of the points on it: try all. */
static double least_ball(size_t n, const double *points);

static bool holds(size_t n, const double *points, const double x[3], double radius)
{
    for (size_t k = 0; k < n; k++) {
        double d[3];

        vec3_subtract(points + 3 * k, x, d);
        if (vec3_length(d) > radius * (1.0 + 1e-9)) { /* those on it */
            return false;
        }
    }
    return true;
}

/* Centre of the ball through p[0..count), in their plane or line; false when flat. */
static bool center_of(const double *const p[4], int count, double x[3])
{
    double d[3][3];
    double m[3][4] = {{0}};
    int n = count - 1;

    for (int i = 0; i < n; i++) {
        vec3_subtract(p[i + 1], p[0], d[i]);
    }
    for (int i = 0; i < n; i++) { /* G w = |d|^2 / 2, x = p0 + sum w d */
        for (int j = 0; j < n; j++) {
            m[i][j] = vec3_dot(d[i], d[j]);
        }
        m[i][n] = 0.5 * m[i][i];
    }
    for (int k = 0; k < n; k++) {
        if (!(m[k][k] > 1e-12)) {
            return false;
        }
        for (int i = 0; i < n; i++) {
            double f = i == k ? 0.0 : m[i][k] / m[k][k];

            for (int j = k; f != 0.0 && j <= n; j++) {
                m[i][j] -= f * m[k][j];
            }
        }
    }
    vec3_copy(x, p[0]);
    for (int i = 0; i < n; i++) {
        vec3_add(x, m[i][n] / m[i][i], d[i], x);
    }
    return true;
}

static void try_ball(size_t n, const double *points, const double *const p[4], int count,
                     double *best)
{
    double x[3], r[3];

    if (center_of(p, count, x)) {
        vec3_subtract(p[0], x, r);
        if (vec3_length(r) < *best && holds(n, points, x, vec3_length(r))) {
            *best = vec3_length(r);
        }
    }
}

static double least_ball(size_t n, const double *points)
{
    double best = INFINITY;

    for (size_t a = 0; a < n; a++) {
        for (size_t b = 0; b < a; b++) {
            const double *p[4] = {points + 3 * a, points + 3 * b};

            try_ball(n, points, p, 2, &best);
            for (size_t c = 0; c < b; c++) {
                p[2] = points + 3 * c;
                try_ball(n, points, p, 3, &best);
                for (size_t e = 0; e < c; e++) {
                    p[3] = points + 3 * e;
                    try_ball(n, points, p, 4, &best);
                }
            }
        }
    }
    return best;
}

static void draw_points(perp_random *g, size_t n, double *points)
{
    for (size_t k = 0; k < n; k++) {
        vec3_set(points + 3 * k, perp_random_uniform(g, -1.0, 1.0),
                 perp_random_uniform(g, -0.5, 0.5), perp_random_uniform(g, -0.2, 0.2));
    }
    polyhedron_place(g, 5.0, 1.0, n, points);
}

TEST(balls_around_points_are_within_five_percent_of_the_least)
{
    perp_random g = {22};
    double points[3 * 16];
    double worst = 1.0;

    for (int run = 0; run < 200; run++) {
        size_t n = 2 + (size_t)(run % 15);
        perp_sphere ball;
        double least = 0.0;

        draw_points(&g, n, points);
        perp_sphere_of_points(n, points, &ball);
        least = least_ball(n, points);
        CU_ASSERT(holds(n, points, ball.x, ball.radius));
        CU_ASSERT(ball.radius >= least * (1.0 - 1e-9)); /* as holds() */
        worst = fmax(worst, ball.radius / least);
    }
    test_note("the worst is %.4f of the least", worst);
    CU_ASSERT(worst <= 1.05); /* promised */
}

static double along(const perp_obb *box, int axis, const double *x)
{
    double d[3];

    vec3_subtract(x, box->x, d);
    return d[0] * box->R[axis] + d[1] * box->R[3 + axis] + d[2] * box->R[6 + axis];
}

static double out_of_capsule(const perp_capsule *c, const double *x)
{
    perp_capsule point = {.radius = 0.0};
    perp_capsule core = *c;
    double low = 0.0;
    double high = 100.0; /* beyond all points */

    vec3_copy(point.p, x);
    vec3_copy(point.q, x);
    for (int k = 0; k < 60; k++) {
        core.radius = 0.5 * (low + high);
        if (perp_capsule_overlap(&core, &point)) {
            high = core.radius;
        } else {
            low = core.radius;
        }
    }
    return high - c->radius;
}

TEST(boxes_and_capsules_around_points_hold_them_tightly)
{
    perp_random g = {23};
    double points[3 * 40];

    for (int run = 0; run < 50; run++) {
        perp_obb box;
        perp_capsule capsule;
        double out = -INFINITY;

        draw_points(&g, 40, points);
        OK(perp_obb_of_points(40, points, &box, NULL));
        OK(perp_capsule_of_points(40, points, &capsule, NULL));
        CU_ASSERT_DOUBLE_EQUAL(mat3_determinant(box.R), 1.0, 1e-12);
        for (int axis = 0; axis < 3; axis++) {
            double low = INFINITY;
            double high = -INFINITY;

            for (int k = 0; k < 40; k++) {
                low = fmin(low, along(&box, axis, points + 3 * k));
                high = fmax(high, along(&box, axis, points + 3 * k));
            }
            CU_ASSERT_DOUBLE_EQUAL(high, box.half[axis], 1e-13); /* coordinates of 6 */
            CU_ASSERT_DOUBLE_EQUAL(low, -box.half[axis], 1e-13);
        }
        /* the flattest side is much shorter than in a box along random axes */
        CU_ASSERT(fmin(fmin(box.half[0], box.half[1]), box.half[2]) < 0.4);
        for (int k = 0; k < 40; k++) {
            out = fmax(out, out_of_capsule(&capsule, points + 3 * k));
        }
        CU_ASSERT_DOUBLE_EQUAL(out, 0.0, 1e-13); /* none outside, one on it */
    }
}

TEST(few_points_have_volumes_too)
{
    const double points[6] = {1, 2, 3, 1, 2, 5};
    perp_sphere ball;
    perp_obb box;
    perp_capsule capsule;
    perp_aabb aabb;

    for (size_t n = 1; n <= 2; n++) {
        double half = n == 1 ? 0.0 : 1.0;

        perp_aabb_of_points(n, points, &aabb);
        CU_ASSERT_EQUAL(aabb.hi[2], 3.0 + 2.0 * half);
        perp_sphere_of_points(n, points, &ball);
        CU_ASSERT_EQUAL(ball.radius, half);
        CU_ASSERT_EQUAL(ball.x[2], 3.0 + half);
        OK(perp_obb_of_points(n, points, &box, NULL));
        CU_ASSERT_DOUBLE_EQUAL(box.half[0] + box.half[1] + box.half[2], half, 1e-15);
        OK(perp_capsule_of_points(n, points, &capsule, NULL));
        CU_ASSERT_DOUBLE_EQUAL(capsule.radius, 0.0, 1e-15);
        CU_ASSERT_DOUBLE_EQUAL(fabs(capsule.p[2] - capsule.q[2]), 2.0 * half, 1e-15);
    }
    perp_aabb_of_points(0, points, &aabb);
    CU_ASSERT(aabb.lo[0] == INFINITY && aabb.hi[0] == -INFINITY);
}

TEST(invalid_points_are_refused)
{
    const double points[3] = {0, NAN, 0};
    perp_obb box;
    perp_error err = {0};

    CU_ASSERT_EQUAL(perp_obb_of_points(1, points, &box, &err), PERP_ERR_DATA);
    CU_ASSERT_STRING_EQUAL(err.text, "box: 1 point, expected at least one, all finite");
    CU_ASSERT_EQUAL(perp_obb_of_points(0, points, &box, NULL), PERP_ERR_DATA);
}
