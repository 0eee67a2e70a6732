/* SPDX-License-Identifier: Apache-2.0
 * tests/torture/kinds.c: the kinds of problems of torture, and one problem by its number. */
#include <config.h>

#include <stdio.h>

#include "draw.h"
#include "kinds.h"

size_t torture_kind_count(void)
{
    size_t count = 1;

    while (perp_torture_kinds[count - 1].name) {
        count++;
    }
    return count;
}

const char *torture_kind_name(size_t kind)
{
    return kind == 0 ? "mixture" : perp_torture_kinds[kind - 1].name;
}

size_t torture_kind_find(const char *name)
{
    size_t count = torture_kind_count(), kind = 0;

    while (kind < count && strcmp(torture_kind_name(kind), name) != 0) {
        kind++;
    }
    return kind;
}

/* The seed of a call holds both numbers. */
static void draw_of_family(torture_case *c, uint64_t seed, size_t index)
{
    const perp_torture_kind *kind = &perp_torture_kinds[c->kind - 1];

    snprintf(c->what, sizeof c->what, "torture:kind=%s,seed=%llu", kind->name,
             (unsigned long long)seed * 10000000ull + index);
    if (perp_family_make(c->what, &c->p, NULL) == PERP_OK) {
        c->truth = perp_torture_truth_of(kind, c->p);
    }
}

void torture_case_draw(torture_case *c, uint64_t seed, size_t index, size_t only)
{
    size_t count = torture_kind_count();
    char text[128] = "";
    bool solvable = false;

    *c = (torture_case){.kind = only};
    if (only >= count) {
        c->kind = index % 2 ? 1 + index / 2 % (count - 1) : 0;
    }
    if (c->kind > 0) {
        draw_of_family(c, seed, index);
        return;
    }
    c->p = torture_draw(seed, index, text, &solvable);
    c->truth = solvable ? TORTURE_EXACT : TORTURE_UNKNOWN;
    snprintf(c->what, sizeof c->what, "mixture %zu: %s", index, text);
}

void torture_case_free(torture_case *c)
{
    perp_problem_free(c->p);
    c->p = NULL;
}
