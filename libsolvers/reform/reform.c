/* SPDX-License-Identifier: Apache-2.0
 * reform/reform.c: make and free reformulations; the parts that several of them share. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reforms.h"

perp_status perp_reform_new(perp_reform **t, const perp_reform_type *type,
                            const perp_problem *from, perp_problem *to, void *state,
                            perp_error *err)
{
    *t = calloc(1, sizeof **t);
    if (!*t) {
        perp_problem_free(to);
        if (type->free) {
            type->free(state);
        }
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for a reformulation");
    }
    (*t)->type = type;
    (*t)->from = from;
    (*t)->to = to;
    (*t)->state = state;
    return PERP_OK;
}

void perp_reform_free(perp_reform *t)
{
    if (t) {
        if (t->type->free) {
            t->type->free(t->state);
        }
        perp_problem_free(t->to);
        free(t);
    }
}

perp_status perp_reform_needs_local(const perp_problem *from, perp_error *err)
{
    return from->A ? PERP_OK
                   : perp_fail(err, PERP_ERR_ARGUMENT,
                               "a global problem must be condensed before it is "
                               "reformulated");
}

void perp_reform_describe(perp_reform *t, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(t->what, sizeof t->what, format, args);
    va_end(args);
}

void perp_reform_identity(const void *state, const perp_problem *from, const double *x,
                          double *y)
{
    (void)state;
    if (from->n > 0) {
        memcpy(y, x, from->n * sizeof *y);
    }
}

/* "contact box/floor, direction 3" */
static bool reform_label_part(perp_label *label, const perp_reform_source *source)
{
    char *whole = label->name;
    const size_t size = strlen(whole ? whole : "") + strlen(source->part) + 32;
    char *name = malloc(size);

    if (name) {
        int length = snprintf(name, size, "%s%s%s", whole ? whole : "", whole ? ", " : "",
                              source->part);

        if (source->number) {
            snprintf(name + length, size - (size_t)length, " %zu", source->number);
        }
        label->name = name;
        free(whole);
    }
    return name != NULL;
}

/* The key stays with the block that starts at the first row of the old one. */
static bool reform_label_one(perp_label *label, const perp_problem *from,
                             const perp_reform_source *source)
{
    const size_t block = perp_set_block_at(from->set, source->row);

    if (!perp_label_copy(label, &from->labels->at[block])) {
        return false;
    }
    if (source->part || source->auxiliary ||
        source->row != from->set->blocks[block].first) {
        label->key = 0;
    }
    if (source->auxiliary) {
        label->kind = PERP_LABEL_AUXILIARY;
    }
    return !source->part || reform_label_part(label, source);
}

perp_status perp_reform_label(perp_problem *to, const perp_problem *from,
                              const perp_reform_source *source, perp_error *err)
{
    perp_status status = PERP_OK;

    if (!from->labels || from->labels->count != from->set->count) {
        return PERP_OK;
    }
    to->origin = NULL;
    to->borrows_labels = false;
    status = perp_labels_new(&to->labels, to->set->count, err);
    for (size_t k = 0; status == PERP_OK && k < to->set->count; k++) {
        if (!reform_label_one(&to->labels->at[k], from, &source[k])) {
            status = perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu labels", to->n);
        }
    }
    return status == PERP_OK && from->origin
               ? perp_origin_copy(&to->origin, from->origin, err)
               : status;
}

/* A label for each block of `to` from the block of `from` that holds its first row. */
static perp_status reform_label_rows(perp_problem *to, const perp_problem *from,
                                     perp_error *err)
{
    perp_reform_source *source = calloc(to->set->count + 1, sizeof *source);
    perp_status status = PERP_OK;

    if (!source) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu labels", to->n);
    }
    for (size_t k = 0; k < to->set->count; k++) {
        source[k].row = to->set->blocks[k].first;
    }
    status = perp_reform_label(to, from, source, err);
    free(source);
    return status;
}

perp_status perp_reform_problem_new(perp_problem **to, const perp_problem *from,
                                    perp_operator *A, double *b, perp_set *set,
                                    perp_error *err)
{
    const bool same_blocks = !set;
    perp_status status = set ? PERP_OK : perp_set_copy(&set, from->set, err);

    *to = NULL;
    if (status != PERP_OK) {
        perp_operator_free(A);
        free(b);
        return status;
    }
    status = perp_problem_new_take(to, A, b, set, from->law, err);
    if (status == PERP_OK && from->name && !((*to)->name = perp_text_new(from->name))) {
        perp_problem_free(*to);
        *to = NULL;
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for a name");
    }
    if (status == PERP_OK) {
        (*to)->labels = same_blocks ? from->labels : NULL;
        (*to)->origin = from->origin;
        (*to)->borrows_labels = true;
    }
    return status;
}

perp_status perp_reform_problem_like(perp_problem **to, const perp_problem *from,
                                     perp_operator *A, perp_set *set, perp_error *err)
{
    const bool labelled = set && from->labels && from->labels->count == from->set->count;
    double *b = perp_reals_new(from->n);
    perp_status status = A ? PERP_OK : perp_reform_needs_local(from, err);

    *to = NULL;
    if (status == PERP_OK && !b) {
        status = perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu rows", from->n);
    }
    if (status == PERP_OK && !A) {
        status = perp_operator_copy(&A, from->A, err);
    }
    if (status != PERP_OK) {
        perp_operator_free(A);
        perp_set_free(set);
        free(b);
        return status;
    }
    perp_reform_identity(NULL, from, from->b, b);
    status = perp_reform_problem_new(to, from, A, b, set, err);
    if (status == PERP_OK && labelled) {
        status = reform_label_rows(*to, from, err);
    }
    if (status != PERP_OK) {
        perp_problem_free(*to);
        *to = NULL;
    }
    return status;
}
