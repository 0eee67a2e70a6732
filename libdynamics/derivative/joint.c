/* SPDX-License-Identifier: Apache-2.0
 * derivative/joint.c: how the motion of one joint changes with its coordinates.
 *
 *     qd = N^-1 nu,  qdd = N^-1 (nu_dot - dN/dt qd)
 *     phi = S qd,    phi' = S qdd + dS/dt qd
 *
 * Joints of one coordinate have constant S and N = 1. For others second derivatives of S
 * and N are wanted, which mobilizers do not tell: along q by differences of order six of
 * these closed forms of sines and cosines,
 *
 *     f' = (45 (f_1 - f_-1) - 9 (f_2 - f_-2) + (f_3 - f_-3))/(60 h) + O(h^6/140),
 *
 * over h = 1e-2 rad or m, which leaves some 1e-13 of truncation and of rounding; along nu
 * they are polynomials of degree two, exact at any h. In quasi-velocities phi = S N^-1 nu
 * does not depend on q at all for balls. */
#include <config.h>

#include <lapacke.h>

#include "derivative/tangent.h"

static const double order_six_step = 1e-2;
static const double order_six[3] = {45.0 / 60.0, -9.0 / 60.0, 1.0 / 60.0};

/* y += A x, dof columns of m. */
static void joint_apply_add(unsigned m, unsigned dof, const double *A, const double *x,
                            double *y)
{
    for (unsigned j = 0; j < dof; j++) {
        for (unsigned i = 0; i < m; i++) {
            y[i] += A[m * j + i] * x[j];
        }
    }
}

/* x := N^-1 x, N destroyed. */
static bool joint_solve_small(unsigned dof, double *N, double *x)
{
    lapack_int pivots[PERP_MOBILIZER_DOF];

    return LAPACKE_dgesv_work(LAPACK_COL_MAJOR, (lapack_int)dof, 1, N, (lapack_int)dof,
                              pivots, x, (lapack_int)dof) == 0;
}

bool joint_rates(const perp_link *link, const double *q, double *x)
{
    double N[36];

    if (!link->mobilizer->quasi) {
        return true;
    }
    link->mobilizer->quasi(link->axes, q, NULL, N, NULL);
    return joint_solve_small(link->mobilizer->dof, N, x);
}

void joint_quasi(const perp_link *link, const double *q, double *x)
{
    double N[36];
    double out[PERP_MOBILIZER_DOF] = {0};
    unsigned dof = link->mobilizer->dof;

    if (link->mobilizer->quasi) {
        link->mobilizer->quasi(link->axes, q, NULL, N, NULL);
        joint_apply_add(dof, dof, N, x, out);
        memcpy(x, out, dof * sizeof *x);
    }
}

void joint_quasi_along(const perp_link *link, const double *q, const double *dq,
                       const double *x, const double *y, double *out)
{
    double N[36];
    double dN[36];
    unsigned dof = link->mobilizer->dof;

    if (!link->mobilizer->quasi) {
        memcpy(out, x, dof * sizeof *out);
        return;
    }
    memset(out, 0, dof * sizeof *out);
    link->mobilizer->quasi(link->axes, q, dq, N, dN);
    joint_apply_add(dof, dof, N, x, out);
    joint_apply_add(dof, dof, dN, y, out);
}

bool joint_motion_at(const perp_link *link, const double *q, const double *nu,
                     const double *nu_dot, joint_motion *out)
{
    const perp_mobilizer *type = link->mobilizer;
    unsigned dof = type->dof;
    double *qd = out->x + 12;
    double *qdd = qd + PERP_MOBILIZER_DOF;
    double M[36];
    double dM[36];

    memset(out, 0, sizeof *out);
    memcpy(qd, nu, dof * sizeof *qd);
    memcpy(qdd, nu_dot, dof * sizeof *qdd);
    if (dof == 0) {
        return true;
    }
    if (type->quasi) {
        double bend[PERP_MOBILIZER_DOF] = {0};

        if (!joint_rates(link, q, qd)) {
            return false;
        }
        type->quasi(link->axes, q, qd, M, dM);
        joint_apply_add(dof, dof, dM, qd, bend);
        for (unsigned i = 0; i < dof; i++) {
            qdd[i] -= bend[i];
        }
        if (!joint_solve_small(dof, M, qdd)) {
            return false;
        }
    }
    type->motion(link->axes, q, qd, M, dM);
    joint_apply_add(6, dof, M, qd, out->x);
    joint_apply_add(6, dof, M, qdd, out->x + 6);
    joint_apply_add(6, dof, dM, qd, out->x + 6);
    return true;
}

static double joint_size_of(const double *x, unsigned count)
{
    double size = 0.0;

    for (unsigned i = 0; x && i < count; i++) {
        size = fmax(size, fabs(x[i]));
    }
    return size;
}

/* What is differentiated: f at (q + t dq, nu + t dnu), JOINT_MOTION numbers at most. */
typedef struct joint_path {
    const perp_link *link;
    const double *q, *nu, *nu_dot, *dq, *dnu;
    double dt; /* of joint_step */
} joint_path;

typedef bool path_function(const joint_path *p, const double *q, const double *nu,
                           double *out);

static bool path_at(const joint_path *p, path_function *f, double t, double *out)
{
    double q[PERP_MOBILIZER_DOF] = {0};
    double nu[PERP_MOBILIZER_DOF] = {0};

    for (unsigned i = 0; i < p->link->mobilizer->dof; i++) {
        q[i] = p->q[i] + (p->dq ? t * p->dq[i] : 0.0);
        nu[i] = p->nu[i] + (p->dnu ? t * p->dnu[i] : 0.0);
    }
    return f(p, q, nu, out);
}

/* out += df/dt at t = 0, by steps of h. */
static bool path_rate(const joint_path *p, path_function *f, double h, unsigned count,
                      double *out)
{
    double ahead[JOINT_MOTION];
    double behind[JOINT_MOTION];

    for (int k = 1; k <= 3; k++) {
        if (!path_at(p, f, k * h, ahead) || !path_at(p, f, -k * h, behind)) {
            return false;
        }
        for (unsigned i = 0; i < count; i++) {
            out[i] += order_six[k - 1] / h * (ahead[i] - behind[i]);
        }
    }
    return true;
}

static bool joint_motion_path(const joint_path *p, const double *q, const double *nu,
                              double *out)
{
    joint_motion m = {{0.0}};
    bool good = joint_motion_at(p->link, q, nu, p->nu_dot, &m);

    memcpy(out, m.x, sizeof m.x);
    return good;
}

bool joint_motion_along(const perp_link *link, const double *q, const double *nu,
                        const double *nu_dot, const double *dq, const double *dnu,
                        joint_motion *out)
{
    unsigned dof = link->mobilizer->dof;
    double turn = joint_size_of(dq, dof);
    double change = joint_size_of(dnu, dof);
    joint_path p = {.link = link, .q = q, .nu = nu, .nu_dot = nu_dot, .dq = dq};
    bool good = true;

    memset(out, 0, sizeof *out);
    if (dof == 1) {
        double S[6];

        link->mobilizer->motion(link->axes, q, NULL, S, NULL);
        if (dnu) {
            joint_apply_add(6, 1, S, dnu, out->x);
            out->x[12] = dnu[0];
        }
        return true;
    }
    if (turn > 0.0) {
        good =
            path_rate(&p, joint_motion_path, order_six_step / turn, JOINT_MOTION, out->x);
    }
    if (good && change > 0.0) {
        p.dq = NULL;
        p.dnu = dnu;
        good = path_rate(&p, joint_motion_path, 1.0 / change, JOINT_MOTION, out->x);
    }
    return good;
}

static bool joint_drift_path(const joint_path *p, const double *q, const double *nu,
                             double *out)
{
    const perp_mobilizer *type = p->link->mobilizer;

    memcpy(out, q, type->dof * sizeof *out);
    if (type->drift) {
        type->drift(p->link->axes, out, nu, p->dt);
        return true;
    }
    for (unsigned i = 0; i < type->dof; i++) {
        out[i] += p->dt * nu[i];
    }
    return true;
}

bool joint_step(const perp_link *link, const double *q, const double *nu, double dt,
                bool switch_chart, double *q_plus, double *qd_plus)
{
    const perp_mobilizer *type = link->mobilizer;
    const joint_path p = {.link = link, .dt = dt};

    joint_drift_path(&p, q, nu, q_plus);
    memcpy(qd_plus, nu, type->dof * sizeof *qd_plus);
    if (!joint_rates(link, q_plus, qd_plus)) {
        return false;
    }
    if (switch_chart && type->switch_chart) {
        type->switch_chart(link->axes, q_plus, qd_plus);
    }
    return true;
}

bool joint_step_along(const perp_link *link, const double *q, const double *nu, double dt,
                      bool switch_chart, const double *dq, const double *dnu,
                      double *dq_plus, double *dqd_plus)
{
    unsigned dof = link->mobilizer->dof;
    double old[PERP_MOBILIZER_DOF];
    double new[PERP_MOBILIZER_DOF];
    double qd[PERP_MOBILIZER_DOF];
    double zero[PERP_MOBILIZER_DOF] = {0};
    double bend[PERP_MOBILIZER_DOF];
    joint_path p = {.link = link, .q = q, .nu = nu, .dq = dq, .dnu = dnu, .dt = dt};
    double reach = fmax(joint_size_of(dq, dof), dt * joint_size_of(dnu, dof));

    memset(dq_plus, 0, dof * sizeof *dq_plus);
    if (!link->mobilizer->drift) {
        for (unsigned i = 0; i < dof; i++) {
            dq_plus[i] = dq[i] + dt * dnu[i];
        }
    } else if (reach > 0.0) {
        path_rate(&p, joint_drift_path, order_six_step / reach, dof, dq_plus);
    }
    joint_drift_path(&p, q, nu, old);
    if (!joint_step(link, q, nu, dt, switch_chart, new, qd)) {
        return false;
    }
    /* N dq is the change of the pose, the same in all coordinates */
    joint_quasi(link, old, dq_plus);
    if (!joint_rates(link, new, dq_plus)) {
        return false;
    }
    joint_quasi_along(link, new, dq_plus, zero, qd, bend);
    for (unsigned i = 0; i < dof; i++) {
        dqd_plus[i] = dnu[i] - (link->mobilizer->quasi ? bend[i] : 0.0);
    }
    return joint_rates(link, new, dqd_plus);
}
