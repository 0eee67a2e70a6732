/* SPDX-License-Identifier: Apache-2.0
 * tests/world/remove.c: bodies, shapes, joints, forces and contacts are removed, in the
 * middle of a run, too. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "scarce.h"
#include "world_run.h"

static const char solver[] = "nsgs+newton tolerance=1e-9";

static const double pillar[3] = {0.1, 0.2, 0.3};
static const double lintel[3] = {0.5, 0.2, 0.05};
static const double stone[3] = {0.2, 0.2, 0.1};

/* A ball of two parts, which has a shape with parts of its own. */
static void add_dumbbell(perp_world *w, double x, double z)
{
    perp_shape parts[2] = {{.type = perp_shape_type_find("sphere"), .size = {0.1}},
                           {.type = perp_shape_type_find("sphere"), .size = {0.1}}};
    perp_shape whole = {
        .type = perp_shape_type_find("compound"), .part_count = 2, .parts = parts};

    parts[0].at[0] = -0.15;
    parts[1].at[0] = 0.15;
    whole.body = test_ball(w, "dumbbell", 1.0, 0.2, x, 0.0, z);
    OK(perp_world_add_shape(w, &whole, NULL, NULL));
}

static void add_spring(perp_world *w, const char *name, int32_t i, int32_t j)
{
    perp_force spring = {
        .type = perp_force_type_find("spring"), .i = i, .j = j, .value = {5.0, 0.5}};

    memcpy(spring.name, name, strlen(name) + 1);
    OK(perp_world_add_force(w, &spring, NULL));
}

/* A gate: two pillars, a lintel (the keystone) and a stone on it, and beside it a dumbbell
 * and two balls on a joint. What hangs on the keystone is not there without it. */
static perp_world *gate(bool keystone)
{
    perp_world *w = test_world(3, 9.81);
    int32_t key = -1, top = -1, left = -1, right = -1;

    run_ground(w);
    run_box(w, "pillar 1", 4.0, pillar, -0.35, 0.0, 0.3);
    if (keystone) {
        key = run_box(w, "keystone", 3.0, lintel, 0.0, 0.0, 0.65);
    }
    run_box(w, "pillar 2", 4.0, pillar, 0.35, 0.0, 0.3);
    top = run_box(w, "stone", 2.0, stone, 0.05, 0.0, 0.8);
    left = run_ball(w, "left", 1.0, 0.1, 1.5, 0.0, 0.3);
    right = run_ball(w, "right", 1.0, 0.1, 1.9, 0.0, 0.2);
    add_dumbbell(w, 2.5, 0.1);
    if (keystone) {
        run_joint(w, "rope", key, left, NULL, NULL)->length = 9.0;
        add_spring(w, "to the keystone", left, key);
    }
    run_joint(w, "spherical", left, right, (const double[3]){1.7, 0.0, 0.3}, NULL);
    add_spring(w, "to the stone", right, top);
    return w;
}

static perp_state *state_of(const perp_world *w)
{
    perp_state *x = NULL;

    OK(perp_state_new(&x, w, NULL));
    return x;
}

static perp_stepper *stepper_by(const perp_scheme *scheme, const perp_world *w,
                                perp_state *x, bool warm)
{
    perp_options opt;
    const perp_solver_type *type = run_solver(solver, &opt);
    perp_stepper *st = NULL;

    OK(perp_stepper_new(&st, w, scheme,
                        &(perp_stepper_options){
                            .solver = type, .options = &opt, .state = x, .cold = !warm},
                        NULL));
    return st;
}

static perp_stepper *stepper_of(const perp_world *w, perp_state *x, bool warm)
{
    const perp_scheme scheme = run_scheme(0.01);

    return stepper_by(&scheme, w, x, warm);
}

static perp_report steps(perp_stepper *st, int n)
{
    perp_report report = {0};
    perp_error err = {0};

    for (int k = 0; k < n; k++) {
        perp_status status = perp_stepper_step(st, &report, &err);

        if (status != PERP_OK) {
            test_note("%s", err.text);
        }
        OK(status);
        CU_ASSERT_EQUAL(report.outcome, PERP_SOLVED);
    }
    return report;
}

/* `to`, of a world with as many bodies and joints, stands where `from` does. */
static void stand(perp_state *to, const perp_state *from)
{
    CU_ASSERT_EQUAL_FATAL(to->body_count, from->body_count);
    CU_ASSERT_EQUAL_FATAL(to->joint_count, from->joint_count);
    to->t = from->t;
    memcpy(to->s, from->s, 7 * to->body_count * sizeof *to->s);
    memcpy(to->u, from->u, 6 * to->body_count * sizeof *to->u);
    memcpy(to->load, from->load, 6 * to->body_count * sizeof *to->load);
    memcpy(to->axes, from->axes, PERP_JOINT_AXES * to->joint_count * sizeof *to->axes);
}

static bool same(const perp_state *x, const perp_state *y)
{
    return x->body_count == y->body_count && x->t == y->t &&
           memcmp(x->s, y->s, 7 * x->body_count * sizeof *x->s) == 0 &&
           memcmp(x->u, y->u, 6 * x->body_count * sizeof *x->u) == 0 &&
           memcmp(x->axes, y->axes, PERP_JOINT_AXES * x->joint_count * sizeof *x->axes) ==
               0;
}

/* The gate stands for a while, loses its keystone, and goes on as one that was built without
 * it and stands where this one does. */
static void lose_keystone(const perp_scheme *scheme)
{
    perp_world *w = gate(true), *without = gate(false);
    perp_state *x = state_of(w), *y = state_of(without);
    perp_stepper *st = stepper_by(scheme, w, x, false);
    perp_stepper *other = stepper_by(scheme, without, y, false);
    const double height = perp_body_pose(x, 4)[2];
    perp_removal removal = {0};

    x->load[6 * 5 + 1] = 0.1; /* the load of a body goes along */
    steps(st, 20);
    CU_ASSERT_DOUBLE_EQUAL(perp_body_pose(x, 4)[2], height, 0.001); /* it stands */
    OK(perp_world_remove_body(w, 2, &removal, NULL));
    OK(perp_state_remove(x, &removal, NULL));
    stand(y, x);
    CU_ASSERT_EQUAL(x->load[6 * 4 + 1], 0.1);
    for (int k = 0; k < 40; k++) {
        steps(st, 1);
        steps(other, 1);
        CU_ASSERT(same(x, y));
    }
    CU_ASSERT(perp_body_pose(x, 3)[2] < height - 0.05); /* the stone came down */
    perp_removal_clear(&removal);
}

TEST(a_run_that_loses_its_keystone_goes_on_as_if_built_without)
{
    static const perp_integrator integrators[] = {
        PERP_INTEGRATOR_SEMI_IMPLICIT, PERP_INTEGRATOR_IMPLICIT,
        PERP_INTEGRATOR_POSITION_VERLET, PERP_INTEGRATOR_RK4};
    static const perp_stabilize stabilizers[] = {
        PERP_STABILIZE_NONE, PERP_STABILIZE_BAUMGARTE, PERP_STABILIZE_SPLIT,
        PERP_STABILIZE_PROJECT};

    for (int k = 0; k < 4; k++) {
        perp_scheme scheme = run_scheme_by(integrators[k], 0.01);

        scheme.stabilize = stabilizers[k];
        scheme.restitution = k == 2 ? PERP_RESTITUTION_POISSON : PERP_RESTITUTION_NEWTON;
        lose_keystone(&scheme);
    }
}

/* What is left is found by its name, in the order it had, and refers to the new numbers. */
TEST(a_body_goes_with_its_shapes_joints_and_forces)
{
    perp_world *w = gate(true);
    perp_removal m = {0};
    const uint32_t id = w->shapes[3].id;

    OK(perp_world_remove_body(w, 2, &m, NULL));
    CU_ASSERT_EQUAL(m.body_count, 8);
    CU_ASSERT_EQUAL(m.shape_count, 8);
    CU_ASSERT_EQUAL(m.joint_count, 2);
    CU_ASSERT_EQUAL(m.force_count, 2);
    CU_ASSERT_EQUAL(m.removals, 1);
    for (int32_t k = 0; k < 8; k++) {
        CU_ASSERT_EQUAL(m.body[k], k < 2 ? k : k == 2 ? -1 : k - 1);
        CU_ASSERT_EQUAL(m.shape[k], m.body[k]);
    }
    CU_ASSERT(m.joint[0] == -1 && m.joint[1] == 0);
    CU_ASSERT(m.force[0] == -1 && m.force[1] == 0);
    CU_ASSERT_EQUAL(w->body_count, 7);
    CU_ASSERT_EQUAL(w->shape_count, 7);
    CU_ASSERT_EQUAL(w->joint_count, 1);
    CU_ASSERT_EQUAL(w->force_count, 1);
    CU_ASSERT_EQUAL(perp_world_find_body(w, "keystone"), -1);
    for (int32_t k = 0; k < 7; k++) {
        CU_ASSERT_EQUAL(perp_world_find_body(w, w->name[k]), k);
        CU_ASSERT_EQUAL(w->shapes[k].body, k);
    }
    CU_ASSERT_EQUAL(w->shapes[6].parts[1].body, 6);
    CU_ASSERT_EQUAL(w->shapes[2].id, id);
    CU_ASSERT_EQUAL(perp_world_find_joint(w, w->joints[0].name), 0);
    CU_ASSERT_STRING_EQUAL(w->joints[0].type->name, "spherical");
    CU_ASSERT(w->joints[0].i == 4 && w->joints[0].j == 5);
    CU_ASSERT_STRING_EQUAL(w->forces[0].name, "to the stone");
    CU_ASSERT(w->forces[0].i == 5 && w->forces[0].j == 3);
    CU_ASSERT_EQUAL(w->start->body_count, 7);
    CU_ASSERT_EQUAL(w->start->joint_count, 1);
    CU_ASSERT_EQUAL(w->mass[3], 2.0);
    CU_ASSERT_EQUAL(perp_body_pose(w->start, 3)[2], 0.8);
    perp_removal_clear(&m);
}

/* Bodies that are added afterwards take the name and the number that are free again, and none of
 * the impulses of the removed one. */
TEST(a_name_is_free_again_after_its_body_has_gone)
{
    perp_world *w = gate(true);
    perp_state *x = state_of(w);
    perp_stepper *st = stepper_of(w, x, true);
    perp_removal m = {0};
    const uint32_t last = w->shapes[7].id;

    steps(st, 5);
    OK(perp_world_remove_body(w, 7, &m, NULL));
    OK(perp_state_remove(x, &m, NULL));
    add_dumbbell(w, 2.5, 0.1);
    CU_ASSERT_EQUAL(perp_world_find_body(w, "dumbbell"), 7);
    CU_ASSERT_EQUAL(w->shapes[7].id, last + 1);
    OK(perp_state_extend(x, w, NULL));
    steps(st, 5);
    perp_removal_clear(&m);
}

/* A tower of four that rests loses a body that stands elsewhere, in front of all others: contacts
 * of the rest start from their impulses, and need a quarter of the iterations without. */
TEST(a_removed_body_leaves_the_impulses_of_others_for_the_next_step)
{
    static const double half[3] = {0.1, 0.1, 0.1};
    perp_world *w = test_world(3, 9.81);
    perp_stepper *st = NULL, *other = NULL;
    perp_state *x = NULL;
    perp_report before, after, cold;
    perp_removal m = {0};
    double *saved = NULL;

    run_ball(w, "elsewhere", 1.0, 0.1, 9.0, 9.0, 0.1);
    run_ground(w);
    for (int k = 0; k < 4; k++) {
        run_box(w, (const char *[]){"a", "b", "c", "d"}[k], 1.0, half, 0.0, 0.0,
                0.1 + 0.2 * k);
    }
    st = stepper_of(w, w->start, true);
    before = steps(st, 30);
    CU_ASSERT_EQUAL(before.contacts, 17);
    CU_ASSERT_EQUAL(before.warm, 17);
    OK(perp_world_remove_body(w, 0, &m, NULL));
    OK(perp_state_remove(w->start, &m, NULL)); /* it has followed */
    CU_ASSERT_EQUAL(w->start->body_count, 5);
    x = state_of(w);
    OK(perp_state_copy(x, w->start, NULL));
    other = stepper_of(w, x, true);
    cold = steps(other, 1);
    CU_ASSERT_EQUAL(cold.warm, 0);
    saved = test_alloc(perp_stepper_state_size(st), sizeof *saved);
    OK(perp_stepper_save(st, saved, perp_stepper_state_size(st), NULL));
    OK(perp_stepper_load(st, saved, perp_stepper_state_size(st), NULL));
    after = steps(st, 1);
    CU_ASSERT_EQUAL(after.contacts, 16);
    CU_ASSERT_EQUAL(after.warm, 16);
    CU_ASSERT(4 * after.iterations < cold.iterations);
    CU_ASSERT_EQUAL(after.step, 31);
    perp_removal_clear(&m);
}

/* Forces of the step before the removal are not given out under the new numbers. */
TEST(forces_of_the_step_before_are_gone_after_a_removal)
{
    perp_world *w = gate(true);
    perp_stepper *st = stepper_of(w, w->start, false);
    double force[6];

    steps(st, 3);
    OK(perp_stepper_joint_force(st, 1, force, NULL));
    CU_ASSERT(force[2] != 0.0);
    OK(perp_world_remove_joint(w, 0, NULL, NULL));
    OK(perp_stepper_joint_force(st, 0, force, NULL));
    CU_ASSERT_EQUAL(force[2], 0.0);
    OK(perp_stepper_contact_force(st, 0, force, NULL));
    CU_ASSERT_EQUAL(force[2], 0.0);
    CU_ASSERT_EQUAL(perp_stepper_row_forces(st, PERP_ROLE_JOINT, 1, 0, 0, NULL), 0);
    steps(st, 1);
    OK(perp_stepper_joint_force(st, 0, force, NULL));
    CU_ASSERT(force[2] != 0.0);
}

/* Without a shape the body falls through, without a joint it swings no more, without a force
 * it is not pulled; states need to follow the joint alone. */
TEST(a_shape_a_joint_or_a_force_is_removed_without_its_body)
{
    perp_world *w = gate(true);
    perp_state *x = state_of(w);
    perp_stepper *st = stepper_of(w, x, true);
    perp_removal m = {0};
    perp_error err = {0};

    OK(perp_world_remove_shape(w, 7, &m, NULL)); /* the dumbbell */
    CU_ASSERT(m.shape[7] == -1 && m.body[7] == 7 && m.removals == 0);
    OK(perp_world_remove_force(w, 0, &m, NULL));
    CU_ASSERT(m.force[0] == -1 && m.force[1] == 0);
    OK(perp_state_remove(x, &m, NULL));
    CU_ASSERT_EQUAL(w->force_count, 1);
    CU_ASSERT_STRING_EQUAL(w->forces[0].name, "to the stone");
    steps(st, 40);
    CU_ASSERT_DOUBLE_EQUAL(perp_body_pose(x, 7)[2],
                           0.1 - 9.81 * 0.01 * 0.01 * 40 * 41 / 2, 1e-12);
    OK(perp_world_remove_joint(w, 1, &m, NULL));
    CU_ASSERT(m.joint[0] == 0 && m.joint[1] == -1 && m.removals == 1);
    CU_ASSERT_EQUAL(perp_stepper_step(st, &(perp_report){0}, &err), PERP_ERR_ARGUMENT);
    CU_ASSERT_STRING_EQUAL(err.text,
                           "state: it has followed 0 of 1 removals, expected all");
    OK(perp_state_remove(x, &m, NULL));
    CU_ASSERT_EQUAL(x->joint_count, 1);
    CU_ASSERT_EQUAL(x->body_count, 8);
    steps(st, 1);
    perp_removal_clear(&m);
}

/* A state follows removals in their order, or is refused, even where numbers agree. */
TEST(a_state_follows_every_removal_in_its_order)
{
    perp_world *w = gate(true);
    perp_state *x = state_of(w);
    perp_stepper *st = stepper_of(w, x, false);
    perp_removal first = {0}, second = {0};
    perp_error err = {0};

    OK(perp_world_remove_body(w, 2, &first, NULL));
    test_ball(w, "new", 1.0, 0.1, 5.0, 0.0, 0.1);
    CU_ASSERT_EQUAL(perp_stepper_step(st, &(perp_report){0}, NULL), PERP_ERR_ARGUMENT);
    OK(perp_state_extend(x, w, NULL)); /* waits for the removal */
    CU_ASSERT_EQUAL(x->body_count, 8);
    OK(perp_world_remove_body(w, 1, &second, NULL));
    CU_ASSERT_EQUAL(perp_state_remove(x, &second, &err), PERP_ERR_ARGUMENT);
    CU_ASSERT_STRING_EQUAL(err.text, "state: 8 bodies, 2 joints and 0 removals followed, "
                                     "expected at most 8 and 1 before removal 2");
    CU_ASSERT_EQUAL(x->body_count, 8);
    OK(perp_state_remove(x, &first, NULL));
    OK(perp_state_remove(x, &first, NULL)); /* it has followed */
    CU_ASSERT_EQUAL(x->body_count, 7);
    OK(perp_state_remove(x, &second, NULL));
    CU_ASSERT_EQUAL(x->body_count, 6);
    OK(perp_state_extend(x, w, NULL));
    CU_ASSERT_EQUAL(x->body_count, 7);
    steps(st, 1);
    perp_removal_clear(&first);
    perp_removal_clear(&second);
}

/* In reduced coordinates bodies and joints stay until the world is unreduced; its states then
 * follow, in maximal coordinates or, by way of the start, in reduced ones again. */
TEST(a_world_in_reduced_coordinates_is_unreduced_before)
{
    perp_world *w = gate(true);
    perp_state *x = NULL;
    perp_stepper *st = NULL;
    perp_removal m = {0};
    perp_error err = {0};
    double at = 0.0;

    OK(perp_world_reduce(w, NULL, NULL));
    x = state_of(w);
    st = stepper_of(w, x, false);
    steps(st, 10);
    CU_ASSERT_EQUAL(perp_world_remove_body(w, 2, &m, &err), PERP_ERR_UNSUITABLE);
    CU_ASSERT_STRING_EQUAL(err.text, "remove: body 2 of a world in reduced coordinates, "
                                     "expected maximal ones: call perp_world_unreduce "
                                     "before");
    perp_error_clear(&err);
    CU_ASSERT_EQUAL(perp_world_remove_joint(w, 0, &m, &err), PERP_ERR_UNSUITABLE);
    CU_ASSERT_PTR_NULL(m.body);
    OK(perp_world_remove_force(w, 0, NULL, NULL));
    steps(st, 1);
    at = perp_body_pose(x, 6)[2];
    perp_world_unreduce(w);
    OK(perp_world_remove_body(w, 2, &m, NULL));
    OK(perp_state_remove(x, &m, NULL));
    CU_ASSERT_PTR_NULL(x->trees);
    CU_ASSERT_EQUAL(perp_body_pose(x, 5)[2], at);
    OK(perp_state_copy(w->start, x, NULL));
    OK(perp_world_reduce(w, NULL, &err));
    OK(perp_state_copy(x, w->start, NULL));
    CU_ASSERT_PTR_NOT_NULL(x->trees);
    steps(st, 1);
    perp_world_unreduce(w);
    OK(perp_state_copy(x, w->start, NULL));
    steps(st, 1);
    perp_removal_clear(&m);
}

TEST(numbers_that_there_are_not_are_refused)
{
    perp_world *w = gate(true);
    perp_error err = {0};

    CU_ASSERT_EQUAL(perp_world_remove_body(w, 8, NULL, &err), PERP_ERR_ARGUMENT);
    CU_ASSERT_STRING_EQUAL(err.text, "remove: body 8, the world has 8, counted from 0");
    CU_ASSERT_EQUAL(perp_world_remove_body(w, -1, NULL, NULL), PERP_ERR_ARGUMENT);
    CU_ASSERT_EQUAL(perp_world_remove_shape(w, 8, NULL, NULL), PERP_ERR_ARGUMENT);
    CU_ASSERT_EQUAL(perp_world_remove_joint(w, 2, NULL, NULL), PERP_ERR_ARGUMENT);
    CU_ASSERT_EQUAL(perp_world_remove_force(w, 2, NULL, NULL), PERP_ERR_ARGUMENT);
    while (w->body_count > 0) {
        OK(perp_world_remove_body(w, 0, NULL, NULL));
    }
    CU_ASSERT(w->shape_count == 0 && w->joint_count == 0 && w->force_count == 0);
    CU_ASSERT_EQUAL(perp_world_remove_body(w, 0, NULL, NULL), PERP_ERR_ARGUMENT);
}

/* Rays see the world without what was removed. */
TEST(rays_pass_where_a_body_was)
{
    static const double from[3] = {0.0, 0.0, 5.0}, down[3] = {0.0, 0.0, -1.0};
    perp_world *w = test_world(3, 0.0);
    perp_collider *c = NULL;
    perp_ray_hit hit;
    bool found = false;

    run_ball(w, "a", 1.0, 0.5, 0.0, 0.0, 2.0);
    run_ball(w, "b", 1.0, 0.5, 0.0, 0.0, 0.0);
    OK(perp_collider_new(&c, NULL));
    for (int k = 0; k < 3; k++) {
        OK(perp_collider_cast(c, w, w->start, from, down, 9.0, &found, &hit, NULL));
        CU_ASSERT_EQUAL(found, k < 2);
        CU_ASSERT(!found || fabs(hit.t - (k == 0 ? 2.5 : 4.5)) < 1e-12);
        if (k < 2) {
            OK(perp_world_remove_body(w, 0, NULL, NULL));
        }
    }
}

static perp_status remove_all(void *world, perp_error *err)
{
    perp_world *w = world;
    const size_t bodies = w->body_count, shapes = w->shape_count;
    perp_removal m = {0};
    perp_status status = perp_world_remove_body(w, 0, &m, err);

    if (status != PERP_OK) {
        CU_ASSERT_EQUAL(status, PERP_ERR_MEMORY);
        CU_ASSERT_PTR_NULL(m.body);
        CU_ASSERT_EQUAL(w->body_count, bodies);
        CU_ASSERT_EQUAL(w->shape_count, shapes);
    } else {
        CU_ASSERT_EQUAL(w->body_count, bodies - 1);
    }
    perp_removal_clear(&m);
    return status;
}

TEST(without_memory_the_world_stays_as_it_was)
{
    perp_world *w = gate(true);

    scarce_everywhere(remove_all, w, "remove");
}

/* A contact that is taken out has no rows. */
TEST(a_contact_is_left_out_of_a_formulation)
{
    static const double half[3] = {0.3, 0.2, 0.1};
    perp_world *w = test_world(3, 9.81);
    const perp_scheme scheme = run_scheme(0.01);
    perp_contacts contacts = {0};
    perp_free_motion motion = {0};
    perp_rows rows = {0};
    uint64_t key = 0;

    run_ground(w);
    run_box(w, "box", 2.0, half, 0.0, 0.0, 0.1);
    OK(perp_collide(w, w->start, 0.01, &contacts, NULL));
    CU_ASSERT_EQUAL_FATAL(contacts.count, 4);
    key = contacts.at[2].key;
    perp_contacts_remove(&contacts, 4); /* no such contact */
    CU_ASSERT_EQUAL(contacts.count, 4);
    perp_contacts_remove(&contacts, 1);
    CU_ASSERT_EQUAL(contacts.count, 3);
    CU_ASSERT_EQUAL(contacts.at[1].key, key);
    OK(perp_free_motion_run(&motion, w, w->start, &scheme, NULL));
    OK(perp_rows_write(&rows, w, w->start, &contacts, &scheme, NULL));
    CU_ASSERT_EQUAL(rows.contact_blocks, 3);
    perp_rows_clear(&rows);
    perp_free_motion_clear(&motion);
    perp_contacts_clear(&contacts);
}

static bool only(void *context, const perp_world *world, size_t a, size_t b)
{
    const int32_t out = *(const int32_t *)context;

    return world->shapes[a].body != out && world->shapes[b].body != out;
}

/* Of two boxes the one that the filter leaves out falls, from the step on that follows. */
TEST(a_stepper_asks_a_filter)
{
    perp_world *w = test_world(3, 10.0);
    perp_stepper *st = NULL;
    int32_t out = 1;

    run_ground(w);
    run_box(w, "a", 1.0, stone, 0.0, 0.0, 0.1);
    run_box(w, "b", 1.0, stone, 1.0, 0.0, 0.1);
    st = stepper_of(w, w->start, true);
    CU_ASSERT_EQUAL(steps(st, 2).contacts, 8);
    perp_stepper_set_filter(st, only, &out);
    CU_ASSERT_EQUAL(steps(st, 1).contacts, 4);
    CU_ASSERT_DOUBLE_EQUAL(perp_body_velocity(w->start, 1)[2], -0.1, 1e-9);
    out = 2; /* the filter answers anew in every step */
    steps(st, 1);
    CU_ASSERT_DOUBLE_EQUAL(perp_body_velocity(w->start, 2)[2], -0.1, 1e-9);
    perp_stepper_set_filter(st, NULL, NULL);
    CU_ASSERT_EQUAL(steps(st, 1).contacts, 8);
}
