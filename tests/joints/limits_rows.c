/* SPDX-License-Identifier: Apache-2.0
 * tests/joints/limits_rows.c: limits, motors, servos and friction of joints as rows. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "formulated_world.h"
#include "problem/writer.h"

/* The block of a role and side, or NULL. */
static const perp_row_block *find_block(const stage *s, perp_role role, int side)
{
    for (size_t k = 0; k < s->system.rows.block_count; k++) {
        const perp_row_block *b = &s->system.rows.blocks[k];

        if (b->role == role && b->side == side) {
            return b;
        }
    }
    return NULL;
}

/* Golden biases of limits take k_cor on both sides of the limit;
 * off it ours is -gap/dt. */
static void check_limit(const golden_case *c, const stage *s, int side, const char *J,
                        const char *bias)
{
    const perp_row_block *b = find_block(s, PERP_ROLE_LIMIT, side);
    double expected = golden_real(c->out, bias);
    double k_cor = golden_real(c->in, "k_cor");

    CU_ASSERT_PTR_NOT_NULL_FATAL(b);
    expected = expected < 0.0 ? expected / (k_cor * s->scheme.dt) : expected;
    golden_agree(c, J, s->system.rows.J + 12 * b->first, 12);
    test_agree(bias, s->system.rows.bias + b->first, &expected, 1, c->tol);
    CU_ASSERT_EQUAL(s->system.rows.lo[b->first], 0.0);
    CU_ASSERT_EQUAL(s->system.rows.hi[b->first], INFINITY);
}

static void check_motor(const golden_case *c, const stage *s, const char *J,
                        const char *bias)
{
    const perp_row_block *b = find_block(s, PERP_ROLE_MOTOR, 0);

    CU_ASSERT_PTR_NOT_NULL_FATAL(b);
    golden_agree(c, J, s->system.rows.J + 12 * b->first, 12);
    golden_agree(c, bias, s->system.rows.bias + b->first, 1);
    golden_agree(c, "impulse_bound", s->system.rows.hi + b->first, 1);
    CU_ASSERT_EQUAL(s->system.rows.lo[b->first], -s->system.rows.hi[b->first]);
}

static perp_joint *open_golden(stage *s, const golden_case *c, const char *type)
{
    perp_joint joint;

    stage_open(s, golden_pair(c));
    golden_joint(&joint, type, c->in, 0, 1);
    OK(perp_world_add_joint(s->world, &joint, NULL, NULL));
    s->scheme.dt = golden_real(c->in, "dt");
    s->scheme.erp = golden_real(c->in, "k_cor") * s->scheme.dt;
    return &s->world->joints[0];
}

static void check_axis(const golden_case *c, const char *type)
{
    stage s;
    perp_joint *joint = open_golden(&s, c, type);
    perp_axis *axis = &joint->axes[0];

    axis->has_lower = axis->has_upper = true;
    axis->lower = golden_real(c->in, "lo_limit");
    axis->upper = golden_real(c->in, "hi_limit");
    axis->motor = PERP_MOTOR_VELOCITY;
    axis->target = golden_real(c->in, "v_desired");
    axis->max_force = golden_real(c->in, "max_force");
    stage_formulate(&s);
    check_limit(c, &s, -1, "J_lo", "b_lo");
    check_limit(c, &s, +1, "J_hi", "b_hi");
    check_motor(c, &s, "J_motor", "b_motor");
    axis->motor = PERP_MOTOR_SERVO;
    axis->target = golden_real(c->in, "target");
    stage_formulate(&s);
    check_motor(c, &s, "J_servo", "b_servo");
    stage_close(&s);
}

static void check_slider(const golden_case *c)
{
    check_axis(c, "prismatic");
}

static void check_hinge(const golden_case *c)
{
    check_axis(c, "revolute");
}

TEST(limits_and_motors_of_sliders_are_the_golden_ones)
{
    golden_each("limits_motors", "slider", check_slider);
}

TEST(limits_and_motors_of_hinges_are_the_golden_ones)
{
    golden_each("limits_motors", "hinge", check_hinge);
}

static void check_general(const golden_case *c)
{
    stage s;

    open_golden(&s, c, strcmp(c->type, "general_cone") == 0 ? "cone" : "rope");
    s.scheme.limits = PERP_LIMITS_ALWAYS;
    stage_formulate(&s);
    CU_ASSERT_EQUAL_FATAL(s.system.rows.count, 1);
    golden_agree(c, "J", s.system.rows.J, 12);
    golden_agree(c, "b_err", s.system.rows.bias, 1);
    CU_ASSERT_EQUAL(s.system.problem.set->blocks[0].kind, PERP_SET_NONNEG);
    s.scheme.limits = PERP_LIMITS_ON_VIOLATION;
    stage_formulate(&s);
    CU_ASSERT_EQUAL(s.system.rows.count, golden_real(c->out, "C") > 0.0 ? 0 : 1);
    stage_close(&s);
}

TEST(general_limits_are_the_golden_ones)
{
    golden_each("limits_motors", "general_cone", check_general);
    golden_each("limits_motors", "general_rope", check_general);
}

/* A mass of 2 kg at x on a slider along x from the fixed ground, moving at speed v, its
 * coordinate x - 0. dt = 1/64 s, erp = 1/4: k_cor = 16 exactly. No gravity. */
static perp_axis *open_slider(stage *s, const char *type, double x, double v)
{
    const double origin[3] = {0.0, 0.0, 0.0};
    const double along[3] = {1.0, 0.0, 0.0};
    perp_world *world = test_world(3, 0.0);
    perp_joint joint = {.name = "rail", .i = 0, .j = 1};

    test_ball(world, "ground", 0.0, 1.0, 0.0, 0.0, 0.0);
    test_ball(world, "mass", 2.0, 1.0, 0.0, 0.0, 0.0);
    joint.type = perp_joint_type_find(type);
    OK(perp_joint_attach(&joint, world, world->start, origin, along, along, NULL));
    OK(perp_world_add_joint(world, &joint, NULL, NULL));
    world->start->s[7] = x;
    world->start->u[6] = v;
    stage_open(s, world);
    s->scheme.dt = 1.0 / 64.0;
    s->scheme.erp = 0.25;
    return &world->joints[0].axes[0];
}

/* Bias of the only limit at distance `gap` from it, approached at speed 4. */
static double limit_bias(double gap, double e, perp_limits limits, size_t *count)
{
    stage s;
    perp_axis *axis = open_slider(&s, "prismatic", 1.0 + gap, -4.0);
    const perp_row_block *b = NULL;
    double bias = NAN;

    axis->has_lower = true;
    axis->lower = 1.0;
    axis->restitution = e;
    s.scheme.limits = limits;
    stage_formulate(&s);
    b = find_block(&s, PERP_ROLE_LIMIT, -1);
    *count = s.system.rows.count;
    bias = b ? s.system.rows.bias[b->first] : NAN;
    stage_close(&s);
    return bias;
}

TEST(a_limit_is_always_there_or_only_when_reached)
{
    size_t count = 0;

    CU_ASSERT_EQUAL(limit_bias(0.5, 0.0, PERP_LIMITS_ALWAYS, &count), -32.0);
    CU_ASSERT_EQUAL(count, 6);
    limit_bias(0.5, 0.0, PERP_LIMITS_ON_VIOLATION, &count);
    CU_ASSERT_EQUAL(count, 5);
    CU_ASSERT_EQUAL(limit_bias(0.0, 0.0, PERP_LIMITS_ON_VIOLATION, &count), 0.0);
    CU_ASSERT_EQUAL(count, 6);
    CU_ASSERT_EQUAL(limit_bias(-0.5, 0.0, PERP_LIMITS_ON_VIOLATION, &count), 8.0);
}

TEST(a_limit_may_bounce)
{
    size_t count = 0;

    CU_ASSERT_EQUAL(limit_bias(0.0, 0.5, PERP_LIMITS_ALWAYS, &count), 2.0);
    CU_ASSERT_EQUAL(limit_bias(-0.0625, 0.5, PERP_LIMITS_ALWAYS, &count), 2.0);
    CU_ASSERT_EQUAL(limit_bias(-0.5, 0.5, PERP_LIMITS_ALWAYS, &count), 8.0);
    CU_ASSERT_EQUAL(limit_bias(0.5, 0.5, PERP_LIMITS_ALWAYS, &count), -32.0);
}

TEST(equal_limits_lock_the_axis_by_one_free_row)
{
    stage s;
    perp_axis *axis = open_slider(&s, "prismatic", 1.0, 3.0);
    char name[64];

    axis->has_lower = axis->has_upper = true;
    axis->lower = axis->upper = 0.5;
    s.scheme.limits = PERP_LIMITS_ON_VIOLATION;
    stage_formulate(&s);
    CU_ASSERT_EQUAL(s.system.rows.count, 6);
    CU_ASSERT_EQUAL(s.system.rows.bias[5], -8.0);
    CU_ASSERT_EQUAL(s.system.problem.set->blocks[5].kind, PERP_SET_FREE);
    rows_name(&s.system.rows, s.world, NULL, 5, name, sizeof name);
    CU_ASSERT_STRING_EQUAL(name, "limit rail (locked)");
    perp_result_free(stage_solve(&s, "dantzig"));
    CU_ASSERT_DOUBLE_EQUAL(s.u_plus[6], -8.0, 1e-12);
    stage_close(&s);
}

/* Speed after a step, starting at v, with this motor; and its impulse. */
static double motor_speed(const perp_axis *motor, double x, double v, double *impulse)
{
    stage s;
    perp_axis *axis = open_slider(&s, "prismatic", x, v);
    perp_result *r = NULL;
    double speed = 0.0;

    *axis = *motor;
    stage_formulate(&s);
    r = stage_solve(&s, "dantzig");
    *impulse = r->z[5];
    speed = s.u_plus[6];
    /* too slow at the upper bound, too fast at the lower one, else held */
    CU_ASSERT(r->z[5] < s.system.rows.hi[5] || r->w[5] <= 1e-12);
    CU_ASSERT(r->z[5] > s.system.rows.lo[5] || r->w[5] >= -1e-12);
    CU_ASSERT(fabs(r->z[5]) == s.system.rows.hi[5] || fabs(r->w[5]) <= 1e-12);
    stage_close(&s);
    return speed;
}

/* 64 N for 1/64 s are 1 N s: 1/2 m/s on 2 kg. Speeds of a few m/s by one pivot: 1e-12. */
TEST(a_motor_brakes_holds_or_pushes_within_its_force)
{
    const perp_axis motor = {
        .motor = PERP_MOTOR_VELOCITY, .target = 3.0, .max_force = 64.0};
    double z = 0.0;

    CU_ASSERT_DOUBLE_EQUAL(motor_speed(&motor, 0.0, 5.0, &z), 4.5, 1e-12); /* too fast */
    CU_ASSERT_EQUAL(z, -1.0);
    CU_ASSERT_DOUBLE_EQUAL(motor_speed(&motor, 0.0, 3.25, &z), 3.0, 1e-12); /* held */
    CU_ASSERT_DOUBLE_EQUAL(z, -0.5, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(motor_speed(&motor, 0.0, 2.75, &z), 3.0, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(z, 0.5, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(motor_speed(&motor, 0.0, -1.0, &z), -0.5, 1e-12); /* slow */
    CU_ASSERT_EQUAL(z, 1.0);
}

TEST(a_motor_of_any_force_reaches_its_speed_at_once)
{
    const perp_axis motor = {
        .motor = PERP_MOTOR_VELOCITY, .target = 3.0, .max_force = INFINITY};
    double z = 0.0;

    CU_ASSERT_DOUBLE_EQUAL(motor_speed(&motor, 0.0, -9.0, &z), 3.0, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(z, 24.0, 1e-11);
}

TEST(friction_of_a_joint_sticks_or_slips)
{
    const perp_axis rub = {
        .motor = PERP_MOTOR_FRICTION, .target = 9.0, .max_force = 64.0};
    double z = 0.0;

    CU_ASSERT_DOUBLE_EQUAL(motor_speed(&rub, 0.0, 0.25, &z), 0.0, 1e-12); /* sticks */
    CU_ASSERT_DOUBLE_EQUAL(z, -0.5, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(motor_speed(&rub, 0.0, 2.0, &z), 1.5, 1e-12); /* slips */
    CU_ASSERT_EQUAL(z, -1.0);
    CU_ASSERT_DOUBLE_EQUAL(motor_speed(&rub, 0.0, -2.0, &z), -1.5, 1e-12);
    CU_ASSERT_EQUAL(z, 1.0);
}

/* k_cor = 16: half a metre away it wants 8 m/s. */
TEST(a_servo_goes_to_its_target_within_rate_and_force)
{
    perp_axis servo = {.motor = PERP_MOTOR_SERVO, .target = 1.0, .max_force = INFINITY};
    double z = 0.0;

    CU_ASSERT_DOUBLE_EQUAL(motor_speed(&servo, 0.5, 0.0, &z), 8.0, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(motor_speed(&servo, 1.5, 0.0, &z), -8.0, 1e-12);
    servo.max_rate = 2.0;
    CU_ASSERT_DOUBLE_EQUAL(motor_speed(&servo, 0.5, 0.0, &z), 2.0, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(motor_speed(&servo, 1.5, 0.0, &z), -2.0, 1e-12);
    servo.max_force = 64.0;
    CU_ASSERT_DOUBLE_EQUAL(motor_speed(&servo, 0.5, 0.0, &z), 0.5, 1e-12);
}

TEST(limits_beyond_half_a_turn_count_turns)
{
    stage s;
    perp_axis *axis = open_slider(&s, "revolute", 0.0, 0.0);
    const double turn = 6.283185307179586;

    axis->has_upper = true;
    s.scheme.limits = PERP_LIMITS_ALWAYS;
    axis->upper = turn + 0.5;
    perp_joint_axes_of(s.world->start, 0)[0] =
        turn + 0.125; /* the angle itself is 0.25 */
    s.world->start->s[10] = cos(0.125);
    s.world->start->s[11] = sin(0.125);
    stage_formulate(&s);
    CU_ASSERT_EQUAL(s.system.rows.count, 6);
    CU_ASSERT_DOUBLE_EQUAL(s.system.rows.bias[5], -0.25 * 64.0, 1e-12);
    stage_close(&s);
}

TEST(only_baumgarte_corrects_joints_in_the_velocity)
{
    stage s;
    perp_axis *axis = open_slider(&s, "prismatic", 0.0, 0.0);

    s.world->start->s[8] = 0.5; /* off the rail by y */
    axis->stiffness = 3.0;
    axis->rest = 1.0;
    stage_formulate(&s);
    CU_ASSERT_DOUBLE_EQUAL(fabs(s.system.rows.bias[3]) + fabs(s.system.rows.bias[4]), 8.0,
                           1e-14);
    CU_ASSERT_EQUAL(s.system.rows.bias_position[3], s.system.rows.bias[3]);
    s.scheme.stabilize = PERP_STABILIZE_PROJECT;
    stage_formulate(&s);
    CU_ASSERT(s.system.rows.bias[3] == 0.0 && s.system.rows.bias[4] == 0.0);
    CU_ASSERT(s.system.rows.bias[5] != 0.0); /* a spring pulls all the same */
    CU_ASSERT_EQUAL(s.system.rows.blocks[1].role, PERP_ROLE_SPRING);
    CU_ASSERT(s.system.rows.any_soft && s.system.rows.soft[5] > 0.0);
    stage_close(&s);
}

TEST(a_joint_may_have_an_erp_of_its_own)
{
    stage s;

    open_slider(&s, "prismatic", 0.0, 0.0);
    s.world->start->s[8] = 0.5;
    s.world->joints[0].erp = 1.0;
    stage_formulate(&s);
    CU_ASSERT_DOUBLE_EQUAL(fabs(s.system.rows.bias[3]) + fabs(s.system.rows.bias[4]),
                           32.0, 1e-13);
    stage_close(&s);
}

/* A body moved by the user carries the other along: its velocity is in b. */
TEST(a_kinematic_body_drives_what_is_joined_to_it)
{
    stage s;

    open_slider(&s, "fixed", 0.0, 0.0);
    s.world->motion[0] = PERP_MOTION_KINEMATIC;
    s.world->start->u[0] = 2.0;
    s.world->start->u[5] = 3.0;
    stage_formulate(&s);
    CU_ASSERT_EQUAL(s.system.rows.body[0], -1);
    perp_result_free(stage_solve(&s, "dantzig"));
    test_agree("driven", s.u_plus + 6, s.world->start->u, 6, 1e-12); /* one elimination */
    test_agree("driver", s.u_plus, s.world->start->u, 6, 0.0);
    stage_close(&s);
}

TEST(joints_between_bodies_that_never_move_have_no_rows)
{
    stage s;

    open_slider(&s, "prismatic", 0.0, 0.0)->has_lower = true;
    s.world->motion[1] = PERP_MOTION_STATIC;
    stage_formulate(&s);
    CU_ASSERT_EQUAL(s.system.rows.count, 0);
    stage_close(&s);
}

/* Limits, motor and spring on both axes of a wheel: 4 rows and 8 more, each with a name
 * and a key of its own that is the same when all is written again. */
TEST(rows_of_axes_have_names_and_lasting_keys)
{
    const double at[3] = {0.0, 0.0, 0.0};
    const double steering[3] = {0.0, 0.0, 1.0};
    const double spin[3] = {0.0, 1.0, 0.0};
    perp_joint wheel = {.name = "front", .i = 0, .j = 1};
    uint64_t keys[12];
    char name[64];
    stage s;

    stage_open(&s, test_random_world(2, 9));
    wheel.type = perp_joint_type_find("wheel");
    OK(perp_joint_attach(&wheel, s.world, s.world->start, at, steering, spin, NULL));
    for (int k = 0; k < 2; k++) {
        wheel.axes[k] = (perp_axis){.has_lower = true,
                                    .lower = -3.0,
                                    .has_upper = true,
                                    .upper = 3.0,
                                    .motor = PERP_MOTOR_VELOCITY,
                                    .max_force = 1.0,
                                    .stiffness = 1.0};
    }
    OK(perp_world_add_joint(s.world, &wheel, NULL, NULL));
    stage_formulate(&s);
    CU_ASSERT_EQUAL_FATAL(s.system.problem.n, 12);
    for (size_t k = 0; k < 12; k++) {
        keys[k] = s.system.keys[k];
        CU_ASSERT(keys[k] > UINT32_MAX); /* far from small numbers of contacts */
        for (size_t i = 0; i < k; i++) {
            CU_ASSERT(keys[i] != keys[k]);
        }
    }
    stage_formulate(&s);
    CU_ASSERT_EQUAL(memcmp(keys, s.system.keys, sizeof keys), 0);
    perp_system_name(&s.system, s.world, NULL, 4, name, sizeof name);
    CU_ASSERT_STRING_EQUAL(name, "limit front axis 1 (lower)");
    perp_system_name(&s.system, s.world, NULL, 9, name, sizeof name);
    CU_ASSERT_STRING_EQUAL(name, "limit front axis 2 (upper)");
    perp_system_name(&s.system, s.world, NULL, 10, name, sizeof name);
    CU_ASSERT_STRING_EQUAL(name, "motor front axis 2");
    perp_system_name(&s.system, s.world, NULL, 11, name, sizeof name);
    CU_ASSERT_STRING_EQUAL(name, "spring front axis 2");
    stage_close(&s);
}

/* Motors turn j about the axis of i and about its own; the two are at a right angle. */
static void check_two_motors(const char *type)
{
    const double at[3] = {0.0, 0.0, 0.0};
    const double steering[3] = {0.0, 0.0, 1.0};
    const double spin[3] = {0.0, 1.0, 0.0};
    perp_joint joint = {.name = "front", .i = 0, .j = 1};
    stage s;

    stage_open(&s, test_random_world(2, 9));
    joint.type = perp_joint_type_find(type);
    OK(perp_joint_attach(&joint, s.world, s.world->start, at, steering, spin, NULL));
    for (int k = 0; k < 2; k++) {
        joint.axes[k].motor = PERP_MOTOR_VELOCITY;
        joint.axes[k].target = 1.0 + k;
        joint.axes[k].max_force = INFINITY;
    }
    OK(perp_world_add_joint(s.world, &joint, NULL, NULL));
    stage_formulate(&s);
    perp_result_free(stage_solve(&s, "dantzig"));
    CU_ASSERT_DOUBLE_EQUAL(s.u_plus[11] - s.u_plus[5], 1.0, 1e-11); /* about z */
    CU_ASSERT_DOUBLE_EQUAL(s.u_plus[10] - s.u_plus[4], 2.0, 1e-11); /* about y */
    stage_close(&s);
}

TEST(motors_of_wheels_and_universal_joints_reach_their_speeds)
{
    check_two_motors("wheel");
    check_two_motors("universal");
}
