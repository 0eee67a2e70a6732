/* SPDX-License-Identifier: Apache-2.0
 * gradient/contacts.c: steps of a first-order method in one pass over the contacts.
 *
 * Frames and arms are those that the matrix keeps, or are found in its rows. A pass reads and
 * writes some 300 bytes per contact and takes about 150 flops. */
#include <config.h>

#include "contacts.h"
#include "matrix/storages.h"
#include "vectors.h"

/* F, arms and bodies of block k; false where it has another form. */
static bool contact_write(const perp_contacts *c, size_t k)
{
    const perp_pair_rows *pairs = c->p->A->pairs;
    const perp_block *block = &c->p->set->blocks[k];
    const int32_t *body = perp_pairs_body(&pairs->at, block->first);
    perp_contact_record *to = &c->record[k];
    double frame[15];

    for (size_t i = 1; i < block->dim; i++) {
        if (!perp_pairs_together(&pairs->at, block->first, block->first + i)) {
            return false;
        }
    }
    if (block->kind != PERP_SET_CONE || block->dim != 3 ||
        !perp_pairs_find_frame(pairs, block->first, frame)) {
        return false;
    }
    memset(to, 0, sizeof *to);
    memcpy(to->F, frame, sizeof to->F);
    memcpy(to->first, frame + 9, sizeof to->first);
    memcpy(to->second, frame + 12, sizeof to->second);
    for (size_t side = 0; side < 2; side++) {
        to->body[side] = body[side] >= 0 ? body[side] : (int32_t)c->bodies;
    }
    return true;
}

bool perp_contacts_init(perp_contacts *c, const perp_problem *p, perp_workspace *ws)
{
    size_t mark = perp_workspace_mark(ws);
    bool good = p->A->pairs && !p->A->pairs->scaled;

    *c = (perp_contacts){.p = p, .count = p->set->count};
    if (!good) {
        return true;
    }
    c->bodies = p->A->pairs->at.bodies;
    c->record = perp_workspace_alloc(ws, c->count, sizeof *c->record);
    if (!c->record) {
        return false;
    }
    for (size_t k = 0; good && k < c->count; k++) {
        good = contact_write(c, k);
    }
    if (!good) {
        perp_workspace_release(ws, mark);
        c->record = NULL;
    }
    return true;
}

/* start[k + 1] moves from the first side of body k to the end. */
bool perp_contacts_list(perp_contacts *c, perp_workspace *ws)
{
    c->start = perp_workspace_sizes(ws, c->bodies + 3);
    c->side = perp_workspace_alloc(ws, 2 * c->count, sizeof *c->side);
    c->push = perp_workspace_raw(ws, 12 * c->count, sizeof *c->push);
    if (!c->start || !c->side || !c->push) {
        return false;
    }
    for (size_t i = 0; i < 2 * c->count; i++) {
        c->start[c->record[i / 2].body[i % 2] + 2]++;
    }
    for (size_t k = 0; k < c->bodies; k++) {
        c->start[k + 2] += c->start[k + 1];
    }
    for (size_t i = 0; i < 2 * c->count; i++) {
        c->side[c->start[c->record[i / 2].body[i % 2] + 1]++] = (uint32_t)i;
    }
    return true;
}

void perp_contacts_scale(const perp_contacts *c, const double *scale)
{
    for (size_t k = 0; k < c->count; k++) {
        for (size_t i = 0; i < 9; i++) {
            c->record[k].F[i] *= scale[3 * k + i / 3];
        }
    }
}

void perp_contacts_refresh(perp_contacts *c, const double *scale)
{
    const double *C = c->p->A->pairs->C;

    for (size_t k = 0; k < c->count; k++) {
        perp_contact_record *to = &c->record[k];
        const double *s = scale + 3 * k;

        for (size_t i = 0; i < 3; i++) {
            to->b[i] = s[i] * c->p->b[3 * k + i];
            to->C[i] = s[i] * s[i] * C[3 * k + i];
        }
        to->mu = c->p->set->blocks[k].mu * s[0] / s[1];
        to->shrink = 1.0 / (1.0 + to->mu * to->mu);
    }
}

void perp_contacts_divide(const perp_contacts *c, size_t from, size_t to,
                          const double *momenta, double *velocities)
{
    for (size_t k = from; k < to; k++) {
        perp_pairs_divide(c->p->A->pairs, (int32_t)k, momenta + 6 * k,
                          velocities + 6 * k);
    }
}

/* Vectors of three numbers, written out: the compiler does not unroll short loops at -O2. */

static inline double contact_dot(const double *x, const double *y)
{
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

static inline void contact_add(double scale, const double *x, double *y)
{
    y[0] += scale * x[0];
    y[1] += scale * x[1];
    y[2] += scale * x[2];
}

/* u := J v */
static inline void contact_velocity(const perp_contact_record *k, const double *v,
                                    double *u)
{
    const double *v1 = v + 6 * (size_t)k->body[0];
    const double *v2 = v + 6 * (size_t)k->body[1];
    double a[3], d[3];

    perp_cross(v2 + 3, k->second, d);
    perp_cross(v1 + 3, k->first, a);
    contact_add(1.0, v2, d);
    contact_add(1.0, v1, a);
    contact_add(-1.0, a, d);
    u[0] = contact_dot(k->F, d);
    u[1] = contact_dot(k->F + 3, d);
    u[2] = contact_dot(k->F + 6, d);
}

/* f := F^T z, the impulse on the second body */
static inline void contact_impulse(const perp_contact_record *k, const double *z,
                                   double *f)
{
    f[0] = f[1] = f[2] = 0.0;
    contact_add(z[0], k->F, f);
    contact_add(z[1], k->F + 3, f);
    contact_add(z[2], k->F + 6, f);
}

/* momenta of a body += sign (f, arm x f) */
static inline void contact_push_body(double sign, const double *arm, const double *f,
                                     double *momenta)
{
    double a[3];

    perp_cross(arm, f, a);
    contact_add(sign, f, momenta);
    contact_add(sign, a, momenta + 3);
}

/* momenta += J^T z */
static inline void contact_push(const perp_contact_record *k, const double *z,
                                double *momenta)
{
    double f[3];

    contact_impulse(k, z, f);
    contact_push_body(-1.0, k->first, f, momenta + 6 * (size_t)k->body[0]);
    contact_push_body(1.0, k->second, f, momenta + 6 * (size_t)k->body[1]);
}

/* push := J^T z, of the first body, then of the second */
static inline void contact_store(const perp_contact_record *k, const double *z,
                                 double *push)
{
    double f[3], a[3];

    contact_impulse(k, z, f);
    perp_cross(k->first, f, a);
    for (size_t i = 0; i < 3; i++) {
        push[i] = -f[i];
        push[3 + i] = -a[i];
        push[6 + i] = f[i];
    }
    perp_cross(k->second, f, push + 9);
}

void perp_contacts_momenta(const perp_contacts *c, const double *x, double *momenta)
{
    memset(momenta, 0, 6 * (c->bodies + 1) * sizeof *momenta);
    for (size_t k = 0; k < c->count; k++) {
        contact_push(&c->record[k], x + 3 * k, momenta);
    }
}

void perp_contacts_gather(const perp_contacts *c, size_t from, size_t to, double *momenta)
{
    for (size_t body = from; body < to; body++) {
        double sum[6] = {0.0};

        for (size_t i = c->start[body]; i < c->start[body + 1]; i++) {
            const double *push = c->push + 6 * (size_t)c->side[i];

            contact_add(1.0, push, sum);
            contact_add(1.0, push + 3, sum + 3);
        }
        memcpy(momenta + 6 * body, sum, sizeof sum);
    }
}

/* z := P(z), the projection on the cone */
static inline void contact_project(const perp_contact_record *k, double *z)
{
    double t2 = z[1] * z[1] + z[2] * z[2];
    double n = z[0];
    double mu = k->mu;

    if (n >= 0.0 && t2 <= mu * mu * n * n) {
        return;
    }
    if (n <= 0.0 && mu * mu * t2 <= n * n) {
        z[0] = z[1] = z[2] = 0.0;
    } else {
        double t = sqrt(t2);
        double normal = (n + mu * t) * k->shrink;
        double factor = mu * normal / t;

        z[0] = normal;
        z[1] *= factor;
        z[2] *= factor;
    }
}

perp_contact_sums perp_contacts_step(const perp_contacts *c, const perp_contact_step *s,
                                     size_t from, size_t to)
{
    perp_contact_sums sums = {0.0, 0.0, 0.0, 0.0};
    double beta = s->beta, step = 1.0 / s->L, follow = s->follow;

    for (size_t k = from; k < to; k++) {
        perp_contact_record *at = &c->record[k];
        const double *x = s->x + 3 * k, *before = s->before + 3 * k;
        double y[3] = {x[0] + beta * (x[0] - before[0]), x[1] + beta * (x[1] - before[1]),
                       x[2] + beta * (x[2] - before[2])};
        double d[3], g[3], z[3];

        contact_velocity(at, s->velocities, g);
        g[0] += at->b[0] + at->C[0] * y[0];
        g[1] += at->b[1] + at->C[1] * y[1];
        g[2] += at->b[2] + at->C[2] * y[2];
        if (follow > 0.0) {
            double lag = at->mu * sqrt(g[1] * g[1] + g[2] * g[2]) - at->shift;

            at->shift += follow * lag;
            g[0] += at->shift;
            sums.lag += lag * lag;
        }
        memcpy(z, y, sizeof z);
        contact_add(-step, g, z);
        contact_project(at, z);
        memcpy(s->next + 3 * k, z, sizeof z);
        for (size_t i = 0; i < 3; i++) {
            s->z[3 * k + i] = s->scale[3 * k + i] * z[i];
        }
        if (s->momenta) {
            contact_push(at, z, s->momenta);
        } else {
            contact_store(at, z, c->push + 12 * k);
        }
        memcpy(d, z, sizeof d);
        contact_add(-1.0, y, d);
        sums.dd += contact_dot(d, d);
        sums.dCd +=
            at->C[0] * d[0] * d[0] + at->C[1] * d[1] * d[1] + at->C[2] * d[2] * d[2];
        contact_add(-1.0, x, z);
        sums.uphill += contact_dot(g, z);
    }
    return sums;
}
