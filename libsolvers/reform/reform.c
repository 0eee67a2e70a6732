/* SPDX-License-Identifier: Apache-2.0
 * reform/reform.c: make and free reformulations; the parts that several of them share. */
#include <config.h>

#include <stdio.h>

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

/* A label for each block of `to` from the block of `from` that holds its first row. The key stays
 * with the first of several blocks. */
static perp_status reform_label_rows(perp_problem *to, const perp_problem *from,
                                     perp_error *err)
{
    const perp_block *old = from->set->blocks;
    perp_labels *labels = NULL;
    perp_status status = perp_labels_new(&labels, to->set->count, err);
    size_t l = 0;

    for (size_t k = 0; status == PERP_OK && k < to->set->count; k++) {
        const size_t row = to->set->blocks[k].first;

        while (old[l].first + old[l].dim <= row) {
            l++;
        }
        if (!perp_label_copy(&labels->at[k], &from->labels->at[l])) {
            status = perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu labels", to->n);
        } else if (row != old[l].first) {
            labels->at[k].key = 0;
        }
    }
    to->labels = labels;
    to->origin = NULL;
    to->borrows_labels = false;
    return status == PERP_OK && from->origin
               ? perp_origin_copy(&to->origin, from->origin, err)
               : status;
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
