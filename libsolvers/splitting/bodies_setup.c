/* SPDX-License-Identifier: Apache-2.0
 * splitting/bodies_setup.c: the records of blocks on two bodies.
 *
 * K = J L with the Cholesky factor of each inverse inertia, which may be semidefinite: a column
 * whose pivot is rounding is 0. Costs about two sweeps; memory: 12 reals a row, 20 a contact. */
#include <config.h>

#include "bodies_record.h"
#include "core/operators.h"

/* S with eigenvalues this far apart is left to local_cone, which refines what it solves: its
 * inverse would keep fewer than 12 digits. 4 det/trace^2 is about their ratio. */
static const double conditioned = 4e-3;

/* What a pivot is of its diagonal where only rounding is left, and what L L^T may be off. */
static const double rounding = 1e-14;

/* M^-1 of a body: 1/sqrt(m), and L by columns below the diagonal: 11 21 31 22 32 33. */
typedef struct root {
    double m, L[6];
} root;

/* False where the numbers are no inverse mass and inertia. */
static bool take_root(double inverse_mass, const double *I, root *f)
{
    const double A[6] = {I[0], I[1], I[2], I[4], I[5], I[8]};
    double largest = fmax(fabs(I[0]), fmax(fabs(I[4]), fabs(I[8]))), pivot;
    double *L = f->L, back[6];
    bool good = inverse_mass >= 0.0 && isfinite(inverse_mass);

    memset(f, 0, sizeof *f);
    f->m = good ? sqrt(inverse_mass) : 0.0;
    if (A[0] > rounding * largest) {
        L[0] = sqrt(A[0]);
        L[1] = A[1] / L[0];
        L[2] = A[2] / L[0];
    }
    pivot = A[3] - L[1] * L[1];
    if (pivot > rounding * largest) {
        L[3] = sqrt(pivot);
        L[4] = (A[4] - L[1] * L[2]) / L[3];
    }
    pivot = A[5] - L[2] * L[2] - L[4] * L[4];
    L[5] = pivot > rounding * largest ? sqrt(pivot) : 0.0;
    back[0] = L[0] * L[0];
    back[1] = L[0] * L[1];
    back[2] = L[0] * L[2];
    back[3] = L[1] * L[1] + L[3] * L[3];
    back[4] = L[1] * L[2] + L[3] * L[4];
    back[5] = L[2] * L[2] + L[4] * L[4] + L[5] * L[5];
    for (size_t k = 0; k < 6; k++) {
        good = good && fabs(back[k] - A[k]) <= 4.0 * rounding * largest;
    }
    return good;
}

static void write_side(const double *J, const root *f, double *K)
{
    const double *L = f->L;

    K[0] = J[0] * f->m;
    K[1] = J[1] * f->m;
    K[2] = J[2] * f->m;
    K[3] = J[3] * L[0] + J[4] * L[1] + J[5] * L[2];
    K[4] = J[4] * L[3] + J[5] * L[4];
    K[5] = J[5] * L[5];
}

/* K of the rows of a block; nothing stands under what never moves. */
static void write_rows(const bodies *q, const root *roots, size_t place)
{
    const perp_pairs *pairs = &q->p->A->factored->pairs->at;
    const perp_block *block = &q->blocks[place];
    double *K = q->record + q->places[place].at;

    memset(K, 0, 12 * block->dim * sizeof *K);
    for (size_t row = block->first; row < block->first + block->dim; row++, K += 12) {
        for (size_t side = 0; side < 2; side++) {
            int32_t body = q->places[place].body[side];

            if (body != q->still) {
                write_side(pairs->J + 12 * row + 6 * side, &roots[body], K + 6 * side);
            }
        }
    }
}

/* Whether S of a contact is good enough to be inverted once for all. */
static bool well_conditioned(const double *D)
{
    double S11 = D[4] - D[1] * D[3] / D[0], S22 = D[8] - D[2] * D[6] / D[0];
    double S12 = 0.5 * (D[5] + D[7] - (D[2] * D[3] + D[1] * D[6]) / D[0]);
    double trace = S11 + S22;

    return D[0] > 0.0 && trace > conditioned * (D[4] + D[8]) &&
           4.0 * (S11 * S22 - S12 * S12) > conditioned * trace * trace;
}

/* The rest of a contact's record from its block D of A; its guess stays. */
static void write_cone(const bodies *q, size_t place, const double *D)
{
    const perp_block *block = &q->blocks[place];
    double *f = q->record + q->places[place].at + 36;
    double trace = fmax(D[0], 0.0) + fmax(D[4], 0.0) + fmax(D[8], 0.0);
    local_cone cone;

    local_cone_init(&cone, 3, block->mu, q->p->law, D, q->proximal * trace);
    f[RECORD_INV_NN] = cone.inv_nn;
    f[RECORD_NT] = cone.curve.nt[0];
    f[RECORD_NT + 1] = cone.curve.nt[1];
    f[RECORD_S11] = cone.curve.S11;
    f[RECORD_S12] = 0.5 * (cone.curve.S12 + cone.curve.S21);
    f[RECORD_S22] = cone.curve.S22;
    f[RECORD_INV_DET] = cone.curve.inv_det;
    f[RECORD_MU] = block->mu;
    f[RECORD_WEIGHT] = trace / 3.0;
}

static void write_load(const bodies *q, size_t place)
{
    size_t first = q->blocks[place].first;
    double *f = q->record + q->places[place].at + 36;

    memcpy(f + RECORD_B, q->p->b + first, 3 * sizeof *f);
    memcpy(f + RECORD_C, q->p->A->factored->C + first, 3 * sizeof *f);
}

/* Whether blocks name two bodies each and every body has a root. */
static bool suitable(const bodies *q, root *roots)
{
    const perp_pair_rows *f = q->p->A->factored->pairs;
    const perp_pairs *pairs = &f->at;

    for (size_t k = 0; k < pairs->bodies; k++) {
        if (!take_root(pairs->inverse_mass[k], pairs->inverse_inertia + 9 * k,
                       &roots[k])) {
            return false;
        }
    }
    for (size_t place = 0; place < q->count; place++) {
        const perp_block *block = &q->blocks[place];
        const int32_t *body = pairs->body + 2 * block->first;

        for (size_t i = 2; i < 2 * (size_t)block->dim; i++) {
            if (body[i] != body[i % 2]) {
                return false;
            }
        }
    }
    return !f->scaled;
}

/* Who is where; which contacts are solved from their records. */
static size_t put_places(bodies *q, const local_blocks *l)
{
    const perp_pair_rows *pairs = q->p->A->factored->pairs;
    size_t next = 0;

    for (size_t place = 0; place < q->count; place++) {
        const perp_block *block = &q->blocks[place];
        bodies_place *at = &q->places[place];
        double D[9];

        *at = (bodies_place){.at = next, .first = (int32_t)block->first};
        for (size_t side = 0; side < 2; side++) {
            int32_t body = pairs->at.body[2 * block->first + side];

            at->body[side] = perp_pairs_moves(pairs, body) ? body : q->still;
        }
        if (block->kind == PERP_SET_CONE && block->dim == 3 && l->way == LOCAL_EXACT &&
            q->p->law == PERP_LAW_COULOMB) {
            perp_operator_diagonal_block(q->p->A, block->first, 3, D);
            at->cone = well_conditioned(D);
            q->elsewhere[place] = at->cone;
        }
        next += at->cone ? RECORD_CONE : 12 * (size_t)block->dim;
    }
    return next;
}

perp_status bodies_setup(bodies *q, local_blocks *l, perp_workspace *ws, bool *taken,
                         perp_error *err)
{
    const perp_operator *A = l->p->A;
    size_t count = 0, mark = perp_workspace_mark(ws), inner = 0;
    root *roots = NULL;

    *taken = false;
    memset(q, 0, sizeof *q);
    if (!A->factored || !A->factored->pairs) {
        return PERP_OK;
    }
    count = A->factored->pairs->at.bodies;
    q->p = l->p;
    q->blocks = l->at;
    q->count = l->count;
    q->proximal = l->proximal;
    q->still = (int32_t)count;
    q->places = perp_workspace_take(ws, q->count, sizeof *q->places);
    q->elsewhere = perp_workspace_take(ws, q->count, sizeof *q->elsewhere);
    q->y = perp_workspace_reals(ws, 8 * (count + 1));
    if (q->places && q->elsewhere && q->y) {
        q->record = perp_workspace_reals(ws, put_places(q, l));
    }
    inner = perp_workspace_mark(ws);
    roots = perp_workspace_take(ws, count, sizeof *roots);
    if (!q->record || !roots) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for the records of %zu blocks",
                         q->count);
    }
    if (!suitable(q, roots)) {
        perp_workspace_release(ws, mark);
        memset(q, 0, sizeof *q);
        return PERP_OK;
    }
    for (size_t place = 0; place < q->count; place++) {
        write_rows(q, roots, place);
    }
    perp_workspace_release(ws, inner);
    bodies_refresh(q, l, true);
    l->elsewhere = q->elsewhere;
    *taken = true;
    return PERP_OK;
}

void bodies_weigh(const bodies *q, local_blocks *l)
{
    for (size_t place = 0; place < q->count; place++) {
        if (q->places[place].cone) {
            l->weight[place] = q->record[q->places[place].at + 36 + RECORD_WEIGHT];
        }
    }
}

void bodies_refresh(bodies *q, local_blocks *l, bool matrix)
{
    for (size_t place = 0; place < q->count; place++) {
        double D[9];

        if (q->places[place].cone && matrix) {
            perp_operator_diagonal_block(q->p->A, q->blocks[place].first, 3, D);
            write_cone(q, place, D);
        }
        if (q->places[place].cone) {
            write_load(q, place);
        }
    }
    if (matrix && l->weight) {
        bodies_weigh(q, l);
    }
}

void bodies_draw(bodies *q, const double *z)
{
    memset(q->y, 0, 8 * ((size_t)q->still + 1) * sizeof *q->y);
    for (size_t place = 0; place < q->count; place++) {
        const bodies_place *at = &q->places[place];
        const double *K = q->record + at->at;

        for (unsigned i = 0; i < q->blocks[place].dim; i++, K += 12) {
            double x = z[at->first + (int32_t)i];

            for (size_t k = 0; x != 0.0 && k < 12; k++) {
                q->y[8 * (size_t)at->body[k / 6] + k % 6] += K[k] * x;
            }
        }
    }
}
