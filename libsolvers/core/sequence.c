/* SPDX-License-Identifier: Apache-2.0
 * core/sequence.c: items in memory or on disk, and impulses carried from one to the next. */
#include <config.h>

#include <stdio.h>

#include "base/base.h"
#include "core/sequence_type.h"

void perp_sequence_item_clear(perp_sequence_item *step)
{
    perp_problem_free(step->problem);
    free(step->keys);
    memset(step, 0, sizeof *step);
}

/* A block with an identity. */
typedef struct named_block {
    uint64_t key;
    size_t block;
} named_block;

static int by_key(const void *a, const void *b)
{
    const named_block *x = a;
    const named_block *y = b;
    int keys = (x->key > y->key) - (x->key < y->key);

    return keys ? keys : (x->block > y->block) - (x->block < y->block);
}

/* The blocks that have a key, sorted by it; NULL when there is no memory. */
static named_block *sort_blocks(const perp_sequence_item *step, size_t *count)
{
    size_t blocks = step->problem->set->count;
    size_t bytes = 0;
    named_block *named =
        perp_mul(blocks + 1, sizeof *named, &bytes) ? malloc(bytes) : NULL;

    *count = 0;
    for (size_t k = 0; named && k < blocks; k++) {
        if (step->keys && step->keys[k]) {
            named[(*count)++] = (named_block){step->keys[k], k};
        }
    }
    if (named) {
        qsort(named, *count, sizeof *named, by_key);
    }
    return named;
}

static perp_status check_keys(const perp_sequence_item *step, perp_error *err)
{
    size_t count = 0;
    named_block *named = sort_blocks(step, &count);
    perp_status status = PERP_OK;

    if (!named) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for the keys of %zu blocks",
                         step->problem->set->count);
    }
    for (size_t k = 1; k < count && status == PERP_OK; k++) {
        if (named[k].key == named[k - 1].key) {
            status = perp_fail(err, PERP_ERR_DATA,
                               "keys[%zu] is %llx as is keys[%zu], expected a different "
                               "key for each block",
                               named[k].block, (unsigned long long)named[k].key,
                               named[k - 1].block);
        }
    }
    free(named);
    return status;
}

/* The check of its problem; t finite, h finite and > 0; no key twice except 0. */
static perp_status sequence_item_check(const perp_sequence_item *step, perp_error *err)
{
    if (!step->problem) {
        return perp_fail(err, PERP_ERR_ARGUMENT, "a step needs a problem");
    }
    if (!isfinite(step->t)) {
        return perp_fail(err, PERP_ERR_DATA, "t is %g, expected a finite number",
                         step->t);
    }
    if (!(step->h > 0.0) || !isfinite(step->h)) {
        return perp_fail(err, PERP_ERR_DATA, "h is %g, expected a finite number > 0",
                         step->h);
    }
    TRY(perp_problem_check(step->problem, err));
    return check_keys(step, err);
}

perp_status perp_sequence_new(perp_sequence **s, const char *name, perp_error *err)
{
    if (perp_check_arguments(s, "perp_sequence_new", err) != PERP_OK) {
        return PERP_ERR_ARGUMENT;
    }

    *s = calloc(1, sizeof **s);
    if (*s) {
        (*s)->name = perp_text_new(name ? name : "");
    }
    if (!*s || !(*s)->name) {
        free(*s);
        *s = NULL;
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for a sequence");
    }
    return PERP_OK;
}

perp_status perp_sequence_new_stored(perp_sequence **s, const char *name,
                                     const char *path, size_t count,
                                     const perp_sequence_store *store, void *state,
                                     perp_error *err)
{
    perp_status status = perp_sequence_new(s, name, err);

    if (status != PERP_OK) {
        store->close(state);
        return status;
    }
    (*s)->store = store;
    (*s)->state = state;
    (*s)->count = count;
    (*s)->path = perp_text_new(path);
    if (!(*s)->path) {
        perp_sequence_free(*s);
        *s = NULL;
        return perp_fail(err, PERP_ERR_MEMORY, "%s: no memory for its name", path);
    }
    return PERP_OK;
}

void perp_sequence_free(perp_sequence *s)
{
    if (!s) {
        return;
    }
    if (s->store) {
        s->store->close(s->state);
    }
    for (size_t i = 0; s->steps && i < s->count; i++) {
        perp_sequence_item_clear(&s->steps[i]);
    }
    free(s->steps);
    free(s->path);
    free(s->name);
    free(s);
}

const char *perp_sequence_name(const perp_sequence *s)
{
    return s->name;
}

size_t perp_sequence_count(const perp_sequence *s)
{
    return s->count;
}

/* "file: step 3: …", or "step 3: …" in memory. */
static perp_status fail_at(const perp_sequence *s, size_t i, const perp_error *inner,
                           perp_error *err)
{
    return perp_fail(err, inner->status, "%s%sstep %zu: %s", s->path ? s->path : "",
                     s->path ? ": " : "", i, inner->text);
}

static perp_status check_order(double before, double t, perp_error *err)
{
    return t >= before
               ? PERP_OK
               : perp_fail(err, PERP_ERR_DATA,
                           "t is %g after %g, expected steps in order", t, before);
}

static bool grow(perp_sequence *s)
{
    size_t more = s->room ? s->room + s->room / 2 + 1 : 16;
    size_t bytes = 0;
    perp_sequence_item *steps =
        perp_mul(more, sizeof *steps, &bytes) ? realloc(s->steps, bytes) : NULL;

    if (steps) {
        s->steps = steps;
        s->room = more;
    }
    return steps != NULL;
}

perp_status perp_sequence_add(perp_sequence *s, perp_sequence_item *step, perp_error *err)
{
    if (perp_check_arguments(s && step, "perp_sequence_add", err) != PERP_OK) {
        return PERP_ERR_ARGUMENT;
    }

    perp_error inner = {0};
    perp_status status = PERP_OK;

    if (s->store) {
        perp_sequence_item_clear(step);
        return perp_fail(err, PERP_ERR_ARGUMENT,
                         "%s: a sequence on disk cannot be extended", s->path);
    }
    status = sequence_item_check(step, &inner);
    if (status == PERP_OK && s->count > 0) {
        status = check_order(s->steps[s->count - 1].t, step->t, &inner);
    }
    if (status == PERP_OK && !step->keys) {
        step->keys = calloc(step->problem->set->count + 1, sizeof *step->keys);
        if (!step->keys) {
            status = perp_fail(&inner, PERP_ERR_MEMORY, "no memory for its keys");
        }
    }
    if (status == PERP_OK && s->count == s->room && !grow(s)) {
        status = perp_fail(&inner, PERP_ERR_MEMORY, "no memory for another step");
    }
    if (status != PERP_OK) {
        perp_sequence_item_clear(step);
        return fail_at(s, s->count, &inner, err);
    }
    s->steps[s->count++] = *step;
    memset(step, 0, sizeof *step);
    return PERP_OK;
}

static perp_status copy_step(const perp_sequence_item *from, perp_sequence_item *to,
                             perp_error *err)
{
    size_t blocks = from->problem->set->count;
    perp_status status = perp_problem_copy(&to->problem, from->problem, err);

    to->t = from->t;
    to->h = from->h;
    if (status == PERP_OK) {
        to->problem->sealed = true; /* as perp_sequence_add checked it */
        to->keys = calloc(blocks + 1, sizeof *to->keys);
        if (!to->keys) {
            return perp_fail(err, PERP_ERR_MEMORY, "no memory for its keys");
        }
        memcpy(to->keys, from->keys, blocks * sizeof *to->keys);
    }
    return status;
}

perp_status perp_sequence_get(const perp_sequence *s, size_t i, perp_sequence_item *step,
                              perp_error *err)
{
    if (perp_check_arguments(s && step, "perp_sequence_get", err) != PERP_OK) {
        return PERP_ERR_ARGUMENT;
    }

    perp_error inner = {0};
    perp_status status = PERP_OK;

    memset(step, 0, sizeof *step);
    if (i >= s->count) {
        return perp_fail(err, PERP_ERR_ARGUMENT, "%s%sstep %zu of %zu, counted from 0",
                         s->path ? s->path : "", s->path ? ": " : "", i, s->count);
    }
    if (s->store) {
        status = s->store->read(s->state, i, step, err); /* its message has the place */
        if (status == PERP_OK && sequence_item_check(step, &inner) != PERP_OK) {
            status = fail_at(s, i, &inner, err);
        }
        if (status == PERP_OK) {
            step->problem->sealed = true; /* just checked */
        }
    } else if (copy_step(&s->steps[i], step, &inner) != PERP_OK) {
        status = fail_at(s, i, &inner, err);
    }
    if (status != PERP_OK) {
        perp_sequence_item_clear(step);
    }
    return status;
}

perp_status perp_sequence_check(const perp_sequence *s, perp_error *err)
{
    if (perp_check_arguments(s, "perp_sequence_check", err) != PERP_OK) {
        return PERP_ERR_ARGUMENT;
    }

    double before = -INFINITY;
    perp_status status = PERP_OK;

    for (size_t i = 0; i < s->count && status == PERP_OK; i++) {
        perp_error inner = {0};
        perp_sequence_item step;

        status = perp_sequence_get(s, i, &step, err);
        if (status == PERP_OK && check_order(before, step.t, &inner) != PERP_OK) {
            status = fail_at(s, i, &inner, err);
        }
        before = step.t;
        perp_sequence_item_clear(&step);
    }
    return status;
}

perp_status perp_sequence_carry(const perp_sequence_item *from, const double *z,
                                const perp_sequence_item *to, double *zz, size_t *matched,
                                perp_error *err)
{
    if (perp_check_arguments(from && z && to && zz, "perp_sequence_carry", err) !=
        PERP_OK) {
        return PERP_ERR_ARGUMENT;
    }

    const perp_set *set = to->problem->set;
    const double factor = to->h / from->h;
    size_t known = 0;
    size_t count = 0;
    named_block *named = sort_blocks(from, &known);

    if (!named) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for the keys of %zu blocks",
                         from->problem->set->count);
    }
    memset(zz, 0, to->problem->n * sizeof *zz);
    for (size_t k = 0; to->keys && k < set->count; k++) {
        const perp_block *block = &set->blocks[k];
        const named_block key = {to->keys[k], 0};
        size_t low = 0;
        size_t high = known;

        while (low < high) { /* find the first key that is not less */
            size_t middle = low + (high - low) / 2;

            low = named[middle].key < key.key ? middle + 1 : low;
            high = named[middle].key < key.key ? high : middle;
        }
        if (key.key && low < known && named[low].key == key.key) {
            const perp_block *earlier = &from->problem->set->blocks[named[low].block];

            if (earlier->kind == block->kind && earlier->dim == block->dim) {
                for (unsigned l = 0; l < block->dim; l++) {
                    zz[block->first + l] = factor * z[earlier->first + l];
                }
                count++;
            }
        }
    }
    free(named);
    if (matched) {
        *matched = count;
    }
    return PERP_OK;
}
