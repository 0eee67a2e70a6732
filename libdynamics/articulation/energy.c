/* SPDX-License-Identifier: Apache-2.0
 * articulation/energy.c: energies, and forces of springs and dampers of the joints.
 *
 *     T = 1/2 sum (m v.v + omega.I omega) + 1/2 sum armature qd^2
 *     V = -sum m g.r + 1/2 sum stiffness (q - rest)^2,
 *     tau = -stiffness (q - rest) - damping qd
 *
 * T includes the motion of the bases. */
#include <config.h>

#include "articulation/articulated.h"

double perp_articulation_kinetic(const perp_articulation *tree, const double *qd)
{
    const articulated_own *own = articulated_of(tree);
    double twice = 0.0;

    articulated_twists(tree, qd, true);
    for (size_t k = 0; k < tree->count; k++) {
        const articulated_link *link = &own->links[k];
        double u[6];
        double omega[3];
        double momentum[3];

        articulated_at_mass(link, link->a, u);
        mat3_apply_transposed(tree->E[k].R, u + 3, omega);
        mat3_apply(tree->links[k].inertia, omega, momentum);
        twice += link->m * vec3_dot(u, u) + vec3_dot(omega, momentum);
        for (uint32_t i = 0; i < link->dof; i++) {
            const double rate = qd[link->first + i];

            twice += tree->links[k].armature[i] * rate * rate;
        }
    }
    return 0.5 * twice;
}

double perp_articulation_potential(const perp_articulation *tree)
{
    double sum = 0.0;

    for (size_t k = 0; k < tree->count; k++) {
        const perp_link *link = &tree->links[k];

        sum -= link->mass * vec3_dot(tree->gravity, tree->E[k].p);
        for (unsigned i = 0; i < link->mobilizer->dof; i++) {
            const double x = tree->q[tree->first[k] + i] - link->rest[i];

            sum += 0.5 * link->stiffness[i] * x * x;
        }
    }
    return sum;
}

void perp_articulation_passive(const perp_articulation *tree, double *tau)
{
    for (size_t k = 0; k < tree->count; k++) {
        const perp_link *link = &tree->links[k];

        for (unsigned i = 0; i < link->mobilizer->dof; i++) {
            const size_t at = tree->first[k] + i;

            tau[at] -= link->stiffness[i] * (tree->q[at] - link->rest[i]) +
                       link->damping[i] * tree->qd[at];
        }
    }
}
