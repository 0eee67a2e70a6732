/* SPDX-License-Identifier: Apache-2.0
 * formats/golden_data.c: the data of one perp-golden problem: q, M and K. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "base/base.h"
#include "golden.h"

perp_status perp_golden_fail(const golden_reader *g, perp_status status, const char *what,
                             perp_error *err)
{
    return perp_fail(err, status, "%s: %s%s", g->file, g->at, what);
}

/* The member of either name, and its place. */
static const json_t *golden_either(const golden_reader *g, const char *first,
                                   const char *second, char *place)
{
    const json_t *value = json_object_get(g->o, first);
    const char *name = value ? first : second;

    value = value ? value : json_object_get(g->o, second);
    snprintf(place, PERP_PLACE_LENGTH, "%s%s", g->at, value ? name : first);
    return value;
}

perp_status perp_golden_vector(golden_reader *g, perp_error *err)
{
    char place[PERP_PLACE_LENGTH];
    const json_t *q = golden_either(g, "q", "b", place);
    size_t n = 0;

    g->n = json_is_array(q) ? json_array_size(q) : json_is_number(q) ? 1 : 0;
    if (!json_is_array(q) && !json_is_number(q)) {
        return perp_fail(err, PERP_ERR_FORMAT, "%s: %s is %s, expected an array", g->file,
                         place, perp_json_kind(q));
    }
    TRY(perp_json_size(&n, g->o, g->file, g->at, "n", g->n, err));
    if (n != g->n) {
        return perp_fail(err, PERP_ERR_FORMAT, "%s: %s has %zu entries, expected n = %zu",
                         g->file, place, g->n, n);
    }
    if (g->n > INT32_MAX) {
        return perp_golden_fail(g, PERP_ERR_FORMAT, "n is beyond 2^31 - 1", err);
    }
    g->b = perp_reals_new(g->n);
    if (!g->b) {
        return perp_golden_fail(g, PERP_ERR_MEMORY, "no memory for its numbers", err);
    }
    return perp_json_reals(g->b, g->n, q, g->file, place, err);
}

/* n*n numbers by rows. */
static perp_status golden_dense(golden_reader *g, const json_t *data, const char *place,
                                perp_error *err)
{
    size_t count = 0;
    size_t have = json_is_array(data) ? json_array_size(data) : 1;
    perp_status status = PERP_OK;
    double *rows = NULL;

    if (!perp_mul(g->n, g->n, &count) || have != count) {
        return perp_fail(err, PERP_ERR_FORMAT,
                         "%s: %s has %zu entries, expected %zu x %zu", g->file, place,
                         have, g->n, g->n);
    }
    rows = perp_reals_new(count);
    if (!rows) {
        return perp_golden_fail(g, PERP_ERR_MEMORY, "no memory for its matrix", err);
    }
    status = perp_json_reals(rows, count, data, g->file, place, err);
    if (status == PERP_OK) {
        status = perp_operator_new_dense(&g->A, g->n, g->n, err);
    }
    for (size_t i = 0; status == PERP_OK && i < g->n; i++) {
        for (size_t j = 0; j < g->n; j++) {
            g->A->x[i + j * g->A->ld] = rows[i * g->n + j];
        }
    }
    free(rows);
    return status;
}

/* The member i or j of a matrix: an array of `count` indices. */
static perp_status golden_index_array(const golden_reader *g, const json_t *matrix,
                                      const char *place, const char *key, size_t count,
                                      const json_t **indices, perp_error *err)
{
    *indices = json_object_get(matrix, key);
    if (!json_is_array(*indices) || json_array_size(*indices) != count) {
        return perp_fail(err, PERP_ERR_FORMAT,
                         "%s: %s.%s is %s with %zu entries, expected %zu, as many as v",
                         g->file, place, key, perp_json_kind(*indices),
                         json_array_size(*indices), count);
    }
    return PERP_OK;
}

/* Entry k of such an array, from 0. */
static perp_status golden_index(const golden_reader *g, const json_t *indices,
                                const char *place, const char *key, size_t k,
                                size_t *index, perp_error *err)
{
    const json_t *x = json_array_get(indices, k);
    double i = json_number_value(x);

    if (!json_is_number(x) || !(i >= 0.0 && i < (double)g->n && i == floor(i))) {
        return perp_fail(
            err, PERP_ERR_FORMAT,
            "%s: %s.%s[%zu] is %s%.17g, expected an index from 0 to %zu", g->file, place,
            key, k, json_is_number(x) ? "" : "not a number, ", i, g->n ? g->n - 1 : 0);
    }
    *index = (size_t)i;
    return PERP_OK;
}

/* Blocks of the size that was written. */
static perp_status golden_blocks(golden_reader *g, const json_t *matrix, perp_error *err)
{
    size_t size = 1;

    TRY(perp_json_size(&size, matrix, g->file, g->at, "edge", 1, err));
    if (size == 0 || size > 16 || g->n % size != 0) {
        return perp_fail(err, PERP_ERR_FORMAT,
                         "%s: %sedge is %zu, expected a divisor of n = %zu up to 16",
                         g->file, g->at, size, g->n);
    }
    return perp_operator_use_blocks(&g->A, size, err);
}

/* The entries of a matrix, in any order. */
static perp_status golden_entries(const golden_reader *g, const json_t *matrix,
                                  const char *place, perp_triplets *t, perp_error *err)
{
    char at[PERP_PLACE_LENGTH];
    const json_t *v = json_object_get(matrix, "v");
    const json_t *rows = NULL;
    const json_t *cols = NULL;
    size_t count = json_array_size(v);
    double *x = perp_reals_new(count);
    perp_status status = PERP_OK;

    snprintf(at, sizeof at, "%.100s.v", place);
    if (!x) {
        return perp_golden_fail(g, PERP_ERR_MEMORY, "no memory for its matrix", err);
    }
    status = json_is_array(v)
                 ? perp_json_reals(x, count, v, g->file, at, err)
                 : perp_fail(err, PERP_ERR_FORMAT, "%s: %s is %s, expected an array",
                             g->file, at, perp_json_kind(v));
    if (status == PERP_OK) {
        status = golden_index_array(g, matrix, place, "i", count, &rows, err);
    }
    if (status == PERP_OK) {
        status = golden_index_array(g, matrix, place, "j", count, &cols, err);
    }
    for (size_t k = 0; status == PERP_OK && k < count; k++) {
        size_t i = 0;
        size_t j = 0;

        status = golden_index(g, rows, place, "i", k, &i, err);
        if (status == PERP_OK) {
            status = golden_index(g, cols, place, "j", k, &j, err);
        }
        perp_triplets_add(t, i, j, x[k]);
    }
    free(x);
    return status;
}

static perp_status golden_coo(golden_reader *g, const json_t *matrix, const char *place,
                              perp_error *err)
{
    perp_triplets t;
    perp_status status = PERP_OK;

    perp_triplets_init(&t, g->n, g->n, json_array_size(json_object_get(matrix, "v")));
    status = golden_entries(g, matrix, place, &t, err);
    if (status == PERP_OK) {
        status = perp_triplets_finish(&g->A, &t, err);
    }
    perp_triplets_free(&t);
    return status == PERP_OK ? golden_blocks(g, matrix, err) : status;
}

perp_status perp_golden_matrix(golden_reader *g, perp_error *err)
{
    char place[PERP_PLACE_LENGTH];
    char data[PERP_PLACE_LENGTH + 8];
    const json_t *matrix = golden_either(g, "M", "W", place);
    const char *layout = NULL;
    size_t rows = 0;
    size_t cols = 0;

    if (!json_is_object(matrix)) { /* short forms of batches: by rows, or one number */
        return golden_dense(g, matrix, place, err);
    }
    snprintf(data, sizeof data, "%s.", place);
    TRY(perp_json_text(&layout, matrix, g->file, data, "layout", err));
    TRY(perp_json_size(&rows, matrix, g->file, data, "rows", g->n, err));
    TRY(perp_json_size(&cols, matrix, g->file, data, "cols", g->n, err));
    if (rows != g->n || cols != g->n) {
        return perp_fail(err, PERP_ERR_FORMAT, "%s: %s is %zu x %zu, expected %zu x %zu",
                         g->file, place, rows, cols, g->n, g->n);
    }
    if (layout && strcmp(layout, "coo") == 0) {
        return golden_coo(g, matrix, place, err);
    }
    if (layout && strcmp(layout, "dense-row-major") == 0) {
        snprintf(data, sizeof data, "%s.data", place);
        return golden_dense(g, json_object_get(matrix, "data"), data, err);
    }
    return perp_fail(err, PERP_ERR_FORMAT,
                     "%s: %s.layout is %s%s%s, expected \"dense-row-major\" or \"coo\"",
                     g->file, place, layout ? "\"" : "", layout ? layout : "missing",
                     layout ? "\"" : "");
}

/* A vector of n numbers; *x is NULL when it is missing. `infinity` 0: plain numbers. */
static perp_status golden_optional(const golden_reader *g, const char *key, size_t count,
                                   double infinity, double **x, perp_error *err)
{
    char place[PERP_PLACE_LENGTH];
    const json_t *value = json_object_get(g->o, key);
    perp_status status = PERP_OK;

    *x = NULL;
    if (!value) {
        return PERP_OK;
    }
    snprintf(place, sizeof place, "%s%s", g->at, key);
    *x = perp_reals_new(count);
    if (!*x) {
        return perp_golden_fail(g, PERP_ERR_MEMORY, "no memory for its numbers", err);
    }
    if (infinity == 0.0) {
        status = perp_json_reals(*x, count, value, g->file, place, err);
    } else {
        status = perp_json_bounds(*x, count, infinity, value, g->file, place, err);
    }
    return status;
}

static perp_status golden_friction(golden_reader *g, size_t i, double mu, double normal,
                                   perp_error *err)
{
    if (!(normal >= 0.0 && normal < (double)g->n && normal == floor(normal))) {
        return perp_fail(err, PERP_ERR_FORMAT,
                         "%s: %sfindex[%zu] is %g, expected -1 or a row from 0 to %zu",
                         g->file, g->at, i, normal, g->n - 1);
    }
    if (!(mu >= 0.0)) {
        return perp_fail(err, PERP_ERR_DATA,
                         "%s: %smu[%zu] is %g, expected a number >= 0", g->file, g->at, i,
                         mu);
    }
    perp_set_add_friction(g->set, mu, (size_t)normal);
    return PERP_OK;
}

/* Rows with lo and hi, and where findex names another row, with friction. */
static perp_status golden_bounds(golden_reader *g, bool coupled, perp_error *err)
{
    double *lo = NULL;
    double *hi = NULL;
    double *findex = NULL;
    double *mu = NULL;
    perp_status status = golden_optional(g, "lo", g->n, -INFINITY, &lo, err);

    if (status == PERP_OK) {
        status = golden_optional(g, "hi", g->n, INFINITY, &hi, err);
    }
    if (status == PERP_OK && coupled) {
        status = golden_optional(g, "findex", g->n, 0.0, &findex, err);
    }
    if (status == PERP_OK && coupled) {
        status = golden_optional(g, "mu", g->n, 0.0, &mu, err);
    }
    if (status == PERP_OK && coupled && (!findex || !mu)) {
        status = perp_golden_fail(g, PERP_ERR_FORMAT,
                                  findex ? "mu is missing" : "findex is missing", err);
    }
    if (status == PERP_OK) {
        status = perp_set_new(&g->set, g->n, err);
    }
    for (size_t i = 0; status == PERP_OK && i < g->n; i++) {
        double low = lo ? lo[i] : 0.0; /* without bounds it is an LCP */
        double high = hi ? hi[i] : INFINITY;

        if (coupled && findex[i] != -1.0) {
            status = golden_friction(g, i, mu[i], findex[i], err);
            continue;
        }
        status = perp_bounds_check(low, high, g->file, g->at, i, err);
        if (status == PERP_OK) {
            perp_set_add_bounds(g->set, low, high);
        }
    }
    free(lo);
    free(hi);
    free(findex);
    free(mu);
    return status;
}

static perp_status golden_cones(golden_reader *g, unsigned dim, perp_error *err)
{
    size_t contacts = g->n / dim;
    size_t declared = 0;
    double *mu = NULL;
    perp_status status = PERP_OK;

    TRY(perp_json_size(&declared, g->o, g->file, g->at, "nc", contacts, err));
    if (g->n % dim != 0 || declared != contacts) {
        return perp_fail(err, PERP_ERR_FORMAT,
                         "%s: %snc is %zu, but %zu row%s for %zu contact%s of %u",
                         g->file, g->at, declared, g->n, perp_plural(g->n), contacts,
                         perp_plural(contacts), dim);
    }
    status = golden_optional(g, "mu", contacts, 0.0, &mu, err);
    if (status == PERP_OK && !mu) {
        status = perp_golden_fail(g, PERP_ERR_FORMAT, "mu is missing", err);
    }
    for (size_t k = 0; status == PERP_OK && k < contacts; k++) {
        if (mu[k] < 0.0) {
            status = perp_fail(err, PERP_ERR_DATA,
                               "%s: %smu[%zu] is %g, expected a number >= 0", g->file,
                               g->at, k, mu[k]);
        }
    }
    if (status == PERP_OK) {
        status = perp_set_new_cones(&g->set, dim, contacts, mu, err);
    }
    free(mu);
    return status;
}

perp_status perp_golden_set(golden_reader *g, perp_error *err)
{
    const json_t *sets = json_object_get(g->o, "sets");
    bool associated = false;

    TRY(perp_json_choice(&associated, g->o, g->file, g->at, "law", "coulomb",
                         "associated", err));
    g->law = associated ? PERP_LAW_ASSOCIATED : PERP_LAW_COULOMB;
    if (sets) {
        return perp_json_sets(&g->set, g->n, true, sets, g->file, g->at, err);
    }
    if (strcmp(g->kind, "lcp") == 0) {
        return perp_set_new_uniform(&g->set, PERP_SET_NONNEG, g->n, err);
    }
    if (strcmp(g->kind, "fc3d") == 0 || strcmp(g->kind, "fc2d") == 0) {
        return golden_cones(g, g->kind[2] == '3' ? 3 : 2, err);
    }
    if (strcmp(g->kind, "mlcp") == 0 || strncmp(g->kind, "blcp", 4) == 0) {
        return golden_bounds(g, strcmp(g->kind, "blcp-findex") == 0, err);
    }
    return perp_golden_fail(g, PERP_ERR_FORMAT, "sets is missing", err);
}
