/* SPDX-License-Identifier: Apache-2.0
 * articulated/aba.c: articulated bodies: factors of H, and answers to forces
 * [featherstone-2008].
 *
 *     inwards:   U = I S,  D = S^T U + armature + dt damping + dt^2 stiffness,  G = U D^-1
 *                I_p += X^T (I - G U^T) X
 *     respond:   u = tau - S^T p,   p_p += X^T (p + G u)      (p: minus the forces)
 *     outwards:  qdd = D^-1 u - G^T X a_p,   a = X a_p + S qdd
 *
 * Velocities enter through the forces of inverse dynamics at qdd = 0 alone, so that the
 * accelerations a are those beyond it and factors serve for any forces. */
#include <config.h>

#include "articulated.h"

/* A pivot smaller than this part of the inertia that the joints beyond took of is what
 * rounding left of it. */
static const double pivot_least = 1e-14;

/* Inverse of D, symmetric positive definite, n x n, by Cholesky; the least pivot of each
 * coordinate is least[i]. The first that is below it is returned, else -1. */
static int aba_invert(uint32_t n, double *D, const double *least, double *inverse)
{
    double L[36];

    for (uint32_t j = 0; j < n; j++) {
        for (uint32_t i = j; i < n; i++) {
            double x = D[n * j + i];

            for (uint32_t k = 0; k < j; k++) {
                x -= L[n * k + i] * L[n * k + j];
            }
            if (i == j) {
                if (!(x > least[j])) {
                    return (int)j;
                }
                L[n * j + j] = sqrt(x);
            } else {
                L[n * j + i] = x / L[n * j + j];
            }
        }
    }
    for (uint32_t c = 0; c < n; c++) {
        double x[PERP_MOBILIZER_DOF] = {0};

        for (uint32_t i = c; i < n; i++) {
            x[i] = i == c ? 1.0 : 0.0;
            for (uint32_t k = c; k < i; k++) {
                x[i] -= L[n * k + i] * x[k];
            }
            x[i] /= L[n * i + i];
        }
        for (uint32_t i = n; i-- > c;) {
            for (uint32_t k = i + 1; k < n; k++) {
                x[i] -= L[n * i + k] * x[k];
            }
            x[i] /= L[n * i + i];
            inverse[n * c + i] = inverse[n * i + c] = x[i];
        }
    }
    return -1;
}

static perp_status aba_singular(const perp_articulation *tree, size_t k, perp_error *err)
{
    return perp_fail(err, PERP_ERR_DATA,
                     "joint \"%s\": H is singular: nothing resists the motion of this %s "
                     "joint",
                     tree->links[k].name, tree->links[k].mobilizer->name);
}

/* D^-1 and G of link k; U is left in U. */
static bool aba_factor_link(const perp_articulation *tree, size_t k, double dt, double *U)
{
    const articulated_own *own = articulated_of(tree);
    const articulated_link *link = &own->links[k];
    const perp_link *from = &tree->links[k];
    const double *S = own->S + 6 * link->first;
    double *G = own->G + 6 * link->first;
    double *inverse = own->inverse + link->block;
    const uint32_t dof = link->dof;
    double least[PERP_MOBILIZER_DOF];
    double D[36];

    for (uint32_t j = 0; j < dof; j++) {
        const double *s = S + 6 * j;

        inertia_apply(&link->inertia, s, U + 6 * j);
        for (uint32_t i = 0; i <= j; i++) {
            D[dof * j + i] = D[dof * i + j] = six_dot(S + 6 * i, U + 6 * j);
        }
        D[dof * j + j] +=
            from->armature[j] + dt * (from->damping[j] + dt * from->stiffness[j]);
        least[j] = pivot_least * (link->size_M * vec3_dot(s, s) +
                                  link->size_J * vec3_dot(s + 3, s + 3));
    }
    if (aba_invert(dof, D, least, inverse) >= 0) {
        return false;
    }
    for (uint32_t j = 0; j < dof; j++) {
        for (int r = 0; r < 6; r++) {
            double sum = 0.0;

            for (uint32_t i = 0; i < dof; i++) {
                sum += U[6 * i + (uint32_t)r] * inverse[dof * j + i];
            }
            G[6 * j + (uint32_t)r] = sum;
        }
    }
    return true;
}

/* I -= g u^T, symmetric with the other terms of its sum. */
static void aba_take(articulated_inertia *I, const double *g, const double *u)
{
    I->M[0] -= g[0] * u[0];
    I->M[1] -= g[0] * u[1];
    I->M[2] -= g[0] * u[2];
    I->M[3] -= g[1] * u[1];
    I->M[4] -= g[1] * u[2];
    I->M[5] -= g[2] * u[2];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            I->H[3 * i + j] -= g[i] * u[3 + j];
        }
    }
    I->J[0] -= g[3] * u[3];
    I->J[1] -= g[3] * u[4];
    I->J[2] -= g[3] * u[5];
    I->J[3] -= g[4] * u[4];
    I->J[4] -= g[4] * u[5];
    I->J[5] -= g[5] * u[5];
}

static void aba_start(const perp_articulation *tree)
{
    const articulated_own *own = articulated_of(tree);

    for (size_t k = 0; k < tree->count; k++) {
        articulated_link *link = &own->links[k];
        const articulated_inertia *I = &link->inertia;

        articulated_rigid(link, tree->E[k].R, &link->inertia);
        link->size_M = link->m;
        link->size_J = I->J[0] + I->J[3] + I->J[5];
    }
}

/* What link k gives its parent. */
static void aba_hand_on(const articulated_link *link, articulated_link *parent,
                        const double *G, const double *U)
{
    articulated_inertia I = link->inertia;

    parent->size_M += link->size_M;
    parent->size_J += link->size_J + link->size_M * vec3_dot(link->d, link->d);
    for (uint32_t i = 0; i < link->dof; i++) {
        aba_take(&I, G + 6 * i, U + 6 * i);
    }
    articulated_shift_add(&I, link->d, &parent->inertia);
}

perp_status perp_articulation_factor(perp_articulation *tree, double dt, perp_error *err)
{
    articulated_own *own = articulated_of(tree);

    own->factored = false;
    aba_start(tree);
    for (size_t k = tree->count; k-- > 0;) {
        const articulated_link *link = &own->links[k];
        double U[36];

        if (!aba_factor_link(tree, k, dt, U)) {
            return aba_singular(tree, k, err);
        }
        if (link->parent >= 0) {
            aba_hand_on(link, &own->links[link->parent], own->G + 6 * link->first, U);
        }
    }
    own->factored = true;
    own->dt = dt;
    return PERP_OK;
}

/* qdd := H^-1 (tau - J^T p) for forces p at the links' o, which are used up. */
static void aba_answer(const perp_articulation *tree, const double *tau, double *qdd)
{
    const articulated_own *own = articulated_of(tree);

    for (size_t k = tree->count; k-- > 0;) {
        articulated_link *link = &own->links[k];
        double *u = own->x + link->first;

        for (uint32_t i = 0; i < link->dof; i++) {
            u[i] = -six_dot(own->S + 6 * (link->first + i), link->p);
            if (tau) {
                u[i] += tau[link->first + i];
            }
        }
        if (link->parent < 0) {
            continue;
        }
        for (uint32_t i = 0; i < link->dof; i++) {
            for (int j = 0; j < 6; j++) {
                link->p[j] += own->G[6 * (link->first + i) + (uint32_t)j] * u[i];
            }
        }
        six_inward_add(link->d, link->p, own->links[link->parent].p);
    }
    for (size_t k = 0; k < tree->count; k++) {
        articulated_link *link = &own->links[k];
        const double *inverse = own->inverse + link->block;
        const double *u = own->x + link->first;

        if (link->parent >= 0) {
            six_outward(link->d, own->links[link->parent].a, link->a);
        } else {
            memset(link->a, 0, sizeof link->a);
        }
        for (uint32_t i = 0; i < link->dof; i++) {
            double sum = -six_dot(own->G + 6 * (link->first + i), link->a);

            for (uint32_t j = 0; j < link->dof; j++) {
                sum += inverse[link->dof * i + j] * u[j];
            }
            qdd[link->first + i] = sum;
        }
        for (uint32_t i = 0; i < link->dof; i++) {
            for (int j = 0; j < 6; j++) {
                link->a[j] +=
                    own->S[6 * (link->first + i) + (uint32_t)j] * qdd[link->first + i];
            }
        }
    }
}

void perp_articulation_respond(perp_articulation *tree, const double *tau,
                               const double *f, double *qdd, double *a)
{
    const articulated_own *own = articulated_of(tree);

    for (size_t k = 0; k < tree->count; k++) {
        articulated_link *link = &own->links[k];

        memset(link->p, 0, sizeof link->p);
        if (f) {
            for (int j = 0; j < 6; j++) {
                link->p[j] = -f[6 * k + (size_t)j];
            }
            vec3_cross_add(f + 6 * k, link->rho, link->p + 3);
        }
    }
    aba_answer(tree, tau, qdd);
    for (size_t k = 0; a && k < tree->count; k++) {
        articulated_at_mass(&own->links[k], own->links[k].a, a + 6 * k);
    }
}

perp_status perp_articulation_aba(perp_articulation *tree, const double *tau,
                                  const double *f, double *qdd, perp_error *err)
{
    articulated_own *own = articulated_of(tree);
    const bool other = own->factored && own->dt != 0.0;
    const double dt = own->dt;
    perp_status status = PERP_OK;

    if (!own->factored || other) {
        status = perp_articulation_factor(tree, 0.0, err);
    }
    if (status != PERP_OK) {
        return status;
    }
    articulated_forces(tree, NULL, f);
    aba_answer(tree, tau, qdd);
    /* the caller's factors stay what they were */
    return other ? perp_articulation_factor(tree, dt, err) : PERP_OK;
}

void perp_articulation_inverse(const perp_articulation *tree, size_t k, double *inverse)
{
    const articulated_own *own = articulated_of(tree);
    const articulated_link *link = &own->links[k];

    memcpy(inverse, own->inverse + link->block,
           (size_t)link->dof * link->dof * sizeof *inverse);
}
