/* SPDX-License-Identifier: Apache-2.0
 * capture/mujoco.c: the problems that MuJoCo solves in mj_step and mj_step2.
 *
 * MuJoCo's soft constraints find forces f in Omega that minimise f^T (A + R) f / 2 + f^T b, with
 * A = J M^-1 J^T, b = J qacc_smooth - aref and a diagonal R > 0 from the impedances; its primal
 * solvers solve the equivalent problem of the accelerations. The conditions of optimality are
 * a problem of perp: with impulses z = h f, and scaled by h,
 *
 *     w = (A + R) z + h b,   -w in N_Omega(z)
 *
 * where Omega is, row by row: FREE for equalities, the box of +-h frictionloss, NONNEG for limits,
 * contacts without friction and edges of pyramids, and for elliptic contacts of condim 3 a cone
 * under the associated law. Two friction coefficients mu_1, mu_2 become one by scaling the second
 * tangent: z_2 = h f_2 mu_1 / mu_2. Elliptic contacts of condim 4 and 6 have cones of dimension
 * 4 and 6, which no set of perp is: they end the capture.
 *
 * A is stored in factors, over the nv velocities of the model. The answer is efc_force after the
 * noslip iterations, if there are any. Of the stages of a Runge-Kutta step the first is stored. */
#include <config.h>

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interop/capture/capture.h"

static const capture_engine mujoco_engine = {
    "MuJoCo constraint solver", "MuJoCo",
    "z = h efc_force [N s]; w = A z + b [m/s] with A = J "
    "M^-1 J^T + R, b = h efc_b; R is the "
    "regularisation of soft constraints; elliptic cones obey "
    "the associated law; the second "
    "tangent is scaled by friction[1]/friction[0]."};

typedef void mujoco_function(const mjModel *m, mjData *d);

static _Thread_local bool mujoco_pending; /* the problem of the step is still to come */
static _Thread_local bool mujoco_loading; /* the compiler of models makes a step, too */

/* The number of what the row stands for. */
static uint64_t mujoco_number(const mjModel *m, int type, int id)
{
    switch (type) {
    case mjCNSTR_EQUALITY:
        return capture_object(&m->eq_type[id]);
    case mjCNSTR_FRICTION_DOF:
        return capture_object(&m->dof_frictionloss[id]);
    case mjCNSTR_FRICTION_TENDON:
        return capture_object(&m->tendon_frictionloss[id]);
    case mjCNSTR_LIMIT_JOINT:
        return capture_object(&m->jnt_type[id]);
    case mjCNSTR_LIMIT_TENDON:
        return capture_object(&m->tendon_limited[id]);
    default:
        return 0;
    }
}

/* The number of a contact: its place from the centre of a body that moves. */
static uint64_t mujoco_contact(const mjModel *m, const mjData *d,
                               const mjContact *contact)
{
    int body = m->geom_bodyid[contact->geom1];
    double x[3];

    if (m->body_weldid[body] == 0) { /* it cannot move */
        body = m->geom_bodyid[contact->geom2];
    }
    for (int k = 0; k < 3; k++) {
        x[k] = contact->pos[k] - d->xipos[3 * body + k];
    }
    return capture_contact((uint64_t)contact->geom1, (uint64_t)contact->geom2, x);
}

static void mujoco_contact_label(const mjModel *m, const mjContact *contact,
                                 capture_label *label)
{
    label->kind = PERP_LABEL_CONTACT;
    label->body[0] = mj_id2name(m, mjOBJ_BODY, m->geom_bodyid[contact->geom1]);
    label->body[1] = mj_id2name(m, mjOBJ_BODY, m->geom_bodyid[contact->geom2]);
    label->placed = true;
    label->gap = contact->dist;
    memcpy(label->point, contact->pos, sizeof label->point);
    memcpy(label->normal, contact->frame, sizeof label->normal);
}

static void mujoco_label(const mjModel *m, const mjData *d, size_t i,
                         capture_label *label)
{
    int type = d->efc_type[i], id = d->efc_id[i];

    if (type >= mjCNSTR_CONTACT_FRICTIONLESS) {
        mujoco_contact_label(m, &d->contact[id], label);
        return;
    }
    label->kind = type == mjCNSTR_LIMIT_JOINT || type == mjCNSTR_LIMIT_TENDON
                      ? PERP_LABEL_LIMIT
                      : PERP_LABEL_JOINT;
    if (type == mjCNSTR_LIMIT_JOINT) {
        label->joint = mj_id2name(m, mjOBJ_JOINT, id);
    } else if (type == mjCNSTR_FRICTION_DOF) {
        label->joint = mj_id2name(m, mjOBJ_JOINT, m->dof_jntid[id]);
    } else if (type == mjCNSTR_EQUALITY) {
        label->joint = mj_id2name(m, mjOBJ_EQUALITY, id);
    } else {
        label->joint = mj_id2name(m, mjOBJ_TENDON, id);
    }
}

/* The factor by which row i of J is multiplied. */
static double mujoco_scale(const mjData *d, size_t i)
{
    const mjContact *contact = &d->contact[d->efc_id[i]];

    return d->efc_type[i] == mjCNSTR_CONTACT_ELLIPTIC &&
                   (int)i == contact->efc_address + 2
               ? contact->friction[1] / contact->friction[0]
               : 1.0;
}

static void mujoco_row(const mjModel *m, const mjData *d, size_t i, capture_row *row)
{
    double h = m->opt.timestep, scale = mujoco_scale(d, i);
    int type = d->efc_type[i];

    *row = (capture_row){.b = h * scale * d->efc_b[i],
                         .c = scale * scale * d->efc_R[i],
                         .hi = INFINITY,
                         .normal = -1};
    if (type == mjCNSTR_EQUALITY) {
        row->lo = -INFINITY;
    } else if (type == mjCNSTR_FRICTION_DOF || type == mjCNSTR_FRICTION_TENDON) {
        row->hi = h * d->efc_frictionloss[i];
        row->lo = -row->hi;
    } else if (type == mjCNSTR_CONTACT_ELLIPTIC) {
        const mjContact *contact = &d->contact[d->efc_id[i]];

        row->cone = (int)i == contact->efc_address ? 3 : 1;
        row->mu = contact->friction[0];
    }
}

/* The rows with their keys; false where a contact has no set. */
static bool mujoco_rows(const mjModel *m, const mjData *d, capture_row *rows)
{
    size_t n = (size_t)d->nefc;

    for (size_t i = 0; i < n; i++) {
        mujoco_row(m, d, i, &rows[i]);
        mujoco_label(m, d, i, &rows[i].label);
        if (i > 0 && d->efc_type[i] == d->efc_type[i - 1] &&
            d->efc_id[i] == d->efc_id[i - 1]) {
            rows[i].key = rows[i - 1].key + (rows[i - 1].key != 0); /* the next part */
        } else if (d->efc_type[i] >= mjCNSTR_CONTACT_FRICTIONLESS) {
            rows[i].key = capture_key(mujoco_contact(m, d, &d->contact[d->efc_id[i]]), 0);
        } else {
            rows[i].key = capture_key(mujoco_number(m, d->efc_type[i], d->efc_id[i]), 0);
        }
        if (d->efc_type[i] == mjCNSTR_CONTACT_ELLIPTIC &&
            d->contact[d->efc_id[i]].dim != 3) {
            capture_fail(
                "MuJoCo's elliptic cone of condim %d has no set, expected condim 3 "
                "or pyramidal cones",
                d->contact[d->efc_id[i]].dim);
            return false;
        }
    }
    return true;
}

/* J, dense, with its rows scaled. */
static void mujoco_jacobian(const mjModel *m, const mjData *d, double *J)
{
    size_t n = (size_t)d->nefc, nv = (size_t)m->nv;

    for (size_t i = 0; i < n; i++) {
        double scale = mujoco_scale(d, i);

        if (!mj_isSparse(m)) {
            for (size_t k = 0; k < nv; k++) {
                J[i * nv + k] = scale * d->efc_J[i * nv + k];
            }
            continue;
        }
        for (int e = d->efc_J_rowadr[i]; e < d->efc_J_rowadr[i] + d->efc_J_rownnz[i];
             e++) {
            J[i * nv + (size_t)d->efc_J_colind[e]] = scale * d->efc_J[e];
        }
    }
}

static void mujoco_island(const mjModel *m, mjData *d, const capture_row *rows)
{
    size_t n = (size_t)d->nefc, nv = (size_t)m->nv;
    double *J = calloc(n * nv, sizeof *J), *G = calloc(n * nv, sizeof *G);

    if (J && G) {
        mujoco_jacobian(m, d, J);
        mj_solveM(m, d, G, J, d->nefc);
        capture_island(rows, n, nv);
        for (size_t i = 0; i < n; i++) {
            for (size_t k = 0; k < nv; k++) {
                if (J[i * nv + k] != 0.0 || G[i * nv + k] != 0.0) {
                    capture_factor(i, k, J[i * nv + k], G[i * nv + k]);
                }
            }
            capture_answer(i, m->opt.timestep * d->efc_force[i] / mujoco_scale(d, i));
        }
    } else {
        capture_fail("no memory for a Jacobian of %zu x %zu", n, nv);
    }
    free(J);
    free(G);
}

static void mujoco_store(const mjModel *m, mjData *d)
{
    capture_row *rows = calloc((size_t)d->nefc, sizeof *rows);

    if (!rows) {
        capture_fail("no memory for %d rows", d->nefc);
    } else if (mujoco_rows(m, d, rows) && capture_wanted()) {
        mujoco_island(m, d, rows);
    }
    free(rows);
}

void mj_fwdConstraint(const mjModel *m, mjData *d)
{
    static mujoco_function *next;

    if (!next && !(next = (mujoco_function *)capture_next("mj_fwdConstraint"))) {
        return;
    }
    next(m, d);
    if (mujoco_pending && d->nefc > 0 && capture_on()) {
        mujoco_store(m, d);
    }
    mujoco_pending = false;
}

static void mujoco_step(const mjModel *m, mjData *d, mujoco_function *next)
{
    char version[40];
    capture_engine engine = mujoco_engine;

    if (!next) {
        return;
    }
    if (mujoco_loading) {
        next(m, d);
        return;
    }
    snprintf(version, sizeof version, "MuJoCo %s", mj_versionString());
    engine.version = version;
    mujoco_pending = true;
    capture_step_start(&engine, d, m->opt.timestep);
    next(m, d);
    capture_step_end();
    mujoco_pending = false;
}

void mj_step(const mjModel *m, mjData *d)
{
    static mujoco_function *next;

    next = next ? next : (mujoco_function *)capture_next("mj_step");
    mujoco_step(m, d, next);
}

void mj_step2(const mjModel *m, mjData *d)
{
    static mujoco_function *next;

    next = next ? next : (mujoco_function *)capture_next("mj_step2");
    mujoco_step(m, d, next);
}

mjModel *mj_loadXML(const char *path, const mjVFS *vfs, char *error, int length)
{
    static mjModel *(*next)(const char *, const mjVFS *, char *, int);
    mjModel *model = NULL;

    if (!next && !(next = (mjModel * (*)(const char *, const mjVFS *, char *, int))
                       capture_next("mj_loadXML"))) {
        return NULL;
    }
    mujoco_loading = true;
    model = next(path, vfs, error, length);
    mujoco_loading = false;
    return model;
}
