/* SPDX-License-Identifier: Apache-2.0
 * matrix/pairs.c: W = J M^-1 J^T + C where each row of J acts on two bodies.
 *
 *     u_i = J_ia v_a + J_ib v_b,    v_a += M_a^-1 J_ia^T dz_i,    M_a^-1 = diag(1/m I, I_a^-1)
 *
 * A row is 12 numbers and the indices of its bodies; M^-1 J^T is never stored. The three rows of a
 * contact are 15 numbers, its frame F and the arms p, q of the two bodies:
 *
 *     u = F (v_b + w_b x q - v_a - w_a x p),    f = F^T dz:  +f, q x f on b,  -f, -(p x f) on a
 *
 * and are written out by perp_pairs_row where single rows are needed. A product costs
 * two passes over them and one over the bodies. An entry costs 66 flops at most; a row of W visits
 * the rows that touch its two bodies, whose lists are built at the first request of a row.
 * The factors of a scaling that differs from left and right are stored in addition to J. */
#include <config.h>

#include "matrix/storages.h"

/* Inertias are positive semidefinite: a zero diagonal is a zero matrix. */
bool perp_pairs_moves(const perp_pair_rows *f, int32_t body)
{
    const double *I = f->at.inverse_inertia + 9 * (size_t)(body < 0 ? 0 : body);

    return body >= 0 &&
           (f->at.inverse_mass[body] != 0.0 || I[0] != 0.0 || I[4] != 0.0 || I[8] != 0.0);
}

bool perp_pairs_scaled_evenly(const perp_operator *A)
{
    const perp_pair_rows *f = A->pairs;

    return !f->scaled || memcmp(f->left, f->right, A->rows * sizeof *f->left) == 0;
}

/* Of rows i .. last-1: how many are of the contact of row i, 1 if it has none. */
static inline size_t pairs_run(const perp_pair_rows *f, size_t i, size_t last)
{
    size_t left = 1;

    if (perp_pairs_framed(&f->at, i)) {
        left = 3 - (i - f->at.frames_from) % 3;
    }
    return left < last - i ? left : last - i;
}

/* du := the velocity of the second body less that of the first where they touch, from their
 * velocities (v, w); NULL for what never moves. */
static inline void pairs_slip(const double *frame, const double *first,
                              const double *second, double *du)
{
    double turned[3];

    memset(du, 0, 3 * sizeof *du);
    if (second) {
        perp_cross(second + 3, frame + 12, turned);
        for (size_t d = 0; d < 3; d++) {
            du[d] = second[d] + turned[d];
        }
    }
    if (first) {
        perp_cross(first + 3, frame + 9, turned);
        for (size_t d = 0; d < 3; d++) {
            du[d] -= first[d] + turned[d];
        }
    }
}

/* u := J v of `count` rows from i on, all of one contact or a single one, from the velocities of
 * their bodies. */
static inline void pairs_rates(const perp_pair_rows *f, size_t i, size_t count,
                               const double *first, const double *second, double *u)
{
    const double *J = f->at.J + 12 * i, *F;
    double du[3];

    if (!perp_pairs_framed(&f->at, i)) {
        *u = (first ? perp_pairs_dot6(J, first) : 0.0) +
             (second ? perp_pairs_dot6(J + 6, second) : 0.0);
        return;
    }
    F = perp_pairs_frame(&f->at, i);
    pairs_slip(F, first, second, du);
    F += 3 * ((i - f->at.frames_from) % 3);
    for (size_t k = 0; k < count; k++, F += 3) {
        u[k] = F[0] * du[0] + F[1] * du[1] + F[2] * du[2];
    }
}

static inline const double *pairs_state(const double *v, int32_t body)
{
    return body < 0 ? NULL : v + 6 * (size_t)body;
}

void perp_pairs_rows_dot(const perp_operator *A, size_t first, size_t dim,
                         const double *v, double *y)
{
    const perp_pair_rows *f = A->pairs;
    size_t last = first + dim;

    for (size_t i = first, run = 0; i < last; i += run) {
        const int32_t *body = perp_pairs_body(&f->at, i);

        run = pairs_run(f, i, last);
        pairs_rates(f, i, run, pairs_state(v, body[0]), pairs_state(v, body[1]),
                    y + (i - first));
    }
    for (size_t i = 0; f->scaled && i < dim; i++) {
        y[i] *= f->left[first + i];
    }
}

/* push[12] += J^T z of `count` rows from i on, all of one contact or a single one. */
static inline void pairs_add_push(const perp_pair_rows *f, size_t i, size_t count,
                                  const double *z, double *restrict push)
{
    const double *J = f->at.J + 12 * i, *frame, *F;
    double force[3] = {0}, torque[3];

    if (!perp_pairs_framed(&f->at, i)) {
        for (size_t k = 0; k < 12; k++) {
            push[k] += J[k] * *z;
        }
        return;
    }
    frame = perp_pairs_frame(&f->at, i);
    F = frame + 3 * ((i - f->at.frames_from) % 3);
    for (size_t k = 0; k < count; k++, F += 3) {
        for (size_t d = 0; d < 3; d++) {
            force[d] += F[d] * z[k];
        }
    }
    for (size_t side = 0; side < 2; side++, push += 6) {
        double sign = side == 0 ? -1.0 : 1.0;

        perp_cross(frame + 9 + 3 * side, force, torque);
        for (size_t d = 0; d < 3; d++) {
            push[d] += sign * force[d];
            push[3 + d] += sign * torque[d];
        }
    }
}

/* push[12] := J^T diag(scale) dz of rows that act on the same two bodies; false where dz is 0. */
static bool pairs_push(const perp_pair_rows *f, size_t from, size_t to,
                       const double *scale, const double *dz, double *restrict push)
{
    bool pushes = false;

    memset(push, 0, 12 * sizeof *push);
    for (size_t i = from, run = 0; i < to; i += run) {
        double z[3];
        bool any = false;

        run = pairs_run(f, i, to);
        for (size_t k = 0; k < run; k++) {
            z[k] = f->scaled ? scale[i + k] * dz[i + k - from] : dz[i + k - from];
            any = any || z[k] != 0.0;
        }
        if (any) {
            pairs_add_push(f, i, run, z, push);
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

        for (to = i + 1; to < last && perp_pairs_together(&f->at, i, to); to++) {
        }
        if (!pairs_push(f, i, to, f->right, dz + (i - first), push)) {
            continue; /* no impulse: an open contact */
        }
        for (size_t side = 0; side < 2; side++) {
            int32_t body = perp_pairs_body(&f->at, i)[side];

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

        for (to = i + 1; to < A->rows && perp_pairs_together(&f->at, i, to); to++) {
        }
        if (!pairs_push(f, i, to, scale, z + i, push)) {
            continue;
        }
        for (size_t side = 0; side < 2; side++) {
            int32_t body = perp_pairs_body(&f->at, i)[side];

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
    for (size_t i = 0, run = 0; i < A->rows; i += run) {
        const int32_t *body = perp_pairs_body(&f->at, i);

        run = pairs_run(f, i, A->rows);
        pairs_rates(f, i, run, pairs_state(f->v, body[0]), pairs_state(f->v, body[1]),
                    y + i);
        for (size_t k = i; k < i + run; k++) {
            y[k] = (f->scaled ? left[k] * y[k] : y[k]) + f->C[k] * x[k];
        }
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
        const int32_t *two = perp_pairs_body(&f->at, row);
        double x = f->scaled ? f->right[row] * z[row] : z[row], made[12];
        const double *J = x != 0.0 ? perp_pairs_row(&f->at, row, made) : NULL;

        for (size_t side = 0; J && side < 2; side++, J += 6) {
            for (size_t m = 0; two[side] == body && m < 6; m++) {
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
        const int32_t *body = perp_pairs_body(&f->at, i);
        double v[12] = {0};

        for (size_t side = 0; side < 2; side++) {
            if (body[side] >= 0) {
                pairs_body_velocity(A, body[side], z, v + 6 * side);
            }
        }
        for (to = i; to < last && perp_pairs_together(&f->at, i, to);) {
            size_t end = to + pairs_run(f, to, last);

            pairs_rates(f, to, end - to, body[0] < 0 ? NULL : v,
                        body[1] < 0 ? NULL : v + 6, y + (to - first));
            for (; to < end; to++) {
                double u = y[to - first];

                y[to - first] = (f->scaled ? f->left[to] * u : u) + f->C[to] * z[to];
            }
        }
    }
}

/* Scales J and frames themselves when the operator owns them and both sides agree; else stores the
 * factors. */
static void pairs_scale(perp_operator *A, const double *left, const double *right)
{
    perp_pair_rows *f = A->pairs;
    bool inside = f->body && !f->scaled;

    for (size_t i = 0; i < A->rows; i++) {
        A->pairs->C[i] *= left[i] * right[i];
        inside = inside && left[i] == right[i];
    }
    for (size_t k = 0; inside && k < 12 * f->at.frames_from; k++) {
        f->J[k] *= left[k / 12];
    }
    for (size_t i = f->at.frames_from, k = 0; inside && i < A->rows; i++, k += 3) {
        for (size_t d = 0; d < 3; d++) {
            f->frames[15 * (k / 9) + k % 9 + d] *= left[i];
        }
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
    .entry = perp_pairs_entry,
    .row_add = pairs_row_add,
    .row_visit = pairs_row_visit,
    .scale = pairs_scale,
};

const perp_operator_type perp_operator_pairs = {
    .storage = PERP_STORAGE_PAIRS,
    .name = "pairs",
    .methods = &pairs_methods,
};
