/* SPDX-License-Identifier: Apache-2.0
 * gradient/descent.c: accelerated projected steps in a block-diagonal metric. */
#include <config.h>

#include "descent.h"
#include "judge/judge.h"
#include "vectors.h"

enum {
    CONTACTS_CHUNK = 512, /* some 15 us */
    BODIES_CHUNK = 256,
    CONTACTS_SHARED = 2000, /* fewer are not worth a team */
};

/* D^-1/2 of a contact: of A_nn, and of the mean of A_tt and A_ss. */
static void descent_scale_contact(const perp_descent *s, const perp_block *block)
{
    double *to = s->scale + block->first;
    double D[9];
    double normal = 0.0;
    double tangential = 0.0;

    perp_operator_diagonal_block(s->p->A, block->first, 3, D);
    normal = D[0];
    tangential = 0.5 * (D[4] + D[8]);
    if (normal > 0.0 && tangential > 0.0 && isfinite(normal) && isfinite(tangential)) {
        to[0] = 1.0 / sqrt(normal);
        to[1] = to[2] = 1.0 / sqrt(tangential);
    }
}

static void descent_read_scales(const perp_descent *s)
{
    for (size_t i = 0; i < s->p->n; i++) {
        s->scale[i] = 1.0;
    }
    for (size_t k = 0; k < s->p->set->count; k++) {
        const perp_block *block = &s->p->set->blocks[k];

        if (block->kind == PERP_SET_CONE && block->dim == 3) {
            descent_scale_contact(s, block);
        }
    }
}

void perp_descent_refresh(perp_descent *s)
{
    const perp_set *set = s->p->set;

    for (size_t i = 0; i < s->p->n; i++) {
        s->b[i] = s->scale[i] * s->p->b[i];
    }
    perp_projection_refresh(&s->projection);
    for (size_t k = 0; k < set->count; k++) {
        const perp_block *block = &set->blocks[k];

        if (block->kind == PERP_SET_CONE && block->dim == 3) {
            const double *scale = s->scale + block->first;
            double mu = block->mu * scale[0] / scale[1];

            s->projection.lo[k] = mu;
            s->projection.hi[k] = 1.0 / (1.0 + mu * mu);
        }
    }
    if (s->contacts.record) {
        perp_contacts_refresh(&s->contacts, s->scale);
    }
}

static bool descent_memory(perp_descent_point *at, const perp_descent *s,
                           perp_workspace *ws)
{
    size_t bodies = 6 * (s->contacts.bodies + 1);

    at->x = perp_workspace_reals(ws, s->p->n + 1);
    at->Ax = perp_workspace_reals(ws, s->contacts.record ? bodies : s->p->n + 1);
    at->momenta = s->contacts.record ? perp_workspace_reals(ws, bodies) : NULL;
    return at->x && at->Ax && (at->momenta || !s->contacts.record);
}

static size_t descent_chunks(size_t count, size_t length)
{
    return (count + length - 1) / length;
}

static size_t descent_contact_chunks(const perp_descent *s)
{
    return descent_chunks(s->contacts.count, CONTACTS_CHUNK);
}

static size_t descent_body_chunks(const perp_descent *s)
{
    return descent_chunks(s->contacts.bodies, BODIES_CHUNK);
}

/* Velocities of y. */
static void descent_velocities(void *context, size_t from, size_t to)
{
    const perp_descent *s = context;
    const double *v = s->at.Ax, *v0 = s->before.Ax;

    for (size_t i = 6 * from; i < 6 * to; i++) {
        s->scaled[i] = v[i] + s->step.beta * (v[i] - v0[i]);
    }
}

static void descent_contacts(void *context, size_t from, size_t to)
{
    const perp_descent *s = context;

    s->contact_sums[from / CONTACTS_CHUNK] =
        perp_contacts_step(&s->contacts, &s->step, from, to);
}

/* Momenta and velocities of the next point. */
static void descent_bodies(void *context, size_t from, size_t to)
{
    const perp_descent *s = context;
    const double *v = s->scaled, *p = s->at.momenta, *p0 = s->before.momenta;
    perp_descent_sums sums = {0};

    if (s->team) {
        perp_contacts_gather(&s->contacts, from, to, s->next.momenta);
    }
    perp_contacts_divide(&s->contacts, from, to, s->next.momenta, s->next.Ax);
    for (size_t i = 6 * from; i < 6 * to; i++) {
        double f = p[i] + s->step.beta * (p[i] - p0[i]);

        sums.yAy += v[i] * f;
        sums.dAd += (s->next.Ax[i] - v[i]) * (s->next.momenta[i] - f);
    }
    s->body_sums[from / BODIES_CHUNK] = sums;
}

/* What each thread does of a step. */
static void descent_work(void *context, size_t member)
{
    const perp_descent *s = context;
    size_t contacts = s->contacts.count, bodies = s->contacts.bodies;

    perp_threads_share(s->team, member, bodies, BODIES_CHUNK, descent_velocities,
                       context);
    perp_threads_barrier(s->team);
    perp_threads_share(s->team, member, contacts, CONTACTS_CHUNK, descent_contacts,
                       context);
    perp_threads_barrier(s->team);
    perp_threads_share(s->team, member, bodies, BODIES_CHUNK, descent_bodies, context);
}

/* The team, and the sums of chunks. */
static perp_status descent_init_contacts(perp_descent *s, size_t threads,
                                         perp_workspace *ws, perp_error *err)
{
    s->contact_sums =
        perp_workspace_alloc(ws, descent_contact_chunks(s), sizeof *s->contact_sums);
    s->body_sums = perp_workspace_alloc(ws, descent_body_chunks(s), sizeof *s->body_sums);
    if (threads > 1 && s->contacts.count >= CONTACTS_SHARED) {
        if (perp_contacts_list(&s->contacts, ws)) {
            s->team = perp_workspace_team(ws, threads);
        }
    }
    return perp_workspace_status(ws, err);
}

perp_status perp_descent_init(perp_descent *s, const perp_problem *p, size_t threads,
                              perp_workspace *ws, perp_error *err)
{
    size_t bodies = 0;

    s->p = p;
    s->scale = perp_workspace_reals(ws, p->n + 1);
    s->b = perp_workspace_reals(ws, p->n + 1);
    s->shift = perp_workspace_reals(ws, p->set->count);
    if (!s->scale || !s->b || !s->shift ||
        !perp_projection_init(&s->projection, p->set, ws) ||
        !perp_contacts_init(&s->contacts, p, ws)) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu rows", p->n);
    }
    bodies = 6 * (s->contacts.bodies + 1);
    s->scaled = perp_workspace_reals(ws, s->contacts.record ? bodies : p->n + 1);
    if (!s->scaled || !descent_memory(&s->at, s, ws) ||
        !descent_memory(&s->before, s, ws) || !descent_memory(&s->next, s, ws)) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu rows", p->n);
    }
    descent_read_scales(s);
    if (s->contacts.record) {
        perp_contacts_scale(&s->contacts, s->scale);
    }
    perp_descent_refresh(s);
    return s->contacts.record ? descent_init_contacts(s, threads, ws, err) : PERP_OK;
}

/* z := x y by entries. Vectors have an even number of places, the last one 0 if n is odd. */
static void descent_multiply(size_t n, const double *x, const double *y, double *z)
{
    for (size_t i = 0; i < n; i += 2) {
        vec_store(z + i, vec_load(x + i) * vec_load(y + i));
    }
}

/* Two entries of x + beta (x - x0). */
static inline vec_pair descent_beyond(double beta, const double *x, const double *x0)
{
    return vec_load(x) + beta * (vec_load(x) - vec_load(x0));
}

/* The product with the point, or the velocities and momenta. */
static void descent_product(const perp_descent *s, const perp_descent_point *at,
                            perp_result *r)
{
    size_t n = s->p->n;

    r->work.products += 1.0;
    if (s->contacts.record) {
        perp_contacts_momenta(&s->contacts, at->x, at->momenta);
        perp_contacts_divide(&s->contacts, 0, s->contacts.bodies, at->momenta, at->Ax);
        return;
    }
    descent_multiply(n, s->scale, at->x, s->scaled);
    perp_operator_apply(s->p->A, s->scaled, at->Ax);
    descent_multiply(n, s->scale, at->Ax, at->Ax);
}

void perp_descent_answer(const perp_descent *s, double *z)
{
    for (size_t i = 0; i < s->p->n; i++) {
        z[i] = s->scale[i] * s->at.x[i];
    }
}

static void descent_copy(const perp_descent *s, const perp_descent_point *from,
                         const perp_descent_point *to)
{
    size_t count = s->contacts.record ? 6 * (s->contacts.bodies + 1) : s->p->n;

    memcpy(to->x, from->x, s->p->n * sizeof *to->x);
    memcpy(to->Ax, from->Ax, count * sizeof *to->Ax);
    if (to->momenta) {
        memcpy(to->momenta, from->momenta, count * sizeof *to->momenta);
    }
}

void perp_descent_start(perp_descent *s, perp_result *r)
{
    for (size_t i = 0; i < s->p->n; i++) {
        s->at.x[i] = r->z[i] / s->scale[i];
    }
    perp_projection_apply(&s->projection, s->at.x);
    descent_product(s, &s->at, r);
    descent_copy(s, &s->at, &s->before);
    perp_descent_answer(s, r->z);
}

void perp_descent_accept(perp_descent *s, double *z)
{
    perp_descent_point before = s->before;

    s->before = s->at;
    s->at = s->next;
    s->next = before;
    if (!s->contacts.record) {
        perp_descent_answer(s, z);
    }
}

/* A step of contacts. */
static perp_descent_sums descent_step_bodies(perp_descent *s, double beta, double L,
                                             double *z)
{
    perp_descent_sums sums = {0};

    s->step = (perp_contact_step){
        .beta = beta,
        .L = L,
        .follow = s->follow,
        .velocities = s->scaled,
        .x = s->at.x,
        .before = s->before.x,
        .next = s->next.x,
        .scale = s->scale,
        .z = z,
        .momenta = s->team ? NULL : s->next.momenta,
    };
    if (!s->team) {
        memset(s->next.momenta, 0, 6 * s->contacts.bodies * sizeof *s->next.momenta);
    }
    perp_threads_run(s->team, descent_work, s);
    for (size_t k = 0; k < descent_body_chunks(s); k++) {
        sums.yAy += s->body_sums[k].yAy;
        sums.dAd += s->body_sums[k].dAd;
    }
    for (size_t k = 0; k < descent_contact_chunks(s); k++) {
        sums.dd += s->contact_sums[k].dd;
        sums.dAd += s->contact_sums[k].dCd;
        sums.uphill += s->contact_sums[k].uphill;
        sums.lag += s->contact_sums[k].lag;
    }
    return sums;
}

/* Move the shifts towards those of the velocities, and add them to the gradient g. */
static double descent_shift(perp_descent *s, double *g)
{
    double sum = 0.0;

    for (size_t k = 0; k < s->p->set->count; k++) {
        const perp_block *block = &s->p->set->blocks[k];
        const double *scale = s->scale + block->first;
        double lag = -s->shift[k];
        double w[5]; /* the most rows of a block */

        for (unsigned i = 0; i < block->dim; i++) {
            w[i] = g[block->first + i] / scale[i];
        }
        lag += scale[0] * perp_de_saxce_shift(block, w);
        s->shift[k] += s->follow * lag;
        g[block->first] += s->shift[k];
        sum += lag * lag;
    }
    return sum;
}

/* A step by a product with A. */
static perp_descent_sums descent_step_product(perp_descent *s, double beta, double L,
                                              perp_result *r)
{
    const double *x = s->at.x, *Ax = s->at.Ax, *b = s->b;
    const double *x0 = s->before.x, *Ax0 = s->before.Ax;
    double *next = s->next.x;
    double step = 1.0 / L;
    size_t n = s->p->n;
    vec_pair dd = {0.0}, dAd = {0.0}, yAy = {0.0}, uphill = {0.0};
    perp_descent_sums sums = {0};

    for (size_t i = 0; i < n; i += 2) {
        vec_store(next + i, descent_beyond(beta, Ax + i, Ax0 + i) + vec_load(b + i));
    }
    if (s->follow > 0.0) {
        sums.lag = descent_shift(s, next);
    }
    for (size_t i = 0; i < n; i += 2) {
        vec_store(next + i,
                  descent_beyond(beta, x + i, x0 + i) - step * vec_load(next + i));
    }
    perp_projection_apply(&s->projection, next);
    descent_product(s, &s->next, r);
    for (size_t i = 0; i < n; i += 2) {
        vec_pair Ay = descent_beyond(beta, Ax + i, Ax0 + i);
        vec_pair y = descent_beyond(beta, x + i, x0 + i);
        vec_pair d = vec_load(next + i) - y;

        dd += d * d;
        dAd += d * (vec_load(s->next.Ax + i) - Ay);
        yAy += y * Ay;
        uphill += (Ay + vec_load(b + i)) * (vec_load(next + i) - vec_load(x + i));
    }
    sums.dd = dd[0] + dd[1];
    sums.dAd = dAd[0] + dAd[1];
    sums.yAy = yAy[0] + yAy[1];
    sums.uphill = uphill[0] + uphill[1];
    for (size_t k = 0; s->follow > 0.0 && k < s->p->set->count; k++) {
        size_t i = s->p->set->blocks[k].first;

        sums.uphill += s->shift[k] * (next[i] - x[i]);
    }
    return sums;
}

perp_descent_sums perp_descent_step(perp_descent *s, double beta, double L,
                                    perp_result *r)
{
    r->work.projections += (double)s->p->set->count;
    if (s->contacts.record) {
        r->work.products += 1.0;
        return descent_step_bodies(s, beta, L, r->z);
    }
    return descent_step_product(s, beta, L, r);
}

double perp_descent_curvature(perp_descent *s, perp_result *r)
{
    size_t n = s->p->n;
    double *x = s->next.x;
    double sum = 0.0;

    for (size_t i = 0; i < n; i++) {
        x[i] = 1.0;
    }
    descent_product(s, &s->next, r);
    if (!s->contacts.record) {
        return vec_dot(n, x, s->next.Ax) / (double)(n ? n : 1);
    }
    for (size_t k = 0; k < s->contacts.count; k++) {
        const double *C = s->contacts.record[k].C;

        sum += C[0] + C[1] + C[2];
    }
    sum += vec_dot(6 * s->contacts.bodies, s->next.momenta, s->next.Ax);
    return sum / (double)(n ? n : 1);
}
