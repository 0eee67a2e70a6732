/* SPDX-License-Identifier: Apache-2.0
 * tests/world/world.c: bodies and materials of a world, and what it refuses. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "dynamics.h"
#include "math/vec3.h"
#include "scarce.h"
#include "world/world.h"

static perp_body sound_body(void)
{
    perp_body b = {.name = "crate", .mass = 2.0};
    const double half[3] = {0.5, 0.3, 0.2};

    perp_inertia_box(b.mass, half, b.inertia);
    return b;
}

static void refused(perp_world *w, const perp_body *b, const char *text)
{
    perp_error err = {0};
    size_t count = w->body_count;

    CU_ASSERT_EQUAL(perp_world_add_body(w, b, NULL, &err), PERP_ERR_DATA);
    CU_ASSERT_STRING_EQUAL(err.text, text);
    CU_ASSERT_EQUAL(w->body_count, count);
}

TEST(masses_that_make_no_sense_are_refused)
{
    perp_world *w = test_world(3, 9.81);
    perp_body b = sound_body();

    b.mass = 0.0;
    refused(w, &b, "body \"crate\": mass is 0, expected a positive number [kg]");
    b.mass = -2.0;
    refused(w, &b, "body \"crate\": mass is -2, expected a positive number [kg]");
    b.mass = NAN;
    refused(w, &b, "body \"crate\": mass is nan, expected a positive number [kg]");
    b.mass = INFINITY;
    refused(w, &b, "body \"crate\": mass is inf, expected a positive number [kg]");
}

TEST(inertias_that_make_no_sense_are_refused)
{
    perp_world *w = test_world(3, 9.81);
    perp_body b = sound_body();

    memset(b.inertia, 0, sizeof b.inertia);
    refused(w, &b,
            "body \"crate\": inertia: a principal moment is 0, expected a positive "
            "number [kg m^2]");
    b.inertia[0] = b.inertia[4] = 1.0;
    b.inertia[8] = -1.0;
    refused(w, &b,
            "body \"crate\": inertia: a principal moment is -1, expected a positive "
            "number [kg m^2]");
    b.inertia[8] = 3.0;
    refused(w, &b,
            "body \"crate\": inertia: principal moments are 1, 1, 3, expected each at "
            "most the sum of the other two");
    b.inertia[8] = 1.0;
    b.inertia[1] = 0.1;
    refused(w, &b, "body \"crate\": inertia: not symmetric");
    b.inertia[1] = NAN;
    refused(w, &b, "body \"crate\": inertia: an entry is not finite");
}

TEST(poses_that_make_no_sense_are_refused)
{
    perp_world *w = test_world(3, 9.81);
    perp_body b = sound_body();

    b.q[0] = 0.5;
    refused(
        w, &b,
        "body \"crate\": the length of the quaternion is 0.5, expected 1 (within 1e-6)");
    b.q[0] = NAN;
    refused(w, &b, "body \"crate\": a pose or velocity is not finite");
    b = sound_body();
    b.r[1] = INFINITY;
    refused(w, &b, "body \"crate\": a pose or velocity is not finite");
    b = sound_body();
    b.v[2] = NAN;
    refused(w, &b, "body \"crate\": a pose or velocity is not finite");
    b = sound_body();
    b.w[0] = NAN;
    refused(w, &b, "body \"crate\": a pose or velocity is not finite");
}

TEST(every_body_has_a_name_of_its_own)
{
    perp_world *w = test_world(3, 9.81);
    perp_body b = sound_body();
    int32_t k = -1;

    OK(perp_world_add_body(w, &b, &k, NULL));
    CU_ASSERT_EQUAL(k, 0);
    refused(w, &b, "body \"crate\": another body has this name");
    b.name = "";
    refused(w, &b, "body: no name");
    b.name = NULL;
    refused(w, &b, "body: no name");
    CU_ASSERT_EQUAL(perp_world_find_body(w, "crate"), 0);
    CU_ASSERT_EQUAL(perp_world_find_body(w, "box"), -1);
}

TEST(bodies_are_found_by_name_among_many)
{
    perp_world *w = test_world(3, 9.81);
    char name[24];

    for (int k = 0; k < 2000; k++) {
        snprintf(name, sizeof name, "%d", 7 * k);
        CU_ASSERT_EQUAL_FATAL(test_ball(w, name, 1.0, 1.0, 0.0, 0.0, 0.0), k);
    }
    for (int k = 0; k < 14000; k++) {
        snprintf(name, sizeof name, "%d", k);
        CU_ASSERT_EQUAL(perp_world_find_body(w, name), k % 7 == 0 ? k / 7 : -1);
    }
}

TEST(the_plane_takes_plane_bodies_alone)
{
    perp_world *w = test_world(2, 9.81);
    perp_body b = {.name = "disc", .mass = 1.0};
    perp_error err = {0};

    refused(w, &b,
            "body \"disc\": inertia about z is 0, expected a positive number [kg "
            "m^2]");
    b.inertia[8] = 0.5;
    b.r[2] = 1.0;
    refused(w, &b,
            "body \"disc\": a component along z is 1, expected 0 in two dimensions");
    b.r[2] = 0.0;
    b.v[2] = -2.0;
    refused(w, &b,
            "body \"disc\": a component along z is -2, expected 0 in two dimensions");
    b.v[2] = 0.0;
    b.w[0] = 1.0;
    refused(w, &b,
            "body \"disc\": orientation or angular velocity out of the plane, expected a "
            "rotation about z in two dimensions");
    b.w[0] = 0.0;
    b.w[2] = 3.0;
    OK(perp_world_add_body(w, &b, NULL, NULL));
    CU_ASSERT_EQUAL(w->start->inverse_inertia[8], 2.0);
    CU_ASSERT_EQUAL(w->start->inverse_inertia[0], 0.0);
    CU_ASSERT_DOUBLE_EQUAL(perp_world_kinetic(w, w->start), 0.5 * 0.5 * 9.0, 1e-15);
    CU_ASSERT_EQUAL(perp_world_new(&w, 4, &err), PERP_ERR_ARGUMENT);
    CU_ASSERT_STRING_EQUAL(err.text, "world: dimension 4, expected 2 or 3");
    CU_ASSERT_PTR_NULL(w);
}

TEST(quaternions_in_seven_digits_are_made_unit)
{
    perp_world *w = test_world(3, 9.81);
    perp_body b = sound_body();
    const double *q = NULL;

    b.q[0] = 0.7071068;
    b.q[3] = 0.7071068;
    OK(perp_world_add_body(w, &b, NULL, NULL));
    q = perp_body_pose(w->start, 0) + 3;
    CU_ASSERT_DOUBLE_EQUAL(q[0] * q[0] + q[3] * q[3], 1.0, 1e-15);
}

TEST(fixed_and_driven_bodies_have_no_inverse_mass)
{
    perp_world *w = test_world(3, 9.81);
    perp_body b = {.name = "ground", .motion = PERP_MOTION_STATIC, .v = {1, 2, 3}};

    OK(perp_world_add_body(w, &b, NULL, NULL));
    b.name = "belt";
    b.motion = PERP_MOTION_KINEMATIC;
    OK(perp_world_add_body(w, &b, NULL, NULL));
    for (int k = 0; k < 2; k++) {
        CU_ASSERT_EQUAL(w->inverse_mass[k], 0.0);
        CU_ASSERT_EQUAL(w->mass[k], 0.0);
    }
    for (int k = 0; k < 18; k++) {
        CU_ASSERT_EQUAL(w->start->inverse_inertia[k], 0.0);
    }
    CU_ASSERT_EQUAL(w->start->u[0], 0.0); /* a static body never moves */
    CU_ASSERT_EQUAL(w->start->u[6], 1.0); /* a driven one as it was told */
    CU_ASSERT_EQUAL(perp_world_kinetic(w, w->start), 0.0);
}

static void material_refused(perp_world *w, const perp_material *m, const char *text)
{
    perp_error err = {0};

    CU_ASSERT_EQUAL(perp_world_add_material(w, m, NULL, &err), PERP_ERR_DATA);
    CU_ASSERT_STRING_EQUAL(err.text, text);
}

TEST(materials_that_make_no_sense_are_refused)
{
    perp_world *w = test_world(3, 9.81);
    perp_material ice = {.name = "ice", .mu = 0.05};
    perp_material m = ice;
    int32_t k = -1;

    m.mu = -1.0;
    material_refused(w, &m, "material \"ice\": mu is -1, expected a number >= 0");
    m.mu = NAN;
    material_refused(w, &m, "material \"ice\": mu is nan, expected a number >= 0");
    m = ice;
    m.restitution = 1.5;
    material_refused(w, &m, "material \"ice\": restitution is 1.5, expected 0 .. 1");
    m.restitution = NAN;
    material_refused(w, &m, "material \"ice\": restitution is nan, expected 0 .. 1");
    m = ice;
    m.mu_rolling = -0.1;
    material_refused(w, &m,
                     "material \"ice\": rolling friction is -0.1, expected a length "
                     ">= 0 [m]");
    m = ice;
    m.erp = 2.0;
    material_refused(w, &m,
                     "material \"ice\": erp is 2, expected 0 (that of the scheme) .. 1, "
                     "or PERP_ERP_NONE");
    OK(perp_world_add_material(w, &ice, &k, NULL));
    CU_ASSERT_EQUAL(k, 1);
    CU_ASSERT_EQUAL(perp_world_find_material(w, "ice"), 1);
    CU_ASSERT_EQUAL(perp_world_find_material(w, "default"), 0);
    CU_ASSERT_EQUAL(perp_world_find_material(w, "mud"), -1);
    material_refused(w, &ice,
                     "material \"ice\": name is empty or in use, expected a unique name");
    snprintf(ice.name, sizeof ice.name, "default");
    material_refused(w, &ice,
                     "material \"default\" exists in every world, with friction 0.5: "
                     "expected another name, which shapes then refer to");
    memset(ice.name, 'm', sizeof ice.name);
    material_refused(w, &ice,
                     "material \"mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm\": "
                     "name is longer than 47 bytes or not terminated");
}

TEST(pairs_of_materials_combine_by_the_rules_of_the_world)
{
    static const double expected[] = {0.16, 0.4, 0.2, 0.8, 0.5}; /* of 0.2 and 0.8 */
    perp_world *w = test_world(3, 9.81);
    perp_material a = {.name = "a", .mu = 0.2, .restitution = 0.2, .erp = 0.2};
    perp_material b = {.name = "b", .mu = 0.8, .restitution = 0.8, .erp = 0.8};
    perp_material out;

    a.mu_rolling = 0.2;
    b.mu_rolling = 0.8;
    OK(perp_world_add_material(w, &a, NULL, NULL));
    OK(perp_world_add_material(w, &b, NULL, NULL));
    perp_world_combine(w, 1, 2, &out); /* as a new world has it */
    CU_ASSERT_DOUBLE_EQUAL(out.mu, 0.16, 1e-16);
    CU_ASSERT_DOUBLE_EQUAL(out.restitution, 0.16, 1e-16);
    CU_ASSERT_DOUBLE_EQUAL(out.erp, 0.16, 1e-16);       /* beta = beta_a beta_b */
    CU_ASSERT_DOUBLE_EQUAL(out.mu_rolling, 0.4, 1e-16); /* a length, not its square */
    for (int rule = 0; perp_combine_names[rule]; rule++) {
        perp_material back;

        w->combine_mu = (perp_combine)rule; /* each rule is its own */
        w->combine_restitution = (perp_combine)((rule + 1) % 5);
        w->combine_erp = (perp_combine)((rule + 2) % 5);
        perp_world_combine(w, 1, 2, &out);
        perp_world_combine(w, 2, 1, &back);
        CU_ASSERT_EQUAL(memcmp(&out, &back, sizeof out), 0);
        CU_ASSERT_DOUBLE_EQUAL(out.mu, expected[rule], 1e-15);
        CU_ASSERT_DOUBLE_EQUAL(out.restitution, expected[(rule + 1) % 5], 1e-15);
        CU_ASSERT_DOUBLE_EQUAL(out.erp, expected[(rule + 2) % 5], 1e-15);
    }
    w->combine_erp = PERP_COMBINE_AVERAGE;
    w->materials[2].erp = PERP_ERP_NONE; /* a share of nothing */
    perp_world_combine(w, 1, 2, &out);
    CU_ASSERT_EQUAL(out.erp, 0.1);
    w->combine_erp = PERP_COMBINE_MIN;
    perp_world_combine(w, 1, 2, &out);
    CU_ASSERT_EQUAL(out.erp, PERP_ERP_NONE);
    w->materials[2].erp = 0.0; /* one leaves it to the scheme, so does the pair */
    perp_world_combine(w, 1, 2, &out);
    CU_ASSERT_EQUAL(out.erp, 0.0);
}

static perp_status build_once(void *context, perp_error *err)
{
    perp_world *w = NULL;
    perp_status status = perp_world_new(&w, 3, err);

    (void)context;
    for (int k = 0; status == PERP_OK && k < 20; k++) {
        perp_body b = sound_body();
        perp_material m = {.mu = 0.5};
        char name[24];

        snprintf(name, sizeof name, "%d", k);
        snprintf(m.name, sizeof m.name, "%d", k);
        b.name = name;
        status = perp_world_add_body(w, &b, NULL, err);
        if (status == PERP_OK) {
            status = perp_world_add_material(w, &m, NULL, err);
        }
    }
    return status;
}

TEST(a_world_survives_without_memory)
{
    scarce_everywhere(build_once, NULL, "world");
}
