/* SPDX-License-Identifier: Apache-2.0
 * tests/formats/siconos.c: every trap of the Siconos text format, what must be refused
 * and in which words, and problems written and read again. The real files are in
 * datasets.c. */
#include <config.h>

#include <math.h>

#include "files.h"
#include "instances.h"

/* Read a text as a file of that name; NULL kind: detected. */
static perp_problem *read_as(const char *name, const char *text, const char *kind,
                             perp_notes *notes)
{
    perp_read_options opt = {.format = "siconos", .kind = kind};
    const char *path = test_scratch(name);

    files_put_text(path, text);
    perp_problem *p = test_read(path, &opt, notes);
    unlink(path);
    return p;
}

static perp_problem *read_text(const char *text)
{
    return read_as("problem.dat", text, NULL, NULL);
}

static void refused_as(const char *name, const char *text, const char *kind,
                       perp_status status, const char *words)
{
    perp_read_options opt = {.format = "siconos", .kind = kind};
    const char *path = test_scratch(name);

    files_put_text(path, text);
    files_refused_as(path, &opt, status, words);
    unlink(path);
}

/* The first line of values is the first column. Words after the last number are a
 * remark. */
TEST(dense_matrices_go_by_columns_and_remarks_are_ignored)
{
    static const double M[] = {0, -1, 2, 2, 0, -2, -1, 1, 0};
    perp_problem *p = read_text("3\n0\n3\n3\n3\t3\n0 2 -1\n-1 0 1\n2 -2 0\n-3 6 -1\n"
                                "\nExample 4.4.7 CPS 2009\n");

    CU_ASSERT_EQUAL(perp_problem_kind(p), PERP_KIND_LCP);
    CU_ASSERT_EQUAL(p->A->type->storage, PERP_STORAGE_DENSE);
    files_entries_are(p->A, 3, 3, M);
    CU_ASSERT_EQUAL(p->b[0], -3.0);
    CU_ASSERT_EQUAL(p->b[2], -1.0);
}

TEST(numbers_are_read_as_scanf_does)
{
    perp_problem *p = read_text("  1 0 1 1 1 1\r\n+.5e1 -0");

    CU_ASSERT_EQUAL(perp_operator_entry(p->A, 0, 0), 5.0);
    CU_ASSERT_TRUE(p->b[0] == 0.0 && signbit(p->b[0]));
}

static const char blocks_uneven[] =
    "3\n"                /* n */
    "1\n3\n3\n3\n2\n2\n" /* 3 x 3, 3 blocks, 2 x 2 of them */
    "2 3\n1 3\n"         /* rows end at 2, 3; columns 1, 3 */
    "3\n3\n0 2 3\n0 1 1\n"
    "0\n1 2\n"     /* 2 x 1 */
    "1\n3 4 5 0\n" /* 2 x 2, by columns */
    "2\n6 7\n"     /* 1 x 2 */
    "1 1 1\n";

TEST(blocks_need_not_be_square_nor_of_one_size)
{
    static const double M[] = {1, 3, 5, 2, 4, 0, 0, 6, 7};
    perp_problem *p = read_text(blocks_uneven);

    CU_ASSERT_EQUAL(p->A->type->storage, PERP_STORAGE_CSR);
    CU_ASSERT_EQUAL(p->A->count, 8); /* the stored zero stays */
    files_entries_are(p->A, 3, 3, M);
}

/* filled1 = 2 of three block rows: the others are empty. */
TEST(trailing_block_rows_may_be_missing)
{
    static const double M[] = {4, 0, 0, 0, 0, 0, 0, 0, 0};
    perp_problem *p = read_text("3 1 3 3 1 3 3 1 2 3 1 2 3 2 1 0 1 0  0 4  1 1 1");

    files_entries_are(p->A, 3, 3, M);
    CU_ASSERT_EQUAL(p->A->count, 1);
}

TEST(a_block_matrix_may_have_no_blocks)
{
    perp_problem *p = read_text("2 1 2 2 0 5 6");

    CU_ASSERT_EQUAL(p->A->count, 0);
    CU_ASSERT_EQUAL(p->b[1], 6.0);
}

/* Two contacts in a plane, both blocks of the second row given in the wrong order. */
TEST(blocks_of_the_size_of_a_contact_become_block_rows_even_if_unsorted)
{
    static const double W[] = {1, 3, 0, 0, 2, 4, 0, 0, 9, 11, 5, 7, 10, 12, 6, 8};
    perp_problem *p = read_text("2 2 1 4 4 3 2 2 2 4 2 4 3 3 0 1 3 0 1 0"
                                " 0 1 2 3 4  1 5 6 7 8  2 9 10 11 12"
                                " 1 2 3 4  0.5 0.25");

    CU_ASSERT_EQUAL(p->A->type->storage, PERP_STORAGE_BSR);
    CU_ASSERT_EQUAL(p->A->block_size, 2);
    CU_ASSERT_EQUAL(p->A->count, 3);
    files_entries_are(p->A, 4, 4, W);
    CU_ASSERT_EQUAL(p->set->blocks[1].mu, 0.25);
}

/* Blocks of zeros are stored, so they stay. */
TEST(stored_blocks_of_zeros_stay)
{
    perp_problem *p = read_text("2 1 1 2 2 1 1 1 2 2 2 1 0 1 0  0 0 0 0 0  1 1 0.5");

    CU_ASSERT_EQUAL(p->A->count, 1);
    CU_ASSERT_EQUAL(p->A->type->storage, PERP_STORAGE_BSR);
}

#define BANNER "CSparse Version 3.1.9, May 4, 2016.  Copyright (c) Timothy A. Davis\n"

static void check_sparse(const char *origin_and_entries, const double *M)
{
    char text[1000];
    perp_notes notes = {0};

    snprintf(text, sizeof text, "3\n2\n3\n3\n%s1 2 3\n", origin_and_entries);
    perp_problem *p = read_as("sparse.dat", text, NULL, &notes);
    CU_ASSERT_EQUAL(p->A->type->storage, PERP_STORAGE_CSR);
    files_entries_are(p->A, 3, 3, M);
    CU_ASSERT_EQUAL(p->b[2], 3.0);
    CU_ASSERT_EQUAL_FATAL(notes.count, 1);
    CU_ASSERT_STRING_EQUAL(notes.line[0],
                           "M was stored as sparse text, which keeps six digits");
}

TEST(sparse_matrices_come_in_four_forms_and_the_loss_is_noted)
{
    static const double M[] = {1, 0, 2, 0, 0, 0, 0, 0, -3};
    static const double S[] = {1, 0, 2, 0, 0, 0, 2, 0, -3};

    check_sparse("1\n" BANNER "triplet: 3-by-3, nzmax: 9 nnz: 4\n"
                 "    0 2 : 1.5\n    0 0 : 1\n    2 2 : -3\n    0 2 : 0.5\n",
                 M); /* nzmax is too large, one entry comes twice */
    check_sparse("2\n" BANNER "3-by-3, nzmax: 3 nnz: 3, 1-norm: 5\n"
                 "    col 0 : locations 0 to 0\n      0 : 1\n"
                 "    col 1 : locations 1 to 0\n"
                 "    col 2 : locations 1 to 2\n      2 : -3\n      0 : 2\n",
                 M); /* column 1 is empty, column 2 unsorted */
    check_sparse("3\n" BANNER "csr: 3-by-3, nzmax: 3 nnz: 3, 1-norm: 5\n"
                 "    row 0 : locations 0 to 1\n      0 : 1\n      2 : 2\n"
                 "    row 1 : locations 2 to 1\n"
                 "    row 2 : locations 2 to 2\n      2 : -3\n",
                 M);
    check_sparse("4\n" BANNER "triplet: 3-by-3, nzmax: 3 nnz: 3\n"
                 "    0 0 : 1\n    0 2 : 2\n    2 2 : -3\n",
                 S);
}

/* An empty first column prints "0 to -1". */
TEST(an_empty_first_column_ends_before_it_starts)
{
    static const double M[] = {0, 1, 0, 0, 0, 0, 0, 0, 0};

    check_sparse("2\n" BANNER "3-by-3, nzmax: 1 nnz: 1, 1-norm: 1\n"
                 "    col 0 : locations 0 to -1\n"
                 "    col 1 : locations 0 to 0\n      0 : 1\n"
                 "    col 2 : locations 1 to 0\n",
                 M);
}

/* Law: u = q + M z in [lb, ub]. */
static const char relay[] = "2\n0\n2\n2\n2 2\n2 1\n0 3\n-1 -2\n-1 0\n1 inf\n";

TEST(a_relay_problem_is_told_from_an_lcp_by_what_follows_q)
{
    perp_notes notes = {0};
    perp_problem *p = read_as("some.dat", relay, NULL, &notes);

    CU_ASSERT_EQUAL(p->set->blocks[0].kind, PERP_SET_BOX);
    CU_ASSERT_EQUAL(p->set->blocks[0].lo, -1.0);
    CU_ASSERT_EQUAL(p->set->blocks[0].hi, 1.0);
    CU_ASSERT_EQUAL(p->set->blocks[1].kind, PERP_SET_NONNEG);
    CU_ASSERT_EQUAL(perp_operator_entry(p->A, 1, 0), 1.0);
    CU_ASSERT_EQUAL(notes.count, 1); /* it was a choice */
    /* The name of the file decides, --kind still more. */
    p = read_as("some-lcp.dat", relay, NULL, &notes);
    CU_ASSERT_EQUAL(perp_problem_kind(p), PERP_KIND_LCP);
    p = read_as("some-lcp.dat", relay, "relay", &notes);
    CU_ASSERT_EQUAL(perp_problem_kind(p), PERP_KIND_BLCP);
    p = read_as("some-relay.dat", relay, "lcp", &notes);
    CU_ASSERT_EQUAL(perp_problem_kind(p), PERP_KIND_LCP);
    CU_ASSERT_EQUAL(notes.count, 0);
    /* A lone flag, or a solution in another number: an LCP. */
    p = read_text("2 0 2 2 2 2 2 1 0 3 -1 -2 1");
    CU_ASSERT_EQUAL(perp_problem_kind(p), PERP_KIND_LCP);
    refused_as("relay.dat", "2\n0\n2\n2\n2 2\n2 1\n0 3\n-1 -2\n1 1\n2 0.5\n", NULL,
               PERP_ERR_DATA, ":10: ub[1] is 0.5, expected at least lb[1] = 1");
    refused_as("relay.dat", "1 0 1 1 1 1 4 5\n1\nnan\n", NULL, PERP_ERR_DATA,
               ":3: ub[0] is \"nan\"");
    refused_as("relay.dat", "1 0 1 1 1 1 4 5\n1\n1e999\n", NULL, PERP_ERR_DATA,
               ":3: ub[0] is \"1e999\", expected a finite number");
    refused_as("relay.dat", "1 0 1 1 1 1 0x1p2 5\n1\n2\n", "relay", PERP_ERR_FORMAT,
               ":1: M(0,0) is \"0x1p2\", expected a number");
    refused_as("relay.dat", "2 0 2 2 2 2 2 1 0 3 -1 -2 1 2 3", NULL, PERP_ERR_READ,
               "the file ends before ub[1]");
}

/* M = [A C; D B] with A = 1, C = (2 3), D = (4; 5), B = [6 7; 8 9]. */
#define MLCP_M    "0 1 3\n0 1\n0\n3\n3\n3 3\n1 4 5\n2 6 8\n3 7 9\n-1 -2 -3\n"
#define MLCP_ABCD "1\n6 7 8 9\n2 3\n4 5\n-1\n-2 -3\n"
static const double mlcp_M[] = {1, 2, 3, 4, 6, 7, 5, 8, 9};

static void check_mlcp(const char *text)
{
    perp_problem *p = read_text(text);

    CU_ASSERT_EQUAL(perp_problem_kind(p), PERP_KIND_MLCP);
    CU_ASSERT_EQUAL(p->set->blocks[0].kind, PERP_SET_FREE);
    CU_ASSERT_EQUAL(p->set->blocks[1].kind, PERP_SET_NONNEG);
    CU_ASSERT_EQUAL(p->set->blocks[2].kind, PERP_SET_NONNEG);
    files_entries_are(p->A, 3, 3, mlcp_M);
    CU_ASSERT_EQUAL(p->b[2], -3.0);
}

TEST(an_mlcp_has_one_form_or_both_which_must_agree)
{
    check_mlcp("1\n1\n1\n2\n" MLCP_M MLCP_ABCD "0.5 0.5 0 0 1e153 garbage");
    check_mlcp("1\n0\n1\n2\n" MLCP_M "7");
    check_mlcp("0\n1\n1\n2\n" MLCP_ABCD);
}

/* Complementary, free, complementary: the second form gathers rows of a sort. */
TEST(pieces_of_an_mlcp_may_alternate)
{
    static const double M[] = {9, 5, 8, 3, 1, 2, 7, 4, 6};
    perp_problem *p = read_text("1\n1\n1\n2\n0 1 2 3\n1 0 1\n0\n3\n3\n3 3\n"
                                "9 3 7\n5 1 4\n8 2 6\n-3 -1 -2\n"
                                "1\n9 8 7 6\n3 2\n5 4\n-1\n-3 -2\n");

    CU_ASSERT_EQUAL(p->set->blocks[0].kind, PERP_SET_NONNEG);
    CU_ASSERT_EQUAL(p->set->blocks[1].kind, PERP_SET_FREE);
    files_entries_are(p->A, 3, 3, M);
    files_come_back(p, test_scratch("pieces.dat"), "siconos", false);
}

TEST(contacts_may_be_none)
{
    perp_problem *p = read_text("3\n0\n0\n0\n0\n0\t0\n");

    CU_ASSERT_EQUAL(p->n, 0);
    CU_ASSERT_EQUAL(p->set->count, 0);
    p = read_text("0 0 0 0 0 0");
    CU_ASSERT_EQUAL(p->n, 0);
}

/* A lone 0 or 1 after mu is a flag of an older version. */
TEST(a_flag_after_mu_is_ignored)
{
    perp_problem *p = read_text("2\n1\n0\n2\n2\n2 2\n1 2\n3 4\n-1 0\n0.5\n1\n");

    CU_ASSERT_EQUAL(perp_problem_kind(p), PERP_KIND_FC2D);
    CU_ASSERT_EQUAL(perp_operator_entry(p->A, 1, 0), 2.0);
    CU_ASSERT_EQUAL(p->set->blocks[0].mu, 0.5);
}

static const char rolling[] = "5 1 0 5 5 5 5"
                              " 1 0 0 0 0 0 2 0 0 0 0 0 3 0 0 0 0 0 4 0 0 0 0 0 5"
                              "\n-1 0 0 0 0\n0.5\n0.01\n";

TEST(rolling_contacts_have_five_unknowns_and_two_coefficients)
{
    perp_problem *p = read_text(rolling);

    CU_ASSERT_EQUAL(perp_problem_kind(p), PERP_KIND_ROLLING);
    CU_ASSERT_EQUAL(p->set->blocks[0].mu, 0.5);
    CU_ASSERT_EQUAL(p->set->blocks[0].mu_rolling, 0.01);
    files_come_back(p, test_scratch("rolling.dat"), "siconos", false);
}

/* M = diag(1, 2), H = [1 2; 3 4] (by columns 1 3, 2 4), f = (5, 6), w = (7, 8). As many
 * velocities as contact unknowns: only what follows M distinguishes global from local. */
static const char global[] = "2\n1\n0\n2\n2\n2 2\n1 0\n0 2\n0\n2\n2\n2 2\n1 3\n2 4\n"
                             "5 6\n7 8\n0.5\n0\n";

TEST(a_global_problem_is_told_from_a_local_one)
{
    static const double H[] = {1, 2, 3, 4};
    perp_problem *p = read_text(global);

    CU_ASSERT_PTR_NOT_NULL_FATAL(p->global);
    CU_ASSERT_PTR_NULL(p->A);
    files_entries_are(p->global->H, 2, 2, H);
    CU_ASSERT_EQUAL(p->global->f[0], 5.0);
    CU_ASSERT_EQUAL(p->b[0], 7.0);
    CU_ASSERT_EQUAL(p->n, 2);
    files_come_back(p, test_scratch("global.dat"), "siconos", false);
    /* q = (0, 2) and mu = 2 look like the sizes of H, but nothing follows. */
    p = read_text("2\n1\n0\n2\n2\n2 2\n1 0\n0 2\n0 2\n2\n1");
    CU_ASSERT_PTR_NULL(p->global);
    CU_ASSERT_EQUAL(p->set->blocks[0].mu, 2.0);
    p = read_as("global.dat", global, "fc2d", NULL);
    CU_ASSERT_PTR_NULL(p->global);
    refused_as("x.dat", global, "gfc3d", PERP_ERR_FORMAT,
               "dimension is 2, expected 3 for this kind");
    refused_as("x.dat", "2 1 0 3 3 3 3 1 0 0 0 1 0 0 0 1 1 1 0.5", NULL, PERP_ERR_FORMAT,
               "M has 3 rows, expected 2 x 1 contacts, or H after M");
}

#define GMP_M                                                                            \
    "1\n5\n5\n3\n3\n3\n1 2 5\n1 2 5\n4\n3\n0 1 2 3\n0 1 2\n0\n7\n1\n8\n"                 \
    "2\n1 0 0 0 2 0 0 0 3\n1 2 3 4 5\n"

/* M = [1 2 0; 0 3 0; 0 0 4]: blocks of two rows and of one, on which Siconos relies; H in
 * blocks of these rows by the columns of a contact. The zeros in them come back as none. */
TEST(a_sparse_global_problem_is_cut_by_bodies_and_contacts)
{
    perp_problem *p = read_text("2\n1\n0\n3\n3\n3 3\n1 0 0\n2 3 0\n0 0 4\n0\n3\n2\n3 2\n"
                                "1 0 5\n0 6 0\n5 6 7\n7 8\n0.5\n");
    const char *path = test_scratch("bodies.dat");
    perp_operator **each[] = {&p->global->M, &p->global->H};
    size_t length = 0;

    for (size_t k = 0; k < 2; k++) {
        perp_operator *dense = *each[k];

        OK(perp_operator_convert(each[k], dense, PERP_STORAGE_CSR, 1, NULL));
        perp_operator_free(dense);
    }
    OK(perp_problem_write(p, path, NULL, NULL, NULL));
    char *text = files_get(path, &length);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "2\n1\n1\n3\n3\n2\n2\n2\n2\t3\t\n2\t3\t\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "1\n3\n2\n2\n2\n1\n2\t3\t\n2\t\n"));
    files_come_back(p, path, "siconos", false);
}

TEST(generic_problems_have_a_type_for_each_block_row)
{
    perp_problem *p = read_text(GMP_M "2\n0\n4\n0.25\n");

    CU_ASSERT_EQUAL_FATAL(p->set->count, 3);
    CU_ASSERT_EQUAL(p->set->blocks[0].kind, PERP_SET_FREE);
    CU_ASSERT_EQUAL(p->set->blocks[1].kind, PERP_SET_NONNEG);
    CU_ASSERT_EQUAL(p->set->blocks[2].kind, PERP_SET_CONE);
    CU_ASSERT_EQUAL(p->set->blocks[2].mu, 0.25);
    CU_ASSERT_EQUAL(p->A->type->storage, PERP_STORAGE_CSR);
    files_come_back(p, test_scratch("generic.dat"), "siconos", false);
}

TEST(kinds_are_named_as_in_the_list)
{
    perp_read_options opt = {.format = "siconos", .kind = "nlp"};
    const char *path = test_scratch("x.dat");
    perp_problem *p = NULL;
    perp_error err = {0};

    files_put_text(path, relay);
    CU_ASSERT_EQUAL(perp_problem_read(&p, path, &opt, NULL, &err), PERP_ERR_OPTION);
    CU_ASSERT_PTR_NULL(p);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "kind is \"nlp\", expected one of: lcp, "));
    unlink(path);
}

/* Storage stays: CSR of an LCP goes as blocks of one entry. */
TEST(problems_come_back_as_they_were)
{
    static const double M[] = {0, -1, 2, 2, 0, -2, -1, 1, 0};
    static const double q[] = {0.1, 1.0 / 3.0, -5e-324};
    static const double W[] = {4, 1, 0, 0, 1, 3, 0, 0, 0, 0, 2, -1, 0, 0, 1, 2};
    static const double b[] = {-1, 0.2, -1, 0};
    static const double mu[] = {0.7, 0.0};
    perp_problem *lcp = test_lcp(3, M, q);
    perp_problem *cones = test_cones(2, 2, W, b, mu);
    perp_problem *p = read_text(relay);

    files_come_back(lcp, test_scratch("dense.dat"), "siconos", false);
    test_store(lcp, PERP_STORAGE_CSR, 1);
    files_come_back(lcp, test_scratch("csr.dat"), "siconos", false);
    files_come_back(cones, test_scratch("cones.dat"), "siconos", false);
    test_store(cones, PERP_STORAGE_BSR, 2);
    files_come_back(cones, test_scratch("bsr.dat"), "siconos", false);
    files_come_back(p, test_scratch("relay.dat"), "siconos", false);
}

/* n = 3, one cone: the text begins as one contact in space does, and coneIndex decides. */
#define SOCLCP_M "3\n1\n0\n3\n3\n3\t3\n2 0 0\n0 1 0\n0 0 1\n-1 0.5 0\n"

TEST(a_cone_of_the_associated_law_is_told_from_a_contact)
{
    perp_problem *p = read_text(SOCLCP_M "0 3\n0.5\n");

    CU_ASSERT_EQUAL(p->law, PERP_LAW_ASSOCIATED);
    CU_ASSERT_EQUAL(p->set->blocks[0].kind, PERP_SET_CONE);
    CU_ASSERT_EQUAL(p->set->blocks[0].mu, 0.5);
    p = read_text(SOCLCP_M "0.5\n");
    CU_ASSERT_EQUAL(p->law, PERP_LAW_COULOMB);
    p = read_text(SOCLCP_M "0\n"); /* mu = 0, then a flag of an older version */
    CU_ASSERT_EQUAL(p->law, PERP_LAW_COULOMB);
    p = read_text(SOCLCP_M "0\n1\n");
    CU_ASSERT_EQUAL(p->law, PERP_LAW_COULOMB);
    p = read_as("x.dat", SOCLCP_M "0 3\n0.5\n", "fc3d", NULL);
    CU_ASSERT_EQUAL(p->law, PERP_LAW_COULOMB);
    refused_as("x-soclcp.dat", SOCLCP_M "0.5\n", "soclcp", PERP_ERR_FORMAT,
               ":11: coneIndex[0] is \"0.5\", expected an integer");
}

/* Rows of 1, 2 and 3: a row z >= 0 and cones of both dimensions. */
TEST(second_order_cones_have_one_to_three_rows)
{
    static const double W[] = {1, 0, 0, 0, 0, 0, 0, 2, 1, 0, 0, 0, 0, 1, 3, 0, 0, 0,
                               0, 0, 0, 4, 0, 1, 0, 0, 0, 0, 5, 0, 0, 0, 0, 1, 0, 6};
    static const double b[] = {-1, -2, 0.1, -1, 0.2, -0.3};
    perp_problem *p = NULL;
    perp_set *set = test_new_set(3);

    perp_set_add_nonneg(set);
    perp_set_add_cone(set, 2, 1.0 / 3.0);
    perp_set_add_cone(set, 3, 0.7);
    OK(perp_problem_new_dense(&p, 6, W, 6, b, set, PERP_LAW_ASSOCIATED, PERP_COPY, NULL));
    files_come_back(p, test_scratch("cones-dense.dat"), "siconos", false);
    test_store(p, PERP_STORAGE_CSR, 1);
    OK(perp_problem_write(p, test_scratch("cones-blocks.dat"), NULL, NULL, NULL));
    p = test_read(test_scratch("cones-blocks.dat"), NULL, NULL);
    CU_ASSERT_EQUAL(p->A->count, 14); /* blocks of 1, 2 x 2 and 3 x 3 */
    files_entries_are(p->A, 6, 6, W); /* symmetric */
    files_come_back(p, test_scratch("cones-again.dat"), "siconos", false);
}

TEST(cones_of_one_size_come_back_in_blocks)
{
    static const double W[] = {4, 1, 0, 0, 1, 3, 0, 0, 0, 0, 2, -1, 0, 0, 1, 2};
    static const double b[] = {-1, 0.2, -1, 0};
    static const double mu[] = {0.7, 0.0};
    perp_problem *p = test_cones(2, 2, W, b, mu);

    p->law = PERP_LAW_ASSOCIATED;
    test_store(p, PERP_STORAGE_BSR, 2);
    files_come_back(p, test_scratch("soclcp-blocks.dat"), "siconos", false);
}
