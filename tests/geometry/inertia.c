/* SPDX-License-Identifier: Apache-2.0
 * tests/geometry/inertia.c: inertia of solids, hulls, meshes and polygons. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dynamics.h"
#include "scarce.h"
#include "world/world.h"

static void check_solid(const golden_case *c)
{
    double I[9] = {0};
    double m = 0.0;
    double half[3];

    if (strcmp(c->type, "capsule_z") == 0) {
        double r = golden_real(c->in, "r");
        double L = golden_real(c->in, "L");

        m = golden_real(c->in, "density") * M_PI * r * r * (L + 4.0 / 3.0 * r);
        golden_agree(c, "m", &m, 1);
        perp_inertia_capsule(m, r, L, I);
    } else {
        m = golden_real(c->in, "m");
    }
    if (strcmp(c->type, "sphere") == 0) {
        perp_inertia_sphere(m, golden_real(c->in, "r"), I);
    } else if (strcmp(c->type, "box") == 0) {
        golden_reals(c->in, "h", 3, half);
        perp_inertia_box(m, half, I);
    } else if (strcmp(c->type, "cylinder_z") == 0) {
        perp_inertia_cylinder(m, golden_real(c->in, "r"), golden_real(c->in, "L"), I);
    }
    golden_agree(c, "I", I, 9);
}

TEST(solids_have_the_golden_inertia)
{
    golden_each("inertia", "sphere", check_solid);
    golden_each("inertia", "box", check_solid);
    golden_each("inertia", "cylinder_z", check_solid);
    golden_each("inertia", "capsule_z", check_solid);
}

static void check_hull(const golden_case *c)
{
    size_t n = golden_count(c->in, "V") / 3;
    double *points = test_alloc(3 * n + 1, sizeof *points);
    double m = 0.0;
    double center[3], I[9];

    golden_reals(c->in, "V", 3 * n, points);
    OK(perp_inertia_hull(golden_real(c->in, "density"), n, points, &m, center, I, NULL));
    golden_agree(c, "m", &m, 1);
    golden_agree(c, "com", center, 3);
    golden_agree(c, "I_com", I, 9);
}

TEST(hulls_have_the_golden_mass_centre_and_inertia)
{
    golden_each("inertia", "hull", check_hull);
}

static void check_shift(const golden_case *c)
{
    double I[9], offset[3], out[9];

    golden_reals(c->in, "I_com", 9, I);
    golden_reals(c->in, "offset", 3, offset);
    perp_inertia_shift(golden_real(c->in, "m"), I, offset, out);
    golden_agree(c, "I_offset", out, 9);
}

TEST(inertia_about_another_point_is_the_golden_one)
{
    golden_each("inertia", "parallel_axis", check_shift);
}

/* Corners of a box, then turned by q and moved by x. */
static void box_points(const double half[3], const double q[4], const double x[3],
                       double points[24])
{
    for (int k = 0; k < 8; k++) {
        const double p[3] = {k & 1 ? half[0] : -half[0], k & 2 ? half[1] : -half[1],
                             k & 4 ? half[2] : -half[2]};

        perp_quat_rotate(q, p, points + 3 * k);
        vec3_add(points + 3 * k, 1.0, x, points + 3 * k);
    }
}

TEST(hull_mesh_and_formula_agree_on_a_turned_box)
{
    /* each face as two triangles, counter-clockwise from outside;
     * bit b of a corner: +-h_b */
    static const int32_t mesh[36] = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5,
                                     0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3,
                                     0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};
    const double half[3] = {0.3, 0.7, 1.1};
    const double x[3] = {5.0, -3.0, 2.0};
    double q[4] = {0.9, -0.2, 0.5, 0.3};
    double points[24], R[9], I[9], expected[9];
    double m = 0.0;
    double center[3];
    double mass = 8.0 * 2.5 * half[0] * half[1] * half[2];

    perp_quat_normalize(q);
    perp_rotation_matrix(q, R);
    box_points(half, q, x, points);
    perp_inertia_box(mass, half, I);
    perp_inertia_rotate(I, R, expected);
    OK(perp_inertia_hull(2.5, 8, points, &m, center, I, NULL));
    /* rounding of coordinates of size 6: 6 * 2^-53 relative to 0.3 */
    test_agree("hull mass", &m, &mass, 1, 1e-13);
    test_agree("hull centre", center, x, 3, 1e-13);
    test_agree("hull inertia", I, expected, 9, 1e-13);
    OK(perp_inertia_mesh(2.5, points, 12, mesh, &m, center, I, NULL));
    test_agree("mesh mass", &m, &mass, 1, 1e-13);
    test_agree("mesh centre", center, x, 3, 1e-13);
    test_agree("mesh inertia", I, expected, 9, 1e-13);
}

/* Whatever the noise between rounding and a thousandth: faces close up, and no point lies
 * farther out than the planes are merged by. The volume tells folds:
 * they would count twice. */
TEST(noise_of_any_size_makes_no_folds)
{
    perp_random g = {17};

    for (int run = 0; run < 300; run++) {
        double noise = pow(10.0, perp_random_uniform(&g, -15.0, -3.0));
        double points[3 * 64];
        double m = 0.0;
        double c[3], I[9];
        perp_error err = {0};

        for (int k = 0; k < 64; k++) { /* a grid of 4 x 4 x 4, three units wide */
            vec3_set(points + 3 * k, k % 4, k / 4 % 4, k / 16);
            for (int d = 0; d < 3; d++) {
                points[3 * k + d] += perp_random_uniform(&g, -noise, noise);
            }
        }
        if (perp_inertia_hull(1.0, 64, points, &m, c, I, &err) != PERP_OK) {
            test_note("noise %g: %s", noise, err.text);
            CU_FAIL_FATAL("a hull");
        }
        /* area 54 times the noise, and merged planes */
        CU_ASSERT_DOUBLE_EQUAL(m, 27.0, 54.0 * noise + 1e-5);
    }
}

TEST(polygons_agree_with_rectangle_disc_and_triangle)
{
    const double rectangle[8] = {1.0, 2.0, 4.0, 2.0, 4.0, 3.0, 1.0, 3.0};
    const double triangle[6] = {0.0, 0.0, 3.0, 0.0, 0.0, 3.0};
    /* an L: 2 x 1 below, 1 x 1 above left; m = 3, centre (5/6, 5/6) */
    const double ell[12] = {0, 0, 2, 0, 2, 1, 1, 1, 1, 2, 0, 2};
    double m = 0.0;
    double c[2];
    double I = 0.0;

    OK(perp_inertia_polygon(2.0, 4, rectangle, &m, c, &I, NULL));
    CU_ASSERT_DOUBLE_EQUAL(m, 6.0, 1e-14);
    CU_ASSERT_DOUBLE_EQUAL(c[0], 2.5, 1e-14);
    CU_ASSERT_DOUBLE_EQUAL(c[1], 2.5, 1e-14);
    CU_ASSERT_DOUBLE_EQUAL(I, perp_inertia_rectangle(6.0, 3.0, 1.0), 1e-13);
    /* right triangle of legs a: I = m a^2/9 about its centre */
    OK(perp_inertia_polygon(1.0, 3, triangle, &m, c, &I, NULL));
    CU_ASSERT_DOUBLE_EQUAL(I, 4.5, 1e-13);
    /* two rectangles: sum of (m (w^2 + h^2)/12 + m d^2) = 2 (5/12 + 5/36) + 1/6 + 5/9 */
    OK(perp_inertia_polygon(1.0, 6, ell, &m, c, &I, NULL));
    CU_ASSERT_DOUBLE_EQUAL(m, 3.0, 1e-14);
    CU_ASSERT_DOUBLE_EQUAL(c[0], 5.0 / 6.0, 1e-14);
    CU_ASSERT_DOUBLE_EQUAL(I, 11.0 / 6.0, 1e-13);
    CU_ASSERT_DOUBLE_EQUAL(perp_inertia_disc(3.0, 2.0), 6.0, 0.0);
}

/* The mean of x^2 over a ball is r^2/5, and stretching scales coordinates one by one. */
TEST(an_ellipsoid_is_a_stretched_ball)
{
    const double semi[3] = {1.0, 2.0, 3.0};
    const double expected[9] = {13 / 5.0, 0, 0, 0, 10 / 5.0, 0, 0, 0, 5 / 5.0};
    double I[9];

    perp_inertia_ellipsoid(1.0, semi, I);
    test_agree("ellipsoid", I, expected, 9, 1e-15);
}

TEST(principal_axes_give_the_inertia_back)
{
    const double half[3] = {0.3, 0.7, 1.1};
    double q[4] = {0.2, -0.2, 0.5, 0.3};
    double D[9], R[9], I[9], moments[3], back[9];

    perp_quat_normalize(q);
    perp_rotation_matrix(q, R);
    perp_inertia_box(2.0, half, D);
    perp_inertia_rotate(D, R, I);
    OK(perp_inertia_principal(I, moments, R, NULL));
    CU_ASSERT(moments[0] <= moments[1] && moments[1] <= moments[2]);
    CU_ASSERT_DOUBLE_EQUAL(moments[2], D[0], 1e-14); /* I_xx is the largest of this box */
    CU_ASSERT_DOUBLE_EQUAL(mat3_determinant(R), 1.0, 1e-14);
    memset(D, 0, sizeof D);
    for (int k = 0; k < 3; k++) {
        D[4 * k] = moments[k];
    }
    perp_inertia_rotate(D, R, back);
    test_agree("back", back, I, 9, 1e-14);
}

static void check_refused(const double I[9], const char *text)
{
    perp_error err = {0};

    CU_ASSERT_EQUAL(perp_inertia_check(I, &err), PERP_ERR_DATA);
    CU_ASSERT_STRING_EQUAL(err.text, text);
}

TEST(matrices_that_are_not_an_inertia_are_refused)
{
    const double rod[9] = {1, 0, 0, 0, 1, 0, 0, 0, 0};
    const double skew[9] = {1, 0.1, 0, -0.1, 1, 0, 0, 0, 1};
    const double wide[9] = {1, 0, 0, 0, 1, 0, 0, 0, 2.1};
    const double nan_one[9] = {1, 0, 0, 0, NAN, 0, 0, 0, 1};
    const double negative[9] = {1, 0, 0, 0, -2, 0, 0, 0, 1};
    const double plate[9] = {1, 0, 0, 0, 1, 0, 0, 0, 2 + 1e-5};
    const double above[9] = {1, 0, 0, 0, 1, 0, 0, 0, 2.0001};
    const double ones[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1}; /* 0, 0, 3 */

    check_refused(
        rod, "inertia: a principal moment is 0, expected a positive number [kg m^2]");
    check_refused(
        negative,
        "inertia: a principal moment is -2, expected a positive number [kg m^2]");
    check_refused(skew, "inertia: not symmetric");
    check_refused(wide, "inertia: principal moments are 1, 1, 2.1, expected each at most "
                        "the sum of the other two");
    check_refused(above,
                  "inertia: principal moments are 1, 1, 2.0001, expected each at most "
                  "the sum of the other two");
    check_refused(
        ones, "inertia: a principal moment is 0, expected a positive number [kg m^2]");
    check_refused(nan_one, "inertia: an entry is not finite");
    OK(perp_inertia_check(plate, NULL));
}

TEST(flat_and_inside_out_solids_are_refused)
{
    const double flat[15] = {0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1, 0.5, 0.3, 1};
    double tetrahedron[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    const int32_t inside_out[12] = {0, 1, 2, 0, 3, 1, 0, 2, 3, 1, 3, 2};
    const double clockwise[6] = {0, 0, 0, 1, 1, 0};
    double m = 0.0;
    double x[9], c[3];
    perp_error err = {0};

    CU_ASSERT_EQUAL(perp_inertia_hull(1.0, 5, flat, &m, c, x, &err), PERP_ERR_DATA);
    CU_ASSERT_STRING_EQUAL(
        err.text, "hull: 5 points lie in one plane, expected points that span a volume");
    perp_error_clear(&err);
    CU_ASSERT_EQUAL(perp_inertia_hull(1.0, 3, flat, &m, c, x, &err), PERP_ERR_DATA);
    CU_ASSERT_STRING_EQUAL(err.text, "hull: 3 points, expected at least four");
    perp_error_clear(&err);
    CU_ASSERT_EQUAL(perp_inertia_mesh(1.0, tetrahedron, 4, inside_out, &m, c, x, &err),
                    PERP_ERR_DATA);
    CU_ASSERT_STRING_EQUAL(err.text,
                           "inertia: volume is -0.166667, expected a positive number "
                           "[m^3]: corners counter-clockwise from outside");
    perp_error_clear(&err);
    CU_ASSERT_EQUAL(perp_inertia_polygon(1.0, 3, clockwise, &m, c, x, &err),
                    PERP_ERR_DATA);
    CU_ASSERT_STRING_EQUAL(err.text, "inertia: area is -0.5, expected a positive number "
                                     "[m^2]: corners counter-clockwise");
    perp_error_clear(&err);
    CU_ASSERT_EQUAL(perp_inertia_polygon(0.0, 3, clockwise, &m, c, x, &err),
                    PERP_ERR_DATA);
    CU_ASSERT_STRING_EQUAL(err.text, "inertia: density is 0, expected a positive number");
    perp_error_clear(&err);
    CU_ASSERT_EQUAL(perp_inertia_polygon(1.0, 2, clockwise, &m, c, x, &err),
                    PERP_ERR_DATA);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "polygon of 2 corners"));
    perp_error_clear(&err);
    CU_ASSERT_EQUAL(perp_inertia_mesh(NAN, tetrahedron, 4, inside_out, &m, c, x, &err),
                    PERP_ERR_DATA);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "density is nan"));
    perp_error_clear(&err);
    tetrahedron[4] = INFINITY;
    CU_ASSERT_EQUAL(perp_inertia_mesh(1.0, tetrahedron, 4, inside_out, &m, c, x, &err),
                    PERP_ERR_DATA);
    CU_ASSERT_STRING_EQUAL(err.text, "inertia: corner 1 is not finite");
}

static perp_status hull_once(void *context, perp_error *err)
{
    const double points[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    double m = 0.0;
    double c[3], I[9];

    (void)context;
    return perp_inertia_hull(1.0, 4, points, &m, c, I, err);
}

TEST(a_hull_survives_without_memory)
{
    scarce_everywhere(hull_once, NULL, "hull");
}
