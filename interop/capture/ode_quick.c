/* SPDX-License-Identifier: Apache-2.0
 * capture/ode_quick.c: the problems that dWorldQuickStep of ODE sweeps over.
 *
 * QuickStep never forms A. Its rows J v = c + cfm lambda are those that getInfo2 writes; masses,
 * velocities and forces are public. Stored are
 *
 *     z = h lambda,   w = A z + b,   A = J M^-1 J^T + cfm/h in factors,
 *     b = J (v + h M^-1 f) - c,   bounds h lo, h hi;   mu = hi on FRICTION rows
 *
 * where f are the forces at the time, with gravity and gyroscopic torques. The answer follows from
 * the forces that ODE reports for joints (dJointFeedback): each joint without a place for them
 * is given one. */
#include <config.h>

#include <math.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "interop/capture/ode.h"

static const capture_engine quick_engine = {
    "ODE dWorldQuickStep", "ODE " dODE_VERSION,
    "z = h lambda [N s]; w = A z + b [m/s] with A = J M^-1 J^T + "
    "cfm/h, b = J (v + h M^-1 f) - c; "
    "rows with findex are friction rows."};

enum { QUICK_ROWS = 6 }; /* the most that a joint has */

/* A joint, for as long as the program runs. */
typedef struct quick_joint {
    dJointID joint;
    size_t count; /* its rows in the next step */
    dJointFeedback feedback;
} quick_joint;

typedef struct quick_body {
    dBodyID body;
    size_t index;
    double v[6], force[6];
    double inverse_mass, inverse_inertia[9]; /* in world axes */
} quick_body;

typedef struct quick_row {
    double J[12], c, cfm, lo, hi;
    ptrdiff_t normal;
    quick_body *body[2]; /* the second may be NULL */
    perp_label_kind kind;
    uint64_t key;
} quick_row;

/* Rows of one joint. */
typedef struct quick_part {
    dJointID joint;
    size_t first, count;
} quick_part;

/* The step of this thread. */
static _Thread_local struct {
    bool active;
    void *bodies; /* a tree of tsearch */
    size_t body_count;
    quick_row *rows;
    quick_part *parts;
    size_t row_count, part_count, capacity; /* of rows; there are no more parts */
} quick;

static _Thread_local void *quick_joints; /* a tree of tsearch */

static int quick_compare(const void *a, const void *b)
{
    const char *p = *(const char *const *)a, *q = *(const char *const *)b;

    return (p > q) - (p < q); /* both structs begin with the address */
}

/* The record of `size` bytes that begins with this address, made where there is none; NULL
 * without memory. */
static void *quick_find(void **tree, const void *address, size_t size)
{
    void *made = calloc(1, size);
    void **node = NULL;

    if (!made) {
        return NULL;
    }
    memcpy(made, &address, sizeof address);
    node = tsearch(made, tree, quick_compare);
    if (!node || *node != made) {
        free(made);
    }
    return node ? *node : NULL;
}

void ode_quick_count(dJointID joint, size_t count)
{
    quick_joint *found = NULL;

    if (quick.active && (found = quick_find(&quick_joints, joint, sizeof *found))) {
        found->count = count;
    }
}

/* X := R diag-block^-1 R^T of a symmetric I (3 x 4, in rows), or zero. */
static void quick_inertia(const dReal *I, const dReal *R, double X[9])
{
    double a[9], inverse[9], det = 0.0;

    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;

        for (int c = 0; c < 3; c++) {
            int d = (c + 1) % 3, e = (c + 2) % 3;

            inverse[3 * c + i] =
                I[4 * j + d] * I[4 * k + e] - I[4 * j + e] * I[4 * k + d];
        }
        det += I[i] * inverse[3 * i];
    }
    for (int i = 0; i < 9; i++) { /* a = R I^-1 */
        a[i] = 0.0;
        for (int k = 0; k < 3; k++) {
            a[i] += R[4 * (i / 3) + k] * inverse[3 * k + i % 3] / det;
        }
    }
    for (int i = 0; i < 9; i++) {
        X[i] = 0.0;
        for (int k = 0; k < 3; k++) {
            X[i] += a[3 * (i / 3) + k] * R[4 * (i % 3) + k];
        }
    }
}

/* The record of a body with its forces as they are now. */
static quick_body *quick_body_get(dBodyID body)
{
    quick_body *found = body ? quick_find(&quick.bodies, body, sizeof *found) : NULL;
    dMass mass;

    if (!found) {
        return NULL;
    }
    if (found->index == 0) {
        found->index = ++quick.body_count;
        for (int k = 0; k < 3; k++) {
            found->v[k] = dBodyGetLinearVel(body)[k];
            found->v[3 + k] = dBodyGetAngularVel(body)[k];
        }
        if (!dBodyIsKinematic(body)) {
            dBodyGetMass(body, &mass);
            found->inverse_mass = 1.0 / mass.mass;
            quick_inertia(mass.I, dBodyGetRotation(body), found->inverse_inertia);
        }
    }
    for (int k = 0; k < 3; k++) {
        found->force[k] = dBodyGetForce(body)[k];
        found->force[3 + k] = dBodyGetTorque(body)[k];
    }
    return found;
}

static bool quick_grow(size_t count)
{
    size_t capacity = 2 * (quick.row_count + count) + 64;
    quick_row *rows = NULL;
    quick_part *parts = NULL;

    if (quick.row_count + count <= quick.capacity) {
        return true;
    }
    rows = realloc(quick.rows, capacity * sizeof *rows);
    if (rows) {
        quick.rows = rows;
    }
    parts = realloc(quick.parts, capacity * sizeof *parts);
    if (parts) {
        quick.parts = parts;
    }
    if (!rows || !parts) {
        capture_fail("no memory for %zu rows", capacity);
        return false;
    }
    quick.capacity = capacity;
    return true;
}

void ode_quick_rows(const ode_rows *given)
{
    dBodyID a = dJointGetBody(given->joint, 0), b = dJointGetBody(given->joint, 1);
    quick_body *bodies[2] = {NULL, NULL};
    quick_joint *joint = NULL;
    size_t first = quick.row_count;

    if (!quick.active ||
        !(joint = quick_find(&quick_joints, given->joint, sizeof *joint)) ||
        joint->count == 0 || !quick_grow(joint->count)) {
        return;
    }
    bodies[0] =
        quick_body_get(a ? a : b); /* ODE exchanges them where the first is missing */
    bodies[1] = a ? quick_body_get(b) : NULL;
    for (size_t i = 0; i < joint->count; i++) {
        quick_row *row = &quick.rows[quick.row_count++];
        const double *bounds = given->bounds + i * given->pair_stride;

        *row = (quick_row){
            .c = given->rhs[i * given->pair_stride],
            .cfm = given->rhs[i * given->pair_stride + 1],
            .lo = bounds[0],
            .hi = bounds[1],
            .normal = given->findex[i] >= 0 ? (ptrdiff_t)first + given->findex[i] : -1,
            .body = {bodies[0], bodies[1]},
            .kind = given->kind,
            .key = capture_key(given->number, i)};
        memcpy(row->J, given->J1 + i * given->stride, 6 * sizeof *row->J);
        if (bodies[1]) {
            memcpy(row->J + 6, given->J2 + i * given->stride, 6 * sizeof *row->J);
        }
    }
    quick.parts[quick.part_count++] = (quick_part){given->joint, first, joint->count};
}

/* y := M^-1 x of one body. */
static void quick_inverse_mass(const quick_body *body, const double *x, double *y)
{
    for (int k = 0; k < 3; k++) {
        const double *I = body->inverse_inertia + 3 * k;

        y[k] = body->inverse_mass * x[k];
        y[3 + k] = I[0] * x[3] + I[1] * x[4] + I[2] * x[5];
    }
}

/* J (v + h M^-1 f) - c */
static double quick_b(const quick_row *row, double h)
{
    double b = -row->c;

    for (int side = 0; side < 2 && row->body[side]; side++) {
        const quick_body *body = row->body[side];
        double a[6];

        quick_inverse_mass(body, body->force, a);
        for (int k = 0; k < 6; k++) {
            b += row->J[6 * side + k] * (body->v[k] + h * a[k]);
        }
    }
    return b;
}

/* lambda of a joint from its forces: J J^T lambda = J forces, by Cholesky; NaN where its rows
 * are dependent. */
static void quick_lambda(const quick_row *rows, size_t m, const double forces[12],
                         double lambda[QUICK_ROWS])
{
    double L[QUICK_ROWS][QUICK_ROWS];

    for (size_t i = 0; i < m; i++) {
        lambda[i] = 0.0;
        for (int k = 0; k < 12; k++) {
            lambda[i] += rows[i].J[k] * forces[k];
        }
        for (size_t j = 0; j <= i; j++) {
            double diagonal = 0.0, a = 0.0;

            for (int k = 0; k < 12; k++) {
                a += rows[i].J[k] * rows[j].J[k];
            }
            diagonal = a;
            for (size_t k = 0; k < j; k++) {
                a -= L[i][k] * L[j][k];
            }
            if (i == j) {
                L[i][i] = a > 1e-12 * diagonal ? sqrt(a) : NAN;
            } else {
                L[i][j] = a / L[j][j];
            }
        }
        for (size_t k = 0; k < i; k++) {
            lambda[i] -= L[i][k] * lambda[k];
        }
        lambda[i] /= L[i][i];
    }
    for (size_t i = m; i-- > 0;) {
        for (size_t k = i + 1; k < m; k++) {
            lambda[i] -= L[k][i] * lambda[k];
        }
        lambda[i] /= L[i][i];
    }
}

static void quick_answer(const quick_part *part, double h)
{
    const dJointFeedback *reported = dJointGetFeedback(part->joint);
    double forces[12], lambda[QUICK_ROWS];

    if (!reported || part->count > QUICK_ROWS) {
        return;
    }
    for (int k = 0; k < 3; k++) {
        forces[k] = reported->f1[k];
        forces[3 + k] = reported->t1[k];
        forces[6 + k] = reported->f2[k];
        forces[9 + k] = reported->t2[k];
    }
    quick_lambda(quick.rows + part->first, part->count, forces, lambda);
    for (size_t i = 0; i < part->count; i++) {
        capture_answer(part->first + i, h * lambda[i]);
    }
}

/* Row i of J and J M^-1. */
static void quick_factors(size_t i)
{
    const quick_row *row = &quick.rows[i];

    for (int side = 0; side < 2 && row->body[side]; side++) {
        size_t first = 6 * (row->body[side]->index - 1);
        double G[6];

        quick_inverse_mass(row->body[side], row->J + 6 * side, G);
        for (size_t k = 0; k < 6; k++) {
            capture_factor(i, first + k, row->J[6 * side + (int)k], G[k]);
        }
    }
}

static void quick_store(double h)
{
    size_t n = quick.row_count;
    capture_row *rows = n > 0 ? calloc(n, sizeof *rows) : NULL;

    if (!rows) {
        return;
    }
    for (size_t i = 0; i < n; i++) {
        const quick_row *row = &quick.rows[i];

        rows[i] = (capture_row){.b = quick_b(row, h),
                                .c = row->cfm / h,
                                .lo = h * row->lo,
                                .hi = h * row->hi,
                                .mu = fabs(row->hi),
                                .normal = isfinite(row->hi) ? row->normal : -1,
                                .key = row->key,
                                .label = {.kind = row->kind}};
    }
    capture_island(rows, n, 6 * quick.body_count);
    for (size_t i = 0; i < n; i++) {
        quick_factors(i);
    }
    for (size_t k = 0; k < quick.part_count; k++) {
        quick_answer(&quick.parts[k], h);
    }
    free(rows);
}

int dWorldQuickStep(dWorldID world, dReal h)
{
    static int (*next)(dWorldID, dReal);
    int done = 0;

    if (!next && !(next = (int (*)(dWorldID, dReal))capture_next("dWorldQuickStep"))) {
        return 0;
    }
    capture_step_start(&quick_engine, world, h);
    quick.active = capture_on();
    done = next(world, h);
    if (capture_wanted()) {
        quick_store(h);
    }
    capture_step_end();
    tdestroy(quick.bodies, free);
    free(quick.rows);
    free(quick.parts);
    memset(&quick, 0, sizeof quick);
    return done;
}

/* ODE asks for memory by the joints that report their forces before the step starts. */
void dJointAttach(dJointID joint, dBodyID a, dBodyID b)
{
    static void (*next)(dJointID, dBodyID, dBodyID);
    quick_joint *found = NULL;

    if (!next &&
        !(next = (void (*)(dJointID, dBodyID, dBodyID))capture_next("dJointAttach"))) {
        return;
    }
    next(joint, a, b);
    if (capture_on() && !dJointGetFeedback(joint) &&
        (found = quick_find(&quick_joints, joint, sizeof *found))) {
        dJointSetFeedback(joint, &found->feedback);
    }
}
