/* SPDX-License-Identifier: Apache-2.0
 * capture/ode.c: the problems that dWorldStep of ODE solves by dSolveLCP, in double precision.
 *
 * ODE 0.16 solves, for each island, A lambda = rhs + w with A = J M^-1 J^T + cfm/h (its lower
 * triangle), forces lambda and accelerations w. A row with findex >= 0 has
 * |lambda| <= hi |lambda[findex]|. Stored is the problem of impulses:
 *
 *     z = h lambda,   w = A z - h rhs,   bounds h lo, h hi;   mu = hi on FRICTION rows.
 *
 * Its functions are C++ without public headers, so they stand here under their linker names.
 * Contacts are known by dJointCreateContact, rows of a joint by getInfo2, which is given the
 * places of its bounds. Islands that worker threads solve are not captured. dWorldQuickStep, which
 * never forms A, is captured by ode_quick.c. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "interop/capture/ode.h"

static const capture_engine ode_engine = {"ODE dSolveLCP", "ODE " dODE_VERSION,
                                          "z = h lambda [N s]; w = A z + b [m/s] with A "
                                          "= J M^-1 J^T + cfm/h, b = -h rhs; rows with "
                                          "findex are friction rows. dSolveLCP computes "
                                          "the bounds of friction rows once, from the "
                                          "normal impulses without friction."};

/* The joints of the present step of one thread: the number of each, and where the bounds of its
 * rows begin. */
typedef struct ode_joint {
    uint64_t number;
    perp_label_kind kind;
    const double *bounds;
} ode_joint;

static _Thread_local struct {
    ode_joint *joints;
    size_t count, capacity;
} ode;

static void ode_joint_add(uint64_t number, perp_label_kind kind, const double *bounds)
{
    size_t capacity = 2 * ode.count + 64;
    ode_joint *joints = ode.joints;

    if (ode.count == ode.capacity) {
        joints = realloc(joints, capacity * sizeof *joints);
        if (!joints) {
            capture_fail("no memory for %zu joints", capacity);
            return;
        }
        ode.joints = joints;
        ode.capacity = capacity;
    }
    joints[ode.count++] = (ode_joint){number, kind, bounds};
}

/* The number of a contact, whose first row is J1 = (n, c x n): its place is n x (c x n), from the
 * centre of its first body. */
static uint64_t ode_contact(dJointID joint, const double *J1)
{
    const double *n = J1, *m = J1 + 3;
    const double x[3] = {n[1] * m[2] - n[2] * m[1], n[2] * m[0] - n[0] * m[2],
                         n[0] * m[1] - n[1] * m[0]};

    return capture_contact(capture_object(dJointGetBody(joint, 0)),
                           capture_object(dJointGetBody(joint, 1)), x);
}

/* getInfo2 of each type of joint writes its rows; `bounds` points to lo, hi of its first row. */
typedef void ode_write_rows(dJointID joint, double fps, double erp, int rowskip,
                            double *J1, double *J2, int pairskip, double *rhs,
                            double *bounds, int *findex);

static void ode_joint_rows(const char *symbol, ode_write_rows **next, dJointID joint,
                           double fps, double erp, int rowskip, double *J1, double *J2,
                           int pairskip, double *rhs, double *bounds, int *findex)
{
    if (!*next && !(*next = (ode_write_rows *)capture_next(symbol))) {
        return;
    }
    (*next)(joint, fps, erp, rowskip, J1, J2, pairskip, rhs, bounds, findex);
    if (capture_active()) {
        bool contact = dJointGetType(joint) == dJointTypeContact;
        ode_rows rows = {
            .joint = joint,
            .kind = contact ? PERP_LABEL_CONTACT : PERP_LABEL_JOINT,
            .number = contact ? ode_contact(joint, J1) : capture_object(joint),
            .J1 = J1,
            .J2 = J2,
            .rhs = rhs,
            .bounds = bounds,
            .findex = findex,
            .stride = (size_t)rowskip,
            .pair_stride = (size_t)pairskip,
        };

        ode_joint_add(rows.number, rows.kind, bounds);
        ode_quick_rows(&rows);
    }
}

/* getInfo1 of each type says how many rows there will be: info[0], of which info[1] unbounded. */
typedef void ode_count_rows(dJointID joint, unsigned char *info);

static void ode_joint_count(const char *symbol, ode_count_rows **next, dJointID joint,
                            unsigned char *info)
{
    if (!*next && !(*next = (ode_count_rows *)capture_next(symbol))) {
        return;
    }
    (*next)(joint, info);
    ode_quick_count(joint, info[0]);
}

/* Both functions of a type, under their linker names. */
#define ODE_JOINT(type)                                                                  \
    ODE_JOINT_FUNCTIONS(_ZN##type##8getInfo1EPN7dxJoint5Info1E,                          \
                        _ZN##type##8getInfo2EddiPdS0_iS0_S0_Pi)
#define ODE_JOINT_FUNCTIONS(count, symbol)                                               \
    ode_count_rows count;                                                                \
    void count(dJointID joint, unsigned char *info)                                      \
    {                                                                                    \
        static ode_count_rows *next;                                                     \
                                                                                         \
        ode_joint_count(#count, &next, joint, info);                                     \
    }                                                                                    \
    ode_write_rows symbol;                                                               \
    void symbol(dJointID joint, double fps, double erp, int rowskip, double *J1,         \
                double *J2, int pairskip, double *rhs, double *bounds, int *findex)      \
    {                                                                                    \
        static ode_write_rows *next;                                                     \
                                                                                         \
        ode_joint_rows(#symbol, &next, joint, fps, erp, rowskip, J1, J2, pairskip, rhs,  \
                       bounds, findex);                                                  \
    }

ODE_JOINT(11dxJointBall)
ODE_JOINT(12dxJointDBall)
ODE_JOINT(12dxJointFixed)
ODE_JOINT(12dxJointHinge)
ODE_JOINT(13dxJointAMotor)
ODE_JOINT(13dxJointDHinge)
ODE_JOINT(13dxJointHinge2)
ODE_JOINT(13dxJointLMotor)
ODE_JOINT(13dxJointPiston)
ODE_JOINT(13dxJointSlider)
ODE_JOINT(14dxJointContact)
ODE_JOINT(14dxJointPlane2D)
ODE_JOINT(16dxJointUniversal)
ODE_JOINT(19dxJointTransmission)
ODE_JOINT(9dxJointPR)
ODE_JOINT(9dxJointPU)

/* Keys of the rows of an island whose bounds begin at `bounds`. */
static void ode_keys(capture_row *rows, size_t n, const double *bounds)
{
    for (size_t k = 0; k < ode.count; k++) {
        const ode_joint *joint = &ode.joints[k];
        size_t row = 0;

        if (joint->bounds < bounds || joint->bounds >= bounds + 2 * n) {
            continue;
        }
        row = (size_t)(joint->bounds - bounds) / 2;
        for (size_t i = row; i < n; i++) { /* the next joint overwrites what is its own */
            rows[i].key = capture_key(joint->number, i - row);
            rows[i].label.kind = joint->kind;
        }
    }
}

static void ode_island(size_t n, const double *A, const double *b, const double *bounds,
                       const int *findex, double h)
{
    capture_row *rows = calloc(n, sizeof *rows);

    if (!rows) {
        capture_fail("no memory for %zu rows", n);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        bool friction = findex && findex[i] >= 0 && isfinite(bounds[2 * i + 1]);

        rows[i] = (capture_row){.b = -h * b[2 * i],
                                .lo = h * bounds[2 * i],
                                .hi = h * bounds[2 * i + 1],
                                .mu = fabs(bounds[2 * i + 1]),
                                .normal = friction ? findex[i] : -1};
    }
    ode_keys(rows, n, bounds);
    capture_island(rows, n, 0);
    capture_matrix(A, n, dPAD(n), true);
    free(rows);
}

/* b and x of row i at pairs[2 i] and pairs[2 i + 1]. */
typedef void ode_solve(void *arena, unsigned n, double *A, double *pairs, double *w,
                       unsigned unbounded, double *bounds, int *findex);
ode_solve _Z10dxSolveLCPP22dxWorldProcessMemArenajPdS1_S1_jS1_Pi;

static _Thread_local double ode_h; /* length of the present step */

void _Z10dxSolveLCPP22dxWorldProcessMemArenajPdS1_S1_jS1_Pi(void *arena, unsigned n,
                                                            double *A, double *pairs,
                                                            double *w, unsigned unbounded,
                                                            double *bounds, int *findex)
{
    static ode_solve *next;

    if (!next && !(next = (ode_solve *)capture_next(
                       "_Z10dxSolveLCPP22dxWorldProcessMemArenajPdS1_S1_jS1_Pi"))) {
        return;
    }
    if (capture_wanted()) {
        ode_island(n, A, pairs, bounds, findex, ode_h);
    }
    next(arena, n, A, pairs, w, unbounded, bounds, findex);
    for (size_t i = 0; i < n && capture_wanted(); i++) {
        capture_answer(i, ode_h * pairs[2 * i + 1]);
    }
}

int dWorldStep(dWorldID world, dReal h)
{
    static int (*next)(dWorldID, dReal);
    int done = 0;

    if (!next && !(next = (int (*)(dWorldID, dReal))capture_next("dWorldStep"))) {
        return 0;
    }
    ode_h = h;
    ode.count = 0;
    capture_step_start(&ode_engine, world, h);
    done = next(world, h);
    capture_step_end();
    return done;
}
