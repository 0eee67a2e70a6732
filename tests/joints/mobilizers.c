/* SPDX-License-Identifier: Apache-2.0
 * tests/joints/mobilizers.c: every registered mobilizer against differences of its
 * place, and what holds of all of them. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "math/vec3.h"
#include "random_mobilizer.h"

static const double pi = 3.14159265358979323846;

static void check_motion(const mobile_state *s, perp_random *g)
{
    double up[MOST], down[MOST], phi[6], differences[6];

    (void)g;
    mobile_moved(s, mobile_step, up);
    mobile_moved(s, -mobile_step, down);
    mobile_twist_between(s, down, up, differences);
    mobile_twist(s, phi);
    test_agree("S qd", phi, differences, 6, mobile_differences);
}

TEST(the_motion_is_the_rate_of_the_place)
{
    mobile_all(5.0, check_motion);
}

static void check_rate(const mobile_state *s, perp_random *g)
{
    size_t n = 6 * (size_t)s->type->dof;
    double q[MOST], S[6 * MOST], Sdot[6 * MOST], up[6 * MOST], down[6 * MOST];

    (void)g;
    s->type->motion(s->axes, s->q, s->qd, S, Sdot);
    s->type->motion(s->axes, s->q, NULL, up, NULL);
    CU_ASSERT(memcmp(S, up, n * sizeof *S) == 0);
    mobile_moved(s, mobile_step, q);
    s->type->motion(s->axes, q, NULL, up, NULL);
    mobile_moved(s, -mobile_step, q);
    s->type->motion(s->axes, q, NULL, down, NULL);
    for (size_t k = 0; k < n; k++) {
        up[k] = (up[k] - down[k]) / (2.0 * mobile_step);
    }
    test_agree("dS/dt", Sdot, up, n, mobile_differences);
}

TEST(the_rate_of_the_motion_is_its_difference)
{
    mobile_all(5.0, check_rate);
}

/* Found next to where they were, whatever the number of turns. Angles of 50 rad are
 * rounded to 1e-14, and the worst of what is regular here loses a digit more. */
static void check_coordinates(const mobile_state *s, perp_random *g)
{
    double q[MOST];
    perp_frame Q;

    s->type->place(s->axes, s->q, &Q);
    mobile_draw(g, 0.3, q, s->type->dof);
    for (unsigned k = 0; k < s->type->dof; k++) {
        q[k] += s->q[k];
    }
    s->type->coordinates(s->axes, &Q, q);
    test_agree("q", q, s->q, s->type->dof, 1e-12);
}

TEST(coordinates_come_back_over_many_turns)
{
    mobile_all(2.0, check_coordinates);
    mobile_all(20.0, check_coordinates);
}

/* From anywhere: other coordinates perhaps, but of the same pose. */
static void check_pose(const mobile_state *s, perp_random *g)
{
    double q[MOST];
    perp_frame Q, again;

    s->type->place(s->axes, s->q, &Q);
    mobile_draw(g, 20.0, q, s->type->dof);
    s->type->coordinates(s->axes, &Q, q);
    s->type->place(s->axes, q, &again);
    test_agree("R", again.R, Q.R, 9, 1e-12);
    test_agree("p", again.p, Q.p, 3, 1e-12);
}

TEST(coordinates_found_from_anywhere_have_the_pose)
{
    mobile_all(8.0, check_pose);
}

/* sqrt(det S^T S): the volume that unit rates span. */
static double volume(const mobile_state *s)
{
    size_t dof = s->type->dof;
    double S[6 * MOST];
    double product = 1.0;

    s->type->motion(s->axes, s->q, NULL, S, NULL);
    for (size_t j = 0; j < dof; j++) {
        double square = 0.0;

        for (size_t i = 0; i < 6; i++) {
            square += S[6 * j + i] * S[6 * j + i];
        }
        product *= sqrt(square);
        for (size_t k = j + 1; k < dof && square > 0.0; k++) {
            double dot = 0.0;

            for (size_t i = 0; i < 6; i++) {
                dot += S[6 * j + i] * S[6 * k + i];
            }
            for (size_t i = 0; i < 6; i++) {
                S[6 * k + i] -= dot / square * S[6 * j + i];
            }
        }
    }
    return product;
}

/* Where `regular` is not 0, S has as many independent columns as there are coordinates:
 * dof motions, and 6 - dof wrenches that do no work on them. */
static void check_rank(const mobile_state *s, perp_random *g)
{
    mobile_state zero = *s;

    (void)g;
    memset(zero.q, 0, sizeof zero.q);
    CU_ASSERT_DOUBLE_EQUAL(mobile_regular(&zero), 1.0, 1e-15);
    CU_ASSERT(volume(&zero) > 0.4); /* axes at cos = 0.9 at worst */
    CU_ASSERT_DOUBLE_EQUAL(volume(s), mobile_regular(s) * volume(&zero), 1e-13);
}

TEST(motions_are_independent_as_regular_says)
{
    mobile_all(6.0, check_rank);
}

TEST(coordinates_are_lost_where_regular_is_nothing)
{
    mobile_state ball = {.type = perp_mobilizer_find("spherical"),
                         .q = {0.0, 2.0 * pi, 0.0}};
    mobile_state euler = {.type = perp_mobilizer_find("spherical-euler"),
                          .q = {1.0, 0.5 * pi, 2.0}};

    CU_ASSERT(mobile_regular(&ball) <= 1e-30);
    CU_ASSERT(volume(&ball) <= 1e-15);
    CU_ASSERT(mobile_regular(&euler) <= 1e-15);
    CU_ASSERT(volume(&euler) <= 1e-15);
}

/* At the singularity of Euler angles: a pose there is found, with the first angle
 * kept. */
TEST(euler_angles_are_found_at_their_singularity)
{
    const perp_mobilizer *euler = perp_mobilizer_find("spherical-euler");
    const double q[3] = {1.0, 0.5 * pi, 2.0};
    double p[3] = {0.7, 1.5, 2.2};
    perp_frame Q, again;

    euler->place(NULL, q, &Q);
    memset(Q.R + 5, 0, sizeof(double)); /* what rounding left of cos(q1) */
    memset(Q.R + 8, 0, sizeof(double));
    euler->coordinates(NULL, &Q, p);
    euler->place(NULL, p, &again);
    test_agree("R", again.R, Q.R, 9, 1e-14);
    CU_ASSERT(p[0] == 0.7);
}

/* Three hinges one after the other about x, y, z; and a ball at the same pose turns with
 * the same velocity. */
TEST(euler_angles_are_three_hinges)
{
    static const double unit[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const perp_mobilizer *euler = perp_mobilizer_find("spherical-euler");
    const perp_mobilizer *hinge = perp_mobilizer_find("revolute");
    const perp_mobilizer *ball = perp_mobilizer_find("spherical");
    perp_random g = {822};

    for (int n = 0; n < DRAWS; n++) {
        mobile_state s = mobile_draw_state(euler, 4.0, &g);
        perp_frame Q, chain, one;
        double r[3] = {0.0, 0.0, 0.0};

        perp_frame_identity(&chain);
        for (int k = 0; k < 3; k++) {
            hinge->place(unit[k], s.q + k, &one);
            perp_frame_multiply(&chain, &one, &chain);
        }
        euler->place(s.axes, s.q, &Q);
        test_agree("R", Q.R, chain.R, 9, 1e-15);
        ball->coordinates(NULL, &Q, r);
        ball->place(NULL, r, &one);
        test_agree("R", one.R, Q.R, 9, 1e-14);
    }
}

/* Two bodies with arms l1 and l2 to a joint between them, frames aligned at q = 0:
 * R_2 = R_1 rot(q), x_2 = x_1 + R_1 l_1 - R_2 l_2. */
TEST(hinge_and_ball_hold_two_arms_together)
{
    static const char *const names[] = {"revolute", "spherical", "spherical-euler",
                                        "universal"};
    perp_random g = {823};

    for (int n = 0; n < 40; n++) {
        mobile_state s = mobile_draw_state(perp_mobilizer_find(names[n % 4]), 3.0, &g);
        perp_frame E1, E2, Ep, Ec, Q;
        double l1[3], l2[3], p1[3], p2[3], R2[9];

        mobile_draw(&g, 2.0, p1, 3);
        perp_exponential(p1, E1.R);
        mobile_draw(&g, 2.0, E1.p, 3);
        mobile_draw(&g, 1.0, l1, 3);
        mobile_draw(&g, 1.0, l2, 3);
        perp_frame_identity(&Ep);
        perp_frame_identity(&Ec);
        vec3_copy(Ep.p, l1);
        vec3_scale(-1.0, l2, Ec.p);
        s.type->place(s.axes, s.q, &Q);
        perp_frame_multiply(&E1, &Ep, &E2);
        perp_frame_multiply(&E2, &Q, &E2);
        perp_frame_multiply(&E2, &Ec, &E2);
        mat3_multiply(E1.R, Q.R, R2);
        test_agree("R_2", E2.R, R2, 9, 1e-15);
        mat3_apply(E1.R, l1, p1);
        vec3_add(E1.p, 1.0, p1, p1);
        mat3_apply(E2.R, l2, p2);
        vec3_add(E2.p, 1.0, p2, p2);
        test_agree("the joint", p2, p1, 3, 1e-14);
    }
}

TEST(every_type_says_what_it_is)
{
    size_t count = 0;
    const perp_mobilizer *const *types = perp_mobilizers(&count);

    CU_ASSERT_EQUAL(count, 10);
    CU_ASSERT_PTR_NULL(types[count]);
    CU_ASSERT_PTR_EQUAL(perp_mobilizers(NULL), types);
    CU_ASSERT_PTR_NULL(perp_mobilizer_find("hinge"));
    for (size_t k = 0; k < count; k++) {
        const perp_mobilizer *t = types[k];

        CU_ASSERT_PTR_EQUAL(perp_mobilizer_find(t->name), t);
        CU_ASSERT(t->summary && t->reference);
        CU_ASSERT(t->dof <= PERP_MOBILIZER_DOF && t->axes <= 2);
        CU_ASSERT(!t->square || t->axes == 2);
        for (unsigned d = 0; d < PERP_MOBILIZER_DOF; d++) {
            CU_ASSERT_EQUAL(t->unit[d] != NULL, d < t->dof);
        }
        CU_ASSERT(!t->quasi == !t->drift);
    }
}

/* What a mobilizer leaves free and the rows of the joint that is like it make six. */
TEST(coordinates_and_rows_of_a_joint_make_six)
{
    static const char *const pairs[][2] = {
        {"revolute", "revolute"},
        {"prismatic", "prismatic"},
        {"cylindrical", "cylindrical"},
        {"universal", "universal"},
        {"universal", "wheel"},
        {"spherical", "spherical"},
        {"spherical-euler", "spherical"},
        {"planar", "planar"},
        {"fixed", "fixed"},
    };

    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        const perp_mobilizer *mobilizer = perp_mobilizer_find(pairs[k][0]);
        const perp_joint_type *joint = perp_joint_type_find(pairs[k][1]);

        CU_ASSERT_FATAL(mobilizer && joint);
        CU_ASSERT_EQUAL(mobilizer->dof + joint->rows, 6);
        CU_ASSERT(joint->axes == 0 || joint->axes == mobilizer->dof);
        for (unsigned a = 0; a < joint->axes; a++) {
            CU_ASSERT_STRING_EQUAL(perp_axis_unit_text(joint->axis_unit[a]),
                                   mobilizer->unit[a]);
        }
    }
}
