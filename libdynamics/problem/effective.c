/* SPDX-License-Identifier: Apache-2.0
 * problem/effective.c: M* of implicit forces, factored in groups of bodies.
 *
 * One dense matrix per group: Cholesky L L^T where M* is symmetric and positive definite, else
 * P L U with partial pivoting. A row of J is carried half way through the factors,
 *
 *     E_i = L^-1 J_i,  W_ij = E_i.E_j         E_i = U^-T J_i,  G_j = L^-1 P^T J_j,  W_ij = E_i.G_j
 *
 * so that W of a symmetric M* is symmetric to the bit. Cost: (6m)^3/3 per group of m bodies,
 * (6m)^2 per row on it; memory: 36 m^2 reals per group, 20 bytes per body of the group and
 * velocity in each row. */
#include <config.h>

#include <lapacke.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include <perp/blas.h>

#include "problem/effective.h"
#include "problem/parts.h"

enum { EFFECTIVE_SIX = 6 };

void effective_free(perp_effective_mass *m)
{
    if (m) {
        free(m->group);
        free(m->place);
        free(m->root);
        free(m->column);
        free(m->first);
        free(m->member);
        free(m->start);
        free(m->matrix);
        free(m->pivots);
        free(m->triangular);
        free(m->scratch);
        free(m);
    }
}

static int32_t effective_leader(int32_t *root, int32_t k)
{
    while (root[k] != k) {
        root[k] = root[root[k]]; /* halve the path */
        k = root[k];
    }
    return k;
}

/* Let bodies i and j be of one group; those that do not move are of none. */
static void effective_join(perp_effective_mass *m, int32_t i, int32_t j)
{
    const bool moves_i = i >= 0 && m->root[i] >= 0;
    const bool moves_j = j >= 0 && m->root[j] >= 0;

    if (moves_i) {
        m->group[i] = 0;
    }
    if (moves_j) {
        m->group[j] = 0;
    }
    if (moves_i && moves_j) {
        i = effective_leader(m->root, i);
        j = effective_leader(m->root, j);
        m->root[i > j ? i : j] = i > j ? j : i;
    }
}

/* Roots, and group = 0 for bodies that some force touches; all where one may touch any. */
static void effective_couple(perp_effective_mass *m, const perp_world *w)
{
    for (size_t k = 0; k < m->bodies; k++) {
        m->group[k] = -1;
        m->root[k] = world_moves(w, (int32_t)k) ? (int32_t)k : -1;
    }
    for (size_t k = 0; k < w->force_count; k++) {
        const perp_force *f = &w->forces[k];
        int32_t last = -1;

        if (f->type->bodies > 0) {
            effective_join(m, f->i, f->type->bodies > 1 ? f->j : -1);
        }
        for (size_t b = 0; f->type->bodies == 0 && b < m->bodies; b++) {
            if (m->root[b] >= 0) {
                effective_join(m, last, (int32_t)b);
                last = (int32_t)b;
            }
        }
    }
    for (size_t k = 0; k < m->bodies; k++) {
        if (m->root[k] >= 0) {
            m->root[k] = effective_leader(m->root, (int32_t)k);
        }
    }
}

/* Numbers of groups, places in them and columns, by ascending bodies; sizes in first. */
static void effective_number(perp_effective_mass *m)
{
    for (size_t k = 0; k < m->bodies; k++) {
        if (m->group[k] >= 0) {
            const int32_t root = m->root[k];

            m->group[k] = root == (int32_t)k ? (int32_t)m->groups++ : m->group[root];
            m->place[k] = (int32_t)m->first[m->group[k] + 1]++;
        }
    }
    for (size_t k = 0; k < m->bodies; k++) {
        m->column[k] = -1;
        if (m->root[k] >= 0 && m->root[k] < (int32_t)k) {
            m->column[k] = m->column[m->root[k]];
        } else if (m->root[k] >= 0) {
            const size_t size = m->group[k] < 0 ? 1 : m->first[m->group[k] + 1];

            m->column[k] = (int32_t)m->columns;
            m->columns += EFFECTIVE_SIX * size;
        }
    }
}

/* Starts of the groups, and memory of their matrices; false without. */
static bool effective_place(perp_effective_mass *m)
{
    size_t largest = 0;

    m->start = math_alloc(m->groups + 1, sizeof *m->start);
    m->triangular = math_alloc(m->groups, sizeof *m->triangular);
    if (!m->start || !m->triangular) {
        return false;
    }
    for (size_t g = 0; g < m->groups; g++) {
        const size_t size = EFFECTIVE_SIX * m->first[g + 1];

        if (size > INT_MAX / 2) {
            return false;
        }
        m->start[g + 1] = m->start[g] + size * size;
        m->first[g + 1] += m->first[g];
        largest = size > largest ? size : largest;
    }
    for (size_t k = 0; k < m->bodies; k++) {
        if (m->group[k] >= 0) {
            m->member[m->first[m->group[k]] + (size_t)m->place[k]] = (int32_t)k;
        }
    }
    m->matrix = math_alloc(m->start[m->groups], sizeof *m->matrix);
    m->scratch = math_alloc(largest, sizeof *m->scratch);
    return m->matrix && m->scratch;
}

perp_status effective_new(perp_effective_mass **mass, const perp_world *w,
                          perp_error *err)
{
    perp_effective_mass *m = NULL;
    const size_t n = w->body_count;
    bool ok = true;

    *mass = NULL;
    if (w->force_count == 0) {
        return PERP_OK;
    }
    m = calloc(1, sizeof *m);
    if (m) {
        m->bodies = n;
        m->group = math_alloc(n, sizeof *m->group);
        m->place = math_alloc(n, sizeof *m->place);
        m->root = math_alloc(n, sizeof *m->root);
        m->column = math_alloc(n, sizeof *m->column);
        m->first = math_alloc(n + 1, sizeof *m->first);
        m->member = math_alloc(n, sizeof *m->member);
        m->pivots = math_alloc(EFFECTIVE_SIX * n, sizeof *m->pivots);
    }
    ok = m && m->group && m->place && m->root && m->column && m->first && m->member &&
         m->pivots;
    if (ok) {
        effective_couple(m, w);
        effective_number(m);
        ok = effective_place(m);
    }
    if (!ok) {
        effective_free(m);
        return perp_fail(err, PERP_ERR_MEMORY,
                         "implicit: no memory for the mass matrix of %zu bodies", n);
    }
    if (m->groups == 0) {
        effective_free(m);
        return PERP_OK;
    }
    *mass = m;
    return PERP_OK;
}

static bool effective_is_symmetric(const double *M, size_t n)
{
    for (size_t j = 0; j < n; j++) {
        for (size_t i = j + 1; i < n; i++) {
            if (M[i + j * n] != M[j + i * n]) {
                return false;
            }
        }
    }
    return true;
}

/* Cholesky in the lower triangle; what it overwrote is put back where M* is indefinite. */
static bool effective_cholesky(double *M, size_t n, double *diagonal)
{
    const lapack_int size = (lapack_int)n;

    for (size_t i = 0; i < n; i++) {
        diagonal[i] = M[i * (n + 1)];
    }
    if (LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', size, M, size) == 0) {
        return true;
    }
    for (size_t j = 0; j < n; j++) {
        M[j * (n + 1)] = diagonal[j];
        for (size_t i = j + 1; i < n; i++) {
            M[i + j * n] = M[j + i * n];
        }
    }
    return false;
}

static bool effective_factor_groups(perp_effective_mass *m)
{
    for (size_t g = 0; g < m->groups; g++) {
        const size_t n = effective_size(m, g);
        const lapack_int size = (lapack_int)n;
        double *M = m->matrix + m->start[g];

        if (!math_finite(M, n * n)) {
            return false;
        }
        m->triangular[g] =
            effective_is_symmetric(M, n) && effective_cholesky(M, n, m->scratch);
        if (!m->triangular[g] &&
            LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, size, size, M, size,
                                m->pivots + EFFECTIVE_SIX * m->first[g]) != 0) {
            return false;
        }
    }
    return true;
}

bool effective_factor(perp_effective_mass *m)
{
    bool done = false;

    perp_blas_hold();
    done = effective_factor_groups(m);
    perp_blas_release();
    return done;
}

/* x := a triangle of group g, or its transpose, solved for x. */
static void effective_triangle(const perp_effective_mass *m, size_t g, char part,
                               char transposed, char unit, double *x)
{
    const lapack_int n = (lapack_int)effective_size(m, g);

    perp_blas_hold();
    LAPACKE_dtrtrs_work(LAPACK_COL_MAJOR, part, transposed, unit, n, 1,
                        m->matrix + m->start[g], n, x, n);
    perp_blas_release();
}

/* x := L^-1 x, of LU L^-1 P^T x: what M* is solved by first. */
static void effective_first_half(const perp_effective_mass *m, size_t g, double *x)
{
    const lapack_int n = (lapack_int)effective_size(m, g);

    if (!m->triangular[g]) {
        LAPACKE_dlaswp_work(LAPACK_COL_MAJOR, 1, x, n, 1, n,
                            m->pivots + EFFECTIVE_SIX * m->first[g], 1);
    }
    effective_triangle(m, g, 'L', 'N', m->triangular[g] ? 'N' : 'U', x);
}

void effective_solve(const perp_effective_mass *m, double *x)
{
    for (size_t g = 0; g < m->groups; g++) {
        for (size_t k = m->first[g]; k < m->first[g + 1]; k++) {
            memcpy(m->scratch + EFFECTIVE_SIX * (k - m->first[g]),
                   x + EFFECTIVE_SIX * (size_t)m->member[k], EFFECTIVE_SIX * sizeof *x);
        }
        effective_first_half(m, g, m->scratch);
        effective_triangle(m, g, m->triangular[g] ? 'L' : 'U',
                           m->triangular[g] ? 'T' : 'N', 'N', m->scratch);
        for (size_t k = m->first[g]; k < m->first[g + 1]; k++) {
            memcpy(x + EFFECTIVE_SIX * (size_t)m->member[k],
                   m->scratch + EFFECTIVE_SIX * (k - m->first[g]),
                   EFFECTIVE_SIX * sizeof *x);
        }
    }
}

bool effective_multiply(const perp_effective_mass *m, size_t g, double *M)
{
    const size_t n = effective_size(m, g);
    const double *L = m->matrix + m->start[g];

    for (size_t j = 0; m->triangular[g] && j < n; j++) {
        for (size_t i = 0; i < n; i++) {
            double sum = 0.0;

            for (size_t k = 0; k <= (i < j ? i : j); k++) {
                sum += L[i + k * n] * L[j + k * n];
            }
            M[i + j * n] = sum;
        }
    }
    return m->triangular[g];
}

/* The bodies of a row, that of the first columns first; -1: does not move, or its group is
 * that of the other. */
static void effective_sides(const perp_effective_mass *m, const int32_t body[2],
                            int32_t on[2])
{
    for (size_t s = 0; s < 2; s++) {
        on[s] = body[s] >= 0 && m->root[body[s]] >= 0 ? body[s] : -1;
    }
    if (on[0] >= 0 && on[1] >= 0 && m->root[on[0]] == m->root[on[1]]) {
        on[1] = -1;
    } else if (on[0] >= 0 && on[1] >= 0 && m->column[on[0]] > m->column[on[1]]) {
        const int32_t late = on[0];

        on[0] = on[1];
        on[1] = late;
    }
}

static size_t effective_width(const perp_effective_mass *m, int32_t body)
{
    if (body < 0) {
        return 0;
    }
    return m->group[body] < 0 ? EFFECTIVE_SIX : effective_size(m, (size_t)m->group[body]);
}

/* E and G of one row in the columns of `body`, its group or itself. */
static size_t effective_write(const perp_effective_mass *m, const perp_pairs *pairs,
                              size_t row, int32_t body, int32_t *col, double *E,
                              double *G)
{
    const int32_t *on = perp_pairs_bodies(pairs, row);
    const size_t width = effective_width(m, body);
    double made[12];
    const double *J = perp_pairs_row(pairs, row, made);

    memset(E, 0, width * sizeof *E);
    for (size_t s = 0; s < 2; s++) {
        if (on[s] >= 0 && m->root[on[s]] == m->root[body]) {
            memcpy(E + (m->group[body] < 0 ? 0 : EFFECTIVE_SIX * (size_t)m->place[on[s]]),
                   J + EFFECTIVE_SIX * s, EFFECTIVE_SIX * sizeof *E);
        }
    }
    for (size_t c = 0; c < width; c++) {
        col[c] = m->column[body] + (int32_t)c;
    }
    if (m->group[body] < 0) {
        system_inverse(pairs->inverse_mass[body],
                       pairs->inverse_inertia + 9 * (size_t)body, E, G);
        return width;
    }
    memcpy(G, E, width * sizeof *G);
    effective_first_half(m, (size_t)m->group[body], G);
    if (m->triangular[m->group[body]]) {
        memcpy(E, G, width * sizeof *E);
    } else {
        effective_triangle(m, (size_t)m->group[body], 'U', 'T', 'N', E);
    }
    return width;
}

perp_status effective_rows(const perp_effective_mass *m, const perp_pairs *pairs,
                           system_innovations *out, perp_error *err)
{
    size_t entries = 0;
    int32_t on[2];

    for (size_t i = 0; i < pairs->rows; i++) {
        effective_sides(m, perp_pairs_bodies(pairs, i), on);
        entries += effective_width(m, on[0]) + effective_width(m, on[1]);
    }
    if (m->columns > INT32_MAX ||
        !system_innovations_reserve(out, pairs->rows, entries)) {
        return perp_fail(err, PERP_ERR_MEMORY,
                         "system: no memory for %zu rows on bodies that forces couple",
                         pairs->rows);
    }
    out->nv = m->columns;
    out->ptr[0] = 0;
    for (size_t i = 0; i < pairs->rows; i++) {
        size_t at = out->ptr[i];

        effective_sides(m, perp_pairs_bodies(pairs, i), on);
        for (size_t s = 0; s < 2; s++) {
            if (on[s] >= 0) {
                at += effective_write(m, pairs, i, on[s], out->col + at, out->E + at,
                                      out->G + at);
            }
        }
        out->ptr[i + 1] = at;
        out->null_softness[i] = 0.0;
    }
    out->rows = pairs->rows;
    return PERP_OK;
}
