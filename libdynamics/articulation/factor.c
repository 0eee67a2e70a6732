/* SPDX-License-Identifier: Apache-2.0
 * articulation/factor.c: articulated inertias: factors of H, or of H + dt D + dt^2 K
 * [featherstone-2008].
 *
 *     U = I S,  D = S^T U + armature + dt damping + dt^2 stiffness,  G = U D^-1
 *     I_p += X^T (I - G U^T) X
 *
 * Revolute joints have a function of their own: S = (0, s), so that U is two products
 * with s. */
#include <config.h>

#include "articulation/articulated.h"

/* A pivot below this share of the inertia of the link and its descendants, before their
 * joints reduced it, is rounding. */
static const double pivot_least = 1e-14;

/* Inverse of D, symmetric positive definite, n x n, by Cholesky; the least pivot of each
 * coordinate is least[i]: false below it. */
static bool factor_invert(uint32_t n, const double *D, const double *least,
                          double *inverse)
{
    double L[36] = {0.0};
    double pivot[PERP_MOBILIZER_DOF] = {0.0}; /* 1/L(j,j) */

    for (uint32_t j = 0; j < n; j++) {
        for (uint32_t i = j; i < n; i++) {
            double x = D[n * j + i];

            for (uint32_t k = 0; k < j; k++) {
                x -= L[n * k + i] * L[n * k + j];
            }
            if (i > j) {
                L[n * j + i] = x * pivot[j];
            } else if (x > least[j]) {
                pivot[j] = 1.0 / sqrt(x);
            } else {
                return false;
            }
        }
    }
    for (uint32_t c = 0; c < n; c++) {
        double x[PERP_MOBILIZER_DOF];

        for (uint32_t i = c; i < n; i++) {
            x[i] = i == c ? 1.0 : 0.0;
            for (uint32_t k = c; k < i; k++) {
                x[i] -= L[n * k + i] * x[k];
            }
            x[i] *= pivot[i];
        }
        for (uint32_t i = n; i-- > c;) {
            for (uint32_t k = i + 1; k < n; k++) {
                x[i] -= L[n * i + k] * x[k];
            }
            x[i] *= pivot[i];
            inverse[n * c + i] = inverse[n * i + c] = x[i];
        }
    }
    return true;
}

perp_status articulated_singular(const perp_articulation *tree, size_t k, perp_error *err)
{
    return perp_fail(err, PERP_ERR_DATA,
                     "joint \"%s\": H is singular: nothing resists the motion of this %s "
                     "joint",
                     tree->links[k].joint, tree->links[k].mobilizer->name);
}

/* Terms of D of coordinate i of link k: armature, dt damping, dt^2 stiffness. */
static inline double factor_extra(const perp_articulation *tree, size_t k, uint32_t i,
                                  double dt)
{
    const articulated_own *own = articulated_of(tree);
    const double armature = own->armature[own->links[k].first + i];

    return dt == 0.0 ? armature
                     : armature + dt * (tree->links[k].damping[i] +
                                        dt * tree->links[k].stiffness[i]);
}

/* I -= g u^T, symmetric with the other terms of its sum. */
static inline __attribute__((always_inline)) void factor_subtract(articulated_inertia *I,
                                                                  const double g[6],
                                                                  const double u[6])
{
    I->M[0] -= g[0] * u[0];
    I->M[1] -= g[0] * u[1];
    I->M[2] -= g[0] * u[2];
    I->M[3] -= g[1] * u[1];
    I->M[4] -= g[1] * u[2];
    I->M[5] -= g[2] * u[2];
    I->H[0] -= g[0] * u[3];
    I->H[1] -= g[0] * u[4];
    I->H[2] -= g[0] * u[5];
    I->H[3] -= g[1] * u[3];
    I->H[4] -= g[1] * u[4];
    I->H[5] -= g[1] * u[5];
    I->H[6] -= g[2] * u[3];
    I->H[7] -= g[2] * u[4];
    I->H[8] -= g[2] * u[5];
    I->J[0] -= g[3] * u[3];
    I->J[1] -= g[3] * u[4];
    I->J[2] -= g[3] * u[5];
    I->J[3] -= g[4] * u[4];
    I->J[4] -= g[4] * u[5];
    I->J[5] -= g[5] * u[5];
}

/* The inertia of the link plus the sum of its children. All sums are written out: a
 * compiler that vectorises some of them stalls on loads after stores. */
static inline void factor_gather(const articulated_link *link,
                                 const articulated_load *load, articulated_load *out)
{
    const double m = link->m;
    const double x = m * link->rho[0];
    const double y = m * link->rho[1];
    const double z = m * link->rho[2];

    if (link->leaf) {
        articulated_rigid(link, &out->I);
        out->size_M = m;
        out->size_J = link->J[0] + link->J[3] + link->J[5];
        return;
    }
    out->I = (articulated_inertia){
        .M = {load->I.M[0] + m, load->I.M[1], load->I.M[2], load->I.M[3] + m,
              load->I.M[4], load->I.M[5] + m},
        .H = {load->I.H[0], load->I.H[1] + z, load->I.H[2] - y, load->I.H[3] - z,
              load->I.H[4], load->I.H[5] + x, load->I.H[6] + y, load->I.H[7] - x,
              load->I.H[8]},
        .J = {load->I.J[0] + link->J[0], load->I.J[1] + link->J[1],
              load->I.J[2] + link->J[2], load->I.J[3] + link->J[3],
              load->I.J[4] + link->J[4], load->I.J[5] + link->J[5]},
    };
    out->size_M = load->size_M + m;
    out->size_J = load->size_J + link->J[0] + link->J[3] + link->J[5];
}

/* Add X^T I X to the load of the parent; the first child sets it. */
static inline void factor_add_to_parent(const articulated_link *link,
                                        const articulated_load *load,
                                        articulated_load *parent)
{
    const double *d = link->d;
    const double size = load->size_J + load->size_M * vec3_dot(d, d);
    articulated_inertia I;

    articulated_shift(&load->I, d, &I);
    if (link->last) {
        parent->I = I;
        parent->size_M = load->size_M;
        parent->size_J = size;
        return;
    }
    for (int i = 0; i < 6; i += 3) {
        vec3_add(parent->I.M + i, 1.0, I.M + i, parent->I.M + i);
        vec3_add(parent->I.J + i, 1.0, I.J + i, parent->I.J + i);
    }
    for (int i = 0; i < 9; i += 3) {
        vec3_add(parent->I.H + i, 1.0, I.H + i, parent->I.H + i);
    }
    parent->size_M += load->size_M;
    parent->size_J += size;
}

/* A revolute joint; false: singular. */
static inline bool factor_turn(const articulated_own *own, const articulated_link *link,
                               double extra, articulated_load *load)
{
    const double *s = own->S + 6 * link->first + 3;
    double *G = own->G + 6 * link->first;
    double U[6];
    double D = 0.0;

    mat3_apply(load->I.H, s, U);
    sym3_apply(load->I.J, s, U + 3);
    D = vec3_dot(s, U + 3) + extra;
    if (!(D > pivot_least * load->size_J)) {
        return false;
    }
    D = 1.0 / D;
    own->inverse[link->block] = D;
    vec3_scale(D, U, G);
    vec3_scale(D, U + 3, G + 3);
    factor_subtract(&load->I, G, U);
    return true;
}

/* Any joint. */
static bool factor_any(const perp_articulation *tree, size_t k, double dt,
                       articulated_load *load)
{
    const articulated_own *own = articulated_of(tree);
    const articulated_link *link = &own->links[k];
    const double *S = own->S + 6 * link->first;
    double *G = own->G + 6 * link->first;
    double *inverse = own->inverse + link->block;
    const uint32_t dof = link->dof;
    double least[PERP_MOBILIZER_DOF];
    double D[36];
    double U[36];

    for (uint32_t j = 0; j < dof; j++) {
        const double *s = S + 6 * j;

        inertia_apply(&load->I, s, U + 6 * j);
        for (uint32_t i = 0; i <= j; i++) {
            D[dof * j + i] = D[dof * i + j] = six_dot(S + 6 * i, U + 6 * j);
        }
        D[dof * j + j] += factor_extra(tree, k, j, dt);
        least[j] = pivot_least * (load->size_M * vec3_dot(s, s) +
                                  load->size_J * vec3_dot(s + 3, s + 3));
    }
    if (!factor_invert(dof, D, least, inverse)) {
        return false;
    }
    if (link->parent < 0) {
        return true; /* G of a root is not used */
    }
    for (uint32_t j = 0; j < dof; j++) {
        for (int r = 0; r < 6; r++) {
            double sum = 0.0;

            for (uint32_t i = 0; i < dof; i++) {
                sum += U[6 * i + (uint32_t)r] * inverse[dof * j + i];
            }
            G[6 * j + (uint32_t)r] = sum;
        }
        factor_subtract(&load->I, G + 6 * j, U + 6 * j);
    }
    return true;
}

bool articulated_factor_link(const perp_articulation *tree, size_t k, double dt)
{
    const articulated_own *own = articulated_of(tree);
    const articulated_link *link = &own->links[k];
    articulated_load load;

    factor_gather(link, &own->loads[k], &load);
    if (!(link->kind == ARTICULATED_TURN
              ? factor_turn(own, link, factor_extra(tree, k, 0, dt), &load)
              : factor_any(tree, k, dt, &load))) {
        return false;
    }
    if (link->parent >= 0) {
        factor_add_to_parent(link, &load, &own->loads[link->parent]);
    }
    return true;
}

perp_status perp_articulation_factor(perp_articulation *tree, double dt, perp_error *err)
{
    articulated_own *own = articulated_of(tree);

    if (own->factored && own->dt == dt) {
        return PERP_OK; /* since the last update */
    }
    own->factored = false;
    articulated_turn(tree);
    for (size_t k = tree->count; k-- > 0;) {
        if (!articulated_factor_link(tree, k, dt)) {
            return articulated_singular(tree, k, err);
        }
    }
    own->factored = true;
    own->dt = dt;
    return PERP_OK;
}
