/* SPDX-License-Identifier: Apache-2.0
 * tests/read/scene.c: members and defaults of scenes, files, what shapes share. Other texts that are
 * right are in accepted/, what is wrong is in tests/refusals and scene_errors.c. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scarce.h"
#include "scene_text.h"

TEST(an_empty_scene_has_every_default)
{
    perp_scene *s = scene_text("{}");
    perp_scheme scheme;

    perp_scheme_default(&scheme);
    CU_ASSERT_STRING_EQUAL(s->name, "test");
    CU_ASSERT_STRING_EQUAL(s->title, "");
    CU_ASSERT_STRING_EQUAL(s->description, "");
    CU_ASSERT_STRING_EQUAL(s->answer, "");
    CU_ASSERT_STRING_EQUAL(s->solver, "auto");
    AGREE(0.0, {s->coordinates, PERP_COORDINATES_MAXIMAL}, {s->reduction.euler, false},
          {s->reduction.no_chart_switch, false}, {s->time, 10.0},
          {s->world->dimension, 3}, {s->world->gravity[2], -9.81},
          {s->world->body_count, 0}, {s->world->combine_erp, PERP_COMBINE_PRODUCT});
    CU_ASSERT_EQUAL(memcmp(&scheme, &s->scheme, sizeof scheme), 0);
    scene_text("\xEF\xBB\xBF{}"); /* the mark of UTF-8 */
    perp_scene_free(NULL);
}

TEST(every_member_of_the_scheme_is_read)
{
    perp_scene *s =
        scene_text("{'scheme': {'dt': '1/120 s', 'friction': 'pyramid:6', 'stabilize': "
                   "'project', 'erp': 0.3, 'slop': '1 mm', 'max-correction': '2 m/s', "
                   "'margin': '2 cm', 'threshold': 0.5, 'restitution': 'poisson', "
                   "'bias': 'sum', 'limits': 'on-violation', 'integrator': 'rk4', "
                   "'turn': 'linear', 'max-angle': '90 deg', 'gyro': 'implicit-body', "
                   "'gyro-split': 'added', 'storage': 'bsr'}}");
    const perp_scheme *c = &s->scheme;

    AGREE(ROUNDING, {c->dt, 1.0 / 120.0}, {c->model, PERP_MODEL_PYRAMID}, {c->eta, 6},
          {c->stabilize, PERP_STABILIZE_PROJECT}, {c->erp, 0.3}, {c->slop, 1e-3},
          {c->max_correction, 2.0}, {c->margin, 0.02}, {c->threshold, 0.5},
          {c->restitution, PERP_RESTITUTION_POISSON}, {c->bias, PERP_BIAS_SUM},
          {c->limits, PERP_LIMITS_ON_VIOLATION}, {c->integrator, PERP_INTEGRATOR_RK4},
          {c->turn, PERP_TURN_LINEAR}, {c->max_angle, acos(0.0)},
          {c->override_gyro, true}, {c->gyro, PERP_GYRO_IMPLICIT_BODY},
          {c->gyro_split, PERP_GYRO_ADDED}, {c->storage, PERP_STORAGE_BSR});
    c = &scene_text("{'scheme': {'max-correction': 'infinite', 'friction': 'box'}}")
             ->scheme;
    AGREE(0.0, {c->max_correction, INFINITY}, {c->model, PERP_MODEL_BOX},
          {c->override_gyro, false});
}

TEST(every_member_of_the_document_and_of_materials_is_read)
{
    perp_scene *s =
        scene_text("{'name': 'n', 'title': 't', 'description': 'd', 'answer': 'a',"
                   "'dimension': 2, 'gravity': [1, '-2 m/s^2'], 'time': '1 min',"
                   "'solver': 'ds:mpgp', 'coordinates': 'reduced', "
                   "'rotations': 'euler', 'chart-switch': 'off', 'materials': "
                   "[{'name': 'ice', 'friction': "
                   "'2 %', 'restitution': 0.9, 'rolling-friction': '1 mm', 'erp': 0.4, "
                   "'cfm': '2 mm/s/N'}],"
                   "'combine': {'friction': 'min', 'restitution': 'max', 'erp': "
                   "'geometric-mean'}}");
    const perp_world *w = s->world;
    const perp_material *m = &w->materials[1];

    CU_ASSERT_STRING_EQUAL(s->name, "n");
    CU_ASSERT_STRING_EQUAL(s->title, "t");
    CU_ASSERT_STRING_EQUAL(s->description, "d");
    CU_ASSERT_STRING_EQUAL(s->answer, "a");
    CU_ASSERT_STRING_EQUAL(s->solver, "ds:mpgp");
    CU_ASSERT_EQUAL_FATAL(w->material_count, 2);
    CU_ASSERT_STRING_EQUAL(m->name, "ice");
    AGREE(0.0, {s->coordinates, PERP_COORDINATES_REDUCED}, {s->reduction.euler, true},
          {s->reduction.no_chart_switch, true}, {w->dimension, 2}, {w->gravity[0], 1.0},
          {w->gravity[1], -2.0}, {w->gravity[2], 0.0}, {s->time, 60.0}, {m->mu, 0.02},
          {m->restitution, 0.9}, {m->mu_rolling, 1e-3}, {m->erp, 0.4}, {m->cfm, 2e-3},
          {w->combine_mu, PERP_COMBINE_MIN}, {w->combine_restitution, PERP_COMBINE_MAX},
          {w->combine_erp, PERP_COMBINE_GEOMETRIC_MEAN});
}

TEST(motion_and_load_of_a_body_are_read)
{
    const double turned[4] = {sqrt(0.5), 0.0, 0.0, sqrt(0.5)};
    const perp_world *w =
        scene_text("{'bodies': [{'name': 'a', 'mass': '2 t', 'gyro': 'none', "
                   "'inertia': [2, 3, '4 kg m^2'], 'position': ['1 km', '1 m', '1 "
                   "cm'],"
                   "'rotation': {'axis': [0, 0, 5], 'angle': '90 deg'}, 'velocity': "
                   "[1, "
                   "2, 3], 'spin': [0.5, 0.25, 0.125], 'load': {'force': [1, 2, 3], "
                   "'torque': [4, 5, 6]}}]}")
            ->world;

    AGREE(0.0, {w->gyro[0], PERP_GYRO_NONE}, {w->mass[0], 2000.0}, {w->inertia[0], 2.0},
          {w->inertia[4], 3.0}, {w->inertia[8], 4.0}, {w->inertia[1], 0.0});
    test_agree("position", w->start->s, (const double[]){1000.0, 1.0, 0.01}, 3, ROUNDING);
    test_agree("rotation", w->start->s + 3, turned, 4, ROUNDING);
    test_agree("velocity", w->start->u, (const double[]){1, 2, 3, 0.5, 0.25, 0.125}, 6,
               0.0);
    test_agree("load", w->start->load, (const double[]){1, 2, 3, 4, 5, 6}, 6, 0.0);
}

TEST(every_member_of_a_joint_is_read)
{
    perp_scene *s = scene_text(
        "{'bodies': [{'name': 'arm', 'mass': 1, 'inertia': [1, 1, 1], "
        "'position': [1, 0, 0]}], 'joints': [{'type': 'revolute', 'name': "
        "'elbow', 'bodies': ['world', 'arm'], 'at': ['50 cm', 0, 0], "
        "'axis': [0, 2, 0], 'axis2': [0, 1, 0], 'exact': true, 'collide': true, "
        "'erp': 0.5, 'cfm': 1e-3, 'stiffness': 7, 'damping': '8 N s/m', "
        "'angular-cfm': '2e-3 rad/s/N/m', 'angular-stiffness': '5 N m/rad', "
        "'angular-damping': '6 N m s/rad', "
        "'limits': {'lower': '-90 deg', 'upper': 1, 'restitution': 0.25, "
        "'cfm': '0.5 rad/s/N/m'}, "
        "'motor': {'kind': 'servo', 'target': '45 deg', 'max-force': "
        "'2 N m', 'max-rate': '60 rpm', 'cfm': '0.125 rad/s/N/m'}, 'spring': "
        "{'stiffness': "
        "'3 N m/rad', 'damping': 4, 'rest': '0.5 rad'}, 'armature': '200 g "
        "m^2'}]}");
    const double pi = acos(-1.0);
    const perp_joint *j = s->world->joints;
    const perp_axis *a = &j->axes[0];

    CU_ASSERT_EQUAL_FATAL(s->world->joint_count, 1);
    CU_ASSERT_STRING_EQUAL(j->type->name, "revolute");
    CU_ASSERT_STRING_EQUAL(j->name, "elbow");
    AGREE(ROUNDING, {j->i, 1}, {j->j, 0}, {j->anchor_i[0], 0.5}, {j->anchor_j[0], -0.5},
          {j->axis_i[1], 1.0}, {j->axis_j[1], 1.0}, {j->exact, true}, {j->collide, true},
          {j->erp, 0.5}, {j->cfm, 1e-3}, {j->stiffness, 7.0}, {j->damping, 8.0},
          {j->angular_cfm, 2e-3}, {j->angular_stiffness, 5.0}, {j->angular_damping, 6.0},
          {a->has_lower, true}, {a->has_upper, true}, {a->lower, -0.5 * pi},
          {a->upper, 1.0}, {a->restitution, 0.25}, {a->motor, PERP_MOTOR_SERVO},
          {a->target, 0.25 * pi}, {a->max_force, 2.0}, {a->max_rate, 2.0 * pi},
          {a->limit_cfm, 0.5}, {a->motor_cfm, 0.125}, {a->stiffness, 3.0},
          {a->damping, 4.0}, {a->rest, 0.5}, {a->armature, 0.2});
}

TEST(members_of_gears_and_forces_are_read)
{
    const perp_world *w =
        scene_text(
            "{'bodies': [{'name': 'a', 'mass': 1, 'inertia': [1, 1, 1]}], 'joints': "
            "[{'type': "
            "'cylindrical', 'name': 'nut', 'bodies': ['world', 'a'], 'at': [0, 0, 0], "
            "'axis': "
            "[0, 0, 1]}], 'gears': [{'joint': 'nut', 'axis': 2, 'follows': 'nut', "
            "'follows-axis': 1, 'ratio': 0.25, 'offset': '3 cm', 'stiffness': 4, "
            "'damping': "
            "5, 'cfm': 6}], 'forces': [{'type': 'spring', 'bodies': ['a', 'world'], "
            "'anchors': [[1, 0, 0], [0, 0, 1]], 'stiffness': '1 kN/m', 'damping': 2, "
            "'rest-length': '10 cm'}, {'type': 'torsion-spring', 'bodies': ['a', "
            "'world'], "
            "'axis': [0, 0, 1], 'stiffness': 2, 'rest-angle': '180 deg'}, {'type': "
            "'constant', 'bodies': ['a'], 'axis': [0, 0, 1], 'force': '5 N'}]}")
            ->world;
    const perp_gear *g = &w->joints[0].axes[1].gear;
    const perp_force *f = w->forces;

    AGREE(ROUNDING, {g->joint, 0}, {g->axis, 0}, {g->ratio, 0.25}, {g->offset, 0.03},
          {g->stiffness, 4.0}, {g->damping, 5.0}, {g->cfm, 6.0}, {f[0].i, 0}, {f[0].j, 1},
          {f[0].anchor_i[0], 1.0}, {f[0].anchor_j[2], 1.0}, {f[0].value[0], 1000.0},
          {f[0].value[1], 2.0}, {f[0].value[2], 0.1}, {f[1].value[0], 2.0},
          {f[1].value[2], acos(-1.0)}, {f[2].j, -1}, {f[2].value[0], 5.0});
}

TEST(sizes_groups_and_colours_of_shapes_are_read)
{
    const perp_shape *s =
        scene_text("{'bodies': [{'motion': 'static', 'shapes': [{'type': 'capsule', "
                   "'radius': 1, 'length': 3, 'groups': [1, 31]}, {'type': 'cylinder', "
                   "'radius': 1, 'length': 3, 'meets': [0, 2]}, {'type': 'ellipsoid', "
                   "'semi-axes': [1, 2, 3], 'color': '#4477aa'}, {'type': 'box', "
                   "'half-extents': [1, 2, 3], 'color': '#000000'}]}]}")
            ->world->shapes;

    AGREE(0.0, {s[0].size[0], 1.0}, {s[0].size[1], 3.0}, {s[1].size[1], 3.0},
          {s[0].group, 0x80000002u}, {s[0].mask, UINT32_MAX}, {s[1].group, 1},
          {s[1].mask, 5}, {s[0].colour, 0}, {s[2].colour, 0x14477aa},
          {s[3].colour, 0x1000000});
    test_agree("axes", s[2].size, (const double[]){1.0, 2.0, 3.0}, 3, 0.0);
    test_agree("box", s[3].size, (const double[]){1.0, 2.0, 3.0}, 3, 0.0);
}

/* Hulls of a file at one scale are one, and so are surfaces. */
TEST(shapes_of_one_file_share_it)
{
    static const char text[] =
        "{\"bodies\": [{\"density\": 1000, \"repeat\": {\"count\": 3}, \"shapes\": "
        "[{\"type\": \"hull\", \"file\": \"rock.obj\", \"scale\": 0.12}]}, {\"motion\": "
        "\"static\", \"shapes\": [{\"type\": \"mesh\", \"file\": \"rock.obj\"}, "
        "{\"type\": \"mesh\", \"file\": \"rock.obj\"}]}]}";
    char path[1024];
    perp_scene *scene = NULL;
    const perp_shape *shape = NULL;

    snprintf(path, sizeof path, "%s/tests/read/accepted/s.json", test_source());
    OK(perp_scene_parse(&scene, text, strlen(text), path, NULL));
    shape = scene->world->shapes;
    CU_ASSERT_EQUAL_FATAL(scene->world->shape_count, 5);
    CU_ASSERT(shape[1].polytope == shape[0].polytope &&
              shape[2].polytope == shape[0].polytope);
    CU_ASSERT_PTR_EQUAL(shape[3].mesh, shape[4].mesh);
    CU_ASSERT_EQUAL(shape[4].mesh->references, 2);
}

/* With a warning, once, and the mass of the rest; what is written is read again. */
TEST(triangles_without_area_are_a_warning)
{
    perp_scene *scene = scene_text(
        "{'bodies': [{'density': 6, 'shapes': [{'type': 'mesh', 'points': "
        "[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0.5, 0, 0]], 'triangles': "
        "[[0, 2, 1], [0, 4, 3], [4, 1, 3], [0, 1, 4], [1, 1, 0], [0, 3, 2], [1, 2, "
        "3]]}]}]}");
    const perp_mesh *mesh = scene->world->shapes[0].mesh;
    perp_scene *again = NULL;
    perp_error err = {0};
    char *text = NULL;

    CU_ASSERT_EQUAL(mesh->triangle_count, 5);
    CU_ASSERT_DOUBLE_EQUAL(scene->world->mass[0], 1.0, ROUNDING);
    CU_ASSERT_EQUAL_FATAL(scene->note_count, 1);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(scene->notes[0], "bodies[0].shapes[0]: 2 triangles without area are left "
                                "out, from triangle 3 on"));
    OK(perp_scene_print(scene, NULL, &text, &err));
    OK(perp_scene_parse(&again, text, strlen(text), "again", &err));
    CU_ASSERT_EQUAL(again->world->shapes[0].mesh->triangle_count, 5);
    CU_ASSERT_TRUE(again->world->shapes[0].mesh->closed);
    perp_scene_free(again);
    free(text);
}

TEST(a_colour_without_its_bit_is_refused)
{
    perp_scene *scene = scene_text("{'ground': {}}");
    perp_shape shape = {
        .type = perp_shape_type_find("sphere"), .size = {1.0}, .colour = 0x4477aa};
    perp_error err = {0};

    CU_ASSERT_EQUAL(perp_world_add_shape(scene->world, &shape, NULL, &err),
                    PERP_ERR_DATA);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(err.text, "sphere: its colour is 0x4477aa, expected 0 or"));
    shape.colour |= PERP_COLOUR; /* which distinguishes black from none */
    OK(perp_world_add_shape(scene->world, &shape, NULL, &err));
}

TEST(a_file_is_read_and_named_by_its_stem)
{
    const char *path = test_scratch("a.b.json");
    FILE *f = fopen(path, "wb");
    perp_scene *scene = NULL;
    perp_error err = {0};

    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    fputs("{\"time\": 2}", f);
    fclose(f);
    OK(perp_scene_read(&scene, path, &err));
    CU_ASSERT_PTR_NOT_NULL_FATAL(scene);
    CU_ASSERT_PTR_NOT_NULL(strstr(path, scene->name)); /* the process is before it */
    CU_ASSERT_STRING_EQUAL(scene->name + strlen(scene->name) - 3, "a.b");
    CU_ASSERT_EQUAL(scene->time, 2.0);
}

static perp_status read_file(void *context, perp_error *err)
{
    perp_scene *s = NULL;
    perp_status status = perp_scene_read(&s, context, err);

    CU_ASSERT_EQUAL(s != NULL, status == PERP_OK);
    return status;
}

/* More than the reader takes at once. */
TEST(a_long_file_is_read_whole_and_without_memory_refused)
{
    const char *path = test_scratch("long.json");
    FILE *f = fopen(path, "wb");
    perp_scene *scene = NULL;
    perp_error err = {0};
    char copy[1024];

    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    fprintf(f, "{%200000s \"time\": 2}", "");
    fclose(f);
    OK(perp_scene_read(&scene, path, &err));
    CU_ASSERT_PTR_NOT_NULL_FATAL(scene);
    CU_ASSERT_EQUAL(scene->time, 2.0);
    snprintf(copy, sizeof copy, "%s", path);
    scarce_everywhere(read_file, copy, "file");
}

/* A complaint without memory for it. */
TEST(an_unknown_body_is_refused_whatever_allocation_fails)
{
    static const char text[] = "{\"joints\": [{\"type\": \"spherical\", \"at\": [0, 0, "
                               "0], \"bodies\": [\"world\", \"word\"]}]}";

    for (long k = 0; k < 64; k++) {
        perp_scene *scene = NULL;
        perp_error err = {0};
        perp_status status = PERP_OK;

        scarce_begin(k);
        status = perp_scene_parse(&scene, text, strlen(text), "c.json", &err);
        scarce_end();
        CU_ASSERT(status != PERP_OK && *err.text && !scene);
    }
}
