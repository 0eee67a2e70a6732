/* SPDX-License-Identifier: Apache-2.0
 * tests/fuzz/replay.c: the seeds and the finds of a fuzz target as tests. A broken promise aborts,
 * and the last line names the input. */
#include <config.h>

#include <dirent.h>
#include <zip.h>

#include "fuzz_files.h"

/* libhdf5 1.10 leaks what it read of some damaged headers, and reads up to two kilobytes behind a
 * damaged message of one (H5A__exists_by_name). The sanitizers ask here what is not ours. */
const char *__lsan_default_suppressions(void);
const char *__asan_default_suppressions(void);
const char *__asan_default_options(void);

const char *__lsan_default_suppressions(void)
{
    return "leak:libhdf5";
}

const char *__asan_default_suppressions(void)
{
    return "interceptor_via_lib:libhdf5";
}

const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}

/* In a block of just this size, so that reading behind it is seen. */
static void replay(const char *place, const uint8_t *data, size_t size,
                   int (*input)(const uint8_t *, size_t))
{
    uint8_t *exact = malloc(size ? size : 1);

    CU_ASSERT_PTR_NOT_NULL_FATAL(exact);
    memcpy(exact, data, size);
    test_note("%s", place);
    CU_ASSERT_EQUAL(input(exact, size), 0);
    free(exact);
}

enum { LARGEST_INPUT = 1 << 20 }; /* seeds are below 10 KB, finds are minimised */

static uint8_t content[LARGEST_INPUT];

void fuzz_replay_seeds(const char *name, int (*input)(const uint8_t *, size_t))
{
    char path[1024];
    char place[1400];
    zip_t *archive = NULL;
    zip_int64_t count = 0;

    snprintf(path, sizeof path, "%s/tests/fuzz/seeds/%s.zip", test_source(), name);
    archive = zip_open(path, ZIP_RDONLY, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(archive);
    count = zip_get_num_entries(archive, 0);
    CU_ASSERT_TRUE(count > 0);
    for (zip_int64_t k = 0; k < count; k++) {
        zip_file_t *file = zip_fopen_index(archive, (zip_uint64_t)k, 0);
        zip_int64_t size = file ? zip_fread(file, content, sizeof content) : -1;

        CU_ASSERT_TRUE_FATAL(size >= 0 && size < LARGEST_INPUT);
        zip_fclose(file);
        snprintf(place, sizeof place, "%s: %s", path,
                 zip_get_name(archive, (zip_uint64_t)k, 0));
        replay(place, content, (size_t)size, input);
    }
    zip_discard(archive);
}

static int visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

void fuzz_replay_finds(const char *name, int (*input)(const uint8_t *, size_t))
{
    char folder[1024];
    char path[1400];
    struct dirent **entries = NULL;
    int count = 0;

    snprintf(folder, sizeof folder, "%s/tests/fuzz/finds/%s", test_source(), name);
    count = scandir(folder, &entries, visible, alphasort);
    for (int i = 0; i < count; i++) {
        FILE *f = NULL;
        size_t size = 0;

        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        free(entries[i]);
        f = fopen(path, "rb");
        CU_ASSERT_PTR_NOT_NULL_FATAL(f);
        size = fread(content, 1, sizeof content, f);
        fclose(f);
        CU_ASSERT_TRUE_FATAL(size < sizeof content);
        replay(path, content, size, input);
    }
    free(entries);
}
