/* SPDX-License-Identifier: Apache-2.0
 * splitting/bodies.c: one block of rows on two bodies, solved for itself.
 *
 * The rows of a contact see each of the two bodies at one point: with F (3x3) and lever arms p, q
 *
 *     u = F (v_b + w_b x q - v_a - w_a x p) + C r + b
 *     f = F^T dr:   v_b += f/m_b,  w_b += I_b^-1 (q x f),   v_a -= f/m_a,  w_a -= I_a^-1 (p x f)
 *
 * which are 15 numbers instead of 36. Under Coulomb's law and with a well-conditioned block of A
 * the record also has the data of the local problem: with S, nt of splitting/local_curve.h
 *
 *     a = r_n + nt.r_t - u_n/W_nn,      a <= 0: open
 *     x_t = r_t - S^-1 (u_t - u_n nt),  x_n = a - nt.x_t: sticks, if |x_t| <= mu x_n
 *
 * and otherwise it slips on the curve of local_curve.h. This is as exact as
 * perp_local_cone_solve, with fewer dependent operations: in the cache a sweep is limited by the
 * latency from a contact to its neighbour, and out of the cache by the size of the records. Other
 * blocks are solved by perp_local_blocks_step. */
#include <config.h>

#include "bodies_record.h"
#include "matrix/storages.h"
#include "patches.h"

/* A step of third order below this part is the last one: its error is below 1e-16 of r. A start
 * that needs more than STEPS steps needs a bracket. */
static const double last_step = 4e-6;

/* Positions by which bodies are prefetched, about the duration of a cache miss; contacts by which
 * impulses are prefetched when they are only copied. */
enum { STEPS = 4, AHEAD = 12, GIVE_AHEAD = 32 };

/* An impulse or a velocity, held in registers. */
typedef struct triple {
    double n, t, o;
} triple;

/* By local_curve, whose search for s is bracketed. Without friction only the normal impulse is
 * left. */
static triple bodies_slip_bracketed(double *f, double a, double c0, double c1)
{
    local_curve curve = {
        .S11 = f[ARMS_T22] * f[ARMS_DET],
        .S12 = f[ARMS_T12] * f[ARMS_DET],
        .S21 = f[ARMS_T12] * f[ARMS_DET],
        .S22 = f[ARMS_T11] * f[ARMS_DET],
        .nt = {f[ARMS_NT], f[ARMS_NT + 1]},
        .mu = f[ARMS_MU],
        .inv_det = 1.0 / f[ARMS_DET],
        .stride = (f[ARMS_T11] + f[ARMS_T22]) * f[ARMS_DET],
    };
    double c[2] = {c0, c1}, x[3] = {a, 0.0, 0.0};

    if (curve.mu > 0.0) {
        f[ARMS_GUESS] = perp_local_curve_slip(&curve, a, c, f[ARMS_GUESS], x);
    }
    return (triple){x[0], x[1], x[2]};
}

/* The slipping impulse, c = q_t + a W_tn. With e = adj(S) c the curve is
 *
 *     r_t = -(e + s c)/det(S + s I),   r_n = (a det(S + s I) + nt.e + s nt.c)/det(S + s I)
 *
 * and phi(s) = mu r_n/|r_t| - 1 is a quotient of polynomials with known derivatives:
 * Chebyshev's step is of third order, and from the s of the last sweep one step mostly suffices. */
static inline triple bodies_slip(double *f, double a, double c0, double c1)
{
    double det = f[ARMS_DET], S11 = f[ARMS_T22] * det, S12 = f[ARMS_T12] * det,
           S22 = f[ARMS_T11] * det;
    double n0 = f[ARMS_NT], n1 = f[ARMS_NT + 1], mu = f[ARMS_MU];
    double e0 = S22 * c0 - S12 * c1, e1 = S11 * c1 - S12 * c0;
    double A = e0 * e0 + e1 * e1, B = e0 * c0 + e1 * c1, C = c0 * c0 + c1 * c1;
    double trace = S11 + S22;
    double q0 = a * det + (n0 * e0 + n1 * e1), q1 = a * trace + (n0 * c0 + n1 * c1);
    double s = f[ARMS_GUESS], inv_mu = f[ARMS_INV_MU];

    for (int k = 0; k < STEPS; k++) {
        double H = A + s * (B + B + C * s), G = B + C * s;
        double q = q0 + s * (q1 + a * s), dq = q1 + 2.0 * a * s;
        double M = dq * H - q * G;
        double N = (2.0 * a * H + dq * G - q * C) * H - 3.0 * G * M;
        double inverse = 1.0 / (M * H);
        double newton = (sqrt(H) - mu * q) * (H * H * inv_mu) * inverse;
        double bend = 0.5 * N * inverse;
        double next = s + (newton - bend * newton * newton), all;

        if (!(inv_mu > 0.0 && M > 0.0 && next >= 0.0 && next < INFINITY)) {
            break;
        }
        s = next;
        all = det + s * (trace + s);
        if (fabs(newton) * (trace + 2.0 * s) <= last_step * all) {
            double scale = -1.0 / all;
            triple x = {0.0, (e0 + s * c0) * scale, (e1 + s * c1) * scale};
            double beyond, squared = x.t * x.t + x.o * x.o;

            x.n = a - (n0 * x.t + n1 * x.o);
            beyond = squared - mu * mu * (x.n * x.n);
            beyond = beyond > 0.0 ? beyond : 0.0;
            scale = 1.0 - 0.5 * beyond * (all * all) *
                              (M * inverse); /* of rounding beyond the cone */
            f[ARMS_GUESS] = s;
            return (triple){x.n, x.t * scale, x.o * scale};
        }
    }
    return bodies_slip_bracketed(f, a, c0, c1);
}

/* The local problem with impulse r at velocity u: returns the change, and in *x the impulse. For
 * a sticking contact the change is computed directly, three operations before x - r. */
static inline triple bodies_solve_cone(double *f, triple u, triple r, triple *x)
{
    double n0 = f[ARMS_NT], n1 = f[ARMS_NT + 1], mu = f[ARMS_MU];
    double a = (r.n + n0 * r.t + n1 * r.o) - u.n * f[ARMS_INV_NN];
    double c0 = u.t - u.n * n0, c1 = u.o - u.n * n1;
    double S11, S12, S22;
    triple d;

    if (a <= 0.0) {
        *x = (triple){0.0, 0.0, 0.0};
        return (triple){-r.n, -r.t, -r.o};
    }
    d.t = f[ARMS_T12] * c1 - f[ARMS_T11] * c0;
    d.o = f[ARMS_T12] * c0 - f[ARMS_T22] * c1;
    d.n = -(u.n * f[ARMS_INV_NN] + (n0 * d.t + n1 * d.o));
    *x = (triple){r.n + d.n, r.t + d.t, r.o + d.o};
    if (x->n >= 0.0 && x->t * x->t + x->o * x->o <= mu * mu * (x->n * x->n)) {
        return d;
    }
    S11 = f[ARMS_T22] * f[ARMS_DET];
    S12 = f[ARMS_T12] * f[ARMS_DET];
    S22 = f[ARMS_T11] * f[ARMS_DET];
    *x = bodies_slip(f, a, c0 - (S11 * r.t + S12 * r.o), c1 - (S12 * r.t + S22 * r.o));
    return (triple){x->n - r.n, x->t - r.t, x->o - r.o};
}

static triple bodies_relax(double omega, double mu, triple r, triple x)
{
    double z[3] = {r.n + omega * (x.n - r.n), r.t + omega * (x.t - r.t),
                   r.o + omega * (x.o - r.o)};

    if (omega > 1.0) {
        perp_project_cone(mu, 3, z);
    }
    return (triple){z[0], z[1], z[2]};
}

/* w x arm + v */
static inline triple bodies_point_velocity(const body_state *s, const double *arm)
{
    return (triple){s->v[0] + (s->w[1] * arm[2] - s->w[2] * arm[1]),
                    s->v[1] + (s->w[2] * arm[0] - s->w[0] * arm[2]),
                    s->v[2] + (s->w[0] * arm[1] - s->w[1] * arm[0])};
}

/* F v + rest, the operands known first being added first. */
static inline double bodies_row_velocity(const double *F, triple v, double rest)
{
    return (F[0] * v.n + rest) + (F[1] * v.t + F[2] * v.o);
}

/* An impulse f at a lever arm of a body. */
static inline void bodies_apply_force(const bodies *q, int32_t body, const double *arm,
                                      triple f)
{
    body_add_linear(q, body, f.n, f.t, f.o);
    body_add_angular(q, body, arm[1] * f.o - arm[2] * f.t, arm[2] * f.n - arm[0] * f.o,
                     arm[0] * f.t - arm[1] * f.n);
}

/* An impulse F^T d on both bodies of a contact. */
static inline __attribute__((always_inline)) void bodies_apply_impulse(
    const bodies *q, const bodies_position *at, triple d)
{
    const double *f = q->record + at->at;
    triple to = {f[0] * d.n + f[3] * d.t + f[6] * d.o,
                 f[1] * d.n + f[4] * d.t + f[7] * d.o,
                 f[2] * d.n + f[5] * d.t + f[8] * d.o};

    if (at->body[1] != q->still) {
        bodies_apply_force(q, at->body[1], f + ARMS_SECOND, to);
    }
    if (at->body[0] != q->still) {
        bodies_apply_force(q, at->body[0], f + ARMS_FIRST, (triple){-to.n, -to.t, -to.o});
    }
}

static inline void bodies_step_arms(const bodies *q, double omega,
                                    const bodies_position *at, double *z, double *change)
{
    double *f = q->record + at->at;
    triple va = bodies_point_velocity(&q->state[at->body[0]], f + ARMS_FIRST);
    triple vb = bodies_point_velocity(&q->state[at->body[1]], f + ARMS_SECOND);
    triple v = {vb.n - va.n, vb.t - va.t, vb.o - va.o};
    triple u, x, d, r = {z[at->first], z[at->first + 1], z[at->first + 2]};

    u.n = bodies_row_velocity(f, v, f[ARMS_C] * r.n + f[ARMS_B]);
    u.t = bodies_row_velocity(f + 3, v, f[ARMS_C + 1] * r.t + f[ARMS_B + 1]);
    u.o = bodies_row_velocity(f + 6, v, f[ARMS_C + 2] * r.o + f[ARMS_B + 2]);
    d = bodies_solve_cone(f, u, r, &x);
    if (omega != 1.0) {
        x = bodies_relax(omega, f[ARMS_MU], r, x);
        d = (triple){x.n - r.n, x.t - r.t, x.o - r.o};
    }
    if (d.n == 0.0 && d.t == 0.0 && d.o == 0.0) {
        return; /* zero impulse: no change of velocities */
    }
    z[at->first] = x.n;
    z[at->first + 1] = x.t;
    z[at->first + 2] = x.o;
    *change += f[ARMS_WEIGHT] * (d.n * d.n + d.t * d.t + d.o * d.o);
    bodies_apply_impulse(q, at, d);
}

/* What stands under a body that never moves is not read. */
static inline double bodies_row_dot(const bodies *q, const double *J, int32_t body)
{
    const body_state *s = &q->state[body];

    if (body == q->still) {
        return 0.0;
    }
    return (J[0] * s->v[0] + J[1] * s->v[1] + J[2] * s->v[2]) +
           (J[3] * s->w[0] + J[4] * s->w[1] + J[5] * s->w[2]);
}

static void bodies_apply_rows(const bodies *q, size_t position, const double *dz)
{
    const bodies_position *at = &q->positions[position];

    double f[12] = {0.0};

    for (unsigned i = 0; i < q->blocks[position].dim; i++) {
        double made[12];
        const double *J =
            perp_pairs_row(&q->p->A->pairs->at, (size_t)at->first + i, made);

        for (unsigned k = 0; dz[i] != 0.0 && k < 12; k++) {
            f[k] += J[k] * dz[i];
        }
    }
    for (unsigned side = 0; side < 2; side++) {
        const double *s = f + 6 * side;

        if (at->body[side] != q->still) {
            body_add_linear(q, at->body[side], s[0], s[1], s[2]);
            body_add_angular(q, at->body[side], s[3], s[4], s[5]);
        }
    }
}

static bool bodies_step_rows(const bodies *q, const local_blocks *l, size_t position,
                             double *z, double *change)
{
    const bodies_position *at = &q->positions[position];
    const double *C = q->p->A->pairs->C + at->first, *b = q->p->b + at->first;
    unsigned dim = q->blocks[position].dim;
    double u[LOCAL_DIM_MAX] = {0}, dz[LOCAL_DIM_MAX];
    bool moved = false;

    for (unsigned i = 0; i < dim; i++) {
        double made[12];
        const double *J =
            perp_pairs_row(&q->p->A->pairs->at, (size_t)at->first + i, made);

        u[i] = bodies_row_dot(q, J, at->body[0]) + bodies_row_dot(q, J + 6, at->body[1]) +
               (C[i] * z[at->first + (int32_t)i] + b[i]);
    }
    if (!perp_local_blocks_step(l, position, u, z, dz, change)) {
        return false;
    }
    for (unsigned i = 0; i < dim; i++) {
        moved = moved || dz[i] != 0.0;
    }
    if (moved) {
        bodies_apply_rows(q, position, dz);
    }
    return true;
}

static inline bool bodies_step(const bodies *q, const local_blocks *l, size_t position,
                               double *z, double *change)
{
    const bodies_position *at = &q->positions[position];

    if (at->arms) {
        bodies_step_arms(q, l->omega, at, q->own ? q->own : z, change);
        return true;
    }
    return bodies_step_rows(q, l, position, z, change);
}

/* Records are contiguous and prefetched by the hardware; bodies are not. */
static inline void bodies_prefetch(const bodies *q, size_t position)
{
    __builtin_prefetch(&q->state[q->positions[position].body[0]]);
    __builtin_prefetch(&q->state[q->positions[position].body[1]]);
}

size_t perp_bodies_run(const bodies *q, const local_blocks *l, size_t from, size_t to,
                       double *z, double *change)
{
    double energy = *change;
    size_t k = from;

    for (; k < to; k++) {
        if (k + AHEAD < q->count) {
            bodies_prefetch(q, k + AHEAD);
            __builtin_prefetch(z + q->positions[k + AHEAD].first);
        }
        if (!bodies_step(q, l, k, z, &energy)) {
            break;
        }
    }
    *change = energy;
    return k;
}

/* Impulses of contacts from the order of positions to z. Scattered reads are faster than the
 * scattered writes of a sweep. */
static void bodies_store_impulses(const bodies *q, double *z)
{
    size_t n = q->own ? q->p->n : 0;

    for (size_t i = 0; i < n; i++) {
        if (i + 3 * GIVE_AHEAD < n && q->source[i + 3 * GIVE_AHEAD] >= 0) {
            __builtin_prefetch(q->own + q->source[i + 3 * GIVE_AHEAD]);
        }
        if (q->source[i] >= 0) {
            memcpy(z + i, q->own + q->source[i], 3 * sizeof *z);
            i += 2;
        }
    }
}

static void bodies_load_impulses(const bodies *q, const double *z)
{
    for (size_t i = 0; q->own && i < q->p->n; i++) {
        if (q->source[i] >= 0) {
            memcpy(q->own + q->source[i], z + i, 3 * sizeof *z);
        }
    }
}

/* Contacts from position k on, in the direction of the sweep, that were solved together, or 0. */
static inline size_t bodies_step_patch(const bodies *q, size_t k, bool back, double *z,
                                       double *change)
{
    contact_patch *patch;

    if (q->patch[k] == 0) {
        return 0;
    }
    patch = &q->patches[q->patch[k] - 1];
    if (k != patch->first + (back ? patch->count - 1 : 0) ||
        !perp_patches_step(q, patch, q->own ? q->own : z, change)) {
        return 0;
    }
    return patch->count;
}

size_t perp_bodies_pass(const bodies *q, const local_blocks *l, const size_t *sequence,
                        bool back, double *z, double *change)
{
    size_t refused = SIZE_MAX, together = 0;
    bool patches = q->patch && !sequence && l->omega == 1.0;
    double energy = *change;

    for (size_t i = 0; i < q->count && refused == SIZE_MAX; i++) {
        size_t k = back ? q->count - 1 - i : i;
        size_t position = sequence ? sequence[k] : k;

        if (i + AHEAD < q->count) {
            size_t next = back ? k - AHEAD : k + AHEAD;

            bodies_prefetch(q, sequence ? sequence[next] : next);
        }
        together = patches ? bodies_step_patch(q, k, back, z, &energy) : 0;
        if (together > 0) {
            i += together - 1;
        } else if (!bodies_step(q, l, position, z, &energy)) {
            refused = position;
        }
    }
    bodies_store_impulses(q, z);
    *change = energy;
    return refused;
}

void perp_bodies_velocities(bodies *q, const double *z)
{
    for (size_t k = 0; k <= (size_t)q->still; k++) {
        memset(q->state[k].v, 0, sizeof q->state[k].v);
        memset(q->state[k].w, 0, sizeof q->state[k].w);
    }
    bodies_load_impulses(q, z);
    for (size_t position = 0; position < q->count; position++) {
        const double *r = (q->own && q->positions[position].arms ? q->own : z) +
                          q->positions[position].first;

        if (q->positions[position].arms) {
            bodies_apply_impulse(q, &q->positions[position], (triple){r[0], r[1], r[2]});
        } else {
            bodies_apply_rows(q, position, r);
        }
    }
}
