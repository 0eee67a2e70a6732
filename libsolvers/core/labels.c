/* SPDX-License-Identifier: Apache-2.0
 * core/labels.c: labels of blocks and the origin of a problem: made, copied, freed. */
#include <config.h>

#include "base/base.h"
#include "core/solvers.h"

perp_status perp_labels_new(perp_labels **labels, size_t count, perp_error *err)
{
    if (perp_check_arguments(labels, "perp_labels_new", err) != PERP_OK) {
        return PERP_ERR_ARGUMENT;
    }

    perp_labels *made = calloc(1, sizeof *made);

    *labels = NULL;
    if (made) {
        made->at = calloc(count ? count : 1, sizeof *made->at);
    }
    if (!made || !made->at) {
        free(made);
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu labels", count);
    }
    made->count = count;
    for (size_t k = 0; k < count; k++) {
        made->at[k].index = PERP_LABEL_NO_INDEX;
        made->at[k].mu = -1.0;
    }
    *labels = made;
    return PERP_OK;
}

void perp_labels_free(perp_labels *labels)
{
    if (!labels) {
        return;
    }
    for (size_t k = 0; k < labels->count; k++) {
        free(labels->at[k].name);
        free(labels->at[k].body[0]);
        free(labels->at[k].body[1]);
        free(labels->at[k].joint);
    }
    free(labels->at);
    free(labels);
}

static bool labels_copy_text(char **out, const char *text)
{
    *out = text ? perp_text_new(text) : NULL;
    return *out || !text;
}

bool perp_label_copy(perp_label *to, const perp_label *from)
{
    *to = *from;
    to->name = to->body[0] = to->body[1] = to->joint = NULL;
    return labels_copy_text(&to->name, from->name) &&
           labels_copy_text(&to->body[0], from->body[0]) &&
           labels_copy_text(&to->body[1], from->body[1]) &&
           labels_copy_text(&to->joint, from->joint);
}

perp_status perp_labels_copy(perp_labels **out, const perp_labels *labels,
                             perp_error *err)
{
    if (perp_check_arguments(out && labels, "perp_labels_copy", err) != PERP_OK) {
        return PERP_ERR_ARGUMENT;
    }

    perp_labels *copy = NULL;
    perp_status status = perp_labels_new(&copy, labels->count, err);

    *out = NULL;
    for (size_t k = 0; status == PERP_OK && k < labels->count; k++) {
        if (!perp_label_copy(&copy->at[k], &labels->at[k])) {
            status = perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu labels",
                               labels->count);
        }
    }
    if (status != PERP_OK) {
        perp_labels_free(copy);
        return status;
    }
    *out = copy;
    return PERP_OK;
}

perp_status perp_labels_check(const perp_problem *p, perp_error *err)
{
    return !p->labels || p->labels->count == p->set->count
               ? PERP_OK
               : perp_fail(err, PERP_ERR_DATA,
                           "%zu label%s, expected one for each of %zu blocks",
                           p->labels->count, perp_plural(p->labels->count),
                           p->set->count);
}

const char *perp_label_kind_name(perp_label_kind kind)
{
    static const char *const names[] = {
#define PERP_LABEL_TEXT(name, text) text,
        PERP_LABEL_LIST(PERP_LABEL_TEXT)
#undef PERP_LABEL_TEXT
    };

    return (size_t)kind < sizeof names / sizeof *names ? names[kind] : names[0];
}

perp_status perp_origin_new(perp_origin **origin, perp_error *err)
{
    if (perp_check_arguments(origin, "perp_origin_new", err) != PERP_OK) {
        return PERP_ERR_ARGUMENT;
    }

    *origin = calloc(1, sizeof **origin);
    return *origin ? PERP_OK : perp_fail(err, PERP_ERR_MEMORY, "no memory for an origin");
}

void perp_origin_free(perp_origin *origin)
{
    if (origin) {
        free(origin->source);
        free(origin->version);
        free(origin->units);
        free(origin->licence);
        free(origin);
    }
}

perp_status perp_origin_copy(perp_origin **out, const perp_origin *origin,
                             perp_error *err)
{
    if (perp_check_arguments(out && origin, "perp_origin_copy", err) != PERP_OK) {
        return PERP_ERR_ARGUMENT;
    }

    perp_origin *copy = NULL;
    perp_status status = perp_origin_new(&copy, err);

    *out = NULL;
    if (status != PERP_OK) {
        return status;
    }
    *copy = *origin;
    copy->source = copy->version = copy->units = copy->licence = NULL;
    if (!(labels_copy_text(&copy->source, origin->source) &&
          labels_copy_text(&copy->version, origin->version) &&
          labels_copy_text(&copy->units, origin->units) &&
          labels_copy_text(&copy->licence, origin->licence))) {
        perp_origin_free(copy);
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for an origin");
    }
    *out = copy;
    return PERP_OK;
}
