/* SPDX-License-Identifier: Apache-2.0
 * tests/shapes/shapes.c: shape types, what they weigh, and what a world refuses. */
#include <config.h>

#include "scarce.h"
#include "solids.h"

static const char *const names[] = {"sphere", "box",       "cylinder", "capsule",
                                    "cone",   "ellipsoid", "hull",     "plane",
                                    "mesh",   "compound"};
enum { NAMES = sizeof names / sizeof *names };

TEST(every_shape_is_found_by_its_name)
{
    size_t count = 0;
    const perp_shape_type *const *types = perp_shape_types(&count);

    CU_ASSERT_EQUAL_FATAL(count, NAMES);
    CU_ASSERT_PTR_NULL(types[count]);
    for (size_t k = 0; k < count; k++) {
        CU_ASSERT_STRING_EQUAL(types[k]->name, names[k]);
        CU_ASSERT_PTR_EQUAL(perp_shape_type_find(names[k]), types[k]);
        CU_ASSERT_EQUAL(types[k]->unbounded, !types[k]->inertia);
        for (unsigned s = 0; s < types[k]->sizes; s++) {
            CU_ASSERT_PTR_NOT_NULL(types[k]->size_name[s]);
        }
    }
    CU_ASSERT_PTR_NULL(perp_shape_type_find("torus"));
}

/* The shape is as dense as makes it weigh what the golden one does. */
static void check_weight(const golden_case *c, const perp_shape *s, double density)
{
    double m = 0.0;
    double center[3], inertia[9];

    OK(s->type->inertia(s, density, &m, center, inertia, NULL));
    if (golden_count(c->out, "m") == 1) {
        golden_agree(c, "m", &m, 1);
    } else {
        CU_ASSERT_DOUBLE_EQUAL(m, golden_real(c->in, "m"), 1e-14 * m); /* rounding */
    }
    if (golden_count(c->out, "com") == 3) {
        golden_agree(c, "com", center, 3);
        golden_agree(c, "I_com", inertia, 9);
    } else {
        golden_agree(c, "I", inertia, 9);
        CU_ASSERT(vec3_length(center) == 0.0);
    }
}

static void check_inertia(const golden_case *c)
{
    double x[3 * 64];
    double r = golden_count(c->in, "r") ? golden_real(c->in, "r") : 0.0;

    if (strcmp(c->type, "sphere") == 0) {
        perp_shape s = shape_of("sphere", r, 0.0, 0.0);

        check_weight(c, &s, golden_real(c->in, "m") / (4.0 / 3.0 * M_PI * r * r * r));
    } else if (strcmp(c->type, "box") == 0) {
        golden_reals(c->in, "h", 3, x);
        perp_shape s = shape_of("box", x[0], x[1], x[2]);

        check_weight(c, &s, golden_real(c->in, "m") / (8.0 * x[0] * x[1] * x[2]));
    } else if (strcmp(c->type, "cylinder_z") == 0) {
        double length = golden_real(c->in, "L");
        perp_shape s = shape_of("cylinder", r, length, 0.0);

        check_weight(c, &s, golden_real(c->in, "m") / (M_PI * r * r * length));
    } else if (strcmp(c->type, "capsule_z") == 0) {
        perp_shape s = shape_of("capsule", r, golden_real(c->in, "L"), 0.0);

        check_weight(c, &s, golden_real(c->in, "density"));
    } else if (strcmp(c->type, "hull") == 0) {
        perp_shape s = shape_of("hull", 0.0, 0.0, 0.0);
        size_t count = golden_count(c->in, "V") / 3;

        CU_ASSERT_FATAL(count <= 64);
        golden_reals(c->in, "V", 3 * count, x);
        OK(perp_polytope_new(&s.polytope, count, x, NULL));
        check_weight(c, &s, golden_real(c->in, "density"));
    }
}

TEST(inertia_is_the_golden_one)
{
    golden_each("inertia", NULL, check_inertia);
}

/* Mass, and second moments about the axes, of a grid of cells in the ball of its
 * reach. */
static void check_by_cells(const perp_shape *s, bool flat)
{
    enum { CELLS = 80 };
    double reach = s->type->reach(s);
    double width = 2.0 * reach / CELLS;
    double cell = flat ? width * width : width * width * width;
    double sum[4] = {0.0};
    double m = 0.0;
    double center[3], I[9];

    for (int k = 0; k < CELLS * CELLS * (flat ? 1 : CELLS); k++) {
        const double p[3] = {width * (k % CELLS + 0.5) - reach,
                             width * (k / CELLS % CELLS + 0.5) - reach,
                             flat ? 0.0 : width * (k / CELLS / CELLS + 0.5) - reach};

        if (solid_holds(s, p)) {
            sum[0] += 3.0 * cell;
            sum[1] += 3.0 * cell * (p[1] * p[1] + p[2] * p[2]);
            sum[2] += 3.0 * cell * (p[0] * p[0] + p[2] * p[2]);
            sum[3] += 3.0 * cell * (p[0] * p[0] + p[1] * p[1]);
        }
    }
    CU_ASSERT_EQUAL_FATAL(
        (flat ? s->type->lamina : s->type->inertia)(s, 3.0, &m, center, I, NULL),
        PERP_OK);
    /* cells on the rim: about one in 80 of the width is counted wrongly,
     * mostly both ways */
    CU_ASSERT_DOUBLE_EQUAL(m, sum[0], 0.04 * m);
    for (int k = 0; k < 3; k++) {
        CU_ASSERT_DOUBLE_EQUAL(I[4 * k], sum[k + 1], 0.06 * I[4 * k]);
    }
    OK(perp_inertia_check(I, NULL));
}

TEST(inertia_is_that_of_a_grid_of_cells)
{
    const perp_shape solids[] = {
        shape_of("sphere", 0.7, 0.0, 0.0),    shape_of("box", 0.7, 0.5, 0.9),
        shape_of("cylinder", 0.6, 1.5, 0.0),  shape_of("capsule", 0.5, 1.2, 0.0),
        shape_of("ellipsoid", 0.7, 0.5, 0.9),
    };
    const perp_shape disc = shape_of("sphere", 0.7, 0.0, 0.0);
    const perp_shape rectangle = shape_of("box", 0.7, 0.4, 0.0);

    for (size_t k = 0; k < sizeof solids / sizeof *solids; k++) {
        check_by_cells(&solids[k], false);
    }
    check_by_cells(&disc, true);
    check_by_cells(&rectangle, true);
}

TEST(invalid_shapes_are_refused)
{
    perp_world *world = test_world(3, 0.0);
    perp_shape good = shape_of("box", 1.0, 1.0, 1.0);
    perp_shape s = good;

    test_ball(world, "body", 1.0, 1.0, 0.0, 0.0, 0.0);
    s.size[1] = 0.0;
    shape_is_refused(world, &s, "half y is 0, expected a positive number [m]");
    s.size[1] = NAN;
    shape_is_refused(world, &s, "half y is nan");
    s = good;
    s.type = NULL;
    shape_is_refused(world, &s, "no type");
    s = good;
    s.body = 1;
    shape_is_refused(world, &s, "body is number 1");
    s.body = -1;
    shape_is_refused(world, &s, "body is number -1");
    s = good;
    s.material = 1;
    shape_is_refused(world, &s, "material is number 1");
    s = good;
    s.at[1] = INFINITY;
    shape_is_refused(world, &s, "not finite");
    s = good;
    s.turn[0] = 2.0;
    shape_is_refused(world, &s, "the length of the quaternion is 2");
    OK(perp_world_add_shape(world, &good, NULL, NULL));
}

TEST(invalid_hulls_are_refused)
{
    perp_world *world = test_world(3, 0.0);
    perp_shape s = shape_of("hull", 0.0, 0.0, 0.0);
    double flat[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 2, 1, 0};

    test_ball(world, "body", 1.0, 1.0, 0.0, 0.0, 0.0);
    shape_is_refused(world, &s, "0 corners, expected at least 4");
    s.corners = flat;
    s.corner_count = 3;
    shape_is_refused(world, &s, "3 corners");
    s.corner_count = (size_t)1 << 30; /* unread */
    shape_is_refused(world, &s, "hull: 1073741824 corners are too many");
    s.corner_count = 5;
    shape_is_refused(world, &s, "hull");
    flat[4] = NAN;
    shape_is_refused(world, &s, "corner 1 is not finite");
}

TEST(a_hull_keeps_its_corners_alone)
{
    /* a cube of side 2, its centre, the middles of an edge and of a face */
    double points[] = {0,  0, 0, -1, -1, -1, 1, -1, -1, 0, -1, -1, -1, 1, -1, 1, 1,
                       -1, 0, 0, 1,  -1, -1, 1, 1,  -1, 1, -1, 1,  1,  1, 1,  1};
    perp_world *world = test_world(3, 0.0);
    perp_shape s = shape_of("hull", 0.0, 0.0, 0.0);
    const perp_polytope *hull = NULL;
    int32_t index = -1;

    test_ball(world, "body", 1.0, 1.0, 0.0, 0.0, 0.0);
    s.corners = points;
    s.corner_count = sizeof points / sizeof *points / 3;
    OK(perp_world_add_shape(world, &s, &index, NULL));
    CU_ASSERT_EQUAL_FATAL(index, 0);
    hull = world->shapes[0].polytope;
    CU_ASSERT_EQUAL_FATAL(hull->corner_count, 8);
    CU_ASSERT_EQUAL(hull->face_count, 6);
    CU_ASSERT_EQUAL(hull->face_start[6], 24);
    for (int c = 0; c < 8; c++) {
        CU_ASSERT_DOUBLE_EQUAL(vec3_length(hull->corner + 3 * c), sqrt(3.0),
                               1e-15); /* copies, and one square root */
    }
    for (int k = 0; k < 24; k++) {
        CU_ASSERT(hull->face_corner[k] >= 0 && hull->face_corner[k] < 8);
    }
}

TEST(the_plane_takes_discs_rectangles_and_half_planes)
{
    static const bool takes[NAMES] = {true, true, [7] = true};
    static const char *const refusal[NAMES] = {
        [6] = "0 corners, expected at least 3", [9] = "no parts, expected at least one"};
    perp_world *world = test_world(2, 0.0);
    perp_shape s;
    double I[13]; /* mass, centre, inertia */
    perp_body b = {.name = "body", .mass = 1.0};

    perp_inertia_sphere(1.0, 1.0, b.inertia);
    OK(perp_world_add_body(world, &b, NULL, NULL));
    for (int k = 0; k < NAMES; k++) {
        s = shape_of(names[k], 1.0, 0.5, NAN);
        s.size[2] = strcmp(names[k], "ellipsoid") == 0 ? 1.0 : NAN;
        if (takes[k]) {
            OK(perp_world_add_shape(world, &s, NULL, NULL));
            CU_ASSERT_EQUAL(world->shapes[world->shape_count - 1].size[2], 0.0);
        } else {
            shape_is_refused(world, &s,
                             refusal[k] ? refusal[k] : "not supported in two dimensions");
        }
    }
    s = shape_of("box", 1.0, 1.0, 0.0);
    s.at[2] = 1.0;
    shape_is_refused(world, &s, "out of the plane");
    s.at[2] = 0.0;
    s.turn[0] = s.turn[1] = sqrt(0.5);
    shape_is_refused(world, &s, "out of the plane");
    OK(s.type->lamina(&s, 2.0, I, I + 1, I + 4, NULL));
    CU_ASSERT_DOUBLE_EQUAL(I[0], 8.0, 1e-15); /* of 2 kg/m^2 and 2 m x 2 m */
    CU_ASSERT_DOUBLE_EQUAL(I[12], 8.0 * 2.0 / 3.0, 1e-15 * 8.0);
}

TEST(a_density_must_be_positive)
{
    for (int k = 0; k < 6; k++) { /* those of sizes alone */
        perp_shape s = shape_of(names[k], 1.0, 1.0, 1.0);
        double m = 0.0;
        double x[12];

        CU_ASSERT_EQUAL(s.type->inertia(&s, -1.0, &m, x, x + 3, NULL), PERP_ERR_DATA);
        CU_ASSERT_EQUAL(s.type->inertia(&s, NAN, &m, x, x + 3, NULL), PERP_ERR_DATA);
        s.size[0] = -1.0;
        CU_ASSERT_EQUAL(s.type->inertia(&s, 1.0, &m, x, x + 3, NULL), PERP_ERR_DATA);
    }
}

TEST(a_pose_is_that_of_the_body_then_of_the_shape)
{
    /* a body at (1, 2, 3), turned by a quarter about z; on it at (1, 0, 0) a shape turned
     * by a quarter about x: x = (1, 3, 3), and its axes are y, z, x of the world */
    const double want[9] = {0, 0, 1, 1, 0, 0, 0, 1, 0};
    const double place[3] = {1, 3, 3};
    const double half = sqrt(0.5);
    perp_world *world = test_world(3, 0.0);
    perp_body b = {.name = "b",
                   .motion = PERP_MOTION_STATIC,
                   .r = {1, 2, 3},
                   .q = {half, 0, 0, half}};
    perp_shape s = shape_of("sphere", 1.0, 0.0, 0.0);
    double R[9], x[3];

    OK(perp_world_add_body(world, &b, NULL, NULL));
    s.at[0] = 1.0;
    s.turn[0] = s.turn[1] = half;
    perp_shape_pose(world->start, &s, R, x);
    test_agree("R", R, want, 9, 1e-15); /* a few roundings of numbers <= 1 */
    test_agree("x", x, place, 3, 1e-15);
    memset(s.turn, 0, sizeof s.turn);
    perp_shape_pose(world->start, &s, R, x);
    CU_ASSERT_DOUBLE_EQUAL(R[3], 1.0, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(R[8], 1.0, 1e-15);
}

static perp_status add_hull(void *context, perp_error *err)
{
    double points[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0.1, 0.1, 0.1};
    perp_shape s = {
        .type = perp_shape_type_find("hull"), .corner_count = 5, .corners = points};
    perp_body b = {.name = "b", .motion = PERP_MOTION_STATIC};
    perp_world *world = NULL;
    perp_status status = PERP_OK;

    (void)context;
    status = perp_world_new(&world, 3, err);

    if (status == PERP_OK) {
        status = perp_world_add_body(world, &b, NULL, err);
    }
    if (status == PERP_OK) {
        status = perp_world_add_shape(world, &s, NULL, err);
    }
    return status;
}

TEST(a_hull_survives_failing_memory)
{
    scarce_everywhere(add_hull, NULL, "hull");
}
