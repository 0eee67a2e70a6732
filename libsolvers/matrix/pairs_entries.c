/* SPDX-License-Identifier: Apache-2.0
 * matrix/pairs_entries.c: entries, rows and diagonal blocks of a matrix of rows on two bodies.
 *
 *     W_ij = sum over bodies k that i and j share of  J_ik M_k^-1 J_jk^T,   + C_ii if i = j
 *
 * All functions sum the terms of an entry in the same order, to the same bits. */
#include <config.h>

#include "matrix/storages.h"

/* A row without its neighbours. */
static void pairs_alone(perp_pair_walk *w, const perp_operator *A, size_t row)
{
    const perp_pair_rows *f = A->pairs;
    const int32_t *body = perp_pairs_body(&f->at, row);
    double made[12];
    const double *J = perp_pairs_row(&f->at, row, made);

    memset(w->g, 0, sizeof w->g);
    w->row = row;
    for (size_t side = 0; side < 2; side++) {
        if (body[side] >= 0) {
            perp_pairs_divide(f, body[side], J + 6 * side, w->g + 6 * side);
        }
    }
}

void perp_pairs_walk(perp_pair_walk *w, const perp_operator *A, size_t row)
{
    perp_pair_rows *f = A->pairs;

    memset(w, 0, sizeof *w);
    pairs_alone(w, A, row);
    w->lists = perp_pairs_index(f);
    for (size_t side = 0; w->lists && side < 2; side++) {
        int32_t body = perp_pairs_body(&f->at, row)[side];

        if (body >= 0) {
            w->at[side] = f->touch + f->start[body];
            w->end[side] = f->touch + f->start[body + 1];
        }
    }
}

static bool pairs_share(const perp_pair_rows *f, size_t i, size_t j)
{
    const int32_t *x = perp_pairs_body(&f->at, i);
    const int32_t *y = perp_pairs_body(&f->at, j);

    return (x[0] >= 0 && (x[0] == y[0] || x[0] == y[1])) ||
           (x[1] >= 0 && (x[1] == y[0] || x[1] == y[1]));
}

bool perp_pairs_next(perp_pair_walk *w, const perp_operator *A, size_t *j)
{
    size_t least = w->met ? SIZE_MAX : w->row;

    if (!w->lists) {
        while (w->next < A->rows && w->next != w->row &&
               !pairs_share(A->pairs, w->row, w->next)) {
            w->next++;
        }
        *j = w->next++;
        return *j < A->rows;
    }
    for (size_t side = 0; side < 2; side++) {
        if (w->at[side] < w->end[side] && (size_t)*w->at[side] < least) {
            least = (size_t)*w->at[side];
        }
    }
    for (size_t side = 0; side < 2; side++) {
        w->at[side] += w->at[side] < w->end[side] && (size_t)*w->at[side] == least;
    }
    w->met = w->met || least == w->row;
    *j = least;
    return least != SIZE_MAX;
}

double perp_pairs_value(const perp_pair_walk *w, const perp_operator *A, size_t j)
{
    const perp_pair_rows *f = A->pairs;
    const int32_t *mine = perp_pairs_body(&f->at, w->row);
    const int32_t *its = perp_pairs_body(&f->at, j);
    double sum = 0.0, made[12];
    const double *J = perp_pairs_row(&f->at, j, made);

    for (size_t m = 0; m < 4; m++) {
        if (mine[m / 2] >= 0 && mine[m / 2] == its[m % 2]) {
            sum += perp_pairs_dot6(w->g + 6 * (m / 2), J + 6 * (m % 2));
        }
    }
    if (f->scaled) {
        sum *= f->left[w->row] * f->right[j];
    }
    return j == w->row ? sum + A->pairs->C[j] : sum;
}

/* Whether the two bodies of a row differ, so that no term couples one with the other. */
static inline bool pairs_apart(const perp_operator *A, size_t i)
{
    const int32_t *body = perp_pairs_body(&A->pairs->at, i);

    return body[0] != body[1];
}

/* W_ii, to the bits of perp_pairs_value. */
static double pairs_own(const perp_operator *A, size_t i)
{
    const perp_pair_rows *f = A->pairs;
    const int32_t *body = perp_pairs_body(&f->at, i);
    double made[12], g[6], sum = 0.0;
    const double *J = perp_pairs_row(&f->at, i, made);

    for (size_t side = 0; side < 2; side++) {
        if (body[side] >= 0) {
            perp_pairs_divide(f, body[side], J + 6 * side, g);
            sum += perp_pairs_dot6(g, J + 6 * side);
        }
    }
    if (f->scaled) {
        sum *= f->left[i] * f->right[i];
    }
    return sum + A->pairs->C[i];
}

double perp_pairs_entry(const perp_operator *A, size_t i, size_t j)
{
    perp_pair_walk w;

    if (i == j && pairs_apart(A, i)) {
        return pairs_own(A, i);
    }
    pairs_alone(&w, A, i);
    return perp_pairs_value(&w, A, j);
}

enum { PAIRS_JOINT = 6 /* most rows of a block that is written at once */ };

/* Rows that act on the same two different bodies, without factors of a scaling; the terms of
 * perp_pairs_value in the same order. */
static void pairs_joint_block(const perp_operator *A, size_t first, size_t dim, double *D)
{
    const perp_pair_rows *f = A->pairs;
    const int32_t *body = perp_pairs_body(&f->at, first);
    double J[12 * PAIRS_JOINT], made[12];

    for (size_t i = 0; i < dim; i++) {
        memcpy(J + 12 * i, perp_pairs_row(&f->at, first + i, made), sizeof made);
    }
    for (size_t i = 0; i < dim; i++) {
        double g[12];

        for (size_t side = 0; side < 2; side++) {
            if (body[side] >= 0) {
                perp_pairs_divide(f, body[side], J + 12 * i + 6 * side, g + 6 * side);
            }
        }
        for (size_t j = 0; j < dim; j++) {
            double sum = 0.0;

            sum += body[0] >= 0 ? perp_pairs_dot6(g, J + 12 * j) : 0.0;
            sum += body[1] >= 0 ? perp_pairs_dot6(g + 6, J + 12 * j + 6) : 0.0;
            D[i + j * dim] = i == j ? sum + A->pairs->C[first + i] : sum;
        }
    }
}

void perp_pairs_diagonal_block(const perp_operator *A, size_t first, size_t dim,
                               double *D)
{
    const perp_pair_rows *f = A->pairs;
    bool joint = !f->scaled && dim <= PAIRS_JOINT && pairs_apart(A, first);
    perp_pair_walk w;

    for (size_t i = 1; i < dim; i++) {
        joint = joint && perp_pairs_together(&f->at, first, first + i);
    }
    if (joint) {
        pairs_joint_block(A, first, dim, D);
        return;
    }
    for (size_t i = 0; i < dim; i++) {
        pairs_alone(&w, A, first + i);
        for (size_t j = 0; j < dim; j++) {
            D[i + j * dim] = perp_pairs_value(&w, A, first + j);
        }
    }
}
