/* SPDX-License-Identifier: Apache-2.0
 * tests/support/main.c: runs the tests of a program and reports them by TAP.
 *
 *     tests/perp-tests [FILE.c ...] [WORD]
 *
 * Without FILE the tests of all files run. WORD picks the tests whose name contains it. */
#include <config.h>

#include <CUnit/TestRun.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

typedef struct test_case {
    const char *file; /* "core/lcp.c", from the folder tests/ */
    const char *name;
    void (*run)(void);
} test_case;

enum { MOST_TESTS = 8000, MOST_SETUPS = 200 };

static test_case cases[MOST_TESTS];
static size_t case_count;
static test_case setups[MOST_SETUPS];
static size_t setup_count;
static const char *skipped; /* why the running test is skipped, or NULL */
static size_t running;      /* number of the running test among those of its file */

/* "../tests/core/lcp.c" is "core/lcp.c". */
static const char *below_tests(const char *path)
{
    const char *place = path;

    for (const char *next = path; (next = strstr(next, "tests/"));) {
        next += strlen("tests/");
        place = next;
    }
    return place;
}

static void append(test_case *list, size_t *count, size_t most, test_case added)
{
    if (*count == most) {
        puts("Bail out! tests/support/main.c: too many tests, raise MOST_TESTS or "
             "MOST_SETUPS");
        exit(99);
    }
    added.file = below_tests(added.file);
    list[(*count)++] = added;
}

void test_add(const char *file, const char *name, void (*run)(void))
{
    append(cases, &case_count, MOST_TESTS, (test_case){file, name, run});
}

void test_setup_add(const char *file, void (*setup)(void))
{
    append(setups, &setup_count, MOST_SETUPS, (test_case){file, "", setup});
}

void test_skip(const char *reason)
{
    skipped = reason;
}

size_t test_number(void)
{
    return running;
}

/* "solves_a_problem_by_hand" reads "solves a problem by hand"; a name with blanks stays. */
static void sentence(const char *name, char *text, size_t length)
{
    bool blanks = strchr(name, ' ') != NULL;
    size_t i = 0;

    for (; name[i] && i + 1 < length; i++) {
        text[i] = name[i] == '_' && !blanks ? ' ' : name[i];
    }
    text[i] = '\0';
}

static void print_failures(void)
{
    for (const CU_FailureRecord *f = CU_get_failure_list(); f; f = f->pNext) {
        printf("#   %s:%u: %s\n", f->strFileName ? f->strFileName : "?", f->uiLineNumber,
               f->strCondition ? f->strCondition : "?");
    }
}

static bool run_case(CU_pSuite suite, const test_case *c, unsigned number)
{
    char text[200];
    CU_pTest t = NULL;
    bool good = false;

    skipped = NULL;
    sentence(c->name, text, sizeof text);
    t = CU_add_test(suite, text, c->run);
    good = t && CU_run_test(suite, t) == CUE_SUCCESS && CU_get_number_of_failures() == 0;
    test_release(0);
    if (!good) {
        print_failures();
    }
    printf("%s %u - %.*s: %s%s%s\n", good ? "ok" : "not ok", number,
           (int)strlen(c->file) - 2, c->file, text, skipped ? " # SKIP " : "",
           skipped ? skipped : "");
    return good;
}

typedef struct test_count {
    unsigned run, failed;
} test_count;

static void run_file(CU_pSuite suite, const char *file, const char *word, test_count *n)
{
    size_t place = 0;

    for (size_t k = 0; k < setup_count; k++) {
        if (strcmp(setups[k].file, file) == 0) {
            setups[k].run();
        }
    }
    for (size_t k = 0; k < case_count; k++) {
        if (strcmp(cases[k].file, file) != 0) {
            continue;
        }
        running = place++;
        if (!word || strstr(cases[k].name, word)) {
            n->failed += !run_case(suite, &cases[k], ++n->run);
        }
    }
    if (place == 0) {
        printf("Bail out! no test in tests/%s\n", file);
        exit(99);
    }
}

/* Is it the first test of its file? */
static bool leads(size_t k)
{
    for (size_t i = 0; i < k; i++) {
        if (strcmp(cases[i].file, cases[k].file) == 0) {
            return false;
        }
    }
    return true;
}

int main(int argc, char **argv)
{
    const char *word = NULL;
    bool all = true;
    test_count n = {0};
    CU_pSuite suite = NULL;

    setvbuf(stdout, NULL, _IOLBF, 0);
    if (CU_initialize_registry() != CUE_SUCCESS ||
        !(suite = CU_add_suite("perp", NULL, NULL))) {
        puts("Bail out! no memory for CUnit");
        return 99;
    }
    CU_set_error_action(CUEA_IGNORE);
    for (int i = 1; i < argc; i++) {
        size_t length = strlen(argv[i]);
        bool file = length > 2 && strcmp(argv[i] + length - 2, ".c") == 0;

        word = file ? word : argv[i];
        all = all && !file;
    }
    for (int i = 1; i < argc; i++) {
        if (argv[i] != word) {
            run_file(suite, below_tests(argv[i]), word, &n);
        }
    }
    for (size_t k = 0, count = case_count; all && k < count; k++) {
        if (leads(k)) {
            run_file(suite, cases[k].file, word, &n);
        }
    }
    printf("1..%u\n", n.run);
    CU_cleanup_registry();
    return n.failed > 0 ? 1 : 0;
}
