/* SPDX-License-Identifier: Apache-2.0
 * outer/frozen_parts.c: the parts of a problem with frozen friction bounds: which rows, which
 * sets, which matrix. */
#include <config.h>

#include "frozen_parts.h"

/* Which part a row belongs to: tangents and what else friction bounds, or the rest. */
static bool bounded_by_friction(const perp_block *block, unsigned i)
{
    switch (block->kind) {
    case PERP_SET_CONE:
    case PERP_SET_ROLLING:
        return i > 0;
    case PERP_SET_FRICTION:
    case PERP_SET_DISK:
        return true;
    default:
        return false;
    }
}

/* Append a frozen bound and the block it bounds, of one or two rows. */
static void add_bounded(frozen_state *s, perp_set *set, unsigned dim, double mu,
                        size_t normal)
{
    s->bounds[s->bound_count++] =
        (frozen_bound){.block = set->count, .normal = normal, .mu = mu};
    if (dim == 1) {
        perp_set_add_box(set, 0.0, 0.0);
    } else {
        perp_set_add_disk(set, 0.0);
    }
}

static void add_tangents(frozen_state *s, perp_set *set, const perp_block *block)
{
    switch (block->kind) {
    case PERP_SET_CONE:
        add_bounded(s, set, block->dim - 1, block->mu, block->first);
        break;
    case PERP_SET_ROLLING:
        add_bounded(s, set, 2, block->mu, block->first);
        add_bounded(s, set, 2, block->mu_rolling, block->first);
        break;
    case PERP_SET_FRICTION:
        add_bounded(s, set, 1, block->mu, block->normal);
        break;
    case PERP_SET_DISK:
        perp_set_add_disk(set, block->radius);
        break;
    default:
        break;
    }
}

static void add_normal(perp_set *set, const perp_block *block)
{
    switch (block->kind) {
    case PERP_SET_FREE:
        perp_set_add_free(set);
        break;
    case PERP_SET_BOX:
        perp_set_add_box(set, block->lo, block->hi);
        break;
    case PERP_SET_NONNEG:
    case PERP_SET_CONE:
    case PERP_SET_ROLLING:
        perp_set_add_nonneg(set);
        break;
    default:
        break;
    }
}

perp_status perp_frozen_add_part(frozen_state *s, bool normals, bool tangents,
                                 perp_error *err)
{
    const perp_set *set = s->p->set;
    frozen_part *part = &s->part[s->parts];
    perp_set *own = NULL;
    size_t room = 0;
    size_t n = 0;
    perp_status status = PERP_ERR_MEMORY;

    if (perp_mul(set->count, 3, &room)) { /* a rolling contact makes three */
        status = perp_set_new(&own, room, err);
    }
    part->rows = perp_workspace_sizes(s->ws, set->n);
    if (status != PERP_OK || !part->rows) {
        perp_set_free(own);
        return perp_fail(err, PERP_ERR_MEMORY, "%s: no memory for %zu rows",
                         s->style.name, set->n);
    }
    for (size_t k = 0; k < set->count; k++) {
        const perp_block *block = &set->blocks[k];

        for (unsigned i = 0; i < block->dim; i++) {
            if (bounded_by_friction(block, i) ? tangents : normals) {
                part->rows[n++] = block->first + i;
            }
        }
        if (normals) {
            add_normal(own, block);
        }
        if (tangents) {
            add_tangents(s, own, block);
        }
    }
    part->inner.p.n = n;
    part->inner.p.set = own;
    part->bounded = tangents;
    part->inner.p.law = PERP_LAW_ASSOCIATED;
    if (n > 0 ||
        (tangents && s->parts == 0)) { /* an empty part is none, but for the last */
        s->parts++;
    } else {
        perp_set_free(own);
        *part = (frozen_part){0};
    }
    return PERP_OK;
}

/* A row of S cut to the columns of a part. */
typedef struct cutter {
    const size_t *place; /* of each column in the part, or SIZE_MAX */
    int32_t *col;        /* where to write, or NULL: count only */
    double *x;
    size_t count;
} cutter;

static void cut(void *context, size_t j, double a)
{
    cutter *c = context;

    if (c->place[j] == SIZE_MAX) {
        return;
    }
    if (c->col) {
        c->col[c->count] = (int32_t)c->place[j];
        c->x[c->count] = a;
    }
    c->count++;
}

static void cut_rows(const perp_operator *S, const size_t *rows, size_t n, cutter *c,
                     size_t *ptr)
{
    for (size_t i = 0; i < n; i++) {
        if (ptr) {
            ptr[i] = c->count;
        }
        perp_operator_row_visit(S, rows[i], cut, c);
    }
    if (ptr) {
        ptr[n] = c->count;
    }
}

static perp_status extract_sparse(perp_operator **out, const perp_operator *S,
                                  const size_t *rows, size_t n, const size_t *place,
                                  perp_error *err)
{
    cutter c = {.place = place};
    perp_operator *A = NULL;
    perp_status status = PERP_OK;

    cut_rows(S, rows, n, &c, NULL);
    status = perp_operator_new_sparse(&A, n, n, 1, c.count, err);
    if (status == PERP_OK) {
        c = (cutter){.place = place, .col = A->col, .x = A->x};
        cut_rows(S, rows, n, &c, A->ptr);
        *out = A;
    }
    return status;
}

static perp_status extract_dense(perp_operator **out, const perp_operator *S,
                                 const size_t *rows, size_t n, perp_error *err)
{
    perp_operator *A = NULL;
    perp_status status = perp_operator_new_dense(&A, n, n, err);

    for (size_t j = 0; status == PERP_OK && j < n; j++) {
        for (size_t i = 0; i < n; i++) {
            A->x[i + j * A->ld] = perp_operator_entry(S, rows[i], rows[j]);
        }
    }
    *out = A;
    return status;
}

perp_status perp_frozen_extract(perp_operator **out, const perp_operator *S,
                                const size_t *rows, size_t n, perp_error *err)
{
    size_t *place = NULL;
    perp_status status = PERP_OK;

    if (S->type->storage == PERP_STORAGE_DENSE) {
        return extract_dense(out, S, rows, n, err);
    }
    place = malloc((S->cols ? S->cols : 1) * sizeof *place);
    if (!place) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu rows", S->cols);
    }
    for (size_t j = 0; j < S->cols; j++) {
        place[j] = SIZE_MAX;
    }
    for (size_t i = 0; i < n; i++) {
        place[rows[i]] = i;
    }
    status = extract_sparse(out, S, rows, n, place, err);
    free(place);
    return status;
}
