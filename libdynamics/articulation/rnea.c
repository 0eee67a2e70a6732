/* SPDX-License-Identifier: Apache-2.0
 * articulation/rnea.c: inverse dynamics by recursive Newton-Euler [featherstone-2008].
 *
 *     a_k = X a_p + S qdd + c,   a_base = (-g, 0)
 *     F = ( m (a_v + alpha x rho + omega x (omega x rho)),
 *           J alpha + omega x J omega + m rho x a_v ) - forces,
 *     tau = S^T F,   F_p += X^T F */
#include <config.h>

#include "articulation/articulated.h"

/* Acceleration of the parent, or -gravity at the base. */
static inline void rnea_above(const double gravity[3], const articulated_own *own,
                              const articulated_link *link, double a[6])
{
    if (link->parent >= 0) {
        six_outward(link->d, own->links[link->parent].a, a);
    } else {
        vec3_scale(-1.0, gravity, a);
        vec3_set(a + 3, 0.0, 0.0, 0.0);
    }
}

/* J alpha + omega x J omega about o, by the inertia in body axes or in world axes. */
static inline void rnea_torque(const articulated_link *link, const double R[9],
                               const double alpha[3], bool world, double out[3])
{
    double x[3];
    double y[3];
    double t[3];

    if (world) {
        sym3_apply(link->J, link->omega, t);
        sym3_apply(link->J, alpha, out);
        vec3_cross_add(link->omega, t, out);
        return;
    }
    mat3_apply_transposed(R, alpha, x);
    mat3_apply_transposed(R, link->omega, y);
    sym3_apply(link->J0, y, t);
    sym3_apply(link->J0, x, out);
    vec3_cross_add(y, t, out);
    mat3_apply(R, out, out);
}

/* The force at o that gives the link alone the acceleration a, minus the external f. */
static inline void rnea_force(const articulated_link *link, const double a[6],
                              const double torque[3], const double *f, double p[6])
{
    const double *omega = link->omega;
    const double *rho = link->rho;
    double s[3];
    double t[3];

    vec3_cross(omega, rho, s);
    vec3_cross(omega, s, t);
    vec3_add(t, 1.0, a, t);
    vec3_cross_add(a + 3, rho, t);
    vec3_scale(link->m, t, p);
    vec3_scale(link->m, rho, s);
    vec3_copy(p + 3, torque);
    vec3_cross_add(s, a, p + 3);
    if (f) {
        vec3_subtract(p, f, p);
        vec3_subtract(p + 3, f + 3, p + 3);
        vec3_cross_add(f, rho, p + 3);
    }
}

/* a += S x of the link's coordinates. */
static inline void rnea_move(const articulated_own *own, const articulated_link *link,
                             const double *qdd, double a[6])
{
    const double *S = own->S + 6 * link->first;

    for (uint32_t i = 0; i < link->dof; i++) {
        const double x = qdd[link->first + i];

        vec3_add(a, x, S + 6 * i, a);
        vec3_add(a + 3, x, S + 6 * i + 3, a + 3);
    }
}

static inline void rnea_outward(const perp_articulation *tree, const double gravity[3],
                                const double *qdd, const double *f, bool world)
{
    const articulated_own *own = articulated_of(tree);

    for (size_t k = 0; k < tree->count; k++) {
        const int32_t next = articulated_next_out(own, k, tree->count);
        articulated_link *link = &own->links[k];
        double torque[3];
        double p[6];
        double a[6];

        if (next >= 0) {
            articulated_fetch(own->links[next].a, 6 * sizeof(double));
        }
        rnea_above(gravity, own, link, a);
        vec3_add(a, 1.0, link->c, a);
        vec3_add(a + 3, 1.0, link->c + 3, a + 3);
        if (qdd) {
            rnea_move(own, link, qdd, a);
        }
        if (world && !own->turned) {
            sym3_turn(tree->E[k].R, link->J0, link->J);
        }
        rnea_torque(link, tree->E[k].R, a + 3, world, torque);
        rnea_force(link, a, torque, f ? f + 6 * k : NULL, p);
        memcpy(link->a, a, sizeof a);
        memcpy(link->p, p, sizeof p);
    }
}

void articulated_forces(const perp_articulation *tree, const double gravity[3],
                        const double *f)
{
    rnea_outward(tree, gravity, NULL, f, true);
    articulated_of(tree)->turned = true;
}

void perp_articulation_rnea(perp_articulation *tree, const double *qdd, const double *f,
                            double *tau)
{
    const articulated_own *own = articulated_of(tree);

    rnea_outward(tree, tree->gravity, qdd, f, false);
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
