/* SPDX-License-Identifier: Apache-2.0
 * perp/reform.h: reformulations of a problem, their inverse maps, and paths of them.
 *
 * Exact reformulations are made by perp_solve as a solver needs them. Those here change the
 * form of a global problem, or the friction law, and then only when they are requested.
 *
 * Ownership: a reformulation borrows the problem it starts from and owns the one it
 * makes. A path owns its reformulations and borrows the problem at its beginning.
 * Threads: a path maps points in memory of its own, so two threads need two paths. */
#ifndef PERP_REFORM_H
#define PERP_REFORM_H

#include <perp/problem.h>

PERP_BEGIN_DECLS

typedef struct perp_reform perp_reform;

/** The functions of a reformulation; each works on the state that its constructor
 *  made. */
typedef struct perp_reform_type {
    const char *name;     /**< "pyramid", "scale", … */
    bool changes_physics; /**< the new problem has another friction law */
    /** A point zz of the new problem from a point z of the old one. */
    void (*map)(const void *state, const perp_problem *from, const double *z, double *zz);
    /** The point z of the old problem that a point zz of the new one represents. */
    void (*unmap)(const void *state, const perp_problem *from, const double *zz,
                  double *z);
    /** A certificate of infeasibility of the old problem from one of the new problem;
     *  NULL when none can be derived. */
    void (*certificate)(const void *state, const perp_problem *from, const double *yy,
                        double *y);
    void (*free)(void *state); /**< NULL when the state needs no release */
} perp_reform_type;

/** A reformulation that was made: the old problem, the new one, and the map between them. */
struct perp_reform {
    const perp_reform_type *type;
    const perp_problem *from; /**< borrowed; must outlive the reformulation */
    perp_problem *to;         /**< owned by the reformulation; always local */
    void *state;
    char what[160]; /**< its line in a solution path: "pyramid with 8 directions: …" */
};

/** NULL is allowed (no-op). */
void perp_reform_free(perp_reform *t);

/** Global -> local: A = [H G]^T M^-1 [H G] by a sparse LU of M; never forms M^-1. */
perp_status perp_reform_condense(perp_reform **t, const perp_problem *p, perp_error *err);

/** Cones -> the LCP of Stewart and Trinkle with eta (even, >= 4) directions in 3D and
 *  the two of the line in 2D; other rows stay. A cone with mu = 0 becomes one NONNEG
 *  row. Rows of a contact: n, beta_1..beta_eta, lambda [stewart-trinkle-1996]. */
perp_status perp_reform_pyramid(perp_reform **t, const perp_problem *p, size_t eta,
                                perp_error *err);

/** The reformulation that changes the physics, by its name: "natural" or "coulomb" (the problem
 *  itself), "associated", "box", "pyramid:8". *t is NULL where the problem stays as it
 *  is. */
perp_status perp_reform_named(perp_reform **t, const perp_problem *p, const char *name,
                              perp_error *err);

/**
 * A path of reformulations p_0 -> p_1 -> … -> p_count, and the maps along it.
 *
 * p_0 is the problem that the path was made for, p_count the one at its end; the functions
 * below number the problems 0..count. Points and certificates are arrays as long as their
 * problem has rows; the input and the output of a map may be the same array.
 */
typedef struct perp_reform_path perp_reform_path;

enum { PERP_REFORM_PATH_MAX = 8 }; /* reformulations on one path */

/** A path without reformulations. Borrows p, which must outlive the path. */
perp_status perp_reform_path_new(perp_reform_path **path, const perp_problem *p,
                                 perp_error *err);
/** Frees the reformulations, too. NULL is allowed (no-op). */
void perp_reform_path_free(perp_reform_path *path);

/** Append a reformulation of the problem at the end. Takes it over, also on failure; NULL
 *  leaves the path as it is. PERP_ERR_ARGUMENT when the reformulation starts from another
 *  problem; PERP_ERR_UNSUITABLE beyond PERP_REFORM_PATH_MAX. */
perp_status perp_reform_path_push(perp_reform_path *path, perp_reform *step,
                                  perp_error *err);
/** How a global problem becomes local. */
typedef enum perp_global_form {
    PERP_GLOBAL_CONDENSED, /**< W multiplied out: perp_reform_condense */
    PERP_GLOBAL_FACTORED,  /**< J M^-1 J^T kept in factors, for a block diagonal M */
    PERP_GLOBAL_AUTO,      /**< the form in which most solvers are faster: factors from 21
                            *   contacts on where there are at least twice as many rows as
                            *   velocities, and from 201 contacts on; else, and where M has
                            *   no factors, W */
} perp_global_form;

/** Append what makes a global problem local, in the given form. A local problem stays as it
 *  is. */
perp_status perp_reform_path_push_local(perp_reform_path *path, perp_global_form form,
                                        perp_error *err);
/** Append perp_reform_named. */
perp_status perp_reform_path_push_named(perp_reform_path *path, const char *name,
                                        perp_error *err);

/** Number of reformulations. */
size_t perp_reform_path_count(const perp_reform_path *path);
/** p_count, the problem at the end. */
const perp_problem *perp_reform_path_end(const perp_reform_path *path);

/** Map a point z of p_from forwards to a point zz of p_to, where from <= to <= count. */
void perp_reform_path_map(perp_reform_path *path, size_t from, size_t to, const double *z,
                          double *zz);
/** Map a point zz of p_from back to the point z of p_to, where to <= from <= count. */
void perp_reform_path_unmap(perp_reform_path *path, size_t from, size_t to,
                            const double *zz, double *z);

PERP_END_DECLS

#endif
