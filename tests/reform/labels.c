/* SPDX-License-Identifier: Apache-2.0
 * tests/reform/labels.c: every reformulation keeps the labels and the origin of a problem. */
#include <config.h>

#include "helpers.h"
#include "scarce.h"

static const double W[36] = {2, 0, 0, 1, 0, 0, 0, 2, 0, 0, 1, 0, 0, 0, 2, 0, 0, 1,
                             1, 0, 0, 3, 0, 0, 0, 1, 0, 0, 3, 0, 0, 0, 1, 0, 0, 3};
static const double contact_b[6] = {-1, 0.8, 0.1, -2, 0.1, 0.3};
static const double contact_mu[2] = {0.5, 0.3};

/* One label per block, "a", "b", …, with bodies and keys 1, 2, … */
static void give_labels(perp_problem *p)
{
    OK(perp_labels_new(&p->labels, p->set->count, NULL));
    for (size_t k = 0; k < p->labels->count; k++) {
        perp_label *l = &p->labels->at[k];

        l->kind = PERP_LABEL_CONTACT;
        l->name = perp_text_new((const char[]){(char)('a' + k), '\0'});
        l->body[0] = perp_text_new("box");
        l->body[1] = perp_text_new("floor");
        l->index = k;
        l->placed = true;
        l->gap = -0.25;
        l->key = k + 1;
    }
    OK(perp_origin_new(&p->origin, NULL));
    p->origin->source = perp_text_new("by hand");
}

static void check_label(const perp_problem *p, size_t block, perp_label_kind kind,
                        const char *name, uint64_t key)
{

    CU_ASSERT_PTR_NOT_NULL_FATAL(p->labels);
    CU_ASSERT_FATAL(block < p->labels->count && p->labels->count == p->set->count);
    const perp_label *l = &p->labels->at[block];
    CU_ASSERT_EQUAL(l->kind, kind);
    CU_ASSERT_STRING_EQUAL(l->name, name);
    CU_ASSERT_STRING_EQUAL(l->body[1], "floor");
    CU_ASSERT_EQUAL(l->gap, -0.25);
    CU_ASSERT_EQUAL(l->key, key);
    CU_ASSERT_STRING_EQUAL(p->origin->source, "by hand");
}

TEST(rows_of_a_pyramid_name_their_contact)
{
    perp_problem *p = test_cones(3, 2, W, contact_b, contact_mu);
    perp_reform *t = NULL;

    give_labels(p);
    OK(perp_reform_pyramid(&t, p, 4, NULL));
    CU_ASSERT_EQUAL_FATAL(t->to->set->count, 12);
    check_label(t->to, 0, PERP_LABEL_CONTACT, "a", 1);
    check_label(t->to, 1, PERP_LABEL_CONTACT, "a, direction 1", 0);
    check_label(t->to, 4, PERP_LABEL_CONTACT, "a, direction 4", 0);
    check_label(t->to, 5, PERP_LABEL_AUXILIARY, "a, multiplier", 0);
    check_label(t->to, 6, PERP_LABEL_CONTACT, "b", 2);
    check_label(t->to, 11, PERP_LABEL_AUXILIARY, "b, multiplier", 0);
    CU_ASSERT_EQUAL(t->to->labels->at[11].index, 1);
}

/* box friction -> two directions per friction row -> an LCP; the path of `--friction box` with
 * an LCP solver */
TEST(box_friction_as_an_lcp_names_its_contact)
{
    perp_problem *p = test_cones(3, 2, W, contact_b, contact_mu);
    perp_reform *box = NULL, *lcp = NULL;

    give_labels(p);
    OK(perp_reform_box_friction(&box, p, NULL));
    OK(perp_reform_friction_to_lcp(&lcp, box->to, NULL));
    CU_ASSERT_EQUAL_FATAL(lcp->to->set->count, 14);
    check_label(lcp->to, 0, PERP_LABEL_CONTACT, "a", 1);
    check_label(lcp->to, 2, PERP_LABEL_CONTACT, "a, direction 2", 0);
    check_label(lcp->to, 3, PERP_LABEL_AUXILIARY, "a, multiplier", 0);
    check_label(lcp->to, 7, PERP_LABEL_CONTACT, "b", 2);
}

/* Rows: free, two bounds, an upper bound, two equal bounds. */
static perp_problem *bounded(void)
{
    const double A[16] = {2, 0, 0, 1, 0, 2, 0, 0, 0, 0, 2, 0, 1, 0, 0, 3};
    const double b[4] = {-1, -1, 1, -1};
    const double lo[4] = {-INFINITY, 0, -INFINITY, 1};
    const double hi[4] = {INFINITY, 1, 2, 1};
    double *copy = test_reals(4);

    memcpy(copy, b, sizeof b);
    perp_operator *matrix = test_new_from_dense(4, 4, A, 4);
    perp_set *set = test_new_set(4);
    for (size_t i = 0; i < 4; i++) {
        perp_set_add_box(set, lo[i], hi[i]);
    }
    perp_problem *p = test_new_problem(matrix, copy, set, PERP_LAW_COULOMB);
    give_labels(p);
    return p;
}

TEST(bounds_and_pairs_of_an_lcp_name_their_row)
{
    perp_problem *p = bounded();
    perp_reform *bounds = NULL, *pairs = NULL;

    OK(perp_reform_box_to_lcp(&bounds, p, NULL));
    CU_ASSERT_EQUAL_FATAL(bounds->to->set->count, 4); /* a, b, c, the upper bound of b */
    check_label(bounds->to, 0, PERP_LABEL_CONTACT, "a", 1);
    check_label(bounds->to, 1, PERP_LABEL_CONTACT, "b", 2);
    check_label(bounds->to, 2, PERP_LABEL_CONTACT, "c", 3);
    check_label(bounds->to, 3, PERP_LABEL_AUXILIARY, "b, upper bound", 0);
    OK(perp_reform_eliminate_free(&pairs, bounds->to, NULL, NULL));
    CU_ASSERT_EQUAL_FATAL(pairs->to->set->count, 3); /* the free row is gone */
    for (size_t k = 0; k < 3; k++) {
        CU_ASSERT_PTR_NOT_NULL_FATAL(pairs->to->labels);
        CU_ASSERT_STRING_NOT_EQUAL(pairs->to->labels->at[k].name, "a");
    }
}

TEST(a_problem_without_labels_gets_none)
{
    perp_problem *p = test_cones(3, 2, W, contact_b, contact_mu);
    perp_reform *t = NULL;

    OK(perp_reform_pyramid(&t, p, 4, NULL));
    CU_ASSERT_PTR_NULL(t->to->labels);
}

static perp_status pyramid_once(void *context, perp_error *err)
{
    perp_reform *t = NULL;
    perp_status status = perp_reform_pyramid(&t, context, 4, err);

    if (status == PERP_OK) {
    }
    return status;
}

TEST(labels_survive_without_memory)
{
    perp_problem *p = test_cones(3, 2, W, contact_b, contact_mu);

    give_labels(p);
    scarce_everywhere(pyramid_once, p, "perp_reform_pyramid");
}
