/* SPDX-License-Identifier: Apache-2.0
 * tests/command/motion.c: a run becomes a motion with all that is drawn of it: shapes of every
 * type, joints, colours. What contacts do is in motion_contacts.c. */
#include <config.h>

#include <math.h>
#include <stdlib.h>

#include <perp/dynamics/rotation.h>
#include <perp/dynamics/urdf.h>

#include "command/view/motion.h"
#include "motions.h"

/* Every type of shape. The compound is turned by 90 degrees about z at (1, 0, 0); its second part
 * is at (0.5, 0, 0) of its axes, turned by 90 degrees about x. Bodies that move have mass and inertia, so that they stay at
 * the origin of their axes. */
static const char all_shapes[] =
    "{\"name\": \"all shapes\", \"solver\": \"nsgs\", \"scheme\": {\"dt\": \"1 ms\"},"
    " \"ground\": {\"color\": \"#123456\", \"offset\": -5}, \"bodies\": ["
    "{\"name\": \"round\", \"mass\": 1, \"inertia\": [1, 1, 1], \"color\": \"#4477aa\","
    " \"shapes\": [{\"type\": \"sphere\", \"radius\": 0.1},"
    " {\"type\": \"capsule\", \"size\": [0.1, 0.2], \"color\": \"#ee6677\"},"
    " {\"type\": \"cylinder\", \"size\": [0.1, 0.3]}, {\"type\": \"cone\", \"size\": "
    "[0.1, 0.4]},"
    " {\"type\": \"ellipsoid\", \"size\": [0.1, 0.2, 0.3]}]},"
    "{\"name\": \"" NAME_200 "\", \"mass\": 1, \"inertia\": [1, 1, 1],"
    " \"position\": [0, 0, 3], \"shapes\": [{\"type\": \"compound\", \"at\": [1, 0, 0],"
    " \"rotation\": {\"axis\": [0, 0, 1], \"angle\": \"90 deg\"}, \"color\": \"#228833\","
    " \"parts\": [{\"type\": \"box\", \"size\": [0.1, 0.2, 0.3]},"
    " {\"type\": \"sphere\", \"radius\": 0.2, \"at\": [0.5, 0, 0], \"color\": "
    "\"#000000\","
    " \"rotation\": {\"axis\": [1, 0, 0], \"angle\": \"90 deg\"}}]}]},"
    "{\"name\": \"hull\", \"mass\": 1, \"inertia\": [1, 1, 1], \"position\": [0, 3, 0],"
    " \"shapes\": [{\"type\": \"hull\", \"corners\": [[-1, -1, -1], [1, -1, -1], [1, 1, "
    "-1],"
    " [-1, 1, -1], [-1, -1, 1], [1, -1, 1], [1, 1, 1], [-1, 1, 1]]}]},"
    "{\"name\": \"mesh\", \"motion\": \"static\", \"position\": [0, 6, 0], \"shapes\": ["
    "{\"type\": \"mesh\", \"points\": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],"
    " \"triangles\": [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]}]},"
    "{\"name\": \"one\", \"density\": 1, \"position\": [5, 0, 0],"
    " \"shapes\": [{\"type\": \"box\", \"size\": [0.5, 0.5, 0.5]}]},"
    "{\"name\": \"two\", \"density\": 1, \"position\": [5, 2, 0],"
    " \"shapes\": [{\"type\": \"box\", \"size\": [0.5, 0.5, 0.5]}]}]}";

static const motion_shape *shape_of(const motion *m, const char *type, size_t number)
{
    for (size_t k = 0; k < m->shape_count; k++) {
        if (strcmp(m->shapes[k].type->name, type) == 0 && number-- == 0) {
            return &m->shapes[k];
        }
    }
    CU_FAIL_FATAL("a shape is missing");
    return NULL;
}

/* Six times the volume within the triangles of a shape. */
static double volume(const motion *m, const motion_shape *s)
{
    double sum = 0.0;

    for (size_t t = s->first_triangle; t < s->first_triangle + s->triangle_count; t++) {
        const double *p[3];

        for (size_t k = 0; k < 3; k++) {
            p[k] = m->vertices + 3 * (s->first_vertex + m->triangles[3 * t + k]);
        }
        sum += p[0][0] * (p[1][1] * p[2][2] - p[1][2] * p[2][1]) +
               p[0][1] * (p[1][2] * p[2][0] - p[1][0] * p[2][2]) +
               p[0][2] * (p[1][0] * p[2][1] - p[1][1] * p[2][0]);
    }
    return sum;
}

static bool same(const double *x, size_t n, const double *y)
{
    for (size_t k = 0; k < n; k++) {
        if (!(fabs(x[k] - y[k]) <= 1e-15)) { /* products of numbers near 1 */
            return false;
        }
    }
    return true;
}

TEST(a_shape_of_each_type_has_its_place_and_size)
{
    char steps[] = "--steps=3";
    char *argv[] = {steps};
    motion *m = moved("motion-shapes", all_shapes, 1, argv);
    const double half = sqrt(0.5);
    const double turned[7] = {1.0, 0.0, 0.0, half, 0.0, 0.0, half};
    const double beside[7] = {1.0, 0.5, 0.0, 0.5, 0.5, 0.5, 0.5}; /* q_s q_p */
    size_t count = 0;
    const perp_shape_type *const *types = perp_shape_types(&count);

    CU_ASSERT_EQUAL(m->shape_count, 12);
    for (size_t k = 0; k < count; k++) {
        if (!types[k]->has_parts) {
            shape_of(m, types[k]->name, 0);
        }
    }
    CU_ASSERT(same(shape_of(m, "capsule", 0)->size, 2, (double[]){0.1, 0.2}));
    CU_ASSERT(same(shape_of(m, "ellipsoid", 0)->size, 3, (double[]){0.1, 0.2, 0.3}));
    CU_ASSERT(same(shape_of(m, "box", 0)->pose, 7, turned));
    CU_ASSERT(same(shape_of(m, "sphere", 1)->pose, 7, beside));
    CU_ASSERT_EQUAL(shape_of(m, "sphere", 1)->body, 1);
    CU_ASSERT_STRING_EQUAL(m->bodies[1].name, NAME_200);
    CU_ASSERT_STRING_EQUAL(m->title, "all shapes");
    CU_ASSERT_STRING_EQUAL(m->coordinates, "maximal");
    CU_ASSERT_EQUAL(m->dimension, 3);
    CU_ASSERT(same(m->up, 3, (double[]){0, 0, 1}));
    CU_ASSERT_EQUAL(m->frame_count, 4);
    CU_ASSERT_EQUAL(m->step_count, 4); /* step 0 is the start */
    CU_ASSERT_EQUAL(m->step[3], 3);
    CU_ASSERT_DOUBLE_EQUAL(m->time[3], 0.003, 1e-15);
    CU_ASSERT_EQUAL(m->dt, 0.001);
    CU_ASSERT_EQUAL(m->bodies[0].mass, 1.0);
    CU_ASSERT_EQUAL(m->bodies[0].inertia[8], 1.0);
    CU_ASSERT_FALSE(m->bodies[0].fixed);
    CU_ASSERT_TRUE(m->bodies[3].fixed);
    motion_free(m);
}

/* A cube of edge 2 has 8 vertices and 12 triangles; the tetrahedron a volume of 1/6. */
TEST(triangles_of_hulls_and_meshes_face_outward)
{
    motion *m =
        moved("motion-surfaces", all_shapes, 1, (char *[]){(char[]){"--steps=1"}});
    const motion_shape *hull = shape_of(m, "hull", 0), *mesh = shape_of(m, "mesh", 0);

    CU_ASSERT_EQUAL(hull->vertex_count, 8);
    CU_ASSERT_EQUAL(hull->triangle_count, 12);
    CU_ASSERT_DOUBLE_EQUAL(volume(m, hull), 48.0, 1e-13);
    CU_ASSERT_EQUAL(mesh->triangle_count, 4);
    CU_ASSERT_DOUBLE_EQUAL(volume(m, mesh), 1.0, 1e-15);
    CU_ASSERT_EQUAL(shape_of(m, "sphere", 0)->vertex_count, 0);
    motion_free(m);
}

TEST(shapes_with_one_hull_share_its_vertices)
{
    static const char scene[] =
        "{\"solver\": \"nsgs\", \"scheme\": {\"dt\": 0.01}, \"bodies\": [{\"name\": "
        "\"{k}\","
        " \"density\": 1, \"position\": [\"{3*k}\", 0, 0], \"shapes\": [{\"type\": "
        "\"hull\","
        " \"corners\": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}],"
        " \"repeat\": {\"count\": 5}}]}";
    motion *m = moved("motion-shared", scene, 1, (char *[]){(char[]){"--steps=1"}});

    CU_ASSERT_EQUAL(m->shape_count, 5);
    CU_ASSERT(m->vertex_count == 4 ||
              m->vertex_count == 20); /* the world shares hulls or not */
    for (size_t k = 0; k < m->shape_count; k++) {
        CU_ASSERT_EQUAL(m->shapes[k].vertex_count, 4);
        CU_ASSERT_DOUBLE_EQUAL(volume(m, &m->shapes[k]), 1.0, 1e-14);
    }
    motion_free(m);
}

TEST(colours_are_those_of_the_scene_or_quiet_ones)
{
    motion *m = moved("motion-colours", all_shapes, 1, (char *[]){(char[]){"--steps=1"}});
    const uint32_t one = shape_of(m, "box", 1)->colour,
                   two = shape_of(m, "box", 2)->colour;

    CU_ASSERT_EQUAL(shape_of(m, "plane", 0)->colour, 0x123456);
    CU_ASSERT_EQUAL(shape_of(m, "sphere", 0)->colour, 0x4477aa);
    CU_ASSERT_EQUAL(shape_of(m, "capsule", 0)->colour, 0xee6677);
    CU_ASSERT_EQUAL(shape_of(m, "box", 0)->colour, 0x228833);
    CU_ASSERT_EQUAL(shape_of(m, "sphere", 1)->colour, 0x000000);
    CU_ASSERT_EQUAL(shape_of(m, "mesh", 0)->colour, 0x9a9ea3); /* it does not move */
    CU_ASSERT_NOT_EQUAL(one, two);
    /* One hue: the larger channel is the same, and they differ in lightness. */
    CU_ASSERT_EQUAL((one >> 16 & 255) < (one & 255), (two >> 16 & 255) < (two & 255));
    for (size_t k = 0; k < m->shape_count; k++) {
        CU_ASSERT(m->shapes[k].colour <= 0xffffff);
    }
    motion_free(m);
}

static const char flat[] =
    "{\"dimension\": 2, \"gravity\": [0, 0, 0], \"solver\": \"nsgs\", \"scheme\": "
    "{\"dt\": 0.01},"
    " \"ground\": {}, \"bodies\": ["
    "{\"name\": \"disc\", \"density\": 1, \"position\": [0, 1],"
    " \"shapes\": [{\"type\": \"sphere\", \"radius\": 0.5}]},"
    "{\"name\": \"plate\", \"density\": 1, \"position\": [3, 1],"
    " \"shapes\": [{\"type\": \"box\", \"size\": [0.5, 0.2]}]},"
    "{\"name\": \"triangle\", \"density\": 1, \"position\": [6, 1],"
    " \"shapes\": [{\"type\": \"hull\", \"corners\": [[0, 0], [1, 0], [1, 1], [0, "
    "1]]}]}]}";

TEST(a_scene_in_the_plane_has_polygons)
{
    motion *m = moved("motion-flat", flat, 1, (char *[]){(char[]){"--steps=2"}});
    const motion_shape *hull = shape_of(m, "hull", 0);
    double area = 0.0, low[3], high[3];

    CU_ASSERT_EQUAL(m->dimension, 2);
    CU_ASSERT(same(m->up, 3, (double[]){0, 1, 0}));
    CU_ASSERT_EQUAL(hull->vertex_count, 4);
    CU_ASSERT_EQUAL(hull->triangle_count, 2);
    for (size_t t = hull->first_triangle; t < hull->first_triangle + 2; t++) {
        const double *a = m->vertices + 3 * (hull->first_vertex + m->triangles[3 * t]);
        const double *b =
            m->vertices + 3 * (hull->first_vertex + m->triangles[3 * t + 1]);
        const double *c =
            m->vertices + 3 * (hull->first_vertex + m->triangles[3 * t + 2]);

        area += 0.5 * ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
    }
    CU_ASSERT_DOUBLE_EQUAL(area, 1.0, 1e-15);
    motion_bounds(m, low, high);
    CU_ASSERT_DOUBLE_EQUAL(low[0], -0.5, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(high[0], 7.0, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(high[1], 2.0, 1e-12);
    motion_free(m);
}

static const char jointed[] =
    "{\"solver\": \"nsgs\", \"scheme\": {\"dt\": \"1 ms\"}, \"bodies\": ["
    "{\"name\": \"arm\", \"density\": 100, \"position\": [0.5, 0, 2],"
    " \"shapes\": [{\"type\": \"box\", \"size\": [0.5, 0.1, 0.1]}]},"
    "{\"name\": \"bob\", \"density\": 100, \"position\": [1.5, 0, 2],"
    " \"shapes\": [{\"type\": \"sphere\", \"radius\": 0.1}]},"
    "{\"name\": \"tip\", \"mass\": 1, \"inertia\": [1, 1, 1], \"position\": [2, 0, 2]},"
    "{\"name\": \"base\", \"motion\": \"static\", \"position\": [0, 0, 2]}],"
    " \"joints\": [{\"type\": \"revolute\", \"name\": \"shoulder\", \"bodies\": "
    "[\"base\", \"arm\"],"
    " \"at\": [0, 0, 2], \"axis\": [0, 1, 0]},"
    "{\"type\": \"spherical\", \"name\": \"wrist\", \"bodies\": [\"arm\", \"bob\"],"
    " \"at\": [1, 0, 2]},"
    "{\"type\": \"fixed\", \"name\": \"weld\", \"bodies\": [\"bob\", \"tip\"]}]}";

/* The world point of an anchor at a frame. */
static void anchor_at(const motion *m, const motion_joint *j, size_t side, size_t frame,
                      double p[3])
{
    const double *s = m->poses + 7 * (frame * m->body_count + (size_t)j->body[side]);

    perp_quat_rotate(s + 3, j->anchor[side], p);
    for (size_t i = 0; i < 3; i++) {
        p[i] += s[i];
    }
}

/* The two anchors of a joint coincide but for its drift, in both kinds of coordinates. */
TEST(anchors_of_joints_stay_together)
{
    char kinds[2][32] = {"--coordinates=maximal", "--coordinates=reduced"};

    for (size_t k = 0; k < 2; k++) {
        char *argv[] = {kinds[k], (char[]){"--steps=50"}};
        motion *m = moved("motion-joints", jointed, 2, argv);

        CU_ASSERT_EQUAL_FATAL(m->joint_count, 3);
        CU_ASSERT_STRING_EQUAL(m->joints[0].name, "shoulder");
        CU_ASSERT_STRING_EQUAL(m->joints[0].type, "revolute");
        CU_ASSERT_STRING_EQUAL(m->coordinates, k ? "reduced" : "maximal");
        CU_ASSERT(same(m->joints[0].axis[0], 3, (double[]){0, 1, 0}));
        CU_ASSERT(same(m->joints[1].axis[0], 3, (double[]){0, 0, 0}));
        for (size_t j = 0; j < 3; j++) {
            double a[3], b[3];

            anchor_at(m, &m->joints[j], 0, 50, a);
            anchor_at(m, &m->joints[j], 1, 50, b);
            for (size_t i = 0; i < 3; i++) {
                CU_ASSERT_DOUBLE_EQUAL(a[i], b[i], 1e-3); /* drift of 50 steps */
            }
        }
        motion_free(m);
    }
}

static const char robot[] =
    "<robot name=\"two\"><material name=\"sky\"><color rgba=\"0 0.4 1 1\"/></material>"
    "<link name=\"base\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" "
    "ixz=\"0\""
    " iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial>"
    "<visual><geometry/><material name=\"rust\"><color rgba=\"1 0.2 0 "
    "0.5\"/></material></visual>"
    "<collision><geometry><box size=\"1 1 1\"/></geometry></collision></link>"
    "<link name=\"tip\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" "
    "ixz=\"0\""
    " iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial>"
    "<visual><geometry/><material name=\"sky\"/></visual>"
    "<collision><geometry><sphere radius=\"0.2\"/></geometry></collision>"
    "<collision><geometry><sphere radius=\"0.1\"/></geometry>"
    "<material name=\"rust\"/></collision></link>"
    "<link name=\"plain\"><visual><geometry/><material name=\"none\"/></visual>"
    "<visual><material name=\"bad\"><color rgba=\"red\"/></material></visual>"
    "<collision><geometry><sphere radius=\"0.3\"/></geometry></collision></link>"
    "<joint name=\"elbow\" type=\"revolute\"><parent link=\"base\"/><child link=\"tip\"/>"
    "<axis xyz=\"0 0 1\"/><limit lower=\"-1\" upper=\"1\" effort=\"1\" "
    "velocity=\"1\"/></joint>"
    "<joint name=\"weld\" type=\"fixed\"><parent link=\"tip\"/><child "
    "link=\"plain\"/></joint>"
    "</robot>";

/* 0.4 of 255 is 102, 0.2 of it 51. */
TEST(a_robot_has_the_colours_of_its_materials)
{
    perp_scene *scene = NULL;
    perp_error err = {0};

    if (perp_urdf_scene(&scene, robot, strlen(robot), "robot.urdf", NULL, NULL, 0,
                        &err) != PERP_OK) {
        test_note("%s", err.text);
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(scene);
    CU_ASSERT_EQUAL_FATAL(scene->world->shape_count, 4);
    const perp_shape *s = scene->world->shapes;
    CU_ASSERT_EQUAL(s[0].colour, PERP_COLOUR | 0xff3300);
    CU_ASSERT_EQUAL(s[1].colour, PERP_COLOUR | 0x0066ff);
    CU_ASSERT_EQUAL(s[2].colour, PERP_COLOUR | 0xff3300);
    CU_ASSERT_EQUAL(s[3].colour, 0);
}
