/* SPDX-License-Identifier: Apache-2.0
 * tests/command/journal.c: runs.jsonl survives a kill at any byte. */
#include <config.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command/campaign/journal.h"
#include "support.h"

static json_t *record(const char *key)
{
    return json_pack("{s:s, s:s, s:f}", "schema", "perp-run/1", "key", key, "residual",
                     0.1);
}

static const char *fresh(const char *name)
{
    const char *path = test_scratch(name);

    remove(path);
    return path;
}

static long size_of(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 ? (long)st.st_size : -1;
}

TEST(remembers_what_was_appended)
{
    const char *path = fresh("remembers.jsonl");
    journal j;
    perp_error err = {0};

    OK(journal_open(&j, path, false, &err));
    CU_ASSERT(!journal_has(&j, "a"));
    OK(journal_append(&j, record("a"), &err));
    OK(journal_append(&j, record("b"), &err));
    CU_ASSERT(journal_has(&j, "a"));
    journal_close(&j);
    OK(journal_open(&j, path, true, &err));
    CU_ASSERT(journal_has(&j, "a"));
    CU_ASSERT(journal_has(&j, "b"));
    CU_ASSERT(!journal_has(&j, "c"));
    CU_ASSERT_EQUAL(j.torn, 0);
    journal_close(&j);
    remove(path);
}

TEST(remembers_the_hash_of_a_subject)
{
    const char *path = fresh("hash.jsonl");
    json_t *hashed = record("a");
    journal j;
    perp_error err = {0};

    json_object_set_new(hashed, "hash", json_string("0123456789abcdef"));
    OK(journal_open(&j, path, false, &err));
    OK(journal_append(&j, hashed, &err));
    OK(journal_append(&j, record("b"), &err));
    CU_ASSERT_STRING_EQUAL(journal_hash(&j, "a"), "0123456789abcdef");
    journal_close(&j);
    OK(journal_open(&j, path, true, &err));
    CU_ASSERT_STRING_EQUAL(journal_hash(&j, "a"), "0123456789abcdef");
    CU_ASSERT_STRING_EQUAL(journal_hash(&j, "b"), "");
    CU_ASSERT_STRING_EQUAL(journal_hash(&j, "c"), "");
    journal_close(&j);
    remove(path);
}

TEST(refuses_to_overwrite_results)
{
    const char *path = fresh("refuses.jsonl");
    journal j;
    perp_error err = {0};

    OK(journal_open(&j, path, false, &err));
    OK(journal_append(&j, record("a"), &err));
    journal_close(&j);
    CU_ASSERT_EQUAL(journal_open(&j, path, false, &err), PERP_ERR_WRITE);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "--resume"));
    journal_close(&j);
    CU_ASSERT(size_of(path) > 0);
    remove(path);
}

/* Two whole lines and the first k bytes of a third, for every k: the two are kept, the
 * rest goes, and what is appended next is a line of its own. */
TEST(cuts_off_a_line_torn_at_any_byte)
{
    static const char line[] = "{\"schema\":\"perp-run/1\",\"key\":\"K\"}\n";
    const char *path = fresh("torn.jsonl");

    for (size_t k = 0; k < strlen(line); k++) {
        FILE *f = fopen(path, "w");
        journal j;
        perp_error err = {0};

        CU_ASSERT_PTR_NOT_NULL_FATAL(f);
        fputs("{\"schema\":\"perp-run/1\",\"key\":\"1\"}\n", f);
        fputs("{\"schema\":\"perp-run/1\",\"key\":\"2\"}\n", f);
        fwrite(line, 1, k, f);
        fclose(f);
        OK(journal_open(&j, path, true, &err));
        CU_ASSERT_EQUAL(j.torn, k);
        CU_ASSERT(journal_has(&j, "1") && journal_has(&j, "2"));
        CU_ASSERT(!journal_has(&j, "K"));
        OK(journal_append(&j, record("K"), &err));
        journal_close(&j);
        OK(journal_open(&j, path, true, &err));
        CU_ASSERT_EQUAL(j.torn, 0);
        CU_ASSERT(journal_has(&j, "1") && journal_has(&j, "2") && journal_has(&j, "K"));
        journal_close(&j);
    }
    remove(path);
}

TEST(names_a_broken_line_in_the_middle)
{
    const char *path = fresh("middle.jsonl");
    FILE *f = fopen(path, "w");
    journal j;
    perp_error err = {0};

    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    fputs("{\"schema\":\"perp-run/1\",\"key\":\"1\"}\n{\"sch\n", f);
    fputs("{\"schema\":\"perp-run/1\",\"key\":\"2\"}\n", f);
    fclose(f);
    CU_ASSERT_EQUAL(journal_open(&j, path, true, &err), PERP_ERR_FORMAT);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "middle.jsonl:2:"));
    journal_close(&j);
    remove(path);
}

TEST(refuses_a_second_writer_and_names_the_first)
{
    const char *path = fresh("locked.jsonl");
    journal first, second;
    perp_error err = {0};
    char holder[64];

    snprintf(holder, sizeof holder, "locked.jsonl: process %ld (", (long)getpid());
    OK(journal_open(&first, path, false, &err));
    for (int resume = 0; resume < 2; resume++) {
        memset(&err, 0, sizeof err);
        CU_ASSERT_EQUAL(journal_open(&second, path, resume != 0, &err), PERP_ERR_WRITE);
        CU_ASSERT_PTR_NOT_NULL(strstr(err.text, holder));
        CU_ASSERT_PTR_NOT_NULL(strstr(err.text, ") is writing to it"));
        journal_close(&second);
    }
    memset(&err, 0, sizeof err);
    OK(journal_append(&first, record("a"), &err));
    journal_close(&first);
    OK(journal_open(&second, path, true, &err));
    CU_ASSERT(journal_has(&second, "a"));
    journal_close(&second);
    remove(path);
}

/* A limit of the file size stands for a full disk. */
TEST(is_as_before_after_a_full_disk)
{
    const char *path = fresh("full.jsonl");
    struct rlimit usual, small;
    journal j;
    perp_error err = {0};

    OK(journal_open(&j, path, false, &err));
    OK(journal_append(&j, record("a"), &err));
    long before = size_of(path);
    getrlimit(RLIMIT_FSIZE, &usual);
    small = (struct rlimit){(rlim_t)before + 10, usual.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    CU_ASSERT_EQUAL_FATAL(setrlimit(RLIMIT_FSIZE, &small), 0);
    CU_ASSERT_EQUAL(journal_append(&j, record("b"), &err), PERP_ERR_WRITE);
    setrlimit(RLIMIT_FSIZE, &usual);
    CU_ASSERT_EQUAL(size_of(path), before);
    CU_ASSERT(!journal_has(&j, "b"));
    memset(&err, 0, sizeof err);
    OK(journal_append(&j, record("b"), &err));
    journal_close(&j);
    OK(journal_open(&j, path, true, &err));
    CU_ASSERT(journal_has(&j, "a") && journal_has(&j, "b"));
    journal_close(&j);
    remove(path);
}

TEST(says_that_it_cannot_write)
{
    journal j;
    perp_error err = {0};

    CU_ASSERT_EQUAL(journal_open(&j, "/proc/no-such/runs.jsonl", false, &err),
                    PERP_ERR_WRITE);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "/proc/no-such/runs.jsonl: "));
    journal_close(&j);
}
