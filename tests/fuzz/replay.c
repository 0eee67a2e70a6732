/* SPDX-License-Identifier: Apache-2.0
 * tests/fuzz/replay.c: a fuzzer without its fuzzer. The program replay_NAME feeds
 * the seeds and the finds of NAME to LLVMFuzzerTestOneInput, so that a find stays a test
 * in every build; a broken promise aborts, and the last line says on which file. */
#include <config.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { REPLAY_PATH = 1024 };

static const char *reader; /* the NAME in replay_NAME */

static void replay_file(const char *path)
{
    static uint8_t data[1 << 20]; /* seeds are below 10 KB, finds are minimised */
    FILE *f = fopen(path, "rb");
    uint8_t *exact = NULL;
    size_t size = 0;

    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    size = fread(data, 1, sizeof data, f);
    CU_ASSERT_TRUE(size < sizeof data);
    fclose(f);
    /* A block of just this size, so that reading behind it is seen. */
    exact = malloc(size ? size : 1);
    CU_ASSERT_PTR_NOT_NULL_FATAL(exact);
    memcpy(exact, data, size);
    test_note("%s", path);
    CU_ASSERT_EQUAL(LLVMFuzzerTestOneInput(exact, size), 0);
    free(exact);
}

static int visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* The number of files replayed; 0 where there is no such folder. */
static int replay_folder(const char *kind)
{
    char folder[REPLAY_PATH];
    char path[REPLAY_PATH + 256];
    struct dirent **entries = NULL;
    int count = 0;

    snprintf(folder, sizeof folder, "%s/tests/fuzz/%s/%s", test_source(), kind, reader);
    count = scandir(folder, &entries, visible, alphasort);
    for (int i = 0; i < count; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        replay_file(path);
        free(entries[i]);
    }
    free(entries);
    return count > 0 ? count : 0;
}

TEST(every_seed_keeps_the_promises_of_the_reader)
{
    CU_ASSERT_TRUE(replay_folder("seeds") > 0);
}

TEST(every_find_keeps_the_promises_of_the_reader)
{
    (void)replay_folder("finds"); /* most readers have none */
}

TEST(an_empty_input_keeps_the_promises_of_the_reader)
{
    static const uint8_t nothing[1] = {0};

    CU_ASSERT_EQUAL(LLVMFuzzerTestOneInput(nothing, 0), 0);
}

int main(int argc, char **argv)
{
    const char *name = strstr(argv[0], "replay_");

    reader = name ? name + strlen("replay_") : "";
    return test_run(argc, argv, reader);
}
