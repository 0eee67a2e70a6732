/* SPDX-License-Identifier: Apache-2.0
 * tests/support/dynamics.c: golden values of the dynamics, and worlds. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dynamics.h"

size_t golden_each(const char *file, const char *type,
                   void (*visit)(const golden_case *c))
{
    char path[1024];
    json_error_t error;
    json_t *root = NULL;
    size_t seen = 0, mark = test_mark();
    size_t index = 0;
    const json_t *item = NULL;

    snprintf(path, sizeof path, "%s/%s.json", test_golden(), file);
    root = json_load_file(path, 0, &error);
    if (!root) {
        test_note("%s:%d: %s", path, error.line, error.text);
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(root);
    json_array_foreach(json_object_get(root, "cases"), index, item)
    {
        golden_case c = {
            .name = json_string_value(json_object_get(item, "name")),
            .type = "",
            .in = json_object_get(item, "in"),
            .out = json_object_get(item, "out"),
            .tol = json_number_value(json_object_get(root, "rel_tol")),
        };

        if (json_object_get(item, "type")) {
            c.type = json_string_value(json_object_get(item, "type"));
        }
        CU_ASSERT_FATAL(c.name && c.in && c.out && c.tol > 0.0);
        if (!type || strcmp(type, c.type) == 0) {
            visit(&c);
            test_release(mark);
            seen++;
        }
    }
    CU_ASSERT_FATAL(seen > 0);
    json_decref(root);
    return seen;
}

static size_t flatten(const json_t *value, double *x, size_t n, size_t at)
{
    if (json_is_array(value)) {
        size_t index = 0;
        const json_t *item = NULL;

        json_array_foreach(value, index, item)
        {
            at = flatten(item, x, n, at);
        }
        return at;
    }
    if (at < n) {
        double number = json_number_value(value);

        /* how golden files write infinity */
        x[at] = fabs(number) >= 1e300 ? copysign(INFINITY, number) : number;
    }
    return at + 1;
}

size_t golden_count(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);

    return value ? flatten(value, NULL, 0, 0) : 0;
}

void golden_reals(const json_t *object, const char *key, size_t n, double *x)
{
    const json_t *value = json_object_get(object, key);

    if (!value || flatten(value, x, n, 0) != n) {
        test_note("%s: expected %zu numbers", key, n);
        CU_FAIL_FATAL("numbers of a golden file");
    }
}

double golden_real(const json_t *object, const char *key)
{
    double x = NAN;

    golden_reals(object, key, 1, &x);
    return x;
}

void test_agree(const char *what, const double *x, const double *y, size_t n, double tol)
{
    for (size_t k = 0; k < n; k++) {
        bool same = x[k] == y[k] || fabs(x[k] - y[k]) <= tol * fmax(1.0, fabs(y[k]));

        if (!same) {
            test_note("%s[%zu]: found %.17g, expected %.17g", what, k, x[k], y[k]);
        }
        CU_ASSERT(same);
    }
}

void golden_agree(const golden_case *c, const char *key, const double *x, size_t n)
{
    char what[128];
    double *y = test_alloc(n + 1, sizeof *y);

    snprintf(what, sizeof what, "%s %s", c->name, key);
    golden_reals(c->out, key, n, y);
    test_agree(what, x, y, n, c->tol);
}

static const double unit_inertia[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

int32_t golden_body(perp_world *world, const char *name, const json_t *body)
{
    perp_body b = {.name = name};
    int32_t k = -1;
    perp_error err = {0};

    b.mass = golden_real(body, "m");
    b.motion = b.mass > 0.0 ? PERP_MOTION_DYNAMIC : PERP_MOTION_STATIC;
    golden_reals(body, "r", 3, b.r);
    golden_reals(body, "q", 4, b.q);
    golden_reals(body, "v", 3, b.v);
    golden_reals(body, "w", 3, b.w);
    memcpy(b.inertia, unit_inertia, sizeof unit_inertia);
    if (perp_world_add_body(world, &b, &k, &err) != PERP_OK) {
        test_note("%s", err.text);
    }
    CU_ASSERT_FATAL(k >= 0);
    if (b.mass > 0.0) {
        golden_reals(body, "I_body", 9, world->inertia + 9 * (size_t)k);
        perp_world_refresh(world, world->start);
    }
    return k;
}

perp_world *test_world(unsigned dimension, double g)
{
    perp_world *world = NULL;

    OK(perp_world_new(&world, dimension, NULL));
    world->gravity[dimension - 1] = g == 0.0 ? 0.0 : -g;
    return world;
}

perp_world *golden_pair(const golden_case *c)
{
    perp_world *world = test_world(3, 0.0);

    golden_body(world, "i", json_object_get(c->in, "i"));
    golden_body(world, "j", json_object_get(c->in, "j"));
    return world;
}

static void maybe(const json_t *data, const char *key, size_t n, double *x)
{
    if (json_object_get(data, key)) {
        golden_reals(data, key, n, x);
    }
}

const char *golden_joint_type(const char *name)
{
    return !name                         ? ""
           : strcmp(name, "ball") == 0   ? "spherical"
           : strcmp(name, "hinge") == 0  ? "revolute"
           : strcmp(name, "slider") == 0 ? "prismatic"
                                         : name;
}

void golden_joint(perp_joint *joint, const char *type, const json_t *data, int32_t i,
                  int32_t j)
{
    memset(joint, 0, sizeof *joint);
    joint->type = perp_joint_type_find(golden_joint_type(type));
    if (!joint->type) {
        test_note("no joint type \"%s\"", type);
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(joint->type);
    snprintf(joint->name, sizeof joint->name, "%s", type);
    joint->i = i;
    joint->j = j;
    joint->q_rest[0] = 1.0;
    maybe(data, "anchor_i", 3, joint->anchor_i);
    maybe(data, "anchor_j", 3, joint->anchor_j);
    maybe(data, "axis_i", 3, joint->axis_i);
    maybe(data, "axis_j", 3, joint->axis_j);
    maybe(data, "r_off_i", 3, joint->rest_i);
    maybe(data, "q_ini", 4, joint->q_rest);
    maybe(data, "theta0", 1, &joint->theta);
    maybe(data, "angle_max", 1, &joint->theta);
    maybe(data, "length", 1, &joint->length);
    maybe(data, "cfm", 1, &joint->cfm);
}

int32_t test_ball(perp_world *world, const char *name, double m, double radius, double x,
                  double y, double z)
{
    perp_body b = {.name = name, .mass = m, .r = {x, y, z}};
    int32_t k = -1;

    b.motion = m > 0.0 ? PERP_MOTION_DYNAMIC : PERP_MOTION_STATIC;
    perp_inertia_sphere(m, radius, b.inertia);
    OK(perp_world_add_body(world, &b, &k, NULL));
    return k;
}

perp_world *test_random_world(size_t n, uint64_t seed)
{
    perp_world *world = test_world(3, 0.0);
    perp_random g = {seed};

    for (size_t k = 0; k < n; k++) {
        perp_body b = {.mass = perp_random_uniform(&g, 0.5, 2.0)};
        const double half[3] = {perp_random_uniform(&g, 0.3, 1.0),
                                perp_random_uniform(&g, 0.3, 1.0),
                                perp_random_uniform(&g, 0.3, 1.0)};
        char name[32];

        snprintf(name, sizeof name, "body %zu", k);
        b.name = name;
        perp_inertia_box(b.mass, half, b.inertia);
        for (int c = 0; c < 3; c++) {
            b.r[c] = perp_random_uniform(&g, -1.0, 1.0);
            b.v[c] = perp_random_uniform(&g, -1.0, 1.0);
            b.w[c] = perp_random_uniform(&g, -1.0, 1.0);
        }
        for (int c = 0; c < 4; c++) {
            b.q[c] = perp_random_uniform(&g, -1.0, 1.0);
        }
        perp_quat_normalize(b.q);
        OK(perp_world_add_body(world, &b, NULL, NULL));
    }
    return world;
}

static void move_all(perp_world *world, const double *s, double h)
{
    for (size_t k = 0; k < world->body_count; k++) {
        const double *u = perp_body_velocity(world->start, k);
        double *pose = perp_body_pose(world->start, k);

        memcpy(pose, s + 7 * k, 7 * sizeof *pose);
        for (int c = 0; c < 3; c++) {
            pose[c] += h * u[c];
        }
        perp_quat_turn(pose + 3, u + 3, h, PERP_TURN_EXPONENTIAL, NULL, 0.0);
    }
    perp_world_refresh(world, world->start);
}

double test_rate(perp_world *world, double (*f)(const perp_world *world, void *context),
                 void *context, double h)
{
    size_t bytes = 7 * world->body_count * sizeof(double);
    double *s = malloc(bytes + 1);
    double rate = 0.0;

    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    memcpy(s, world->start->s, bytes);
    move_all(world, s, h);
    rate = f(world, context);
    move_all(world, s, -h);
    rate = (rate - f(world, context)) / (2.0 * h);
    memcpy(world->start->s, s, bytes);
    perp_world_refresh(world, world->start);
    free(s);
    return rate;
}
