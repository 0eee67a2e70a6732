/* SPDX-License-Identifier: Apache-2.0
 * tests/reform/path.c: paths of reformulations, and what is mapped along them. */
#include <config.h>

#include "helpers.h"
#include "scarce.h"

static const double W[36] = {2, 0, 0, 1, 0, 0, 0, 2, 0, 0, 1, 0, 0, 0, 2, 0, 0, 1,
                             1, 0, 0, 3, 0, 0, 0, 1, 0, 0, 3, 0, 0, 0, 1, 0, 0, 3};
static const double contact_b[6] = {-1, 0.8, 0.1, -2, 0.1, 0.3};
static const double contact_mu[2] = {0.5, 0.3};

/* Append the scaling of the problem at the end. */
static perp_status push_scale(perp_reform_path *path, perp_error *err)
{
    perp_reform *step = NULL;
    perp_status status = perp_reform_scale(&step, perp_reform_path_end(path), err);

    return status == PERP_OK ? perp_reform_path_push(path, step, err) : status;
}

/* contacts -> box friction -> scaled */
static perp_reform_path *boxed_and_scaled(const perp_problem *p)
{
    perp_reform_path *path = NULL;

    OK(perp_reform_path_new(&path, p, NULL));
    OK(perp_reform_path_push_named(path, "box", NULL));
    OK(push_scale(path, NULL));
    return path;
}

TEST(a_path_maps_as_its_reformulations_do_one_by_one)
{
    const double z[6] = {1, 0.25, -0.125, 2, 0.5, -0.5};
    perp_problem *p = test_cones(3, 2, W, contact_b, contact_mu);
    perp_reform_path *path = boxed_and_scaled(p);
    double one[6] = {0}, two[6] = {0}, mapped[6] = {0}, back[6] = {0};

    CU_ASSERT_EQUAL_FATAL(perp_reform_path_count(path), 2);
    CU_ASSERT_PTR_EQUAL(perp_reform_path_problem(path, 0), p);
    CU_ASSERT_PTR_EQUAL(perp_reform_path_problem(path, 2), perp_reform_path_end(path));
    CU_ASSERT_PTR_NULL(perp_reform_path_problem(path, 3));
    CU_ASSERT_PTR_NULL(perp_reform_path_step(path, 2));
    for (size_t k = 0; k < 2; k++) {
        const perp_reform *t = perp_reform_path_step(path, k);

        CU_ASSERT_PTR_EQUAL(t->from, perp_reform_path_problem(path, k));
        CU_ASSERT_PTR_EQUAL(t->to, perp_reform_path_problem(path, k + 1));
        t->type->map(t->state, t->from, k ? one : z, k ? two : one);
    }
    perp_reform_path_map(path, 0, 2, z, mapped);
    perp_reform_path_unmap(path, 2, 0, mapped, back);
    for (size_t i = 0; i < 6; i++) {
        CU_ASSERT_EQUAL(mapped[i], two[i]);
        CU_ASSERT_EQUAL(back[i], z[i]); /* permutations and powers of two are exact */
    }
}

TEST(a_part_of_a_path_maps_in_place)
{
    double z[6] = {1, 0.25, -0.125, 2, 0.5, -0.5};
    const double kept[6] = {1, 0.25, -0.125, 2, 0.5, -0.5};
    perp_problem *p = test_cones(3, 2, W, contact_b, contact_mu);
    perp_reform_path *path = boxed_and_scaled(p);

    perp_reform_path_map(path, 1, 1, z, z);
    CU_ASSERT_EQUAL(memcmp(z, kept, sizeof z), 0);
    perp_reform_path_map(path, 1, 2, z, z);
    perp_reform_path_unmap(path, 2, 1, z, z);
    CU_ASSERT_EQUAL(memcmp(z, kept, sizeof z), 0);
}

/* -1 >= 0 for no z: A = 0, b = -1. y = 1 is the certificate, and that of the scaled
 * problem. */
TEST(a_certificate_is_mapped_back_or_refused)
{
    const double zero[1] = {0};
    const double b[1] = {-1};
    const double one[1] = {1};
    perp_problem *p = test_lcp(1, zero, b);
    perp_problem *contacts = test_cones(3, 2, W, contact_b, contact_mu);
    perp_reform_path *path = NULL;
    double y[6] = {0};

    OK(perp_reform_path_new(&path, p, NULL));
    OK(push_scale(path, NULL));
    CU_ASSERT(perp_reform_path_certificate(path, 1, 0, one, y));
    CU_ASSERT(perp_certificate_infeasible(p, y));
    OK(perp_reform_path_new(&path, contacts, NULL));
    OK(perp_reform_path_push_named(path, "associated", NULL));
    OK(push_scale(path, NULL));
    y[0] = 7.0;
    CU_ASSERT(!perp_reform_path_certificate(path, 2, 0, W, y)); /* none by this law */
    CU_ASSERT_EQUAL(y[0], 7.0);
}

TEST(a_path_refuses_what_does_not_continue_it)
{
    perp_problem *p = test_lcp(6, W, contact_b);
    perp_problem *other = test_lcp(6, W, contact_b);
    perp_reform_path *path = NULL;
    perp_reform *step = NULL;
    perp_error err;

    OK(perp_reform_path_new(&path, p, NULL));
    OK(perp_reform_path_push(path, NULL, &err));
    OK(perp_reform_path_push_local(path, PERP_GLOBAL_AUTO, &err));
    OK(perp_reform_path_push_named(path, "natural", &err));
    CU_ASSERT_EQUAL(perp_reform_path_count(path), 0);
    OK(perp_reform_scale(&step, other, &err));
    CU_ASSERT_EQUAL(perp_reform_path_push(path, step, &err), PERP_ERR_ARGUMENT);
    CU_ASSERT_STRING_EQUAL(
        err.text, "scale: it does not start from the problem at the end of the path");
    CU_ASSERT_EQUAL(perp_reform_path_push_named(path, "pyramd", &err), PERP_ERR_OPTION);
    for (size_t k = 0; k < PERP_REFORM_PATH_MAX; k++) {
        OK(push_scale(path, &err));
    }
    CU_ASSERT_EQUAL(push_scale(path, &err), PERP_ERR_UNSUITABLE);
    CU_ASSERT_STRING_EQUAL(err.text, "more than 8 reformulations");
    CU_ASSERT_EQUAL(perp_reform_path_count(path), PERP_REFORM_PATH_MAX);
    perp_reform_path_free(NULL);
}

TEST(null_arguments_give_a_status)
{
    perp_problem *p = test_lcp(6, W, contact_b);
    perp_reform_path *path = NULL;
    perp_reform *step = NULL;
    perp_error err;

    CU_ASSERT_EQUAL(perp_reform_path_new(NULL, p, &err), PERP_ERR_ARGUMENT);
    CU_ASSERT_EQUAL(perp_reform_path_new(&path, NULL, &err), PERP_ERR_ARGUMENT);
    CU_ASSERT_EQUAL(perp_reform_path_push(NULL, NULL, &err), PERP_ERR_ARGUMENT);
    CU_ASSERT_EQUAL(perp_reform_path_push_local(NULL, PERP_GLOBAL_FACTORED, &err),
                    PERP_ERR_ARGUMENT);
    CU_ASSERT_EQUAL(perp_reform_path_push_named(NULL, "box", &err), PERP_ERR_ARGUMENT);
    CU_ASSERT_EQUAL(perp_reform_named(&step, p, NULL, &err), PERP_ERR_ARGUMENT);
    CU_ASSERT_EQUAL(perp_reform_scale(&step, NULL, &err), PERP_ERR_ARGUMENT);
    CU_ASSERT_EQUAL(perp_reform_condense(NULL, p, &err), PERP_ERR_ARGUMENT);
}

static perp_status path_once(void *context, perp_error *err)
{
    perp_reform_path *path = NULL;
    perp_status status = perp_reform_path_new(&path, context, err);

    if (status == PERP_OK) {
        status = perp_reform_path_push_named(path, "pyramid:4", err);
    }
    if (status == PERP_OK) {
        status = push_scale(path, err);
    }
    return status;
}

TEST(a_path_survives_without_memory)
{
    perp_problem *p = test_cones(3, 2, W, contact_b, contact_mu);

    scarce_everywhere(path_once, p, "perp_reform_path");
}
