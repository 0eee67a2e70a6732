/* SPDX-License-Identifier: Apache-2.0
 * system/parts.h: what the files that formulate share. Private. */
#ifndef PERP_SYSTEM_PARTS_H
#define PERP_SYSTEM_PARTS_H

#include <perp/dynamics/system.h>

#include "core.h"

/** What the formulation alone knows: system->own. */
typedef struct system_own {
    perp_set set;     /* lent to the problem */
    perp_operator *A; /* the same */
    double *b;
    size_t b_room, block_room, key_room, body_room;
    perp_model model; /* pyramid: aux rows follow the rows, one a contact block */
    char title[160];
} system_own;

/** What A is made of when it is multiplied out. */
typedef struct system_matrix {
    const perp_rows *rows;
    const perp_contacts *contacts; /**< for mu of the auxiliary rows */
    size_t bodies;
    const double *inverse_mass, *inverse_inertia;
    bool pyramid;
} system_matrix;

/** J M^-1 J^T + C and the auxiliary rows, as DENSE, CSR, or BSR where all blocks of K are
 *  of one size above 1. */
perp_status system_multiply(perp_operator **A, const system_matrix *m,
                            perp_storage storage, perp_error *err);

/** du := M^-1 J^T z. */
void system_impulses(const perp_rows *rows, size_t bodies, const double *inverse_mass,
                     const double *inverse_inertia, const double *z, double *du);

/** The bodies that a block of rows acts on, moved by impulses or not. */
static inline void system_bodies(const perp_row_block *b, const perp_world *world,
                                 const perp_contacts *contacts, size_t *i, size_t *j)
{
    if (b->role == PERP_ROLE_CONTACT) {
        *i = (size_t)contacts->at[b->source].i;
        *j = (size_t)contacts->at[b->source].j;
    } else {
        *i = (size_t)world->joints[b->source].i;
        *j = (size_t)world->joints[b->source].j;
    }
}

/* M^-1 of one body on (linear, angular). */
static inline void system_inverse(double inverse_mass, const double *inverse_inertia,
                                  const double *x, double *y)
{
    vec3_scale(inverse_mass, x, y);
    mat3_apply(inverse_inertia, x + 3, y + 3);
}

#endif
