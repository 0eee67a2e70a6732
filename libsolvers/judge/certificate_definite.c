/* SPDX-License-Identifier: Apache-2.0
 * judge/certificate_definite.c: whether A is positive definite for certain.
 *
 *     H = D (A + A^T)/2 D,   c >= ||Delta H|| + gamma trace(H),   gamma = 2 (n + 4) u
 *
 * If Cholesky's factorisation of H - c I goes through in doubles, then x.A x > 0 for all x != 0
 * [rump-2006]. D is made of powers of two near 1/s, so that the scaling is exact; each entry of H
 * then has one rounding, u of its size, and Delta H is bounded by its largest sum of a row.
 * Rump's gamma is (n + 1) u/(1 - (n + 1) u); twice that covers kernels which multiply by the
 * rounded inverse of a pivot, factors L D L^T without roots, and the rounding of H - c I.
 *
 * Where this fails for at most 200 rows, pairs of doubles decide (certificate_pairs.c).
 *
 * Cost: n^3/3 flops for dense matrices, up to 1500 rows. Matrices in CSR or blocks with more
 * rows have a sparse factor, where its memory is at most 512 MB and its flops at most 1e11. Larger
 * ones, and those in factors beyond 1500 rows, are not known to be positive definite. */
#include <config.h>

#include <lapacke.h>

#include "judge/certificate_private.h"
#include "linear/factor_sparse.h"

enum { DEFINITE_DENSE_ROWS = 1500 };
static const size_t definite_bytes = (size_t)512 << 20;
static const double definite_flops = 1e11;

/* A power of two near 1/x. */
static double definite_scale(double x)
{
    int exponent = 0;

    frexp(x, &exponent);
    return ldexp(1.0, -exponent);
}

/* An upper bound of the number that the diagonal has to spare, from the trace and the largest sum
 * of magnitudes of a row of H. */
static double definite_shift(size_t n, double trace, double row)
{
    double gamma = (double)(n + 4) * DBL_EPSILON;

    return gamma * trace + DBL_EPSILON * (1.0 + gamma) * row + (double)n * DBL_MIN;
}

/* Row `row` of A, which is being processed. */
typedef struct halves_row {
    const double *D;
    size_t row;
    void (*add)(void *context, size_t i, size_t j, double half);
    void *context;
} halves_row;

static void halves_entry(void *context, size_t j, double a)
{
    const halves_row *h = context;
    double half = 0.5 * h->D[h->row] * a * h->D[j];

    h->add(h->context, h->row, j, half);
    h->add(h->context, j, h->row, half);
}

void perp_certificate_halves(const perp_operator *A, const double *D,
                             void (*add)(void *context, size_t i, size_t j, double half),
                             void *context)
{
    for (size_t i = 0; i < A->rows; i++) {
        halves_row h = {D, i, add, context};

        perp_operator_row_visit(A, i, halves_entry, &h);
    }
}

typedef struct definite_matrix {
    double *H;
    size_t n;
} definite_matrix;

static void definite_add(void *context, size_t i, size_t j, double half)
{
    definite_matrix *m = context;

    m->H[i + j * m->n] += half;
}

static bool definite_dense(const perp_operator *A, const double *D)
{
    size_t n = A->rows, square = 0;
    double *H = perp_mul(n, n, &square) ? perp_reals_new(square) : NULL;
    double trace = 0.0, widest = 0.0, shift = 0.0;
    bool definite = H != NULL;

    if (definite) {
        perp_certificate_halves(A, D, definite_add, &(definite_matrix){H, n});
    }
    for (size_t j = 0; definite && j < n; j++) {
        double sum = 0.0;

        for (size_t i = 0; i < n; i++) {
            sum += fabs(H[i + j * n]);
        }
        widest = fmax(widest, sum);
        trace += fabs(H[j + j * n]);
        definite = H[j + j * n] > 0.0;
    }
    shift = definite_shift(n, trace, widest);
    for (size_t i = 0; definite && i < n; i++) {
        H[i + i * n] -= shift;
    }
    if (definite && isfinite(shift)) {
        perp_blas_hold();
        definite = LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', (int)n, H, (int)n) == 0;
        perp_blas_release();
    } else {
        definite = false;
    }
    free(H);
    return definite;
}

/* *H := D (A + A^T)/2 D in CSR with every diagonal entry. */
static perp_status definite_symmetric(perp_operator **H, const perp_operator *A,
                                      const double *D)
{
    perp_operator *csr = NULL, *sum = NULL;
    perp_status status = perp_operator_convert(&csr, A, PERP_STORAGE_CSR, 1, NULL);

    if (status == PERP_OK) {
        perp_operator_scale(csr, D, D);
        status = perp_operator_symmetric_part(&sum, csr, NULL);
    }
    if (status == PERP_OK) {
        status = perp_operator_with_diagonal(H, sum, NULL);
    }
    perp_operator_free(csr);
    perp_operator_free(sum);
    return status;
}

/* Whether the factor of H exists and its pivots are positive. */
static bool definite_factor(const perp_operator *H)
{
    perp_workspace *ws = NULL;
    perp_ldl *f = NULL;
    bool *in = NULL;
    bool definite = false;

    if (perp_workspace_new(&ws, definite_bytes, NULL) != PERP_OK) {
        return false;
    }
    in = perp_workspace_alloc(ws, H->rows, sizeof *in);
    if (in && perp_ldl_new(&f, H, ws, NULL) == PERP_OK &&
        perp_ldl_flops(f) <= definite_flops) {
        for (size_t i = 0; i < H->rows; i++) {
            in[i] = true;
        }
        definite = perp_ldl_factor(f, H, in) == PERP_PIVOT_NONE;
    }
    perp_workspace_free(ws);
    return definite;
}

static bool definite_sparse(const perp_operator *A, const double *D)
{
    perp_operator *H = NULL;
    double trace = 0.0, widest = 0.0;
    bool definite = definite_symmetric(&H, A, D) == PERP_OK;

    for (size_t i = 0; definite && i < H->rows; i++) {
        double sum = 0.0, diagonal = perp_operator_diagonal(H, i);

        for (size_t k = H->ptr[i]; k < H->ptr[i + 1]; k++) {
            sum += fabs(H->x[k]);
        }
        widest = fmax(widest, sum);
        trace += fabs(diagonal);
        definite = diagonal > 0.0;
    }
    if (definite && isfinite(trace + widest)) {
        perp_operator_add_diagonal(H, -definite_shift(H->rows, trace, widest));
        definite = definite_factor(H);
    } else {
        definite = false;
    }
    perp_operator_free(H);
    return definite;
}

bool perp_certificate_definite(const perp_operator *A, const double *s)
{
    double *D = perp_reals_new(A->rows);
    bool definite = false;

    for (size_t i = 0; D && i < A->rows; i++) {
        D[i] = definite_scale(s[i]);
    }
    if (D && A->rows <= DEFINITE_DENSE_ROWS) {
        definite = definite_dense(A, D) || perp_certificate_definite_pairs(A, D);
    } else if (D && A->ptr) {
        definite = definite_sparse(A, D);
    }
    free(D);
    return definite;
}
