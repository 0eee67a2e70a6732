/* SPDX-License-Identifier: Apache-2.0
 * tests/shapes/supports.c: what of a shape is farthest along a direction, and what of
 * it looks there, against points of its surface. */
#include <config.h>

#include "solids.h"

enum { SAMPLES = 400, DIRECTIONS = 100 };

/* Rounding of products of coordinates below 8 with unit directions. */
static const double rounding = 1e-14;

static double radius_of(const perp_shape *s)
{
    return s->type->radius ? s->type->radius(s) : 0.0;
}

/* Points of the surface, seen evenly from the origin, which all specimens hold. */
static void draw_surface(const perp_shape *s, double p[][3])
{
    static const double origin[3] = {0};
    perp_random g = {11};

    for (int k = 0; k < SAMPLES; k++) {
        double u[3];

        draw_direction(&g, u);
        solid_surface(s, origin, u, p[k]);
    }
}

/* Nothing of the surface is farther along d than the support, and that is of the
 * shape. */
static void check_support(const perp_shape *s, double (*surface)[3], const double d[3])
{
    double p[3], outmost[3];

    s->type->support(s, d, p);
    vec3_add(p, radius_of(s), d, outmost);
    for (int k = 0; k < SAMPLES; k++) {
        CU_ASSERT(vec3_dot(d, surface[k]) <= vec3_dot(d, outmost) + rounding);
    }
    vec3_scale(1.0 - rounding, outmost, outmost); /* towards the origin, inside */
    CU_ASSERT(solid_holds(s, outmost));
}

TEST(nothing_of_a_shape_is_farther_than_its_support)
{
    perp_shape s[SPECIMENS];
    double surface[SAMPLES][3];
    perp_random g = {3};

    specimens_make(s);
    for (size_t k = 0; k < SPECIMENS; k++) {
        draw_surface(&s[k], surface);
        for (int c = 0; c < DIRECTIONS; c++) {
            double d[3];

            draw_direction(&g, d);
            if (c < 3) { /* along an axis */
                vec3_set(d, c == 0, c == 1, c == 2);
            }
            check_support(&s[k], surface, d);
            vec3_scale(-1.0, d, d);
            check_support(&s[k], surface, d);
        }
    }
    specimens_free(s);
}

TEST(the_length_of_a_direction_does_not_matter)
{
    const double lengths[] = {1e-200, 1e-9, 1e9, 1e200};
    perp_shape s[SPECIMENS];
    perp_random g = {4};

    specimens_make(s);
    for (size_t k = 0; k < SPECIMENS; k++) {
        for (int c = 0; c < DIRECTIONS; c++) {
            double d[3], p[3], e[3], q[3];

            draw_direction(&g, d);
            s[k].type->support(&s[k], d, p);
            vec3_scale(lengths[c % 4], d, e);
            s[k].type->support(&s[k], e, q);
            vec3_subtract(p, q, q);
            CU_ASSERT(vec3_length(q) <= rounding);
        }
    }
    specimens_free(s);
}

/* A cube as a hull: where four corners, or two, are equally far, the lowest is taken. */
TEST(of_corners_equally_far_the_lowest_is_taken)
{
    double room[24];
    perp_shape hull = hull_of_box(1.0, 1.0, 1.0, room);
    perp_shape box = shape_of("box", 1.0, 1.0, 1.0);

    OK(perp_polytope_new(&hull.polytope, 8, room, NULL));
    for (int k = 0; k < 27; k++) {
        const double d[3] = {k % 3 - 1.0, k / 3 % 3 - 1.0, k / 9 - 1.0};
        const double *first = NULL;
        double p[3], q[3];

        hull.type->support(&hull, d, p);
        for (size_t c = 0; c < 8; c++) {
            const double *corner = hull.polytope->corner + 3 * c;

            if (!first || vec3_dot(d, corner) > vec3_dot(d, first)) {
                first = corner;
            }
        }
        CU_ASSERT(memcmp(p, first, sizeof p) == 0);
        box.type->support(&box, d, q);
        CU_ASSERT(memcmp(p, q, sizeof p) == 0); /* corners are in the box's order */
    }
}

/* The normal of a polygon by Newell's sums. */
static void newell(const perp_face *f, double n[3])
{
    double term[3];

    vec3_set(n, 0.0, 0.0, 0.0);
    for (size_t k = 0; k < f->count; k++) {
        vec3_cross(f->corner + 3 * k, f->corner + 3 * ((k + 1) % f->count), term);
        vec3_add(n, 1.0, term, n);
    }
    vec3_normalize(n);
}

/* Corners are of the core, with different names; a polygon turns about its normal,
 * in whose plane it is and which looks along d. */
static void check_face(const perp_shape *s, const double d[3], const perp_face *f)
{
    double n[3], p[3];
    double most = -INFINITY;

    CU_ASSERT_FATAL(f->count > 0 && f->count <= PERP_FACE_CORNERS);
    s->type->support(s, d, p);
    for (size_t k = 0; k < f->count; k++) {
        const double *corner = f->corner + 3 * k;
        double in[3];

        most = fmax(most, vec3_dot(d, corner));
        vec3_scale(1.0 - rounding, corner, in);
        CU_ASSERT(solid_holds(s, in));
        for (size_t l = 0; l < k; l++) {
            CU_ASSERT(f->id[l] != f->id[k]);
        }
    }
    CU_ASSERT(most <= vec3_dot(d, p) + rounding);
    if (f->count <= 2) {
        CU_ASSERT(memcmp(f->normal, d, sizeof f->normal) == 0);
    } else {
        newell(f, n);
        vec3_subtract(n, f->normal, n);
        CU_ASSERT(vec3_length(n) <= 1e-12); /* of slivers of a tenth, and rounding */
        CU_ASSERT(vec3_dot(f->normal, d) > 0.5);
        for (size_t k = 0; k < f->count; k++) {
            vec3_subtract(f->corner + 3 * k, f->corner, n);
            CU_ASSERT(fabs(vec3_dot(n, f->normal)) <= rounding);
        }
    }
    if (!s->polytope) { /* of hulls the nearest normal may be of a face elsewhere */
        CU_ASSERT(most >= vec3_dot(d, p) - rounding);
    }
}

TEST(face_points_lie_on_the_surface)
{
    perp_shape s[SPECIMENS];
    perp_random g = {6};

    specimens_make(s);
    for (size_t k = 0; k < SPECIMENS; k++) {
        size_t counts[PERP_FACE_CORNERS + 1] = {0};

        for (int c = 0; c < DIRECTIONS; c++) {
            perp_face f;
            double d[3];

            draw_direction(&g, d);
            s[k].type->face(&s[k], d, &f);
            check_face(&s[k], d, &f);
            counts[f.count]++;
        }
        if (s[k].type->is_polytope) {
            CU_ASSERT(counts[3] + counts[4] > DIRECTIONS / 2);
        }
        if (strcmp(s[k].type->name, "cylinder") == 0) {
            CU_ASSERT(counts[25] > 0);
            CU_ASSERT(counts[2] > 0);
        }
    }
    specimens_free(s);
}

TEST(the_face_of_a_hull_is_that_of_the_nearest_normal)
{
    perp_shape s[SPECIMENS];
    perp_random g = {7};

    specimens_make(s);
    for (int c = 0; c < DIRECTIONS; c++) {
        const perp_polytope *hull = s[SPECIMEN_HULL].polytope;
        double most = -1.0;
        perp_face f;
        double d[3];

        draw_direction(&g, d);
        for (size_t k = 0; k < hull->face_count; k++) {
            most = fmax(most, vec3_dot(d, hull->normal + 3 * k));
        }
        s[SPECIMEN_HULL].type->face(&s[SPECIMEN_HULL], d, &f);
        CU_ASSERT_EQUAL(f.count > 2, most > 0.5);
        if (f.count > 2) {
            CU_ASSERT_DOUBLE_EQUAL(vec3_dot(d, f.normal), most, rounding);
        }
    }
    specimens_free(s);
}

/* A cylinder stands on 24 points fixed to it, and one that leans by 1e-4 and more also on its lowest
 * point, unless that is one of them. */
TEST(a_round_end_keeps_its_names)
{
    const perp_shape s = shape_of("cylinder", 1.0, 2.0, 0.0);
    const double tilts[] = {0.0, 1e-16, 5e-5, 2e-4, 0.3};

    for (size_t k = 0; k < sizeof tilts / sizeof *tilts; k++) {
        for (int c = 0; c < 8; c++) {
            const double turn = 0.7 * c;
            const double d[3] = {sin(tilts[k]) * cos(turn), sin(tilts[k]) * sin(turn),
                                 -cos(tilts[k])};
            const bool leans = tilts[k] > 1e-4;
            const size_t fixed = 24;
            double nearest = INFINITY;
            perp_face f;

            s.type->face(&s, d, &f);
            CU_ASSERT_EQUAL_FATAL(f.count, leans && c > 0 ? fixed + 1 : fixed);
            for (size_t i = 0; i < f.count; i++) {
                const double *p = f.corner + 3 * i;
                const double angle = M_PI / 12 * (f.id[i] - 25.0);
                const double off =
                    hypot(hypot(p[0] - cos(turn), p[1] - sin(turn)), p[2] + 1.0);

                CU_ASSERT(f.id[i] >= 25 && f.id[i] <= 49);
                if (f.id[i] < 49) {
                    CU_ASSERT_DOUBLE_EQUAL(p[0], cos(angle), 1e-15);
                    CU_ASSERT_DOUBLE_EQUAL(p[1], -sin(angle), 1e-15);
                }
                nearest = fmin(nearest, off);
            }
            CU_ASSERT(!leans || nearest <= 1e-12); /* rounding of 1e-16/2e-4 */
        }
    }
}

/* Of a face of 200 corners there are 128, in their order, and they hold all but slivers
 * of it: no gap is longer than two of its sides. */
TEST(a_face_of_many_corners_gives_as_many_as_there_is_room_for)
{
    enum { SIDES = 200 };
    double points[6 * SIDES];
    perp_shape s = shape_of("hull", 0, 0, 0);
    const double up[3] = {0, 0, 1};
    const double side = 2.0 * sin(M_PI / SIDES);
    perp_face f;

    for (int k = 0; k < 2 * SIDES; k++) {
        vec3_set(points + 3 * k, cos(2.0 * M_PI * k / SIDES), sin(2.0 * M_PI * k / SIDES),
                 k < SIDES ? -1.0 : 1.0);
    }
    OK(perp_polytope_new(&s.polytope, 2 * SIDES, points, NULL));
    s.type->face(&s, up, &f);
    CU_ASSERT_EQUAL_FATAL(f.count, PERP_FACE_CORNERS);
    check_face(&s, up, &f);
    for (size_t k = 0; k < f.count; k++) {
        double gap[3];

        vec3_subtract(f.corner + 3 * k, f.corner + 3 * ((k + 1) % f.count), gap);
        CU_ASSERT(vec3_length(gap) <= 2.0 * side);
    }
}

/* A rectangle has sides, -y +x +y -x, counter-clockwise. */
TEST(a_rectangle_looks_by_its_sides)
{
    const perp_shape s = shape_of("box", 2.0, 1.0, 0.0);
    const uint32_t names[4] = {1, 3, 2, 0};
    const double d[4][3] = {{0.1, -1, 0}, {1, 0.1, 0}, {-0.1, 1, 0}, {-1, -0.1, 0}};
    const double from[4][3] = {{-2, -1, 0}, {2, -1, 0}, {2, 1, 0}, {-2, 1, 0}};

    for (int k = 0; k < 4; k++) {
        perp_face f;

        s.type->face(&s, d[k], &f);
        CU_ASSERT_EQUAL(f.count, 2);
        for (int c = 0; c < 6; c++) {
            CU_ASSERT_EQUAL(f.corner[c], from[(k + c / 3) % 4][c % 3]);
        }
        CU_ASSERT_EQUAL(f.id[1], names[k]);
    }
}

/* Of shapes anywhere: points of the surface are within the box, and those farthest along
 * each axis touch it. */
TEST(bounds_are_tight)
{
    perp_shape s[SPECIMENS];
    double surface[SAMPLES][3];
    perp_random g = {8};

    specimens_make(s);
    for (size_t k = 0; k < SPECIMENS; k++) {
        draw_surface(&s[k], surface);
        for (int c = 0; c < DIRECTIONS; c++) {
            double q[4], x[3], R[9];
            perp_aabb box;

            draw_pose(&g, 3.0, x, q);
            if (c == 0) {
                memcpy(q, (double[]){1, 0, 0, 0}, sizeof q);
            }
            perp_rotation_matrix(q, R);
            s[k].type->bounds(&s[k], 3, R, x, &box);
            for (size_t i = 0; i < SAMPLES; i++) {
                double p[3];

                mat3_apply(R, surface[i], p);
                vec3_add(x, 1.0, p, p);
                for (int e = 0; e < 3; e++) {
                    CU_ASSERT(p[e] >= box.lo[e] - rounding);
                    CU_ASSERT(p[e] <= box.hi[e] + rounding);
                }
            }
            for (size_t e = 0; e < 6; e++) { /* the farthest along -x +x -y +y -z +z */
                double up = e % 2 ? 1.0 : -1.0;
                double d[3], p[3];

                vec3_scale(up, R + 3 * (e / 2), d);
                s[k].type->support(&s[k], d, p);
                CU_ASSERT_DOUBLE_EQUAL(x[e / 2] +
                                           up * (vec3_dot(d, p) + radius_of(&s[k])),
                                       e % 2 ? box.hi[e / 2] : box.lo[e / 2], rounding);
            }
        }
    }
    specimens_free(s);
}

TEST(bounds_are_flat_in_the_plane_and_endless_of_a_half_space)
{
    const perp_shape disc = shape_of("sphere", 2.0, 0.0, 0.0);
    const perp_shape brick = shape_of("box", 2.0, 1.0, NAN);
    const perp_shape plane = shape_of("plane", 0.0, 0.0, 0.0);
    const double R[9] = {0.6, -0.8, 0, 0.8, 0.6, 0, 0, 0, 1};
    const double x[3] = {5.0, 7.0, 0.0};
    perp_aabb box;

    disc.type->bounds(&disc, 2, R, x, &box);
    test_agree("lo", box.lo, (double[]){3, 5, 0}, 3, 0.0);
    test_agree("hi", box.hi, (double[]){7, 9, 0}, 3, 0.0);
    brick.type->bounds(&brick, 2, R, x, &box); /* 1.2 + 0.8, 1.6 + 0.6 */
    test_agree("lo", box.lo, (double[]){3, 4.8, 0}, 3, rounding);
    test_agree("hi", box.hi, (double[]){7, 9.2, 0}, 3, rounding);
    for (unsigned dimension = 2; dimension <= 3; dimension++) {
        plane.type->bounds(&plane, dimension, R, x, &box);
        for (unsigned k = 0; k < dimension; k++) {
            CU_ASSERT_EQUAL(box.lo[k], -INFINITY);
            CU_ASSERT_EQUAL(box.hi[k], INFINITY);
        }
    }
}

/* Those of a compound hold those of its parts and touch them; those of a surface hold its
 * points and, where it is not turned, touch them. */
TEST(bounds_of_many_hold_each)
{
    const double none[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double points[] = {0, 0, 0, 1, 0.2, 0.1, 0.3, 1, 0, 0.2, 0.1, 2};
    const int32_t corner[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    perp_shape s[SPECIMENS];
    perp_shape whole = shape_of("compound", 0, 0, 0);
    perp_shape surface = shape_of("mesh", 0, 0, 0);
    perp_random g = {9};
    double q[4], x[3], R[9];
    perp_aabb all = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    perp_aabb box;

    specimens_make(s);
    draw_pose(&g, 3.0, x, q);
    perp_rotation_matrix(q, R);
    for (size_t k = 0; k < SPECIMENS; k++) {
        double turn[9], axes[9], place[3];

        draw_pose(&g, 2.0, s[k].at, s[k].turn);
        perp_rotation_matrix(s[k].turn, turn);
        mat3_multiply(R, turn, axes);
        mat3_apply(R, s[k].at, place);
        vec3_add(x, 1.0, place, place);
        s[k].type->bounds(&s[k], 3, axes, place, &box);
        for (int e = 0; e < 3; e++) {
            all.lo[e] = fmin(all.lo[e], box.lo[e]);
            all.hi[e] = fmax(all.hi[e], box.hi[e]);
        }
    }
    whole.parts = s;
    whole.part_count = SPECIMENS;
    whole.type->bounds(&whole, 3, R, x, &box);
    test_agree("lo", box.lo, all.lo, 3, rounding);
    test_agree("hi", box.hi, all.hi, 3, rounding);
    OK(perp_mesh_new(&surface.mesh, 4, points, 4, corner, NULL));
    surface.type->bounds(&surface, 3, none, x, &box);
    for (int e = 0; e < 3; e++) {
        CU_ASSERT_DOUBLE_EQUAL(box.lo[e], x[e], rounding);
        CU_ASSERT_DOUBLE_EQUAL(box.hi[e], x[e] + (e < 2 ? 1.0 : 2.0), rounding);
    }
    surface.type->bounds(&surface, 3, R, x, &box);
    for (int c = 0; c < 4; c++) {
        double p[3];

        mat3_apply(R, points + 3 * c, p);
        vec3_add(x, 1.0, p, p);
        for (int e = 0; e < 3; e++) {
            CU_ASSERT(p[e] >= box.lo[e] - rounding && p[e] <= box.hi[e] + rounding);
        }
        CU_ASSERT(vec3_length(points + 3 * c) <= surface.type->reach(&surface));
    }
    specimens_free(s);
}
