/* SPDX-License-Identifier: Apache-2.0
 * tests/formats/matrix_market.c: folders of Matrix Market files: variants of the files,
 * the kinds recognised by their files, every set written and read, and messages with a
 * line. */
#include <config.h>

#include <math.h>
#include <stdlib.h>

#include "files.h"
#include "instances.h"

/* A fresh folder: what is called so from before goes. */
static const char *fresh_folder(const char *name)
{
    static const char *const names[] = {
        "A.mtx",  "b.mtx",      "M.mtx",      "H.mtx",          "G.mtx",        "f.mtx",
        "q.mtx",  "z.mtx",      "w.mtx",      "v.mtx",          "lo.mtx",       "hi.mtx",
        "mu.mtx", "findex.mtx", "radius.mtx", "mu_rolling.mtx", "problem.json",
    };
    const char *folder = test_scratch(name);
    char path[2048];

    mkdir(folder, 0777);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    return folder;
}

static void put(const char *folder, const char *name, const char *text)
{
    char path[2048];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    files_put_text(path, text);
}

#define ARRAY      "%%MatrixMarket matrix array real general\n"
#define COORDINATE "%%MatrixMarket matrix coordinate real general\n"

static perp_problem *read_folder(const char *folder, const char *kind)
{
    perp_read_options opt = {.kind = kind};
    perp_problem *p = NULL;
    perp_error err = {0};

    if (perp_problem_read(&p, folder, &opt, NULL, &err) != PERP_OK) {
        test_note("%s", err.text);
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(p);
    return p;
}

/* The same 2 x 2 matrix [2 -1; -1 3] or its variants, expected by columns. */
static void expect_matrix(const char *text, perp_storage storage, double a11, double a21,
                          double a12, double a22)
{
    const char *folder = fresh_folder("mm-variants");

    put(folder, "A.mtx", text);
    put(folder, "b.mtx", ARRAY "2 1\n-1\n0.5\n");
    perp_problem *p = read_folder(folder, NULL);
    CU_ASSERT_EQUAL(p->A->type->storage, storage);
    CU_ASSERT_EQUAL(perp_operator_entry(p->A, 0, 0), a11);
    CU_ASSERT_EQUAL(perp_operator_entry(p->A, 1, 0), a21);
    CU_ASSERT_EQUAL(perp_operator_entry(p->A, 0, 1), a12);
    CU_ASSERT_EQUAL(perp_operator_entry(p->A, 1, 1), a22);
    CU_ASSERT_EQUAL(perp_problem_kind(p), PERP_KIND_LCP);
    CU_ASSERT_EQUAL(p->b[1], 0.5);
}

TEST(reads_the_variants_of_the_format)
{
    expect_matrix(ARRAY "2 2\n2\n-1\n-1.5\n3e0\n", PERP_STORAGE_DENSE, 2, -1, -1.5, 3);
    expect_matrix(COORDINATE "% text\n\n  % more\n2 2 3\n1 1 2\n\n2 1 -1\n% in between\n"
                             "  2 2  3  \r\n% last\n",
                  PERP_STORAGE_CSR, 2, -1, 0, 3);
    expect_matrix(
        "%%MatrixMarket MATRIX Coordinate Real Symmetric\n2 2 3\n1 1 2\n2 1 -1\n"
        "2 2 3",
        PERP_STORAGE_CSR, 2, -1, -1, 3);
    expect_matrix(
        "%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n2 1 7\n",
        PERP_STORAGE_CSR, 0, 7, -7, 0);
    expect_matrix("%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 2\n2 1\n",
                  PERP_STORAGE_CSR, 0, 1, 1, 0);
    expect_matrix("%%MatrixMarket matrix array double symmetric\n2 2\n2\n-1\n3\n",
                  PERP_STORAGE_DENSE, 2, -1, -1, 3);
    expect_matrix("%%MatrixMarket matrix array integer skew-symmetric\n2 2\n4\n",
                  PERP_STORAGE_DENSE, 0, 4, -4, 0);
    expect_matrix("%%MatrixMarket matrix coordinate unsigned-integer general\n2 2 2\n"
                  "1 1 9007199254740992\n2 1 9007199254740994\n",
                  PERP_STORAGE_CSR, 0x1p53, 0x1p53 + 2, 0, 0);
}

TEST(notes_entries_that_repeat)
{
    const char *folder = fresh_folder("mm-repeat");
    perp_notes notes = {0};

    put(folder, "A.mtx", COORDINATE "1 1 2\n1 1 2\n1 1 3\n");
    put(folder, "b.mtx", COORDINATE "1 1 2\n1 1 -4\n1 1 -1\n");
    perp_problem *p = test_read(folder, NULL, &notes);
    CU_ASSERT_EQUAL(perp_operator_entry(p->A, 0, 0), 5.0);
    CU_ASSERT_EQUAL(p->b[0], -5.0);
    CU_ASSERT_EQUAL_FATAL(notes.count, 2);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(notes.line[0], "b.mtx: entries that repeat an earlier"));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(notes.line[1], "A.mtx: entries that repeat an earlier"));
}

TEST(tells_the_kind_by_the_files_that_are_there)
{
    const char *folder = fresh_folder("mm-kinds");

    put(folder, "M.mtx",
        "%%MatrixMarket matrix coordinate pattern general\n6 6 1\n1 1\n");
    put(folder, "q.mtx", ARRAY "6 1\n0\n0\n0\n0\n0\n0\n");
    perp_problem *p = read_folder(folder, NULL);
    CU_ASSERT_EQUAL(perp_problem_kind(p), PERP_KIND_LCP);

    put(folder, "mu.mtx", ARRAY "2 1\n0.25\n0.5\n");
    p = read_folder(folder, NULL);
    CU_ASSERT_EQUAL(perp_problem_kind(p), PERP_KIND_FC3D);
    CU_ASSERT_EQUAL(p->set->blocks[1].mu, 0.5);

    put(folder, "mu.mtx", ARRAY "1 3\n0.25\n0.5\n0\n");
    p = read_folder(folder, NULL);
    CU_ASSERT_EQUAL(perp_problem_kind(p), PERP_KIND_FC2D);

    folder = fresh_folder("mm-kinds");
    put(folder, "A.mtx",
        "%%MatrixMarket matrix coordinate pattern general\n4 4 1\n1 1\n");
    put(folder, "b.mtx", ARRAY "4 1\n0\n0\n0\n0\n");
    put(folder, "lo.mtx", ARRAY "4 1\n-inf\n0\n-1e300\n-2\n");
    put(folder, "hi.mtx", ARRAY "4 1\ninf\ninf\n1\n1e301\n");
    p = read_folder(folder, "blcp");
    CU_ASSERT_EQUAL(p->set->blocks[0].kind, PERP_SET_FREE);
    CU_ASSERT_EQUAL(p->set->blocks[1].kind, PERP_SET_NONNEG);
    CU_ASSERT_EQUAL(p->set->blocks[2].kind, PERP_SET_BOX);
    CU_ASSERT_EQUAL(p->set->blocks[2].lo, -1e300);
    CU_ASSERT_EQUAL(p->set->blocks[3].lo, -2.0);
    CU_ASSERT_EQUAL(p->set->blocks[3].hi, 1e301);
    CU_ASSERT_PTR_NOT_NULL(strstr(p->name, "mm-kinds"));
}

/* One contact, file rows (T1, T2, N) with diagonal (1, 2, 3), b = (4, 5, 6). */
TEST(turns_contacts_whose_normal_is_last)
{
    const char *const matrices[] = {
        COORDINATE "3 3 4\n1 1 1\n2 2 2\n3 3 3\n1 3 7\n",
        ARRAY "3 3\n1\n0\n0\n0\n2\n0\n7\n0\n3\n",
    };

    for (size_t i = 0; i < 2; i++) {
        const char *folder = fresh_folder("mm-turned");

        put(folder, "A.mtx", matrices[i]);
        put(folder, "b.mtx", ARRAY "3 1\n4\n5\n6\n");
        put(folder, "z.mtx", ARRAY "3 1\n7\n8\n9\n");
        put(folder, "mu.mtx", ARRAY "1 1\n0.5\n");
        put(folder, "problem.json",
            "{\"order\": \"normal-last\", \"law\": \"associated\"}");
        perp_problem *p = read_folder(folder, NULL);
        CU_ASSERT_EQUAL(p->law, PERP_LAW_ASSOCIATED);
        CU_ASSERT_EQUAL(perp_operator_entry(p->A, 0, 0), 3.0);
        CU_ASSERT_EQUAL(perp_operator_entry(p->A, 1, 1), 1.0);
        CU_ASSERT_EQUAL(perp_operator_entry(p->A, 2, 2), 2.0);
        CU_ASSERT_EQUAL(perp_operator_entry(p->A, 1, 0), 7.0);
        CU_ASSERT_EQUAL(perp_operator_entry(p->A, 0, 1), 0.0);
        CU_ASSERT_EQUAL(p->b[0], 6.0);
        CU_ASSERT_EQUAL(p->b[1], 4.0);
        CU_ASSERT_EQUAL(p->b[2], 5.0);
        CU_ASSERT_EQUAL(p->solution->z[0], 9.0);
    }
}

TEST(keeps_every_set_law_and_storage)
{
    const perp_storage storages[] = {PERP_STORAGE_DENSE, PERP_STORAGE_CSR};
    const perp_law laws[] = {PERP_LAW_COULOMB, PERP_LAW_ASSOCIATED};

    for (size_t i = 0; i < 2; i++) {
        perp_problem *p = files_every_set(storages[i], laws[i]);

        /* the second time it replaces the first */
        files_come_back(p, test_scratch("mm-sets"), "matrix-market", true);
        files_come_back(p, test_scratch("mm-sets"), NULL, true);
    }
}

TEST(keeps_blocks_of_contacts)
{
    char path[1024];

    snprintf(path, sizeof path, "%s/solvers/wall_2x2.json", test_golden());
    perp_problem *p = test_read(path, NULL, NULL);
    perp_operator *blocks = test_convert(p->A, PERP_STORAGE_BSR, 3);
    perp_operator_free(p->A);
    p->A = blocks;
    files_come_back(p, test_scratch("mm-wall"), "matrix-market", true);
}

/* M = diag(2, 1, 1), H one 2D contact, G one joint row: 3 dofs, 3 rows. */
TEST(keeps_a_global_problem)
{
    const char *folder = fresh_folder("mm-global");

    put(folder, "M.mtx", COORDINATE "3 3 3\n1 1 2\n2 2 1\n3 3 1\n");
    put(folder, "H.mtx", COORDINATE "3 2 2\n1 1 1\n2 2 1\n");
    put(folder, "G.mtx", ARRAY "3 1\n0\n0\n1\n");
    put(folder, "f.mtx", ARRAY "3 1\n-1\n0\n0.1\n");
    put(folder, "b.mtx", ARRAY "3 1\n0\n0.5\n0\n");
    put(folder, "mu.mtx", ARRAY "1 1\n0.3\n");
    perp_problem *p = read_folder(folder, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(p->global);
    CU_ASSERT_PTR_NULL(p->A);
    CU_ASSERT_EQUAL(p->n, 3);
    CU_ASSERT_EQUAL(p->set->count, 2);
    CU_ASSERT_EQUAL(p->set->blocks[0].kind, PERP_SET_CONE);
    CU_ASSERT_EQUAL(p->set->blocks[0].dim, 2);
    CU_ASSERT_EQUAL(p->set->blocks[1].kind, PERP_SET_FREE);
    CU_ASSERT_EQUAL(p->global->G->cols, 1);
    CU_ASSERT_EQUAL(p->global->f[2], 0.1);
    files_come_back(p, test_scratch("mm-global-back"), "matrix-market", true);
}

#define B1 ARRAY "1 1\n1\n"

static const struct {
    const char *name, *text, *words;
} wrong_files[] = {
    {"A.mtx", "", "A.mtx:1: found \"\", expected %%MatrixMarket matrix"},
    {"A.mtx", "%%MatrixMarket vector array real general\n1\n", "A.mtx:1: found"},
    {"A.mtx", "%%MatrixMarket matrix elements real general\n",
     "expected coordinate or array"},
    {"A.mtx", "%%MatrixMarket matrix array complex general\n1 1\n1 0\n",
     "expected real, integer, unsigned-integer or pattern"},
    {"A.mtx", "%%MatrixMarket matrix array real hermitian\n1 1\n1\n",
     "expected general, symmetric or skew-symmetric"},
    {"A.mtx", "%%MatrixMarket matrix array pattern general\n1 1\n1\n",
     "expected an array of numbers, not a pattern"},
    {"A.mtx", "%%MatrixMarket matrix array integer general\n1 1\n9007199254740993\n",
     "A.mtx:3: found \"9007199254740993\", expected an integer that a double holds"},
    {"A.mtx", ARRAY, "A.mtx:1: it ends before its size"},
    {"A.mtx", ARRAY "1 1 1\n1\n", "A.mtx:2: found \"1 1 1\", expected rows and columns"},
    {"A.mtx", ARRAY "-1 1\n1\n", "A.mtx:2: found \"-1 1\", expected rows and columns"},
    {"A.mtx", COORDINATE "1 1\n", "expected rows, columns and entries"},
    {"A.mtx", COORDINATE "99999999999 1 1\n1 1 1\n", "at most 2^31 - 1 rows"},
    {"A.mtx", COORDINATE "1 1 18446744073709551616\n1 1 1\n", "expected rows, columns"},
    {"A.mtx", COORDINATE "1 1 1000000\n1 1 1\n",
     "it declares 1000000 entries, more than the rest of the file can hold"},
    {"A.mtx", ARRAY "40000 40000\n1\n", "it declares 1600000000 entries, more than"},
    {"A.mtx", ARRAY "2 1\n1\n1\n", "A.mtx:2: the matrix is 2 x 1, expected 1 x 1"},
    {"A.mtx", "%%MatrixMarket matrix array real symmetric\n1 2\n1\n",
     "expected a square matrix, since it is symmetric"},
    {"A.mtx", COORDINATE "% c\n1 1 1\n% c\n2 1 5\n",
     "A.mtx:5: entry (2, 1) is outside of 1 x 1"},
    {"A.mtx", COORDINATE "1 1 1\n1 0 5\n", "A.mtx:3: entry (1, 0) is outside"},
    {"A.mtx", COORDINATE "1 1 1\n1 1\n", "A.mtx:3: found \"1 1\", expected row, column"},
    {"A.mtx", COORDINATE "1 1 1\n1 1 x\n", "A.mtx:3: found \"1 1 x\", expected row"},
    {"A.mtx", COORDINATE "1 1 1\n1 1 nan\n",
     "A.mtx:3: found \"1 1 nan\", expected a finite number"},
    {"A.mtx", COORDINATE "1 1 1\n1 1 1e999\n", "expected a finite number"},
    {"A.mtx", COORDINATE "1 1 1\n1 1 0x10\n", "expected row, column and one number"},
    {"lo.mtx", ARRAY "1 1\n-1e999\n", "lo.mtx:3: found \"-1e999\", expected a finite"},
    {"A.mtx", ARRAY "1 1\ninf\n", "A.mtx:3: found \"inf\", expected a finite number"},
    {"A.mtx", COORDINATE "1 1 2\n1 1 1\n     \n",
     "A.mtx:4: it ends after 1 of 2 entries"},
    {"A.mtx", COORDINATE "1 1 1\n1 1 1\n1 1 2\n",
     "A.mtx:4: found \"1 1 2\", expected the end after 1 entries"},
    {"A.mtx", ARRAY "1 1\n1 2\n", "A.mtx:3: found \"1 2\", expected one number"},
    {"A.mtx", "%%MatrixMarket matrix coordinate real skew-symmetric\n1 1 1\n1 1 0\n",
     "A.mtx:3: entry (1, 1) is not below the diagonal"},
    {"b.mtx", ARRAY "1 1\nnan\n", "b.mtx:3: found \"nan\", expected a finite number"},
    {"b.mtx", ARRAY "2 2\n1\n1\n1\n1\n", "b.mtx:2: found \"2 2\", expected one column"},
    {"lo.mtx", ARRAY "2 1\n1\n1\n", "lo.mtx: it has 2 numbers, expected 1, one per row"},
    {"lo.mtx", ARRAY "1 1\ninf\n", "lo.mtx: lo[0] is inf"},
    {"mu.mtx", B1, "1 row and 1 number in mu: no contacts"},
    {"problem.json", "{", "problem.json:1:1: "},
    {"problem.json", "{\"law\": \"newton\"}", "law is \"newton\", expected \"coulomb\""},
    {"problem.json", "{\"order\": \"n\"}", "order is \"n\", expected \"normal-first\""},
    {"problem.json", "{\"kind\": \"mixed\"}", "sets is missing, expected a list"},
    {"problem.json", "{\"kind\": \"fc3d\"}", "no contacts of dimension 2 or 3"},
    {"problem.json", "{\"guesses\": 5000}", "guesses is 5000, expected at most 1000"},
    {"problem.json", "{\"guesses\": 1}", "guess_1.mtx: cannot open"},
    {"problem.json", "{\"edge\": 7}", "edge is 7, expected a divisor of 1 and 1"},
    {"problem.json", "{\"sets\": [{\"kind\": \"friction\"}]}",
     "mu.mtx: missing or empty, expected 1 number, one per contact"},
    {"problem.json", "{\"sets\": [{\"kind\": \"disk\"}]}",
     "count is 1, blocks of 2 rows, but only 1 row left"},
    {"H.mtx", B1, "A is of no use beside H, in the global form"},
};

TEST(says_what_is_wrong_and_on_which_line)
{
    for (size_t i = 0; i < sizeof wrong_files / sizeof wrong_files[0]; i++) {
        const char *folder = fresh_folder("mm-bad");

        put(folder, "A.mtx", COORDINATE "1 1 1\n1 1 2\n");
        put(folder, "b.mtx", B1);
        put(folder, wrong_files[i].name, wrong_files[i].text);
        files_refused(folder, "matrix-market", wrong_files[i].words);
    }
}

TEST(refuses_friction_below_zero_and_rows_beyond)
{
    const char *folder = fresh_folder("mm-friction");

    put(folder, "A.mtx", COORDINATE "2 2 2\n1 1 2\n2 2 2\n");
    put(folder, "b.mtx", ARRAY "2 1\n1\n1\n");
    put(folder, "mu.mtx", ARRAY "1 1\n-0.5\n");
    files_refused(folder, NULL, "mu.mtx: number 1 is -0.5, expected one >= 0");
    put(folder, "mu.mtx", ARRAY "1 1\n0.5\n");
    put(folder, "problem.json",
        "{\"sets\":[{\"kind\":\"nonneg\"},{\"kind\":\"friction\"}]}");
    files_refused(folder, NULL, "findex.mtx: missing or empty, expected 2 numbers");
    put(folder, "findex.mtx", ARRAY "2 1\n0\n3\n");
    files_refused(folder, NULL, "findex.mtx: number 2 is 3, expected a row from 1 to 2");
}

/* Cut anywhere, the files make no problem, or the same one without its last newline. */
TEST(survives_a_cut_at_every_byte)
{
    static const char text[] =
        "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 2.5\n2 2 3.5\n";
    const char *folder = fresh_folder("mm-cut");
    char path[2048];

    snprintf(path, sizeof path, "%s/A.mtx", folder);
    put(folder, "b.mtx", ARRAY "2 1\n1\n1\n");
    for (size_t cut = 0; cut + 4 < sizeof text; cut++) { /* "3." still is a number */
        files_put(path, text, cut);
        files_refused(folder, "matrix-market", "A.mtx");
    }
}

TEST(leaves_foreign_files_alone)
{
    const char *folder = fresh_folder("mm-foreign");
    const double one = 1.0;
    perp_problem *p = test_lcp(1, &one, &one);
    perp_error err = {0};
    char path[2048];

    snprintf(path, sizeof path, "%s/thesis.tex", folder);
    files_put_text(path, "years of work\n");
    CU_ASSERT_EQUAL(perp_problem_write(p, folder, "matrix-market", NULL, &err),
                    PERP_ERR_WRITE);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "it holds thesis.tex"));
    CU_ASSERT_EQUAL(access(path, F_OK), 0);
    CU_ASSERT_EQUAL(unlink(path), 0);
    OK(perp_problem_write(p, folder, "matrix-market", NULL, NULL));
}
