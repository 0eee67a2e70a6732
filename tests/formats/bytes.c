/* SPDX-License-Identifier: Apache-2.0
 * tests/formats/bytes.c: problems in memory: the bytes of a file, without the file; and
 * vectors from text. */
#include <config.h>

#include <stdlib.h>

#include "files.h"
#include "instances.h"
#include "scarce.h"

/* A problem that every format of bytes but .nl holds: contacts in space with Coulomb's law. */
static perp_problem *held_by_all(void)
{
    char path[1024];

    snprintf(path, sizeof path, "%s/contactbench/sliding_cube.npz", test_datasets());
    return test_read(path, NULL, NULL);
}

/* Visit each format that reads and writes bytes. */
static size_t each_format(void (*visit)(const perp_format *format, const perp_problem *p))
{
    size_t count = 0;
    size_t visited = 0;
    const perp_format *const *formats = perp_formats(&count);
    static const double A[4] = {2, 1, 1, 2}, b[2] = {-5, -6};
    perp_problem *p = held_by_all(), *lcp = test_lcp(2, A, b);

    for (size_t k = 0; k < count; k++) {
        if (formats[k]->memory && formats[k]->reads && formats[k]->writes) {
            visit(formats[k], strcmp(formats[k]->name, "ampl-nl") == 0 ? lcp : p);
            visited++;
        }
    }
    return visited;
}

static void check_bytes(const perp_format *format, const perp_problem *p)
{
    char name[64];
    char *bytes = NULL;
    size_t size = 0;
    size_t length = 0;
    perp_problem *q = NULL;

    snprintf(name, sizeof name, "bytes%s", format->extension);
    const char *path = test_scratch(name);
    OK(perp_problem_write_memory(p, format->name, NULL, &bytes, &size, NULL));
    OK(perp_problem_write(p, path, format->name, NULL, NULL));
    char *file = files_get(path, &length);
    if (size != length || memcmp(bytes, file, size) != 0) {
        test_note("%s: %zu bytes in memory, %zu in the file", format->name, size, length);
        CU_FAIL("other bytes than those of the file");
    }
    OK(perp_problem_read_memory(&q, bytes, size, NULL, NULL, NULL));
    CU_ASSERT_EQUAL(perp_problem_hash(p), perp_problem_hash(q));
    free(bytes);
}

TEST(bytes_in_memory_are_those_of_the_file_and_come_back)
{
    CU_ASSERT_EQUAL(each_format(check_bytes), 6);
}

/* Each cut is read or refused, never a crash; what is read passed its checks. */
static void check_cuts(const perp_format *format, const perp_problem *p)
{
    const perp_read_options opt = {.format = format->name};
    char *bytes = NULL;
    size_t size = 0;

    OK(perp_problem_write_memory(p, format->name, NULL, &bytes, &size, NULL));
    for (size_t cut = 0; cut < size; cut += 1 + size / 200) {
        char *exact = malloc(cut + 1); /* so that reading behind it is seen */
        perp_problem *q = NULL;
        perp_error err = {0};

        CU_ASSERT_PTR_NOT_NULL_FATAL(exact);
        memcpy(exact, bytes, cut);
        perp_status status =
            perp_problem_read_memory(&q, cut ? exact : NULL, cut, &opt, NULL, &err);
        CU_ASSERT_EQUAL(status == PERP_OK, q != NULL);
        CU_ASSERT_TRUE(status == PERP_OK || strncmp(err.text, "memory:", 7) == 0);
        free(exact);
    }
    free(bytes);
}

TEST(cut_bytes_are_refused_with_a_message_about_memory)
{
    CU_ASSERT_EQUAL(each_format(check_cuts), 6);
}

/* Reading this fails so. */
static void refused(const char *bytes, const char *format, perp_status expected,
                    const char *words)
{
    const perp_read_options opt = {.format = format};
    perp_problem *p = NULL;
    perp_error err = {0};
    perp_status status =
        perp_problem_read_memory(&p, bytes, strlen(bytes), &opt, NULL, &err);

    if (status != expected || p || !strstr(err.text, words)) {
        test_note("%s, expected %s", err.text, words);
        CU_FAIL("not refused as expected");
    }
}

TEST(says_what_is_wrong_with_bytes)
{
    refused("", NULL, PERP_ERR_FORMAT, "memory: no format of an instance is recognised");
    refused("{\n\"n\": }", "json", PERP_ERR_FORMAT, "memory:2:");
    refused("1 x", "siconos", PERP_ERR_FORMAT, "memory:1: ");
    refused("text", "fclib", PERP_ERR_FORMAT, "memory: not an HDF5 file");
    refused("text", "npz", PERP_ERR_FORMAT, "memory: not a readable zip archive");
    refused("text", "word", PERP_ERR_OPTION, "format is \"word\", expected one of:");
}

TEST(a_folder_has_no_form_in_memory)
{
    perp_problem *p = held_by_all();
    char *bytes = NULL;
    size_t size = 1;
    perp_error err = {0};

    refused("", "matrix-market", PERP_ERR_UNSUITABLE,
            "matrix-market is read from a path only");
    refused("", "perp-sequence", PERP_ERR_UNSUITABLE,
            "perp-sequence is read from a path only");
    CU_ASSERT_EQUAL(
        perp_problem_write_memory(p, "matrix-market", NULL, &bytes, &size, &err),
        PERP_ERR_UNSUITABLE);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "matrix-market is a folder of files"));
    CU_ASSERT_TRUE(!bytes && size == 0);
    CU_ASSERT_EQUAL(
        perp_problem_write_memory(p, "perp-sequence", NULL, &bytes, &size, NULL),
        PERP_ERR_UNSUITABLE);
    CU_ASSERT_EQUAL(perp_problem_write_memory(p, NULL, NULL, &bytes, &size, NULL),
                    PERP_ERR_OPTION);
    CU_ASSERT_EQUAL(
        perp_problem_write_memory(p, "contactbench", "lcp", &bytes, &size, NULL),
        PERP_ERR_UNSUITABLE);
}

typedef struct copying {
    const perp_problem *p;
    const char *format;
} copying;

static perp_status write_and_read(void *context, perp_error *err)
{
    const copying *c = context;
    const perp_read_options opt = {.format = c->format};
    perp_problem *p = NULL;
    char *bytes = NULL;
    size_t size = 0;
    perp_status status =
        perp_problem_write_memory(c->p, c->format, NULL, &bytes, &size, err);

    if (status == PERP_OK) {
        status = perp_problem_read_memory(&p, bytes, size, &opt, NULL, err);
    }
    free(bytes);
    return status;
}

static void check_scarce(const perp_format *format, const perp_problem *p)
{
    copying c = {p, format->name};

    scarce_everywhere(write_and_read, &c, format->name);
}

TEST(scarce_memory_is_survived)
{
    CU_ASSERT_EQUAL(each_format(check_scarce), 6);
}

/* A file with this text as a vector. */
static void vector_is(const char *text, size_t count, const double *expected)
{
    const char *path = test_scratch("vector.txt");
    double *x = NULL;
    size_t n = 0;
    perp_error err = {0};

    files_put_text(path, text);
    if (perp_vector_read(&x, &n, path, &err) != PERP_OK) {
        test_note("%s", err.text);
        CU_FAIL_FATAL("not read");
    }
    CU_ASSERT_EQUAL(n, count);
    CU_ASSERT_TRUE(n == count && memcmp(x, expected, n * sizeof *x) == 0);
    free(x);
}

static void vector_refused(const char *text, const char *words)
{
    const char *path = test_scratch("vector.txt");
    double *x = NULL;
    size_t n = 0;
    perp_error err = {0};

    files_put_text(path, text);
    CU_ASSERT_NOT_EQUAL(perp_vector_read(&x, &n, path, &err), PERP_OK);
    if (!strstr(err.text, words)) {
        test_note("%s, expected %s", err.text, words);
        CU_FAIL("not refused as expected");
    }
    CU_ASSERT_PTR_NULL(x);
}

TEST(a_vector_is_read_from_text_or_matrix_market)
{
    const double x[] = {1.0, -2.5, 3e-4};

    vector_is("1 -2.5\n3e-4\n", 3, x);
    vector_is("# comma separated\n1, -2.5,3e-4 % the last one", 3, x);
    vector_is("", 0, x);
    vector_is("%%MatrixMarket matrix array real general\n3 1\n1\n-2.5\n3e-4\n", 3, x);
    vector_refused("1 2\nthree", "vector.txt:2: found \"three\", expected a number");
    vector_refused("1 0x10", "vector.txt:1: found \"0x10\", expected a number");
    vector_refused("%%MatrixMarket matrix array real general\n1 1\nx\n", "vector.txt:3:");
    CU_ASSERT_EQUAL(perp_vector_read(&(double *){NULL}, &(size_t){0},
                                     test_scratch("nowhere.txt"), NULL),
                    PERP_ERR_READ);
}
