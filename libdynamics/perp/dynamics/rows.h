/* SPDX-License-Identifier: Apache-2.0
 * perp/dynamics/rows.h: joints, limits, motors and contacts written as rows.
 *
 *     w = J u+ - bias + (K_cfm/dt) lambda,   lo <= lambda <= hi,
 *     lambda an impulse [N s]
 *
 * A row acts on two bodies and is 12 numbers, (lin_i, ang_i, lin_j, ang_j); the row of a
 * gear acts on those of a second joint as well (perp_row_second). If every
 * contact has three rows, n, t1, t2, they are stored as a frame of 15 numbers. The order
 * of blocks is joints, axes of joints (limits, then motors), gears, contacts, and within these
 * the order of the world. In a contact the normal comes first, then the tangents. */
#ifndef PERP_DYNAMICS_ROWS_H
#define PERP_DYNAMICS_ROWS_H

#include <perp/dynamics/collide.h>
#include <perp/dynamics/joint.h>
#include <perp/dynamics/scheme.h>

PERP_BEGIN_DECLS

/** What a row is of. */
typedef enum perp_role {
    PERP_ROLE_JOINT,   /**< rows of a joint: free, or lambda >= 0 if unilateral */
    PERP_ROLE_LIMIT,   /**< one row: lambda >= 0, or free where lower = upper */
    PERP_ROLE_MOTOR,   /**< one row: |lambda| <= dt max_force */
    PERP_ROLE_SPRING,  /**< one soft row of an axis, free */
    PERP_ROLE_GEAR,    /**< one row on the axes of two joints, free */
    PERP_ROLE_CONTACT, /**< normal and friction */
} perp_role;

/** The rows of one joint, one limit, one motor or one contact. */
typedef struct perp_row_block {
    perp_role role;
    uint8_t dim;   /**< rows */
    uint8_t axis;  /**< LIMIT, MOTOR, SPRING, GEAR: number of the axis of the joint */
    int8_t side;   /**< LIMIT: -1 lower, +1 upper, 0 locked */
    size_t first;  /**< its first row */
    size_t source; /**< number of the joint, or of the contact */
    uint64_t key;  /**< identity across steps, for warm starts; never 0 */
} perp_row_block;

/** The other half of the row of a gear: J u = J_row u + J u of these two bodies. */
typedef struct perp_row_second {
    size_t row;
    double J[12];    /**< -ratio times that of the other axis */
    int32_t body[2]; /**< -1 for a body that impulses cannot move */
    int32_t on[2];   /**< the same, also those that impulses cannot move */
    int32_t joint;   /**< of the other axis */
} perp_row_second;

/** Growing arrays, kept from step to step. Zero the struct before its first use. */
typedef struct perp_rows {
    size_t count, block_count;
    double *J;          /**< 12 per row before `frames_from`, 64-byte aligned */
    double *frames;     /**< 15 per contact from `frames_from` on, three rows each: see
                         *   perp_pairs */
    size_t frames_from; /**< first row that is stored in a frame; count: none */
    int32_t *body; /**< i, j: 2 per row of J, 2 per frame; -1 for a body that impulses
                    *   cannot move */
    double *bias;  /**< target of J u+ [m/s or rad/s] */
    double *bias_position; /**< part of the bias that corrects a position or allows a gap
                            *   to close */
    double *
        bias_restitution; /**< part of the bias due to restitution; only the excess of the
                           *   correction over it is in `bias_position` */
    double *soft;         /**< K_cfm/dt >= 0, the diagonal of C */
    double *lo, *hi; /**< bounds of the impulse, for rows of J of joints, limits, motors
                      *   and springs; for contacts 0 and INFINITY at the normal, else not
                      *   read */
    perp_row_block *blocks;
    size_t contact_blocks; /**< number of blocks of contacts, which are the last ones */
    bool any_soft;
    perp_row_second *seconds; /**< of gears, rows ascending */
    size_t second_count, second_room;
    size_t room, block_room, row_room, frame_room, body_room;
    void *team; /**< threads that write contacts, kept from step to step; NULL: one
                 *   thread */
} perp_rows;

void perp_rows_clear(perp_rows *rows); /* frees the memory and zeroes the struct */

/** Write all rows at the present state; they replace those in `rows`. A contact has 1, 2
 *  (in the plane) or 3 rows, 5 with rolling friction, or 1 + eta with the pyramid; the
 *  normal has the bias of the scheme. Restitution uses the velocities state->u.
 *  PERP_ERR_DATA: a contact with invalid or equal bodies or with an erp or a cfm out of range;
 *  PERP_ERR_UNSUITABLE: rolling friction, unless the model is a cone in three dimensions;
 *  PERP_ERR_MEMORY. */
perp_status perp_rows_write(perp_rows *rows, const perp_world *world,
                            const perp_state *state, const perp_contacts *contacts,
                            const perp_scheme *scheme, perp_error *err);

/** k_erp and K_cfm of a spring and damper: dt k/(dt k + c), 1/(dt k + c). */
void perp_soft_parameters(double stiffness, double damping, double dt, double *erp,
                          double *cfm);
/** Row r of J: a pointer into the rows, or, for a contact with a frame, `made`, to which
 *  the row is written. */
const double *perp_rows_row(const perp_rows *rows, size_t r, double made[12]);
/** The two bodies of row r. */
const int32_t *perp_rows_bodies(const perp_rows *rows, size_t r);
/** The other half of row r, or NULL: it has two bodies only. */
const perp_row_second *perp_rows_second(const perp_rows *rows, size_t r);
/** J u of row r over the bodies that impulses move, 6 velocities per body. */
double perp_rows_rate(const perp_rows *rows, size_t r, const double *u);

PERP_END_DECLS

#endif
