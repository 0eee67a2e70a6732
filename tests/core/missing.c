/* SPDX-License-Identifier: Apache-2.0
 * tests/core/missing.c: what is noted where a file cannot be read, and streams into memory. */
#include <config.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/unread.h"
#include "support.h"

TEST(a_stream_into_memory_holds_what_was_written)
{
    char *text = NULL;
    size_t length = 1;
    FILE *f = perp_memory_stream(&text, &length);

    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    CU_ASSERT_STRING_EQUAL(text, "");
    for (int k = 0; k < 10000; k++) {
        fprintf(f, "%04d,", k);
    }
    CU_ASSERT_EQUAL(ftell(f), 50000);
    CU_ASSERT_EQUAL(fflush(f), 0);
    CU_ASSERT_EQUAL(length, 50000);
    CU_ASSERT_EQUAL(strlen(text), 50000);
    CU_ASSERT_EQUAL(fclose(f), 0);
    CU_ASSERT_EQUAL(length, 50000);
    CU_ASSERT_STRING_EQUAL(text + 49990, "9998,9999,");
    free(text);
}

TEST(an_empty_stream_is_an_empty_text)
{
    char *text = NULL;
    size_t length = 1;
    FILE *f = perp_memory_stream(&text, &length);

    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    CU_ASSERT_EQUAL(fclose(f), 0);
    CU_ASSERT_EQUAL(length, 0);
    CU_ASSERT_STRING_EQUAL(text, "");
    free(text);
}

/* Write 64 MB where 32 MB more are allowed; 0: the stream told and kept nothing. */
static int missing_child(void)
{
    static char block[1 << 20];
    const struct rlimit most = {(rlim_t)32 << 20, (rlim_t)32 << 20};
    char *text = NULL;
    size_t length = 0;
    FILE *f = perp_memory_stream(&text, &length);

    if (!f || setrlimit(RLIMIT_AS, &most) != 0) {
        return 2;
    }
    for (int k = 0; k < 64; k++) {
        fwrite(block, 1, sizeof block, f);
    }
    return fclose(f) != 0 && !text && length == 0 ? 0 : 1;
}

TEST(a_stream_without_memory_fails_at_its_end_and_has_no_text)
{
    int status = 0;
    pid_t child = -1;

#ifdef __SANITIZE_ADDRESS__
    test_note("SKIP: AddressSanitizer does not run under a limit of addresses");
    return;
#endif
#ifdef PERP_POSIX_ONLY
    test_note("SKIP: open_memstream(3), the fallback, loses its errors");
    return;
#endif
    child = fork();
    if (child == 0) {
        _exit(missing_child());
    }
    CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
    CU_ASSERT_TRUE(WIFEXITED(status));
    CU_ASSERT_EQUAL(WEXITSTATUS(status), 0);
}

TEST(the_first_file_that_could_not_be_read_is_noted_one_that_is_missing_is_not)
{
    perp_unread_forget();
    errno = ENOENT;
    perp_unread_note("a");
    CU_ASSERT_PTR_NULL(perp_unread());
    errno = EMFILE;
    perp_unread_note("b");
    errno = EACCES;
    perp_unread_note("c");
    perp_unread_say("d");
    CU_ASSERT_PTR_NOT_NULL_FATAL(perp_unread());
    CU_ASSERT_STRING_EQUAL(perp_unread(), "b: cannot open: Too many open files");
    perp_unread_forget();
    CU_ASSERT_PTR_NULL(perp_unread());
}

TEST(a_folder_is_made_beside_its_path_and_takes_its_place)
{
    const char *path = test_scratch("missing-folder");
    char fresh[PERP_FILE_PATH_LENGTH + 64], file[PERP_FILE_PATH_LENGTH + 80];
    perp_error err = {0};

    perp_folder_remove_all(path);
    OK(perp_folder_create(fresh, sizeof fresh, path, "tmp", &err));
    snprintf(file, sizeof file, "%s/inner", fresh);
    CU_ASSERT_EQUAL_FATAL(mkdir(file, 0700), 0);
    snprintf(file, sizeof file, "%s/inner/a", fresh);
    FILE *f = fopen(file, "we");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    fclose(f);
    OK(perp_folder_install(fresh, path, false, NULL, &err));
    CU_ASSERT_NOT_EQUAL(access(fresh, F_OK), 0);
    snprintf(file, sizeof file, "%s/inner/a", path);
    CU_ASSERT_EQUAL(access(file, F_OK), 0);
    perp_folder_remove_all(path);
    CU_ASSERT_NOT_EQUAL(access(path, F_OK), 0);
}
