/* SPDX-License-Identifier: Apache-2.0
 * linear/velocity_setup.c: bodies, rows and pattern of S = M + L^T H J.
 *
 * Of rows on two bodies the blocks of S are the bodies that rows touch. Of sparse rows, adjacent
 * velocities that occur in the same rows form a block, at most 6 of them: a free body is one
 * block, an articulated tree several. */
#include <config.h>

#include "base/base.h"
#include "matrix/storages.h"
#include "velocity_private.h"

/* The blocks of S and the positions of the velocities of A in them. */
typedef struct velocity_bodies {
    int32_t *of;   /* velocity of A: its block, or -1 where no row touches it */
    int32_t *slot; /* its place in the block */
    size_t count;  /* blocks */
    unsigned size; /* 3 or 6 */
} velocity_bodies;

static void bodies_alloc(velocity_bodies *b, size_t velocities, perp_workspace *ws)
{
    b->of = perp_workspace_alloc(ws, velocities, sizeof *b->of);
    b->slot = perp_workspace_alloc(ws, velocities, sizeof *b->slot);
}

/* Bodies that rows touch and that can move, in order. */
static void bodies_of_pairs(velocity_bodies *b, const perp_pair_rows *f, size_t rows)
{
    b->size = 6;
    for (size_t i = 0; i < 2 * rows; i++) {
        int32_t body = perp_pairs_body(&f->at, i / 2)[i % 2];

        if (perp_pairs_moves(f, body)) {
            b->of[6 * (size_t)body] = 1;
        }
    }
    for (size_t k = 0; k < f->at.bodies; k++) {
        int32_t block = b->of[6 * k] == 1 ? (int32_t)b->count++ : -1;

        for (size_t i = 0; i < 6; i++) {
            b->of[6 * k + i] = block;
            b->slot[6 * k + i] = (int32_t)i;
        }
    }
}

/* Whether forces move velocity a, as far as M^-1 is known. */
static bool bodies_moves(const perp_factored *f, size_t a)
{
    size_t end = f->Minv ? f->Minv->ptr[a + 1] : 0;
    size_t e = f->Minv ? f->Minv->ptr[a] : 0;

    while (e < end && f->Minv->x[e] == 0.0) {
        e++;
    }
    return !f->Minv || e < end;
}

/* The same number for velocities in the same rows, 0 for those in none and those that cannot move;
 * others may share a number by accident, which makes blocks of S fuller and is not an error. */
static void bodies_signature(const perp_factored *f, uint64_t *signature)
{
    const perp_operator *J = f->J;

    for (size_t i = 0; i < J->rows; i++) {
        perp_random row = {.state = i};
        uint64_t bits = perp_random_next(&row) | 1;

        for (size_t e = J->ptr[i]; e < J->ptr[i + 1]; e++) {
            signature[J->col[e]] += bits;
        }
    }
    for (size_t a = 0; a < J->cols; a++) {
        signature[a] = bodies_moves(f, a) ? signature[a] : 0;
    }
}

static void bodies_of_rows(velocity_bodies *b, const perp_factored *f,
                           uint64_t *signature)
{
    size_t members = 0;

    bodies_signature(f, signature);
    b->size = 3;
    for (size_t a = 0; a < f->nv; a++) {
        bool joins = a > 0 && signature[a] == signature[a - 1];

        members = joins && members < PERP_BLOCK_MOST ? members + 1 : 1;
        if (signature[a] == 0) {
            b->of[a] = -1;
            continue;
        }
        b->count += members == 1;
        b->of[a] = (int32_t)b->count - 1;
        b->slot[a] = (int32_t)members - 1;
        b->size = members > 3 ? 6 : b->size;
    }
}

/* Blocks that the rows of block k of K touch, ascending, written to `list`; their number. */
static size_t velocity_touched(const perp_velocity *s, const velocity_bodies *b,
                               const perp_operator *J, size_t k, int32_t *list)
{
    perp_block block = s->set->blocks[k];
    size_t count = 0;

    for (size_t i = block.first; i < block.first + block.dim; i++) {
        size_t entries = J ? J->ptr[i + 1] - J->ptr[i] : 2;

        for (size_t e = 0; e < entries; e++) {
            int32_t velocity =
                J ? J->col[J->ptr[i] + e] : 6 * perp_pairs_body(&s->A->pairs->at, i)[e];
            int32_t body = velocity < 0 ? -1 : b->of[velocity];
            size_t at = 0;

            while (at < count && list[at] < body) {
                at++;
            }
            if (body < 0 || (at < count && list[at] == body)) {
                continue;
            }
            memmove(list + at + 1, list + at, (count - at) * sizeof *list);
            list[at] = body;
            count++;
        }
    }
    return count;
}

/* touch, body, row_start, pair, start: counted in the first pass, written in the second. */
static perp_status velocity_lists(perp_velocity *s, const velocity_bodies *b,
                                  const perp_operator *J, int32_t *list, perp_error *err)
{
    size_t count = s->set->count;

    s->touch = perp_workspace_sizes(s->ws, count + 1);
    s->row_start = perp_workspace_sizes(s->ws, count + 1);
    s->pair = perp_workspace_sizes(s->ws, count + 1);
    s->start = perp_workspace_sizes(s->ws, count + 1);
    TRY(perp_workspace_status(s->ws, err));
    for (size_t k = 0; k < count; k++) {
        size_t dim = s->set->blocks[k].dim;
        size_t bodies = velocity_touched(s, b, J, k, list);

        s->touch[k + 1] = s->touch[k] + bodies;
        s->row_start[k + 1] = s->row_start[k] + dim * b->size * bodies;
        s->pair[k + 1] = s->pair[k] + bodies * (bodies + 1) / 2;
        s->start[k + 1] = s->start[k] + dim * dim;
    }
    s->area = s->start[count];
    s->body = perp_workspace_alloc(s->ws, s->touch[count], sizeof *s->body);
    s->entry = perp_workspace_alloc(s->ws, s->pair[count], sizeof *s->entry);
    TRY(perp_workspace_status(s->ws, err));
    for (size_t k = 0; k < count; k++) {
        size_t bodies = velocity_touched(s, b, J, k, list);

        memcpy(s->body + s->touch[k], list, bodies * sizeof *list);
    }
    return PERP_OK;
}

/* Entries of each block row with repetitions: ptr, then col, the columns sorted and made unique
 * in place. */
static void velocity_sort_rows(perp_block_matrix *S, int32_t *col, const size_t *ptr)
{
    size_t out = 0;

    for (size_t i = 0; i < S->blocks; i++) {
        size_t first = out;

        qsort(col + ptr[i], ptr[i + 1] - ptr[i], sizeof *col, perp_compare_int32);
        for (size_t e = ptr[i]; e < ptr[i + 1]; e++) {
            if (out == first || col[out - 1] != col[e]) {
                col[out++] = col[e];
            }
        }
        S->ptr[i] = first;
    }
    S->ptr[S->blocks] = out;
}

/* All pairs of bodies of all blocks of K, row by row. */
static void velocity_scatter_pairs(const perp_velocity *s, size_t *next, int32_t *col)
{
    for (size_t k = 0; k < s->set->count; k++) {
        const int32_t *body = s->body + s->touch[k];
        size_t bodies = s->touch[k + 1] - s->touch[k];

        for (size_t i = 0; i < bodies; i++) {
            for (size_t j = 0; j <= i; j++) {
                size_t at = next[body[i]]++;

                if (col) {
                    col[at] = body[j];
                }
            }
        }
    }
}

/* The pattern of S. Each block has a diagonal, since some row touches it. */
static perp_status velocity_pattern(perp_velocity *s, perp_error *err)
{
    perp_block_matrix *S = &s->S;
    size_t *ptr = NULL;
    size_t *next = NULL;

    S->ptr = perp_workspace_sizes(s->ws, S->blocks + 1);
    S->col = perp_workspace_alloc(s->ws, s->pair[s->set->count], sizeof *S->col);
    ptr = perp_workspace_sizes(s->ws, S->blocks + 1);
    next = perp_workspace_sizes(s->ws, S->blocks + 1);
    TRY(perp_workspace_status(s->ws, err));
    velocity_scatter_pairs(s, next, NULL);
    for (size_t i = 0; i < S->blocks; i++) {
        ptr[i + 1] = ptr[i] + next[i];
        next[i] = ptr[i];
    }
    velocity_scatter_pairs(s, next, S->col);
    velocity_sort_rows(S, S->col, ptr);
    return PERP_OK;
}

/* The entry of S at (i, j). */
static int32_t velocity_find(const perp_block_matrix *S, int32_t i, int32_t j)
{
    size_t low = S->ptr[i];
    size_t high = S->ptr[i + 1] - 1;

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (S->col[middle] < j) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return (int32_t)low;
}

static void velocity_find_entries(perp_velocity *s)
{
    for (size_t k = 0; k < s->set->count; k++) {
        const int32_t *body = s->body + s->touch[k];
        size_t at = s->pair[k];

        for (size_t i = 0; i < s->touch[k + 1] - s->touch[k]; i++) {
            for (size_t j = 0; j <= i; j++) {
                s->entry[at++] = velocity_find(&s->S, body[i], body[j]);
            }
        }
    }
}

/* Where row `within` of block k has its numbers for a body. */
static double *velocity_row(const perp_velocity *s, double *rows, size_t k, size_t within,
                            int32_t body)
{
    size_t dim = s->set->blocks[k].dim;
    size_t at = s->touch[k];

    while (s->body[at] != body) {
        at++;
    }
    return rows + s->row_start[k] + ((at - s->touch[k]) * dim + within) * s->S.size;
}

/* One side of rows on two bodies: J, times the factors of its scaling. */
static void velocity_gather_pairs(perp_velocity *s, const velocity_bodies *b,
                                  const double *scale, double *rows)
{
    const perp_pair_rows *f = s->A->pairs;

    for (size_t k = 0; k < s->set->count; k++) {
        perp_block block = s->set->blocks[k];

        for (size_t within = 0; within < block.dim; within++) {
            size_t i = block.first + within;
            double made[12];
            const double *J = perp_pairs_row(&f->at, i, made);

            for (size_t side = 0; side < 2; side++) {
                int32_t body = perp_pairs_body(&f->at, i)[side];
                int32_t at = body < 0 ? -1 : b->of[6 * (size_t)body];
                const double *from = J + 6 * side;
                double *to = at < 0 ? NULL : velocity_row(s, rows, k, within, at);

                for (size_t a = 0; to && a < 6; a++) {
                    to[a] += f->scaled ? scale[i] * from[a] : from[a];
                }
            }
        }
    }
}

static void velocity_gather_rows(perp_velocity *s, const velocity_bodies *b,
                                 const perp_operator *from, double *rows)
{
    for (size_t k = 0; k < s->set->count; k++) {
        perp_block block = s->set->blocks[k];

        for (size_t within = 0; within < block.dim; within++) {
            size_t i = block.first + within;

            for (size_t e = from->ptr[i]; e < from->ptr[i + 1]; e++) {
                int32_t velocity = from->col[e];

                if (b->of[velocity] >= 0) {
                    velocity_row(s, rows, k, within, b->of[velocity])[b->slot[velocity]] =
                        from->x[e];
                }
            }
        }
    }
}

/* J and L. */
static void velocity_gather(perp_velocity *s, const velocity_bodies *b)
{
    const perp_operator *A = s->A;

    if (A->pairs) {
        velocity_gather_pairs(s, b, A->pairs->left, s->J);
        if (s->L != s->J) {
            velocity_gather_pairs(s, b, A->pairs->right, s->L);
        }
    } else {
        velocity_gather_rows(s, b, A->factored->J, s->J);
        if (s->L != s->J) {
            velocity_gather_rows(s, b, A->factored->G, s->L);
        }
    }
}

/* M^-1 of the blocks: of bodies, or of the matrix that a factored A was made from. */
static void velocity_read_masses(perp_velocity *s, const velocity_bodies *b)
{
    size_t size = s->S.size;
    const perp_operator *from = s->A->pairs ? NULL : s->A->factored->Minv;

    for (size_t a = 0; from && a < from->rows; a++) {
        for (size_t e = from->ptr[a]; b->of[a] >= 0 && e < from->ptr[a + 1]; e++) {
            size_t at = (size_t)b->slot[a] + (size_t)b->slot[from->col[e]] * size;

            s->Minv[(size_t)b->of[a] * size * size + at] = from->x[e];
        }
    }
    for (size_t k = 0; !from && k < s->A->pairs->at.bodies; k++) {
        const double *inertia = s->A->pairs->at.inverse_inertia + 9 * k;
        double *to = s->Minv + (size_t)b->of[6 * k] * 36;

        for (size_t a = 0; b->of[6 * k] >= 0 && a < 3; a++) {
            to[7 * a] = s->A->pairs->at.inverse_mass[k];
            for (size_t c = 0; c < 3; c++) { /* of two equal entries the first is read */
                to[21 + a + 6 * c] = inertia[a < c ? 3 * a + c : 3 * c + a];
            }
        }
    }
}

/* Whether M can be had: M^-1 is symmetric and stays within the blocks. */
static bool velocity_has_masses(const perp_operator *A, const velocity_bodies *b)
{
    const perp_operator *Minv = A->pairs ? NULL : A->factored->Minv;

    if (A->pairs) {
        return true;
    }
    for (size_t a = 0; Minv && a < Minv->rows; a++) {
        for (size_t e = Minv->ptr[a]; e < Minv->ptr[a + 1]; e++) {
            size_t c = (size_t)Minv->col[e];

            if (b->of[a] != b->of[c] || perp_operator_entry(Minv, c, a) != Minv->x[e]) {
                return false;
            }
        }
    }
    return Minv != NULL;
}

static void velocity_index(perp_velocity *s, const velocity_bodies *b, size_t velocities)
{
    for (size_t a = 0; a < s->nv; a++) {
        s->index[a] = -1;
    }
    for (size_t a = 0; a < velocities; a++) {
        if (b->of[a] >= 0) {
            s->index[(size_t)b->of[a] * s->S.size + (size_t)b->slot[a]] = (int32_t)a;
        }
    }
}

/* The arrays of numbers. */
static perp_status velocity_numbers(perp_velocity *s, bool masses, bool even,
                                    bool symmetric, perp_error *err)
{
    perp_block_matrix *S = &s->S;
    size_t square = (size_t)S->size * S->size;
    size_t entries = S->ptr[S->blocks];
    size_t rows = s->row_start[s->set->count];

    s->index = perp_workspace_alloc(s->ws, s->nv, sizeof *s->index);
    s->J = perp_workspace_reals(s->ws, rows);
    s->L = masses && even ? s->J : perp_workspace_reals(s->ws, rows);
    if (masses) {
        s->M = perp_workspace_reals(s->ws, S->blocks * square);
        s->Minv = perp_workspace_reals(s->ws, S->blocks * square);
    }
    s->H = perp_workspace_reals(s->ws, s->area);
    s->filled_H = perp_workspace_reals(s->ws, s->area);
    s->stale = perp_workspace_alloc(s->ws, entries, sizeof *s->stale);
    s->changed = perp_workspace_alloc(s->ws, S->blocks, sizeof *s->changed);
    s->kernel = perp_block_kernel_find(S->size);
    s->v = perp_workspace_reals(s->ws, s->nv);
    S->lower = perp_workspace_reals(s->ws, entries * square);
    if (!symmetric || s->L != s->J) {
        S->upper = perp_workspace_reals(s->ws, entries * square);
    }
    return perp_workspace_status(s->ws, err);
}

/* Bodies, lists and pattern; `list` has room for the bodies of one block of K. */
static perp_status velocity_analyse(perp_velocity *s, velocity_bodies *b, perp_error *err)
{
    const perp_operator *A = s->A;
    const perp_operator *J = A->pairs ? NULL : A->factored->J;
    size_t velocities = perp_operator_velocities(A);
    uint64_t *signature = NULL;
    int32_t *list = NULL;

    bodies_alloc(b, velocities, s->ws);
    list = perp_workspace_alloc(s->ws, velocities + 2, sizeof *list);
    if (J) {
        signature = perp_workspace_alloc(s->ws, velocities, sizeof *signature);
    }
    TRY(perp_workspace_status(s->ws, err));
    if (J) {
        bodies_of_rows(b, A->factored, signature);
    } else {
        bodies_of_pairs(b, A->pairs, A->rows);
    }
    s->S.blocks = b->count;
    s->S.size = b->size;
    s->nv = b->count * b->size;
    TRY(velocity_lists(s, b, J, list, err));
    return velocity_pattern(s, err);
}

perp_status perp_velocity_setup(perp_velocity *s, const perp_operator *A,
                                const perp_set *set, bool symmetric, perp_workspace *ws,
                                perp_error *err)
{
    velocity_bodies b = {0};
    bool masses = false;
    bool even = false;
    perp_status status = PERP_OK;

    *s = (perp_velocity){.A = A, .set = set, .ws = ws, .n = A->rows};
    TRY(velocity_analyse(s, &b, err));
    masses = velocity_has_masses(A, &b);
    even = !A->pairs || perp_pairs_scaled_evenly(A);
    TRY(velocity_numbers(s, masses, even, symmetric, err));
    velocity_index(s, &b, perp_operator_velocities(A));
    velocity_find_entries(s);
    velocity_gather(s, &b);
    if (masses) {
        velocity_read_masses(s, &b);
        status = perp_velocity_invert_masses(s, err);
    }
    return status == PERP_OK ? perp_block_factor_new(&s->factor, &s->S, ws, err) : status;
}

void perp_velocity_close(perp_velocity *s)
{
    perp_block_factor_close(s->factor);
    s->factor = NULL;
}
