/* SPDX-License-Identifier: Apache-2.0
 * matrix/factored.c: W = J M^-1 J^T + C in factors, with sparse rows.
 *
 *     y = W x:   v = G^T x,  y = J v + C x,   G = J M^-T row by row
 *
 * A product costs one pass over G and one over J, whereas W grows with the square of the
 * number of contacts per body. A sweep updates v in addition to z: perp_factored_rows_dot
 * reads the velocities of a contact, perp_factored_rows_add adds the effect of a change of its
 * impulse. Rows of one contact store the same columns and are read together. An entry of W
 * costs a merge of two rows; a row of W visits the rows that share a velocity with it. */
#include <config.h>

#include "matrix/storages.h"

/* y[r] := rows first+r of J times v, for one, two or three rows with the same columns. */
static inline void factored_dot_3(const perp_operator *J, size_t first, const double *v,
                                  double *y)
{
    size_t length = J->ptr[first + 1] - J->ptr[first];
    const int32_t *col = J->col + J->ptr[first];
    const double *a = J->x + J->ptr[first];
    double s0 = 0.0;
    double s1 = 0.0;
    double s2 = 0.0;

    for (size_t k = 0; k < length; k++) {
        double speed = v[col[k]];

        s0 += a[k] * speed;
        s1 += a[k + length] * speed;
        s2 += a[k + 2 * length] * speed;
    }
    y[0] = s0;
    y[1] = s1;
    y[2] = s2;
}

static inline void factored_dot_2(const perp_operator *J, size_t first, const double *v,
                                  double *y)
{
    size_t length = J->ptr[first + 1] - J->ptr[first];
    const int32_t *col = J->col + J->ptr[first];
    const double *a = J->x + J->ptr[first];
    double s0 = 0.0;
    double s1 = 0.0;

    for (size_t k = 0; k < length; k++) {
        s0 += a[k] * v[col[k]];
        s1 += a[k + length] * v[col[k]];
    }
    y[0] = s0;
    y[1] = s1;
}

/* y := rows of X times v. */
static void factored_dot(const perp_factored *f, const perp_operator *X, size_t first,
                         size_t dim, const double *v, double *y)
{
    for (size_t i = 0; i < dim;) {
        size_t together = f->run[first + i];

        together = together < dim - i ? together : dim - i;
        if (together >= 3) {
            factored_dot_3(X, first + i, v, y + i);
            i += 3;
        } else if (together == 2) {
            factored_dot_2(X, first + i, v, y + i);
            i += 2;
        } else {
            perp_csr_rows_dot(X, first + i, 1, v, y + i);
            i++;
        }
    }
}

/* v += X^T dz over some rows. Rows with dz = 0 (open contacts) are skipped. */
static void factored_add(const perp_factored *f, const perp_operator *X, size_t first,
                         size_t dim, const double *dz, double *v)
{
    for (size_t i = 0; i < dim;) {
        size_t row = first + i;

        if (f->run[row] >= 3 && dim - i >= 3) {
            size_t length = X->ptr[row + 1] - X->ptr[row];
            const int32_t *col = X->col + X->ptr[row];
            const double *a = X->x + X->ptr[row];
            bool pushes = dz[i] != 0.0 || dz[i + 1] != 0.0 || dz[i + 2] != 0.0;

            for (size_t k = 0; pushes && k < length; k++) {
                v[col[k]] += a[k] * dz[i] + a[k + length] * dz[i + 1] +
                             a[k + 2 * length] * dz[i + 2];
            }
            i += 3;
        } else {
            if (dz[i] != 0.0) {
                perp_csr_row_add(X, row, dz[i], v);
            }
            i++;
        }
    }
}

void perp_factored_velocity(const perp_operator *A, const double *z, double *v)
{
    if (A->pairs) {
        perp_pairs_velocity(A, z, v);
        return;
    }
    memset(v, 0, A->factored->G->cols * sizeof *v);
    factored_add(A->factored, A->factored->G, 0, A->rows, z, v);
}

void perp_factored_rows_dot(const perp_operator *A, size_t first, size_t dim,
                            const double *v, double *y)
{
    if (A->pairs) {
        perp_pairs_rows_dot(A, first, dim, v, y);
        return;
    }
    factored_dot(A->factored, A->factored->J, first, dim, v, y);
}

void perp_factored_rows_add(const perp_operator *A, size_t first, size_t dim,
                            const double *dz, double *v)
{
    if (A->pairs) {
        perp_pairs_rows_add(A, first, dim, dz, v);
        return;
    }
    factored_add(A->factored, A->factored->G, first, dim, dz, v);
}

/* y := X Y^T x + C x */
static void factored_product(const perp_operator *A, const perp_operator *X,
                             const perp_operator *Y, const double *x, double *y)
{
    const perp_factored *f = A->factored;

    memset(f->v, 0, Y->cols * sizeof *f->v);
    factored_add(f, Y, 0, A->rows, x, f->v);
    factored_dot(f, X, 0, A->rows, f->v, y);
    for (size_t i = 0; i < A->rows; i++) {
        y[i] += f->C[i] * x[i];
    }
}

static void factored_apply(const perp_operator *A, const double *x, double *y)
{
    factored_product(A, A->factored->J, A->factored->G, x, y);
}

static void factored_apply_transposed(const perp_operator *A, const double *x, double *y)
{
    factored_product(A, A->factored->G, A->factored->J, x, y);
}

/* Only the velocities that these rows read, each from the rows that change it; without memory
 * for the transpose, all velocities. */
static void factored_rows_dot(const perp_operator *A, size_t first, size_t dim,
                              const double *z, double *y)
{
    const perp_factored *f = A->factored;

    if (!perp_factored_ensure_transpose(A)) {
        perp_factored_velocity(A, z, f->v);
        factored_dot(f, f->J, first, dim, f->v, y);
        for (size_t i = 0; i < dim; i++) {
            y[i] += f->C[first + i] * z[first + i];
        }
        return;
    }
    for (size_t i = 0; i < dim;) {
        size_t row = first + i;
        size_t together = f->run[row] < dim - i ? f->run[row] : dim - i;
        size_t length = f->J->ptr[row + 1] - f->J->ptr[row];
        const double *a = f->J->x + f->J->ptr[row];

        for (size_t r = 0; r < together; r++) {
            y[i + r] = f->C[row + r] * z[row + r];
        }
        for (size_t k = 0; k < length; k++) {
            size_t velocity = (size_t)f->J->col[f->J->ptr[row] + k];
            double speed = 0.0;

            perp_csr_rows_dot(f->Gt, velocity, 1, z, &speed);
            for (size_t r = 0; r < together; r++) {
                y[i + r] += a[k + r * length] * speed;
            }
        }
        i += together;
    }
}

/* Whether both rows belong to one run of rows with the same columns. */
static inline bool factored_together(const perp_factored *f, size_t i, size_t j)
{
    return i < j ? f->run[i] > j - i : f->run[j] > i - j;
}

static double factored_entry(const perp_operator *A, size_t i, size_t j)
{
    const perp_operator *J = A->factored->J;
    const perp_operator *G = A->factored->G;
    size_t s = J->ptr[i];
    size_t t = G->ptr[j];
    double sum = 0.0;

    if (factored_together(A->factored, i, j)) {
        for (; s < J->ptr[i + 1]; s++, t++) {
            sum += J->x[s] * G->x[t];
        }
    }
    while (s < J->ptr[i + 1] && t < G->ptr[j + 1]) {
        if (J->col[s] == G->col[t]) {
            sum += J->x[s++] * G->x[t++];
        } else if (J->col[s] < G->col[t]) {
            s++;
        } else {
            t++;
        }
    }
    return i == j ? sum + A->factored->C[i] : sum;
}

/* |x| of a row of J or G. */
static double factored_length(const perp_operator *X, size_t i)
{
    double sum = 0.0;

    for (size_t k = X->ptr[i]; k < X->ptr[i + 1]; k++) {
        sum += X->x[k] * X->x[k];
    }
    return sqrt(sum);
}

double perp_factored_longest(const perp_operator *A)
{
    double most = 0.0;

    for (size_t j = 0; j < A->rows; j++) {
        most = fmax(most, factored_length(A->factored->G, j));
    }
    return most;
}

double perp_factored_row_bound(const perp_operator *A, size_t i, double longest)
{
    return factored_length(A->factored->J, i) * longest + fabs(A->factored->C[i]);
}

static void factored_row_add(const perp_operator *A, size_t i, double scale, double *out)
{
    const perp_factored *f = A->factored;

    if (!perp_factored_ensure_transpose(A)) {
        for (size_t j = 0; j < A->rows; j++) {
            out[j] += scale * factored_entry(A, i, j);
        }
        return;
    }
    for (size_t k = f->J->ptr[i]; k < f->J->ptr[i + 1]; k++) {
        perp_csr_row_add(f->Gt, (size_t)f->J->col[k], scale * f->J->x[k], out);
    }
    out[i] += scale * f->C[i];
}

/* Whether two rows have a column in common. */
static bool factored_meet(const perp_operator *J, size_t i, size_t j)
{
    size_t s = J->ptr[i];
    size_t t = J->ptr[j];

    while (s < J->ptr[i + 1] && t < J->ptr[j + 1] && J->col[s] != J->col[t]) {
        if (J->col[s] < J->col[t]) {
            s++;
        } else {
            t++;
        }
    }
    return s < J->ptr[i + 1] && t < J->ptr[j + 1];
}

/* f->sum := row i of J G^T, f->touched := the columns of its entries, ascending; returns their
 * number. Column i is always one of them. From the velocity on which all rows share, no column is
 * new. */
static size_t factored_row(const perp_operator *A, size_t i)
{
    const perp_factored *f = A->factored;
    size_t count = 1;

    f->touched[0] = (int32_t)i;
    f->sum[i] = 0.0;
    f->mark[i] = 1;
    for (size_t k = f->J->ptr[i]; k < f->J->ptr[i + 1]; k++) {
        size_t velocity = (size_t)f->J->col[k];

        if (count == A->rows) {
            perp_csr_row_add(f->Gt, velocity, f->J->x[k], f->sum);
            continue;
        }
        for (size_t m = f->Gt->ptr[velocity]; m < f->Gt->ptr[velocity + 1]; m++) {
            int32_t j = f->Gt->col[m];

            if (!f->mark[j]) {
                f->mark[j] = 1;
                f->sum[j] = 0.0;
                f->touched[count++] = j;
            }
            f->sum[j] += f->J->x[k] * f->Gt->x[m];
        }
    }
    for (size_t k = 0; k < count; k++) {
        f->mark[f->touched[k]] = 0;
    }
    if (count < A->rows) {
        qsort(f->touched, count, sizeof *f->touched, perp_compare_int32);
        return count;
    }
    for (size_t k = 0; k < count; k++) {
        f->touched[k] = (int32_t)k;
    }
    return count;
}

/* The terms of an entry are summed in the order of factored_entry, to the same bits. The
 * diagonal always counts as stored. */
static void factored_row_visit(const perp_operator *A, size_t i,
                               void (*visit)(void *context, size_t j, double a),
                               void *context)
{
    const perp_factored *f = A->factored;
    size_t count = 0;

    if (!perp_factored_ensure_transpose(A)) {
        for (size_t j = 0; j < A->rows; j++) {
            if (j == i || factored_meet(f->J, i, j)) {
                visit(context, j, factored_entry(A, i, j));
            }
        }
        return;
    }
    count = factored_row(A, i);
    f->sum[i] += f->C[i];
    for (size_t k = 0; k < count; k++) {
        visit(context, (size_t)f->touched[k], f->sum[f->touched[k]]);
    }
}

static void factored_scale(perp_operator *A, const double *left, const double *right)
{
    perp_factored *f = A->factored;

    for (size_t i = 0; i < A->rows; i++) {
        for (size_t k = f->J->ptr[i]; k < f->J->ptr[i + 1]; k++) {
            f->J->x[k] *= left[i];
            f->G->x[k] *= right[i];
        }
        f->C[i] *= left[i] * right[i];
    }
    for (size_t k = 0; f->Gt && k < f->Gt->ptr[f->Gt->rows]; k++) {
        f->Gt->x[k] *= right[f->Gt->col[k]];
    }
    if (memcmp(left, right, A->rows * sizeof *left) != 0) { /* G is no longer J M^-T */
        perp_operator_free(f->borrows_masses ? NULL : f->Minv);
        f->Minv = NULL;
    }
}

static const perp_operator_methods factored_methods = {
    .apply = factored_apply,
    .apply_transposed = factored_apply_transposed,
    .rows_dot = factored_rows_dot,
    .entry = factored_entry,
    .row_add = factored_row_add,
    .row_visit = factored_row_visit,
    .scale = factored_scale,
};

const perp_operator_type perp_operator_factored = {
    .storage = PERP_STORAGE_FACTORED,
    .name = "factored",
    .methods = &factored_methods,
};
