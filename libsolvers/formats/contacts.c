/* SPDX-License-Identifier: Apache-2.0
 * formats/contacts.c: the order of the rows of a contact.
 *
 * perp has the normal first, (N, T1, T2); ContactBench and Pinocchio have it last,
 * (T1, T2, N). One is a cyclic permutation of the other, so that the orientation is kept. */
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

/* Where the entries of a row go. */
typedef struct permutation {
    perp_triplets t;
    const size_t *column; /* old column -> new column, or NULL */
    size_t row;
} permutation;

static void permute_entry(void *context, size_t j, double a)
{
    permutation *p = context;

    perp_triplets_add(&p->t, p->row, p->column ? p->column[j] : j, a);
}

/* out(rows[i], columns[j]) = A(i, j); a missing map leaves rows or columns in place. */
static perp_status permute_sparse(perp_operator **out, const perp_operator *A,
                                  const size_t *rows, const size_t *columns,
                                  perp_error *err)
{
    permutation p = {.column = columns};
    perp_status status = PERP_OK;

    perp_triplets_init(&p.t, A->rows, A->cols, perp_operator_nonzeros(A));
    for (size_t i = 0; i < A->rows; i++) {
        p.row = rows ? rows[i] : i;
        perp_operator_row_visit(A, i, permute_entry, &p);
    }
    status = perp_triplets_finish(out, &p.t, err);
    perp_triplets_free(&p.t);
    return status == PERP_OK ? perp_operator_use_blocks(out, A->block_size, err) : status;
}

static perp_status permute_operator(perp_operator **A, const size_t *rows,
                                    const size_t *columns, perp_error *err)
{
    perp_operator *old = *A;
    perp_operator *out = NULL;
    perp_status status = PERP_OK;

    if (old->type->storage != PERP_STORAGE_DENSE) {
        status = permute_sparse(&out, old, rows, columns, err);
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

static void permute_vector(double *x, const size_t *from, size_t n, double *scratch)
{
    if (x) {
        memcpy(scratch, x, n * sizeof *x);
        for (size_t i = 0; i < n; i++) {
            x[i] = scratch[from[i]];
        }
    }
}

static void permute_points(perp_problem *p, const size_t *from, double *scratch)
{
    permute_vector(p->b, from, p->n, scratch);
    for (size_t k = 0; k < p->guess_count; k++) {
        permute_vector(p->guesses[k].z, from, p->n, scratch);
        permute_vector(p->guesses[k].w, from, p->n, scratch);
    }
    if (p->solution) {
        permute_vector(p->solution->z, from, p->n, scratch);
        permute_vector(p->solution->w, from, p->n, scratch);
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
        status = perp_fail(err, PERP_ERR_MEMORY, "no memory to permute %zu rows", n);
    } else {
        contacts_from(p->set, from);
        for (size_t i = 0; i < n; i++) {
            to[from[i]] = i;
        }
        status = p->A ? permute_operator(&p->A, to, to, err)
                      : permute_operator(&p->global->H, NULL, to, err);
    }
    if (status == PERP_OK) {
        permute_points(p, from, scratch);
    }
    free(from);
    free(scratch);
    return status;
}
