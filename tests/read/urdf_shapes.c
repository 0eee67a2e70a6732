/* SPDX-License-Identifier: Apache-2.0
 * tests/read/urdf_shapes.c: shapes and meshes of robots, whom they meet, robots as
 * scenes and in reduced coordinates, and a libxml2 that is left as it was. */
#include <config.h>

#include <libxml/parser.h>
#include <libxml/xmlerror.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <perp/dynamics/inertia.h>
#include <perp/dynamics/reduce.h>
#include <perp/dynamics/rotation.h>

#include "robots.h"
#include "scarce.h"

/* Products and sums of a handful of numbers near 1. */
#define ROUNDING 1e-14

TEST(shapes_have_the_material_of_the_options)
{
    static const char text[] = SHAPE("<sphere radius=\"4\"/>");
    const perp_urdf_options opt = {.material = 1};
    const perp_material rubber = {.name = "rubber", .mu = 1.0};
    perp_world *w = test_world(3, 9.81);

    OK(perp_world_add_material(w, &rubber, NULL, NULL));
    OK(perp_urdf_parse(w, text, sizeof text - 1, "r.urdf", &opt, NULL, NULL));
    CU_ASSERT_EQUAL_FATAL(w->shape_count, 1);
    CU_ASSERT_EQUAL(w->shapes[0].material, 1);
}

/* A tetrahedron with corners at 0 and the ends of the unit vectors. */
static const char tetrahedron[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
                                  "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

/* Files of a package below the scratch folder: pkg/urdf is that of robots, pkg/meshes has
 * the tetrahedron. */
static void make_package(char robot[1024])
{
    static const char *const folders[] = {"urdf-pkg", "urdf-pkg/urdf", "urdf-pkg/meshes"};
    FILE *f = NULL;

    for (size_t k = 0; k < 3; k++) {
        mkdir(test_scratch(folders[k]), 0777);
    }
    f = fopen(test_scratch("urdf-pkg/meshes/t.obj"), "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    CU_ASSERT(fputs(tetrahedron, f) >= 0);
    fclose(f);
    snprintf(robot, 1024, "%s", test_scratch("urdf-pkg/urdf/r.urdf"));
}

static perp_status read_mesh(const char *file, const char *scale,
                             const perp_urdf_options *opt, perp_world **w)
{
    char robot[1024];
    char text[4096];
    perp_error err = {0};
    perp_status status = PERP_OK;

    make_package(robot);
    snprintf(text, sizeof text,
             ROBOT(LINK("a") "<link name=\"b\"><inertial>" MASS(1) INERTIA(
                 1, 1, 1) "</inertial><collision><geometry><mesh filename=\"%s\" "
                          "scale=\"%s\"/></geometry></collision></link>\n" JOINT(
                              "j", "continuous", "a", "b", "")),
             file, scale);
    *w = test_world(3, 9.81);
    status = perp_urdf_parse(*w, text, strlen(text), robot, opt, NULL, &err);
    if (status != PERP_OK) {
        test_note("%s", err.text);
    }
    return status;
}

/* Of volume |x y z|/6, outside out whatever the mirror. */
TEST(a_mesh_is_stretched_and_mirrored)
{
    static const struct {
        const char *scale;
        double volume;
        double center[3];
    } cases[] = {
        {"1 1 1", 1.0 / 6.0, {0.25, 0.25, 0.25}},
        {"2 2 2", 8.0 / 6.0, {0.5, 0.5, 0.5}},
        {"1 2 3", 1.0, {0.25, 0.5, 0.75}},
        {"-1 2 3", 1.0, {-0.25, 0.5, 0.75}},
        {"-1 -1 -1", 1.0 / 6.0, {-0.25, -0.25, -0.25}},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const perp_mesh *m = NULL;
        double volume = 0.0, center[3], inertia[9];
        perp_world *w = NULL;

        OK(read_mesh("../meshes/t.obj", cases[k].scale, NULL, &w));
        CU_ASSERT_EQUAL_FATAL(w->shape_count, 1);
        m = w->shapes[0].mesh;
        CU_ASSERT_PTR_NOT_NULL_FATAL(m);
        CU_ASSERT_TRUE(m->closed);
        OK(perp_inertia_mesh(1.0, m->point, m->triangle_count, m->corner, &volume, center,
                             inertia, NULL));
        CU_ASSERT_DOUBLE_EQUAL(volume, cases[k].volume, ROUNDING);
        test_agree("centre", center, cases[k].center, 3, ROUNDING);
    }
}

TEST(a_mesh_is_a_hull_when_asked)
{
    const perp_urdf_options opt = {.meshes = PERP_URDF_MESHES_HULL};
    perp_world *w = NULL;

    OK(read_mesh("../meshes/t.obj", "1 -1 2", &opt, &w));
    CU_ASSERT_EQUAL_FATAL(w->shape_count, 1);
    CU_ASSERT_STRING_EQUAL(w->shapes[0].type->name, "hull");
    CU_ASSERT_EQUAL(w->shapes[0].polytope->corner_count, 4);
    CU_ASSERT_DOUBLE_EQUAL(w->shapes[0].polytope->center[1], -0.25, ROUNDING);
    CU_ASSERT_DOUBLE_EQUAL(w->shapes[0].polytope->center[2], 0.5, ROUNDING);
}

/* A file that shapes share is read once at each scale; other shapes of it are others. */
TEST(a_mesh_of_several_shapes_is_read_once)
{
#define T_OBJ(scale)                                                                     \
    "<collision><geometry><mesh filename=\"../meshes/t.obj\" scale=\"" scale             \
    "\"/></geometry></collision>\n"
    static const char text[] = WITHIN(T_OBJ("1 1 1") T_OBJ("2 1 1") T_OBJ("1 2 1")
                                          T_OBJ("1 1 2") T_OBJ("1 2 1"));
#undef T_OBJ
    char robot[1024];
    perp_world *w = test_world(3, 9.81);

    make_package(robot);
    OK(perp_urdf_parse(w, text, sizeof text - 1, robot, NULL, NULL, NULL));
    CU_ASSERT_EQUAL_FATAL(w->shape_count, 5);
    for (size_t i = 0; i < 5; i++) {
        for (size_t j = 0; j < i; j++) {
            CU_ASSERT_EQUAL(w->shapes[i].mesh == w->shapes[j].mesh, j == 2 && i == 4);
        }
    }
}

TEST(packages_are_found_above_the_file_and_where_options_say)
{
    char above[1024], itself[1024], other[1024], file[2048];
    const char *const roots[] = {"/none", itself};
    const perp_urdf_options given = {.roots = roots, .root_count = 2};
    perp_world *w = NULL;

    make_package(above);
    snprintf(itself, sizeof itself, "%s/", test_scratch("urdf-pkg"));
    snprintf(other, sizeof other, "%s", strrchr(test_scratch("urdf-pkg"), '/') + 1);
    snprintf(file, sizeof file, "package://%s/meshes/t.obj", other);
    OK(read_mesh(file, "1 1 1", NULL, &w));
    OK(read_mesh(file, "1 1 1", &given, &w));
    OK(read_mesh("package://meshes/t.obj", "1 1 1", &given, &w));
    snprintf(file, sizeof file, "file://%s", test_scratch("urdf-pkg/meshes/t.obj"));
    OK(read_mesh(file, "1 1 1", NULL, &w));
    snprintf(above, sizeof above, "%s", test_scratch("urdf-pkg/meshes/t.obj"));
    snprintf(itself, sizeof itself, "%s", test_scratch("urdf-pkg/meshes/t \xc3\xa4.obj"));
    remove(itself);
    CU_ASSERT_EQUAL(link(above, itself), 0);
    snprintf(file, sizeof file, "file://%s",
             test_scratch("urdf-pkg/meshes/t%20%C3%a4.obj"));
    OK(read_mesh(file, "1 1 1", NULL, &w));
    snprintf(itself, sizeof itself, "%s/", test_scratch("urdf-pkg"));
    CU_ASSERT_EQUAL(read_mesh("package://nobody/t.obj", "1 1 1", &given, &w),
                    PERP_ERR_READ);
    CU_ASSERT_EQUAL(read_mesh("../meshes", "1 1 1", NULL, &w), PERP_ERR_UNSUITABLE);
}

static perp_status mesh_scarcely(void *context, perp_error *err)
{
    const perp_urdf_options *opt = context;
    static const char text[] =
        WITHIN("<collision><geometry><mesh filename=\"../meshes/t.obj\" scale=\"1 2 "
               "-3\"/></geometry></collision><collision><geometry><mesh "
               "filename=\"package://none/t.obj\"/></geometry></collision>");
    const char *robot = test_scratch("urdf-pkg/urdf/r.urdf");
    perp_world *w = NULL;
    perp_status status = perp_world_new(&w, 3, err);

    if (status == PERP_OK) {
        status = perp_urdf_parse(w, text, sizeof text - 1, robot, opt, NULL, err);
        CU_ASSERT(w->body_count == 0 && w->shape_count == 0);
    }
    /* it ends well where the second mesh is looked for in vain */
    return status == PERP_ERR_READ ? PERP_OK : status;
}

TEST(memory_of_meshes_may_fail_anywhere)
{
    perp_urdf_options opt = {.meshes = PERP_URDF_MESHES_SURFACE};
    char robot[1024];

    make_package(robot);
    scarce_everywhere(mesh_scarcely, &opt, "a mesh");
    opt.meshes = PERP_URDF_MESHES_HULL;
    scarce_everywhere(mesh_scarcely, &opt, "a hull");
}

#define BALL(name)                                                                       \
    "<link name=\"" name "\"><inertial>" MASS(1)                                         \
        INERTIA(1, 1, 1) "</inertial><collision><geometry><sphere "                      \
                         "radius=\"1\"/></geometry></collision>"                         \
                         "</link>\n"

/* Three balls in one place, a chain, and one beside it that is not of the robot: all that
 * overlap meet but neighbours; with groups only those of others. */
static size_t contacts_of(const perp_urdf_options *opt)
{
    static const char text[] = ROBOT(BALL("a") BALL("b") BALL("c") JOINT(
        "j", "continuous", "a", "b", "") JOINT("k", "continuous", "b", "c", ""));
    perp_world *w = robot_world(text, opt, NULL);
    perp_contacts contacts = {0};
    perp_error err = {0};
    size_t count = 0;
    int32_t body = test_ball(w, "other", 1.0, 1.0, 1.5, 0.0, 0.0);
    const perp_shape shape = {
        .type = perp_shape_type_find("sphere"), .body = body, .size = {1.0}};

    OK(perp_world_add_shape(w, &shape, NULL, NULL));
    OK(perp_collide(w, w->start, 0.0, &contacts, &err));
    count = contacts.count;
    perp_contacts_clear(&contacts);
    return count;
}

TEST(neighbours_do_not_collide_and_others_do_unless_told)
{
    const perp_urdf_options alone = {.no_self_collision = true};

    CU_ASSERT_EQUAL(contacts_of(NULL), 4);   /* a with c; the other with a, b, c */
    CU_ASSERT_EQUAL(contacts_of(&alone), 3); /* the other with a, b, c */
}

TEST(a_robot_is_a_scene_whose_parameters_are_its_starts)
{
    static const char text[] = BETWEEN("revolute", LIMIT);
    static const perp_scene_set good[] = {{"j", "0.5"}, {"j", "30 deg"}};
    static const perp_scene_set bad[] = {{"j", "2"}, {"j", "1 m"}, {"i", "1"}, {"j", ""}};
    static const char *const lines[] = {
        "a/r.urdf: parameter j is 2, expected a number -1 .. 1 [rad]",
        ("a/r.urdf: parameter j is \"1 m\", expected a number, or one with a unit like "
         "rad"),
        "a/r.urdf: parameter i is not known, expected one of: j",
        "a/r.urdf: parameter j is \"\", expected a number, or one with a unit like rad"};
    perp_scene *s = NULL;

    OK(perp_urdf_scene(&s, text, sizeof text - 1, "a/r.urdf", NULL, good, 2, NULL));
    CU_ASSERT_STRING_EQUAL(s->name, "r");
    CU_ASSERT_EQUAL_FATAL(s->parameter_count, 1);
    CU_ASSERT_STRING_EQUAL(s->parameters[0].unit, "rad");
    CU_ASSERT(s->parameters[0].least == -1.0 && s->parameters[0].most == 1.0);
    CU_ASSERT_EQUAL(s->parameters[0].usual, 0.0);
    CU_ASSERT_DOUBLE_EQUAL(s->parameters[0].value, 0.52359877559829887, ROUNDING);
    CU_ASSERT_DOUBLE_EQUAL(perp_joint_axes_of(s->world->start, 0)[0], 0.52359877559829887,
                           ROUNDING);
    OK(perp_scheme_check(&s->scheme, NULL));
    for (size_t k = 0; k < 4; k++) {
        perp_error err = {0};

        CU_ASSERT(perp_urdf_scene(&s, text, sizeof text - 1, "a/r.urdf", NULL, &bad[k], 1,
                                  &err) != PERP_OK);
        CU_ASSERT_STRING_EQUAL(err.text, lines[k]);
        CU_ASSERT_PTR_NULL(s);
    }
}

static perp_status scene_scarcely(void *context, perp_error *err)
{
    static const char text[] = BETWEEN("revolute", LIMIT);
    static const perp_scene_set set = {"j", "30 deg"};
    perp_scene *s = NULL;
    perp_status status =
        perp_urdf_scene(&s, text, sizeof text - 1, "r.urdf", context, &set, 1, err);

    CU_ASSERT((status == PERP_OK) == (s != NULL));
    return status;
}

TEST(memory_of_a_scene_may_fail_anywhere)
{
    scarce_everywhere(scene_scarcely, NULL, "a scene of a robot");
}

/* Coordinates of the trees of the robots that come with perp: eight axes on the world;
 * twelve, and the six of a trunk that floats. */
TEST(a_robot_is_a_tree_in_reduced_coordinates)
{
    static const struct {
        const char *file;
        size_t links, coordinates;
    } robots[] = {{"arm", 9, 8}, {"quadruped", 13, 18}};

    for (size_t k = 0; k < 2; k++) {
        char path[1024];
        perp_world *w = test_world(3, 9.81);
        perp_error err = {0};

        snprintf(path, sizeof path, "%s/experiments/scenes/urdf/%s.urdf", test_source(),
                 robots[k].file);
        OK(perp_urdf_read(w, path, NULL, NULL, &err));
        OK(perp_world_reduce(w, NULL, &err));
        CU_ASSERT_STRING_EQUAL(err.text, "");
        CU_ASSERT_EQUAL(w->start->trees->count, robots[k].links);
        CU_ASSERT_EQUAL(w->start->trees->n, robots[k].coordinates);
    }
}

static int heard;

#if LIBXML_VERSION >= 21200
static void listener(void *context, const xmlError *fault)
#else
static void listener(void *context, xmlErrorPtr fault)
#endif
{
    (void)context, (void)fault;
    heard++;
}

/* Bytes that an encoding does not have, beside what is malformed. */
TEST(whoever_listens_to_libxml2_is_not_disturbed)
{
    static const char *const texts[] = {
        "<?xml version=\"1.0\" encoding=\"US-ASCII\"?>\n<robot name=\"\xE4\"/>",
        "<?xml version=\"1.0\" encoding=\"none-such\"?>\n<robot name=\"r\"/>",
        "<robot name=\"r\">"};
    int context = 0;
    perp_world *w = test_world(3, 9.81);

    xmlSetStructuredErrorFunc(&context, listener);
    for (size_t k = 0; k < 3; k++) {
        CU_ASSERT_EQUAL(
            perp_urdf_parse(w, texts[k], strlen(texts[k]), "r.urdf", NULL, NULL, NULL),
            PERP_ERR_FORMAT);
    }
    CU_ASSERT_EQUAL(heard, 0);
    CU_ASSERT(xmlStructuredError == listener && xmlStructuredErrorContext == &context);
    xmlSetStructuredErrorFunc(NULL, NULL);
}
