/* SPDX-License-Identifier: Apache-2.0
 * tests/collision/rays.c: where rays enter shapes: golden values, points of the ray one by
 * one, and rays that graze. */
#include <config.h>

#include "solids.h"

enum { RAYS = 150, STEPS = 800 };

/* Of rays as long as 20 sizes, whose roots lose half the digits where they graze less
 * than a thousandth. */
static const double near = 1e-10;

/* Against {"hit", "t"} of a golden case. */
static void check_golden(const golden_case *c, const char *what, const perp_placed *s)
{
    const json_t *want = json_object_get(c->out, what);
    double o[3], d[3];
    perp_ray_hit hit;
    bool found = false;

    CU_ASSERT_PTR_NOT_NULL_FATAL(want);
    golden_reals(c->in, "o", 3, o);
    golden_reals(c->in, "d", 3, d);
    found = perp_ray_cast(s, 3, o, d, INFINITY, &hit);
    CU_ASSERT_EQUAL(found, json_is_true(json_object_get(want, "hit")));
    if (found) {
        double t = golden_real(want, "t");

        CU_ASSERT_DOUBLE_EQUAL(hit.t, t, c->tol * fmax(1.0, t));
    }
}

static void check_golden_rays(const golden_case *c)
{
    perp_shape s = shape_of("sphere", golden_real(c->in, "r"), 0.0, 0.0);
    perp_placed placed;
    double a[3], b[3], q[4];

    golden_reals(c->in, "c", 3, a);
    placed = placed_at(&s, a, NULL);
    check_golden(c, "sphere", &placed);
    s = shape_of("box", 0, 0, 0);
    golden_reals(c->in, "h", 3, s.size);
    golden_reals(c->in, "q", 4, q);
    placed = placed_at(&s, a, q);
    check_golden(c, "obb", &placed);
    golden_reals(c->in, "aabb_lo", 3, a);
    golden_reals(c->in, "aabb_hi", 3, b);
    vec3_subtract(b, a, s.size);
    vec3_scale(0.5, s.size, s.size);
    vec3_add(a, 1.0, s.size, a);
    placed = placed_at(&s, a, NULL);
    check_golden(c, "aabb", &placed);
    golden_reals(c->in, "cap_a", 3, a);
    golden_reals(c->in, "cap_b", 3, b);
    vec3_subtract(b, a, b);
    vec3_add(a, 0.5, b, a);
    s = shape_of("capsule", golden_real(c->in, "cap_r"), vec3_normalize(b), 0.0);
    turn_to(b, q);
    placed = placed_at(&s, a, q);
    check_golden(c, "capsule", &placed);
}

TEST(rays_are_the_golden_ones)
{
    golden_each("collision_rays", NULL, check_golden_rays);
}

static bool placed_holds(const perp_placed *s, const double o[3], const double d[3],
                         double t)
{
    double p[3];

    vec3_add(o, t, d, p);
    vec3_subtract(p, s->x, p);
    mat3_apply_transposed(s->R, p, p);
    return solid_holds(s->shape, p);
}

/* The least of STEPS points of the ray that the shape holds, then halved towards the one
 * before; negative: none. */
static double first_inside(const perp_placed *s, const double o[3], const double d[3],
                           double most)
{
    for (int k = 0; k <= STEPS; k++) {
        double in = most * k / STEPS;
        double out = most * (k - 1) / STEPS;

        if (placed_holds(s, o, d, in)) {
            for (int i = 0; i < 60 && k > 0; i++) {
                double middle = 0.5 * (in + out);

                *(placed_holds(s, o, d, middle) ? &in : &out) = middle;
            }
            return in;
        }
    }
    return -1.0;
}

/* The normal is one of a plane that touches the shape at the point: nothing of the shape
 * is farther along it. */
static void check_normal(const perp_placed *s, const perp_ray_hit *hit, const double d[3])
{
    const perp_shape_type *type = s->shape->type;
    double n[3], p[3], far[3];

    CU_ASSERT_DOUBLE_EQUAL(vec3_length(hit->normal), 1.0, 1e-14); /* rounding */
    CU_ASSERT(vec3_dot(hit->normal, d) <= 1e-14);
    mat3_apply_transposed(s->R, hit->normal, n);
    vec3_subtract(hit->point, s->x, p);
    mat3_apply_transposed(s->R, p, p);
    type->support(s->shape, n, far);
    CU_ASSERT_DOUBLE_EQUAL(
        vec3_dot(n, p), vec3_dot(n, far) + (type->radius ? type->radius(s->shape) : 0.0),
        near);
}

static void check_ray(const perp_placed *s, const double o[3], const double d[3],
                      size_t *hits)
{
    double most = 20.0;
    double t = first_inside(s, o, d, most);
    perp_ray_hit hit;
    bool found = perp_ray_cast(s, 3, o, d, most, &hit);

    if (!found) {
        CU_ASSERT(t < 0.0);
        return;
    }
    ++*hits;
    CU_ASSERT(hit.t >= 0.0 && hit.t <= most);
    if (t >= 0.0) {
        CU_ASSERT_DOUBLE_EQUAL(hit.t, t, near);
    } else { /* between two points of the ray: it is on the surface nonetheless */
        CU_ASSERT(!placed_holds(s, o, d, hit.t - 1e-6));
    }
    if (hit.t > 0.0) {
        check_normal(s, &hit, d);
        CU_ASSERT_FALSE(perp_ray_cast(s, 3, o, d, hit.t * (1.0 - 1e-14), &hit));
    } else {
        CU_ASSERT(vec3_dot(hit.normal, d) <= -vec3_length(d) * (1.0 - 1e-14));
    }
}

TEST(rays_enter_where_their_points_do)
{
    perp_shape s[SPECIMENS];
    perp_random g = {21};

    specimens_make(s);
    for (size_t k = 0; k < SPECIMENS; k++) {
        size_t hits = 0;

        for (int c = 0; c < RAYS; c++) {
            double x[3], q[4], o[3], d[3];
            perp_placed placed;

            draw_pose(&g, 2.0, x, q);
            placed = placed_at(&s[k], x, q);
            draw_direction(&g, o);
            vec3_add(x, 3.0 * perp_random_unit(&g), o, o);
            draw_direction(&g, d);
            if (c % 2) { /* at a point near the middle */
                vec3_add(x, 0.2, d, d);
                vec3_subtract(d, o, d);
            }
            check_ray(&placed, o, d, &hits);
        }
        CU_ASSERT(hits > RAYS / 4);
        CU_ASSERT(hits < RAYS);
    }
    specimens_free(s);
}

TEST(the_length_of_a_direction_is_the_unit_of_t)
{
    const double x[3] = {0};
    const double o[3] = {5, 0.1, 0.01};
    const double lengths[] = {1e-200, 1e-3, 7.0, 1e200};
    perp_shape s[SPECIMENS];

    specimens_make(s);
    for (size_t k = 0; k < SPECIMENS; k++) {
        perp_placed placed = placed_at(&s[k], x, NULL);
        perp_ray_hit one, hit;

        CU_ASSERT_FATAL(perp_ray_cast(&placed, 3, o, (double[]){-1, 0, 0}, 9.0, &one));
        for (int c = 0; c < 4; c++) {
            const double d[3] = {-lengths[c], 0, 0};

            CU_ASSERT(perp_ray_cast(&placed, 3, o, d, 9.0 / lengths[c], &hit));
            CU_ASSERT_DOUBLE_EQUAL(hit.t * lengths[c], one.t, 1e-14);
            CU_ASSERT_FALSE(perp_ray_cast(&placed, 3, o, d, 1.0 / lengths[c], &hit));
        }
        CU_ASSERT_FALSE(perp_ray_cast(&placed, 3, o, (double[]){1, 0, 0}, 9.0, &hit));
    }
    specimens_free(s);
}

/* A ray along x from (-9, y, z): where it enters, or that it does not. */
static void along_x(const perp_shape *s, double y, double z, double enters)
{
    const double x[3] = {0};
    const double o[3] = {-9.0, y, z};
    const double d[3] = {1.0, 0.0, 0.0};
    perp_placed placed = placed_at(s, x, NULL);
    perp_ray_hit hit;
    bool found = perp_ray_cast(&placed, 3, o, d, INFINITY, &hit);

    CU_ASSERT_EQUAL(found, !isnan(enters));
    if (found) {
        CU_ASSERT_DOUBLE_EQUAL(hit.point[0], enters, 1e-14);
    } else if (!isnan(enters)) {
        test_note("%s at y = %g, z = %g is missed", s->type->name, y, z);
    }
}

/* All numbers are exact, so that grazing is decided; a billionth farther it misses. */
TEST(rays_that_touch_enter)
{
    const double beyond = 1.0 + 1e-9;
    const perp_shape ball = shape_of("sphere", 1.0, 0, 0);
    const perp_shape box = shape_of("box", 2.0, 1.0, 0.5);
    const perp_shape cylinder = shape_of("cylinder", 1.0, 4.0, 0);
    const perp_shape capsule = shape_of("capsule", 1.0, 4.0, 0);
    const perp_shape cone = shape_of("cone", 1.0, 4.0, 0);
    const perp_shape ellipsoid = shape_of("ellipsoid", 4.0, 2.0, 1.0);

    along_x(&ball, 1.0, 0.0, 0.0);
    along_x(&ball, beyond, 0.0, NAN);
    along_x(&box, 1.0, 0.5, -2.0);
    along_x(&box, -1.0, -0.5, -2.0);
    along_x(&box, beyond, 0.5, NAN);
    along_x(&cylinder, 0.0, 2.0, -1.0);
    along_x(&cylinder, 1.0, 2.0, 0.0);
    along_x(&cylinder, 1.0, 2.0 * beyond, NAN);
    along_x(&cylinder, beyond, 1.0, NAN);
    along_x(&capsule, 1.0, 1.0, 0.0);
    along_x(&capsule, 0.0, 3.0, 0.0);
    along_x(&capsule, 0.0, 3.0 * beyond, NAN);
    along_x(&cone, 0.0, -2.0, -1.0);
    along_x(&cone, 0.0, -2.0 * beyond, NAN);
    along_x(&cone, 0.0, 2.0, 0.0);
    along_x(&cone, 0.0, 2.0 * beyond, NAN);
    along_x(&cone, 0.5, 0.0, 0.0);
    along_x(&ellipsoid, 2.0, 0.0, 0.0);
    along_x(&ellipsoid, 0.0, 0.0, -4.0);
    along_x(&ellipsoid, 2.0 * beyond, 0.0, NAN);
}

/* Rays down the axis of a cone, along its side, and through where the other half of the
 * double cone would be. */
TEST(a_cone_has_one_half)
{
    const perp_shape s = shape_of("cone", 1.0, 2.0, 0);
    const double x[3] = {0};
    const perp_placed cone = placed_at(&s, x, NULL);
    perp_ray_hit hit;

    CU_ASSERT(
        perp_ray_cast(&cone, 3, (double[]){0, 0, 5}, (double[]){0, 0, -1}, 9, &hit));
    CU_ASSERT_DOUBLE_EQUAL(hit.t, 4.0, 1e-15);
    CU_ASSERT(
        perp_ray_cast(&cone, 3, (double[]){0, 0, -5}, (double[]){0, 0, 1}, 9, &hit));
    CU_ASSERT_DOUBLE_EQUAL(hit.t, 4.0, 1e-15);
    CU_ASSERT_EQUAL(hit.normal[2], -1.0);
    CU_ASSERT_FALSE(
        perp_ray_cast(&cone, 3, (double[]){-5, 0, 3}, (double[]){1, 0, 0}, 99, &hit));
    CU_ASSERT_FALSE(
        perp_ray_cast(&cone, 3, (double[]){0, 0, 2}, (double[]){0.1, 0, 1}, 99, &hit));
    /* down the line x = (1 - z)/2 of the side, half a unit within: enters by the tip's
     * other side, x = -(1 - z)/2, at z = 1/2; leaves by the base */
    CU_ASSERT(perp_ray_cast(&cone, 3, (double[]){-1.5, 0, 3}, (double[]){0.5, 0, -1}, 99,
                            &hit));
    CU_ASSERT_DOUBLE_EQUAL(hit.point[2], 0.5, 1e-14);
    CU_ASSERT_DOUBLE_EQUAL(hit.normal[0], -2.0 / sqrt(5.0), 1e-14);
    CU_ASSERT_DOUBLE_EQUAL(hit.normal[2], 1.0 / sqrt(5.0), 1e-14);
}

TEST(a_half_space_is_entered_from_above)
{
    const perp_shape s = shape_of("plane", 0, 0, 0);
    const double x[3] = {0, 0, 1};
    const perp_placed plane = placed_at(&s, x, NULL);
    perp_ray_hit hit;

    CU_ASSERT(
        perp_ray_cast(&plane, 3, (double[]){3, 4, 5}, (double[]){1, 0, -2}, 9, &hit));
    CU_ASSERT_DOUBLE_EQUAL(hit.t, 2.0, 1e-15);
    CU_ASSERT_EQUAL(hit.normal[2], 1.0);
    CU_ASSERT_FALSE(
        perp_ray_cast(&plane, 3, (double[]){3, 4, 5}, (double[]){1, 0, 0}, 99, &hit));
    CU_ASSERT_FALSE(
        perp_ray_cast(&plane, 3, (double[]){3, 4, 5}, (double[]){1, 0, 1}, 99, &hit));
    CU_ASSERT(
        perp_ray_cast(&plane, 3, (double[]){3, 4, 1}, (double[]){0, 2, 0}, 9, &hit));
    CU_ASSERT_EQUAL(hit.t, 0.0);
    CU_ASSERT_EQUAL(hit.normal[1], -1.0);
}

/* In the plane: a disc, a rectangle whose third size is not read, a triangle, y <= 0. */
TEST(rays_of_the_plane_hit_flat_shapes)
{
    const double o[3] = {-5, 0.25, 0};
    const double d[3] = {1, 0, 0};
    const double x[3] = {0};
    const double corners[] = {-1, 0, 0, 1, 0, 0, 0, 1, 0};
    perp_shape s[4] = {shape_of("sphere", 1.25, 0, 0), shape_of("box", 2, 1, NAN),
                       shape_of("hull", 0, 0, 0), shape_of("plane", 0, 0, 0)};
    const double enters[3] = {-sqrt(1.5), -2.0, -0.75};
    perp_ray_hit hit;

    OK(perp_polygon_new(&s[2].polytope, 3, corners, NULL));
    for (int k = 0; k < 4; k++) {
        perp_placed placed = placed_at(&s[k], x, NULL);

        CU_ASSERT_EQUAL(perp_ray_cast(&placed, 2, o, d, 99, &hit), k < 3);
        if (k < 3) {
            CU_ASSERT_DOUBLE_EQUAL(hit.point[0], enters[k], 1e-14);
            CU_ASSERT_EQUAL(hit.normal[2], 0.0);
        } else {
            CU_ASSERT(perp_ray_cast(&placed, 2, o, (double[]){1, -1, 0}, 99, &hit));
            CU_ASSERT_EQUAL(hit.t, 0.25);
            CU_ASSERT_EQUAL(hit.normal[1], 1.0);
        }
    }
}
