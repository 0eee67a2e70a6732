/* SPDX-License-Identifier: Apache-2.0
 * tests/formats/arrays.c: problems as named arrays in MATLAB files, NumPy archives, JSON, and
 * folders of NumPy arrays and of CSV: every set, global problems and points come back with
 * their bits; arrays of others are read by their names; what is refused. The other programs
 * read them in tests/interop. */
#include <config.h>

#include <math.h>
#include <string.h>

#include <perp/random.h>

#include "files.h"
#include "instances.h"
#include "scarce.h"

static const struct {
    const char *name;
    bool folder, dense; /* dense: it has no sparse matrices */
} formats[] = {
#ifdef HAVE_MATIO
    {"mat", false, false},
#endif
    {"npz", false, false},
    {"json", false, false},
    {"npy", true, false},
    {"csv", true, true}};

enum { FORMATS = sizeof formats / sizeof *formats };

/* The matrices of p become dense. */
static void make_dense(perp_problem *p)
{
    perp_operator **all[] = {&p->A, p->global ? &p->global->M : NULL,
                             p->global ? &p->global->H : NULL,
                             p->global ? &p->global->G : NULL};

    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        perp_operator *A = NULL;

        if (all[k] && *all[k]) {
            OK(perp_operator_convert(&A, *all[k], PERP_STORAGE_DENSE, 1, NULL));
            perp_operator_free(*all[k]);
            *all[k] = A;
        }
    }
}

TEST(every_set_comes_back)
{
    static const perp_storage storages[] = {PERP_STORAGE_DENSE, PERP_STORAGE_CSR};
    static const perp_law laws[] = {PERP_LAW_COULOMB, PERP_LAW_ASSOCIATED};

    for (size_t f = 0; f < FORMATS; f++) {
        for (size_t k = 0; k < 4; k++) {
            perp_problem *p = files_every_set(storages[k / 2], laws[k % 2]);

            if (!formats[f].dense || k < 2) {
                files_come_back(p, test_scratch(formats[f].name), formats[f].name,
                                formats[f].folder);
            }
        }
    }
}

TEST(data_sets_come_back)
{
    static const char *const files[] = {
        "fclib/CubeH8.hdf5",
        "fclib/Box_Stacks-i0122-82-5.hdf5",
        "siconos-lcp/lcp_ortiz.dat",
        "siconos-lcp/lcp_deudeu_block.dat",
        "siconos-relay/relay1.dat",
        "siconos-gfc3d/GFC3D_TwoRods1.dat",
        "siconos-mlcp/RCD_mlcp.dat",
        "siconos-rolling/RFC3D_cube_1.dat",
        "siconos-gmp/GMP5.dat",
        "siconos-fc2d/FrictionContactProblem00237.dat",
        "fclib/local_problem_test.hdf5",
    };

    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        char path[1024];

        snprintf(path, sizeof path, "%s/%s", test_datasets(), files[k]);
        perp_problem *p = test_read(path, NULL, NULL);
        for (size_t f = 0; f < FORMATS; f++) {
            if (formats[f].dense) {
                make_dense(p); /* the last of the formats */
            }
            files_come_back(p, test_scratch(formats[f].name), formats[f].name,
                            formats[f].folder);
        }
    }
}

/* Does a file or folder of that format hold an array of that name? */
static bool holds(const char *format, const char *path, const char *name)
{
    char text[4096];
    size_t length = 0;

    if (strcmp(format, "npz") != 0 && strcmp(format, "json") != 0) {
        snprintf(text, sizeof text, "%s/%s.%s", path, name,
                 strcmp(format, "matrix-market") == 0 ? "mtx" : format);
        return access(text, R_OK) == 0;
    }
    snprintf(text, sizeof text, strcmp(format, "npz") == 0 ? "%s.npy" : "\"%s\":", name);
    char *bytes = files_get(path, &length);
    return memmem(bytes, length, text, strlen(text)) != NULL;
}

TEST(an_lcp_has_the_names_of_other_problems)
{
    static const double A[4] = {2, 1, 1, 2}, b[2] = {-5, -6};
    static const char *const all[] = {"npz", "json", "npy", "csv", "matrix-market"};

    for (size_t f = 0; f < sizeof all / sizeof *all; f++) {
        const char *path = test_scratch(all[f]);

        OK(perp_problem_write(test_lcp(2, A, b), path, all[f], NULL, NULL));
        CU_ASSERT(holds(all[f], path, "A") && holds(all[f], path, "b"));
        CU_ASSERT_FALSE(holds(all[f], path, "M") || holds(all[f], path, "q"));
    }
}

/* Files of folders that are renamed: the names of an LCP in most papers. */
TEST(m_and_q_are_second_names_of_an_lcp)
{
    static const double A[4] = {2, 1, 0.5, 2}, b[2] = {-5, -6};
    static const char *const all[][2] = {
        {"npy", "npy"}, {"csv", "csv"}, {"matrix-market", "mtx"}};

    for (size_t f = 0; f < sizeof all / sizeof *all; f++) {
        const char *path = test_scratch(all[f][1]);
        char from[4096], to[4096];

        OK(perp_problem_write(test_lcp(2, A, b), path, all[f][0], NULL, NULL));
        for (size_t k = 0; k < 2; k++) {
            snprintf(from, sizeof from, "%s/%c.%s", path, "Ab"[k], all[f][1]);
            snprintf(to, sizeof to, "%s/%c.%s", path, "Mq"[k], all[f][1]);
            CU_ASSERT_EQUAL(rename(from, to), 0);
        }
        perp_problem *p = test_read(path, NULL, NULL);
        CU_ASSERT_EQUAL(perp_operator_entry(p->A, 0, 1), 1.0);
        CU_ASSERT_EQUAL(perp_operator_entry(p->A, 1, 0), 0.5);
        CU_ASSERT(p->b[0] == -5.0 && p->b[1] == -6.0);
    }
}

/* G of a global problem is not that of ContactBench. */
TEST(a_global_problem_with_equalities_comes_back)
{
    static const char json[] =
        "{\"M\": [[2, 0], [0, 3]], \"H\": [[1], [0.5]], \"G\": [[1], [-1]],\n"
        " \"f\": [0.1, -0.25], \"b\": [-1, 0.5], \"lo\": [0, \"-inf\"]}";
    const char *path = test_scratch("global.json");

    files_put_text(path, json);
    perp_problem *p = test_read(path, NULL, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(p->global);
    CU_ASSERT_EQUAL(p->global->G->cols, 1);
    CU_ASSERT_EQUAL(p->set->blocks[0].kind, PERP_SET_NONNEG);
    CU_ASSERT_EQUAL(p->set->blocks[1].kind, PERP_SET_FREE);
    for (size_t f = 0; f < FORMATS; f++) {
        files_come_back(p, test_scratch(formats[f].name), formats[f].name,
                        formats[f].folder);
    }
}

TEST(json_is_read_as_people_write_it)
{
    static const struct {
        const char *text;
        double entry;  /* A(1, 0) */
        double lo, hi; /* of row 1 */
    } cases[] = {
        {"{\"M\": [[2,1],[1.5,2]],\"q\":[-1,-1]}", 1.5, 0.0, INFINITY},
        {" \n{ \"b\" : [ -1 , -1 ] , \"A\" : [ [ 2 , 1 ] , [ 1.5e0 , 2 ] ] ,"
         " \"lo\" : [ null , -Infinity ] , \"hi\" : [ \"inf\" , 2 ] }",
         1.5, -INFINITY, 2.0},
        {"{\"A\": {\"shape\": [2, 2], \"row\": [1, 0, 1, 1], \"col\": [0, 0, 1, 0],\n"
         "\"data\": [1, 2, 2, 0.5]}, \"b\": [-1, -1], \"id\": \"A, [b] \\\" {\"}",
         1.5, 0.0, INFINITY},
        {"{\"A\": {\"shape\": [2, 2], \"indptr\": [0, 1, 3], \"indices\": [0, 0, 1],"
         "\"data\": [2, 1.5, 2]}, \"b\": [-1, -1], \"lo\": [-1, -2], \"mu\": null}",
         1.5, -2.0, INFINITY},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        perp_problem *p = NULL;
        perp_error err = {0};

        (void)perp_problem_read_memory(&p, cases[k].text, strlen(cases[k].text), NULL,
                                       NULL, &err);
        test_note("%s", err.text);
        CU_ASSERT_PTR_NOT_NULL_FATAL(p);
        CU_ASSERT_EQUAL(p->n, 2);
        CU_ASSERT_EQUAL(perp_operator_entry(p->A, 1, 0), cases[k].entry);
        const perp_block *block = &p->set->blocks[1];
        if (block->kind == PERP_SET_BOX) {
            CU_ASSERT_EQUAL(block->lo, cases[k].lo);
            CU_ASSERT_EQUAL(block->hi, cases[k].hi);
        } else {
            CU_ASSERT_EQUAL(block->kind, PERP_SET_NONNEG);
            CU_ASSERT_EQUAL(cases[k].lo, 0.0);
        }
    }
}

/* Without a list of sets findex alone makes friction rows; the others have their bounds. */
TEST(findex_makes_friction_rows)
{
    static const char json[] =
        "{\"A\": [[3, 0, 0.5], [0, 4, 0], [0.5, 0, 2]], \"b\": [-1, -2, 3],\n"
        " \"lo\": [0, -1, \"-inf\"], \"mu\": [0.5], \"findex\": [-1, -1, 0]}";
    perp_problem *p = NULL;

    OK(perp_problem_read_memory(&p, json, strlen(json), NULL, NULL, NULL));
    CU_ASSERT_EQUAL(perp_problem_kind(p), PERP_KIND_FINDEX);
    CU_ASSERT_EQUAL(p->set->blocks[0].kind, PERP_SET_NONNEG);
    CU_ASSERT_EQUAL(p->set->blocks[1].lo, -1.0);
    CU_ASSERT_EQUAL(p->set->blocks[2].kind, PERP_SET_FRICTION);
    CU_ASSERT_EQUAL(p->set->blocks[2].normal, 0);
    CU_ASSERT_EQUAL(p->set->blocks[2].mu, 0.5);
}

/* All of its 10^10 entries. */
TEST(a_large_sparse_matrix_is_not_written_as_csv)
{
    const size_t n = 100000;
    const char *path = test_scratch("large-csv");
    perp_triplets t;
    perp_operator *A = NULL;
    perp_random g = {1};
    perp_error err = {0};

    perp_triplets_init(&t, n, n, 1);
    perp_triplets_add(&t, 0, 0, 1.0);
    OK(perp_triplets_finish(&A, &t, NULL));
    perp_triplets_free(&t);
    perp_set *set = test_new_uniform(PERP_SET_NONNEG, n);
    perp_problem *p = test_problem(A, set, PERP_LAW_COULOMB, &g);
    CU_ASSERT_EQUAL(perp_problem_write(p, path, "csv", NULL, &err), PERP_ERR_UNSUITABLE);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "matrix-market, npz, mat, json and fclib"));
    CU_ASSERT_NOT_EQUAL(access(path, F_OK), 0);
}

/* Cut anywhere, or changed in a byte, a file is refused or read, and nothing else. */
TEST(a_damaged_file_is_survived)
{
    for (size_t f = 0; f < FORMATS; f++) {
        const char *path = test_scratch("damaged");
        perp_read_options opt = {.format = formats[f].name};
        perp_problem *p = files_every_set(PERP_STORAGE_CSR, PERP_LAW_COULOMB);
        size_t size = 0;

        if (formats[f].folder) {
            continue;
        }
        OK(perp_problem_write(p, path, formats[f].name, NULL, NULL));
        char *bytes = files_get(path, &size);
        for (size_t k = 0; k < size; k += 61) {
            perp_error err = {0};

            files_put(path, bytes, k);
            CU_ASSERT_TRUE(perp_problem_read(&p, path, &opt, NULL, &err) != PERP_OK ||
                           k + 1 == size); /* a newline ends a JSON text */
            bytes[k] ^= 0x10;
            files_put(path, bytes, size);
            if (perp_problem_read(&p, path, &opt, NULL, &err) == PERP_OK) {
            }
            bytes[k] ^= 0x10;
        }
    }
}

TEST(scarce_memory_is_survived)
{
    for (size_t f = 0; f < FORMATS; f++) {
        const char *path = test_scratch(formats[f].name);
        perp_read_options opt = {.format = formats[f].name};
        perp_problem *p = files_every_set(
            formats[f].dense ? PERP_STORAGE_DENSE : PERP_STORAGE_CSR, PERP_LAW_COULOMB);
        bool failed = true;

        for (long k = 0; failed; k++) {
            perp_error err = {0};

            scarce_begin(k);
            perp_status status = perp_problem_write(p, path, formats[f].name, NULL, &err);
            failed = scarce_end();
            if (status == PERP_OK) { /* a search took the place of what needs memory */

                perp_problem *q = test_read(path, &opt, NULL);
                CU_ASSERT_TRUE(files_same_problem(p, q));
            }
            CU_ASSERT_TRUE(status == PERP_OK || (failed && err.text[0]));
        }
        failed = true;
        for (long k = 0; failed; k++) {
            perp_problem *q = NULL;
            perp_error err = {0};

            scarce_begin(k);
            perp_status status = perp_problem_read(&q, path, &opt, NULL, &err);
            failed = scarce_end();
            if (status == PERP_OK ? !files_same_problem(p, q)
                                  : !failed || q || !err.text[0]) {
                test_note("%s: allocation %ld: %s", formats[f].name, k, err.text);
                CU_FAIL("not survived");
            }
        }
    }
}
