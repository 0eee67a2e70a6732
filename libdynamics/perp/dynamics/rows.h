/* SPDX-License-Identifier: Apache-2.0
 * perp/dynamics/rows.h: joints, limits, motors and contacts written as rows.
 *
 *     w = J u+ - bias + (K_cfm/dt) lambda,   lo <= lambda <= hi,
 *     lambda an impulse [N s]
 *
 * A row acts on two bodies and is 12 numbers, (lin_i, ang_i, lin_j, ang_j). Where each contact has
 * three rows, n, t1, t2, they are stored as its frame, 15 numbers.
 * Blocks are in the order joints, axes of joints (limits, then motors), contacts; within
 * these in the order of the world. Normal first in a contact, then its tangents. */
#ifndef PERP_DYNAMICS_ROWS_H
#define PERP_DYNAMICS_ROWS_H

#include <perp/dynamics/collide.h>
#include <perp/dynamics/joint.h>
#include <perp/dynamics/scheme.h>

PERP_BEGIN_DECLS

/** What a row is of. */
typedef enum perp_role {
    PERP_ROLE_JOINT,   /**< rows of a joint: free, or pushing only when unilateral */
    PERP_ROLE_LIMIT,   /**< one row: lambda >= 0, or free where lower = upper */
    PERP_ROLE_MOTOR,   /**< one row: |lambda| <= dt max_force */
    PERP_ROLE_SPRING,  /**< one soft row of an axis, free */
    PERP_ROLE_CONTACT, /**< normal and friction */
} perp_role;

/** Rows that belong together: of one joint, one limit, one motor, one contact. */
typedef struct perp_row_block {
    perp_role role;
    uint8_t dim;   /**< rows */
    uint8_t axis;  /**< LIMIT, MOTOR, SPRING: which axis of the joint */
    int8_t side;   /**< LIMIT: -1 lower, +1 upper, 0 locked */
    size_t first;  /**< its first row */
    size_t source; /**< number of the joint, or of the contact */
    uint64_t key;  /**< who it is from step to step; never 0 */
} perp_row_block;

/** Growing arrays, kept from step to step. Zero it before its first use. */
typedef struct perp_rows {
    size_t count, block_count;
    double *J;      /**< 12 a row before `frames_from`, 64-byte aligned */
    double *frames; /**< 15 a contact from there on, three rows each: see perp_pairs */
    size_t frames_from; /**< count: no row is of a frame */
    int32_t *body; /**< 2 a row of J, 2 a frame: i, j; -1 for a body that impulses cannot
                        move */
    double *bias;  /**< target of J u+ [m/s or rad/s] */
    double *bias_position; /**< its part that corrects a position, or lets a gap close */
    double *
        bias_restitution; /**< its part that is restitution; what the correction asks beyond
                            it is in `bias_position`, so that the two never overlap */
    double *soft;         /**< K_cfm/dt >= 0, the diagonal of C */
    double *lo, *hi; /**< of rows of J, bounds of the impulse, of joints, limits, motors,
                            springs only; contacts: 0 and INFINITY for the normal, else not
                            read */
    perp_row_block *blocks;
    size_t contact_blocks; /**< the last so many blocks are contacts */
    bool any_soft;
    size_t room, block_room, row_room, frame_room, body_room;
    void *team; /**< threads that write contacts, kept from step to step; NULL: one */
} perp_rows;

void perp_rows_clear(perp_rows *rows); /* frees and zeroes */

/** All rows at the present state, replacing those in `rows`. Contacts get 1, 2 (in the
 *  plane) or 3 rows, 5 with rolling friction, or 1 + eta under the pyramid; their normals
 *  the bias of the scheme. Velocities that restitution looks at are world->u.
 *  PERP_ERR_DATA: a contact whose bodies are none or the same, or with an erp
 *  or a cfm beyond its range; PERP_ERR_UNSUITABLE:
 *  rolling friction but under cones in space; PERP_ERR_MEMORY. */
perp_status perp_rows_write(perp_rows *rows, const perp_world *world,
                            const perp_state *state, const perp_contacts *contacts,
                            const perp_scheme *scheme, perp_error *err);

/** k_erp and K_cfm of a spring and damper: dt k/(dt k + c), 1/(dt k + c). */
void perp_soft_parameters(double stiffness, double damping, double dt, double *erp,
                          double *cfm);
/** Row r of J: where it stands, or, of a contact with a frame, as written to `made`. */
const double *perp_rows_row(const perp_rows *rows, size_t r, double made[12]);
/** The two bodies of row r. */
const int32_t *perp_rows_bodies(const perp_rows *rows, size_t r);

/** "revolute elbow: swing 1", "limit elbow (lower)", "contact box/floor: t1": the name of a
 *  row into `text` of `length` bytes, cut to them; "" where there is no such row. */
void perp_rows_name(const perp_rows *rows, const perp_world *world,
                    const perp_contacts *contacts, size_t row, char *text, size_t length);

PERP_END_DECLS

#endif
