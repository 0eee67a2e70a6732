/* SPDX-License-Identifier: Apache-2.0
 * tests/support/formulated_world.h: a world, contacts placed by hand, and the problem they make. */
#ifndef PERP_TEST_STAGE_H
#define PERP_TEST_STAGE_H

#include "dynamics.h"

typedef struct stage {
    perp_world *world;
    perp_contacts contacts;
    perp_scheme scheme;
    perp_system system;
    double *u_free; /* 6 a body: velocities after dt of gravity and gyroscopic torque */
    double *u_plus; /* 6 a body: after the impulses of the last solver */
} stage;

/** A stage of this world (taken), with the default scheme. */
void stage_open(stage *s, perp_world *world);
void stage_close(stage *s);

/** A contact with friction mu and a key of its own; the scheme's erp. */
perp_contact *stage_touch(stage *s, int32_t i, int32_t j, const double point[3],
                          const double normal[3], double gap, double mu);
/** The same at a point drawn from [-1, 1)^3, with a normal drawn by turns with it; both
 *  in the plane where the world is. */
perp_contact *stage_touch_somewhere(stage *s, perp_random *g, int32_t i, int32_t j,
                                    double gap, double mu);
/** Bodies and contacts of a golden case with in.bodies, dt, k_cor and gravity. */
void stage_open_golden(stage *s, const golden_case *c);
void stage_touch_golden(stage *s, const json_t *contact);
/** Three boxes, the first of them fixed, and five contacts at random places,
 *  formulated. */
void stage_open_pile(stage *s, perp_model model, perp_storage storage);

/** Rows and problem at u_free = u + dt M^-1 f; asserts that they are made. */
void stage_formulate(stage *s);
/** The same at velocities as they are. */
void stage_formulate_at(stage *s, const double *u_free);
/** Solve, assert that it is solved, keep u_plus. */
perp_result *stage_solve(stage *s, const char *solver);

/** J of row r spread over all bodies, 6 each. */
void stage_spread(const stage *s, size_t r, double *row);
/** J M^-1 J^T of the rows by the product of full matrices, row by row. */
double *stage_product(const stage *s);
/** A of the problem entry by entry, row by row. */
double *stage_matrix(const stage *s);

#endif
