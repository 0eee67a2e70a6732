/* SPDX-License-Identifier: Apache-2.0
 * articulated/rnea.c: inverse dynamics by recursive Newton-Euler [featherstone-2008].
 *
 *     a_k = X a_p + S qdd + c,   a_base = (-g, 0)
 *     F = ( m (a_v + alpha x rho + omega x (omega x rho)),
 *           J alpha + omega x J omega + m rho x a_v ) - forces,    tau = S^T F,  F_p += X^T F */
#include <config.h>

#include "articulated.h"

/* a_k without qdd. */
static void rnea_acceleration(const perp_articulation *tree, articulated_link *link)
{
    const articulated_own *own = articulated_of(tree);
    const double *g = tree->gravity;

    if (link->parent >= 0) {
        six_outward(link->d, own->links[link->parent].a, link->a);
    } else {
        vec3_scale(-1.0, g, link->a);
        memset(link->a + 3, 0, 3 * sizeof *link->a);
    }
    for (int i = 0; i < 6; i++) {
        link->a[i] += link->c[i];
    }
}

/* The force at o that makes the acceleration a of the link alone: p. */
static void rnea_force(articulated_link *link, const double R[9])
{
    const double *a = link->a;
    const double *alpha = a + 3;
    const double *omega = link->omega;
    const double *rho = link->rho;
    double alpha_body[3];
    double omega_body[3];
    double s[3];
    double t[3];

    vec3_cross(omega, rho, s);
    vec3_cross(omega, s, t);
    vec3_add(t, 1.0, a, t);
    vec3_cross_add(alpha, rho, t);
    vec3_scale(link->m, t, link->p);

    mat3_apply_transposed(R, alpha, alpha_body);
    mat3_apply_transposed(R, omega, omega_body);
    sym3_apply(link->J0, omega_body, s);
    sym3_apply(link->J0, alpha_body, t);
    vec3_cross_add(omega_body, s, t);
    mat3_apply(R, t, link->p + 3);
    vec3_scale(link->m, rho, s);
    vec3_cross_add(s, a, link->p + 3);
}

void articulated_forces(const perp_articulation *tree, const double *qdd, const double *f)
{
    const articulated_own *own = articulated_of(tree);

    for (size_t k = 0; k < tree->count; k++) {
        articulated_link *link = &own->links[k];
        const double *S = own->S + 6 * link->first;

        rnea_acceleration(tree, link);
        for (uint32_t i = 0; qdd && i < link->dof; i++) {
            for (int j = 0; j < 6; j++) {
                link->a[j] += S[6 * i + (uint32_t)j] * qdd[link->first + i];
            }
        }
        rnea_force(link, tree->E[k].R);
        if (f) {
            for (int j = 0; j < 6; j++) {
                link->p[j] -= f[6 * k + (size_t)j];
            }
            vec3_cross_add(f + 6 * k, link->rho, link->p + 3);
        }
    }
}

void perp_articulation_rnea(perp_articulation *tree, const double *qdd, const double *f,
                            double *tau)
{
    const articulated_own *own = articulated_of(tree);

    articulated_forces(tree, qdd, f);
    for (size_t k = tree->count; k-- > 0;) {
        articulated_link *link = &own->links[k];
        const double *S = own->S + 6 * link->first;

        for (uint32_t i = 0; i < link->dof; i++) {
            const size_t at = link->first + i;

            tau[at] = six_dot(S + 6 * i, link->p);
            if (qdd) {
                tau[at] += tree->links[k].armature[i] * qdd[at];
            }
        }
        if (link->parent >= 0) {
            six_inward_add(link->d, link->p, own->links[link->parent].p);
        }
    }
}
