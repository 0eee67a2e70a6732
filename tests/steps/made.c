/* SPDX-License-Identifier: Apache-2.0
 * tests/steps/made.c: the words of steps.tsv, and the problems that they name. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "families.h"
#include "instances.h"
#include "steps.h"

/* ---- text ---- */

const char *steps_next(const char **text, char separator, char *part, size_t room)
{
    size_t length = 0;

    while (**text == ' ') {
        ++*text;
    }
    if (**text == '\0' || strcmp(*text, "-") == 0) {
        return NULL;
    }
    length = strcspn(*text, (const char[]){separator, '\0'});
    snprintf(part, room, "%.*s", (int)length, *text);
    *text += length + ((*text)[length] != '\0');
    return part;
}

const char *steps_after(const char *text, const char *words)
{
    size_t length = strlen(words);

    return strncmp(text, words, length) == 0 ? text + length : NULL;
}

size_t steps_numbers(const char *text, double *x, size_t most)
{
    char part[LENGTH];
    size_t count = 0;

    while (steps_next(&text, ',', part, sizeof part)) {
        CU_ASSERT_FATAL(count < most);
        x[count++] = strcmp(part, "*") == 0 ? NAN : strtod(part, NULL);
    }
    return count;
}

/* ---- problems ---- */

static perp_problem *by_hand(const char *text)
{
    char part[LENGTH];
    double A[ROWS * ROWS], b[ROWS];
    perp_problem *p = NULL;
    size_t n = 0, entries = 0;

    entries = steps_next(&text, '|', part, sizeof part)
                  ? steps_numbers(part, A, ROWS * ROWS)
                  : 0;
    n = steps_next(&text, '|', part, sizeof part) ? steps_numbers(part, b, ROWS) : 0;
    CU_ASSERT_EQUAL_FATAL(entries, n * n);
    p = test_lcp(n, A, b);
    if (steps_next(&text, '|', part, sizeof part)) {
        test_give_set(p, test_set(part));
    }
    return p;
}

perp_problem *steps_problem(const char *text)
{
    perp_problem *p = NULL;

    if (strchr(text, '|')) {
        return by_hand(text);
    }
    if (strchr(text, ':')) {
        OK(perp_family_make(text, &p, NULL));
        return test_keep(p, test_free_problem);
    }
    return strchr(text, '/') ? test_dataset(text) : test_golden_problem(text);
}

void steps_change(perp_problem *p, const char *as)
{
    size_t edge = perp_set_block_size(p->set);
    char how[LENGTH];

    while (steps_next(&as, ' ', how, sizeof how)) {
        if (strcmp(how, "associated") == 0) {
            p->law = PERP_LAW_ASSOCIATED;
        } else if (strcmp(how, "dense") == 0) {
            test_store(p, PERP_STORAGE_DENSE, 1);
        } else if (strcmp(how, "csr") == 0) {
            test_store(p, PERP_STORAGE_CSR, 1);
        } else if (steps_after(how, "bsr")) {
            test_store(p, PERP_STORAGE_BSR, how[3] ? strtoul(how + 3, NULL, 10) : edge);
        } else if (strcmp(how, "factors") == 0) {
            test_store_as_factors(p);
        } else {
            CU_ASSERT_STRING_EQUAL_FATAL(how, "unsymmetric-factors");
            test_store_as_unsymmetric_factors(p);
        }
    }
}
