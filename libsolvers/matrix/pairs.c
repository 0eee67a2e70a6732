/* SPDX-License-Identifier: Apache-2.0
 * matrix/pairs.c: W = J M^-1 J^T + C where each row of J acts on two bodies.
 *
 *     u_i = J_ia v_a + J_ib v_b,    v_a += M_a^-1 J_ia^T dz_i,    M_a^-1 = diag(1/m I, I_a^-1)
 *
 * A row is 12 numbers and the indices of its bodies; M^-1 J^T is never stored. A product costs
 * two passes over J and one over the bodies. An entry costs 66 flops at most; a row of W visits
 * the rows that touch its two bodies, whose lists are built when a row is first asked for.
 * The factors of a scaling that differs from left and right are stored in addition to J. */
#include <config.h>

#include "matrix/storages.h"

/* out := M^-1 f6 of a body; no overlap. */
static inline void pairs_divide(const perp_pair_rows *f, int32_t body, const double *f6,
                                double *out)
{
    double m = f->at.inverse_mass[body];
    const double *I = f->at.inverse_inertia + 9 * (size_t)body;

    out[0] = m * f6[0];
    out[1] = m * f6[1];
    out[2] = m * f6[2];
    out[3] = I[0] * f6[3] + I[1] * f6[4] + I[2] * f6[5];
    out[4] = I[1] * f6[3] + I[4] * f6[4] + I[5] * f6[5];
    out[5] = I[2] * f6[3] + I[5] * f6[4] + I[8] * f6[5];
}

void perp_pairs_divide(const perp_pair_rows *f, int32_t body, const double *f6,
                       double *out)
{
    pairs_divide(f, body, f6, out);
}

/* Inertias are positive semidefinite: a zero diagonal is a zero matrix. */
bool perp_pairs_moves(const perp_pair_rows *f, int32_t body)
{
    const double *I = f->at.inverse_inertia + 9 * (size_t)(body < 0 ? 0 : body);

    return body >= 0 &&
           (f->at.inverse_mass[body] != 0.0 || I[0] != 0.0 || I[4] != 0.0 || I[8] != 0.0);
}

/* Rows are formed by a cross product, and recovered by three of them. */
static const double pairs_arm_rounding = 1e-14;

bool perp_pairs_find_arm(const double *F, const double *J, double sign, double *arm)
{
    double length = F[0] * F[0] + F[1] * F[1] + F[2] * F[2], c[3], off;
    double size = perp_largest(9, F);

    memset(arm, 0, 3 * sizeof *arm);
    for (size_t i = 0; i < 3; i++) {
        perp_cross(F + 3 * i, J + 12 * i + 3, c);
        for (size_t d = 0; d < 3; d++) {
            arm[d] += sign * c[d] / (2.0 * length);
        }
    }
    for (size_t i = 0; i < 3; i++) {
        perp_cross(arm, F + 3 * i, c);
        for (size_t d = 0; d < 3; d++) {
            off = fabs(sign * c[d] - J[12 * i + 3 + d]);
            if (!(off <= pairs_arm_rounding * size * perp_largest(3, arm))) {
                return false;
            }
        }
    }
    return true;
}

bool perp_pairs_scaled_evenly(const perp_operator *A)
{
    const perp_pair_rows *f = A->pairs;

    return !f->scaled || memcmp(f->left, f->right, A->rows * sizeof *f->left) == 0;
}

static inline double pairs_dot6(const double *J, const double *v)
{
    return (J[0] * v[0] + J[1] * v[1]) + (J[2] * v[2] + J[3] * v[3]) +
           (J[4] * v[4] + J[5] * v[5]);
}

/* The contribution of a body to J v; 0 for what never moves. */
static inline double pairs_part(const double *J, const double *v, int32_t body)
{
    return body < 0 ? 0.0 : pairs_dot6(J, v + 6 * (size_t)body);
}

void perp_pairs_rows_dot(const perp_operator *A, size_t first, size_t dim,
                         const double *v, double *y)
{
    const perp_pair_rows *f = A->pairs;
    const double *J = f->at.J + 12 * first;
    const int32_t *body = f->at.body + 2 * first;

    for (size_t i = 0; i < dim; i++, J += 12, body += 2) {
        y[i] = pairs_part(J, v, body[0]) + pairs_part(J + 6, v, body[1]);
    }
    for (size_t i = 0; f->scaled && i < dim; i++) {
        y[i] *= f->left[first + i];
    }
}

/* Whether rows i and j name the same two bodies. */
static inline bool pairs_together(const perp_pair_rows *f, size_t i, size_t j)
{
    const int32_t *body = f->at.body;

    return body[2 * i] == body[2 * j] && body[2 * i + 1] == body[2 * j + 1];
}

/* push[12] := J^T diag(scale) dz of rows that act on the same two bodies; false where dz is 0. */
static bool pairs_push(const perp_pair_rows *f, size_t from, size_t to,
                       const double *scale, const double *dz, double *restrict push)
{
    bool pushes = false;

    memset(push, 0, 12 * sizeof *push);
    for (size_t i = from; i < to; i++) {
        const double *J = f->at.J + 12 * i;
        double z = f->scaled ? scale[i] * dz[i - from] : dz[i - from];

        if (z != 0.0) {
            for (size_t k = 0; k < 12; k++) {
                push[k] += J[k] * z;
            }
            pushes = true;
        }
    }
    return pushes;
}

void perp_pairs_rows_add(const perp_operator *A, size_t first, size_t dim,
                         const double *dz, double *v)
{
    const perp_pair_rows *f = A->pairs;
    size_t last = first + dim;

    for (size_t i = first, to = i; i < last; i = to) {
        double push[12], dv[6];

        for (to = i + 1; to < last && pairs_together(f, i, to); to++) {
        }
        if (!pairs_push(f, i, to, f->right, dz + (i - first), push)) {
            continue; /* no impulse: an open contact */
        }
        for (size_t side = 0; side < 2; side++) {
            int32_t body = f->at.body[2 * i + side];

            if (perp_pairs_moves(f,
                                 body)) { /* bodies that cannot move are never written */
                perp_pairs_divide(f, body, push + 6 * side, dv);
                for (size_t k = 0; k < 6; k++) {
                    v[6 * (size_t)body + k] += dv[k];
                }
            }
        }
    }
}

/* v := M^-1 J^T z: the impulses of all rows are summed first, then divided by the masses. */
static void pairs_gather(const perp_operator *A, const double *scale, const double *z,
                         double *v)
{
    const perp_pair_rows *f = A->pairs;

    memset(v, 0, A->pairs->nv * sizeof *v);
    for (size_t i = 0, to = i; i < A->rows; i = to) {
        double push[12];

        for (to = i + 1; to < A->rows && pairs_together(f, i, to); to++) {
        }
        if (!pairs_push(f, i, to, scale, z + i, push)) {
            continue;
        }
        for (size_t side = 0; side < 2; side++) {
            int32_t body = f->at.body[2 * i + side];

            for (size_t k = 0; body >= 0 && k < 6; k++) {
                v[6 * (size_t)body + k] += push[6 * side + k];
            }
        }
    }
    for (size_t k = 0; k < f->at.bodies; k++) {
        double sum[6];

        memcpy(sum, v + 6 * k, sizeof sum);
        perp_pairs_divide(f, (int32_t)k, sum, v + 6 * k);
    }
}

bool perp_pairs_together(const perp_operator *A, size_t i, size_t j)
{
    return pairs_together(A->pairs, i, j);
}

void perp_pairs_push(const perp_operator *A, size_t from, size_t to, const double *z,
                     double *push)
{
    pairs_push(A->pairs, from, to, A->pairs->right, z + from, push);
}

void perp_pairs_velocity(const perp_operator *A, const double *z, double *v)
{
    pairs_gather(A, A->pairs->right, z, v);
}

static void pairs_product(const perp_operator *A, const double *left, const double *right,
                          const double *x, double *y)
{
    const perp_pair_rows *f = A->pairs;

    pairs_gather(A, right, x, f->v);
    for (size_t i = 0; i < A->rows; i++) {
        const double *J = f->at.J + 12 * i;
        const int32_t *body = f->at.body + 2 * i;
        double u = pairs_part(J, f->v, body[0]) + pairs_part(J + 6, f->v, body[1]);

        y[i] = (f->scaled ? left[i] * u : u) + f->C[i] * x[i];
    }
}

static void pairs_apply(const perp_operator *A, const double *x, double *y)
{
    const perp_pair_rows *f = A->pairs;

    pairs_product(A, f->left, f->right, x, y);
}

static void pairs_apply_transposed(const perp_operator *A, const double *x, double *y)
{
    const perp_pair_rows *f = A->pairs;

    pairs_product(A, f->right, f->left, x, y);
}

/* A row without its neighbours. */
static void pairs_alone(perp_pair_walk *w, const perp_operator *A, size_t row)
{
    const perp_pair_rows *f = A->pairs;

    memset(w->g, 0, sizeof w->g);
    w->row = row;
    for (size_t side = 0; side < 2; side++) {
        int32_t body = f->at.body[2 * row + side];

        if (body >= 0) {
            pairs_divide(f, body, f->at.J + 12 * row + 6 * side, w->g + 6 * side);
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
        int32_t body = f->at.body[2 * row + side];

        if (body >= 0) {
            w->at[side] = f->touch + f->start[body];
            w->end[side] = f->touch + f->start[body + 1];
        }
    }
}

static bool pairs_share(const perp_pair_rows *f, size_t i, size_t j)
{
    const int32_t *x = f->at.body + 2 * i;
    const int32_t *y = f->at.body + 2 * j;

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
    const int32_t *mine = f->at.body + 2 * w->row;
    const int32_t *its = f->at.body + 2 * j;
    double sum = 0.0;

    for (size_t m = 0; m < 4; m++) {
        if (mine[m / 2] >= 0 && mine[m / 2] == its[m % 2]) {
            sum += pairs_dot6(w->g + 6 * (m / 2), f->at.J + 12 * j + 6 * (m % 2));
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
    const int32_t *body = A->pairs->at.body + 2 * i;

    return body[0] != body[1];
}

/* W_ii, to the bits of perp_pairs_value. */
static double pairs_own(const perp_operator *A, size_t i)
{
    const perp_pair_rows *f = A->pairs;
    const double *J = f->at.J + 12 * i;
    double sum = 0.0;
    double g[6];

    for (size_t side = 0; side < 2; side++) {
        int32_t body = f->at.body[2 * i + side];

        if (body >= 0) {
            pairs_divide(f, body, J + 6 * side, g);
            sum += pairs_dot6(g, J + 6 * side);
        }
    }
    if (f->scaled) {
        sum *= f->left[i] * f->right[i];
    }
    return sum + A->pairs->C[i];
}

static double pairs_entry(const perp_operator *A, size_t i, size_t j)
{
    perp_pair_walk w;

    if (i == j && pairs_apart(A, i)) {
        return pairs_own(A, i);
    }
    pairs_alone(&w, A, i);
    return perp_pairs_value(&w, A, j);
}

/* Rows that act on the same two different bodies, without factors of a scaling; the terms of
 * perp_pairs_value in the same order. */
static void pairs_joint_block(const perp_operator *A, size_t first, size_t dim, double *D)
{
    const perp_pair_rows *f = A->pairs;
    const int32_t *body = f->at.body + 2 * first;
    const double *J = f->at.J + 12 * first;

    for (size_t i = 0; i < dim; i++) {
        double g[12];

        for (size_t side = 0; side < 2; side++) {
            if (body[side] >= 0) {
                pairs_divide(f, body[side], J + 12 * i + 6 * side, g + 6 * side);
            }
        }
        for (size_t j = 0; j < dim; j++) {
            double sum = 0.0;

            sum += body[0] >= 0 ? pairs_dot6(g, J + 12 * j) : 0.0;
            sum += body[1] >= 0 ? pairs_dot6(g + 6, J + 12 * j + 6) : 0.0;
            D[i + j * dim] = i == j ? sum + A->pairs->C[first + i] : sum;
        }
    }
}

void perp_pairs_diagonal_block(const perp_operator *A, size_t first, size_t dim,
                               double *D)
{
    const perp_pair_rows *f = A->pairs;
    bool joint = !f->scaled && pairs_apart(A, first);
    perp_pair_walk w;

    for (size_t i = 1; i < dim; i++) {
        joint = joint && pairs_together(f, first, first + i);
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

/* W is positive semidefinite: |W_ij|^2 <= W_ii W_jj. */
double perp_pairs_row_bound(const perp_operator *A, size_t i, double largest_diagonal)
{
    return A->pairs->scaled ? INFINITY : sqrt(pairs_entry(A, i, i) * largest_diagonal);
}

static void pairs_row_visit(const perp_operator *A, size_t i,
                            void (*visit)(void *context, size_t j, double a),
                            void *context)
{
    perp_pair_walk w;

    perp_pairs_walk(&w, A, i);
    for (size_t j = 0; perp_pairs_next(&w, A, &j);) {
        visit(context, j, perp_pairs_value(&w, A, j));
    }
}

static void pairs_row_add(const perp_operator *A, size_t i, double scale, double *out)
{
    perp_pair_walk w;

    perp_pairs_walk(&w, A, i);
    for (size_t j = 0; perp_pairs_next(&w, A, &j);) {
        out[j] += scale * perp_pairs_value(&w, A, j);
    }
}

/* The velocities that z gives a body, from the rows that touch it. */
static void pairs_body_velocity(const perp_operator *A, int32_t body, const double *z,
                                double *v)
{
    perp_pair_rows *f = A->pairs;
    bool lists = perp_pairs_index(f);
    size_t from = lists ? f->start[body] : 0;
    size_t to = lists ? f->start[body + 1] : A->rows;
    double sum[6] = {0};

    for (size_t k = from; k < to; k++) {
        size_t row = lists ? (size_t)f->touch[k] : k;
        const double *J = f->at.J + 12 * row;
        double x = f->scaled ? f->right[row] * z[row] : z[row];

        for (size_t side = 0; x != 0.0 && side < 2; side++, J += 6) {
            for (size_t m = 0; f->at.body[2 * row + side] == body && m < 6; m++) {
                sum[m] += J[m] * x;
            }
        }
    }
    perp_pairs_divide(f, body, sum, v);
}

static void pairs_rows_dot(const perp_operator *A, size_t first, size_t dim,
                           const double *z, double *y)
{
    const perp_pair_rows *f = A->pairs;
    size_t last = first + dim;

    for (size_t i = first, to = i; i < last; i = to) {
        double v[12] = {0};

        for (size_t side = 0; side < 2; side++) {
            int32_t body = f->at.body[2 * i + side];

            if (body >= 0) {
                pairs_body_velocity(A, body, z, v + 6 * side);
            }
        }
        for (to = i; to < last && pairs_together(f, i, to); to++) {
            const double *J = f->at.J + 12 * to;
            const int32_t *body = f->at.body + 2 * to;
            double u = (body[0] < 0 ? 0.0 : pairs_dot6(J, v)) +
                       (body[1] < 0 ? 0.0 : pairs_dot6(J + 6, v + 6));

            y[to - first] = (f->scaled ? f->left[to] * u : u) + A->pairs->C[to] * z[to];
        }
    }
}

/* Scales J itself when the operator owns it and both sides agree; else stores the factors. */
static void pairs_scale(perp_operator *A, const double *left, const double *right)
{
    perp_pair_rows *f = A->pairs;
    bool inside = f->J && !f->scaled;

    for (size_t i = 0; i < A->rows; i++) {
        A->pairs->C[i] *= left[i] * right[i];
        inside = inside && left[i] == right[i];
    }
    for (size_t k = 0; inside && k < 12 * A->rows; k++) {
        f->J[k] *= left[k / 12];
    }
    for (size_t i = 0; !inside && i < A->rows; i++) {
        f->left[i] = f->scaled ? f->left[i] * left[i] : left[i];
        f->right[i] = f->scaled ? f->right[i] * right[i] : right[i];
    }
    f->scaled = !inside;
}

static const perp_operator_methods pairs_methods = {
    .apply = pairs_apply,
    .apply_transposed = pairs_apply_transposed,
    .rows_dot = pairs_rows_dot,
    .entry = pairs_entry,
    .row_add = pairs_row_add,
    .row_visit = pairs_row_visit,
    .scale = pairs_scale,
};

const perp_operator_type perp_operator_pairs = {
    .storage = PERP_STORAGE_PAIRS,
    .name = "pairs",
    .methods = &pairs_methods,
};
