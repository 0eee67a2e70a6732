/* SPDX-License-Identifier: Apache-2.0
 * tests/fuzz/fuzz_sequence.c: any bytes as the index of a sequence, in a folder that
 * holds one instance, a.json. What opens and checks is written as a file and comes
 * back. */
#include <config.h>

#include "fuzz_files.h"

static const char instance[] =
    "{\"format\": \"perp-golden\", \"version\": 1, \"kind\": \"lcp\", \"n\": 2, \"M\": "
    "{\"layout\": \"dense-row-major\", \"rows\": 2, \"cols\": 2, \"data\": [2, 1, 1, "
    "2]}, "
    "\"q\": [-1, 1]}";

static void come_back(const perp_sequence *s, const char *path)
{
    perp_sequence *again = NULL;

    if (perp_sequence_write(s, path, NULL, NULL) != PERP_OK ||
        perp_sequence_open(&again, path, NULL) != PERP_OK ||
        perp_sequence_count(again) != perp_sequence_count(s) ||
        perp_sequence_check(again, NULL) != PERP_OK) {
        abort();
    }
    for (size_t i = 0; i < perp_sequence_count(s); i++) {
        perp_sequence_item a, b;

        if (perp_sequence_get(s, i, &a, NULL) != PERP_OK ||
            perp_sequence_get(again, i, &b, NULL) != PERP_OK || a.t != b.t ||
            a.h != b.h || memcmp(a.keys, b.keys, 2 * sizeof *a.keys) != 0) {
            abort();
        }
        perp_sequence_item_clear(&a);
        perp_sequence_item_clear(&b);
    }
    perp_sequence_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char folder[128];
    char index[160];
    char problem[160];
    char file[160];
    perp_sequence *s = NULL;
    perp_error err = {0};

    fuzz_path(folder, "sequence");
    snprintf(index, sizeof index, "%s/sequence.json", folder);
    snprintf(problem, sizeof problem, "%s/a.json", folder);
    snprintf(file, sizeof file, "%s.hdf5", folder);
    mkdir(folder, 0700);
    fuzz_put(index, data, size);
    fuzz_put(problem, (const uint8_t *)instance, strlen(instance));
    if ((perp_sequence_open(&s, folder, &err) == PERP_OK) != (s != NULL) ||
        (!s && !err.text[0])) {
        abort();
    }
    /* A long list of one file would test its reader, not the index. */
    if (s && perp_sequence_count(s) < 100 && perp_sequence_check(s, NULL) == PERP_OK) {
        come_back(s, file);
    }
    perp_sequence_free(s);
    unlink(index);
    unlink(problem);
    unlink(file);
    rmdir(folder);
    return 0;
}
