/* SPDX-License-Identifier: Apache-2.0
 * tests/formats/golden.c: the golden instances as json: every stored instance, every set there and
 * back, and what is said about malformed files. */
#include <config.h>

#include <math.h>
#include <stdlib.h>

#include "files.h"
#include "formats/formats.h"
#include "instances.h"

/* The rows of a document with M (or A) and q (or b), which jansson reads. */
static void numbers_are_those_of_the_document(const char *path, const json_t *entry)
{
    json_t *root = json_load_file(path, 0, NULL);
    const json_t *M = json_object_get(root, "M");
    const json_t *q = json_object_get(root, "q");
    const perp_problem *p = test_read(path, NULL, NULL);

    M = M ? M : json_object_get(root, "A");
    q = q ? q : json_object_get(root, "b");
    CU_ASSERT_EQUAL_FATAL(p->n, json_array_size(q));
    CU_ASSERT_STRING_EQUAL(p->name, json_string_value(json_object_get(entry, "id")));
    CU_ASSERT_STRING_EQUAL(p->title, json_string_value(json_object_get(root, "note")));
    CU_ASSERT_EQUAL(p->law, PERP_LAW_COULOMB);
    for (size_t i = 0; i < p->n; i++) {
        CU_ASSERT_EQUAL(p->b[i], json_number_value(json_array_get(q, i)));
    }
    if (json_is_array(M)) {
        CU_ASSERT_EQUAL(p->A->type->storage, PERP_STORAGE_DENSE);
        for (size_t k = 0; k < p->n * p->n; k++) {
            CU_ASSERT_EQUAL(
                perp_operator_entry(p->A, k / p->n, k % p->n),
                json_number_value(json_array_get(json_array_get(M, k / p->n), k % p->n)));
        }
    } else {
        const json_t *v = json_object_get(M, "data");

        CU_ASSERT_EQUAL(p->A->type->storage, PERP_STORAGE_CSR);
        CU_ASSERT_EQUAL(p->A->count, json_array_size(v));
        for (size_t k = 0; k < json_array_size(v); k++) {
            size_t i =
                (size_t)json_integer_value(json_array_get(json_object_get(M, "row"), k));
            size_t j =
                (size_t)json_integer_value(json_array_get(json_object_get(M, "col"), k));

            CU_ASSERT_EQUAL(perp_operator_entry(p->A, i, j),
                            json_number_value(json_array_get(v, k)));
        }
    }
    json_decref(root);
}

TEST(reads_every_stored_instance)
{
    CU_ASSERT_EQUAL(test_each_golden(NULL, numbers_are_those_of_the_document), 52);
}

/* 1e-9: the answers of iterative solvers in these files; exact ones are far below. */
static void stored_answer_solves(const char *path, const json_t *entry)
{
    perp_problem *p = test_read(path, NULL, NULL);

    (void)entry;
    if (p->solution) {
        double residual = perp_residual(p, p->solution->z);

        if (!(residual <= 1e-9)) {
            test_note("%s: residual %g of the stored answer", path, residual);
        }
        CU_ASSERT(residual <= 1e-9);
    }
}

TEST(stored_answers_solve_what_was_read)
{
    CU_ASSERT_EQUAL(test_each_golden(NULL, stored_answer_solves), 52);
}

static void goes_out_and_in(const char *path, const json_t *entry)
{
    perp_problem *p = test_read(path, NULL, NULL);

    (void)entry;
    files_come_back(p, test_scratch("golden-back.json"), "json", false);
}

TEST(writes_what_it_read)
{
    CU_ASSERT_EQUAL(test_each_golden(NULL, goes_out_and_in), 52);
}

TEST(keeps_every_set_law_and_storage)
{
    const perp_storage storages[] = {PERP_STORAGE_DENSE, PERP_STORAGE_CSR,
                                     PERP_STORAGE_BSR};
    const perp_law laws[] = {PERP_LAW_COULOMB, PERP_LAW_ASSOCIATED};

    for (size_t i = 0; i < 2; i++) {
        for (size_t k = 0; k < 2; k++) {
            perp_problem *p = files_every_set(storages[k], laws[i]);

            files_come_back(p, test_scratch("golden-sets.json"), "json", false);
        }
    }
}

TEST(keeps_blocks_of_contacts)
{
    perp_problem *p = test_golden_problem("wall_2x2");

    test_store(p, PERP_STORAGE_BSR, 3);
    files_come_back(p, test_scratch("golden-blocks.json"), "json", false);
}

TEST(bounds_choose_the_kind_of_a_row)
{
    const char *path = test_scratch("golden-bounds.json");

    files_put_text(path,
                   "{\"kind\":\"blcp\",\"M\":{\"shape\":[5,5],\"row\":[0],"
                   "\"col\":[0],\"data\":[1]},\"q\":[0,0,0,0,0],"
                   "\"lo\":[null,0,-1e300,2,\"-inf\"],\"hi\":[null,null,1e300,2,0]}");
    perp_problem *p = test_read(path, NULL, NULL);
    CU_ASSERT_EQUAL(p->set->blocks[0].kind, PERP_SET_FREE);
    CU_ASSERT_EQUAL(p->set->blocks[1].kind, PERP_SET_NONNEG);
    CU_ASSERT_EQUAL(p->set->blocks[2].kind, PERP_SET_BOX);
    CU_ASSERT_EQUAL(p->set->blocks[2].lo, -1e300);
    CU_ASSERT_EQUAL(p->set->blocks[2].hi, 1e300);
    CU_ASSERT_EQUAL(p->set->blocks[3].kind, PERP_SET_BOX);
    CU_ASSERT_EQUAL(p->set->blocks[3].lo, 2.0);
    CU_ASSERT_EQUAL(p->set->blocks[4].lo, -INFINITY);
    CU_ASSERT_EQUAL(p->set->blocks[4].hi, 0.0);
}

/* Cut anywhere, a file is refused or, when only the final newline is gone, read. */
TEST(survives_a_cut_at_every_byte)
{
    const char *path = test_scratch("golden-cut.json");
    char whole[1024];
    size_t length = 0;

    snprintf(whole, sizeof whole, "%s/solvers/kostreva_3.json", test_golden());
    char *bytes = files_get(whole, &length);
    for (size_t cut = 0; cut + 2 < length; cut++) {
        files_put(path, bytes, cut);
        files_refused(path, "json", path);
    }
}

TEST(does_not_write_what_it_cannot_hold)
{
    const double one = 1.0;
    const double zero = 0.0;
    perp_problem *lcp = test_lcp(1, &one, &zero);
    perp_error err = {0};

    CU_ASSERT_EQUAL(
        perp_problem_write(lcp, test_scratch("no.json"), "json", "fc3d", &err),
        PERP_ERR_UNSUITABLE);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(err.text, "kind is \"fc3d\", but the problem is \"lcp\""));
    CU_ASSERT_NOT_EQUAL(access(test_scratch("no.json"), F_OK), 0);
}
