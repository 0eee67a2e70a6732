/* SPDX-License-Identifier: Apache-2.0
 * families/scene.h: bodies and contact points of one time step, and the problem they make.
 * Private. */
#ifndef PERP_FAMILIES_SCENE_H
#define PERP_FAMILIES_SCENE_H

#include "build.h"

enum { SCENE_GROUND = -1 };

typedef struct scene_body {
    double inverse[6];  /**< 1/m three times, 1/inertia about x, y, z */
    double position[3]; /**< centre of mass */
    double velocity[6]; /**< free: with the forces of the step; linear, angular */
} scene_body;

typedef struct scene_contact {
    long a, b; /**< bodies, or SCENE_GROUND; the normal points from a to b */
    double point[3];
    double normal[3];
    double tangent[3]; /**< t1; t2 = normal x t1 */
    double mu;
} scene_contact;

typedef struct scene {
    size_t body_count, contact_count;
    scene_body *bodies;
    scene_contact *contacts;
} scene;

static const double scene_gravity = 9.81; /* [m/s^2] */
static const double scene_step = 0.01;    /* [s] */

void scene_new(scene *s, size_t bodies, size_t contacts);
void scene_free(scene *s);
/** A body of mass m with principal inertias I along the axes; m > 0. */
void scene_set_body(scene_body *body, double m, const double I[3], const double x[3]);
/** A tangent of the normal: along normal x e_x, or normal x e_y when the normal is near x. */
void scene_tangent(scene_contact *c);
/** A contact of normal +z with t1 = x. */
void scene_flat_contact(scene_contact *c, long a, long b, const double point[3],
                        double mu);

/** The rows of a contact. */
typedef enum scene_rows {
    SCENE_NORMALS = 1, /**< n only: NONNEG rows, A in CSR */
    SCENE_CONES = 3,   /**< n, t1, t2: cones, A in blocks of 3 */
} scene_rows;

/** W = J M^-1 J^T and b = J v_free, as a draft: triplets of W, b, and no set. W is symmetric
 *  bit by bit. */
void scene_draft(const scene *s, scene_rows rows, family_draft *d);
/** Give the draft its cones. */
perp_status scene_cones(const scene *s, family_draft *d, perp_error *err);
/** Finish with A in blocks of three. */
perp_status scene_finish(family_draft *d, family_answer answer, perp_problem **p,
                         perp_error *err);

/** W = J M^-1 J^T of cones in factors, with arrays of its own. */
perp_status scene_factors(const scene *s, perp_operator **A, perp_error *err);

/** The problem of a scene with cones; the scene is used up. */
perp_status scene_problem(scene *s, perp_problem **p, perp_error *err);
/** Inertias of a solid box of half sizes. */
void scene_box_inertia(double m, const double half[3], double I[3]);

/** The random contact cloud: nc contacts of nb bodies, in a fixed order of draws. */
void scene_cloud(scene *s, size_t nc, size_t nb, uint64_t seed, double mu_low,
                 double mu_high);

#endif
