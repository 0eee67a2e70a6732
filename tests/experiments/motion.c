/* SPDX-License-Identifier: Apache-2.0
 * tests/experiments/motion.c: a run becomes a motion with all that is drawn of it: shapes of every
 * type, joints, what contacts do, colours; so does a problem of contacts. */
#include <config.h>

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <perp/dynamics/rotation.h>
#include <perp/dynamics/step.h>
#include <perp/dynamics/urdf.h>

#include "experiments/view/motion.h"
#include "scarce.h"
#include "simulations.h"

#define NAME_50  "a-very-long-name-of-a-body-that-is-not-to-be-cut--"
#define NAME_200 NAME_50 NAME_50 NAME_50 NAME_50

/* Every type of shape. The compound is turned by 90 degrees about z at (1, 0, 0); its second part
 * is at (0.5, 0, 0) of its axes. Bodies that move have mass and inertia, so that they stay at
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
    "\"#000000\"}]}]},"
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

/* The motion of a run with these words; fails the test where there is none. */
static motion *moved(const char *name, const char *text, int argc, char **argv)
{
    const char *dir = fresh(name);
    sim_summary s;
    motion *m = NULL;
    perp_error err = {0};

    if (run_into(dir, text, argc, argv, &s, &err) != PERP_OK ||
        motion_read(&m, dir, &err) != PERP_OK) {
        test_note("%s: %s", name, err.text);
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(m);
    return m;
}

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
    const double beside[7] = {1.0, 0.5, 0.0, half, 0.0, 0.0, half};
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
    CU_ASSERT_EQUAL(m->step_count, 3);
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

/* A box that starts at 1 m/s with friction 0.5 slides for 0.2 s, then stays. */
static const char slides[] =
    "{\"name\": \"slides\", \"time\": 0.5, \"solver\": \"nsgs\", \"scheme\": {\"dt\": "
    "0.01,"
    " \"margin\": 0.02}, \"ground\": {}, \"bodies\": [{\"name\": \"box\", \"mass\": 2,"
    " \"position\": [0, 0, 0.5], \"velocity\": [1, 0, 0],"
    " \"shapes\": [{\"type\": \"box\", \"size\": [0.5, 0.5, 0.5]}]},"
    "{\"name\": \"high\", \"mass\": 1, \"position\": [5, 0, 0.51], \"gravity\": 0,"
    " \"shapes\": [{\"type\": \"box\", \"size\": [0.5, 0.5, 0.5]}]}]}";

/* What those contacts of the box do in a frame that carry: all the same. Rigid contacts need not
 * all carry. Those of the body above the ground are open. */
static motion_status doing(const motion *m, size_t frame)
{
    motion_status status = MOTION_OPEN;
    size_t seen = 0;

    for (uint64_t k = motion_first_contact(m, frame); k < m->contact_end[frame]; k++) {
        const motion_contact *c = &m->contacts[k];
        const bool high = c->body[0] == 1 || c->body[1] == 1;

        if (high) {
            CU_ASSERT_EQUAL(c->status, MOTION_OPEN);
            continue;
        }
        seen++;
        if (c->status != MOTION_OPEN) {
            CU_ASSERT(status == MOTION_OPEN || c->status == status);
            CU_ASSERT(fabs(c->impulse[2]) > 1e-6);
            status = c->status;
        } else {
            CU_ASSERT(fabs(c->impulse[2]) < 1e-6); /* of 0.2 N s per step */
        }
    }
    CU_ASSERT_EQUAL(seen, 4);
    return status;
}

TEST(contacts_slide_then_stick_in_each_model)
{
    static const char *const models[] = {"--model=cone", "--model=pyramid:8",
                                         "--model=box", "--model=associated",
                                         "--model=frictionless"};
    static const char *const solvers[] = {"nsgs", "auto", "auto", "auto", "auto"};

    for (size_t k = 0; k < 5; k++) {
        char model[32], solver[32];
        char *argv[] = {model, solver};
        motion *m = NULL;
        const motion_contact *c = NULL;

        snprintf(model, sizeof model, "%s", models[k]);
        snprintf(solver, sizeof solver, "--solver=%s", solvers[k]);
        m = moved("motion-slides", slides, 2, argv);
        test_note("%s", model);
        CU_ASSERT_EQUAL_FATAL(m->frame_count, 51);
        CU_ASSERT_EQUAL(doing(m, 5), MOTION_SLIDING);
        CU_ASSERT_EQUAL(doing(m, 50), k == 4 ? MOTION_SLIDING : MOTION_STICKING);
        c = &m->contacts[motion_first_contact(m, 5)];
        CU_ASSERT_DOUBLE_EQUAL(fabs(c->normal[2]), 1.0, 1e-12);
        CU_ASSERT_EQUAL(c->mu, k == 4 ? c->mu : 0.25);
        motion_free(m);
    }
}

/* The residual of a step is the largest of its blocks, but for the allowance for rounding. */
TEST(residuals_of_contacts_are_on_the_scale_of_the_step)
{
    char *argv[] = {(char[]){"--tolerance=1e-4"}};
    motion *m = moved("motion-residuals", slides, 1, argv);
    const motion_metric *residual = NULL;
    size_t compared = 0;

    for (size_t k = 0; k < m->metric_count; k++) {
        residual =
            strcmp(m->metrics[k].name, "residual") == 0 ? &m->metrics[k] : residual;
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(residual);
    for (size_t f = 1; f < m->frame_count; f++) {
        double most = 0.0;

        for (uint64_t k = motion_first_contact(m, f); k < m->contact_end[f]; k++) {
            most = fmax(most, m->contacts[k].residual);
        }
        CU_ASSERT_DOUBLE_EQUAL(most, residual->value[m->step[f] - 1], 1e-13);
        compared += most > 1e-10;
    }
    CU_ASSERT(compared > 0); /* or nothing was compared */
    motion_free(m);
}

/* The problem of a step, shown, has the impulses that the step had: forces times dt. */
static void problem_shows_the_step(const char *text, perp_model model)
{
    perp_scene *scene = NULL;
    perp_stepper *stepper = NULL;
    perp_problem *p = NULL;
    motion *m = NULL;
    perp_report report;
    perp_error err = {0};
    const double *z = NULL;

    CU_ASSERT_EQUAL_FATAL(perp_scene_parse(&scene, text, strlen(text), "test.json", &err),
                          PERP_OK);
    scene->scheme.model = model;
    CU_ASSERT_EQUAL_FATAL(perp_stepper_new(&stepper, scene->world, scene->world->start,
                                           &scene->scheme, NULL, NULL, false, &err),
                          PERP_OK);
    for (int k = 0; k < 3; k++) {
        CU_ASSERT_EQUAL_FATAL(perp_stepper_step(stepper, &report, &err), PERP_OK);
    }
    CU_ASSERT_EQUAL_FATAL(perp_system_export(perp_stepper_system(stepper), scene->world,
                                             perp_stepper_contacts(stepper),
                                             PERP_STORAGE_CSR, &p, &err),
                          PERP_OK);
    z = perp_stepper_result(stepper)->z;
    CU_ASSERT_EQUAL_FATAL(motion_of_problem(&m, p, z, "step 3", &err), PERP_OK);
    CU_ASSERT_EQUAL(m->dimension, scene->world->dimension);
    CU_ASSERT_EQUAL_FATAL(m->contact_end[0], perp_stepper_contacts(stepper)->count);
    for (size_t k = 0; k < m->contact_end[0]; k++) {
        const motion_contact *c = &m->contacts[k];
        double force[6];

        CU_ASSERT_EQUAL(perp_stepper_contact_force(stepper, k, force, &err), PERP_OK);
        for (size_t i = 0; i < 3; i++) {
            CU_ASSERT_DOUBLE_EQUAL(c->impulse[i], force[i] * scene->scheme.dt, 1e-12);
        }
        CU_ASSERT(c->residual <= 1e-8); /* the tolerance of the solver */
        CU_ASSERT_EQUAL(c->mu, 0.25);
        CU_ASSERT(c->status == MOTION_OPEN || c->status == MOTION_SLIDING);
    }
    motion_free(m);
    CU_ASSERT_EQUAL(motion_of_problem(&m, p, NULL, "no point", &err), PERP_OK);
    CU_ASSERT_EQUAL(m->contacts[0].status, MOTION_OPEN);
    CU_ASSERT(isnan(m->contacts[0].residual));
    motion_free(m);
    perp_problem_free(p);
    perp_stepper_free(stepper);
    perp_scene_free(scene);
}

TEST(a_problem_of_a_step_is_shown_as_the_step_was)
{
    static const char flat_slide[] =
        "{\"dimension\": 2, \"scheme\": {\"dt\": 0.01}, \"ground\": {}, \"bodies\": ["
        "{\"name\": \"plate\", \"mass\": 2, \"position\": [0, 0.5], \"velocity\": [-1, "
        "0],"
        " \"shapes\": [{\"type\": \"box\", \"size\": [0.5, 0.5]}]}]}";

    problem_shows_the_step(slides, PERP_MODEL_CONE);
    problem_shows_the_step(slides, PERP_MODEL_PYRAMID);
    problem_shows_the_step(slides, PERP_MODEL_BOX);
    problem_shows_the_step(flat_slide, PERP_MODEL_CONE);
    problem_shows_the_step(flat_slide, PERP_MODEL_PYRAMID);
}

TEST(a_problem_without_places_is_refused)
{
    const double W[] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, b[] = {-1, 0, 0}, mu[] = {0.5};
    perp_problem *p = test_cones(3, 1, W, b, mu);
    motion *m = NULL;
    perp_error err = {0};

    CU_ASSERT_EQUAL(motion_of_problem(&m, p, b, "bare", &err), PERP_ERR_UNSUITABLE);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "bare: no contact has a place"));
    CU_ASSERT_PTR_NULL(m);
    perp_problem_free(p);
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
    const perp_shape *s = NULL;

    if (perp_urdf_scene(&scene, robot, strlen(robot), "robot.urdf", NULL, NULL, 0,
                        &err) != PERP_OK) {
        test_note("%s", err.text);
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(scene);
    CU_ASSERT_EQUAL_FATAL(scene->world->shape_count, 4);
    s = scene->world->shapes;
    CU_ASSERT_EQUAL(s[0].colour, PERP_COLOUR | 0xff3300);
    CU_ASSERT_EQUAL(s[1].colour, PERP_COLOUR | 0x0066ff);
    CU_ASSERT_EQUAL(s[2].colour, PERP_COLOUR | 0xff3300);
    CU_ASSERT_EQUAL(s[3].colour, 0);
    perp_scene_free(scene);
}

/* Read while it is written, and after a kill: what the last checkpoint counts. */
TEST(a_run_at_work_and_a_killed_run_are_read)
{
    const char *dir = fresh("motion-killed");
    perp_error err = {0};
    motion *m = NULL;
    pid_t child = fork();
    int how = 0;

    CU_ASSERT_FATAL(child >= 0);
    if (child == 0) {
        char *argv[] = {(char[]){"--steps=1000000"}};
        sim_summary s;

        run_into(dir, slides, 1, argv, &s, NULL);
        _exit(0);
    }
    for (int tries = 0; tries < 2000 && !(m && m->frame_count > 100); tries++) {
        motion_free(m);
        m = NULL;
        usleep(5000);
        motion_read(&m, dir, &err);
    }
    kill(child, SIGKILL);
    CU_ASSERT_EQUAL(waitpid(child, &how, 0), child);
    CU_ASSERT_PTR_NOT_NULL_FATAL(m); /* at work */
    CU_ASSERT(WIFSIGNALED(how));
    motion_free(m);
    CU_ASSERT_EQUAL_FATAL(motion_read(&m, dir, &err), PERP_OK);
    CU_ASSERT(m->frame_count > 100);
    CU_ASSERT_EQUAL(m->step[m->frame_count - 1], m->frame_count - 1);
    CU_ASSERT_TRUE(motion_is_trajectory(dir));
    motion_free(m);
}

/* A checkpoint is at the start of a run: its frame is a motion, without contacts. */
TEST(every_failed_allocation_of_a_motion_is_told)
{
    const char *dir = fresh("motion-scarce");
    sim_summary s;
    motion *m = NULL;
    long k = 0;
    bool failed = true;

    CU_ASSERT_EQUAL_FATAL(
        run_into(dir, all_shapes, 1, (char *[]){(char[]){"--steps=1"}}, &s, NULL),
        PERP_OK);
    for (; failed && k < 2000; k++) {
        perp_error err = {0};
        perp_status status = PERP_OK;

        scarce_begin(k);
        status = motion_read(&m, dir, &err);
        failed = scarce_end();
        if (failed && status != PERP_OK) {
            CU_ASSERT_PTR_NULL(m);
            CU_ASSERT(err.text[0] != '\0');
        }
        motion_free(m);
        m = NULL;
    }
    CU_ASSERT(k > 20 && k < 2000);
}

TEST_MAIN("motion")
