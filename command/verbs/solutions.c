/* SPDX-License-Identifier: Apache-2.0
 * verbs/solutions.c: the list of all solutions, of perp solve --all. */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "command/cli/answer.h"
#include "command/cli/output.h"
#include "command/verbs/solutions.h"

static json_t *solutions_rays(const perp_solutions *s, size_t k)
{
    json_t *rays = json_array();

    for (size_t i = 0; i < s->ray_count; i++) {
        if (s->ray_of[i] == k) {
            json_array_append_new(rays, answer_vector(s->ray + i * s->n, s->n));
        }
    }
    return rays;
}

/* Numbers of the others, from 1. */
static json_t *solutions_joined(const perp_solutions *s, size_t k)
{
    json_t *joined = json_array();

    for (size_t l = 0; l < s->count; l++) {
        if (s->joined[k * s->count + l]) {
            json_array_append_new(joined, json_integer((json_int_t)l + 1));
        }
    }
    return joined;
}

json_t *solutions_json(const perp_solutions *s)
{
    json_t *list = json_array();

    for (size_t k = 0; k < s->count; k++) {
        json_array_append_new(list, json_pack("{s:s, s:o, s:o, s:o}", "kind",
                                              perp_solution_kind_text(s->kind[k]), "z",
                                              answer_vector(s->z + k * s->n, s->n),
                                              "joined", solutions_joined(s, k), "rays",
                                              solutions_rays(s, k)));
    }
    return json_pack("{s:b, s:I, s:I, s:I, s:o}", "complete", (int)s->complete, "sets",
                     (json_int_t)s->sets, "singular", (json_int_t)s->singular, "lines",
                     (json_int_t)s->lines, "list", list);
}

static void solutions_numbers(const double *x, size_t n, char *text, size_t length)
{
    size_t used = 0;

    for (size_t i = 0; i < n && used < length; i++) {
        used += (size_t)snprintf(text + used, length - used, "%s%.9g", i ? " " : "",
                                 x[i] + 0.0);
    }
}

void solutions_print(const perp_solutions *s, FILE *f)
{
    char text[32 * PERP_SOLUTIONS_ROWS];

    output_fact(f, "solutions", "%s%zu in all %zu sets, of which %zu singular%s",
                s->complete ? "" : "at least ", s->count, s->sets, s->singular,
                s->lines ? "; free rows that others determine are 0" : "");
    for (size_t k = 0; k < s->count; k++) {
        solutions_numbers(s->z + k * s->n, s->n, text, sizeof text);
        output_fact(f, "", "%zu  %s: %s", k + 1, perp_solution_kind_text(s->kind[k]),
                    text);
        for (size_t l = k + 1; l < s->count; l++) {
            if (s->joined[k * s->count + l]) {
                output_fact(f, "", "   the segment to %zu", l + 1);
            }
        }
        for (size_t i = 0; i < s->ray_count; i++) {
            if (s->ray_of[i] == k) {
                solutions_numbers(s->ray + i * s->n, s->n, text, sizeof text);
                output_fact(f, "", "   plus t >= 0 times %s", text);
            }
        }
    }
}
