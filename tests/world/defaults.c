/* SPDX-License-Identifier: Apache-2.0
 * tests/world/defaults.c: what is not said has a safe meaning, and bodies made of their
 * shapes. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "scarce.h"
#include "world_run.h"

static const double at[3] = {0.0, 0.0, 1.0};

/* A joint that was zeroed, or the default one, is corrected by the scheme's share:
 * phi+ = (1 - erp) phi; one that says PERP_ERP_NONE keeps its error. */
static double drift_after_a_step(double erp, bool by_default)
{
    perp_scheme scheme = run_scheme(0.01);
    perp_world *w = test_world(3, 0.0);
    perp_joint joint = {.type = perp_joint_type_find("spherical")};
    double drift = 0.0;
    run r;

    scheme.stabilize = PERP_STABILIZE_BAUMGARTE;
    scheme.erp = 0.25;
    if (by_default) {
        joint = perp_joint_default(joint.type);
    }
    test_ball(w, "wall", 0.0, 0.1, 0.0, 0.0, 0.0);
    test_ball(w, "mass", 1.0, 0.1, 0.0, 0.0, 1.0);
    joint.j = 1;
    joint.erp = erp;
    strcpy(joint.name, "it");
    OK(perp_joint_attach(&joint, w, w->start, at, NULL, NULL, NULL));
    OK(perp_world_add_joint(w, &joint, NULL, NULL));
    perp_body_pose(w->start, 1)[0] += 0.1;
    r = run_begin(w, &scheme, "nsgs tolerance=1e-14", false);
    run_steps(&r, 1);
    drift = r.report.drift_length;
    return drift;
}

TEST(a_joint_without_erp_takes_that_of_the_scheme)
{
    CU_ASSERT_DOUBLE_EQUAL(drift_after_a_step(0.0, false), 0.075, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(drift_after_a_step(0.0, true), 0.075, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(drift_after_a_step(0.5, true), 0.05, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(drift_after_a_step(PERP_ERP_NONE, true), 0.1, 1e-12);
}

/* The same of contacts, by the material of both bodies: the pair has the product, 0.36. */
TEST(a_material_without_erp_takes_that_of_the_scheme)
{
    const double erps[] = {0.0, 0.6, PERP_ERP_NONE};
    const double depths[] = {0.0375, 0.032, 0.05};

    for (int k = 0; k < 3; k++) {
        perp_scheme scheme = run_scheme(0.01);
        perp_world *w = test_world(3, 0.0);
        run r;

        scheme.stabilize = PERP_STABILIZE_BAUMGARTE;
        scheme.erp = 0.25;
        run_ground(w);
        run_ball(w, "ball", 1.0, 0.5, 0.0, 0.0, 0.45);
        w->materials[0].erp = erps[k];
        r = run_begin(w, &scheme, "nsgs tolerance=1e-14", false);
        run_steps(&r, 1);
        CU_ASSERT_DOUBLE_EQUAL(r.report.penetration, depths[k], 1e-12);
    }
}

TEST(an_erp_below_zero_is_refused_in_contacts_made_by_hand)
{
    perp_world *w = test_world(3, 0.0);
    perp_contacts contacts = {0};
    perp_rows rows = {0};
    perp_scheme scheme = run_scheme(0.01);
    perp_error err = {0};
    perp_contact *c = perp_contacts_add(&contacts);

    CU_ASSERT_PTR_NOT_NULL_FATAL(c);
    test_ball(w, "a", 1.0, 0.5, 0.0, 0.0, 0.0);
    test_ball(w, "b", 1.0, 0.5, 0.0, 0.0, 1.0);
    c->j = 1;
    c->normal[2] = 1.0;
    c->key = 1;
    OK(perp_rows_write(&rows, w, w->start, &contacts, &scheme, &err));
    c->erp = -1.0;
    CU_ASSERT_EQUAL(perp_rows_write(&rows, w, w->start, &contacts, &scheme, &err),
                    PERP_ERR_DATA);
    CU_ASSERT_STRING_EQUAL(err.text, "rows: erp of contact 0 is -1, expected 0 (that of "
                                     "the scheme) .. 1, or PERP_ERP_NONE");
    perp_rows_clear(&rows);
    perp_contacts_clear(&contacts);
}

TEST(a_default_material_is_that_of_a_new_world)
{
    perp_world *w = test_world(3, 0.0);
    perp_material m = perp_material_default();
    int32_t k = -1;

    CU_ASSERT_EQUAL(m.mu, w->materials[0].mu);
    CU_ASSERT_EQUAL(m.restitution, w->materials[0].restitution);
    CU_ASSERT_EQUAL(m.erp, w->materials[0].erp);
    strcpy(m.name, "mine");
    OK(perp_world_add_material(w, &m, &k, NULL));
    CU_ASSERT_EQUAL(k, 1);
}

/* In a scene a share that is not given is that of the scheme, and 0 is none. */
TEST(a_scene_with_erp_0_keeps_its_errors)
{
    static const char text[] =
        "{\"materials\": [{\"name\": \"a\", \"erp\": 0}, {\"name\": \"b\"}]}";
    perp_scene *scene = NULL;

    OK(perp_scene_parse(&scene, text, strlen(text), "s.json", NULL));
    CU_ASSERT_EQUAL(scene->world->materials[1].erp, PERP_ERP_NONE);
    CU_ASSERT_EQUAL(scene->world->materials[2].erp, 0.0);
}

/* Two boxes side by side are one box of twice the length; the frame of the body is off its
 * centre and turned, and nothing moves. */
TEST(two_boxes_weigh_as_the_one_that_they_make)
{
    perp_world *w = test_world(3, 0.0);
    perp_body body = {.name = "bar",
                      .r = {1.0, 2.0, 3.0},
                      .q = {sqrt(0.5), 0.0, 0.0, sqrt(0.5)}}; /* x becomes y */
    const double half[3] = {0.4, 0.1, 0.05};
    const double r[3] = {1.0, 2.5, 3.0};
    perp_shape parts[2];
    double inertia[9];

    for (int k = 0; k < 2; k++) {
        parts[k] = (perp_shape){.type = perp_shape_type_find("box"),
                                .at = {0.3 + 0.4 * k, 0.0, 0.0},
                                .size = {0.2, 0.1, 0.05}};
    }
    OK(perp_body_from_shapes(&body, w, 1000.0, 2, parts, NULL));
    CU_ASSERT_DOUBLE_EQUAL(body.mass, 1000.0 * 8.0 * 0.4 * 0.1 * 0.05, 1e-12);
    perp_inertia_box(body.mass, half, inertia);
    test_agree("inertia", body.inertia, inertia, 9, 1e-14);
    test_agree("r", body.r, r, 3, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(parts[0].at[0], -0.2, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(parts[1].at[0], 0.2, 1e-15);
    OK(perp_world_add_body(w, &body, &parts[0].body, NULL));
    OK(perp_world_add_shape(w, &parts[0], NULL, NULL));
}

TEST(every_shape_with_a_volume_weighs)
{
    static const double points[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const int32_t faces[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    const perp_shape_type *const *types = perp_shape_types(NULL);
    perp_world *w = test_world(3, 0.0);
    perp_mesh *mesh = NULL;
    perp_shape part = {
        .type = perp_shape_type_find("hull"), .corner_count = 4, .corners = points};

    OK(perp_mesh_new(&mesh, 4, points, 4, faces, NULL));
    for (size_t k = 0; types[k]; k++) {
        perp_body body = {.name = types[k]->name};
        perp_shape shape = {.type = types[k], .size = {0.3, 0.2, 0.1}};
        perp_error err = {0};
        perp_status status = PERP_OK;

        if (strcmp(types[k]->name, "hull") == 0) {
            shape.corner_count = 4;
            shape.corners = points;
        }
        shape.mesh = types[k]->is_mesh ? mesh : NULL;
        shape.parts = types[k]->has_parts ? &part : NULL;
        shape.part_count = types[k]->has_parts;
        status = perp_body_from_shapes(&body, w, 6.0, 1, &shape, &err);
        if (!types[k]->inertia) {
            CU_ASSERT_EQUAL(status, PERP_ERR_DATA);
            CU_ASSERT_STRING_EQUAL(err.text, "body \"plane\": no mass in its 1 shape, "
                                             "expected at least one with a volume");
            CU_ASSERT_EQUAL(body.mass, 0.0);
            continue;
        }
        OK(status);
        if (shape.corners || shape.mesh || shape.parts) { /* a tetrahedron of 1/6 m^3 */
            CU_ASSERT_DOUBLE_EQUAL(body.mass, 1.0, 1e-14);
            CU_ASSERT_DOUBLE_EQUAL(body.r[0], 0.25, 1e-14);
            CU_ASSERT_DOUBLE_EQUAL(shape.at[2], -0.25, 1e-14);
        }
        OK(perp_world_add_body(w, &body, &shape.body, NULL));
        OK(perp_world_add_shape(w, &shape, NULL, NULL));
    }
    perp_mesh_free(mesh);
}

/* In the plane a rectangle of 2 x 1 m at 3 kg/m^2: 6 kg, m (a^2 + b^2)/12 = 2.5. */
TEST(in_the_plane_a_density_is_one_of_areas)
{
    perp_world *w = test_world(2, 0.0);
    perp_body body = {.name = "plate"};
    perp_shape box = {.type = perp_shape_type_find("box"), .size = {1.0, 0.5, 0.0}};
    perp_shape tube = {.type = perp_shape_type_find("capsule"), .size = {1.0, 1.0, 0.0}};
    perp_shape untyped = {0};
    perp_error err = {0};

    OK(perp_body_from_shapes(&body, w, 3.0, 1, &box, NULL));
    CU_ASSERT_DOUBLE_EQUAL(body.mass, 6.0, 1e-14);
    CU_ASSERT_DOUBLE_EQUAL(body.inertia[8], 2.5, 1e-14);
    CU_ASSERT_EQUAL(perp_body_from_shapes(&body, w, 3.0, 1, &tube, &err), PERP_ERR_DATA);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "not supported in two dimensions"));
    CU_ASSERT_EQUAL(perp_body_from_shapes(&body, w, 3.0, 1, &untyped, NULL),
                    PERP_ERR_DATA);
    CU_ASSERT_EQUAL(perp_body_from_shapes(&body, w, 0.0, 1, &box, NULL), PERP_ERR_DATA);
    CU_ASSERT_EQUAL(body.mass, 6.0);
}

/* The same numbers as by four calls; after a failure neither body nor shapes are there. */
TEST(a_solid_is_added_whole_or_not_at_all)
{
    perp_world *w = test_world(3, 0.0);
    const perp_body ground = {.name = "ground", .motion = PERP_MOTION_STATIC};
    const perp_body cube = {.name = "cube", .r = {1.0, 0.0, 0.0}};
    const perp_shape plane = {.type = perp_shape_type_find("plane"), .body = 7};
    perp_shape boxes[] = {
        {.type = perp_shape_type_find("box"), .at = {1, 0, 0}, .size = {1, 1, 1}},
        {.type = perp_shape_type_find("box"), .at = {3, 0, 0}, .size = {1, 1, 1}},
    };
    perp_error err = {0};
    int32_t index = -1;

    OK(perp_world_add_solid(w, &ground, 0.0, 1, &plane, NULL, NULL));
    OK(perp_world_add_solid(w, &cube, 5.0, 2, boxes, &index, NULL));
    CU_ASSERT_EQUAL(index, 1);
    CU_ASSERT_EQUAL(w->shape_count, 3);
    CU_ASSERT_EQUAL(w->shapes[0].body, 0);
    CU_ASSERT_EQUAL(w->shapes[2].body, 1);
    CU_ASSERT_DOUBLE_EQUAL(w->mass[1], 80.0, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(perp_body_pose(w->start, 1)[0], 3.0, 1e-14);
    CU_ASSERT_DOUBLE_EQUAL(w->shapes[2].at[0], 1.0, 1e-14);
    CU_ASSERT_EQUAL(boxes[1].at[0], 3.0); /* the caller's are not changed */
    /* a name in use, found last; a shape without a type */
    CU_ASSERT_EQUAL(perp_world_add_solid(w, &cube, 5.0, 2, boxes, NULL, &err),
                    PERP_ERR_DATA);
    boxes[1].type = NULL;
    CU_ASSERT_EQUAL(perp_world_add_solid(w, &ground, 0.0, 2, boxes, NULL, NULL),
                    PERP_ERR_DATA);
    CU_ASSERT_EQUAL(w->body_count, 2);
    CU_ASSERT_EQUAL(w->shape_count, 3);
    CU_ASSERT_EQUAL(w->shapes_added, 3);
}

static perp_status scarce_work(void *context, perp_error *err)
{
    static const double points[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    perp_shape part = {
        .type = perp_shape_type_find("hull"), .corner_count = 4, .corners = points};
    perp_shape shape = {
        .type = perp_shape_type_find("compound"), .part_count = 1, .parts = &part};
    perp_body body = {.name = "it"};
    perp_world *w = NULL;
    perp_status status = perp_world_new(&w, 3, err);

    (void)context;
    if (status == PERP_OK) {
        status = perp_body_from_shapes(&body, w, 1.0, 1, &shape, err);
        CU_ASSERT((status == PERP_OK) == (body.mass > 0.0));
    }
    if (status == PERP_OK) {
        status = perp_world_add_solid(w, &body, 1.0, 1, &shape, NULL, err);
        CU_ASSERT_EQUAL(w->body_count, status == PERP_OK);
        CU_ASSERT_EQUAL(w->shape_count, status == PERP_OK);
    }
    return status;
}

TEST(memory_that_runs_out_is_survived)
{
    scarce_everywhere(scarce_work, NULL, "body from shapes");
}
