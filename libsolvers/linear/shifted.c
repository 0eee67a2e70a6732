/* SPDX-License-Identifier: Apache-2.0
 * linear/shifted.c: systems (A + D) x = c in stored, velocity or spectrum form.
 *
 * Cost of a new D: n^3/3 (Cholesky) or 2 n^3/3 flops dense, by the fill sparse, by the fill of
 * the graph of bodies for a matrix in factors, none with the spectrum (9 n^3 once). A solve:
 * 2 n^2 dense, or 4 n^2 with the spectrum. */
#include <config.h>

#include "base/base.h"
#include "block_shift.h"
#include "matrix/storages.h"
#include "shifted.h"

/* Kept factorisations take at most this, beyond the current one: a quarter of the memory of the
 * smallest machines that such problems are solved on. */
#define SHIFTED_BYTES 0x1p28

static bool shifted_is_velocity(const perp_shifted *s)
{
    return s->velocity.A != NULL;
}

static perp_status shifted_add_slot(perp_shifted *s, perp_error *err)
{
    perp_shifted_slot *slot = &s->slot[s->slots];
    perp_status status = perp_factor_new(&slot->factor, s->K, s->kind, s->ws, err);

    slot->key = NAN;
    s->slots += status == PERP_OK;
    return status;
}

/* The offset of a block in s->D is that of its inverse in the velocity form. */
static perp_status shifted_setup_velocity(perp_shifted *s, perp_error *err)
{
    TRY(perp_velocity_setup(&s->velocity, s->A, s->set, s->kind == PERP_FACTOR_CHOLESKY,
                            s->ws, err));
    s->slot[0].key = NAN;
    s->slots = 1;
    s->D = perp_workspace_reals(s->ws, s->velocity.area);
    return perp_workspace_status(s->ws, err);
}

perp_status perp_shifted_setup(perp_shifted *s, const perp_operator *A,
                               const perp_set *set, perp_factor_kind kind,
                               perp_workspace *ws, perp_error *err)
{
    perp_status status = PERP_OK;

    *s = (perp_shifted){.A = A, .set = set, .ws = ws, .kind = kind};
    if (perp_operator_in_factors(A)) {
        return shifted_setup_velocity(s, err);
    }
    TRY(perp_block_shift_new(&s->K, A, set, ws, err));
    status = shifted_add_slot(s, err);
    s->factor = s->slot[0].factor;
    return status;
}

void perp_shifted_keep_factors(perp_shifted *s)
{
    double bytes = s->K ? sizeof(double) * (double)perp_operator_nonzeros(s->K) : 0.0;

    while (s->K && s->slots < PERP_SHIFTED_SLOTS &&
           bytes * (double)s->slots < SHIFTED_BYTES) {
        size_t mark = perp_workspace_mark(s->ws);

        if (shifted_add_slot(s, NULL) != PERP_OK) { /* it is not needed */
            perp_workspace_release(s->ws, mark);
            return;
        }
    }
}

perp_status perp_shifted_setup_spectrum(perp_shifted *s, const perp_operator *A,
                                        perp_workspace *ws, perp_error *err)
{
    *s = (perp_shifted){.A = A, .ws = ws, .tau = 1.0};
    return perp_spectrum_setup(&s->spectrum, A, ws, err);
}

void perp_shifted_close(perp_shifted *s)
{
    for (size_t k = 0; k < s->slots; k++) {
        perp_factor_close(s->slot[k].factor);
    }
    perp_velocity_close(&s->velocity);
    *s = (perp_shifted){0};
}

void perp_shifted_load(perp_shifted *s)
{
    if (shifted_is_velocity(s)) {
        memset(s->D, 0, s->velocity.area * sizeof *s->D);
    } else if (
        s->loaded) { /* nothing but diagonal blocks was added to A, or changes in it */
        perp_block_shift_load_blocks(s->K, s->A, s->set);
    } else {
        perp_block_shift_load(s->K, s->A);
        s->loaded = true;
    }
}

void perp_shifted_add_block(perp_shifted *s, size_t first, size_t dim, const double *B)
{
    size_t k = 0;
    size_t size = 0;
    double *D = NULL;

    if (!shifted_is_velocity(s)) {
        perp_block_shift_add(s->K, first, dim, B);
        return;
    }
    k = perp_set_block_at(s->set, first);
    size = s->set->blocks[k].dim;
    D = s->D + s->velocity.start[k] + (first - s->set->blocks[k].first) * (size + 1);
    for (size_t j = 0; j < dim; j++) {
        for (size_t i = 0; i < dim; i++) {
            D[i + j * size] += B[i + j * dim];
        }
    }
}

void perp_shifted_add(perp_shifted *s, size_t i, double d)
{
    perp_shifted_add_block(s, i, 1, &d);
}

double perp_shifted_diagonal(const perp_shifted *s, size_t i)
{
    size_t k = 0;
    size_t within = 0;

    if (!shifted_is_velocity(s)) {
        return perp_operator_diagonal(s->K, i);
    }
    k = perp_set_block_at(s->set, i);
    within = i - s->set->blocks[k].first;
    return perp_operator_compliance(s->A)[i] +
           s->D[s->velocity.start[k] + within * (s->set->blocks[k].dim + 1)];
}

void perp_shifted_scale_rows(perp_shifted *s, size_t first, size_t dim, const double *L)
{
    s->loaded = false;
    perp_block_shift_scale_rows(s->K, first, dim, L);
}

void perp_shifted_add_entry(perp_shifted *s, size_t i, size_t j, double a)
{
    s->loaded = false;
    perp_block_shift_add_entry(s->K, i, j, a);
}

/* Factor the present matrix into f. */
static perp_status shifted_factor_into(perp_shifted *s, perp_factor *f, perp_work *work,
                                       bool *done, perp_error *err)
{
    perp_status status = PERP_OK;

    if (shifted_is_velocity(s)) {
        return perp_velocity_factor(&s->velocity, work, done, err);
    }
    status = perp_factor_matrix(f, s->K, done, err);
    perp_factor_count(f, work);
    return status;
}

perp_status perp_shifted_factor(perp_shifted *s, perp_work *work, bool *done,
                                perp_error *err)
{
    *done = !shifted_is_velocity(s) || perp_velocity_set(&s->velocity, s->D);
    return *done ? shifted_factor_into(s, s->factor, work, done, err) : PERP_OK;
}

perp_status perp_shifted_factor_block(perp_shifted *s, const size_t *rows, size_t k,
                                      perp_work *work, bool *done, perp_error *err)
{
    perp_status status = perp_factor_block(s->factor, s->K, rows, k, done, err);

    perp_factor_count(s->factor, work);
    return status;
}

perp_status perp_shifted_set_kind(perp_shifted *s, perp_factor_kind kind, perp_error *err)
{
    s->kind = kind;
    return perp_factor_set_kind(s->factor, s->K, kind, err);
}

/* The slot that holds this key, or NULL, and the slot that was not used for longest. */
static perp_shifted_slot *shifted_find(perp_shifted *s, double key,
                                       perp_shifted_slot **oldest)
{
    *oldest = &s->slot[0];
    for (size_t k = 0; k < s->slots; k++) {
        if (s->slot[k].key == key) {
            return &s->slot[k];
        }
        *oldest = s->slot[k].used < (*oldest)->used ? &s->slot[k] : *oldest;
    }
    return NULL;
}

perp_status perp_shifted_set_diagonal(perp_shifted *s, double key, const double *d,
                                      perp_work *work, bool *done, perp_error *err)
{
    perp_shifted_slot *slot = NULL;
    perp_shifted_slot *oldest = NULL;
    perp_status status = PERP_OK;

    *done = true;
    if (s->spectrum.Q) {
        s->tau = s->A->rows > 0 ? d[0] : 1.0;
        return PERP_OK;
    }
    slot = shifted_find(s, key, &oldest);
    if (!slot && shifted_is_velocity(s) && !perp_velocity_set_diagonal(&s->velocity, d)) {
        *done = false;
        return PERP_OK;
    }
    if (!slot) {
        slot = oldest;
        slot->key = NAN;
        if (s->K) {
            perp_shifted_load(s);
        }
        for (size_t i = 0; s->K && i < s->A->rows; i++) {
            perp_shifted_add(s, i, d[i]);
        }
        status = shifted_factor_into(s, slot->factor, work, done, err);
    }
    if (status == PERP_OK && *done) {
        slot->key = key;
        slot->used = ++s->clock;
        s->factor = slot->factor;
    }
    return status;
}

void perp_shifted_update_diagonal(perp_shifted *s, double shift)
{
    for (size_t i = 0; s->spectrum.Q && i < s->spectrum.n; i++) {
        s->spectrum.T[i] += shift;
    }
    for (size_t k = 0; k < s->slots; k++) {
        s->slot[k].key = NAN;
        s->slot[k].used = 0;
    }
}

void perp_shifted_solve(perp_shifted *s, double *x)
{
    if (s->spectrum.Q) {
        perp_spectrum_solve(&s->spectrum, s->tau, x);
    } else if (shifted_is_velocity(s)) {
        perp_velocity_solve(&s->velocity, x);
    } else {
        perp_factor_solve(s->factor, x);
    }
}

/* y += D x of the velocity form. */
static void shifted_apply_blocks(const perp_shifted *s, const double *x, double *y)
{
    for (size_t k = 0; k < s->set->count; k++) {
        const double *D = s->D + s->velocity.start[k];
        size_t first = s->set->blocks[k].first;
        size_t dim = s->set->blocks[k].dim;

        for (size_t j = 0; j < dim; j++) {
            for (size_t i = 0; i < dim; i++) {
                y[first + i] += D[i + j * dim] * x[first + j];
            }
        }
    }
}

void perp_shifted_apply(perp_shifted *s, const double *x, double *y)
{
    if (shifted_is_velocity(s)) {
        perp_operator_apply(s->A, x, y);
        shifted_apply_blocks(s, x, y);
    } else {
        perp_operator_apply(s->K, x, y);
    }
}

bool perp_shifted_negative(const perp_shifted *s)
{
    return shifted_is_velocity(s) ? perp_block_factor_negative(s->velocity.factor)
                                  : perp_factor_negative(s->factor);
}

size_t perp_shifted_failed_row(const perp_shifted *s)
{
    return s->K ? perp_factor_failed_row(s->factor) : PERP_PIVOT_NONE;
}

bool perp_shifted_null_vector(perp_shifted *s, double *x)
{
    return perp_factor_null_vector(s->factor, s->K, x);
}
