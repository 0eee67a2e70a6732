/* SPDX-License-Identifier: Apache-2.0
 * tests/articulation/articulated_rates.c: coordinates, their rates and better velocities;
 * what a tree hangs on; links in any order. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "articulation/articulated.h"
#include "math/vec3.h"
#include "random_tree.h"

/* Roundings of a few dozen products at a regular place. */
static const double rounding = 1e-12;

static perp_articulation *tree_of(uint64_t seed, bool moving)
{
    const tree_how how = {
        .count = 30, .shape = TREE_BUSHY, .moving = moving, .seed = seed};

    return random_tree(&how);
}

TEST(velocities_and_rates_are_inverse_to_each_other)
{
    perp_articulation *tree = tree_of(1, true);
    const size_t n = tree->n;
    double *nu = reals(n);
    double *qd = reals(n);

    perp_articulation_quasi(tree, tree->qd, nu);
    CU_ASSERT(test_distance(n, nu, tree->qd) > 0.1); /* some types do have better ones */
    OK(perp_articulation_rates(tree, nu, qd, NULL));
    CU_ASSERT(test_distance(n, qd, tree->qd) <= rounding * test_largest(n, qd));
    /* in place */
    OK(perp_articulation_rates(tree, nu, nu, NULL));
    CU_ASSERT_EQUAL(memcmp(nu, qd, n * sizeof *nu), 0);
    perp_articulation_quasi(tree, nu, nu);
    perp_articulation_quasi(tree, qd, qd);
    CU_ASSERT_EQUAL(memcmp(nu, qd, n * sizeof *nu), 0);
}

TEST(the_rate_of_velocities_is_that_of_differences)
{
    perp_articulation *tree = tree_of(2, false);
    const size_t n = tree->n;
    const double h = 1e-5;
    double *qdd = drawn(n, 3);
    double *nu_dot = reals(n);
    double *q = reals(n);
    double *qd = reals(n);
    double *x = reals(n);
    double *v = reals(n);
    double *nu[2] = {reals(n), reals(n)};

    tree->switch_chart = false;
    memcpy(q, tree->q, n * sizeof *q);
    memcpy(qd, tree->qd, n * sizeof *qd);
    perp_articulation_quasi_rate(tree, qdd, nu_dot);
    for (int s = 0; s < 2; s++) {
        const double t = s == 0 ? -h : h;

        for (size_t i = 0; i < n; i++) {
            x[i] = q[i] + t * qd[i];
            v[i] = qd[i] + t * qdd[i];
        }
        put_state(tree, x, v);
        perp_articulation_quasi(tree, tree->qd, nu[s]);
    }
    for (size_t i = 0; i < n; i++) {
        CU_ASSERT_DOUBLE_EQUAL((nu[1][i] - nu[0][i]) / (2.0 * h), nu_dot[i], 1e-8);
    }
    free(nu[0]);
    free(nu[1]);
}

/* Poses move as velocities say, and velocities nu stay what they are. */
TEST(drift_moves_along_velocities_that_stay)
{
    const double h = 1e-5;
    double *p[2] = {NULL, NULL};
    double *u = NULL;
    size_t count = 0;

    for (int s = 0; s < 2; s++) {
        perp_articulation *tree = tree_of(4, false);
        double *nu = reals(tree->n);
        double *after = reals(tree->n);

        count = tree->count;
        p[s] = reals(12 * count);
        if (s == 0) {
            u = reals(6 * count);
            memcpy(u, tree->u, 6 * count * sizeof *u);
        }
        perp_articulation_quasi(tree, tree->qd, nu);
        CU_ASSERT_EQUAL(perp_articulation_drift(tree, nu, s == 0 ? -h : h, NULL),
                        PERP_OK);
        perp_articulation_quasi(tree, tree->qd, after);
        CU_ASSERT(test_distance(tree->n, nu, after) <=
                  rounding * test_largest(tree->n, nu));
        for (size_t k = 0; k < count; k++) {
            memcpy(p[s] + 12 * k, tree->E[k].p, 3 * sizeof *p[s]);
            memcpy(p[s] + 12 * k + 3, tree->E[k].R, 9 * sizeof *p[s]);
        }
        /* as far as one likes, too */
        OK(perp_articulation_drift(tree, nu, 20.0, NULL));
    }
    for (size_t k = 0; k < count; k++) {
        for (size_t i = 0; i < 12; i++) {
            p[1][12 * k + i] = (p[1][12 * k + i] - p[0][12 * k + i]) / (2.0 * h);
        }
        /* truncation h^2 times cubes of speeds up to some tens */
        CU_ASSERT(test_distance(3, p[1] + 12 * k, u + 6 * k) <=
                  1e-6 * test_largest(6 * count, u));
    }
    free(p[0]);
    free(p[1]);
}

TEST(rates_are_read_back_from_velocities_of_links)
{
    perp_articulation *tree = tree_of(5, true);
    double *qd = reals(tree->n);

    OK(articulated_fit_rates(tree, tree->u, qd, NULL));
    CU_ASSERT(test_distance(tree->n, qd, tree->qd) <= 1e-11 * test_largest(tree->n, qd));
}

/* What joints do not allow is dropped: the rest is at right angles to what they allow. */
TEST(what_joints_do_not_allow_is_dropped)
{
    perp_link link = plain_link("arm", -1, "revolute");
    perp_articulation *tree = NULL;
    const double u[6] = {2.0, 3.0, 4.0, 5.0, 6.0, 1.0};
    double qd = 0.0;

    vec3_set(link.Ec.p, 1.0, 0.0, 0.0);
    OK(perp_articulation_new(&tree, &link, 1, NULL));
    OK(perp_articulation_update(tree, NULL));
    OK(articulated_fit_rates(tree, u, &qd, NULL));
    /* S = (0, 1, 0; 0, 0, 1) at the centre of mass: (3 + 1)/2 */
    CU_ASSERT_DOUBLE_EQUAL(qd, 2.0, 1e-15);
}

/* A tree on a base that moves is the same tree on a link that moves so. */
TEST(a_moving_base_is_a_link_that_moves_so)
{
    enum { COUNT = 8 };
    const char *types[COUNT] = {"revolute",    "spherical",     "universal", "prismatic",
                                "cylindrical", "translational", "planar",    "fixed"};
    perp_link links[COUNT + 1] = {plain_link("base", -1, "free")};
    perp_articulation *whole = NULL;
    perp_articulation *tree = NULL;
    double *qdd = NULL;
    double *tau[2] = {NULL, NULL};

    for (int k = 0; k < COUNT; k++) {
        const double q[3] = {0.3 * k, 0.2, -0.1 * k};

        links[k + 1] = plain_link(types[k], k, types[k]);
        perp_exponential(q, links[k + 1].Ep.R);
        vec3_set(links[k + 1].Ec.p, 0.2, 0.1 * k, 0.3);
    }
    OK(perp_articulation_new(&whole, links, COUNT + 1, NULL));
    for (int k = 1; k <= COUNT; k++) {
        links[k].parent -= 1;
    }
    OK(perp_articulation_new(&tree, links + 1, COUNT, NULL));
    qdd = drawn(whole->n, 7);
    for (size_t i = 0; i < whole->n; i++) {
        whole->q[i] = qdd[i];
        whole->qd[i] = qdd[whole->n - 1 - i];
    }
    whole->gravity[2] = tree->gravity[2] = -9.81;
    OK(perp_articulation_update(whole, NULL));
    tree->base[0] = whole->E[0];
    memcpy(tree->base_u, whole->u, 6 * sizeof *whole->u);
    put_state(tree, whole->q + 6, whole->qd + 6);
    test_agree("velocities", tree->u, whole->u + 6, (size_t)6 * COUNT, rounding);
    /* accelerations of the first six such that nu stays: none of the base */
    {
        double *nu = reals(whole->n);
        double *dot = reals(whole->n);

        perp_articulation_quasi_rate(whole, nu, dot);
        for (int i = 0; i < 6; i++) {
            dot[i] = -dot[i];
        }
        OK(perp_articulation_rates(whole, dot, nu, NULL));
        memcpy(qdd, nu, 6 * sizeof *qdd);
    }
    tau[0] = reals(whole->n);
    tau[1] = reals(whole->n);
    perp_articulation_rnea(whole, qdd, NULL, tau[0]);
    perp_articulation_rnea(tree, qdd + 6, NULL, tau[1]);
    CU_ASSERT(test_distance(tree->n, tau[0] + 6, tau[1]) <=
              rounding * test_largest(tree->n, tau[1]));
    free(tau[0]);
    free(tau[1]);
}

TEST(links_may_come_in_any_order)
{
    /* c - b - a, and d on a, e alone; given from the leaves */
    perp_link links[] = {
        plain_link("d", 2, "spherical"),  plain_link("c", 3, "revolute"),
        plain_link("a", -1, "prismatic"), plain_link("b", 2, "free"),
        plain_link("e", -1, "fixed"),
    };
    const char *order[] = {"a", "d", "b", "c", "e"};
    const int32_t parents[] = {-1, 0, 0, 2, -1};
    const size_t first[] = {0, 1, 4, 10, 11, 11};
    const size_t depth[] = {1, 4, 7, 8, 0};
    perp_articulation *tree = NULL;

    OK(perp_articulation_new(&tree, links, 5, NULL));
    for (size_t k = 0; k < 5; k++) {
        CU_ASSERT_STRING_EQUAL(tree->links[k].name, order[k]);
        CU_ASSERT(tree->links[k].name != links[tree->place[k]].name);
        CU_ASSERT_EQUAL(tree->links[k].parent, parents[k]);
        CU_ASSERT_EQUAL(tree->first[k], first[k]);
        CU_ASSERT_EQUAL(tree->depth[k], depth[k]);
        CU_ASSERT_STRING_EQUAL(tree->links[tree->place[k]].name, links[k].name);
        CU_ASSERT_EQUAL(perp_articulation_find(tree, order[k]), (int32_t)k);
    }
    CU_ASSERT_EQUAL(tree->first[5], tree->n);
    CU_ASSERT_EQUAL(perp_articulation_find(tree, "f"), -1);
}

TEST(a_tree_without_links_does_nothing)
{
    perp_articulation *tree = NULL;

    OK(perp_articulation_new(&tree, NULL, 0, NULL));
    OK(perp_articulation_update(tree, NULL));
    OK(perp_articulation_aba(tree, NULL, NULL, NULL, NULL));
    CU_ASSERT_EQUAL(perp_articulation_kinetic(tree, NULL), 0.0);
    perp_articulation_free(NULL);
}

TEST(coordinates_are_exchanged_where_pose_and_velocity_stay)
{
    const tree_how how = {
        .count = 10, .shape = TREE_CHAIN, .mobilizer = "spherical", .seed = 9};
    perp_articulation *tree = random_tree(&how);
    perp_frame *E = test_alloc(tree->count, sizeof *E);
    double *q = reals(tree->n);
    double *u = reals(6 * tree->count);

    for (size_t i = 0; i < tree->n; i++) {
        tree->q[i] *= 6.0; /* many of them beyond pi, none at 2 pi */
    }
    tree->switch_chart = false;
    put_state(tree, tree->q, tree->qd);
    memcpy(E, tree->E, tree->count * sizeof *E);
    memcpy(u, tree->u, 6 * tree->count * sizeof *u);
    memcpy(q, tree->q, tree->n * sizeof *q);
    tree->switch_chart = true;
    put_state(tree, tree->q, tree->qd);
    CU_ASSERT(test_distance(tree->n, q, tree->q) > 1.0);
    for (size_t k = 0; k < tree->count; k++) {
        CU_ASSERT(vec3_length(tree->q + 3 * k) <= acos(-1.0) * (1.0 + 1e-15));
        CU_ASSERT(test_distance(9, E[k].R, tree->E[k].R) <= rounding);
        CU_ASSERT(test_distance(3, E[k].p, tree->E[k].p) <= rounding * 10.0);
    }
    CU_ASSERT(test_distance(6 * tree->count, u, tree->u) <=
              rounding * test_largest(6 * tree->count, u));
}

/* A spring and a damper worked by hand. */
TEST(springs_and_dampers_push_back)
{
    perp_link link = plain_link("slide", -1, "prismatic");
    perp_articulation *tree = NULL;
    double tau = 1.0;

    link.stiffness[0] = 2.0;
    link.damping[0] = 3.0;
    link.rest[0] = 0.5;
    OK(perp_articulation_new(&tree, &link, 1, NULL));
    tree->q[0] = 1.0;
    tree->qd[0] = 4.0;
    OK(perp_articulation_update(tree, NULL));
    perp_articulation_passive(tree, &tau);
    CU_ASSERT_DOUBLE_EQUAL(tau, 1.0 - 2.0 * 0.5 - 3.0 * 4.0, 1e-15);
    tree->gravity[2] = -10.0;
    CU_ASSERT_DOUBLE_EQUAL(perp_articulation_potential(tree), 10.0 + 0.25, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(perp_articulation_kinetic(tree, tree->qd), 8.0, 1e-15);
}
