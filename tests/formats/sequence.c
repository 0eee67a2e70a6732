/* SPDX-License-Identifier: Apache-2.0
 * tests/formats/sequence.c: sequences on disk come back bit by bit, from one file or a
 * folder of files; damaged files are refused with their place. */
#include <config.h>

#include <hdf5.h>

#include "files.h"
#include "formats/formats.h"
#include "instances.h"
#include "matrix/storages.h"
#include "scarce.h"

enum { STEPS = 4 };

/* Every set in dense, CSR, both laws; block CSR; a global problem: t = 0, 1, 2, 3. */
static perp_sequence *every_problem(void)
{
    perp_sequence *s = test_new_sequence("every \"problem\" µ");

    for (size_t i = 0; i < STEPS; i++) {
        perp_sequence_item step = {.t = (double)i, .h = 0.1};
        perp_error err = {0};

        if (i < 2) {
            step.problem = files_every_set(i ? PERP_STORAGE_CSR : PERP_STORAGE_DENSE,
                                           i ? PERP_LAW_COULOMB : PERP_LAW_ASSOCIATED);
        } else {
            step.problem = test_dataset(i == 2 ? "siconos-fc3d/FC3D_Example1_SBM.dat"
                                               : "fclib/Box_Stacks-i0122-82-5.hdf5");
        }
        if (i == 2) {
            test_store(step.problem, PERP_STORAGE_BSR, 3);
        }
        step.keys = calloc(step.problem->set->count, sizeof *step.keys);
        CU_ASSERT_PTR_NOT_NULL_FATAL(step.keys);
        for (size_t k = 0; k < step.problem->set->count; k++) {
            step.keys[k] = k == 1 ? 0 : UINT64_MAX - k; /* beyond what a double holds */
        }
        if (perp_sequence_add(s, &step, &err) != PERP_OK) {
            test_note("%s", err.text);
            CU_FAIL_FATAL("no sequence");
        }
    }
    return s;
}

/* The same steps, in any order of asking. */
static void same_steps(const perp_sequence *a, const perp_sequence *b)
{
    CU_ASSERT_EQUAL_FATAL(perp_sequence_count(a), perp_sequence_count(b));
    CU_ASSERT_STRING_EQUAL(perp_sequence_name(a), perp_sequence_name(b));
    for (size_t i = perp_sequence_count(a); i-- > 0;) {
        perp_sequence_item x, y;
        perp_error err = {0};

        if (perp_sequence_get(a, i, &x, &err) != PERP_OK ||
            perp_sequence_get(b, i, &y, &err) != PERP_OK) {
            test_note("%s", err.text);
            CU_FAIL_FATAL("a step is not there");
        }
        CU_ASSERT_TRUE(files_same_problem(x.problem, y.problem));
        CU_ASSERT_TRUE(x.t == y.t && x.h == y.h);
        CU_ASSERT_EQUAL(memcmp(x.keys, y.keys, x.problem->set->count * sizeof *x.keys),
                        0);
        perp_sequence_item_clear(&x);
        perp_sequence_item_clear(&y);
    }
}

/* Write, open, compare. */
static void comes_back(const perp_sequence *s, const char *path)
{
    perp_sequence *again = NULL;
    perp_error err = {0};

    if (perp_sequence_write(s, path, &err) != PERP_OK ||
        perp_sequence_open(&again, path, &err) != PERP_OK) {
        test_note("%s", err.text);
        CU_FAIL_FATAL("not written or not read");
    }
    CU_ASSERT_TRUE(perp_sequence_detect(path));
    OK(perp_sequence_check(again, NULL));
    same_steps(s, again);
}

TEST(every_problem_comes_back_from_one_file)
{
    const char *path = test_scratch("every.hdf5");
    perp_sequence *s = every_problem();
    size_t first = 0;
    size_t second = 0;

    comes_back(s, path);
    char *before = files_get(path, &first);
    OK(perp_sequence_write(s, path, NULL));
    char *after = files_get(path, &second);
    CU_ASSERT_TRUE(first == second && memcmp(before, after, first) == 0);
    free(before);
    free(after);
}

/* Item i of a sequence, as a sequence of its own. */
static void write_part(const perp_sequence *s, size_t i, const char *path)
{
    perp_sequence_item item;
    perp_sequence *part = test_new_sequence(perp_sequence_name(s));

    OK(perp_sequence_get(s, i, &item, NULL));
    OK(perp_sequence_add(part, &item, NULL));
    OK(perp_sequence_write(part, path, NULL));
}

/* step_99999 before step_100000: numbers in names count by their value. */
TEST(files_of_a_folder_are_one_sequence)
{
    static const char *const names[STEPS] = {"step_00007.hdf5", "step_00010.hdf5",
                                             "step_99999.hdf5", "step_100000.hdf5"};
    const char *folder = test_scratch("parts");
    const perp_read_options third = {.item = 2};
    perp_sequence *s = every_problem();
    perp_sequence *again = NULL;
    perp_error err = {0};
    char path[STEPS][1100];
    size_t count = 0;

    mkdir(folder, 0777);
    CU_ASSERT_FALSE(perp_sequence_detect(folder));
    CU_ASSERT_EQUAL(perp_sequence_open(&again, folder, &err), PERP_ERR_FORMAT);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "the folder holds no sequence"));
    for (size_t i = STEPS; i-- > 0;) {
        snprintf(path[i], sizeof path[i], "%s/%s", folder, names[i]);
        write_part(s, i, path[i]);
    }
    CU_ASSERT_TRUE(perp_sequence_detect(folder));
    OK(perp_sequence_open(&again, folder, NULL));
    OK(perp_sequence_check(again, NULL));
    same_steps(s, again);
    comes_back(again, test_scratch("joined.hdf5"));
    OK(perp_batch_count(folder, NULL, &count, NULL));
    CU_ASSERT_EQUAL(count, STEPS);
    perp_problem *p = test_read(folder, &third, NULL);
    perp_problem_free(p);
    /* a file that is no sequence is an error, not a gap */
    files_put_text(path[1], "no HDF5");
    perp_error_clear(&err);
    CU_ASSERT_EQUAL(perp_sequence_open(&again, folder, &err), PERP_ERR_FORMAT);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "step_00010.hdf5: not an HDF5 file"));
    for (size_t i = 0; i < STEPS; i++) {
        unlink(path[i]);
    }
    rmdir(folder);
}

TEST(a_sequence_is_written_to_hdf5_or_a_folder)
{
    const char *path = test_scratch("sequence.json");
    perp_sequence *s = every_problem();
    perp_error err = {0};

    CU_ASSERT_EQUAL(perp_sequence_write(s, path, &err), PERP_ERR_OPTION);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(err.text, "expected a name that ends in .hdf5, or one"));
    CU_ASSERT_NOT_EQUAL(access(path, F_OK), 0);
    perp_error_clear(&err);
    CU_ASSERT_EQUAL(perp_sequence_write(s, "/nowhere/at/all.hdf5", &err), PERP_ERR_WRITE);
    perp_error_clear(&err);
    CU_ASSERT_EQUAL(perp_sequence_write(s, "/nowhere/at/all/", &err), PERP_ERR_WRITE);
}

/* The bytes of a file of a folder, to be freed. */
static char *bytes_of(const char *folder, const char *name, size_t *length)
{
    char path[1200];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    return files_get(path, length);
}

TEST(every_problem_comes_back_from_a_folder)
{
    static const char *const names[] = {"index.csv", "step_00000.hdf5",
                                        "step_00003.hdf5"};
    const char *folder = test_scratch("every/");
    const char *other = test_scratch("other");
    perp_sequence *s = every_problem();
    perp_error err = {0};
    char path[1200];

    comes_back(s, folder);
    comes_back(s, folder); /* in place of the first */
    OK(perp_sequence_write(s, other, NULL));
    for (size_t k = 0; k < 3; k++) {
        size_t first = 0, second = 0;
        char *before = bytes_of(folder, names[k], &first);
        char *after = bytes_of(other, names[k], &second);

        CU_ASSERT_TRUE(first == second && memcmp(before, after, first) == 0);
        if (k == 0) {
            CU_ASSERT_EQUAL(strncmp(before, "file,t,h,kind,n,contacts,hash\n", 30), 0);
            CU_ASSERT_PTR_NOT_NULL(
                strstr(before, "\nstep_00003.hdf5,3,0.1,fc3d,246,82,"));
        }
        free(before);
        free(after);
    }
    /* what another program left there stays, and nothing is written */
    snprintf(path, sizeof path, "%s/mine.txt", other);
    files_put_text(path, "notes");
    CU_ASSERT_EQUAL(perp_sequence_write(s, other, &err), PERP_ERR_WRITE);
    CU_ASSERT_PTR_NOT_NULL(strstr(
        err.text, "it holds mine.txt, which no sequence has; nothing was written"));
    unlink(path);
    perp_error_clear(&err);
    perp_sequence *empty = test_new_sequence("empty");
    CU_ASSERT_EQUAL(perp_sequence_write(empty, other, &err), PERP_ERR_UNSUITABLE);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "a sequence without steps is no folder"));
    CU_ASSERT_TRUE(perp_sequence_detect(other));
}

TEST(a_step_is_an_instance_by_its_number)
{
    const char *path = test_scratch("item.hdf5");
    const perp_read_options third = {.item = 2};
    const perp_read_options beyond = {.item = STEPS};
    perp_sequence *s = every_problem();
    perp_sequence_item step;
    perp_notes notes = {0};
    size_t count = 0;

    OK(perp_sequence_write(s, path, NULL));
    OK(perp_batch_count(path, NULL, &count, NULL));
    CU_ASSERT_EQUAL(count, STEPS);
    perp_problem *p = test_read(path, &third, &notes);
    CU_ASSERT_STRING_EQUAL(notes.line[0], "a sequence of 4 steps: this is step 2, t = 2");
    OK(perp_sequence_get(s, 2, &step, NULL));
    CU_ASSERT_TRUE(files_same_problem(p, step.problem));
    files_refused_as(path, &beyond, PERP_ERR_ARGUMENT, "step 4 of 4, counted from 0");
    perp_sequence_item_clear(&step);
}

/* Opening, or reading every step, fails with these words and the path. */
static void refused(const char *path, const char *words)
{
    perp_sequence *s = NULL;
    perp_error err = {0};
    perp_status status = perp_sequence_open(&s, path, &err);

    if (status == PERP_OK) {
        status = perp_sequence_check(s, &err);
    }
    if (status == PERP_OK || !strstr(err.text, words) || !strstr(err.text, path) ||
        strchr(err.text, '\n')) {
        test_note("\"%s\", expected \"%s\"", err.text, words);
        CU_FAIL("not refused as expected");
    }
}

/* J M^-1 J^T + C with two bodies of two velocities, the first of them in every row; of M^-1, or
 * of both factors alone. */
static perp_sequence *factored(bool masses)
{
    static const double J[] = {1, 2, 3, 4, 5, 6,
                               0, 0, 7, 0, 0, 8}; /* 3 x 4, by columns */
    static const double inverse[] = {2, 1, 0, 0, 1, 2, 0, 0, 0, 0, 3, 1, 0, 0, 1, 3};
    static const double C[] = {0.5, 0.25, 0.125};
    perp_random g = {1};
    perp_sequence_item step = {.t = 0.0, .h = 1.0};
    perp_operator *dense = test_new_from_dense(3, 4, J, 3);
    perp_operator *Minv = test_new_from_dense(4, 4, inverse, 4);
    perp_operator *A = test_new_factored(dense, Minv, C);

    perp_operator_free(dense);
    perp_operator_free(Minv);
    if (!masses) {
        const perp_arrays rows = perp_operator_arrays(A->factored->J);
        perp_operator *both = NULL;

        OK(perp_operator_new_factors(&both, &rows, A->factored->G->x, C, NULL));
        A = both;
    }
    perp_set *set = test_new_uniform(PERP_SET_NONNEG, 3);
    step.problem = test_problem(A, set, PERP_LAW_COULOMB, &g);
    perp_sequence *s = test_new_sequence("factored");
    OK(perp_sequence_add(s, &step, NULL));
    return s;
}

/* Change the columns of the eight entries of a matrix of the file. */
static void put_columns(const char *path, const char *name, const int32_t *col)
{
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    hid_t set = H5I_INVALID_HID;

    CU_ASSERT_TRUE_FATAL(file >= 0);
    set = H5Dopen2(file, name, H5P_DEFAULT);
    CU_ASSERT_TRUE(H5Dwrite(set, H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, col) >=
                   0);
    H5Dclose(set);
    H5Fclose(file);
}

TEST(a_factored_matrix_comes_back)
{
    const char *path = test_scratch("factored.hdf5");
    static const int32_t other[] = {0, 2, 0, 1, 0, 1, 2, 3};
    perp_sequence *s = factored(false);

    comes_back(s, path);
    perp_sequence_free(s);
    /* Rows of both are read by the columns of J: here row 0 of J has 0 and 2, of G 0 and
     * 1. */
    put_columns(path, "/steps/0/A/J/col", other);
    refused(path, "/steps/0/A: J and G differ in their columns");
}

TEST(a_factored_matrix_comes_back_with_its_masses)
{
    const char *path = test_scratch("masses.hdf5");
    static const int32_t other[] = {0, 1, 0, 1, 2, 3, 2, 4};
    perp_sequence *s = factored(true);
    perp_sequence *again = NULL;
    perp_sequence_item x, y;

    comes_back(s, path);
    OK(perp_sequence_open(&again, path, NULL));
    OK(perp_sequence_get(s, 0, &x, NULL));
    OK(perp_sequence_get(again, 0, &y, NULL));
    CU_ASSERT_PTR_NOT_NULL_FATAL(y.problem->A->factored->Minv);
    CU_ASSERT_TRUE(
        perp_operator_same(x.problem->A->factored->Minv, y.problem->A->factored->Minv));
    perp_sequence_item_clear(&x);
    perp_sequence_item_clear(&y);
    perp_sequence_free(again);
    perp_sequence_free(s);
    put_columns(path, "/steps/0/A/Minv/col", other);
    refused(path, "/steps/0/A/Minv: col[7] is 4, expected ascending columns below 4");
}

/* What HDF5 itself changes: an attribute of a place, or the first number of the data there. */
typedef struct fault {
    const char *place, *attribute;
    enum { REMOVED, INT32, INT64, UINT64, NUMBER } as;
    int64_t value; /* NUMBER: not a number */
    const char *words;
} fault;

static void put_first(hid_t file, const char *name, hid_t type, const void *value)
{
    hsize_t one = 1;
    hsize_t zero = 0;
    hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    hid_t space = H5Dget_space(set);
    hid_t memory = H5Screate_simple(1, &one, NULL);

    H5Sselect_hyperslab(space, H5S_SELECT_SET, &zero, NULL, &one, NULL);
    CU_ASSERT_TRUE(H5Dwrite(set, type, memory, space, H5P_DEFAULT, value) >= 0);
    H5Sclose(memory);
    H5Sclose(space);
    H5Dclose(set);
}

static void put_attribute(hid_t file, const fault *f)
{
    hid_t group = H5Gopen2(file, f->place, H5P_DEFAULT);
    hid_t a = H5Aopen(group, f->attribute, H5P_DEFAULT);

    CU_ASSERT_TRUE(H5Awrite(a, H5T_NATIVE_INT64, &f->value) >= 0);
    H5Aclose(a);
    H5Gclose(group);
}

static void damage(hid_t file, const fault *f)
{
    const int32_t small = (int32_t)f->value;
    const double nan = strtod("nan", NULL);

    if (f->as == REMOVED && f->attribute) {
        H5Adelete_by_name(file, f->place, f->attribute, H5P_DEFAULT);
    } else if (f->as == REMOVED) {
        H5Ldelete(file, f->place, H5P_DEFAULT);
    } else if (f->attribute) {
        put_attribute(file, f);
    } else if (f->as == INT32) {
        put_first(file, f->place, H5T_NATIVE_INT32, &small);
    } else if (f->as == NUMBER) {
        put_first(file, f->place, H5T_NATIVE_DOUBLE, &nan);
    } else { /* the same bits */
        put_first(file, f->place, f->as == INT64 ? H5T_NATIVE_INT64 : H5T_NATIVE_UINT64,
                  &f->value);
    }
}

TEST(each_fault_of_a_file_is_reported_with_its_place)
{
    static const fault faults[] = {
        {"/steps/1", NULL, REMOVED, 0, "/steps/1: missing"},
        {"/steps/0/keys", NULL, REMOVED, 0, "/steps/0/keys: missing"},
        {"/steps/0/set/mu", NULL, REMOVED, 0,
         "/steps/0/set: block 5, a friction, lacks a parameter"},
        {"/", "format", REMOVED, 0, "not a sequence: the attribute format is \"\""},
        {"/steps/1/A", "storage", REMOVED, 0,
         "/steps/1/A: the attribute storage is missing"},
        {"/steps/0/keys", NULL, UINT64, -3, "step 0: keys[2] is"}, /* twice */
        {"/steps/0/set/kind", NULL, INT32, 3,
         "block 0 has kind 3 and 1 row, which no set has"},
        {"/steps/1/A/ptr", NULL, INT64, -5, "/steps/1/A: ptr[0] is -5"},
        {"/steps/1/A/col", NULL, INT32, 1000,
         "/steps/1/A: col[0] is 1000, expected ascending columns"},
        {"/steps/0/b", NULL, NUMBER, 0, "step 0: b[0] is nan"},
        {"/steps/0/A", "rows", INT64, 1LL << 40,
         "/steps/0/A: 1099511627776 x 18, expected 18 rows"},
        {"/", "count", INT64, 1LL << 60, "more than a file of"},
    };

    for (size_t k = 0; k < sizeof faults / sizeof *faults; k++) {
        const char *path = test_scratch("damaged.hdf5");
        perp_sequence *s = every_problem();
        hid_t file = H5I_INVALID_HID;

        OK(perp_sequence_write(s, path, NULL));
        perp_sequence_free(s);
        file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
        CU_ASSERT_TRUE_FATAL(file >= 0);
        damage(file, &faults[k]);
        H5Fclose(file);
        refused(path, faults[k].words);
    }
}

/* Bytes of a whole file changed or cut off: read or refused, never a crash. Whatever is
 * read passed the checks. */
TEST(damaged_bytes_are_survived)
{
    const char *good = test_scratch("bytes.hdf5");
    const char *path = test_scratch("bytes-damaged.hdf5");
    perp_sequence *s = every_problem();
    perp_random g = {2};
    size_t length = 0;

    OK(perp_sequence_write(s, good, NULL));
    char *bytes = files_get(good, &length);
    for (int round = 0; round < 150; round++) {
        size_t at = (size_t)perp_random_integer(&g, 0, (long)length - 1);
        size_t cut = round % 10 == 0 ? at : length;
        char before = bytes[at];
        perp_error err = {0};

        bytes[at] = (char)perp_random_next(&g);
        files_put(path, bytes, cut);
        bytes[at] = before;
        if (perp_sequence_open(&s, path, &err) == PERP_OK) {
            perp_sequence_check(s, &err);
            perp_sequence_free(s);
        } else {
            CU_ASSERT_TRUE(err.text[0] && !s);
        }
    }
    free(bytes);
}

static perp_status write_and_read(void *context, perp_error *err)
{
    const char *path = context;
    perp_sequence *from = NULL;
    perp_sequence *s = NULL;
    perp_status status = perp_sequence_open(&from, test_scratch("scarce.hdf5"), err);

    if (status == PERP_OK) {
        status = perp_sequence_write(from, path, err);
    }
    if (status == PERP_OK) {
        status = perp_sequence_open(&s, path, err);
    }
    if (status == PERP_OK) {
        status = perp_sequence_check(s, err);
    }
    return status;
}

/* The k-th allocation fails, for every k, while one file is copied to another. */
TEST(scarce_memory_is_survived)
{
    const double x[] = {2, 1, 1, 2};
    char path[1024], folder[1024];
    perp_sequence_item step = {test_lcp(2, x, x), NULL, 0.0, 1.0};
    perp_sequence *s = test_new_sequence("scarce");

    OK(perp_sequence_add(s, &step, NULL));
    snprintf(path, sizeof path, "%s", test_scratch("scarce-copy.hdf5"));
    snprintf(folder, sizeof folder, "%s", test_scratch("scarce-folder"));
    for (size_t k = 0; k < 2; k++) {
        s = k == 0 ? s : factored(true);
        OK(perp_sequence_write(s, test_scratch("scarce.hdf5"), NULL));
        perp_sequence_free(s);
        scarce_everywhere(write_and_read, path, "a sequence in a file");
        scarce_everywhere(write_and_read, folder, "a sequence in a folder");
    }
}
