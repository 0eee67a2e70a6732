/* SPDX-License-Identifier: Apache-2.0
 * judge/rounding.c: w = A z + b in twice the working precision, where its rounding could decide.
 *
 *     m_k = (1 + mu) max over the rows of block k of  sum_j |A_kj||z_j|/s_k
 * with mu of Coulomb's law, whose term mu |w_T| magnifies the error of w_T, else 0, bounds what is
 * lost: 10 eps m_k in w = A z + b, and 2 eps m_k by the rounding of z to doubles. One pass over A
 * yields all m_k; of a matrix in factors it takes the magnitudes of the factors,
 * |J| |M^-1 J^T| |z|, which is more. A bound that costs no pass comes first. Products and sums in
 * pairs of doubles [ogita-rump-oishi-2005] then leave some 1e-31 of m_k. */
#include <config.h>

#include "judge/judge_private.h"
#include "judge/pair.h"
#include "matrix/storages.h"

/* max |A_ij|, or a bound of it for a matrix in factors. */
static double largest_entry(const perp_judge *judge)
{
    const perp_operator *A = judge->p->A;
    const perp_set *set = judge->p->set;
    size_t e = A->block_size;
    double most = 0.0;

    if (A->entries.known && A->entries.largest > 0.0) {
        return A->entries.largest;
    }
    if (A->pairs && !perp_pairs_scaled_evenly(A)) {
        return INFINITY;
    }
    for (size_t k = 0; perp_operator_in_factors(A) && k < set->count; k++) {
        most = fmax(most, judge->d[k] * set->blocks[k].dim); /* A is semidefinite */
    }
    if (A->ptr) {
        most = perp_largest(A->ptr[A->rows / e] * e * e, A->x);
    }
    for (size_t j = 0; A->type->storage == PERP_STORAGE_DENSE && j < A->cols; j++) {
        most = fmax(most, perp_largest(A->rows, A->x + j * A->ld));
    }
    return most;
}

/* By how much the law magnifies the error of w. */
static double rounding_magnified(const perp_problem *p, const perp_block *block)
{
    bool cone = block->kind == PERP_SET_CONE || block->kind == PERP_SET_ROLLING;

    return cone && p->law == PERP_LAW_COULOMB ? 1.0 + block->mu + block->mu_rolling : 1.0;
}

bool perp_judge_rounds(perp_judge *judge, const double *z, double e_max)
{
    double sum = 0.0;

    if (judge->largest < 0.0) {
        judge->largest = largest_entry(judge);
        judge->least = INFINITY;
        judge->magnified = 1.0;
        for (size_t k = 0; k < judge->p->set->count; k++) {
            const perp_block *block = &judge->p->set->blocks[k];

            judge->least = fmin(judge->least, judge->s[k]);
            judge->magnified =
                fmax(judge->magnified, rounding_magnified(judge->p, block));
        }
    }
    for (size_t i = 0; i < judge->p->n; i++) {
        sum += fabs(z[i]);
    }
    return !(10.0 * DBL_EPSILON * judge->magnified * judge->largest * sum <=
             1e-3 * judge->least * e_max);
}

/* ---- magnitudes ---- */

/* Magnitudes of the velocities, |M^-1 J^T| |z|, of rows on two bodies. */
static void pairs_magnitudes(const perp_operator *A, const double *z, double *v,
                             double *out)
{
    const perp_pair_rows *f = A->pairs;
    double made[12], push[6], size[6];

    memset(v, 0, f->nv * sizeof *v);
    for (size_t pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < A->rows; i++) {
            const int32_t *body = perp_pairs_body(&f->at, i);
            const double *J = perp_pairs_row(&f->at, i, made);

            for (size_t side = 0; side < 2; side++) {
                double *to = body[side] < 0 ? NULL : v + 6 * (size_t)body[side];

                for (size_t c = 0; to && c < 6; c++) {
                    if (pass == 0) {
                        to[c] += fabs(J[6 * side + c] * z[i]) *
                                 (f->scaled ? f->right[i] : 1.0);
                    } else {
                        out[i] += fabs(J[6 * side + c]) * to[c] *
                                  (f->scaled ? f->left[i] : 1.0);
                    }
                }
            }
        }
        for (size_t k = 0; pass == 0 && k < f->nv / 6; k++) {
            const double *I = f->at.inverse_inertia + 9 * k;

            memcpy(push, v + 6 * k, sizeof push);
            for (size_t c = 0; c < 3; c++) {
                size[c] = f->at.inverse_mass[k] * push[c];
                size[3 + c] = 0.0;
                for (size_t d = 0; d < 3; d++) {
                    size[3 + c] +=
                        fabs(I[3 * (c < d ? c : d) + (c < d ? d : c)]) * push[3 + d];
                }
            }
            memcpy(v + 6 * k, size, sizeof size);
        }
    }
}

static void factored_magnitudes(const perp_operator *A, const double *z, double *v,
                                double *out)
{
    const perp_operator *J = A->factored->J, *G = A->factored->G;

    memset(v, 0, A->factored->nv * sizeof *v);
    for (size_t i = 0; i < A->rows; i++) {
        for (size_t e = G->ptr[i]; z[i] != 0.0 && e < G->ptr[i + 1]; e++) {
            v[G->col[e]] += fabs(G->x[e] * z[i]);
        }
    }
    for (size_t i = 0; i < A->rows; i++) {
        for (size_t e = J->ptr[i]; e < J->ptr[i + 1]; e++) {
            out[i] += fabs(J->x[e]) * v[J->col[e]];
        }
    }
}

static void sparse_magnitudes(const perp_operator *A, const double *z, double *out)
{
    size_t e = A->block_size;

    for (size_t I = 0; I < A->rows / e; I++) {
        for (size_t b = A->ptr[I]; b < A->ptr[I + 1]; b++) {
            const double *a = A->x + b * e * e, *at = z + (size_t)A->col[b] * e;

            for (size_t c = 0; c < e * e; c++) {
                out[I * e + c % e] += fabs(a[c] * at[c / e]);
            }
        }
    }
}

/* out (n) := |A||z|; v: scratch for the velocities. */
static void row_magnitudes(const perp_operator *A, const double *z, double *v,
                           double *out)
{
    memset(out, 0, A->rows * sizeof *out);
    if (perp_operator_in_factors(A)) {
        const double *C = perp_operator_compliance(A);

        if (A->pairs) {
            pairs_magnitudes(A, z, v, out);
        } else {
            factored_magnitudes(A, z, v, out);
        }
        for (size_t i = 0; i < A->rows; i++) {
            out[i] += fabs(C[i] * z[i]);
        }
    } else if (A->ptr) {
        sparse_magnitudes(A, z, out);
    }
    for (size_t j = 0; A->type->storage == PERP_STORAGE_DENSE && j < A->cols; j++) {
        const double *a = A->x + j * A->ld, size = fabs(z[j]);

        for (size_t i = 0; size != 0.0 && i < A->rows; i++) {
            out[i] += fabs(a[i]) * size;
        }
    }
}

void perp_judge_magnitudes(perp_judge *judge, const double *z)
{
    double *rows = judge->scratch;

    row_magnitudes(judge->p->A, z, rows + judge->p->n, rows);
    for (size_t k = 0; k < judge->p->set->count; k++) {
        const perp_block *block = &judge->p->set->blocks[k];
        double most = perp_largest(block->dim, rows + block->first);

        judge->m[k] = rounding_magnified(judge->p, block) * most / judge->s[k];
    }
}

/* ---- sums in pairs of doubles ---- */

/* Add a x. */
static void add_wide(perp_wide *sum, double a, const perp_wide *x)
{
    perp_wide_add(sum, a, x->high);
    perp_wide_add(sum, a, x->low);
}

/* v := M^-1 J^T z, bodies one after the other. */
static void pairs_velocities(const perp_operator *A, const double *z, perp_wide *v)
{
    const perp_pair_rows *f = A->pairs;
    double made[12];

    for (size_t i = 0; i < A->rows; i++) {
        const int32_t *body = perp_pairs_body(&f->at, i);
        const double *J = perp_pairs_row(&f->at, i, made);

        for (size_t side = 0; z[i] != 0.0 && side < 2; side++) {
            for (size_t c = 0; body[side] >= 0 && c < 6; c++) {
                perp_wide_add(&v[6 * (size_t)body[side] + c], J[6 * side + c],
                              f->scaled ? f->right[i] * z[i] : z[i]);
            }
        }
    }
    for (size_t k = 0; k < f->nv / 6; k++) {
        const double *I = f->at.inverse_inertia + 9 * k;
        perp_wide moved[6] = {{0}};

        for (size_t c = 0; c < 3; c++) {
            add_wide(&moved[c], f->at.inverse_mass[k], &v[6 * k + c]);
            for (size_t d = 0; d < 3; d++) {
                add_wide(&moved[3 + c], I[3 * (c < d ? c : d) + (c < d ? d : c)],
                         &v[6 * k + 3 + d]);
            }
        }
        memcpy(v + 6 * k, moved, sizeof moved);
    }
}

static void pairs_row_sum(const perp_operator *A, size_t i, const perp_wide *v,
                          perp_wide *sum)
{
    const perp_pair_rows *f = A->pairs;
    const int32_t *body = perp_pairs_body(&f->at, i);
    double made[12];
    const double *J = perp_pairs_row(&f->at, i, made);

    for (size_t side = 0; side < 2; side++) {
        for (size_t c = 0; body[side] >= 0 && c < 6; c++) {
            add_wide(sum, (f->scaled ? f->left[i] : 1.0) * J[6 * side + c],
                     &v[6 * (size_t)body[side] + c]);
        }
    }
}

static void factored_velocities(const perp_operator *A, const double *z, perp_wide *v)
{
    const perp_operator *G = A->factored->G;

    for (size_t i = 0; i < A->rows; i++) {
        for (size_t e = G->ptr[i]; z[i] != 0.0 && e < G->ptr[i + 1]; e++) {
            perp_wide_add(&v[G->col[e]], G->x[e], z[i]);
        }
    }
}

static void factored_row_sum(const perp_operator *A, size_t i, const perp_wide *v,
                             perp_wide *sum)
{
    const perp_operator *J = A->factored->J;

    for (size_t e = J->ptr[i]; e < J->ptr[i + 1]; e++) {
        add_wide(sum, J->x[e], &v[J->col[e]]);
    }
}

typedef struct row_terms {
    const double *z;
    perp_wide sum;
} row_terms;

static void add_term(void *context, size_t j, double a)
{
    row_terms *row = context;

    perp_wide_add(&row->sum, a, row->z[j]);
}

/* w_i of one row; v: the velocities of a matrix in factors. */
static double row_exact(const perp_problem *p, size_t i, const double *z,
                        const perp_wide *v)
{
    const perp_operator *A = p->A;
    row_terms row = {.z = z};

    if (!perp_operator_in_factors(A)) {
        perp_operator_row_visit(A, i, add_term, &row);
    } else {
        if (A->pairs) {
            pairs_row_sum(A, i, v, &row.sum);
        } else {
            factored_row_sum(A, i, v, &row.sum);
        }
        perp_wide_add(&row.sum, perp_operator_compliance(A)[i], z[i]);
    }
    perp_wide_add(&row.sum, 1.0, p->b[i]);
    return row.sum.high + row.sum.low;
}

void perp_judge_refine(perp_judge *judge, const double *z, double least)
{
    const perp_problem *p = judge->p;
    perp_wide *v = (perp_wide *)(judge->scratch + p->n);

    if (perp_operator_in_factors(p->A)) {
        memset(v, 0, perp_operator_velocities(p->A) * sizeof *v);
        if (p->A->pairs) {
            pairs_velocities(p->A, z, v);
        } else {
            factored_velocities(p->A, z, v);
        }
    }
    for (size_t k = 0; k < p->set->count; k++) {
        const perp_block *block = &p->set->blocks[k];

        for (unsigned i = 0; judge->m[k] > least && i < block->dim; i++) {
            judge->w[block->first + i] = row_exact(p, block->first + i, z, v);
        }
    }
}
