/* SPDX-License-Identifier: Apache-2.0
 * experiments/bench/packing.h: spheres at rest in a box, as rows of two bodies. */
#ifndef PERP_BENCH_PACKING_H
#define PERP_BENCH_PACKING_H

#include <perp/perp.h>

/** Contacts of three rows (normal, two tangents) between spheres of slightly different radii,
 *  the floor and four walls; three contacts a sphere. Lengths [m], masses [kg]. */
typedef struct packing {
    size_t contacts;
    perp_pairs pairs; /**< its arrays are those below */
    double *frames;   /**< 15 a contact */
    int32_t *body;    /**< 2 a contact */
    double *inverse_mass, *inverse_inertia;
    double *b;  /**< 3 a contact: velocities at the contact before its impulse [m/s] */
    double *mu; /**< of each contact: 0.3, 0.4 or 0.5 */
} packing;

/** How contacts are stored: as they are found, sphere by sphere and layer by layer, or in an
 *  order drawn from the seed. */
typedef enum packing_order { PACKING_AS_FOUND, PACKING_SHUFFLED } packing_order;

/** So many contacts, from the seed alone. Ends the program when there is no memory. */
packing *packing_new(size_t contacts, packing_order order, uint64_t seed);
void packing_free(packing *s); /* NULL is allowed */

/** The contact problem, its matrix in pairs, which borrows from s. */
perp_problem *packing_problem(const packing *s);

#endif
