/* SPDX-License-Identifier: Apache-2.0
 * tests/torture/forests.c: worlds whose joints form trees. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "forests.h"
#include "joints/joints.h"

enum { LINKS_MOST = 14, ALONE_MOST = 2, LOOPS_MOST = 2, SHAPES_MOST = 8 };

typedef struct draw {
    perp_random g;
    perp_world *world;
    torture_forest *told;
    bool plane;
    double spread; /* masses are 10^(+-spread) kg */
    perp_status status;
    perp_error *err;
} draw;

static double uniform(draw *d, double low, double high)
{
    return perp_random_uniform(&d->g, low, high);
}

static long pick(draw *d, long count)
{
    return perp_random_integer(&d->g, 0, count - 1);
}

static void draw_vector(draw *d, bool flat, double x[3])
{
    for (int c = 0; c < 3; c++) {
        x[c] = uniform(d, -1.0, 1.0);
    }
    x[2] = flat ? 0.0 : x[2];
}

/* Two sums of moments are no less than the third: those of three point masses' worth. */
static void draw_inertia(draw *d, double mass, double inertia[9])
{
    double m[3];
    double q[4] = {uniform(d, -1.0, 1.0), uniform(d, -1.0, 1.0), uniform(d, -1.0, 1.0),
                   uniform(d, -1.0, 1.0)};
    double R[9];

    perp_quat_normalize(q);
    perp_rotation_matrix(q, R);
    for (int c = 0; c < 3; c++) {
        m[c] = mass * pow(uniform(d, 0.05, 0.5), 2.0);
    }
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            inertia[3 * r + c] = 0.0;
            for (int k = 0; k < 3; k++) {
                inertia[3 * r + c] +=
                    R[3 * r + k] * (m[(k + 1) % 3] + m[(k + 2) % 3]) * R[3 * c + k];
            }
        }
    }
    inertia[3] = inertia[1];
    inertia[6] = inertia[2];
    inertia[7] = inertia[5];
}

static void draw_body(draw *d, const char *kind, perp_motion motion)
{
    perp_body body = {.motion = motion,
                      .mass = pow(10.0, uniform(d, -d->spread, d->spread))};
    char name[32];

    snprintf(name, sizeof name, "%s %zu", kind, d->world->body_count);
    body.name = name;
    draw_inertia(d, body.mass, body.inertia);
    draw_vector(d, d->plane, body.r);
    draw_vector(d, false, body.q + 1);
    body.q[0] = uniform(d, -1.0, 1.0);
    if (d->plane) {
        body.q[1] = body.q[2] = 0.0;
    }
    perp_quat_normalize(body.q);
    if (motion != PERP_MOTION_STATIC) {
        draw_vector(d, d->plane, body.v);
        draw_vector(d, false, body.w);
        body.w[0] *= !d->plane;
        body.w[1] *= !d->plane;
    }
    if (d->status == PERP_OK) {
        d->status = perp_world_add_body(d->world, &body, NULL, d->err);
    }
}

/* As the two bodies stand. */
static void draw_joint(draw *d, const perp_joint_type *type, int32_t i, int32_t j)
{
    perp_joint joint = {.type = type, .i = i, .j = j, .exact = true};
    double at[3];
    double along_i[3];
    double along_j[3];

    if (d->status != PERP_OK) {
        return;
    }
    snprintf(joint.name, sizeof joint.name, "%s %zu", type->name, d->world->joint_count);
    draw_vector(d, d->plane, at);
    draw_vector(d, d->plane, along_i);
    draw_vector(d, d->plane, along_j);
    for (int c = 0; c < 3; c++) {
        at[c] = 0.5 * at[c] + perp_body_pose(d->world->start, (size_t)j)[c];
    }
    if (d->plane && type->plane_turns) {
        vec3_set(along_i, 0.0, 0.0, along_i[0] < 0.0 ? -1.0 : 1.0);
    }
    if (strcmp(type->name, "universal") == 0) {
        vec3_cross(along_i, along_j, along_j);
    }
    joint.collide = pick(d, 4) == 0;
    d->status = perp_joint_attach(&joint, d->world, d->world->start, at, along_i,
                                  type->axes_apart ? along_j : NULL, d->err);
    if (d->status == PERP_OK) {
        d->status = perp_world_add_joint(d->world, &joint, NULL, d->err);
    }
}

static const perp_joint_type *draw_type(draw *d)
{
    size_t count = 0;
    const perp_joint_type *const *types = perp_joint_types(&count);
    const perp_joint_type *type = NULL;

    do {
        type = types[pick(d, (long)count)];
    } while (!type->reduce || (d->plane && type->axes_apart));
    return type;
}

static void draw_trees(draw *d)
{
    static const perp_motion bases[] = {PERP_MOTION_STATIC, PERP_MOTION_KINEMATIC,
                                        PERP_MOTION_DYNAMIC};
    const int32_t links = 1 + (int32_t)pick(d, LINKS_MOST);
    const bool chain = pick(d, 3) == 0;

    draw_body(d, "base", bases[pick(d, 3)]);
    for (int32_t k = 1; k <= links; k++) {
        int32_t parent = chain ? k - 1 : (int32_t)pick(d, k);
        bool turned = pick(d, 2) == 0;

        draw_body(d, "link", PERP_MOTION_DYNAMIC);
        if (k == 1 || pick(d, 10) > 0) { /* else a tree of its own */
            draw_joint(d, draw_type(d), turned ? k : parent, turned ? parent : k);
        }
    }
}

/* Random coordinates and rates of the trees, and the poses and velocities of these. */
static void move_trees(draw *d)
{
    perp_articulation *tree = NULL;

    if (d->status == PERP_OK) {
        d->status = perp_world_reduce(d->world, NULL, d->err);
    }
    if (d->status != PERP_OK) {
        return;
    }
    tree = d->world->start->trees;
    for (size_t k = 0; k < tree->count; k++) {
        for (size_t c = tree->first[k]; c < tree->first[k + 1]; c++) {
            bool length = tree->links[k].mobilizer->unit[c - tree->first[k]][0] == 'm';

            /* three angles of a ball: at most sqrt(3) 1.7 = 2.9 rad */
            tree->q[c] = uniform(d, -1.7, 1.7) * (length ? 0.5 : 1.0);
            tree->qd[c] = uniform(d, -1.0, 1.0);
        }
    }
    d->status = perp_world_forward_kinematics(d->world, d->world->start, d->err);
    perp_world_unreduce(d->world);
}

static void draw_axis(draw *d, perp_axis *axis)
{
    switch (pick(d, 8)) {
    case 0:
        axis->has_lower = true;
        axis->lower = axis->value + uniform(d, -0.2, 0.05);
        break;
    case 1:
        axis->has_upper = axis->has_lower = true;
        axis->upper = axis->value + uniform(d, 0.0, 0.2);
        axis->lower = axis->upper - 0.5;
        axis->restitution = uniform(d, 0.0, 0.9);
        break;
    case 2:
        axis->motor = PERP_MOTOR_VELOCITY;
        axis->target = uniform(d, -2.0, 2.0);
        axis->max_force = uniform(d, 0.1, 10.0);
        break;
    case 3:
        axis->motor = PERP_MOTOR_SERVO;
        axis->target = axis->value + uniform(d, -0.5, 0.5);
        axis->max_force = uniform(d, 1.0, 100.0);
        axis->max_rate = 1.0;
        break;
    case 4:
        axis->motor = PERP_MOTOR_FRICTION;
        axis->max_force = uniform(d, 0.1, 2.0);
        break;
    case 5:
        axis->stiffness = uniform(d, 0.1, 50.0);
        axis->damping = uniform(d, 0.0, 1.0);
        break;
    default:
        break;
    }
}

/* Whether axis a is a coordinate, seen from either body. */
static bool has_coordinate(const draw *d, const perp_joint *joint, unsigned a)
{
    perp_link link = {0};
    perp_joint_axes axes[2];

    return joint->type->reduce &&
           joint->type->reduce(joint, d->world, false, d->told->how.euler, &link,
                               &axes[0]) &&
           joint->type->reduce(joint, d->world, true, d->told->how.euler, &link,
                               &axes[1]) &&
           axes[0].coordinate[a] >= 0 && axes[1].coordinate[a] >= 0;
}

static void draw_axes(draw *d)
{
    for (size_t k = 0; d->status == PERP_OK && k < d->world->joint_count; k++) {
        perp_joint *joint = &d->world->joints[k];

        for (unsigned a = 0; a < joint->type->axes; a++) {
            draw_axis(d, &joint->axes[a]);
            if (d->told->rotors && has_coordinate(d, joint, a) && pick(d, 2)) {
                joint->axes[a].armature = uniform(d, 0.0, 1.0);
            }
        }
    }
}

/* Joints between bodies of the trees that are in one already, or in two. */
static void draw_loops(draw *d)
{
    static const char *const kinds[] = {"rod", "rope", "spherical", "revolute"};
    const long count = d->told->rotors ? 2 : 4; /* with rotors, none a tree may take */
    const long bodies = (long)d->world->body_count;

    for (long k = pick(d, LOOPS_MOST + 1); k > 0 && bodies > 2; k--) {
        int32_t i = (int32_t)pick(d, bodies);
        int32_t j = 1 + (int32_t)pick(d, bodies - 1);

        if (i != j) {
            draw_joint(d, perp_joint_type_find(kinds[pick(d, count)]), i, j);
        }
    }
}

static void draw_shapes(draw *d)
{
    static const char *const kinds[] = {"sphere", "box"};
    double lowest = INFINITY;
    const int up = d->plane ? 1 : 2;
    perp_body ground = {.name = "ground", .motion = PERP_MOTION_STATIC};
    perp_shape shape = {.type = NULL};
    int32_t body = 0;

    for (size_t k = 0; d->status == PERP_OK && k < d->world->body_count; k++) {
        shape.type = perp_shape_type_find(kinds[pick(d, 2)]);
        shape.body = (int32_t)k;
        shape.size[0] = uniform(d, 0.05, 0.25);
        shape.size[1] = uniform(d, 0.05, 0.25);
        shape.size[2] = uniform(d, 0.05, 0.25);
        if (d->world->shape_count < SHAPES_MOST) {
            d->status = perp_world_add_shape(d->world, &shape, NULL, d->err);
            lowest = fmin(lowest, perp_body_pose(d->world->start, k)[up] - shape.size[0]);
        }
        for (int c = 0; c < 3; c++) {
            d->told->lengths =
                fmax(d->told->lengths, fabs(perp_body_pose(d->world->start, k)[c]));
        }
    }
    ground.r[up] = lowest + 0.02;
    shape.type = perp_shape_type_find("plane");
    if (d->status == PERP_OK) {
        d->status = perp_world_add_body(d->world, &ground, &body, d->err);
        shape.body = body;
    }
    if (d->status == PERP_OK) {
        d->status = perp_world_add_shape(d->world, &shape, NULL, d->err);
    }
}

static void draw_rest(draw *d)
{
    draw_loops(d);
    for (long k = pick(d, ALONE_MOST + 1); k > 0; k--) {
        draw_body(d, "alone", PERP_MOTION_DYNAMIC);
    }
    draw_axes(d);
    draw_shapes(d);
    for (size_t k = 0; d->status == PERP_OK && k < d->world->body_count; k++) {
        if (pick(d, 3) == 0) {
            draw_vector(d, d->plane, d->world->start->load + 6 * k);
            d->world->start->load[6 * k + 5] = uniform(d, -1.0, 1.0);
        }
    }
    d->world->materials[0].mu = uniform(d, 0.0, 1.0);
    d->world->materials[0].restitution = pick(d, 2) ? uniform(d, 0.0, 0.9) : 0.0;
}

static void draw_scheme(draw *d)
{
    perp_scheme *s = &d->told->scheme;

    perp_scheme_default(s);
    s->dt = pick(d, 2) ? 0.01 : 0.001;
    s->stabilize = (perp_stabilize)pick(d, PERP_STABILIZE_NONE + 1);
    s->restitution = (perp_restitution)pick(d, PERP_RESTITUTION_POISSON + 1);
    s->integrator = (perp_integrator)pick(d, PERP_INTEGRATOR_RK4 + 1);
    s->limits = (perp_limits)pick(d, 2);
    s->model = pick(d, 2) ? PERP_MODEL_FRICTIONLESS : PERP_MODEL_ASSOCIATED;
    s->max_correction = 1.0;
    d->told->how.euler = pick(d, 4) == 0;
    d->told->how.free_bodies = pick(d, 4) == 0;
    d->told->rotors = pick(d, 3) == 0;
}

static void tell(draw *d)
{
    const perp_world *w = d->world;
    torture_forest *told = d->told;
    double light = INFINITY;
    double heavy = 0.0;
    int n = 0;

    for (size_t k = 0; k < w->body_count; k++) {
        if (w->motion[k] == PERP_MOTION_DYNAMIC) {
            light = fmin(light, w->mass[k]);
            heavy = fmax(heavy, w->mass[k]);
        }
    }
    told->ratio = heavy / light;
    n = snprintf(told->what, sizeof told->what,
                 "%uD, %zu bodies, base %d, %s%s%s:", w->dimension, w->body_count,
                 (int)w->motion[0], perp_integrator_names[told->scheme.integrator],
                 told->how.euler ? ", euler" : "", told->rotors ? ", rotors" : "");
    for (size_t k = 0; k < w->joint_count && n < (int)sizeof told->what; k++) {
        n += snprintf(told->what + n, sizeof told->what - (size_t)n, " %s",
                      w->joints[k].name);
    }
}

perp_world *torture_forest_draw(uint64_t seed, size_t index, torture_forest *told,
                                perp_error *err)
{
    draw d = {.g = {seed + 1000003 * index}, .told = told, .err = err};

    memset(told, 0, sizeof *told);
    told->lengths = 1.0;
    snprintf(told->what, sizeof told->what, "as it was drawn");
    d.plane = pick(&d, 3) == 0;
    d.spread = pick(&d, 4) ? 0.5 : 2.0;
    d.status = perp_world_new(&d.world, d.plane ? 2 : 3, err);
    if (d.status == PERP_OK) {
        draw_scheme(&d);
        draw_trees(&d);
        move_trees(&d);
        draw_rest(&d);
    }
    if (d.status != PERP_OK) {
        perp_world_free(d.world);
        return NULL;
    }
    perp_world_refresh(d.world, d.world->start);
    tell(&d);
    return d.world;
}
