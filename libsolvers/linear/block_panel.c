/* SPDX-License-Identifier: Apache-2.0
 * linear/block_panel.c: Cholesky and LDU factorisations by dense panels.
 *
 *     Cholesky:  D = L L^T,  below := below L^-T
 *     LDU:       P R D = L U (within the panel),  below := below D^-1, right of it unchanged
 *
 * The formulas of linear/block_factor.c with a supernode in the place of a block: from the left,
 * a product of two panels by BLAS is subtracted where the rows meet. R scales the rows of the
 * diagonal by powers of two to a largest entry in [1/2, 1), so that the choice of pivots does not
 * depend on units. A pivot fails below 1e-14 of the diagonal entry before elimination
 * (Cholesky) or of the largest entry of its column (LDU).
 * Memory: 8 bytes per number of the panels, LDU 16.
 *
 * MUMPS 5.5.1 (sequential, SYM=1, the better of its order and ours, the same BLAS) takes 1.8 times
 * as long for a lattice of 2744 bodies, 1.2 times for one of 8000, 1.5 times for 10 000 settled
 * spheres, and 2.3 times as long as columns of blocks for a pyramid of 5050; a solve by it takes
 * 1.8 to 4 times as long. It needs a lock around all calls, and is not used. */
#include <config.h>

#include <cblas.h>

#include "block_super.h"
#include "factor_sparse.h"

/* One panel: its supernode, its sizes, its part of the factors. */
typedef struct panel {
    size_t begin, end;    /* steps */
    size_t width, height; /* numbers */
    const int32_t *row;   /* steps below, */
    size_t below;         /* so many */
    double *L, *U;
} panel;

static panel panel_of(const perp_supernodes *p, const perp_panels *n, size_t k)
{
    const perp_block_order *o = p->o;
    panel a = {.begin = (size_t)p->first[k], .end = (size_t)p->first[k + 1]};

    a.row = o->row + o->ptr[a.end - 1];
    a.below = o->ptr[a.end] - o->ptr[a.end - 1];
    a.width = (a.end - a.begin) * p->size;
    a.height = a.width + a.below * p->size;
    a.L = n->L + p->panel[k];
    a.U = n->U ? n->U + p->panel[k] : NULL;
    return a;
}

perp_status perp_panel_scratch_take(perp_panel_scratch *w, const perp_supernodes *p,
                                    perp_workspace *ws, perp_error *err)
{
    w->product = perp_workspace_reals(ws, p->product);
    w->before = perp_workspace_reals(ws, p->height);
    w->at = perp_workspace_alloc(ws, p->o->blocks, sizeof *w->at);
    return perp_workspace_status(ws, err);
}

/* A block of S, transposed or not, into a panel. */
static void panel_copy(const panel *a, unsigned size, double *to, const double *from,
                       bool transposed)
{
    for (unsigned j = 0; j < size; j++) {
        for (unsigned i = 0; i < size; i++) {
            to[i + a->height * j] = transposed ? from[j + size * i] : from[i + size * j];
        }
    }
}

/* An entry of column j: below the diagonal once or, for LDU, twice. */
static void panel_load_entry(const panel *a, const perp_block_matrix *S,
                             const perp_block_target *t, size_t j, size_t i)
{
    size_t area = (size_t)S->size * S->size;
    const double *lower = S->lower + t->entry * area;
    const double *upper = a->U && S->upper ? S->upper + t->entry * area : NULL;
    double *to = a->L + i * S->size + j * S->size * a->height;
    /* the transposed place of a symmetric S */
    const double *left = t->flipped && upper ? upper : lower;
    const double *right = t->flipped || !upper ? lower : upper;
    bool turned = t->flipped || upper; /* `right` is stored transposed in U */

    panel_copy(a, S->size, to, left, t->flipped && !upper);
    if (!a->U || i == j) {
        return;
    }
    if (i * S->size < a->width) { /* within the diagonal U is not transposed */
        to = a->L + j * S->size + i * S->size * a->height;
        panel_copy(a, S->size, to, right, !turned);
    } else {
        to = a->U + i * S->size + j * S->size * a->height;
        panel_copy(a, S->size, to, right, turned);
    }
}

/* The upper triangles of the diagonal blocks of a symmetric S mirror the lower ones. */
static void panel_mirror(const panel *a, const perp_block_matrix *S, size_t j)
{
    double *D = a->L + j * S->size * (a->height + 1);

    for (unsigned k = 0; !S->upper && k < S->size; k++) {
        for (unsigned i = 0; i < k; i++) {
            D[i + a->height * k] = D[k + a->height * i];
        }
    }
}

static void panel_load(const perp_block_order *o, const panel *a,
                       const perp_block_matrix *S, perp_panel_scratch *w)
{
    memset(a->L, 0, a->height * a->width * sizeof *a->L);
    if (a->U) {
        memset(a->U, 0, a->height * a->width * sizeof *a->U);
    }
    for (size_t j = a->begin; j < a->end; j++) {
        w->at[j] = (int32_t)(j - a->begin);
    }
    for (size_t r = 0; r < a->below; r++) {
        w->at[a->row[r]] = (int32_t)(a->end - a->begin + r);
    }
    for (size_t j = a->begin; j < a->end; j++) {
        for (size_t t = o->target_ptr[j]; t < o->target_ptr[j + 1]; t++) {
            panel_load_entry(a, S, &o->target[t], j - a->begin,
                             (size_t)w->at[o->target[t].row]);
        }
        panel_mirror(a, S, j - a->begin);
    }
}

/* to -= A B^T, where A are the rows from..d.below of a panel d and B its rows begin..end, which
 * are columns of the present panel. */
static void panel_subtract(const panel *a, double *to, unsigned size, const panel *d,
                           const double *A, size_t from, const double *B, size_t begin,
                           size_t end, perp_panel_scratch *w)
{
    size_t rows = (d->below - from) * size;
    size_t cols = (end - begin) * size;
    const double *C = w->product;

    if (rows == 0) {
        return;
    }
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, (int)rows, (int)cols,
                (int)d->width, 1.0, A + d->width + from * size, (int)d->height,
                B + d->width + begin * size, (int)d->height, 0.0, w->product, (int)rows);
    for (size_t j = 0; j < cols; j++) {
        size_t step = (size_t)d->row[begin + j / size];
        double *column = to + ((size_t)w->at[step] * size + j % size) * a->height;

        for (size_t r = from; r < d->below; r++, C += size) {
            double *c = column + (size_t)w->at[d->row[r]] * size;

            for (unsigned i = 0; i < size; i++) {
                c[i] -= C[i];
            }
        }
    }
}

/* Subtract what the supernodes before contribute to supernode k; false where one of them is
 * not there. */
static bool panel_update(const perp_supernodes *p, const perp_panels *n, size_t k,
                         const panel *a, perp_block_tasks *tasks, perp_panel_scratch *w)
{
    for (size_t u = p->update_ptr[k]; u < p->update_ptr[k + 1]; u++) {
        size_t from = (size_t)p->update[u].from;
        panel d = panel_of(p, n, from);
        size_t begin = p->update[u].begin;
        size_t end = begin;

        if (perp_block_tasks_await(tasks, from) != PERP_BLOCK_READY) {
            return false;
        }
        while (end < d.below && (size_t)d.row[end] < a->end) {
            end++;
        }
        panel_subtract(a, a->L, p->size, &d, d.L, begin, d.U ? d.U : d.L, begin, end, w);
        if (a->U) {
            panel_subtract(a, a->U, p->size, &d, d.U, end, d.L, begin, end, w);
        }
    }
    return true;
}

/* The largest entry of each column of R D, or the diagonal. */
static void panel_note(const panel *a, const double *scale, double *before)
{
    for (size_t j = 0; j < a->width; j++) {
        const double *D = a->L + j * a->height;

        before[j] = a->U ? 0.0 : D[j];
        for (size_t i = 0; a->U && i < a->width; i++) {
            before[j] = fmax(before[j], fabs(D[i]) * scale[i]);
        }
    }
}

/* The first column of the diagonal with a number that is not finite, or SIZE_MAX: BLAS may skip
 * products with 0. */
static size_t panel_not_finite(const panel *a)
{
    for (size_t j = 0; j < a->width; j++) {
        double sum = 0.0;

        for (size_t i = a->U ? 0 : j; i < a->width; i++) {
            sum += 0.0 * a->L[i + j * a->height];
        }
        if (sum != 0.0) { /* NaN */
            return j;
        }
    }
    return SIZE_MAX;
}

/* R, from the rows before elimination. */
static void panel_equilibrate(const panel *a, double *scale)
{
    for (size_t i = 0; i < a->width; i++) {
        double largest = 0.0;
        int exponent = 0;

        for (size_t j = 0; j < a->width; j++) {
            largest = fmax(largest, fabs(a->L[i + j * a->height]));
        }
        frexp(largest, &exponent);
        /* subnormal rows would scale beyond the largest number */
        exponent = exponent < -1000 ? -1000 : exponent;
        scale[i] = largest > 0.0 && isfinite(largest) ? ldexp(1.0, -exponent) : 1.0;
    }
}

/* The first column whose pivot failed, or SIZE_MAX. */
static size_t panel_failed(const panel *a, const double *before, lapack_int info)
{
    size_t failed = info > 0 ? (size_t)info - 1 : SIZE_MAX;

    for (size_t j = 0; j < a->width && j < failed; j++) {
        double pivot = a->L[j + j * a->height];

        pivot = a->U ? fabs(pivot) : pivot * pivot;
        if (!(pivot > PERP_PIVOT_TOLERANCE * before[j]) ||
            !isfinite(pivot)) { /* or NaN */
            failed = j;
        }
    }
    return failed;
}

static size_t panel_cholesky(const panel *a, const double *before)
{
    int ld = (int)a->height;
    lapack_int info =
        LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', (lapack_int)a->width, a->L, ld);
    size_t failed = panel_failed(a, before, info);

    if (failed == SIZE_MAX && a->height > a->width) {
        cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit,
                    (int)(a->height - a->width), (int)a->width, 1.0, a->L, ld,
                    a->L + a->width, ld);
    }
    return failed;
}

/* below := below U^-1 L^-1 P R. */
static void panel_divide(const panel *a, const lapack_int *pivot, const double *scale)
{
    int ld = (int)a->height;
    int rows = (int)(a->height - a->width);
    double *X = a->L + a->width;

    cblas_dtrsm(CblasColMajor, CblasRight, CblasUpper, CblasNoTrans, CblasNonUnit, rows,
                (int)a->width, 1.0, a->L, ld, X, ld);
    cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasNoTrans, CblasUnit, rows,
                (int)a->width, 1.0, a->L, ld, X, ld);
    for (size_t j = a->width; j-- > 0;) {
        size_t other = (size_t)pivot[j] - 1;

        if (other != j) {
            cblas_dswap(rows, X + j * a->height, 1, X + other * a->height, 1);
        }
    }
    for (size_t j = 0; j < a->width; j++) {
        cblas_dscal(rows, scale[j], X + j * a->height, 1);
    }
}

static size_t panel_lu(const panel *a, const double *before, lapack_int *pivot,
                       const double *scale)
{
    lapack_int width = (lapack_int)a->width;
    size_t failed = 0;
    lapack_int info = 0;

    for (size_t j = 0; j < a->width; j++) {
        for (size_t i = 0; i < a->width; i++) {
            a->L[i + j * a->height] *= scale[i];
        }
    }
    info = LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, width, width, a->L,
                               (lapack_int)a->height, pivot);
    failed = panel_failed(a, before, info);
    if (failed == SIZE_MAX && a->height > a->width) {
        panel_divide(a, pivot, scale);
    }
    return failed;
}

perp_block_state perp_panel_factor(const perp_supernodes *p, const perp_panels *n,
                                   size_t k, const perp_block_matrix *S,
                                   perp_block_tasks *tasks, perp_panel_scratch *w,
                                   size_t *step)
{
    panel a = panel_of(p, n, k);
    size_t first = a.begin * p->size;
    double *scale = a.U ? n->scale + first : NULL;
    size_t failed = 0;

    panel_load(p->o, &a, S, w);
    if (a.U) {
        panel_equilibrate(&a, scale);
    }
    panel_note(&a, scale, w->before);
    if (!panel_update(p, n, k, &a, tasks, w)) {
        return PERP_BLOCK_SKIPPED;
    }
    failed = panel_not_finite(&a);
    if (failed == SIZE_MAX) {
        failed = a.U ? panel_lu(&a, w->before, n->pivot + first, scale)
                     : panel_cholesky(&a, w->before);
    }
    *step = a.begin + failed / p->size;
    return failed == SIZE_MAX ? PERP_BLOCK_READY : PERP_BLOCK_FAILED;
}

/* x_row -= below x_own. */
static void panel_scatter(const panel *a, unsigned size, double *x, double *rows)
{
    if (a->below == 0) {
        return;
    }
    memset(rows, 0, (a->height - a->width) * sizeof *rows);
    cblas_dgemv(CblasColMajor, CblasNoTrans, (int)(a->height - a->width), (int)a->width,
                1.0, a->L + a->width, (int)a->height, x + a->begin * size, 1, 0.0, rows,
                1);
    for (size_t r = 0; r < a->below; r++) {
        for (unsigned i = 0; i < size; i++) {
            x[(size_t)a->row[r] * size + i] -= rows[r * size + i];
        }
    }
}

/* x_own -= below^T x_row. */
static void panel_gather(const panel *a, unsigned size, double *x, double *rows)
{
    const double *below = (a->U ? a->U : a->L) + a->width;

    if (a->below == 0) {
        return;
    }
    for (size_t r = 0; r < a->below; r++) {
        memcpy(rows + r * size, x + (size_t)a->row[r] * size, size * sizeof *rows);
    }
    cblas_dgemv(CblasColMajor, CblasTrans, (int)(a->height - a->width), (int)a->width,
                -1.0, below, (int)a->height, rows, 1, 1.0, x + a->begin * size, 1);
}

void perp_panels_forward(const perp_supernodes *p, const perp_panels *n, double *x,
                         size_t first, size_t end, perp_panel_scratch *w)
{
    for (size_t k = first; k < end; k++) {
        panel a = panel_of(p, n, k);

        if (!a.U) {
            cblas_dtrsv(CblasColMajor, CblasLower, CblasNoTrans, CblasNonUnit,
                        (int)a.width, a.L, (int)a.height, x + a.begin * p->size, 1);
        }
        panel_scatter(&a, p->size, x, w->before);
    }
}

void perp_panels_backward(const perp_supernodes *p, const perp_panels *n, double *x,
                          size_t first, size_t end, perp_panel_scratch *w)
{
    for (size_t k = end; k-- > first;) {
        panel a = panel_of(p, n, k);
        size_t own = a.begin * p->size;

        panel_gather(&a, p->size, x, w->before);
        if (!a.U) {
            cblas_dtrsv(CblasColMajor, CblasLower, CblasTrans, CblasNonUnit, (int)a.width,
                        a.L, (int)a.height, x + own, 1);
            continue;
        }
        for (size_t i = 0; i < a.width; i++) {
            x[own + i] *= n->scale[own + i];
        }
        LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', (lapack_int)a.width, 1, a.L,
                            (lapack_int)a.height, n->pivot + own, x + own,
                            (lapack_int)a.width);
    }
}

bool perp_panels_negative(const perp_supernodes *p, const perp_panels *n)
{
    bool negative = false;

    for (size_t k = 0; k < p->count; k++) {
        panel a = panel_of(p, n, k);
        const lapack_int *pivot = n->pivot + a.begin * p->size;

        for (size_t j = 0; j < a.width; j++) {
            negative ^= a.L[j * (a.height + 1)] < 0.0;
            negative ^= pivot[j] != (lapack_int)j + 1; /* an exchange */
        }
    }
    return negative;
}
