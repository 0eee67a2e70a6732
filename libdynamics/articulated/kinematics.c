/* SPDX-License-Identifier: Apache-2.0
 * articulated/kinematics.c: poses, velocities, joint twists and the accelerations that
 * come of velocities alone.
 *
 *     o = o_p + d,   d = R_p (Ep.p + l_p) + R_p Ep.R Q.p,   R = R_p Ep.R Q.R Ec.R
 *     w = S_w qd, s = S_v qd in world axes:   omega = omega_p + w,   v = v_p + omega_p x d + s
 *     c_w = Sdot_w qd + omega x w,  c_v = omega_p x (omega_p x d + s) + Sdot_v qd + omega x s
 *
 * l is the centre of mass seen from o, body axes. */
#include <config.h>

#include <stdio.h>

#include "articulated.h"

/* Below this `regular` a velocity asks for rates 1e10 times too large: all digits that a
 * step could use are gone. */
static const double regular_least = 1e-10;

static perp_status kinematics_singular(const perp_link *link, const double *q, bool may,
                                       perp_error *err)
{
    const perp_mobilizer *type = link->mobilizer;
    double length = 0.0;

    for (unsigned i = 0; i < type->dof; i++) {
        length += q[i] * q[i];
    }
    return perp_fail(
        err, PERP_ERR_DATA, "joint \"%s\": %s at its singularity, |q| = %.7g%s",
        link->name, type->name, sqrt(length),
        type->renew && !may ? ", and its coordinates may not be exchanged" : "");
}

/* Coordinates that are good for what follows, or an error. */
static perp_status kinematics_coordinates(perp_articulation *tree, size_t k,
                                          perp_error *err)
{
    const perp_link *link = &tree->links[k];
    const perp_mobilizer *type = link->mobilizer;
    double *q = tree->q + tree->first[k];
    double *qd = tree->qd + tree->first[k];

    for (unsigned i = 0; i < type->dof; i++) {
        if (!isfinite(q[i]) || !isfinite(qd[i])) {
            return perp_fail(err, PERP_ERR_DATA,
                             "joint \"%s\": coordinate %u is %g, its rate %g: not finite",
                             link->name, i, q[i], qd[i]);
        }
    }
    if (tree->renew && type->renew) {
        type->renew(link->axes, q, qd);
    }
    if (type->regular && !(fabs(type->regular(link->axes, q)) > regular_least)) {
        return kinematics_singular(link, q, tree->renew, err);
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

/* What link k hangs on: its pose, its o seen from there, its velocity at o. */
typedef struct kinematics_above {
    const perp_frame *E;
    double l[3], v[3], omega[3];
} kinematics_above;

static kinematics_above kinematics_of_above(const perp_articulation *tree, size_t k)
{
    const articulated_own *own = articulated_of(tree);
    const int32_t p = own->links[k].parent;
    kinematics_above above = {.l = {0.0, 0.0, 0.0}};

    if (p >= 0) {
        above.E = &tree->E[p];
        vec3_copy(above.l, own->links[p].l);
        vec3_copy(above.v, own->links[p].v);
        vec3_copy(above.omega, own->links[p].omega);
    } else {
        above.E = &tree->base[k];
        vec3_copy(above.v, tree->base_u + 6 * k);
        vec3_copy(above.omega, tree->base_u + 6 * k + 3);
    }
    return above;
}

static void kinematics_link(perp_articulation *tree, size_t k)
{
    const perp_link *from = &tree->links[k];
    articulated_link *link = &articulated_of(tree)->links[k];
    const kinematics_above up = kinematics_of_above(tree, k);
    perp_frame joint;
    perp_frame *E = &tree->E[k];
    double rate[6];
    double bias[6];
    double t[3];

    perp_frame_multiply(up.E, &from->Ep, &joint);
    kinematics_joint(tree, k, &joint, rate, bias);
    mat3_apply(up.E->R, up.l, t);
    vec3_subtract(joint.p, up.E->p, link->d);
    vec3_add(link->d, 1.0, t, link->d);
    perp_frame_multiply(&joint, &from->Ec, E);
    mat3_apply(E->R, link->l, link->rho);

    vec3_cross(up.omega, link->d, t);
    vec3_add(t, 1.0, rate, t); /* v - v_p */
    vec3_add(up.v, 1.0, t, link->v);
    vec3_add(up.omega, 1.0, rate + 3, link->omega);
    memcpy(link->c, bias, sizeof bias);
    vec3_cross_add(up.omega, t, link->c);
    vec3_cross_add(link->omega, rate, link->c);
    vec3_cross_add(link->omega, rate + 3, link->c + 3);

    vec3_copy(tree->u + 6 * k, link->v);
    vec3_copy(tree->u + 6 * k + 3, link->omega);
    vec3_cross_add(link->omega, link->rho, tree->u + 6 * k);
}

perp_status perp_articulation_update(perp_articulation *tree, perp_error *err)
{
    articulated_of(tree)->factored = false;
    for (size_t k = 0; k < tree->count; k++) {
        const perp_status status = kinematics_coordinates(tree, k, err);

        if (status != PERP_OK) {
            return status;
        }
        kinematics_link(tree, k);
    }
    return PERP_OK;
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
