/* SPDX-License-Identifier: Apache-2.0
 * splitting/bodies.c: one block of rows on two bodies, solved for itself.
 *
 * Rows of a contact see the two bodies at one point each: with F (3x3) and arms p, q
 *
 *     u = F (v_b + w_b x q - v_a - w_a x p) + C r + b
 *     f = F^T dr:   v_b += f/m_b,  w_b += I_b^-1 (q x f),   v_a -= f/m_a,  w_a -= I_a^-1 (p x f)
 *
 * 15 numbers instead of 36. Where Coulomb's law holds and the block of A is well conditioned
 * its record has what the local problem needs too: with S, nt of splitting/local_curve.h
 *
 *     a = r_n + nt.r_t - u_n/W_nn,      a <= 0: open
 *     x_t = r_t - S^-1 (u_t - u_n nt),  x_n = a - nt.x_t: sticks, if |x_t| <= mu x_n
 *
 * and else it slips on the same curve as elsewhere. All that is as exact as perp_local_cone_solve,
 * in fewer steps one after the other: what limits a sweep in the cache is that a contact waits
 * for its neighbour, and beyond it the bytes of a record. Other blocks are left to
 * local_blocks_step. */
#include <config.h>

#include "bodies_record.h"
#include "matrix/storages.h"

/* A step of third order is the last when what it leaves is below 1e-16 of r; from further away
 * than a few steps the search needs a bracket. */
static const double last_step = 4e-6;

/* Places whose bodies are fetched early: a miss lasts about as long. Contacts whose impulses are
 * when they are only copied. */
enum { STEPS = 4, AHEAD = 12, GIVE_AHEAD = 32 };

/* An impulse or a velocity: kept in registers, which an array is not. */
typedef struct triple {
    double n, t, o;
} triple;

/* By local_curve, whose search for s is bracketed. Without friction there is no curve to slip
 * on: the normal impulse alone is left. */
static triple slip_slowly(double *f, double a, double c0, double c1)
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
 * and phi(s) = mu r_n/|r_t| - 1 a quotient of polynomials, whose two derivatives are at hand:
 * Chebyshev's step is of third order, and from the s of the last sweep mostly one is enough. */
static inline triple slip(double *f, double a, double c0, double c1)
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
                              (M * inverse); /* rounding, beyond the cone */
            f[ARMS_GUESS] = s;
            return (triple){x.n, x.t * scale, x.o * scale};
        }
    }
    return slip_slowly(f, a, c0, c1);
}

/* What its own problem makes of impulse r at velocity u: the change, and in *x the impulse. The
 * change of one that sticks is not their difference: that comes three steps later. */
static inline triple solve_cone(double *f, triple u, triple r, triple *x)
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
    *x = slip(f, a, c0 - (S11 * r.t + S12 * r.o), c1 - (S12 * r.t + S22 * r.o));
    return (triple){x->n - r.n, x->t - r.t, x->o - r.o};
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

/* w x arm + v */
static inline triple point(const body_state *s, const double *arm)
{
    return (triple){s->v[0] + (s->w[1] * arm[2] - s->w[2] * arm[1]),
                    s->v[1] + (s->w[2] * arm[0] - s->w[0] * arm[2]),
                    s->v[2] + (s->w[0] * arm[1] - s->w[1] * arm[0])};
}

/* F v + rest: what is known early comes first. */
static inline double row_of(const double *F, triple v, double rest)
{
    return (F[0] * v.n + rest) + (F[1] * v.t + F[2] * v.o);
}

/* Impulse f at an arm of a body. */
static inline void push(const bodies *q, int32_t body, const double *arm, triple f)
{
    body_shift(q, body, f.n, f.t, f.o);
    body_turn(q, body, arm[1] * f.o - arm[2] * f.t, arm[2] * f.n - arm[0] * f.o,
              arm[0] * f.t - arm[1] * f.n);
}

/* An impulse F^T d on both bodies of a contact. */
static inline __attribute__((always_inline)) void push_both(const bodies *q,
                                                            const bodies_place *at,
                                                            triple d)
{
    const double *f = q->record + at->at;
    triple to = {f[0] * d.n + f[3] * d.t + f[6] * d.o,
                 f[1] * d.n + f[4] * d.t + f[7] * d.o,
                 f[2] * d.n + f[5] * d.t + f[8] * d.o};

    if (at->body[1] != q->still) {
        push(q, at->body[1], f + ARMS_SECOND, to);
    }
    if (at->body[0] != q->still) {
        push(q, at->body[0], f + ARMS_FIRST, (triple){-to.n, -to.t, -to.o});
    }
}

static inline void step_arms(const bodies *q, double omega, const bodies_place *at,
                             double *z, double *change)
{
    double *f = q->record + at->at;
    triple va = point(&q->state[at->body[0]], f + ARMS_FIRST);
    triple vb = point(&q->state[at->body[1]], f + ARMS_SECOND);
    triple v = {vb.n - va.n, vb.t - va.t, vb.o - va.o};
    triple u, x, d, r = {z[at->first], z[at->first + 1], z[at->first + 2]};

    u.n = row_of(f, v, f[ARMS_C] * r.n + f[ARMS_B]);
    u.t = row_of(f + 3, v, f[ARMS_C + 1] * r.t + f[ARMS_B + 1]);
    u.o = row_of(f + 6, v, f[ARMS_C + 2] * r.o + f[ARMS_B + 2]);
    d = solve_cone(f, u, r, &x);
    if (omega != 1.0) {
        x = relax(omega, f[ARMS_MU], r, x);
        d = (triple){x.n - r.n, x.t - r.t, x.o - r.o};
    }
    if (d.n == 0.0 && d.t == 0.0 && d.o == 0.0) {
        return; /* open contacts push nobody */
    }
    z[at->first] = x.n;
    z[at->first + 1] = x.t;
    z[at->first + 2] = x.o;
    *change += f[ARMS_WEIGHT] * (d.n * d.n + d.t * d.t + d.o * d.o);
    push_both(q, at, d);
}

static inline double row_dot(const double *J, const body_state *s)
{
    return (J[0] * s->v[0] + J[1] * s->v[1] + J[2] * s->v[2]) +
           (J[3] * s->w[0] + J[4] * s->w[1] + J[5] * s->w[2]);
}

static void push_rows(const bodies *q, size_t place, const double *dz)
{
    const bodies_place *at = &q->places[place];

    for (unsigned side = 0; side < 2; side++) {
        const double *J = q->record + at->at + 6 * side;
        double f[6] = {0.0};

        if (at->body[side] == q->still) {
            continue;
        }
        for (unsigned i = 0; i < q->blocks[place].dim; i++, J += 12) {
            for (unsigned k = 0; dz[i] != 0.0 && k < 6; k++) {
                f[k] += J[k] * dz[i];
            }
        }
        body_shift(q, at->body[side], f[0], f[1], f[2]);
        body_turn(q, at->body[side], f[3], f[4], f[5]);
    }
}

static bool step_rows(const bodies *q, const local_blocks *l, size_t place, double *z,
                      double *change)
{
    const bodies_place *at = &q->places[place];
    const double *J = q->record + at->at;
    const double *C = q->p->A->pairs->C + at->first, *b = q->p->b + at->first;
    unsigned dim = q->blocks[place].dim;
    double u[LOCAL_DIM_MAX] = {0}, dz[LOCAL_DIM_MAX];
    bool moved = false;

    for (unsigned i = 0; i < dim; i++, J += 12) {
        u[i] = row_dot(J, &q->state[at->body[0]]) +
               row_dot(J + 6, &q->state[at->body[1]]) +
               (C[i] * z[at->first + (int32_t)i] + b[i]);
    }
    if (!perp_local_blocks_step(l, place, u, z, dz, change)) {
        return false;
    }
    for (unsigned i = 0; i < dim; i++) {
        moved = moved || dz[i] != 0.0;
    }
    if (moved) {
        push_rows(q, place, dz);
    }
    return true;
}

static inline bool step(const bodies *q, const local_blocks *l, size_t place, double *z,
                        double *change)
{
    const bodies_place *at = &q->places[place];

    if (at->arms) {
        step_arms(q, l->omega, at, q->own ? q->own : z, change);
        return true;
    }
    return step_rows(q, l, place, z, change);
}

bool perp_bodies_step(const bodies *q, const local_blocks *l, size_t place, double *z,
                      double *change)
{
    return step(q, l, place, z, change);
}

/* Records stand in a row, and the machine sees that; bodies are anywhere. */
static inline void fetch(const bodies *q, size_t place)
{
    __builtin_prefetch(&q->state[q->places[place].body[0]]);
    __builtin_prefetch(&q->state[q->places[place].body[1]]);
}

/* Impulses of contacts from the order of their places to z. To read here and there waits less
 * than to write, as a sweep would have to. */
static void give_back(const bodies *q, double *z)
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

static void take_over(const bodies *q, const double *z)
{
    for (size_t i = 0; q->own && i < q->p->n; i++) {
        if (q->source[i] >= 0) {
            memcpy(q->own + q->source[i], z + i, 3 * sizeof *z);
        }
    }
}

size_t perp_bodies_pass(const bodies *q, const local_blocks *l, const size_t *sequence,
                        bool back, double *z, double *change)
{
    size_t refused = SIZE_MAX;
    double energy = *change;

    for (size_t i = 0; i < q->count && refused == SIZE_MAX; i++) {
        size_t k = back ? q->count - 1 - i : i;
        size_t place = sequence ? sequence[k] : k;

        if (i + AHEAD < q->count) {
            size_t next = back ? k - AHEAD : k + AHEAD;

            fetch(q, sequence ? sequence[next] : next);
        }
        if (!step(q, l, place, z, &energy)) {
            refused = place;
        }
    }
    give_back(q, z);
    *change = energy;
    return refused;
}

void perp_bodies_draw(bodies *q, const double *z)
{
    for (size_t k = 0; k <= (size_t)q->still; k++) {
        memset(q->state[k].v, 0, sizeof q->state[k].v);
        memset(q->state[k].w, 0, sizeof q->state[k].w);
    }
    take_over(q, z);
    for (size_t place = 0; place < q->count; place++) {
        const double *r =
            (q->own && q->places[place].arms ? q->own : z) + q->places[place].first;

        if (q->places[place].arms) {
            push_both(q, &q->places[place], (triple){r[0], r[1], r[2]});
        } else {
            push_rows(q, place, r);
        }
    }
}
