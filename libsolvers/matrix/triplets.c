/* SPDX-License-Identifier: Apache-2.0
 * matrix/triplets.c: a sparse matrix that is collected entry by entry.
 *
 * Memory doubles when it is full, so that n entries cost O(n). */
#include <config.h>

#include "matrix/storages.h"

enum { TRIPLETS_LEAST = 64 };

/* Memory for `capacity` entries, at least one; what is there is kept. */
static bool triplets_resize(perp_triplets *t, size_t capacity)
{
    size_t bytes = 0;
    int32_t *i = NULL;
    int32_t *j = NULL;
    double *x = NULL;

    capacity = capacity > 0 ? capacity : 1;
    if (!perp_mul(capacity, sizeof *x, &bytes)) {
        return false;
    }
    i = realloc(t->i, capacity * sizeof *i);
    if (i) {
        t->i = i;
    }
    j = realloc(t->j, capacity * sizeof *j);
    if (j) {
        t->j = j;
    }
    x = realloc(t->x, bytes);
    if (x) {
        t->x = x;
    }
    if (!i || !j || !x) {
        return false;
    }
    t->capacity = capacity;
    return true;
}

void perp_triplets_init(perp_triplets *t, size_t rows, size_t cols, size_t capacity)
{
    *t = (perp_triplets){.rows = rows, .cols = cols};
    if (perp_operator_check_extents(rows, cols, &t->fault) == PERP_OK &&
        !triplets_resize(t, capacity)) {
        perp_fail(&t->fault, PERP_ERR_MEMORY, "no memory for %zu entries", capacity);
    }
}

void perp_triplets_add(perp_triplets *t, size_t i, size_t j, double a)
{
    if (t->fault.status != PERP_OK) {
        return;
    }
    if (i >= t->rows || j >= t->cols) {
        perp_fail(&t->fault, PERP_ERR_DATA,
                  "entry %zu at row %zu, column %zu (from 0) lies outside the %zu x %zu "
                  "matrix",
                  t->count, i, j, t->rows, t->cols);
        return;
    }
    if (t->count == t->capacity) {
        size_t most = SIZE_MAX / 2;
        size_t more = t->capacity < TRIPLETS_LEAST ? TRIPLETS_LEAST
                      : t->capacity < most         ? 2 * t->capacity
                                                   : SIZE_MAX;

        if (!triplets_resize(t, more)) {
            perp_fail(&t->fault, PERP_ERR_MEMORY, "no memory for %zu entries", more);
            return;
        }
    }
    t->i[t->count] = (int32_t)i;
    t->j[t->count] = (int32_t)j;
    t->x[t->count++] = a;
}

perp_status perp_triplets_status(const perp_triplets *t, perp_error *err)
{
    return t->fault.status == PERP_OK
               ? PERP_OK
               : perp_fail(err, t->fault.status, "%s", t->fault.text);
}

perp_status perp_triplets_finish(perp_operator **A, const perp_triplets *t,
                                 perp_error *err)
{
    if (perp_check_arguments(A && t, "perp_triplets_finish", err) != PERP_OK) {
        return PERP_ERR_ARGUMENT;
    }

    perp_status status = perp_triplets_status(t, err);

    *A = NULL;
    if (status != PERP_OK) {
        return status;
    }
    return perp_operator_new_from_triplets(A, t->rows, t->cols, t->count, t->i, t->j,
                                           t->x, err);
}

void perp_triplets_free(perp_triplets *t)
{
    if (t) {
        free(t->i);
        free(t->j);
        free(t->x);
        *t = (perp_triplets){0};
    }
}
