/* SPDX-License-Identifier: Apache-2.0
 * pivoting/lemke_kernel.c: Lemke's basis as the inverse of its kernel.
 *
 *     rates of x_S:  g = G h_R for an entering z of column h,  -G_:i for an entering w_i
 *     rates of w:    P_w g - h_w,  P_w (-G_:i)
 *
 * Every `renewal` exchanges x is refined, and the residual K x + q_R shows whether G is
 * still an inverse. K is factored afresh when it is not, when two ways to compute a pivot
 * disagree, and after m exchanges, so that factoring never costs more than exchanging
 * did. A pivot costs at most 6 m^2 + 2 (n-m) m flops, far fewer than that of a tableau
 * where few z are positive; one on an ill-conditioned K some products more, since its rates
 * are refined (lemke_refine.c). [sargent-1978] */
#include <config.h>

#include <lapacke.h>

#include "base/base.h"
#include "lemke_kernel.h"

enum { renewal = 50 };

/* Two computations of a pivot that differ by more, relative to the largest rate, say that
 * G is no longer the inverse of K; so does a residual of that size, or one that a step of
 * refinement does not reduce to a hundredth. */
static const double disagreement = 1e-9;
static const double reduction = 1e-2;

/* Entries of G or growth beyond this make K delicate: four digits of rates are lost. */
static const double delicate = 1e4;

/* Two computations of a pivot of a delicate K may differ by this part of it. */
static const double disagreement_refined = 1e-2;

/* Residuals below this, relative to the largest value, are rounding. */
static const double rounding = 1e-13;

/* A basic variable below minus this, relative to the largest, is lost feasibility. */
static const double infeasible = 1e-9;

/* Condition beyond which the first basis is taken for singular. */
static const double singular = 1e12;

static perp_status kernel_setup(lemke *s, perp_workspace *ws, perp_error *err)
{
    lemke_basis *b = perp_workspace_alloc(ws, 1, sizeof *b);
    size_t n = (size_t)s->n;
    size_t ld = (n + 7) / 8 * 8;
    size_t count = 0;
    double *vectors = NULL;

    TRY(perp_workspace_status(ws, err));
    count = perp_mul(ld, n, &count) ? count : SIZE_MAX;
    b->ld = (int)ld;
    b->P = perp_workspace_reals(ws, count);
    b->G = perp_workspace_reals(ws, count);
    b->row = perp_workspace_ints(ws, n);
    b->ipiv = perp_workspace_ints(ws, n);
    vectors = perp_workspace_reals(ws, 10 * ld);
    b->work = perp_workspace_reals(ws, 32 * n); /* blocks of 32 columns */
    b->sum = perp_workspace_alloc(ws, n, sizeof *b->sum);
    TRY(perp_workspace_status(ws, err));
    b->lwork = 32 * s->n;
    b->D = vectors;
    b->h = vectors + ld;
    b->h2 = vectors + 2 * ld;
    b->g = vectors + 3 * ld;
    b->g2 = vectors + 4 * ld;
    b->u = vectors + 5 * ld;
    b->v = vectors + 6 * ld;
    b->y = vectors + 7 * ld;
    b->r = vectors + 8 * ld;
    b->dx = vectors + 9 * ld;
    b->largest = perp_operator_max(s->p->A);
    s->basis = b;
    s->scratch = b->G;
    return PERP_OK;
}

/* h := column of M or d of z_k or z0, in the order of the rows. */
static void kernel_gather(const lemke *s, int variable, double *h)
{
    const lemke_basis *b = s->basis;
    const double *x = variable == 2 * s->n
                          ? b->D
                          : s->p->A->x + (size_t)(variable - s->n) * s->p->A->ld;

    for (int i = 0; i < s->n; i++) {
        h[i] = x[b->row[i]];
    }
}

/* y := y + P_w x, the rows below the kernel. */
static void kernel_add_product(const lemke *s, const double *x, double *y)
{
    const lemke_basis *b = s->basis;

    if (b->m > 0 && b->m < s->n) {
        cblas_dgemv(CblasColMajor, CblasNoTrans, s->n - b->m, b->m, 1.0, b->P + b->m,
                    b->ld, x, 1, 1.0, y, 1);
    }
}

/* Improve x_S = -K^-1 q_R. */
static bool kernel_refine_values(const lemke *s)
{
    lemke_basis *b = s->basis;

    for (int i = 0; i < b->m; i++) {
        b->y[i] = -s->p->b[b->row[i]];
    }
    return perp_lemke_basis_refine(b, CblasNoTrans, b->y, s->c);
}

/* Is K ill-conditioned? */
static void kernel_check_condition(lemke_basis *b)
{
    double largest = 0.0;

    for (int j = 0; j < b->m; j++) {
        const double *G_j = lemke_basis_column(b, b->G, j);

        largest = fmax(largest, fabs(G_j[cblas_idamax(b->m, G_j, 1)]));
    }
    b->delicate = largest * b->largest > delicate;
}

/* Factor K afresh, recompute G and c. False if K is singular. */
static bool kernel_factor(lemke *s)
{
    lemke_basis *b = s->basis;
    const int m = b->m;
    double *residual = b->u;

    for (int j = 0; j < m; j++) {
        memcpy(lemke_basis_column(b, b->G, j), lemke_basis_column(b, b->P, j),
               (size_t)m * sizeof(double));
    }
    b->updates = 0;
    s->factorizations += 1.0;
    s->flops += 2.0 * m * (double)m * m;
    if (m > 0 && LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, m, m, b->G, b->ld, b->ipiv) != 0) {
        return false;
    }

    /* x = -K^-1 q_R by the factors, with one step of refinement; then the rows below. */
    for (int i = 0; i < s->n; i++) {
        s->c[i] = i < m ? 0.0 : s->p->b[b->row[i]];
        residual[i] = -s->p->b[b->row[i]];
    }
    for (int step = 0; step < 2 && m > 0; step++) {
        LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', m, 1, b->G, b->ld, b->ipiv, residual,
                            m);
        cblas_daxpy(m, 1.0, residual, 1, s->c, 1);
        for (int i = 0; i < m; i++) {
            residual[i] = -s->p->b[b->row[i]];
        }
        cblas_dgemv(CblasColMajor, CblasNoTrans, m, m, -1.0, b->P, b->ld, s->c, 1, 1.0,
                    residual, 1);
    }
    if (m > 0 && LAPACKE_dgetri_work(LAPACK_COL_MAJOR, m, b->G, b->ld, b->ipiv, b->work,
                                     b->lwork) != 0) {
        return false;
    }
    kernel_check_condition(b);
    if (b->delicate && !kernel_refine_values(s)) {
        return false;
    }
    kernel_add_product(s, s->c, s->c + m);
    return true;
}

/* y := q + P x over all rows: the residual of K x = -q_R, then the basic w. Returns the
 * largest residual. */
static double kernel_residual(const lemke *s, const double *x, double *y)
{
    const lemke_basis *b = s->basis;

    for (int i = 0; i < s->n; i++) {
        y[i] = s->p->b[b->row[i]];
    }
    if (b->m == 0) {
        return 0.0;
    }
    cblas_dgemv(CblasColMajor, CblasNoTrans, s->n, b->m, 1.0, b->P, b->ld, x, 1, 1.0, y,
                1);
    return fabs(y[cblas_idamax(b->m, y, 1)]);
}

/* Refine c by G. False if G is too far from the inverse of K. */
static bool kernel_refine(lemke *s, double size)
{
    lemke_basis *b = s->basis;
    double before = 0.0, after = 0.0;

    if (b->delicate) {
        if (!kernel_refine_values(s)) {
            return false;
        }
        kernel_residual(s, s->c, b->u);
        memcpy(s->c + b->m, b->u + b->m, (size_t)(s->n - b->m) * sizeof(double));
        return true;
    }
    before = kernel_residual(s, s->c, b->u);
    if (!(before <= disagreement * size)) {
        return false;
    }
    lemke_basis_solve(b, CblasNoTrans, b->u, b->v);
    cblas_daxpy(b->m, -1.0, b->v, 1, s->c, 1);
    after = kernel_residual(s, s->c, b->u);
    memcpy(s->c + b->m, b->u + b->m, (size_t)(s->n - b->m) * sizeof(double));
    return after <= fmax(reduction * before, rounding * size);
}

static double kernel_size(const lemke *s)
{
    return fmax(s->size, fabs(s->c[cblas_idamax(s->n, s->c, 1)]));
}

/* Make G and c accurate: what was zero stays so, the rest must be positive. */
static bool kernel_renew(lemke *s, bool afresh)
{
    lemke_basis *b = s->basis;
    double size = kernel_size(s);

    cblas_dcopy(s->n, s->c, 1, b->h2, 1);
    if ((afresh || !kernel_refine(s, size)) && !kernel_factor(s)) {
        return false;
    }
    size = kernel_size(s);
    for (int i = 0; i < s->n; i++) {
        if (!(s->c[i] >= -infeasible * size)) {
            return false;
        }
        if (b->h2[i] == 0.0 && fabs(s->c[i]) <= rounding * size) {
            s->c[i] = 0.0;
        }
    }
    return true;
}

/* 1-norm of the leading m x m block. */
static double kernel_norm(const lemke_basis *b, const double *x)
{
    double norm = 0.0;

    for (int j = 0; j < b->m; j++) {
        norm = fmax(norm, cblas_dasum(b->m, x + (size_t)j * (size_t)b->ld, 1));
    }
    return norm;
}

/* The covering column that lifts z_S at the rates d_S and the other w at theirs:
 * D = (0; d) - P d_S. */
static void kernel_cover(lemke *s)
{
    lemke_basis *b = s->basis;

    for (int i = 0; i < s->n; i++) {
        b->g[i] = s->d[b->row[i]];
        b->h[i] = i < b->m ? 0.0 : s->d[b->row[i]];
    }
    cblas_dgemv(CblasColMajor, CblasNoTrans, s->n, b->m, -1.0, b->P, b->ld, b->g, 1, 1.0,
                b->h, 1);
    for (int i = 0; i < s->n; i++) {
        b->D[b->row[i]] = b->h[i];
    }
}

static bool kernel_start(lemke *s)
{
    lemke_basis *b = s->basis;
    const int n = s->n;
    int m = 0, last = 0;

    for (int i = 0; i < n; i++) {
        m += s->swapped[i];
    }
    b->m = m;
    b->lost = false;
    last = m;
    m = 0;
    for (int i = 0; i < n; i++) {
        int position = s->swapped[i] ? m++ : last++;

        b->row[position] = i;
        s->label[position] = s->swapped[i] ? n + i : i;
        s->place[i] = s->swapped[i] ? -1 - position : position;
        s->place[n + i] = s->swapped[i] ? position : -1;
        b->D[i] = s->d[i];
    }
    s->place[2 * n] = -1;
    for (int j = 0; j < b->m; j++) {
        kernel_gather(s, n + b->row[j], lemke_basis_column(b, b->P, j));
    }
    if (!kernel_factor(s)) {
        return false;
    }
    if (b->m == 0) {
        return true;
    }
    kernel_cover(s);
    return kernel_norm(b, b->P) * kernel_norm(b, b->G) <= singular;
}

/* Rates of x_S in a[0..m): g for an entering z of column h, -G_:i for an entering w. */
static void kernel_rates_of_x(const lemke *s, int entering, double *h, double *a)
{
    lemke_basis *b = s->basis;

    if (entering >= s->n) {
        kernel_gather(s, entering, h);
        lemke_basis_solve(b, CblasNoTrans, h, a);
        cblas_dcopy(b->m, h, 1, b->y, 1);
    } else {
        const double *G_i = lemke_basis_column(b, b->G, -1 - s->place[entering]);

        for (int j = 0; j < b->m; j++) {
            a[j] = -G_i[j];
            b->y[j] = 0.0;
        }
        b->y[-1 - s->place[entering]] = -1.0;
    }
}

static void kernel_rates(lemke *s, int entering, double *a)
{
    lemke_basis *b = s->basis;

    kernel_rates_of_x(s, entering, b->h, a);
    b->error = 0.0;
    if (b->delicate && !perp_lemke_basis_refine(b, CblasNoTrans, b->y, a)) {
        b->lost = b->updates == 0 || !kernel_renew(s, true);
        kernel_rates_of_x(s, entering, b->h, a);
        b->lost = b->lost || !perp_lemke_basis_refine(b, CblasNoTrans, b->y, a);
    }
    s->noise = b->error;
    s->refined = b->delicate;
    for (int i = b->m; i < s->n; i++) {
        a[i] = entering >= s->n ? -b->h[i] : 0.0;
    }
    kernel_add_product(s, a, a + b->m);
}

static void kernel_rates_at(lemke *s, int entering, const int *at, int count, double *out)
{
    lemke_basis *b = s->basis;

    kernel_rates_of_x(s, entering, b->h2, b->g2);
    for (int k = 0; k < count; k++) {
        int i = at[k];

        if (i < b->m) {
            out[k] = b->g2[i];
        } else {
            out[k] = cblas_ddot(b->m, b->P + i, b->ld, b->g2, 1) -
                     (entering >= s->n ? b->h2[i] : 0.0);
        }
    }
}

/* How far may two computations of the pivot lie apart? */
static double kernel_tolerance(const lemke *s, int leaving)
{
    const lemke_basis *b = s->basis;

    if (b->updates == 0) {
        return INFINITY;
    }
    return b->delicate
               ? disagreement_refined * fabs(s->a[leaving])
               : disagreement * fmax(1.0, fabs(s->a[cblas_idamax(s->n, s->a, 1)]));
}

static lemke_exchange kernel_exchange(lemke *s, int entering, int leaving, double t)
{
    lemke_basis *b = s->basis;
    const double largest = fabs(s->a[cblas_idamax(s->n, s->a, 1)]);
    const double growth =
        entering >= s->n ? largest / fabs(s->a[leaving]) : largest * b->largest;

    if (b->lost) {
        return LEMKE_BASIS_LOST;
    }
    if (!perp_lemke_basis_exchange(s, entering, leaving, t,
                                   kernel_tolerance(s, leaving))) {
        return b->updates > 0 && kernel_renew(s, true) ? LEMKE_RENEWED : LEMKE_BASIS_LOST;
    }
    b->delicate = b->delicate || growth > delicate;
    if (++b->updates % renewal == 0) {
        kernel_check_condition(b);
        if (!kernel_renew(s, b->updates >= b->m)) {
            return LEMKE_BASIS_LOST;
        }
    }
    return LEMKE_EXCHANGED;
}

const lemke_form perp_lemke_kernel = {
    .name = "kernel",
    .setup = kernel_setup,
    .start = kernel_start,
    .rates = kernel_rates,
    .rates_at = kernel_rates_at,
    .exchange = kernel_exchange,
};
