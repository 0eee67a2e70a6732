/* SPDX-License-Identifier: Apache-2.0
 * splitting/bodies.c: one block of rows on two bodies, solved for itself.
 *
 * A contact in space that obeys Coulomb's law and whose block of A is well conditioned has what
 * its local problem needs in its record. With S, nt of splitting/local_curve.h at impulse r and
 * velocity u:
 *
 *     a = r_n + nt.r_t - u_n/W_nn,      a <= 0: open
 *     x_t = r_t - S^-1 (u_t - u_n nt),  x_n = a - nt.x_t: sticks, if |x_t| <= mu x_n
 *
 * and else it slips on the same curve as elsewhere. All that is as exact as local_cone_solve,
 * in fewer steps one after the other: what limits a sweep is that a contact waits for its
 * neighbour. Other blocks are left to local_blocks_step.
 *
 * Two numbers at a time, in the same order on every machine. */
#include <config.h>

#include "bodies_record.h"

typedef double two __attribute__((vector_size(16)));

enum {
    AHEAD = 6
}; /* places whose bodies are fetched early: a miss lasts about as long */

static inline double sum(two x)
{
    return x[0] + x[1];
}

/* A row of K times y of its two bodies. */
static inline double row_dot(const double *K, const two *a, const two *b)
{
    const two *k = (const two *)K;

    return sum((k[0] * a[0] + k[1] * a[1]) + (k[2] * a[2] + k[3] * b[0]) +
               (k[4] * b[1] + k[5] * b[2]));
}

static inline two *body_of(const bodies *q, int32_t body)
{
    return (two *)(q->y + 8 * (size_t)body);
}

/* The slipping impulse of a contact, r_t and c' = u_t - u_n nt given. */
static void slip(double *f, double a, const double *c, const double *r, double *x)
{
    local_curve curve = {
        .S11 = f[RECORD_S11],
        .S12 = f[RECORD_S12],
        .S21 = f[RECORD_S12],
        .S22 = f[RECORD_S22],
        .nt = {f[RECORD_NT], f[RECORD_NT + 1]},
        .mu = f[RECORD_MU],
        .inv_det = f[RECORD_INV_DET],
        .stride = f[RECORD_S11] + f[RECORD_S22],
    };
    const double rest[2] = {c[0] - (curve.S11 * r[1] + curve.S12 * r[2]),
                            c[1] - (curve.S12 * r[1] + curve.S22 * r[2])};

    if (curve.mu == 0.0) {
        x[0] = a;
        x[1] = x[2] = 0.0;
        return;
    }
    f[RECORD_GUESS] = local_curve_slip(&curve, a, rest, f[RECORD_GUESS], x);
}

/* x: what its own problem makes of impulse r at velocity u. */
static inline void solve_cone(double *f, const double *u, const double *r, double *x)
{
    const double *nt = f + RECORD_NT;
    double a = (r[0] + nt[0] * r[1] + nt[1] * r[2]) - u[0] * f[RECORD_INV_NN];
    double c[2] = {u[1] - u[0] * nt[0], u[2] - u[0] * nt[1]};
    double mu = f[RECORD_MU];

    if (a <= 0.0) {
        x[0] = x[1] = x[2] = 0.0;
        return;
    }
    x[1] = r[1] - (f[RECORD_S22] * c[0] - f[RECORD_S12] * c[1]) * f[RECORD_INV_DET];
    x[2] = r[2] - (f[RECORD_S11] * c[1] - f[RECORD_S12] * c[0]) * f[RECORD_INV_DET];
    x[0] = a - nt[0] * x[1] - nt[1] * x[2];
    if (!(x[0] >= 0.0 && x[1] * x[1] + x[2] * x[2] <= mu * mu * (x[0] * x[0]))) {
        slip(f, a, c, r, x);
    }
}

/* y += K^T d of one body, three rows. */
static inline void push(const double *K, const double *d, two *y)
{
    const two *k0 = (const two *)K, *k1 = (const two *)(K + 12),
              *k2 = (const two *)(K + 24);

    for (size_t m = 0; m < 3; m++) {
        y[m] += (k0[m] * d[0] + k1[m] * d[1]) + k2[m] * d[2];
    }
}

static inline void step_cone(const bodies *q, double omega, const bodies_place *at,
                             double *z, double *change)
{
    double *K = q->record + at->at, *f = K + 36, *r = z + at->first;
    two *a = body_of(q, at->body[0]), *b = body_of(q, at->body[1]);
    double u[3], x[3], d[3];

    for (size_t i = 0; i < 3; i++) {
        u[i] = row_dot(K + 12 * i, a, b) + (f[RECORD_C + i] * r[i] + f[RECORD_B + i]);
    }
    solve_cone(f, u, r, x);
    if (omega != 1.0) {
        for (size_t i = 0; i < 3; i++) {
            x[i] = r[i] + omega * (x[i] - r[i]);
        }
        perp_project_cone(f[RECORD_MU], 3, x);
    }
    for (size_t i = 0; i < 3; i++) {
        d[i] = x[i] - r[i];
        r[i] = x[i];
    }
    *change += f[RECORD_WEIGHT] * (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    if (d[0] == 0.0 && d[1] == 0.0 && d[2] == 0.0) {
        return; /* open contacts push nobody */
    }
    if (at->body[0] != q->still) {
        push(K, d, a);
    }
    if (at->body[1] != q->still) {
        push(K + 6, d, b);
    }
}

static bool step_rows(const bodies *q, const local_blocks *l, size_t place, double *z,
                      double *change)
{
    const bodies_place *at = &q->places[place];
    const double *K = q->record + at->at;
    const double *C = q->p->A->factored->C + at->first;
    two *y[2] = {body_of(q, at->body[0]), body_of(q, at->body[1])};
    unsigned dim = q->blocks[place].dim;
    double u[LOCAL_DIM_MAX], dz[LOCAL_DIM_MAX];

    for (unsigned i = 0; i < dim; i++) {
        u[i] = row_dot(K + 12 * i, y[0], y[1]) + C[i] * z[at->first + (int32_t)i] +
               q->p->b[at->first + (int32_t)i];
    }
    if (!local_blocks_step(l, place, u, z, dz, change)) {
        return false;
    }
    for (unsigned side = 0; side < 2; side++) {
        for (unsigned i = 0; at->body[side] != q->still && i < dim; i++) {
            const two *k = (const two *)(K + 12 * i + 6 * side);

            for (size_t m = 0; dz[i] != 0.0 && m < 3; m++) {
                y[side][m] += k[m] * dz[i];
            }
        }
    }
    return true;
}

static inline bool step(const bodies *q, const local_blocks *l, size_t place, double *z,
                        double *change)
{
    const bodies_place *at = &q->places[place];

    if (at->cone) {
        step_cone(q, l->omega, at, z, change);
        return true;
    }
    return step_rows(q, l, place, z, change);
}

bool bodies_step(const bodies *q, const local_blocks *l, size_t place, double *z,
                 double *change)
{
    return step(q, l, place, z, change);
}

static inline void fetch(const bodies *q, size_t place)
{
    __builtin_prefetch(body_of(q, q->places[place].body[0]), 1);
    __builtin_prefetch(body_of(q, q->places[place].body[1]), 1);
}

size_t bodies_pass(const bodies *q, const local_blocks *l, const size_t *sequence,
                   bool back, double *z, double *change)
{
    double energy = *change;

    for (size_t i = 0; i < q->count; i++) {
        size_t k = back ? q->count - 1 - i : i;
        size_t place = sequence ? sequence[k] : k;

        if (i + AHEAD < q->count) {
            size_t next = back ? k - AHEAD : k + AHEAD;

            fetch(q, sequence ? sequence[next] : next);
        }
        if (!step(q, l, place, z, &energy)) {
            *change = energy;
            return place;
        }
    }
    *change = energy;
    return SIZE_MAX;
}
