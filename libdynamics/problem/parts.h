/* SPDX-License-Identifier: Apache-2.0
 * problem/parts.h: common data and functions of the formulation. Private. */
#ifndef PERP_PROBLEM_PARTS_H
#define PERP_PROBLEM_PARTS_H

#include <perp/dynamics/reduce.h>
#include <perp/dynamics/system.h>

#include "world/world.h"

/** Rows of J as innovations E = J Psi^T of a world in reduced coordinates, and
 *  G = E Delta^-1; sparse, columns ascending. A = E Delta^-1 E^T + C. */
typedef struct system_innovations {
    size_t nv;   /**< columns: coordinates of the trees, then 6 per body outside trees */
    size_t rows; /**< rows in use */
    size_t *ptr; /**< rows + 1 */
    int32_t *col;
    double *E, *G;
    double
        *null_softness; /**< rows: softness of a row that no coordinate moves, else 0 */
    size_t null_count;
    size_t row_room, room;
} system_innovations;

/** The factored trees of a world, and the columns of the bodies. */
typedef struct system_reduced {
    perp_articulation *tree; /**< that of the world; NULL: maximal coordinates */
    size_t n, nv;            /**< number of coordinates, and six per body outside trees */
    int32_t *link;           /**< bodies: its link, or -1 */
    int32_t *column;         /**< bodies: its first column; -1: no column */
    int32_t *root;   /**< bodies: identity that couples rows: the root body of its tree,
                      *   itself outside trees, -1 if nothing moves it */
    int32_t *owner;  /**< coordinates: the link */
    double *inverse; /**< 36 a link: Delta^-1 */
    double *force, *answer, *rates; /**< scratch: 6, 6 per link, 1 per coordinate */
    int32_t *index;                 /**< scratch of one run of rows */
    double *value;
    size_t body_room, link_room, n_room;
    system_innovations rows; /**< those of the system */
} system_reduced;

/** Private data of the formulation: system->own. */
typedef struct system_own {
    perp_set set;     /* lent to the problem */
    perp_operator *A; /* the same */
    double *b;
    size_t b_room, block_room, key_room, body_room;
    perp_model model; /* pyramid: auxiliary rows after the rows, one per contact block */
    system_reduced reduced;
    perp_state *held; /* state whose trees the problem uses, if the system owns it */
    struct perp_effective_mass *held_mass; /* M* of the problem, if the system owns it */
    perp_labels *labels;                   /* of the problem of perp_step_formulate */
    perp_origin *origin;
    char title[200];
} system_own;

/** Parts of A when it is multiplied out. */
typedef struct system_matrix {
    const perp_rows *rows;
    const perp_contacts *contacts; /**< for mu of the auxiliary rows */
    size_t bodies;
    const double *inverse_mass, *inverse_inertia;
    bool pyramid;
    /** Rows as A = E G^T + C, for trees, implicit forces or gears; NULL: every row acts
     *  on two bodies. */
    const system_innovations *innovations;
    const int32_t *root; /**< bodies: identity that couples rows of innovations */
    bool symmetric;      /**< E G^T is */
} system_matrix;

/** Whether the formulation uses the trees of this state. */
static inline bool system_uses(const perp_system *system, const perp_state *state)
{
    const system_own *own = system->own;

    return own && state->trees && own->reduced.tree == state->trees;
}
/** Transfer a state, whose trees the formulation uses, to the system. */
void system_hold(perp_system *system, perp_state *state);
/** The same of M*. */
void system_hold_mass(perp_system *system, struct perp_effective_mass *mass);
/** The parts of A of the present system. */
system_matrix system_parts(const perp_system *system, const perp_contacts *contacts);
/** Whether the system has trees in reduced coordinates. */
static inline bool system_is_reduced(const perp_system *system)
{
    const system_own *own = system->own;

    return own && own->reduced.tree;
}

/** Replace the free velocities of a system that is formulated: b = J u_free - bias. */
void system_set_free(perp_system *system, const perp_world *world,
                     const perp_contacts *contacts, const double *u_free);
/** Factor the trees of the world, if there are any, and find their bodies.
 *  PERP_ERR_MEMORY, PERP_ERR_DATA: a singular H. */
perp_status system_reduce(system_reduced *r, const perp_world *world,
                          const perp_state *state, perp_error *err);
void system_reduced_clear(system_reduced *r);
/** Rows of two bodies each as innovations of these trees. */
perp_status system_innovate(const system_reduced *r, const perp_pairs *pairs,
                            system_innovations *out, perp_error *err);
/** Rows of the system, `pairs` and the other halves of gears, as innovations: of its trees,
 *  of its implicit forces, or in maximal coordinates. */
perp_status system_rows_of(const perp_system *system, const perp_pairs *pairs,
                           system_innovations *out, perp_error *err);
void system_innovations_clear(system_innovations *out);
/** Reserve this many rows and entries, and set the number of rows to 0; false: no
 *  memory. */
bool system_innovations_reserve(system_innovations *out, size_t rows, size_t entries);
/** E Delta^-1 E^T + C of storage FACTORED. */
perp_status system_innovations_operator(const system_innovations *from, const double *C,
                                        perp_operator **A, perp_error *err);
/** Replace impulses on the bodies, 6 each in du, by the velocity changes of links. */
void system_respond(const system_reduced *r, size_t bodies, double *du);
/** J M^-1 J^T + C of such rows, FACTORED, in the coordinates of the system; rows of
 *  gears are those of the system. May borrow the arrays of `pairs`. */
perp_status system_operator_of(const perp_system *system, const perp_pairs *pairs,
                               perp_operator **A, perp_error *err);

/** J M^-1 J^T + C and the auxiliary rows, as DENSE, CSR, or BSR where all blocks of K are
 *  of one size above 1. */
perp_status system_multiply(perp_operator **A, const system_matrix *m,
                            perp_storage storage, perp_error *err);

/** J of a contact along d: (-d, -(r_i x d), d, r_j x d), arms r from the centres [m]. */
void contact_row_of(const perp_state *state, const perp_contact *contact,
                    const double d[3], double J[12]);
/** f := J^T z, 6 per body. */
void system_gather(const perp_rows *rows, size_t bodies, const double *z, double *f);

/** Texts of an export, both on the heap: "row 0: contact box/floor: normal", one line per
 *  row, where `order` lists the rows of the system in the order of the problem (NULL:
 *  unchanged); and a title. PERP_ERR_ARGUMENT: the system is empty. */
char *system_names(const perp_system *system, const perp_world *world,
                   const perp_contacts *contacts, const size_t *order, size_t n);
char *system_title(const perp_system *system);
perp_status system_ready(const perp_system *system, perp_error *err);
/** A label for each block of `set`, whose rows are those of the system, in the order `order`
 *  (NULL: unchanged), and an origin with version and units. What was made stays in *labels and
 *  *origin after a failure. */
perp_status system_labels(const perp_system *system, const perp_world *world,
                          const perp_contacts *contacts, const perp_set *set,
                          const size_t *order, perp_labels **labels, perp_error *err);
perp_status system_origin(perp_origin **origin, perp_error *err);
/** Labels and origin of the problem of a step from t to t + dt, lent to it; its problem is empty
 *  after a failure. */
perp_status system_label_step(perp_system *system, const perp_world *world,
                              const perp_contacts *contacts, double t, double dt,
                              perp_error *err);
/** Free them. */
void system_unlabel(perp_system *system);

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

/** The frame of each contact, where the rows have them (perp/operator.h: perp_pairs), or NULL. */
static inline const double *system_frames(const perp_rows *rows)
{
    return rows->frames_from < rows->count ? rows->frames : NULL;
}

/** J u of the three rows of a contact: its frame times the velocity of j at p less that of i. */
static inline void system_frame_rates(const double *frame, const double *u_i,
                                      const double *u_j, double *rates)
{
    double v[3];
    double turned[3];

    vec3_subtract(u_j, u_i, v);
    vec3_cross(u_j + 3, frame + 12, turned);
    vec3_add(v, 1.0, turned, v);
    vec3_cross(u_i + 3, frame + 9, turned);
    vec3_subtract(v, turned, v);
    mat3_apply(frame, v, rates);
}

/** f += J^T z of these rows; bodies of -1 are ignored. */
static inline void system_frame_push(const double *frame, const int32_t body[2],
                                     const double z[3], double *f)
{
    double push[3];
    double torque[3];

    mat3_apply_transposed(frame, z, push);
    for (int side = 0; side < 2; side++) {
        const double sign = side == 0 ? -1.0 : 1.0;

        if (body[side] >= 0) {
            double *at = f + 6 * (size_t)body[side];

            vec3_cross(frame + 9 + 3 * side, push, torque);
            vec3_add(at, sign, push, at);
            vec3_add(at + 3, sign, torque, at + 3);
        }
    }
}

/** Settings of a contact search by a scheme. */
perp_collide_settings collide_settings_of(const perp_scheme *scheme);

/* M^-1 of one body on (linear, angular). */
static inline void system_inverse(double inverse_mass, const double *inverse_inertia,
                                  const double *x, double *y)
{
    vec3_scale(inverse_mass, x, y);
    mat3_apply(inverse_inertia, x + 3, y + 3);
}

/* Names of the choices of a scheme, terminated by NULL. */
extern const char *const perp_bias_names[];
extern const char *const perp_limits_names[];
extern const char *const perp_gyro_split_names[];

#endif
