/* SPDX-License-Identifier: Apache-2.0
 * report/looks.c: the looks of the solvers of stored runs. */
#include <config.h>

#include <stdlib.h>

#include "command/cli/take.h"
#include "command/results/kinds/pick.h"
#include "command/results/looks.h"

/* Which solvers are in which sets. */
typedef struct looks_work {
    const stored_runs *s;
    name_list owners;
    bool *in; /* in[owner * sets + set] */
} looks_work;

static bool looks_in(const looks_work *w, size_t owner, size_t set)
{
    return w->in[owner * w->s->sets.count + set];
}

/* The colours of the solvers that meet this one in a set. */
static unsigned looks_taken(const looks_work *w, const figure_style_table *style,
                            size_t owner)
{
    unsigned taken = 0u;

    for (size_t other = 0; other < w->owners.count; other++) {
        for (size_t set = 0; set < w->s->sets.count; set++) {
            if (looks_in(w, owner, set) && looks_in(w, other, set)) {
                taken |= figure_style_colour(style, w->owners.names[other]);
            }
        }
    }
    return taken;
}

static size_t looks_size(const looks_work *w, size_t set)
{
    size_t size = 0;

    for (size_t owner = 0; owner < w->owners.count; owner++) {
        size += looks_in(w, owner, set);
    }
    return size;
}

static void looks_give(const looks_work *w, figure_style_table *style)
{
    for (size_t size = 1; size <= w->owners.count; size++) {
        for (size_t set = 0; set < w->s->sets.count; set++) {
            bool now = looks_size(w, set) == size;

            for (size_t k = 0; now && k < w->owners.count; k++) {
                if (looks_in(w, k, set)) {
                    figure_style_add_apart(style, w->owners.names[k],
                                           looks_taken(w, style, k));
                }
            }
        }
    }
}

void looks_of_runs(figure_style_table *style, const stored_runs *s)
{
    looks_work w = {.s = s};

    for (size_t i = 0; i < s->count; i++) {
        name_list_add(&w.owners, run_owner(&s->runs[i]));
    }
    w.in = take(w.owners.count * s->sets.count + 1, sizeof *w.in);
    for (size_t i = 0; i < s->count; i++) {
        size_t owner = name_list_find(&w.owners, run_owner(&s->runs[i]));
        size_t set = name_list_find(&s->sets, s->runs[i].set);

        if (set < s->sets.count) {
            w.in[owner * s->sets.count + set] = true;
        }
    }
    looks_give(&w, style);
    free(w.in);
    name_list_clear(&w.owners);
}
