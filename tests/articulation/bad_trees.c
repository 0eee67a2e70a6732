/* SPDX-License-Identifier: Apache-2.0
 * tests/articulation/bad_trees.c: links that make no tree, states that have no answer, and
 * memory that runs out: one clear line each. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "random_tree.h"
#include "scarce.h"

/* `spoil` changes one of three good links; the words it must meet. */
typedef struct bad_link {
    void (*spoil)(perp_link *links);
    const char *words;
} bad_link;

static void name_twice(perp_link *links)
{
    links[2].name = "a";
}

static void name_empty(perp_link *links)
{
    links[1].name = "";
}

static void name_none(perp_link *links)
{
    links[1].name = NULL;
}

static void type_none(perp_link *links)
{
    links[1].mobilizer = NULL;
}

static void parent_unknown(perp_link *links)
{
    links[1].parent = 3;
}

static void parent_below(perp_link *links)
{
    links[1].parent = -2;
}

static void parent_itself(perp_link *links)
{
    links[1].parent = 1;
}

static void parents_in_a_cycle(perp_link *links)
{
    links[0].parent = 2;
    links[2].parent = 1;
}

static void axis_long(perp_link *links)
{
    links[1].axes[0] = 2.0;
}

static void axis_nan(perp_link *links)
{
    links[1].axes[2] = NAN;
}

static void frame_stretched(perp_link *links)
{
    links[1].Ep.R[0] = 1.1;
}

static void frame_mirrored(perp_link *links)
{
    links[1].Ec.R[8] = -1.0;
}

static void frame_nan(perp_link *links)
{
    links[1].Ec.p[1] = NAN;
}

static void mass_negative(perp_link *links)
{
    links[1].mass = -2.0;
}

static void mass_nan(perp_link *links)
{
    links[1].mass = NAN;
}

static void inertia_negative(perp_link *links)
{
    links[1].inertia[4] = -1.0;
}

static void inertia_askew(perp_link *links)
{
    links[1].inertia[1] = 0.5;
}

static void inertia_indefinite(perp_link *links)
{
    links[1].inertia[1] = links[1].inertia[3] = 2.0;
}

static void damping_negative(perp_link *links)
{
    links[1].damping[0] = -1.0;
}

static void stiffness_infinite(perp_link *links)
{
    links[1].stiffness[0] = INFINITY;
}

static void armature_nan(perp_link *links)
{
    links[1].armature[0] = NAN;
}

static void rest_nan(perp_link *links)
{
    links[1].rest[0] = NAN;
}

static void leaf_massless(perp_link *links)
{
    links[2].mass = 0.0;
    memset(links[2].inertia, 0, sizeof links[2].inertia);
}

static const bad_link bad_links[] = {
    {name_twice, "link \"a\": links[0] and links[2] have this name"},
    {name_empty, "links[1]: no name"},
    {name_none, "links[1]: no name"},
    {type_none, "link \"b\": no joint type"},
    {parent_unknown, "link \"b\": parent is links[3], expected one of 3 links or -1"},
    {parent_below, "link \"b\": parent is links[-2], expected one of 3 links or -1"},
    {parent_itself, "links \"b\" -> \"b\": the parents form a cycle"},
    {parents_in_a_cycle,
     "links \"a\" -> \"c\" -> \"b\" -> \"a\": the parents form a cycle"},
    {axis_long, "link \"b\": revolute axis 1 has length 2.23607, expected 1"},
    {axis_nan, "link \"b\": revolute axis 1 has length nan, expected 1"},
    {frame_stretched,
     "link \"b\": Ep is no rotation: its error is 0.21, expected at most 1e-09"},
    {frame_mirrored,
     "link \"b\": Ec is no rotation: its error is 2, expected at most 1e-09"},
    {frame_nan, "link \"b\": Ec is not finite"},
    {mass_negative, "link \"b\": mass is -2, expected a number >= 0 [kg]"},
    {mass_nan, "link \"b\": mass is nan, expected a number >= 0 [kg]"},
    {inertia_negative, "link \"b\": inertia is not symmetric or has negative moments (1, "
                       "-1, 1 on the diagonal)"},
    {inertia_askew, "link \"b\": inertia is not symmetric"},
    {inertia_indefinite, "link \"b\": inertia is not symmetric"},
    {damping_negative,
     "link \"b\": damping of coordinate 0 is -1, expected a number >= 0"},
    {stiffness_infinite,
     "link \"b\": stiffness of coordinate 0 is inf, expected a number >= 0"},
    {armature_nan, "link \"b\": armature of coordinate 0 is nan, expected a number >= 0"},
    {rest_nan, "link \"b\": rest of coordinate 0 is not finite"},
    {leaf_massless,
     "link \"c\": moves, but neither it nor a link that it carries has a mass"},
};

static void good_links(perp_link links[3])
{
    links[0] = plain_link("a", -1, "revolute");
    links[1] = plain_link("b", 0, "revolute");
    links[2] = plain_link("c", 1, "revolute");
}

static void says(const perp_error *err, perp_status status, const char *words)
{
    if (err->status != status || !strstr(err->text, words)) {
        test_note("expected \"%s\", found \"%s\"", words, err->text);
    }
    CU_ASSERT_EQUAL(err->status, status);
    CU_ASSERT_PTR_NOT_NULL(strstr(err->text, words));
    CU_ASSERT_PTR_NULL(strchr(err->text, '\n'));
}

TEST(links_that_form_no_tree_are_refused_by_name)
{
    for (size_t k = 0; k < sizeof bad_links / sizeof *bad_links; k++) {
        perp_articulation *tree = (perp_articulation *)&k;
        perp_link links[3];
        perp_error err = {0};

        good_links(links);
        bad_links[k].spoil(links);
        CU_ASSERT_EQUAL(perp_articulation_new(&tree, links, 3, &err), PERP_ERR_DATA);
        CU_ASSERT_PTR_NULL(tree);
        says(&err, PERP_ERR_DATA, bad_links[k].words);
    }
}

/* Massless, but something resists: a rotor, or what hangs on it does not move by
 * itself. */
TEST(what_has_no_mass_may_stay_where_something_resists)
{
    perp_link links[3];
    perp_articulation *tree = NULL;
    double qdd[3];
    const double tau[3] = {0.0, 0.0, 1.0};

    good_links(links);
    leaf_massless(links);
    links[2].armature[0] = 0.5;
    OK(perp_articulation_new(&tree, links, 3, NULL));
    OK(perp_articulation_update(tree, NULL));
    OK(perp_articulation_aba(tree, tau, NULL, qdd, NULL));
    CU_ASSERT_DOUBLE_EQUAL(qdd[2], 2.0, 1e-15);
    links[2].mobilizer = perp_mobilizer_find("fixed");
    OK(perp_articulation_new(&tree, links, 3, NULL));
}

/* Two hinges on one line with nothing between them: each can turn against the other. */
TEST(a_singular_inertia_names_its_joint)
{
    perp_link links[3];
    perp_articulation *tree = NULL;
    const double q[3] = {0.0, 0.7, -0.4};
    const double none[3] = {0.0, 0.0, 0.0};
    double qdd[3];
    double a = 0.3;

    good_links(links);
    links[1].mass = 0.0;
    memset(links[1].inertia, 0, sizeof links[1].inertia);
    for (int k = 0; k < 9; k++) { /* full numbers, so that rounding has its say */
        links[2].inertia[k] = (k % 4 == 0 ? 1.1 : 0.0) + 0.01 * (1 + k / 3) * (1 + k % 3);
    }
    links[0].axes[0] = sin(a);
    links[0].axes[2] = cos(a);
    links[2].Ec.p[0] = 0.37;
    OK(perp_articulation_new(&tree, links, 3, NULL));
    put_state(tree, q, none);
    for (int s = 0; s < 2; s++) {
        perp_error err = {0};

        CU_ASSERT_EQUAL(s == 0 ? perp_articulation_factor(tree, 0.0, &err)
                               : perp_articulation_aba(tree, none, NULL, qdd, &err),
                        PERP_ERR_DATA);
        says(&err, PERP_ERR_DATA,
             "joint \"b\": H is singular: nothing resists the motion of this revolute "
             "joint");
    }
}

TEST(coordinates_that_are_not_finite_are_refused)
{
    perp_link links[3];
    perp_articulation *tree = NULL;

    good_links(links);
    OK(perp_articulation_new(&tree, links, 3, NULL));
    for (int s = 0; s < 2; s++) {
        perp_error err = {0};

        tree->q[1] = s == 0 ? NAN : 0.0;
        tree->qd[1] = s == 0 ? 0.0 : INFINITY;
        CU_ASSERT_EQUAL(perp_articulation_update(tree, &err), PERP_ERR_DATA);
        says(&err, PERP_ERR_DATA,
             s == 0 ? "joint \"b\": coordinate 0 is nan and its rate 0, expected finite "
                      "numbers"
                    : "joint \"b\": coordinate 0 is 0 and its rate inf, expected finite "
                      "numbers");
    }
}

TEST(a_singularity_is_an_error_where_coordinates_may_not_change)
{
    const double turn = 8.0 * atan(1.0);
    perp_link link = plain_link("shoulder", -1, "spherical");
    perp_articulation *tree = NULL;
    perp_error err = {0};

    OK(perp_articulation_new(&tree, &link, 1, NULL));
    tree->q[1] = turn;
    tree->switch_chart = false;
    CU_ASSERT_EQUAL(perp_articulation_update(tree, &err), PERP_ERR_DATA);
    says(&err, PERP_ERR_DATA,
         "joint \"shoulder\": spherical at its singularity, |q| = 6.283185, and chart "
         "switches are off");
}

TEST(euler_angles_at_their_singularity_are_an_error)
{
    perp_link link = plain_link("neck", -1, "spherical-euler");
    perp_articulation *tree = NULL;
    perp_error err = {0};
    size_t bad = 0;

    OK(perp_articulation_new(&tree, &link, 1, NULL));
    for (size_t k = 0; k < 3; k++) {
        memset(tree->q, 0, 3 * sizeof *tree->q);
        tree->q[k] = 2.0 * atan(1.0);
        bad += perp_articulation_update(tree, &err) != PERP_OK;
    }
    CU_ASSERT_EQUAL(bad, 1);
    says(&err, PERP_ERR_DATA,
         "joint \"neck\": spherical-euler at its singularity, |q| = 1.570796");
}

TEST(rates_at_a_singularity_name_the_joint)
{
    const double turn = 8.0 * atan(1.0);
    perp_link link = plain_link("shoulder", -1, "spherical");
    perp_articulation *tree = NULL;
    perp_error err = {0};
    const double nu[3] = {1.0, 0.0, 0.0};
    double qd[3];

    OK(perp_articulation_new(&tree, &link, 1, NULL));
    tree->q[1] = turn; /* not updated, which would have exchanged it */
    CU_ASSERT_EQUAL(perp_articulation_rates(tree, nu, qd, &err), PERP_ERR_DATA);
    says(&err, PERP_ERR_DATA,
         "joint \"shoulder\": spherical at its singularity, velocities do not determine "
         "the rates");
    OK(perp_articulation_update(tree, NULL));
    OK(perp_articulation_rates(tree, nu, qd, NULL));
}

static perp_status build_one(void *context, perp_error *err)
{
    perp_articulation *tree = NULL;
    perp_link links[3];
    perp_status status = PERP_OK;

    (void)context;
    good_links(links);
    status = perp_articulation_new(&tree, links, 3, err);
    CU_ASSERT_EQUAL(status == PERP_OK, tree != NULL);
    return status;
}

TEST(memory_that_fails_is_survived)
{
    scarce_everywhere(build_one, NULL, "articulation");
}
