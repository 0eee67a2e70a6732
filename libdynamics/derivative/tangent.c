/* SPDX-License-Identifier: Apache-2.0
 * derivative/tangent.c: recursive Newton-Euler and its exact tangent.
 *
 * World axes, at each centre of mass r; d = r - r_p, rho = r - o, (w, s) = S qd turned,
 * and (w', s') the rate of S qd as the child sees it, turned. Outwards
 *
 *     omega = omega_p + w                 v = v_p + omega_p x d + s + w x rho
 *     alpha = alpha_p + w* ,              w* = w' + omega x w,  s* = s' + omega x s
 *     a     = a_p + alpha_p x d + omega_p x (v - v_p) + s* + w* x rho + w x (omega x rho)
 *
 * and inwards F = m (a - g) - f + sum F_c, N = I alpha + omega x I omega - tau_ext
 * + sum (N_c + d_c x F_c), tau = S^T (N + rho x F, F). A change dq turns and moves each
 * link, dtheta = dtheta_p + S_w dq, dr = dr_p + dtheta_p x d + S_v dq + (S_w dq) x rho,
 * with d(R x) = R dx + dtheta x R x for all that turns with it; the rest is the product
 * rule, line by line. What joints of several coordinates do by themselves is in joint.c.
 * Cost: some three times inverse dynamics a direction. [featherstone-2008] */
#include <config.h>

#include <stdlib.h>

#include "derivative/tangent.h"

perp_status tangent_new(tangent *t, const perp_articulation *tree, perp_error *err)
{
    *t = (tangent){.tree = tree};
    t->links = math_alloc(tree->count, sizeof *t->links);
    t->nu = math_alloc(2 * tree->n, sizeof *t->nu);
    if (!t->links || !t->nu) {
        return perp_fail(err, PERP_ERR_MEMORY, "gradient: no memory for %zu links",
                         tree->count);
    }
    t->nu_dot = t->nu + tree->n;
    return PERP_OK;
}

void tangent_clear(tangent *t)
{
    free(t->links);
    free(t->nu);
    *t = (tangent){0};
}

static perp_status tangent_singular(const perp_link *link, perp_error *err)
{
    return perp_fail(err, PERP_ERR_DATA, "joint \"%s\": %s at its singularity",
                     link->joint, link->mobilizer->name);
}

/* What link k hangs on. */
typedef struct tangent_above {
    double r[3], v[3], omega[3], a[3], alpha[3];
    double dtheta[3], dr[3], dv[3], domega[3], da[3], dalpha[3];
} tangent_above;

static tangent_above tangent_above_of(const tangent *t, size_t k)
{
    const perp_articulation *tree = t->tree;
    const int32_t p = tree->links[k].parent;
    tangent_above up = {.r = {0.0, 0.0, 0.0}};

    if (p >= 0) {
        const tangent_link *l = &t->links[p];

        vec3_copy(up.r, tree->E[p].p);
        vec3_copy(up.v, l->v);
        vec3_copy(up.omega, l->omega);
        vec3_copy(up.a, l->a);
        vec3_copy(up.alpha, l->alpha);
        vec3_copy(up.dtheta, l->dtheta);
        vec3_copy(up.dr, l->dr);
        vec3_copy(up.dv, l->dv);
        vec3_copy(up.domega, l->domega);
        vec3_copy(up.da, l->da);
        vec3_copy(up.dalpha, l->dalpha);
    } else {
        vec3_copy(up.r, tree->base[k].p);
        vec3_copy(up.v, tree->base_u + 6 * k);
        vec3_copy(up.omega, tree->base_u + 6 * k + 3);
    }
    return up;
}

/* out += a x b. */
static void tangent_cross_add(const double a[3], const double b[3], double out[3])
{
    double c[3];

    vec3_cross(a, b, c);
    vec3_add(out, 1.0, c, out);
}

/* out := I x of a link, world axes. */
static void tangent_inertia_times(const perp_articulation *tree, size_t k,
                                  const double x[3], double out[3])
{
    double b[3];

    mat3_apply_transposed(tree->E[k].R, x, b);
    mat3_apply(tree->links[k].inertia, b, b);
    mat3_apply(tree->E[k].R, b, out);
}

/* Velocity and acceleration of link k. */
static void tangent_place_link(tangent *t, size_t k)
{
    const perp_articulation *tree = t->tree;
    const tangent_above up = tangent_above_of(t, k);
    tangent_link *l = &t->links[k];
    const double *x = l->motion.x;
    double star[6]; /* (w*, s*) */
    double spin[3];

    mat3_apply(l->R, x, l->rate);
    mat3_apply(l->R, x + 3, l->rate + 3);
    mat3_apply(l->R, x + 6, l->push);
    mat3_apply(l->R, x + 9, l->push + 3);
    vec3_subtract(tree->E[k].p, up.r, l->d);
    mat3_apply(l->R, tree->links[k].Ec.p, l->rho);

    vec3_add(up.omega, 1.0, l->rate, l->omega);
    vec3_add(up.v, 1.0, l->rate + 3, l->v);
    tangent_cross_add(up.omega, l->d, l->v);
    tangent_cross_add(l->rate, l->rho, l->v);

    memcpy(star, l->push, sizeof star);
    tangent_cross_add(l->omega, l->rate, star);
    tangent_cross_add(l->omega, l->rate + 3, star + 3);
    vec3_add(up.alpha, 1.0, star, l->alpha);
    vec3_add(up.a, 1.0, star + 3, l->a);
    tangent_cross_add(up.alpha, l->d, l->a);
    vec3_subtract(l->v, up.v, spin);
    tangent_cross_add(up.omega, spin, l->a);
    tangent_cross_add(star, l->rho, l->a);
    vec3_cross(l->omega, l->rho, spin);
    tangent_cross_add(l->rate, spin, l->a);
}

/* Its own part of F and N. */
static void tangent_place_force(tangent *t, size_t k, const double *f)
{
    const perp_articulation *tree = t->tree;
    tangent_link *l = &t->links[k];
    double spin[3];

    vec3_subtract(l->a, tree->gravity, l->F);
    vec3_scale(tree->links[k].mass, l->F, l->F);
    tangent_inertia_times(tree, k, l->alpha, l->N);
    tangent_inertia_times(tree, k, l->omega, spin);
    tangent_cross_add(l->omega, spin, l->N);
    if (f) {
        vec3_subtract(l->F, f + 6 * k, l->F);
        vec3_subtract(l->N, f + 6 * k + 3, l->N);
    }
}

/* tau of joint k and what its parent has to bear. */
static void tangent_place_tau(tangent *t, size_t k, double *tau)
{
    const perp_articulation *tree = t->tree;
    const perp_link *link = &tree->links[k];
    const size_t first = tree->first[k];
    tangent_link *l = &t->links[k];
    double S[36];
    double N[3];
    double F[3];

    if (link->parent >= 0) {
        tangent_link *p = &t->links[link->parent];

        vec3_add(p->F, 1.0, l->F, p->F);
        vec3_add(p->N, 1.0, l->N, p->N);
        tangent_cross_add(l->d, l->F, p->N);
    }
    if (!tau || link->mobilizer->dof == 0) {
        return;
    }
    vec3_copy(N, l->N);
    tangent_cross_add(l->rho, l->F, N);
    mat3_apply_transposed(l->R, N, N);
    mat3_apply_transposed(l->R, l->F, F);
    link->mobilizer->motion(link->axes, tree->q + first, NULL, S, NULL);
    for (unsigned i = 0; i < link->mobilizer->dof; i++) {
        const double qd = l->motion.x[12 + i];
        const double qdd = l->motion.x[12 + PERP_MOBILIZER_DOF + i];

        tau[first + i] = vec3_dot(S + 6 * i, N) + vec3_dot(S + 6 * i + 3, F) +
                         link->armature[i] * qdd + link->damping[i] * qd +
                         link->stiffness[i] * (tree->q[first + i] - link->rest[i]);
    }
}

perp_status tangent_place(tangent *t, const double *nu, const double *nu_dot,
                          const double *f, double *tau, perp_error *err)
{
    const perp_articulation *tree = t->tree;

    memcpy(t->nu, nu, tree->n * sizeof *nu);
    memset(t->nu_dot, 0, tree->n * sizeof *nu);
    if (nu_dot) {
        memcpy(t->nu_dot, nu_dot, tree->n * sizeof *nu);
    }
    for (size_t k = 0; k < tree->count; k++) {
        const perp_link *link = &tree->links[k];
        const size_t at = tree->first[k];
        tangent_link *l = &t->links[k];
        double turn[9];

        if (!joint_motion_at(link, tree->q + at, t->nu + at, t->nu_dot + at,
                             &l->motion)) {
            return tangent_singular(link, err);
        }
        for (int i = 0; i < 9; i++) {
            turn[i] = link->Ec.R[i / 3 + i % 3 * 3];
        }
        mat3_multiply(tree->E[k].R, turn, l->R);
        tangent_place_link(t, k);
        tangent_place_force(t, k, f);
    }
    for (size_t k = tree->count; k-- > 0;) {
        tangent_place_tau(t, k, tau);
    }
    return PERP_OK;
}

/* Pose: dtheta and dr; the own part (S dq turned) is left in `own`. */
static void tangent_along_pose(tangent *t, size_t k, const tangent_above *up,
                               const double *dq, double own[6])
{
    const perp_link *link = &t->tree->links[k];
    tangent_link *l = &t->links[k];
    double S[36];

    memset(own, 0, 6 * sizeof *own);
    if (dq && link->mobilizer->dof > 0) {
        const size_t at = t->tree->first[k];

        link->mobilizer->motion(link->axes, t->tree->q + at, NULL, S, NULL);
        for (unsigned i = 0; i < link->mobilizer->dof; i++) {
            for (int j = 0; j < 6; j++) {
                own[j] += S[6 * i + (unsigned)j] * dq[at + i];
            }
        }
        mat3_apply(l->R, own, own);
        mat3_apply(l->R, own + 3, own + 3);
    }
    vec3_add(up->dtheta, 1.0, own, l->dtheta);
    vec3_add(up->dr, 1.0, own + 3, l->dr);
    tangent_cross_add(up->dtheta, l->d, l->dr);
    tangent_cross_add(own, l->rho, l->dr);
}

/* d(R x) = R dx + dtheta x R x. */
static void tangent_along_turned(const tangent_link *l, const double dx[3],
                                 const double Rx[3], double out[3])
{
    mat3_apply(l->R, dx, out);
    tangent_cross_add(l->dtheta, Rx, out);
}

/* Velocity and acceleration, by the lines of place_link. */
static void tangent_along_link(tangent *t, size_t k, const tangent_above *up,
                               const joint_motion *change)
{
    tangent_link *l = &t->links[k];
    double d_rate[6], d_star[6], star[3], dd[3], drho[3], x[3], dx[3];

    tangent_along_turned(l, change->x, l->rate, d_rate);
    tangent_along_turned(l, change->x + 3, l->rate + 3, d_rate + 3);
    tangent_along_turned(l, change->x + 6, l->push, d_star);
    tangent_along_turned(l, change->x + 9, l->push + 3, d_star + 3);
    vec3_subtract(l->dr, up->dr, dd);
    vec3_cross(l->dtheta, l->rho, drho);

    vec3_add(up->domega, 1.0, d_rate, l->domega);
    vec3_add(up->dv, 1.0, d_rate + 3, l->dv);
    tangent_cross_add(up->domega, l->d, l->dv);
    tangent_cross_add(up->omega, dd, l->dv);
    tangent_cross_add(d_rate, l->rho, l->dv);
    tangent_cross_add(l->rate, drho, l->dv);

    vec3_copy(star, l->push);
    tangent_cross_add(l->omega, l->rate, star);
    tangent_cross_add(l->domega, l->rate, d_star);
    tangent_cross_add(l->omega, d_rate, d_star);
    tangent_cross_add(l->domega, l->rate + 3, d_star + 3);
    tangent_cross_add(l->omega, d_rate + 3, d_star + 3);
    vec3_add(up->dalpha, 1.0, d_star, l->dalpha);
    vec3_add(up->da, 1.0, d_star + 3, l->da);
    tangent_cross_add(up->dalpha, l->d, l->da);
    tangent_cross_add(up->alpha, dd, l->da);
    vec3_subtract(l->v, up->v, x);
    vec3_subtract(l->dv, up->dv, dx);
    tangent_cross_add(up->domega, x, l->da);
    tangent_cross_add(up->omega, dx, l->da);
    tangent_cross_add(d_star, l->rho, l->da);
    tangent_cross_add(star, drho, l->da);
    vec3_cross(l->omega, l->rho, x);
    vec3_cross(l->domega, l->rho, dx);
    tangent_cross_add(l->omega, drho, dx);
    tangent_cross_add(d_rate, x, l->da);
    tangent_cross_add(l->rate, dx, l->da);
}

/* d(I x) = dtheta x I x - I (dtheta x x) + I dx. */
static void tangent_along_inertia(const tangent *t, size_t k, const double x[3],
                                  const double dx[3], double out[3])
{
    const double *dtheta = t->links[k].dtheta;
    double y[3];
    double turned[3];

    tangent_inertia_times(t->tree, k, x, y);
    vec3_cross(dtheta, x, turned);
    vec3_subtract(dx, turned, turned);
    tangent_inertia_times(t->tree, k, turned, out);
    tangent_cross_add(dtheta, y, out);
}

static void tangent_along_force(tangent *t, size_t k, const double *df)
{
    tangent_link *l = &t->links[k];
    double momentum[3];
    double change[3];

    vec3_scale(t->tree->links[k].mass, l->da, l->dF);
    tangent_along_inertia(t, k, l->alpha, l->dalpha, l->dN);
    tangent_inertia_times(t->tree, k, l->omega, momentum);
    tangent_along_inertia(t, k, l->omega, l->domega, change);
    tangent_cross_add(l->domega, momentum, l->dN);
    tangent_cross_add(l->omega, change, l->dN);
    if (df) {
        vec3_subtract(l->dF, df + 6 * k, l->dF);
        vec3_subtract(l->dN, df + 6 * k + 3, l->dN);
    }
}

/* What the parent bears more; tau = S^T R^T (N + rho x F, F), all of which turns. */
static void tangent_along_tau(tangent *t, size_t k, const double *dq,
                              const joint_motion *change, double *dtau)
{
    const perp_articulation *tree = t->tree;
    const perp_link *link = &tree->links[k];
    const size_t first = tree->first[k];
    const unsigned dof = link->mobilizer->dof;
    const double zero[PERP_MOBILIZER_DOF] = {0};
    tangent_link *l = &t->links[k];
    double S[36], dS[36], N[3], dN[3], F[3], dF[3], x[3];

    vec3_copy(N, l->N);
    tangent_cross_add(l->rho, l->F, N);
    vec3_copy(dN, l->dN);
    vec3_cross(l->dtheta, l->rho, x);
    tangent_cross_add(x, l->F, dN);
    tangent_cross_add(l->rho, l->dF, dN);
    vec3_cross(l->dtheta, N, x); /* d(R^T x) = R^T (dx - dtheta x x) */
    vec3_subtract(dN, x, dN);
    vec3_cross(l->dtheta, l->F, x);
    vec3_subtract(l->dF, x, dF);
    mat3_apply_transposed(l->R, N, N);
    mat3_apply_transposed(l->R, dN, dN);
    mat3_apply_transposed(l->R, l->F, F);
    mat3_apply_transposed(l->R, dF, dF);
    link->mobilizer->motion(link->axes, tree->q + first, dq ? dq + first : zero, S, dS);
    for (unsigned i = 0; i < dof; i++) {
        dtau[first + i] = vec3_dot(S + 6 * i, dN) + vec3_dot(S + 6 * i + 3, dF) +
                          vec3_dot(dS + 6 * i, N) + vec3_dot(dS + 6 * i + 3, F) +
                          link->armature[i] * change->x[12 + PERP_MOBILIZER_DOF + i] +
                          link->damping[i] * change->x[12 + i] +
                          (dq ? link->stiffness[i] * dq[first + i] : 0.0);
    }
}

static void tangent_along_parent(tangent *t, size_t k)
{
    const int32_t parent = t->tree->links[k].parent;
    tangent_link *l = &t->links[k];

    if (parent >= 0) {
        tangent_link *p = &t->links[parent];
        double dd[3];

        vec3_subtract(l->dr, p->dr, dd);
        vec3_add(p->dF, 1.0, l->dF, p->dF);
        vec3_add(p->dN, 1.0, l->dN, p->dN);
        tangent_cross_add(dd, l->F, p->dN);
        tangent_cross_add(l->d, l->dF, p->dN);
    }
}

static bool tangent_change_of(const tangent *t, size_t k, const double *dq,
                              const double *dnu, joint_motion *change)
{
    const size_t at = t->tree->first[k];

    return joint_motion_along(&t->tree->links[k], t->tree->q + at, t->nu + at,
                              t->nu_dot + at, dq ? dq + at : NULL, dnu ? dnu + at : NULL,
                              change);
}

perp_status tangent_along(tangent *t, const double *dq, const double *dnu,
                          const double *df, double *dtau, double *du, perp_error *err)
{
    const perp_articulation *tree = t->tree;
    double own[6];

    for (size_t k = 0; k < tree->count; k++) {
        const tangent_above up = tangent_above_of(t, k);
        tangent_link *l = &t->links[k];

        if (!tangent_change_of(t, k, dq, dnu, &l->change)) {
            return tangent_singular(&tree->links[k], err);
        }
        tangent_along_pose(t, k, &up, dq, own);
        tangent_along_link(t, k, &up, &l->change);
        tangent_along_force(t, k, df);
        if (du) {
            vec3_copy(du + 6 * k, l->dv);
            vec3_copy(du + 6 * k + 3, l->domega);
        }
    }
    for (size_t k = tree->count; dtau && k-- > 0;) {
        tangent_along_parent(t, k);
        if (tree->links[k].mobilizer->dof > 0) {
            tangent_along_tau(t, k, dq, &t->links[k].change, dtau);
        }
    }
    return PERP_OK;
}
