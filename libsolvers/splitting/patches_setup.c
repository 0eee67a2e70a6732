/* SPDX-License-Identifier: Apache-2.0
 * splitting/patches_setup.c: contact patches found and prepared.
 *
 * A body that weighs m and turns by G = I^-1 moves at the end of an arm a, under a force f and a
 * torque t there, by
 *
 *     w = X f + G t,   v = f/m + w x a = (1/m - [a] X) f + X^T t,     X = G [a]
 *
 * with [a] x = a x x. The matrix K of a patch, from wrenches to twists, is the sum of both bodies.
 * It is inverted by its Schur complement, one 3x3 block after the other. */
#include <config.h>

#include "bodies_record.h"
#include "patches.h"

/* Part of the arms by which both bodies may disagree on the place of a point: rounding. */
static const double same_point = 1e-9;

/* Points closer to a line than this part of their distances, squared, resist no torque about it. */
static const double on_a_line = 1e-6;

/* A block of K whose determinant is below this part of the product of its diagonal is singular. */
static const double singular = 1e-9;

/* Part of the length of a frame by which frames taken as the same may differ: rounding. */
static const double same_frame = 1e-14;

static double patch_length(const double *f)
{
    return f[0] * f[0] + f[1] * f[1] + f[2] * f[2];
}

/* s: the point of contact k seen from the mean. */
static inline void patch_place(const bodies *q, const contact_patch *patch, size_t k,
                               double *s)
{
    const bodies_position *at = &q->positions[patch->first + k];
    size_t side = at->body[0] != q->still ? 0 : 1;
    const double *arm = q->record + at->at + (side == 0 ? ARMS_FIRST : ARMS_SECOND);

    for (size_t i = 0; i < 3; i++) {
        s[i] = arm[i] - patch->arm[side][i];
    }
}

/* C := A B, 3x3 by rows. */
static inline void patch_multiply(const double *A, const double *B, double *C)
{
    for (size_t i = 0; i < 3; i++, A += 3, C += 3) {
        C[0] = A[0] * B[0] + A[1] * B[3] + A[2] * B[6];
        C[1] = A[0] * B[1] + A[1] * B[4] + A[2] * B[7];
        C[2] = A[0] * B[2] + A[1] * B[5] + A[2] * B[8];
    }
}

/* C := A^T B. */
static inline void patch_multiply_transposed(const double *A, const double *B, double *C)
{
    for (size_t i = 0; i < 3; i++, A++, C += 3) {
        C[0] = A[0] * B[0] + A[3] * B[3] + A[6] * B[6];
        C[1] = A[0] * B[1] + A[3] * B[4] + A[6] * B[7];
        C[2] = A[0] * B[2] + A[3] * B[5] + A[6] * B[8];
    }
}

/* The inverse of a symmetric 3x3 matrix; false where its determinant is not above `least` times
 * the product of its diagonal. */
static bool patch_invert(const double *S, double least, double *inverse)
{
    double m00 = S[4] * S[8] - S[5] * S[5], m01 = S[2] * S[5] - S[1] * S[8],
           m02 = S[1] * S[5] - S[2] * S[4], m11 = S[0] * S[8] - S[2] * S[2],
           m12 = S[1] * S[2] - S[0] * S[5], m22 = S[0] * S[4] - S[1] * S[1];
    double det = S[0] * m00 + S[1] * m01 + S[2] * m02, scale = 1.0 / det;

    if (!(S[0] > 0.0 && S[4] > 0.0 && S[8] > 0.0 && det > least * S[0] * S[4] * S[8])) {
        return false;
    }
    inverse[0] = scale * m00;
    inverse[4] = scale * m11;
    inverse[8] = scale * m22;
    inverse[1] = inverse[3] = scale * m01;
    inverse[2] = inverse[6] = scale * m02;
    inverse[5] = inverse[7] = scale * m12;
    return true;
}

/* The upper triangle by rows. */
static void patch_pack(const double *S, double *packed)
{
    memcpy(packed, S, 3 * sizeof *S);
    memcpy(packed + 3, S + 4, 2 * sizeof *S);
    packed[5] = S[8];
}

/* The mean point; false where the bodies disagree on the points, or contacts are compliant. */
static bool patch_find_mean(const bodies *q, contact_patch *patch)
{
    const bodies_position *at = q->positions + patch->first;
    bool both = at->body[0] != q->still && at->body[1] != q->still;
    const double *first = q->record + at->at;
    double share = 1.0 / (double)patch->count;

    memset(patch->arm, 0, sizeof patch->arm);
    for (size_t k = 0; k < patch->count; k++) {
        const double *f = q->record + at[k].at;

        for (size_t i = 0; i < 3; i++) {
            double p = f[ARMS_FIRST + i], s = f[ARMS_SECOND + i];
            double apart = (s - p) - (first[ARMS_SECOND + i] - first[ARMS_FIRST + i]);

            if (f[ARMS_C + i] != 0.0 ||
                (both && fabs(apart) > same_point * (fabs(s) + fabs(p)))) {
                return false;
            }
            patch->arm[0][i] += share * p;
            patch->arm[1][i] += share * s;
        }
    }
    return true;
}

/* The spread of the points; false where they lie on a line. */
static bool patch_find_gyration(const bodies *q, contact_patch *patch)
{
    double D[9] = {0.0}, inverse[9];

    patch->radius = 0.0;
    for (size_t k = 0; k < patch->count; k++) {
        double s[3], squared;

        patch_place(q, patch, k, s);
        squared = s[0] * s[0] + s[1] * s[1] + s[2] * s[2];
        patch->radius += squared;
        D[0] += squared - s[0] * s[0];
        D[4] += squared - s[1] * s[1];
        D[8] += squared - s[2] * s[2];
        D[1] -= s[0] * s[1];
        D[2] -= s[0] * s[2];
        D[5] -= s[1] * s[2];
    }
    D[3] = D[1];
    D[6] = D[2];
    D[7] = D[5];
    if (!patch_invert(D, on_a_line, inverse)) {
        return false;
    }
    patch_pack(inverse, patch->gyration);
    return true;
}

/* K += that of one body. */
static void patch_add_body(const bodies *q, int32_t body, const double *a, double *linear,
                           double *mixed, double *angular)
{
    const double cross[9] = {0.0, -a[2], a[1], a[2], 0.0, -a[0], -a[1], a[0], 0.0};
    double G[9], X[9], Y[9];

    for (size_t i = 0; i < 3; i++) {
        double x[3] = {0.0};

        x[i] = 1.0;
        body_turn(q, body, x, G + 3 * i); /* G is symmetric */
    }
    patch_multiply(G, cross, X);
    patch_multiply(cross, X, Y);
    for (size_t i = 0; i < 9; i++) {
        linear[i] += (i % 4 == 0 ? q->state[body].inverse_mass : 0.0) - Y[i];
        mixed[i] += X[i];
        angular[i] += G[i];
    }
}

/* K^-1; false where it is singular. */
static bool patch_find_inverse(const bodies *q, contact_patch *patch)
{
    const int32_t *body = q->positions[patch->first].body;
    double linear[9] = {0.0}, mixed[9] = {0.0}, angular[9] = {0.0};
    double ff[9], tt[9], P[9], R[9];

    for (size_t side = 0; side < 2; side++) {
        if (body[side] != q->still) {
            patch_add_body(q, body[side], patch->arm[side], linear, mixed, angular);
        }
    }
    if (!patch_invert(angular, singular, tt)) {
        return false;
    }
    patch_multiply(tt, mixed, P);
    patch_multiply_transposed(mixed, P, R);
    for (size_t i = 0; i < 9; i++) {
        linear[i] -= R[i];
    }
    if (!patch_invert(linear, singular, ff)) {
        return false;
    }
    patch_multiply(P, ff, patch->mixed);
    for (size_t i = 0; i < 9; i++) {
        const double *p = P + 3 * (i % 3), *x = patch->mixed + i - i % 3;

        tt[i] += x[0] * p[0] + x[1] * p[1] + x[2] * p[2];
        R[i] = -patch->mixed[i];
    }
    memcpy(patch->mixed, R, sizeof R);
    patch_pack(ff, patch->linear);
    patch_pack(tt, patch->angular);
    return true;
}

/* The place s of contact k and the velocity v that b gives it. */
static void patch_read_b(const bodies *q, const contact_patch *patch, size_t k, double *s,
                         double *v)
{
    const double *f = q->record + q->positions[patch->first + k].at, *b = f + ARMS_B;
    double scale = 1.0 / patch_length(f);

    patch_place(q, patch, k, s);
    for (size_t i = 0; i < 3; i++) {
        v[i] = scale * (f[i] * b[0] + f[3 + i] * b[1] + f[6 + i] * b[2]);
    }
}

/* beta, and the squares of what it leaves of b. */
static void patch_explain(const bodies *q, contact_patch *patch)
{
    double turn[3] = {0.0}, s[3 * PATCH_MOST] = {0.0}, v[3 * PATCH_MOST] = {0.0};
    double x[3];
    double share = 1.0 / (double)patch->count;
    const double *G = patch->gyration;

    memset(patch->b, 0, sizeof patch->b);
    patch->warp = 0.0;
    for (size_t k = 0; k < patch->count; k++) {
        patch_read_b(q, patch, k, s + 3 * k, v + 3 * k);
        perp_cross(s + 3 * k, v + 3 * k, x);
        for (size_t i = 0; i < 3; i++) {
            patch->b[i] += share * v[3 * k + i];
            turn[i] += x[i];
        }
    }
    patch->b[3] = G[0] * turn[0] + G[1] * turn[1] + G[2] * turn[2];
    patch->b[4] = G[1] * turn[0] + G[3] * turn[1] + G[4] * turn[2];
    patch->b[5] = G[2] * turn[0] + G[4] * turn[1] + G[5] * turn[2];
    for (size_t k = 0; k < patch->count; k++) {
        perp_cross(patch->b + 3, s + 3 * k, x);
        for (size_t i = 0; i < 3; i++) {
            double rest = v[3 * k + i] - patch->b[i] - x[i];

            patch->warp += rest * rest;
        }
    }
}

/* Whether two frames differ by their lengths at most. */
static bool patch_same_frame(const double *f, double f_scale, const double *g,
                             double g_scale)
{
    for (size_t i = 0; i < 9; i++) {
        if (fabs(f_scale * f[i] - g_scale * g[i]) > same_frame) {
            return false;
        }
    }
    return true;
}

/* The contacts by themselves: places along their frames. A frame of the other orientation turns
 * the sign of a cross product. */
static void patch_write_contacts(const bodies *q, contact_patch *patch)
{
    const bodies_position *at = q->positions + patch->first;
    const double *last = NULL;
    double last_scale = 0.0;

    for (size_t k = 0; k < patch->count; k++) {
        patch_contact *c = &patch->contact[k];
        const double *f = q->record + at[k].at;
        double s[3], x[3], sign;

        c->scale = 1.0 / sqrt(patch_length(f));
        c->weight = f[ARMS_WEIGHT];
        c->turned = !last || !patch_same_frame(last, last_scale, f, c->scale);
        perp_cross(f + 3, f + 6, x);
        sign = x[0] * f[0] + x[1] * f[1] + x[2] * f[2] < 0.0 ? -1.0 : 1.0;
        patch_place(q, patch, k, s);
        for (size_t i = 0; i < 3; i++) {
            c->place[i] = sign * c->scale * c->scale *
                          (f[3 * i] * s[0] + f[3 * i + 1] * s[1] + f[3 * i + 2] * s[2]);
        }
        last = f;
        last_scale = c->scale;
    }
}

void perp_patches_prepare(const bodies *q, contact_patch *patch)
{
    bool good = patch_find_mean(q, patch) && patch_find_gyration(q, patch) &&
                patch_find_inverse(q, patch);

    patch->state = good ? PATCH_READY : PATCH_REFUSED;
    if (good) {
        patch_explain(q, patch);
        patch_write_contacts(q, patch);
    }
}

/* The end of the contacts from a position on that act on the same two bodies. */
static size_t patch_end(const bodies *q, size_t first)
{
    const bodies_position *at = q->positions;
    size_t end = first;

    while (end < q->count && end - first < PATCH_MOST && at[end].arms &&
           at[end].body[0] == at[first].body[0] && at[end].body[1] == at[first].body[1]) {
        end++;
    }
    return end > first ? end : first + 1;
}

perp_status perp_patches_setup(bodies *q, perp_workspace *ws, perp_error *err)
{
    size_t count = 0, contacts = 0;
    patch_contact *contact = NULL;

    for (size_t k = 0, end = 0; k < q->count; k = end) {
        end = patch_end(q, k);
        count += end - k >= PATCH_LEAST;
        contacts += end - k >= PATCH_LEAST ? end - k : 0;
    }
    if (count == 0) {
        return PERP_OK;
    }
    q->patches = perp_workspace_raw(ws, count, sizeof *q->patches);
    q->patch = perp_workspace_alloc(ws, q->count, sizeof *q->patch);
    contact = perp_workspace_raw(ws, contacts, sizeof *contact);
    if (!q->patches || !q->patch || !contact) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu contact patches",
                         count);
    }
    for (size_t k = 0, end = 0; k < q->count; k = end) {
        end = patch_end(q, k);
        if (end - k >= PATCH_LEAST) {
            contact_patch *patch = &q->patches[q->patch_count++];

            patch->first = k;
            patch->count = end - k;
            patch->state = PATCH_FOUND;
            patch->contact = contact;
            q->patch[k] = q->patch[end - 1] = (int32_t)q->patch_count;
            for (size_t i = k; i < end; i++) {
                (contact++)->mu = q->blocks[i].mu;
            }
        }
    }
    return PERP_OK;
}

void perp_patches_refresh(bodies *q)
{
    for (size_t k = 0; k < q->patch_count; k++) {
        q->patches[k].state = PATCH_FOUND;
    }
}
