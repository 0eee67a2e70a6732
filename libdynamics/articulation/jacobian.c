/* SPDX-License-Identifier: Apache-2.0
 * articulation/jacobian.c: the Jacobian of all links and its rate, column by column of
 * each link's ancestors [wang-2019].
 *
 *     link k, column s = (s_v, s_w) of ancestor a, at o_a:   r = r_k - o_a
 *     J = R_k^T (s_w; s_v + s_w x r)
 *     d/dt s = omega_a x s + R Sdot,   d/dt (R^T x) = R^T (dx/dt - omega_k x x)
 *
 * Twists of the result are in axes of link k, angular part first. */
#include <config.h>

#include "articulation/articulated.h"

void articulated_motion_rate(const perp_articulation *tree, size_t k, double *rate)
{
    const perp_link *from = &tree->links[k];
    const articulated_own *own = articulated_of(tree);
    const articulated_link *link = &own->links[k];
    const double *S_world = own->S + 6 * link->first;
    double S[36];
    double Sdot[36];
    double R[9]; /* of the joint frame on the child's side: R_k Ec^T */

    if (link->dof == 0) {
        return;
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            R[3 * i + j] = vec3_dot(tree->E[k].R + 3 * i, from->Ec.R + 3 * j);
        }
    }
    from->mobilizer->motion(from->axes, tree->q + link->first, tree->qd + link->first, S,
                            Sdot);
    for (uint32_t i = 0; i < link->dof; i++) {
        double *out = rate + 6 * i;

        mat3_apply(R, Sdot + 6 * i + 3, out);
        mat3_apply(R, Sdot + 6 * i, out + 3);
        vec3_cross_add(link->omega, S_world + 6 * i, out);
        vec3_cross_add(link->omega, S_world + 6 * i + 3, out + 3);
    }
}

/* Columns of ancestor a in rows of link k; 6 count numbers per column. */
static void jacobian_block(const perp_articulation *tree, size_t k, size_t a, double *J,
                           double *Jdot)
{
    const articulated_own *own = articulated_of(tree);
    const articulated_link *above = &own->links[a];
    const double *R = tree->E[k].R;
    const double *u = tree->u + 6 * k;
    const size_t rows = 6 * tree->count;
    double rate[36];
    double r[3];
    double r_rate[3];

    vec3_subtract(tree->E[k].p, tree->E[a].p, r);
    vec3_add(r, 1.0, above->rho, r);
    vec3_subtract(u, above->v, r_rate);
    if (Jdot) {
        articulated_motion_rate(tree, a, rate);
    }
    for (uint32_t i = 0; i < above->dof; i++) {
        const double *s = own->S + 6 * (above->first + i);
        const size_t at = rows * (above->first + i) + 6 * k;
        double x[6];
        double t[6];

        six_outward(r, s, x);
        if (J) {
            mat3_apply_transposed(R, x + 3, J + at);
            mat3_apply_transposed(R, x, J + at + 3);
        }
        if (Jdot) {
            six_outward(r, rate + 6 * i, t);
            vec3_cross_add(s + 3, r_rate, t);
            vec3_cross_add(x, u + 3, t);
            vec3_cross_add(x + 3, u + 3, t + 3);
            mat3_apply_transposed(R, t + 3, Jdot + at);
            mat3_apply_transposed(R, t, Jdot + at + 3);
        }
    }
}

void perp_articulation_jacobian(const perp_articulation *tree, double *J, double *Jdot)
{
    const articulated_own *own = articulated_of(tree);

    if (J) {
        memset(J, 0, 6 * tree->count * tree->n * sizeof *J);
    }
    if (Jdot) {
        memset(Jdot, 0, 6 * tree->count * tree->n * sizeof *Jdot);
    }
    for (size_t k = 0; k < tree->count; k++) {
        for (int32_t a = (int32_t)k; a >= 0; a = own->links[a].parent) {
            jacobian_block(tree, k, (size_t)a, J, Jdot);
        }
    }
}
