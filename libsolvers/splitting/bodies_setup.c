/* SPDX-License-Identifier: Apache-2.0
 * splitting/bodies_setup.c: the records of blocks on two bodies.
 *
 * A contact has lever arms where its rows act on the two bodies with opposite forces f = F^T r and
 * torques p x f: the matrix keeps them, or they are found in its rows. The block of A follows from
 * them: with a_i = p x F_i of each body
 *
 *     A_ij = sum over the two bodies of  F_i.F_j/m + a_i.I^-1 a_j,   plus C_i if i = j.
 *
 * Costs a few sweeps. Memory: 32 reals per contact; rows of other blocks are read from J. In an
 * order of their own 44 bytes per contact and 72 per body in addition. */
#include <config.h>

#include "bodies_record.h"
#include "matrix/storages.h"
#include "patches.h"

/* Least ratio of the eigenvalues of S, about 4 det/trace^2: below it the inverse would have fewer
 * than 12 digits, and local_cone is used, which refines its solution. */
static const double conditioned = 4e-3;

/* The part of a body with lever arm p in the block D of a contact; D_nn, D_nt, D_no, D_tt, D_to,
 * D_oo. */
static void bodies_add_block(const perp_pairs *pairs, int32_t body, const double *F,
                             const double *p, double *D)
{
    double m = pairs->inverse_mass[body], a[9], b[9];
    const double *I = pairs->inverse_inertia + 9 * (size_t)body;

    for (size_t i = 0; i < 9; i += 3) {
        perp_cross(p, F + i, a + i);
        b[i] = I[0] * a[i] + I[1] * a[i + 1] + I[2] * a[i + 2];
        b[i + 1] = I[1] * a[i] + I[4] * a[i + 1] + I[5] * a[i + 2];
        b[i + 2] = I[2] * a[i] + I[5] * a[i + 1] + I[8] * a[i + 2];
    }
    for (size_t i = 0; i < 9; i += 3) {
        for (size_t j = i; j < 9; j += 3) {
            double forces = F[i] * F[j] + F[i + 1] * F[j + 1] + F[i + 2] * F[j + 2];

            *D++ +=
                m * forces + (a[i] * b[j] + a[i + 1] * b[j + 1] + a[i + 2] * b[j + 2]);
        }
    }
}

/* The block of A of a contact with arms, as bodies_add_block; W + C is symmetric. */
static void bodies_block(const bodies *q, size_t position, double *D)
{
    const perp_pair_rows *pairs = q->p->A->pairs;
    const bodies_position *at = &q->positions[position];
    const int32_t *body = perp_pairs_body(&pairs->at, q->blocks[position].first);
    const double *f = q->record + at->at, *C = pairs->C + q->blocks[position].first;

    memset(D, 0, 6 * sizeof *D);
    for (size_t side = 0; side < 2; side++) {
        if (at->body[side] != q->still) {
            bodies_add_block(&pairs->at, body[side], f + ARMS_F,
                             f + (side == 0 ? ARMS_FIRST : ARMS_SECOND), D);
        }
    }
    D[0] += C[0];
    D[3] += C[1];
    D[5] += C[2];
}

/* The rest of a contact's record from its block of A; its guess stays. False where S is not good
 * enough to be inverted once for all. */
static bool bodies_write_cone(const bodies *q, size_t position, const double *D)
{
    double *f = q->record + q->positions[position].at;
    double mu = q->blocks[position].mu, weight = (D[0] + D[3] + D[5]) / 3.0;
    double shift = 3.0 * weight * q->proximal, inv_nn = 1.0 / (D[0] + shift);
    double n0 = D[1] * inv_nn, n1 = D[2] * inv_nn;
    double S11 = D[3] + shift - D[1] * n0, S12 = D[4] - D[1] * n1;
    double S22 = D[5] + shift - D[2] * n1;
    double trace = S11 + S22, det = S11 * S22 - S12 * S12, inv_det = 1.0 / det;

    if (!(D[0] > 0.0 && trace > conditioned * (D[3] + D[5]) &&
          4.0 * det > conditioned * trace * trace)) {
        return false;
    }
    f[ARMS_INV_NN] = inv_nn;
    f[ARMS_NT] = n0;
    f[ARMS_NT + 1] = n1;
    f[ARMS_T11] = S22 * inv_det;
    f[ARMS_T12] = S12 * inv_det;
    f[ARMS_T22] = S11 * inv_det;
    f[ARMS_DET] = det;
    f[ARMS_MU] = mu;
    f[ARMS_INV_MU] = mu > 0.0 ? 1.0 / mu : 0.0;
    f[ARMS_WEIGHT] = weight;
    return true;
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
        for (size_t i = 1; i < block->dim; i++) {
            if (!perp_pairs_together(&f->at, block->first, block->first + i)) {
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
    const int32_t *body = q->positions[position].body;
    double *f = q->record + q->positions[position].at;
    double D[6];

    if (block->kind != PERP_SET_CONE || block->dim != 3 || l->method != LOCAL_EXACT ||
        q->p->law != PERP_LAW_COULOMB || (body[0] == body[1] && body[0] != q->still)) {
        return false;
    }
    if (!perp_pairs_find_frame(q->p->A->pairs, block->first, f + ARMS_F)) {
        return false;
    }
    bodies_block(q, position, D);
    if (!bodies_write_cone(q, position, D)) {
        return false;
    }
    f[ARMS_GUESS] = 0.0;
    bodies_write_b(q, position);
    return true;
}

/* Write the position of each block, and all records. */
static void bodies_write_positions(bodies *q, const local_blocks *l)
{
    const perp_pair_rows *pairs = q->p->A->pairs;
    size_t next = 0;

    for (size_t position = 0; position < q->count; position++) {
        const perp_block *block = &q->blocks[position];
        bodies_position *at = &q->positions[position];

        *at = (bodies_position){.at = next, .first = (int32_t)block->first};
        for (size_t side = 0; side < 2; side++) {
            int32_t body = perp_pairs_body(&pairs->at, block->first)[side];

            at->body[side] = perp_pairs_moves(pairs, body) ? body : q->still;
        }
        at->arms = bodies_write_arms(q, l, position);
        q->elsewhere[position] = at->arms;
        next += at->arms ? ARMS_SIZE : 0;
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
    q->positions = perp_workspace_raw(ws, q->count, sizeof *q->positions);
    q->elsewhere = perp_workspace_raw(ws, q->count, sizeof *q->elsewhere);
    q->state = perp_workspace_alloc(ws, count + 1, sizeof *q->state);
    q->record = perp_workspace_raw(ws, perp_set_count(q->p->set, PERP_SET_CONE),
                                   ARMS_SIZE * sizeof *q->record);
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
        double D[6];

        if (q->positions[position].arms && matrix) {
            bodies_block(q, position, D);
            bodies_write_cone(q, position, D);
        }
        if (q->positions[position].arms) {
            bodies_write_b(q, position);
        }
    }
    perp_patches_refresh(q);
    if (matrix && l->weight) {
        perp_bodies_set_weights(q, l);
    }
}
