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
