/* SPDX-License-Identifier: Apache-2.0
 * tests/formats/siconos_kinds.c: the kind of Siconos text that a file is read as, and problems that
 * no kind holds: the message names the kind or the reformulation that fits. */
#include <config.h>

#include <math.h>

#include "files.h"
#include "instances.h"

/* A contact in a plane with M and H. */
static perp_problem *read_global(void)
{
    const char *path = test_scratch("global.dat");

    files_put_text(
        path, "2\n1\n0\n2\n2\n2 2\n1 0\n0 2\n0\n2\n2\n2 2\n1 3\n2 4\n5 6\n7 8\n0.5\n");
    return test_read(path, NULL, NULL);
}

TEST(a_kind_that_does_not_hold_a_problem_names_the_one_that_does)
{
    static const double W[] = {4, 0, 0, 1};
    static const double b[] = {-1, 0.2};
    static const double mu[] = {0.5};
    const char *path = test_scratch("not-written.dat");
    perp_problem *cone = test_cones(2, 1, W, b, mu);
    perp_problem *p = read_global();

    files_not_written(
        cone, path, "lcp", PERP_ERR_UNSUITABLE,
        ": kind lcp of the Siconos format holds rows z >= 0; kind fc2d holds "
        "this problem");
    files_not_written(
        cone, path, "fc3d", PERP_ERR_UNSUITABLE,
        "holds A and contacts in space under Coulomb's law; kind fc2d holds");
    files_not_written(cone, path, "gfc2d", PERP_ERR_UNSUITABLE,
                      "holds M, H and contacts in a plane");
    files_not_written(cone, path, "gmp", PERP_ERR_UNSUITABLE, "contacts in space");
    files_not_written(cone, path, "soclcp", PERP_ERR_UNSUITABLE,
                      "cones under the associated law; kind fc2d holds");
    files_not_written(cone, path, "lp", PERP_ERR_OPTION, "no kind \"lp\"");
    cone->law = PERP_LAW_ASSOCIATED;
    files_not_written(cone, path, "fc2d", PERP_ERR_UNSUITABLE,
                      "kind soclcp holds this problem");
    files_not_written(p, path, "fc2d", PERP_ERR_UNSUITABLE,
                      "kind gfc2d holds this problem, or condense M and H first");
}

/* A problem of these blocks, A = 1, b = 0, which no kind holds. */
static void no_kind_holds(const perp_block *blocks, size_t count, perp_law law,
                          const char *words)
{
    double A[64] = {0};
    double b[8] = {0};
    perp_problem *p = NULL;
    perp_set *set = test_new_set(count);

    for (size_t k = 0; k < count; k++) {
        set->blocks[k] = blocks[k];
        set->blocks[k].first = set->n;
        set->n += blocks[k].dim;
        set->count++;
    }
    for (size_t i = 0; i < set->n; i++) {
        A[i + i * set->n] = 1.0;
    }
    OK(perp_problem_new_dense(&p, set->n, A, set->n, b, set, law, PERP_COPY, NULL));
    files_not_written(p, test_scratch("not-written.dat"), NULL, PERP_ERR_UNSUITABLE,
                      words);
}

TEST(what_no_kind_holds_is_refused_with_the_reformulation_that_fits)
{
    static const perp_block normal = {.kind = PERP_SET_NONNEG, .dim = 1, .hi = INFINITY};
    static const perp_block free_row = {
        .kind = PERP_SET_FREE, .dim = 1, .lo = -INFINITY, .hi = INFINITY};
    static const perp_block box = {.kind = PERP_SET_BOX, .dim = 1, .lo = -1, .hi = 1};
    static const perp_block friction = {
        .kind = PERP_SET_FRICTION, .dim = 1, .mu = 0.5, .normal = 0};
    static const perp_block plane = {.kind = PERP_SET_CONE, .dim = 2, .mu = 0.5};
    static const perp_block space = {.kind = PERP_SET_CONE, .dim = 3, .mu = 0.5};
    static const perp_block roller = {
        .kind = PERP_SET_ROLLING, .dim = 5, .mu = 0.5, .mu_rolling = 0.1};
    static const perp_block disk = {.kind = PERP_SET_DISK, .dim = 2, .radius = 1};

    no_kind_holds((perp_block[]){normal, friction}, 2, PERP_LAW_COULOMB,
                  "has no friction index: friction_to_lcp makes rows of an LCP");
    no_kind_holds((perp_block[]){normal, disk}, 2, PERP_LAW_COULOMB,
                  "has no disks of fixed radius: the formats npz and mat hold them");
    no_kind_holds((perp_block[]){normal, roller}, 2, PERP_LAW_COULOMB,
                  "holds rolling contacts under Coulomb's law without other rows");
    no_kind_holds((perp_block[]){box, space}, 2, PERP_LAW_COULOMB,
                  "has no bounds beside cones: box_to_lcp makes rows z >= 0");
    no_kind_holds((perp_block[]){free_row, space}, 2, PERP_LAW_ASSOCIATED,
                  "eliminate_free pivots them out, and kind soclcp holds the rest");
    no_kind_holds((perp_block[]){free_row, plane}, 2, PERP_LAW_COULOMB,
                  "pyramid:8 makes an LCP of them");
}

TEST(q_and_mu_that_look_like_the_sizes_of_H_are_q_and_mu)
{
    const char *path = test_scratch("sizes.dat");

    files_put_text(path, "2\n1\n0\n2\n2\n2 2\n4 0\n0 1\n2 2\n2\n");
    perp_problem *p = test_read(path, NULL, NULL);
    CU_ASSERT_PTR_NULL(p->global);
    CU_ASSERT_EQUAL_FATAL(p->n, 2);
    CU_ASSERT_EQUAL(p->b[0], 2.0);
    CU_ASSERT_EQUAL(p->b[1], 2.0);
    CU_ASSERT_EQUAL(p->set->blocks[0].mu, 2.0);
}

TEST(a_global_problem_with_joints_is_to_be_condensed)
{
    perp_problem *p = read_global();
    perp_global *g = p->global;

    OK(perp_operator_new_dense(&g->G, 2, 0, NULL));
    files_not_written(
        p, test_scratch("not-written.dat"), NULL, PERP_ERR_UNSUITABLE,
        "has no place for G and its multipliers: condense M, H and G first");
    perp_operator_free(g->G);
    g->G = NULL;
    p->law = PERP_LAW_ASSOCIATED;
    files_not_written(p, test_scratch("not-written.dat"), NULL, PERP_ERR_UNSUITABLE,
                      "contacts under Coulomb's law only: condense them first");
}
