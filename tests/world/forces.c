/* SPDX-License-Identifier: Apache-2.0
 * tests/world/forces.c: forces that depend on the state. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dynamics.h"
#include "math/vec3.h"
#include "scarce.h"

static perp_force make(const char *type, int32_t i, int32_t j)
{
    perp_force f = {.i = i, .j = j};

    f.type = perp_force_type_find(type);
    CU_ASSERT_PTR_NOT_NULL_FATAL(f.type);
    return f;
}

static perp_force some(const char *type)
{
    perp_force f = make(type, 0, 1);

    vec3_set(f.anchor_i, 0.3, -0.2, 0.5);
    vec3_set(f.anchor_j, -0.1, 0.4, 0.2);
    vec3_set(f.axis, 1.0, -2.0, 0.5);
    f.value[0] = 7.0;
    f.value[1] = 0.6;
    f.value[2] = 0.9;
    return f;
}

static void add(perp_world *w, const perp_force *f)
{
    perp_error err = {0};

    if (perp_world_add_force(w, f, &err) != PERP_OK) {
        test_note("%s", err.text);
        CU_FAIL_FATAL("a force");
    }
}

static double stored(const perp_world *w, void *context)
{
    (void)context;
    return perp_world_stored(w, w->start);
}

/* u.f of all bodies. */
static double power(const perp_world *w)
{
    double f[12];
    double sum = 0.0;

    perp_world_forces(w, w->start, false, f);
    for (int k = 0; k < 12; k++) {
        sum += f[k] * w->start->u[k];
    }
    return sum;
}

/* Along any motion dE/dt = -F.u: the force is minus the gradient. */
TEST(springs_are_minus_the_gradient_of_what_they_store)
{
    static const char *const types[] = {"spring", "torsion-spring"};

    for (size_t t = 0; t < 2; t++) {
        for (uint64_t seed = 1; seed < 40; seed++) {
            perp_world *w = test_random_world(2, seed);
            perp_force f = some(types[t]);

            f.value[1] = 0.0; /* without its damper */
            add(w, &f);
            /* h^2/6 of a third derivative, some 1e2, and 1e-16/h of an energy of some
             * 10 */
            CU_ASSERT_DOUBLE_EQUAL(test_rate(w, stored, NULL, 1e-5), -power(w), 1e-7);
        }
    }
}

/* Forces sum to nothing, and so do torques about the origin. */
TEST(forces_between_two_bodies_keep_momentum)
{
    static const char *const types[] = {"spring", "torsion-spring", "damper"};

    for (size_t t = 0; t < 3; t++) {
        for (uint64_t seed = 1; seed < 40; seed++) {
            perp_world *w = test_random_world(2, seed);
            perp_force f = some(types[t]);
            double F[12];
            double sum[3];
            double moment[3];
            double arm[3];

            add(w, &f);
            perp_world_forces(w, w->start, false, F);
            vec3_add(F, 1.0, F + 6, sum);
            vec3_add(F + 3, 1.0, F + 9, moment);
            for (size_t k = 0; k < 2; k++) {
                vec3_cross(perp_body_pose(w->start, k), F + 6 * k, arm);
                vec3_add(moment, 1.0, arm, moment);
            }
            CU_ASSERT(vec3_length(sum) == 0.0);
            CU_ASSERT(vec3_length(moment) <= 1e-13); /* roundings of some 20 N m */
        }
    }
}

TEST(dampers_and_drag_take_energy_out)
{
    for (uint64_t seed = 1; seed < 40; seed++) {
        perp_world *w = test_random_world(2, seed);
        perp_force damper = some("damper");
        perp_force drag = some("drag");
        perp_force spring = some("spring");
        double before = 0.0;

        add(w, &damper);
        before = power(w);
        CU_ASSERT(before < 0.0);
        add(w, &drag);
        CU_ASSERT(power(w) < before);
        before = power(w);
        spring.value[0] = 0.0; /* its damper alone */
        add(w, &spring);
        CU_ASSERT(power(w) <= before);
    }
}

/* Two balls 2 m apart along x; a spring of 10 N/m and 0.5 m pulls with 15 N, its damper
 * of 2 N s/m with 2 * 3 more while they part at 3 m/s. */
TEST(a_spring_worked_by_hand)
{
    perp_world *w = test_world(3, 0.0);
    perp_force f = make("spring", 0, 1);
    const double expected[12] = {21, 0, 0, 0, 0, 0, -21, 0, 0, 0, 0, 0};
    double F[12];

    test_ball(w, "a", 1.0, 0.1, 0.0, 0.0, 0.0);
    test_ball(w, "b", 1.0, 0.1, 2.0, 0.0, 0.0);
    perp_body_velocity(w->start, 1)[0] = 3.0;
    f.value[0] = 10.0;
    f.value[1] = 2.0;
    f.value[2] = 0.5;
    add(w, &f);
    perp_world_forces(w, w->start, false, F);
    test_agree("spring", F, expected, 12, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(perp_world_stored(w, w->start), 0.5 * 10.0 * 1.5 * 1.5, 1e-14);
    perp_body_pose(w->start, 1)[0] = 0.0; /* no direction: no force, no NaN */
    perp_world_forces(w, w->start, false, F);
    test_agree("without length", F, (const double[12]){0}, 12, 0.0);
}

/* Body j turned by 0.8 about z of i, at rest at 0.3: torque -4 * 0.5 on j. */
TEST(a_torsion_spring_worked_by_hand)
{
    perp_world *w = test_world(3, 0.0);
    perp_force f = make("torsion-spring", 0, 1);
    double F[12];
    double *q = NULL;

    test_ball(w, "a", 1.0, 0.1, 0.0, 0.0, 0.0);
    test_ball(w, "b", 1.0, 0.1, 2.0, 0.0, 0.0);
    q = perp_body_pose(w->start, 1) + 3;
    q[0] = cos(0.4);
    q[3] = sin(0.4);
    f.value[0] = 4.0;
    f.value[1] = 2.0;
    f.value[2] = 0.3;
    f.axis[2] = 5.0; /* made unit */
    add(w, &f);
    perp_world_forces(w, w->start, false, F);
    CU_ASSERT_DOUBLE_EQUAL(F[5], 2.0, 1e-14);
    CU_ASSERT_DOUBLE_EQUAL(F[11], -2.0, 1e-14);
    CU_ASSERT_DOUBLE_EQUAL(perp_world_stored(w, w->start), 0.5, 1e-14);
    perp_body_velocity(w->start, 1)[5] = 1.5;
    perp_world_forces(w, w->start, false, F);
    CU_ASSERT_DOUBLE_EQUAL(F[11], -5.0, 1e-14);
    perp_body_velocity(w->start, 1)[5] = 0.0;
    /* at -2.98: 3.28 below rest, but only 2 pi - 3.28 above it the other way round */
    q[0] = cos(-1.49);
    q[3] = sin(-1.49);
    perp_world_forces(w, w->start, false, F);
    CU_ASSERT_DOUBLE_EQUAL(F[11], -4.0 * (2.0 * M_PI - 3.28), 1e-13);
    vec3_set(q + 1, 1.0, 0.0, 0.0); /* half a turn across: no angle, no torque */
    q[0] = 0.0;
    perp_world_forces(w, w->start, false, F);
    test_agree("across", F, (const double[12]){0}, 12, 0.0);
}

TEST(drag_and_constant_force_worked_by_hand)
{
    perp_world *w = test_world(3, 0.0);
    perp_force drag = make("drag", 0, -1);
    perp_force push = make("constant", 0, -1);
    double F[6];
    /* (2 + 3*5) (3, 4, 0), (1 + 0.5*2) (0, 0, 2) */
    const double against[6] = {-51, -68, 0, 0, 0, -4};
    /* 6 N along y at x = 0.5 turns by 3 about z; 2 N m about y */
    const double along[6] = {-51, -62, 0, 0, 2, -1};

    test_ball(w, "a", 1.0, 0.1, 9.0, 0.0, 0.0);
    vec3_set(perp_body_velocity(w->start, 0), 3.0, 4.0, 0.0);
    perp_body_velocity(w->start, 0)[5] = 2.0;
    memcpy(drag.value, (const double[]){2, 3, 1, 0.5}, sizeof drag.value);
    add(w, &drag);
    perp_world_forces(w, w->start, false, F);
    test_agree("drag", F, against, 6, 1e-15);
    push.anchor_i[0] = 0.5;
    push.axis[1] = 3.0;
    push.value[0] = 6.0;
    push.value[1] = 2.0;
    add(w, &push);
    perp_world_forces(w, w->start, false, F);
    test_agree("and a push", F, along, 6, 1e-15);
}

TEST(a_damper_worked_by_hand)
{
    perp_world *w = test_world(3, 0.0);
    perp_force f = make("damper", 0, 1);
    double F[12];
    /* centres at x = 0 and 2, the point at 1; j turns with 1 rad/s about z, so that its
     * velocity there is -1 along y: 3 N along y on j with the arm -1: -3 N m;
     * -0.5 about z */
    const double expected[12] = {0, -3, 0, 0, 0, -2.5, 0, 3, 0, 0, 0, -3.5};

    test_ball(w, "a", 1.0, 0.1, 0.0, 0.0, 0.0);
    test_ball(w, "b", 1.0, 0.1, 2.0, 0.0, 0.0);
    perp_body_velocity(w->start, 1)[5] = 1.0;
    f.value[0] = 3.0;
    f.value[1] = 0.5;
    add(w, &f);
    perp_world_forces(w, w->start, false, F);
    test_agree("damper", F, expected, 12, 1e-15);
}

static void wind(void *context, const perp_world *w, const perp_state *state, double *f)
{
    const double *strength = context;

    for (size_t k = 0; k < w->body_count; k++) {
        f[6 * k] += *strength * state->t;
    }
}

TEST(the_users_force_sees_the_world_and_its_context)
{
    perp_world *w = test_random_world(2, 1);
    double strength = 4.0;
    perp_force f = make("user", -1, -1);
    double F[12];

    f.call = wind;
    f.context = &strength;
    add(w, &f);
    w->start->t = 0.5;
    perp_world_forces(w, w->start, false, F);
    CU_ASSERT(F[0] == 2.0 && F[6] == 2.0 && F[1] == 0.0);
}

static void refused(perp_world *w, const perp_force *f, const char *text)
{
    perp_error err = {0};
    size_t count = w->force_count;

    CU_ASSERT_EQUAL(perp_world_add_force(w, f, &err), PERP_ERR_DATA);
    CU_ASSERT_STRING_EQUAL(err.text, text);
    CU_ASSERT_EQUAL(w->force_count, count);
}

/* Columns of df by central differences: of the poses of both bodies where `rate` is false, else of
 * their velocities. */
static void differences(perp_world *w, const perp_force *f, bool rate, double *columns)
{
    const double h = 1e-5;

    for (size_t c = 0; c < 12; c++) {
        double at[2][12] = {{0}};
        perp_state *moved = NULL;

        for (int side = 0; side < 2; side++) {
            double u[12] = {0};
            perp_scheme scheme;

            perp_scheme_default(&scheme);
            OK(perp_state_new(&moved, w, NULL));
            u[c] = side == 0 ? -1.0 : 1.0;
            if (rate) {
                moved->u[c] += h * u[c];
            } else {
                perp_world_move(w, moved, u, h, &scheme, NULL);
            }
            f->type->apply(f, w, moved, at[side]);
            perp_state_free(moved);
        }
        for (size_t r = 0; r < 12; r++) {
            columns[12 * r + c] = (at[1][r] - at[0][r]) / (2.0 * h);
        }
    }
}

/* D to rounding; K but for what each file says it leaves out: the antisymmetric part, and terms
 * of damping, which rest here. A torsion spring is taken where its bodies agree: the second
 * derivative of its angle couples the two bodies, which is left out, and nothing else. */
TEST(derivatives_agree_with_differences)
{
    size_t count = 0;
    const perp_force_type *const *types = perp_force_types(&count);
    size_t derived = 0;

    for (size_t k = 0; k < count; k++) {
        perp_world *w = test_random_world(2, 7);
        perp_force f = some(types[k]->name);
        double K[144] = {0};
        double D[144] = {0};
        double expected[144];
        const size_t n = 6 * (size_t)types[k]->bodies;

        if (!types[k]->derivative) {
            continue;
        }
        derived++;
        vec3_normalize(f.axis);
        if (types[k]->check == perp_force_type_find("torsion-spring")->check) {
            for (size_t c = 3; c < 7; c++) {
                w->start->s[7 + c] = w->start->s[c];
            }
            f.value[2] = 0.0;
        }
        if (strcmp(types[k]->name, "drag") == 0) {
            f.value[3] = 0.7;
        }
        types[k]->derivative(&f, w, w->start, K, D);
        differences(w, &f, true, expected);
        for (size_t e = 0; e < n * n; e++) {
            CU_ASSERT_DOUBLE_EQUAL(D[e], expected[12 * (e / n) + e % n], 1e-8);
        }
        memset(w->start->u, 0, 12 * sizeof(double));
        memset(K, 0, sizeof K);
        types[k]->derivative(&f, w, w->start, K, D);
        differences(w, &f, false, expected);
        for (size_t e = 0; e < n * n; e++) {
            const size_t i = e / n;
            const size_t j = e % n;

            CU_ASSERT_DOUBLE_EQUAL(
                K[e], 0.5 * (expected[12 * i + j] + expected[12 * j + i]), 1e-7);
            CU_ASSERT_EQUAL(K[e], K[n * j + i]);
        }
    }
    CU_ASSERT_EQUAL(derived, 5);
}

TEST(forces_that_make_no_sense_are_refused)
{
    perp_world *w = test_random_world(2, 1);
    perp_force f = {.name = "bare"};

    refused(w, &f, "force \"bare\": no type");
    f = some("spring");
    f.j = 2;
    refused(w, &f, "force \"spring\": body j is number 2, expected 0 .. 1");
    f.i = -1;
    strcpy(f.name, "elastic");
    refused(w, &f, "force \"elastic\": body i is number -1, expected 0 .. 1");
    f.i = f.j = 1;
    refused(w, &f,
            "force \"elastic\": from body \"body 1\" to itself, expected two different "
            "bodies");
    f = some("spring");
    f.value[0] = -2.0;
    refused(w, &f, "force \"spring\": stiffness is -2, expected a number >= 0 [N/m]");
    f.value[0] = NAN;
    refused(w, &f, "force \"spring\": stiffness [N/m] is nan, expected a finite number");
    f = some("spring");
    f.anchor_j[1] = INFINITY;
    refused(w, &f, "force \"spring\": an anchor is not finite");
    f = some("torsion-spring");
    vec3_set(f.axis, 0.0, 0.0, 0.0);
    refused(w, &f, "force \"torsion-spring\": axis has length 0, expected a direction");
    f.axis[0] = NAN;
    refused(w, &f, "force \"torsion-spring\": axis is not finite");
    f = make("constant", 0, -1);
    refused(w, &f, "force \"constant\": axis has length 0, expected a direction");
    f = some("drag");
    f.value[1] = -1.0;
    refused(w, &f,
            "force \"drag\": quadratic drag is -1, expected a number >= 0 [N s^2/m^2]");
    f = make("user", 0, 0);
    refused(w, &f, "force \"user\": no function, expected one to call");
    memset(f.name, 'f', sizeof f.name);
    refused(w, &f,
            "force \"ffffffffffffffffffffffffffffffffffffffffffffffff\": name is longer "
            "than 47 bytes or not terminated");
}

TEST(the_registry_finds_each_type_by_its_name)
{
    size_t count = 0;
    const perp_force_type *const *types = perp_force_types(&count);

    CU_ASSERT_EQUAL(count, 6);
    for (size_t k = 0; k < count; k++) {
        CU_ASSERT_PTR_EQUAL(perp_force_type_find(types[k]->name), types[k]);
        CU_ASSERT(types[k]->summary && types[k]->apply && types[k]->parameters);
    }
    CU_ASSERT_PTR_NULL(types[count]);
    CU_ASSERT_PTR_NULL(perp_force_type_find("magnet"));
}

static perp_status add_once(void *context, perp_error *err)
{
    perp_world *w = context;
    perp_force f = some("spring");
    perp_status status = PERP_OK;

    free(w->forces); /* as in a fresh world */
    w->forces = NULL;
    w->force_count = w->force_room = 0;
    status = perp_world_add_force(w, &f, err);
    CU_ASSERT_EQUAL(w->force_count, status == PERP_OK ? 1 : 0);
    return status;
}

TEST(adding_survives_without_memory)
{
    perp_world *w = test_random_world(2, 1);

    scarce_everywhere(add_once, w, "force");
}

TEST(springs_without_damping_conserve_energy)
{
    static const struct {
        const char *type;
        double value[PERP_FORCE_PARAMETERS];
        bool conservative;
    } cases[] = {
        {"spring", {3.0, 0.0, 0.5}, true},
        {"spring", {3.0, 0.1, 0.5}, false},
        {"torsion-spring", {3.0, 0.0, 0.5}, true},
        {"torsion-spring", {0.0, 0.1}, false},
        {"damper", {0.0}, false},
        {"drag", {1.0}, false},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        perp_force f = {.type = perp_force_type_find(cases[k].type)};

        memcpy(f.value, cases[k].value, sizeof f.value);
        CU_ASSERT_EQUAL(perp_force_is_conservative(&f), cases[k].conservative);
    }
}
