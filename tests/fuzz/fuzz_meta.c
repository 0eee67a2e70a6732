/* SPDX-License-Identifier: Apache-2.0
 * tests/fuzz/fuzz_meta.c: any bytes as labels and origin of a problem of two blocks. What is read
 * is written and comes back as it was written. */
#include <config.h>

#include "formats/meta.h"
#include "fuzz_files.h"

/* The text of what the bytes hold, or NULL; *good: they were read. */
static char *text_of(perp_problem *p, const void *bytes, size_t size, bool *good)
{
    perp_source from = {.name = "meta", .bytes = bytes, .size = size, .memory = true};
    perp_error err = {0};
    uint64_t hash = 0;
    char *text = NULL;

    *good = perp_meta_parse(p, &from, NULL, &hash, &err) == PERP_OK;
    if ((!*good && !err.text[0]) ||
        (*good && p->labels && p->labels->count != p->set->count) ||
        (*good && perp_meta_text(&text, p, NULL, NULL) != PERP_OK)) {
        abort();
    }
    perp_labels_free(p->labels);
    perp_origin_free(p->origin);
    p->labels = NULL;
    p->origin = NULL;
    return text;
}

FUZZ(meta)
{
    perp_block blocks[2] = {{.kind = PERP_SET_NONNEG, .dim = 1},
                            {.kind = PERP_SET_NONNEG, .dim = 1, .first = 1}};
    perp_set set = {.n = 2, .count = 2, .blocks = blocks};
    perp_problem p = {.n = 2, .set = &set};
    bool good = false;
    char *first = text_of(&p, data, size, &good);
    char *second = first ? text_of(&p, first, strlen(first), &good) : NULL;

    if (first && (!good || !second || strcmp(first, second) != 0)) {
        abort();
    }
    free(first);
    free(second);
    return 0;
}
