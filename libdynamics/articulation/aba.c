/* SPDX-License-Identifier: Apache-2.0
 * articulation/aba.c: the articulated-body algorithm, and accelerations under forces,
 * with the factors of factor.c [featherstone-2008].
 *
 *     inwards:   u = tau - S^T p,   p_p += X^T (p + G u)      (p: minus the forces)
 *     outwards:  qdd = D^-1 u - G^T X a_p,   a = X a_p + S qdd
 *
 * Velocities enter only through the forces of inverse dynamics at qdd = 0. The
 * accelerations a are relative to that motion, and the factors do not depend on the
 * forces. */
#include <config.h>

#include "articulation/articulated.h"

/* u of link k, and its force to the parent. */
static inline void aba_inward(const articulated_own *own, size_t k, const double *tau)
{
    const articulated_link *link = &own->links[k];
    const double *S = own->S + 6 * link->first;
    const double *G = own->G + 6 * link->first;
    double *x = own->x + link->first;
    double p[6];

    vec3_copy(p, link->p);
    vec3_copy(p + 3, link->p + 3);
    for (uint32_t i = 0; i < link->dof; i++) {
        x[i] = (tau ? tau[link->first + i] : 0.0) - six_dot(S + 6 * i, link->p);
        vec3_add(p, x[i], G + 6 * i, p);
        vec3_add(p + 3, x[i], G + 6 * i + 3, p + 3);
    }
    if (link->parent >= 0) {
        six_inward_add(link->d, p, own->links[link->parent].p);
    }
}

/* The same of a revolute joint, S = (0, s). */
static inline void aba_inward_turn(const articulated_own *own, size_t k,
                                   const double *tau)
{
    const articulated_link *link = &own->links[k];
    const double *S = own->S + 6 * link->first;
    const double *G = own->G + 6 * link->first;
    const double x = (tau ? tau[link->first] : 0.0) - vec3_dot(S + 3, link->p + 3);
    double p[6];

    own->x[link->first] = x;
    vec3_add(link->p, x, G, p);
    vec3_add(link->p + 3, x, G + 3, p + 3);
    if (link->parent >= 0) {
        six_inward_add(link->d, p, own->links[link->parent].p);
    }
}

static inline void aba_inward_any(const articulated_own *own, size_t k, const double *tau)
{
    if (own->links[k].kind == ARTICULATED_TURN) {
        aba_inward_turn(own, k, tau);
    } else {
        aba_inward(own, k, tau);
    }
}

static const double aba_rest[6] = {0.0};

/* qdd of link k, and its acceleration. */
static void aba_outward(const articulated_own *own, articulated_link *link, double *qdd)
{
    const double *above = link->parent < 0 ? aba_rest : own->links[link->parent].a;
    const double *S = own->S + 6 * link->first;
    const double *G = own->G + 6 * link->first;
    const double *inverse = own->inverse + link->block;
    const double *x = own->x + link->first;
    double a[6];

    six_outward(link->d, above, a);
    for (uint32_t i = 0; i < link->dof; i++) {
        double sum = -six_dot(G + 6 * i, a);

        for (uint32_t j = 0; j < link->dof; j++) {
            sum += inverse[link->dof * i + j] * x[j];
        }
        qdd[link->first + i] = sum;
    }
    memcpy(link->a, a, sizeof a);
    for (uint32_t i = 0; i < link->dof; i++) {
        vec3_add(link->a, qdd[link->first + i], S + 6 * i, link->a);
        vec3_add(link->a + 3, qdd[link->first + i], S + 6 * i + 3, link->a + 3);
    }
}

static inline void aba_outward_turn(const articulated_own *own, articulated_link *link,
                                    double *qdd)
{
    const double *above = link->parent < 0 ? aba_rest : own->links[link->parent].a;
    const double *G = own->G + 6 * link->first;
    double a[6];
    double x = own->inverse[link->block] * own->x[link->first];

    six_outward(link->d, above, a);
    x -= six_dot(G, a);
    qdd[link->first] = x;
    vec3_copy(link->a, a);
    vec3_add(a + 3, x, own->S + 6 * link->first + 3, link->a + 3);
}

static void aba_accelerate(const perp_articulation *tree, double *qdd)
{
    const articulated_own *own = articulated_of(tree);

    for (size_t k = 0; k < tree->count; k++) {
        const int32_t next = articulated_next_out(own, k, tree->count);
        articulated_link *link = &own->links[k];

        if (next >= 0) {
            articulated_fetch(own->links[next].a, 6 * sizeof(double));
        }
        if (link->kind == ARTICULATED_TURN) {
            aba_outward_turn(own, link, qdd);
        } else {
            aba_outward(own, link, qdd);
        }
    }
}

void perp_articulation_solve_mass(perp_articulation *tree, const double *tau,
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
    for (size_t k = tree->count; k-- > 0;) {
        aba_inward_any(own, k, tau);
    }
    aba_accelerate(tree, qdd);
    for (size_t k = 0; a && k < tree->count; k++) {
        articulated_at_mass(&own->links[k], own->links[k].a, a + 6 * k);
    }
}

perp_status articulated_aba(perp_articulation *tree, const double gravity[3],
                            const double *tau, const double *f, double *qdd,
                            perp_error *err)
{
    articulated_own *own = articulated_of(tree);
    const bool other = own->factored && own->dt != 0.0;
    const bool factor = other || !own->factored;
    const double dt = own->dt;

    articulated_forces(tree, gravity, f);
    own->factored = !factor;
    for (size_t k = tree->count; k-- > 0;) {
        const int32_t next = articulated_next_in(own, k);

        if (next >= 0) {
            articulated_fetch(own->links[next].p, 6 * sizeof(double));
            articulated_fetch(&own->loads[next], sizeof *own->loads);
        }
        if (factor && !articulated_factor_link(tree, k, 0.0)) {
            return articulated_singular(tree, k, err);
        }
        aba_inward_any(own, k, tau);
    }
    own->factored = true;
    own->dt = 0.0;
    aba_accelerate(tree, qdd);
    /* restore the factors of the caller */
    return other ? perp_articulation_factor(tree, dt, err) : PERP_OK;
}

perp_status perp_articulation_aba(perp_articulation *tree, const double *tau,
                                  const double *f, double *qdd, perp_error *err)
{
    return articulated_aba(tree, tree->gravity, tau, f, qdd, err);
}

void perp_articulation_inverse(const perp_articulation *tree, size_t k, double *inverse)
{
    const articulated_own *own = articulated_of(tree);
    const articulated_link *link = &own->links[k];

    memcpy(inverse, own->inverse + link->block,
           (size_t)link->dof * link->dof * sizeof *inverse);
}
