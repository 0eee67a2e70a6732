/* SPDX-License-Identifier: Apache-2.0
 * formats/contacts.c: the order of the rows of a contact.
 *
 * perp has the normal first, (N, T1, T2); ContactBench and Pinocchio have it last,
 * (T1, T2, N). One is the other turned by one place, so orientation is kept. */
#include <config.h>

#include "formats.h"

/* from[new row] = old row, for cones whose normal is last. */
static void contacts_from(const perp_set *set, size_t *from)
{
    for (size_t k = 0; k < set->count; k++) {
        const perp_block *block = &set->blocks[k];
        bool cone = block->kind == PERP_SET_CONE;

        for (unsigned i = 0; i < block->dim; i++) {
            from[block->first + i] =
                block->first + (cone ? (i + block->dim - 1) % block->dim : i);
        }
    }
}

typedef struct turned {
    const size_t *column; /* old column -> new column, or NULL */
    int32_t *i, *j;
    double *x;
    size_t count;
    int32_t row;
} turned;

static void turned_entry(void *context, size_t j, double a)
{
    turned *t = context;

    t->i[t->count] = t->row;
    t->j[t->count] = (int32_t)(t->column ? t->column[j] : j);
    t->x[t->count++] = a;
}

/* out(to[i], to[j]) = A(i, j); a missing map leaves rows or columns where they are. */
static perp_status turn_sparse(perp_operator **out, const perp_operator *A,
                               const size_t *rows, const size_t *columns, perp_error *err)
{
    size_t count = perp_operator_nonzeros(A);
    int32_t *ij = calloc(count + 1, 2 * sizeof *ij);
    turned t = {columns, ij, ij ? ij + count : NULL, perp_reals_new(count), 0, 0};
    perp_operator *csr = NULL;
    perp_status status = PERP_OK;

    if (!ij || !t.x) {
        status = perp_fail(err, PERP_ERR_MEMORY, "no memory to turn %zu entries", count);
    }
    for (size_t i = 0; status == PERP_OK && i < A->rows; i++) {
        t.row = (int32_t)(rows ? rows[i] : i);
        perp_operator_row_visit(A, i, turned_entry, &t);
    }
    if (status == PERP_OK) {
        status = perp_operator_new_from_triplets(&csr, A->rows, A->cols, t.count, t.i,
                                                 t.j, t.x, err);
    }
    if (status == PERP_OK && A->block_size > 1) {
        status = perp_operator_convert(out, csr, PERP_STORAGE_BSR, A->block_size, err);
        perp_operator_free(csr);
    } else {
        *out = csr;
    }
    free(ij);
    free(t.x);
    return status;
}

static perp_status turn_operator(perp_operator **A, const size_t *rows,
                                 const size_t *columns, perp_error *err)
{
    perp_operator *old = *A;
    perp_operator *out = NULL;
    perp_status status = PERP_OK;

    if (old->type->storage != PERP_STORAGE_DENSE) {
        status = turn_sparse(&out, old, rows, columns, err);
    } else {
        status = perp_operator_new_dense(&out, old->rows, old->cols, err);
        for (size_t j = 0; status == PERP_OK && j < old->cols; j++) {
            for (size_t i = 0; i < old->rows; i++) {
                out->x[(rows ? rows[i] : i) + (columns ? columns[j] : j) * out->ld] =
                    old->x[i + j * old->ld];
            }
        }
    }
    if (status == PERP_OK) {
        perp_operator_free(old);
        *A = out;
    }
    return status;
}

static void turn_vector(double *x, const size_t *from, size_t n, double *scratch)
{
    if (x) {
        memcpy(scratch, x, n * sizeof *x);
        for (size_t i = 0; i < n; i++) {
            x[i] = scratch[from[i]];
        }
    }
}

perp_status perp_contacts_normal_first(perp_problem *p, perp_error *err)
{
    size_t n = p->n;
    size_t *from = calloc(n + 1, 2 * sizeof *from);
    double *scratch = perp_reals_new(n);
    size_t *to = from ? from + n : NULL;
    perp_status status = PERP_OK;

    if (!from || !scratch) {
        status = perp_fail(err, PERP_ERR_MEMORY, "no memory to turn %zu rows", n);
        goto done;
    }
    contacts_from(p->set, from);
    for (size_t i = 0; i < n; i++) {
        to[from[i]] = i;
    }
    if (p->A) {
        status = turn_operator(&p->A, to, to, err);
    } else {
        status = turn_operator(&p->global->H, NULL, to, err);
    }
    turn_vector(p->b, from, n, scratch);
    for (size_t k = 0; k < p->guess_count; k++) {
        turn_vector(p->guesses[k].z, from, n, scratch);
        turn_vector(p->guesses[k].w, from, n, scratch);
    }
    if (p->solution) {
        turn_vector(p->solution->z, from, n, scratch);
        turn_vector(p->solution->w, from, n, scratch);
    }
done:
    free(from);
    free(scratch);
    return status;
}
