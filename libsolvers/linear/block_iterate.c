/* SPDX-License-Identifier: Apache-2.0
 * linear/block_iterate.c: conjugate gradients with block IC(0).
 *
 *     L_ij = (S_ij - sum L_ik L_jk^T) L_jj^-T  for the blocks of the pattern of S alone,
 *     L_ii L_ii^T = (1 + shift) S_ii - sum L_ik L_ik^T
 *
 * An incomplete factorisation may break down for a positive definite S: the shift then goes
 * from 0 to 1e-3 and doubles [manteuffel-1980], and all blocks are factored again. The block
 * rows are eliminated in their given order.
 * Converges for every positive definite S; the iterations grow with the root of the condition of
 * L^-1 S L^-T, which is that of S over 10 to 100 here. Cost per iteration: 4 flops per
 * number of S twice, for the product and the preconditioner. Memory: twice that of S.
 *
 * Measured on settled spheres. Of 1000 a factorisation costs as much as 60 iterations: the systems
 * of ipm-socp need 35, 75, 170, 450, 1400 iterations to 1e-4 at mu = 1e-3 ... 1e-7, in each of up
 * to four solves per step, and 2000 do not suffice below that; those of prox-newton 10 to 130 until
 * its residual is 4e-4. Of 10^4 spheres a factorisation costs as much as 300 iterations, and
 * ipm-socp needs 290 at mu = 1e-3. There one step of apgd costs less than one iteration, and 2600
 * of its steps reach 1e-8. So no solver uses it. */
#include <config.h>

#include "block_iterate.h"
#include "block_kernel.h"
#include "block_pivot.h"

/* With a shift of some 1 per neighbour no pivot of a positive definite S fails: the blocks that
 * have most neighbours, a floor, have thousands. */
#define ITERATE_SHIFT_FIRST 1e-3
#define ITERATE_SHIFT_LAST  1e4

struct perp_block_iterate {
    perp_workspace *run; /* that counts the memory, */
    perp_workspace *own; /* which is here */
    size_t charged;
    size_t blocks, area; /* area: numbers of a block */
    unsigned size;
    const perp_block_kernel *kernel;
    size_t *ptr; /* the pattern of S */
    int32_t *col;
    double *S;  /* its blocks, transposed */
    double *L;  /* of the same pattern; transposed once they are complete */
    size_t *at; /* blocks: the entry of the present row in that column, + 1, or 0 */
    double shift;
    double *b, *r, *p, *q, *z; /* blocks size */
};

void perp_block_iterate_close(perp_block_iterate *c)
{
    if (c) {
        perp_workspace_discharge(c->run, c->charged);
        perp_workspace_free(c->own); /* c as well */
    }
}

static perp_status iterate_alloc(perp_block_iterate *c, const perp_block_matrix *S,
                                 perp_error *err)
{
    size_t n = S->blocks;
    size_t entries = S->ptr[n];
    double **vectors[] = {&c->b, &c->r, &c->p, &c->q, &c->z};
    perp_status status = PERP_OK;

    c->ptr = perp_workspace_sizes(c->own, n + 1);
    c->col = perp_workspace_alloc(c->own, entries, sizeof *c->col);
    c->S = perp_workspace_alloc(c->own, entries, c->area * sizeof *c->S);
    c->L = perp_workspace_alloc(c->own, entries, c->area * sizeof *c->L);
    c->at = perp_workspace_sizes(c->own, n);
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++) {
        *vectors[k] = perp_workspace_alloc(c->own, n, c->size * sizeof **vectors[k]);
    }
    status = perp_workspace_status(c->own, err);
    if (status != PERP_OK) {
        return status;
    }
    c->charged = perp_workspace_bytes(c->own);
    if (!perp_workspace_charge(c->run, c->charged)) {
        c->charged = 0;
        return perp_workspace_status(c->run, err);
    }
    memcpy(c->ptr, S->ptr, (n + 1) * sizeof *c->ptr);
    for (size_t e = 0; e < entries; e++) {
        c->col[e] = S->col[e];
    }
    return PERP_OK;
}

perp_status perp_block_iterate_new(perp_block_iterate **out, const perp_block_matrix *S,
                                   perp_workspace *ws, perp_error *err)
{
    perp_block_iterate *c = NULL;
    perp_workspace *own = NULL;
    perp_status status = perp_workspace_new(&own, 0, err);

    *out = NULL;
    if (status != PERP_OK) {
        return status;
    }
    c = perp_workspace_alloc(own, 1, sizeof *c);
    if (!c) {
        status = perp_workspace_status(own, err);
        perp_workspace_free(own);
        return status;
    }
    c->own = own;
    c->run = ws;
    c->blocks = S->blocks;
    c->size = S->size;
    c->area = (size_t)S->size * S->size;
    c->kernel = perp_block_kernel_find(S->size);
    status = iterate_alloc(c, S, err);
    if (status != PERP_OK) {
        perp_block_iterate_close(c);
        return status;
    }
    *out = c;
    return PERP_OK;
}

static void iterate_transpose(unsigned size, double *to, const double *from)
{
    for (unsigned j = 0; j < size; j++) {
        for (unsigned i = 0; i < size; i++) {
            to[i + size * j] = from[j + size * i];
        }
    }
}

/* Of diagonal blocks the lower triangle; false where a number is not finite. */
static bool iterate_copy(perp_block_iterate *c, const perp_block_matrix *S)
{
    size_t numbers = c->ptr[c->blocks] * c->area;

    for (size_t e = 0; e < c->ptr[c->blocks]; e++) {
        iterate_transpose(c->size, c->S + e * c->area, S->lower + e * c->area);
    }
    for (size_t i = 0; i < c->blocks; i++) {
        double *D = c->S + (c->ptr[i + 1] - 1) * c->area;

        for (unsigned j = 0; j < c->size; j++) {
            for (unsigned k = 0; k < j; k++) { /* transposed: the lower one is above */
                D[j + c->size * k] = D[k + c->size * j];
            }
        }
    }
    return perp_all_finite(c->S, numbers);
}

/* Row i of L, those before it being done; false where its pivot block fails. */
static bool iterate_row(perp_block_iterate *c, size_t i)
{
    static const int32_t here[1] = {0};
    size_t end = c->ptr[i + 1] - 1;
    double *D = c->L + end * c->area;
    double before[PERP_BLOCK_MOST * PERP_BLOCK_MOST];
    bool done = false;

    for (size_t e = c->ptr[i]; e <= end; e++) {
        iterate_transpose(c->size, c->L + e * c->area, c->S + e * c->area);
        c->at[c->col[e]] = e + 1;
    }
    memcpy(before, D, c->area * sizeof *D);
    for (size_t k = 0; k < c->size; k++) {
        D[k * (c->size + 1)] *= 1.0 + c->shift;
    }
    for (size_t e = c->ptr[i]; e < end; e++) {
        size_t j = (size_t)c->col[e];
        size_t last = c->ptr[j + 1] - 1;
        double *to = c->L + e * c->area;

        for (size_t m = c->ptr[j]; m < last; m++) {
            size_t other = c->at[c->col[m]];

            if (other > c->ptr[i]) { /* block k of row i */
                c->kernel->subtract(to, here, here, c->L + (other - 1) * c->area, 1,
                                    c->L + m * c->area);
            }
        }
        c->kernel->divide(to, 1, c->L + last * c->area);
        c->kernel->subtract(D, here, here, to, 1, to);
    }
    done = perp_block_cholesky(c->size, D, before);
    for (size_t e = c->ptr[i]; e <= end; e++) {
        c->at[c->col[e]] = 0;
    }
    return done;
}

/* L for the present shift, transposed at the end as the solves read it. */
static bool iterate_precondition(perp_block_iterate *c)
{
    double block[PERP_BLOCK_MOST * PERP_BLOCK_MOST];

    for (size_t i = 0; i < c->blocks; i++) {
        if (!iterate_row(c, i)) {
            return false;
        }
    }
    for (size_t i = 0; i < c->blocks; i++) {
        for (size_t e = c->ptr[i]; e + 1 < c->ptr[i + 1]; e++) {
            memcpy(block, c->L + e * c->area, c->area * sizeof *block);
            iterate_transpose(c->size, c->L + e * c->area, block);
        }
    }
    return true;
}

bool perp_block_iterate_matrix(perp_block_iterate *c, const perp_block_matrix *S)
{
    c->shift = 0.0;
    if (!iterate_copy(c, S)) {
        return false;
    }
    while (!iterate_precondition(c)) {
        c->shift = c->shift > 0.0 ? 2.0 * c->shift : ITERATE_SHIFT_FIRST;
        if (c->shift > ITERATE_SHIFT_LAST) {
            return false;
        }
    }
    return true;
}

double perp_block_iterate_shift(const perp_block_iterate *c)
{
    return c->shift;
}

/* y := -S x, as the kernels subtract. */
static void iterate_product(const perp_block_iterate *c, const double *x, double *y)
{
    memset(y, 0, c->blocks * c->size * sizeof *y);
    for (size_t i = 0; i < c->blocks; i++) {
        const int32_t *col = c->col + c->ptr[i];
        const double *S = c->S + c->ptr[i] * c->area;
        size_t count = c->ptr[i + 1] - c->ptr[i];

        c->kernel->backward(y + i * c->size, col, S, count, x);
        c->kernel->forward(y, col, S, count - 1, x + i * c->size);
    }
}

/* z := (L L^T)^-1 r. */
static void iterate_apply(const perp_block_iterate *c, const double *r, double *z)
{
    memcpy(z, r, c->blocks * c->size * sizeof *z);
    for (size_t i = 0; i < c->blocks; i++) {
        size_t count = c->ptr[i + 1] - c->ptr[i] - 1;
        const double *L = c->L + c->ptr[i] * c->area;

        c->kernel->backward(z + i * c->size, c->col + c->ptr[i], L, count, z);
        perp_block_cholesky_forward(c->size, L + count * c->area, z + i * c->size);
    }
    for (size_t i = c->blocks; i-- > 0;) {
        size_t count = c->ptr[i + 1] - c->ptr[i] - 1;
        const double *L = c->L + c->ptr[i] * c->area;

        perp_block_cholesky_backward(c->size, L + count * c->area, z + i * c->size);
        c->kernel->forward(z, c->col + c->ptr[i], L, count, z + i * c->size);
    }
}

static double iterate_dot(size_t n, const double *x, const double *y)
{
    double sum = 0.0;

    for (size_t i = 0; i < n; i++) {
        sum += x[i] * y[i];
    }
    return sum;
}

/* y := y + a x. */
static void iterate_add(size_t n, double *y, double a, const double *x)
{
    for (size_t i = 0; i < n; i++) {
        y[i] += a * x[i];
    }
}

/* x := x + the sum of the steps, until |r| <= stop; the iterations done. */
static size_t iterate_run(perp_block_iterate *c, double *x, double stop, size_t most)
{
    size_t n = c->blocks * c->size;
    double old = 1.0;

    for (size_t k = 0; k < most; k++) {
        double rho = 0.0;
        double curvature = 0.0;

        if (sqrt(iterate_dot(n, c->r, c->r)) <= stop) {
            return k;
        }
        iterate_apply(c, c->r, c->z);
        rho = iterate_dot(n, c->r, c->z);
        for (size_t i = 0; i < n; i++) {
            c->p[i] = c->z[i] + (k > 0 ? rho / old * c->p[i] : 0.0);
        }
        iterate_product(c, c->p, c->q);
        curvature = -iterate_dot(n, c->p, c->q);
        if (!(rho > 0.0) || !(curvature > 0.0)) { /* S is not positive definite, or NaN */
            return k;
        }
        iterate_add(n, x, rho / curvature, c->p);
        iterate_add(n, c->r, rho / curvature, c->q);
        old = rho;
    }
    return most;
}

perp_block_iterate_end perp_block_iterate_solve(perp_block_iterate *c, double *x,
                                                double tolerance, size_t most)
{
    size_t n = c->blocks * c->size;
    perp_block_iterate_end end = {0};
    double size = 0.0;

    memcpy(c->b, x, n * sizeof *x);
    memcpy(c->r, x, n * sizeof *x);
    memset(x, 0, n * sizeof *x);
    size = sqrt(iterate_dot(n, c->b, c->b));
    end.iterations = iterate_run(c, x, tolerance * size, most);
    iterate_product(c, x, c->q);
    iterate_add(n, c->b, 1.0, c->q);
    end.residual = size > 0.0 ? sqrt(iterate_dot(n, c->b, c->b)) / size : 0.0;
    return end;
}
