/* SPDX-License-Identifier: Apache-2.0
 * articulation/kinematics.c: poses, velocities, joint twists and the accelerations due to
 * velocities.
 *
 *     o = o_p + d,   d = R_p (Ep.p + l_p) + R_p Ep.R Q.p,   R = R_p Ep.R Q.R Ec.R
 *     w = S_w qd, s = S_v qd in world axes
 *     omega = omega_p + w,            v = v_p + omega_p x d + s
 *     c_w = Sdot_w qd + omega x w,    c_v = omega_p x (omega_p x d + s) + Sdot_v qd
 *                                           + omega x s
 *
 * l is the centre of mass relative to o, body axes. */
#include <config.h>

#include <stdio.h>

#include "articulation/articulated.h"

/* Below this value of `regular` rates are 1e10 times larger than velocities, and a step
 * has no accurate digits. */
static const double regular_least = 1e-10;

static perp_status kinematics_singular(const perp_link *link, const double *q, bool may,
                                       perp_error *err)
{
    const perp_mobilizer *type = link->mobilizer;
    double length = 0.0;

    for (unsigned i = 0; i < type->dof; i++) {
        length += q[i] * q[i];
    }
    return perp_fail(err, PERP_ERR_DATA,
                     "joint \"%s\": %s at its singularity, |q| = %.7g%s", link->joint,
                     type->name, sqrt(length),
                     type->switch_chart && !may ? ", and chart switches are off" : "");
}

/* Switch the chart if necessary; an error for coordinates that cannot be used. */
static perp_status kinematics_coordinates(perp_articulation *tree, size_t k,
                                          bool may_switch, perp_error *err)
{
    const articulated_own *own = articulated_of(tree);
    const perp_link *link = &tree->links[k];
    const perp_mobilizer *type = link->mobilizer;
    double *q = tree->q + own->links[k].first;
    double *qd = tree->qd + own->links[k].first;

    for (uint32_t i = 0; i < own->links[k].dof; i++) {
        if (!isfinite(q[i]) || !isfinite(qd[i])) {
            return perp_fail(err, PERP_ERR_DATA,
                             "joint \"%s\": coordinate %u is %g and its rate %g, "
                             "expected finite numbers",
                             link->joint, i, q[i], qd[i]);
        }
    }
    if (own->links[k].kind != ARTICULATED_ANY) {
        return PERP_OK;
    }
    if (may_switch && type->switch_chart) {
        type->switch_chart(link->axes, q, qd);
    }
    if (type->regular && !(fabs(type->regular(link->axes, q)) > regular_least)) {
        return kinematics_singular(link, q, may_switch, err);
    }
    return PERP_OK;
}

/* The joint's own part: poses, S in world axes, and (s, w), (Sdot qd) in world axes. */
static void kinematics_joint(const perp_articulation *tree, size_t k, perp_frame *joint,
                             double rate[6], double bias[6])
{
    const perp_link *link = &tree->links[k];
    const perp_mobilizer *type = link->mobilizer;
    const double *q = tree->q + tree->first[k];
    const double *qd = tree->qd + tree->first[k];
    double *S_world = articulated_of(tree)->S + 6 * tree->first[k];
    double S[36];
    double Sdot[36];
    perp_frame Q;

    memset(rate, 0, 6 * sizeof *rate);
    memset(bias, 0, 6 * sizeof *bias);
    type->place(link->axes, q, &Q);
    perp_frame_multiply(joint, &Q, joint);
    if (type->dof == 0) {
        return;
    }
    type->motion(link->axes, q, qd, S, Sdot);
    for (unsigned i = 0; i < type->dof; i++) {
        double *s = S_world + 6 * i;
        double t[3];

        mat3_apply(joint->R, S + 6 * i + 3, s);
        mat3_apply(joint->R, S + 6 * i, s + 3);
        for (int j = 0; j < 6; j++) {
            rate[j] += s[j] * qd[i];
        }
        mat3_apply(joint->R, Sdot + 6 * i + 3, t);
        vec3_add(bias, qd[i], t, bias);
        mat3_apply(joint->R, Sdot + 6 * i, t);
        vec3_add(bias + 3, qd[i], t, bias + 3);
    }
}

/* The parent of link k or its base: pose, o and the velocity there. */
typedef struct kinematics_above {
    const perp_frame *E;
    const double *rho, *v, *omega;
} kinematics_above;

static inline kinematics_above kinematics_of_above(const perp_articulation *tree,
                                                   const articulated_link *links,
                                                   size_t k)
{
    static const double none[3] = {0.0, 0.0, 0.0};
    const int32_t p = links[k].parent;

    if (p >= 0) {
        return (kinematics_above){.E = &tree->E[p],
                                  .rho = links[p].rho,
                                  .v = links[p].v,
                                  .omega = links[p].omega};
    }
    return (kinematics_above){.E = &tree->base[k],
                              .rho = none,
                              .v = tree->base_u + 6 * k,
                              .omega = tree->base_u + 6 * k + 3};
}

/* From its place, its turn and the joint's twist (s, w) and bias to all that follows. */
static inline void kinematics_move(const kinematics_above *up, const double rate[6],
                                   const double bias[6], articulated_link *link,
                                   perp_frame *E, double *u)
{
    const double *d = link->d;
    const double *rho = link->rho;
    double omega[3];
    double v[3];
    double t[3];

    for (int i = 0; i < 3; i++) {
        E->p[i] = up->E->p[i] - up->rho[i] + d[i] + rho[i];
        omega[i] = up->omega[i] + rate[3 + i];
    }
    vec3_cross(up->omega, d, t);
    vec3_add(t, 1.0, rate, t); /* v - v_p */
    vec3_add(up->v, 1.0, t, v);
    vec3_cross(up->omega, t, link->c);
    vec3_cross_add(omega, rate, link->c);
    vec3_add(link->c, 1.0, bias, link->c);
    vec3_cross(omega, rate + 3, link->c + 3);
    vec3_add(link->c + 3, 1.0, bias + 3, link->c + 3);
    vec3_copy(link->omega, omega);
    vec3_copy(link->v, v);
    vec3_copy(u, v);
    vec3_copy(u + 3, omega);
    vec3_cross_add(omega, rho, u);
}

static void kinematics_turn(const perp_articulation *tree, size_t k)
{
    const articulated_own *own = articulated_of(tree);
    articulated_link *link = &own->links[k];
    const articulated_constants *at = &own->constants[k];
    const kinematics_above up = kinematics_of_above(tree, own->links, k);
    const double qd = tree->qd[link->first];
    const double c = cos(tree->q[link->first]);
    const double s = sin(tree->q[link->first]);
    double *S = own->S + 6 * link->first;
    double *u = tree->u + 6 * k;
    perp_frame *E = &tree->E[k];
    double M[10];
    double R[9];
    double a[3];
    double d[3];
    double rho[3];
    double omega[3];
    double v[3];
    double t[3];

    for (int i = 0; i < 10; i++) {
        M[i] = at->constant[i] + c * at->cosine[i] + s * at->sine[i];
    }
    mat3_apply(up.E->R, at->offset, d);
    mat3_product(up.E->R, M, R);
    mat3_apply(R, at->axis, a);
    mat3_apply(R, at->l, rho);
    memcpy(E->R, R, sizeof R);
    vec3_subtract(up.E->p, up.rho, t);
    vec3_add(t, 1.0, d, t);
    vec3_add(t, 1.0, rho, E->p);
    vec3_copy(link->d, d);
    vec3_copy(link->rho, rho);
    vec3_set(S, 0.0, 0.0, 0.0);
    vec3_copy(S + 3, a);

    vec3_cross(up.omega, d, t);
    vec3_add(up.v, 1.0, t, v);
    vec3_scale(qd, a, a);
    vec3_add(up.omega, 1.0, a, omega);
    vec3_cross(up.omega, t, link->c);
    vec3_cross(up.omega, a, link->c + 3);
    vec3_copy(link->omega, omega);
    vec3_copy(link->v, v);
    vec3_copy(u + 3, omega);
    vec3_cross(omega, rho, t);
    vec3_add(v, 1.0, t, u);
}

/* A prismatic joint, or a fixed one. */
static void kinematics_slide(const perp_articulation *tree, size_t k)
{
    static const double none[6] = {0.0};
    const articulated_own *own = articulated_of(tree);
    articulated_link *link = &own->links[k];
    const articulated_constants *at = &own->constants[k];
    const kinematics_above up = kinematics_of_above(tree, own->links, k);
    double *R = tree->E[k].R;
    double *S = own->S + 6 * link->first;
    double rate[6] = {0.0};
    double offset[3];

    vec3_copy(offset, at->offset);
    mat3_product(up.E->R, at->constant, R);
    mat3_apply(R, at->l, link->rho);
    if (link->dof == 1) {
        memset(S, 0, 6 * sizeof *S);
        vec3_add(offset, tree->q[link->first], at->slide, offset);
        mat3_apply(R, at->axis, S);
        vec3_scale(tree->qd[link->first], S, rate);
    }
    mat3_apply(up.E->R, offset, link->d);
    kinematics_move(&up, rate, none, link, &tree->E[k], tree->u + 6 * k);
}

static void kinematics_any(perp_articulation *tree, size_t k)
{
    const articulated_own *own = articulated_of(tree);
    articulated_link *link = &own->links[k];
    const kinematics_above up = kinematics_of_above(tree, own->links, k);
    perp_frame joint;
    double rate[6];
    double bias[6];

    perp_frame_multiply(up.E, &tree->links[k].Ep, &joint);
    kinematics_joint(tree, k, &joint, rate, bias);
    vec3_subtract(joint.p, up.E->p, link->d);
    vec3_add(link->d, 1.0, up.rho, link->d);
    mat3_product(joint.R, tree->links[k].Ec.R, tree->E[k].R);
    mat3_apply(joint.R, tree->links[k].Ec.p, link->rho);
    kinematics_move(&up, rate, bias, link, &tree->E[k], tree->u + 6 * k);
}

perp_status articulated_kinematics(perp_articulation *tree, bool may_switch,
                                   perp_error *err)
{
    const articulated_own *own = articulated_of(tree);

    for (size_t k = 0; k < tree->count; k++) {
        const int32_t next = articulated_next_out(own, k, tree->count);
        const perp_status status = kinematics_coordinates(tree, k, may_switch, err);

        if (status != PERP_OK) {
            return status;
        }
        if (next >= 0) {
            articulated_fetch(&tree->E[next], sizeof *tree->E);
            articulated_fetch(own->links[next].d, 12 * sizeof(double));
        }
        switch (own->links[k].kind) {
        case ARTICULATED_TURN:
            kinematics_turn(tree, k);
            break;
        case ARTICULATED_SLIDE:
            kinematics_slide(tree, k);
            break;
        case ARTICULATED_ANY:
            kinematics_any(tree, k);
            break;
        }
    }
    return PERP_OK;
}

perp_status perp_articulation_update(perp_articulation *tree, perp_error *err)
{
    articulated_own *own = articulated_of(tree);

    own->factored = own->turned = false;
    return articulated_kinematics(tree, tree->switch_chart, err);
}

perp_status articulated_speeds(perp_articulation *tree, perp_error *err)
{
    articulated_own *own = articulated_of(tree);
    const perp_status status = articulated_kinematics(tree, false, err);

    if (status != PERP_OK) {
        own->factored = own->turned = false;
    }
    return status;
}

void articulated_twists(const perp_articulation *tree, const double *qd, bool base)
{
    const articulated_own *own = articulated_of(tree);

    for (size_t k = 0; k < tree->count; k++) {
        articulated_link *link = &own->links[k];
        const double *S = own->S + 6 * link->first;

        if (link->parent >= 0) {
            six_outward(link->d, own->links[link->parent].a, link->a);
        } else if (base) {
            six_outward(link->d, tree->base_u + 6 * k, link->a);
        } else {
            memset(link->a, 0, sizeof link->a);
        }
        for (uint32_t i = 0; i < link->dof; i++) {
            for (int j = 0; j < 6; j++) {
                link->a[j] += S[6 * i + (uint32_t)j] * qd[link->first + i];
            }
        }
    }
}

void perp_articulation_velocities(const perp_articulation *tree, const double *qd,
                                  bool base, double *u)
{
    const articulated_own *own = articulated_of(tree);

    articulated_twists(tree, qd, base);
    for (size_t k = 0; k < tree->count; k++) {
        articulated_at_mass(&own->links[k], own->links[k].a, u + 6 * k);
    }
}
