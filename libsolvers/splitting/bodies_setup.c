/* SPDX-License-Identifier: Apache-2.0
 * splitting/bodies_setup.c: the records of blocks on two bodies.
 *
 * A contact has lever arms where its rows act on the two bodies with opposite forces f = F^T r and
 * torques p x f. With orthogonal rows of F of one length s,
 *
 *     p = sum over its rows of  F_i x (p x F_i)/(2 s^2)
 *
 * which is checked against the rows. Costs a few sweeps. Memory: 32 reals per contact, 12 per row
 * of other blocks; in an order of their own 44 bytes per contact and 72 per body in addition. */
#include <config.h>

#include "bodies_record.h"
#include "matrix/storages.h"

/* Least ratio of the eigenvalues of S, about 4 det/trace^2: below it the inverse would have fewer
 * than 12 digits, and local_cone is used, which refines its solution. */
static const double conditioned = 4e-3;

/* Rows are formed by a cross product, and recovered by three of them. */
static const double rounding = 1e-14;

static void bodies_cross(const double *a, const double *b, double *c)
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

/* The arm p for which the three rows of J (12 numbers apart) end in sign (p x F_i). */
static bool bodies_find_arm(const double *F, const double *J, double sign, double *arm)
{
    double length = F[0] * F[0] + F[1] * F[1] + F[2] * F[2], c[3], off;
    double size = perp_largest(9, F);

    memset(arm, 0, 3 * sizeof *arm);
    for (size_t i = 0; i < 3; i++) {
        bodies_cross(F + 3 * i, J + 12 * i + 3, c);
        for (size_t d = 0; d < 3; d++) {
            arm[d] += sign * c[d] / (2.0 * length);
        }
    }
    for (size_t i = 0; i < 3; i++) {
        bodies_cross(arm, F + 3 * i, c);
        for (size_t d = 0; d < 3; d++) {
            off = fabs(sign * c[d] - J[12 * i + 3 + d]);
            if (!(off <= rounding * size * perp_largest(3, arm))) {
                return false;
            }
        }
    }
    return true;
}

/* F and the arms of a contact; nothing hangs on what never moves. */
static bool bodies_find_arms(const bodies *q, size_t position, double *f)
{
    const perp_pairs *pairs = &q->p->A->pairs->at;
    const int32_t *body = q->positions[position].body;
    const double *J = pairs->J + 12 * q->blocks[position].first;
    bool first = body[0] != q->still, second = body[1] != q->still, good = true;

    memset(f, 0, 15 * sizeof *f);
    for (size_t k = 0; k < 9; k++) {
        const double *x = J + k / 3 * 12 + k % 3;

        f[ARMS_F + k] = second ? x[6] : -x[0];
        good = good && (!first || !second || x[6] == -x[0]);
    }
    return good && (!first || bodies_find_arm(f, J, -1.0, f + ARMS_FIRST)) &&
           (!second || bodies_find_arm(f, J + 6, 1.0, f + ARMS_SECOND));
}

static void bodies_write_rows(const bodies *q, size_t position)
{
    const perp_pairs *pairs = &q->p->A->pairs->at;
    const perp_block *block = &q->blocks[position];
    double *to = q->record + q->positions[position].at;

    memcpy(to, pairs->J + 12 * block->first, 12 * block->dim * sizeof *to);
    for (size_t k = 0; k < 12 * (size_t)block->dim; k++) {
        if (q->positions[position].body[k % 12 / 6] == q->still) {
            to[k] = 0.0;
        }
    }
}

/* Whether S of a contact is good enough to be inverted once for all. */
static bool bodies_well_conditioned(const double *D)
{
    double S11 = D[4] - D[1] * D[3] / D[0], S22 = D[8] - D[2] * D[6] / D[0];
    double S12 = 0.5 * (D[5] + D[7] - (D[2] * D[3] + D[1] * D[6]) / D[0]);
    double trace = S11 + S22;

    return D[0] > 0.0 && trace > conditioned * (D[4] + D[8]) &&
           4.0 * (S11 * S22 - S12 * S12) > conditioned * trace * trace;
}

/* The rest of a contact's record from its block D of A; its guess stays. */
static void bodies_write_cone(const bodies *q, size_t position, const double *D)
{
    const perp_block *block = &q->blocks[position];
    double *f = q->record + q->positions[position].at;
    double trace = fmax(D[0], 0.0) + fmax(D[4], 0.0) + fmax(D[8], 0.0);
    local_cone cone;

    perp_local_cone_init(&cone, 3, block->mu, q->p->law, D, q->proximal * trace);
    f[ARMS_INV_NN] = cone.inv_nn;
    f[ARMS_NT] = cone.curve.nt[0];
    f[ARMS_NT + 1] = cone.curve.nt[1];
    f[ARMS_T11] = cone.curve.S22 * cone.curve.inv_det;
    f[ARMS_T12] = 0.5 * (cone.curve.S12 + cone.curve.S21) * cone.curve.inv_det;
    f[ARMS_T22] = cone.curve.S11 * cone.curve.inv_det;
    f[ARMS_DET] = cone.curve.inv_det > 0.0 ? 1.0 / cone.curve.inv_det : 0.0;
    f[ARMS_MU] = block->mu;
    f[ARMS_INV_MU] = block->mu > 0.0 ? 1.0 / block->mu : 0.0;
    f[ARMS_WEIGHT] = trace / 3.0;
}

static void bodies_write_b(const bodies *q, size_t position)
{
    size_t first = q->blocks[position].first;
    double *f = q->record + q->positions[position].at;

    memcpy(f + ARMS_B, q->p->b + first, 3 * sizeof *f);
    memcpy(f + ARMS_C, q->p->A->pairs->C + first, 3 * sizeof *f);
}

/* Body `from` of A as number `to`. */
static void bodies_write_body(const bodies *q, size_t to, size_t from)
{
    const perp_pairs *pairs = &q->p->A->pairs->at;
    const double *I = pairs->inverse_inertia + 9 * from;
    bool round = I[0] == I[4] && I[0] == I[8] && I[1] == 0.0 && I[2] == 0.0 &&
                 I[5] == 0.0 && I[0] >= 0.0;

    q->state[to].inverse_mass = pairs->inverse_mass[from];
    q->state[to].inverse_inertia = round ? I[0] : -1.0;
}

bool perp_bodies_apply_to(const perp_problem *p)
{
    const perp_pair_rows *f = p->A->pairs;

    for (size_t k = 0; f && k < p->set->count; k++) {
        const perp_block *block = &p->set->blocks[k];
        const int32_t *body = f->at.body + 2 * block->first;

        for (size_t i = 2; i < 2 * (size_t)block->dim; i++) {
            if (body[i] != body[i % 2]) {
                return false;
            }
        }
    }
    return f && !f->scaled;
}

/* A contact that can be solved from its record, written; false: it is left to local_blocks. */
static bool bodies_write_arms(const bodies *q, const local_blocks *l, size_t position)
{
    const perp_block *block = &q->blocks[position];
    double D[9];

    if (block->kind != PERP_SET_CONE || block->dim != 3 || l->method != LOCAL_EXACT ||
        q->p->law != PERP_LAW_COULOMB) {
        return false;
    }
    perp_operator_diagonal_block(q->p->A, block->first, 3, D);
    if (!bodies_well_conditioned(D) ||
        !bodies_find_arms(q, position, q->record + q->positions[position].at)) {
        return false;
    }
    bodies_write_cone(q, position, D);
    bodies_write_b(q, position);
    return true;
}

/* Who is where, and all records. */
static void bodies_write_positions(bodies *q, const local_blocks *l)
{
    const perp_pair_rows *pairs = q->p->A->pairs;
    size_t next = 0;

    for (size_t position = 0; position < q->count; position++) {
        const perp_block *block = &q->blocks[position];
        bodies_position *at = &q->positions[position];

        *at = (bodies_position){.at = next, .first = (int32_t)block->first};
        for (size_t side = 0; side < 2; side++) {
            int32_t body = pairs->at.body[2 * block->first + side];

            at->body[side] = perp_pairs_moves(pairs, body) ? body : q->still;
        }
        at->arms = bodies_write_arms(q, l, position);
        q->elsewhere[position] = at->arms;
        if (!at->arms) {
            bodies_write_rows(q, position);
        }
        next += at->arms ? ARMS_SIZE : 12 * (size_t)block->dim;
    }
}

/* Bodies in the order in which the sweep first uses them. */
static bool bodies_renumber(bodies *q, perp_workspace *ws)
{
    size_t count = (size_t)q->still, mark = 0, next = 0;
    double *inertia = perp_workspace_alloc(ws, count, 9 * sizeof *inertia);
    int32_t *number = NULL; /* 0: none yet */

    mark = perp_workspace_mark(ws);
    number = perp_workspace_alloc(ws, count, sizeof *number);
    for (size_t k = 0; inertia && number && k < 2 * q->count; k++) {
        int32_t *body = &q->positions[k / 2].body[k % 2];
        size_t from = (size_t)*body;

        if (*body == q->still) {
            continue;
        }
        if (number[from] == 0) {
            memcpy(inertia + 9 * next, q->inertia + 9 * from, 9 * sizeof *inertia);
            bodies_write_body(q, next++, from);
            number[from] = (int32_t)next;
        }
        *body = number[from] - 1;
    }
    perp_workspace_release(ws, mark);
    q->inertia = inertia;
    return inertia && number;
}

/* Numbers per impulse of a contact, so that none crosses a cache line. */
enum { OWN = 4 };

/* Impulses of contacts by position, and the index of each. */
static bool bodies_separate_impulses(bodies *q, perp_workspace *ws)
{
    int32_t next = 0;

    q->own = perp_workspace_reals(ws, OWN * (q->p->n / 3));
    q->source = perp_workspace_alloc(ws, q->p->n, sizeof *q->source);
    if (!q->own || !q->source) {
        return false;
    }
    for (size_t i = 0; i < q->p->n; i++) {
        q->source[i] = -1;
    }
    for (size_t position = 0; position < q->count; position++) {
        if (q->positions[position].arms) {
            q->source[q->positions[position].first] = next;
            q->positions[position].first = next;
            next += OWN;
        }
    }
    return true;
}

perp_status perp_bodies_setup(bodies *q, local_blocks *l, bool apart, perp_workspace *ws,
                              bool *used, perp_error *err)
{
    const perp_operator *A = l->p->A;
    size_t count = 0;

    *used = false;
    memset(q, 0, sizeof *q);
    if (!perp_bodies_apply_to(l->p)) {
        return PERP_OK;
    }
    count = A->pairs->at.bodies;
    q->p = l->p;
    q->blocks = l->at;
    q->count = l->count;
    q->proximal = l->proximal;
    q->still = (int32_t)count;
    q->inertia = A->pairs->at.inverse_inertia;
    q->positions = perp_workspace_alloc(ws, q->count, sizeof *q->positions);
    q->elsewhere = perp_workspace_alloc(ws, q->count, sizeof *q->elsewhere);
    q->state = perp_workspace_alloc(ws, count + 1, sizeof *q->state);
    q->record = perp_workspace_reals(ws, 12 * q->p->n); /* arms need less than rows */
    if (!q->positions || !q->elsewhere || !q->state || !q->record) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for the records of %zu blocks",
                         q->count);
    }
    bodies_write_positions(q, l);
    for (size_t k = 0; !apart && k < count; k++) {
        bodies_write_body(q, k, k);
    }
    if (apart && (!bodies_separate_impulses(q, ws) || !bodies_renumber(q, ws))) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for the order of %zu blocks",
                         q->count);
    }
    l->elsewhere = q->elsewhere;
    *used = true;
    return PERP_OK;
}

void perp_bodies_set_weights(const bodies *q, local_blocks *l)
{
    for (size_t position = 0; position < q->count; position++) {
        if (q->positions[position].arms) {
            l->weight[position] = q->record[q->positions[position].at + ARMS_WEIGHT];
        }
    }
}

void perp_bodies_refresh(bodies *q, local_blocks *l, bool matrix)
{
    for (size_t position = 0; position < q->count; position++) {
        double D[9];

        if (q->positions[position].arms && matrix) {
            perp_operator_diagonal_block(q->p->A, q->blocks[position].first, 3, D);
            bodies_write_cone(q, position, D);
        }
        if (q->positions[position].arms) {
            bodies_write_b(q, position);
        }
    }
    if (matrix && l->weight) {
        perp_bodies_set_weights(q, l);
    }
}
