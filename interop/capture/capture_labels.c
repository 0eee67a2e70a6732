/* SPDX-License-Identifier: Apache-2.0
 * capture/capture_labels.c: labels of the blocks of a step, and where it comes from. */
#include <config.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <perp/problem.h>

#include "interop/capture/capture_labels.h"

/* A copy, or NULL of NULL. */
static bool label_copy(char **out, const char *text)
{
    *out = text ? perp_text_new(text) : NULL;
    return !text || *out;
}

/* "contact trunk/floor", "joint elbow", or the number where there are no names. */
static char *label_name(const capture_row *row)
{
    const capture_label *given = &row->label;
    const char *kind = perp_label_kind_name(given->kind);
    char text[256];

    if (given->joint) {
        snprintf(text, sizeof text, "%s %s", kind, given->joint);
    } else if (given->body[0] && given->body[1]) {
        snprintf(text, sizeof text, "%s %s/%s", kind, given->body[0], given->body[1]);
    } else {
        snprintf(text, sizeof text, "%s %llu", kind, (unsigned long long)(row->key >> 8));
    }
    return perp_text_new(text);
}

static bool label_fill(perp_label *label, const capture_row *row)
{
    const capture_label *given = &row->label;

    label->kind = given->kind;
    label->key = row->key;
    label->placed = given->placed;
    label->gap = given->gap;
    memcpy(label->point, given->point, sizeof label->point);
    memcpy(label->normal, given->normal, sizeof label->normal);
    if (given->kind == PERP_LABEL_CONTACT && (row->normal >= 0 || row->cone > 1)) {
        label->mu = row->mu;
    }
    label->name = label_name(row);
    return label->name && label_copy(&label->body[0], given->body[0]) &&
           label_copy(&label->body[1], given->body[1]) &&
           label_copy(&label->joint, given->joint);
}

perp_status capture_labels(perp_problem *p, const capture_row *rows, size_t n,
                           perp_error *err)
{
    size_t k = 0;
    perp_status status = perp_labels_new(&p->labels, p->set->count, err);

    for (size_t i = 0; status == PERP_OK && i < n; i++) {
        if (rows[i].cone != 1 && !label_fill(&p->labels->at[k++], &rows[i])) {
            status = perp_fail(err, PERP_ERR_MEMORY, "no memory for its labels");
        }
    }
    return status;
}

perp_status capture_origin(perp_problem *p, const capture_engine *engine, size_t step,
                           double t, double h, perp_error *err)
{
    perp_origin *origin = NULL;
    perp_status status = perp_origin_new(&p->origin, err);

    if (status != PERP_OK) {
        return status;
    }
    origin = p->origin;
    origin->source = perp_text_new(program_invocation_short_name);
    origin->version = perp_text_new(engine->version);
    origin->units = perp_text_new("z N s, w m/s");
    origin->step = step;
    origin->timed = true;
    origin->time = t;
    origin->dt = h;
    origin->hash = perp_problem_hash(p);
    return origin->source && origin->version && origin->units
               ? PERP_OK
               : perp_fail(err, PERP_ERR_MEMORY, "no memory for its origin");
}
