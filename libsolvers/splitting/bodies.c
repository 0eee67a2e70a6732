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

/* A step of third order is the last when what it leaves is below 1e-16 of r; from further away
 * than a few steps the search needs a bracket. */
static const double last_step = 4e-6;

/* Places whose bodies are fetched early: a miss lasts about as long. */
enum { STEPS = 4, AHEAD = 6 };

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

/* An impulse or a velocity: kept in registers, which an array is not. */
typedef struct triple {
    double n, t, o;
} triple;

/* By local_curve, whose search for s is bracketed. */
static triple slip_slowly(double *f, double a, double c0, double c1)
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
    double c[2] = {c0, c1}, x[3] = {a, 0.0, 0.0};

    if (curve.mu > 0.0) {
        f[RECORD_GUESS] = local_curve_slip(&curve, a, c, f[RECORD_GUESS], x);
    }
    return (triple){x[0], x[1], x[2]};
}

/* The slipping impulse, c = q_t + a W_tn. With e = adj(S) c the curve is
 *
 *     r_t = -(e + s c)/det(S + s I),   r_n = (a det(S + s I) + nt.e + s nt.c)/det(S + s I)
 *
 * and phi(s) = mu r_n/|r_t| - 1 a quotient of polynomials, whose two derivatives are at hand:
 * Chebyshev's step is of third order, and from the s of the last sweep mostly one is enough. */
static inline triple slip(double *f, double a, double c0, double c1)
{
    double S11 = f[RECORD_S11], S12 = f[RECORD_S12], S22 = f[RECORD_S22];
    double n0 = f[RECORD_NT], n1 = f[RECORD_NT + 1], mu = f[RECORD_MU];
    double e0 = S22 * c0 - S12 * c1, e1 = S11 * c1 - S12 * c0;
    double A = e0 * e0 + e1 * e1, B = e0 * c0 + e1 * c1, C = c0 * c0 + c1 * c1;
    double trace = S11 + S22, det = S11 * S22 - S12 * S12;
    double q0 = a * det + (n0 * e0 + n1 * e1), q1 = a * trace + (n0 * c0 + n1 * c1);
    double s = f[RECORD_GUESS];

    for (int k = 0; k < STEPS; k++) {
        double H = A + s * (B + B + C * s), G = B + C * s;
        double q = q0 + s * (q1 + a * s), dq = q1 + 2.0 * a * s;
        double M = dq * H - q * G;
        double N = (2.0 * a * H + dq * G - q * C) * H - 3.0 * G * M;
        double newton = (sqrt(H) - mu * q) * H / (mu * M);
        double inv_H = 1.0 / H;
        double bend = 0.5 * N / M * inv_H;
        double next = s + (newton - bend * newton * newton), all;

        if (!(M > 0.0 && next >= 0.0)) {
            break;
        }
        s = next;
        all = det + s * (trace + s);
        if (fabs(newton) * (trace + 2.0 * s) <= last_step * all) {
            double scale = -1.0 / all;
            triple x = {0.0, (e0 + s * c0) * scale, (e1 + s * c1) * scale};
            double beyond, squared = x.t * x.t + x.o * x.o;

            x.n = a - (n0 * x.t + n1 * x.o);
            beyond = fmax(0.0, squared - mu * mu * (x.n * x.n));
            scale =
                1.0 - 0.5 * beyond * (all * all) * inv_H; /* rounding, beyond the cone */
            f[RECORD_GUESS] = s;
            return (triple){x.n, x.t * scale, x.o * scale};
        }
    }
    return slip_slowly(f, a, c0, c1);
}

/* What its own problem makes of impulse r at velocity u. */
static inline triple solve_cone(double *f, triple u, triple r)
{
    double n0 = f[RECORD_NT], n1 = f[RECORD_NT + 1], mu = f[RECORD_MU];
    double S11 = f[RECORD_S11], S12 = f[RECORD_S12], S22 = f[RECORD_S22];
    double a = (r.n + n0 * r.t + n1 * r.o) - u.n * f[RECORD_INV_NN];
    double c0 = u.t - u.n * n0, c1 = u.o - u.n * n1;
    triple x;

    if (a <= 0.0) {
        return (triple){0.0, 0.0, 0.0};
    }
    x.t = r.t - (S22 * c0 - S12 * c1) * f[RECORD_INV_DET];
    x.o = r.o - (S11 * c1 - S12 * c0) * f[RECORD_INV_DET];
    x.n = a - (n0 * x.t + n1 * x.o);
    if (x.n >= 0.0 && x.t * x.t + x.o * x.o <= mu * mu * (x.n * x.n)) {
        return x;
    }
    return slip(f, a, c0 - (S11 * r.t + S12 * r.o), c1 - (S12 * r.t + S22 * r.o));
}

/* y += K^T d of one body, three rows. */
static inline void push(const double *K, triple d, two *y)
{
    const two *i = (const two *)K, *j = (const two *)(K + 12), *k = (const two *)(K + 24);
    two n = {d.n, d.n}, t = {d.t, d.t}, o = {d.o, d.o};

    y[0] += (i[0] * n + j[0] * t) + k[0] * o;
    y[1] += (i[1] * n + j[1] * t) + k[1] * o;
    y[2] += (i[2] * n + j[2] * t) + k[2] * o;
}

static triple relax(double omega, double mu, triple r, triple x)
{
    double z[3] = {r.n + omega * (x.n - r.n), r.t + omega * (x.t - r.t),
                   r.o + omega * (x.o - r.o)};

    if (omega > 1.0) {
        perp_project_cone(mu, 3, z);
    }
    return (triple){z[0], z[1], z[2]};
}

static inline void step_cone(const bodies *q, double omega, const bodies_place *at,
                             double *z, double *change)
{
    double *K = q->record + at->at, *f = K + 36;
    two *a = body_of(q, at->body[0]), *b = body_of(q, at->body[1]);
    triple u, x, d, r = {z[at->first], z[at->first + 1], z[at->first + 2]};

    u.n = row_dot(K, a, b) + (f[RECORD_C] * r.n + f[RECORD_B]);
    u.t = row_dot(K + 12, a, b) + (f[RECORD_C + 1] * r.t + f[RECORD_B + 1]);
    u.o = row_dot(K + 24, a, b) + (f[RECORD_C + 2] * r.o + f[RECORD_B + 2]);
    x = solve_cone(f, u, r);
    if (omega != 1.0) {
        x = relax(omega, f[RECORD_MU], r, x);
    }
    d = (triple){x.n - r.n, x.t - r.t, x.o - r.o};
    if (d.n == 0.0 && d.t == 0.0 && d.o == 0.0) {
        return; /* open contacts push nobody */
    }
    z[at->first] = x.n;
    z[at->first + 1] = x.t;
    z[at->first + 2] = x.o;
    *change += f[RECORD_WEIGHT] * (d.n * d.n + d.t * d.t + d.o * d.o);
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
