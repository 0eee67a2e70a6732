/* SPDX-License-Identifier: Apache-2.0
 * derivative/step.h: common data of the derivative of a step. Private. */
#ifndef PERP_DERIVATIVE_STEP_H
#define PERP_DERIVATIVE_STEP_H

#include <perp/dynamics/gradient.h>

#include "derivative/tangent.h"
#include "reduced/reduced.h"

/** Rows and forces of the world at a displaced state, in the order of the step's rows. */
typedef struct step_shift {
    double *J, *bias; /* 12 and 1 a row */
    double *f;        /* 6 a body */
    bool *found;      /* a block: it is there */
} step_shift;

struct perp_step_gradient {
    const perp_world *world;
    perp_state *state;       /* a copy, of one chart */
    perp_state *beside;      /* the same, displaced */
    perp_articulation *tree; /* of `state`, factored */
    perp_scheme scheme;
    size_t n, m; /* coordinates; rows without auxiliary ones */

    perp_collider *collider;
    perp_contacts contacts, moved;
    perp_free_motion motion;
    perp_system system;
    perp_rows rows; /* at a displaced state */
    perp_result *result;
    perp_sensitivity *gradient;

    const double *q, *qd; /* n each: the coordinates of `tree` */
    double *block;        /* all of the following */
    double *nu, *nu_dot, *nu_plus;
    double *unit;   /* 6 per link x n: velocities of links for unit rates */
    double *u_plus; /* 6 per body: velocities after the step, at the poses before it */
    double *forces; /* 6 per link: forces of the world without gravity, and impulses over
                     * dt */
    double *dnu, *drate, *dtau, *x, *v, *zero; /* n each: scratch; zero stays 0 */
    double *du, *df;                           /* 6 a link: scratch */
    double *Jr;         /* m x n, row by row: rows with respect to rates */
    double *J;          /* 12 a row */
    double *dJ, *dbias; /* 12 and 1 per row: changes of rows */
    double *dr, *dz;    /* rows of the problem */
    double *dz_db;      /* their square, NULL until requested */
    step_shift ahead, behind;
    bool *found; /* 2 a block, of both */
    bool switch_chart;
    int passes;
    tangent guess[2]; /* inverse dynamics of the iterations for velocity terms */
    tangent now, end; /* that of the step; velocities after it */
};

/** dJ, dbias of the rows and df of the world's forces (6 a link) along (dq, dqd). */
perp_status step_gradient_rows(perp_step_gradient *g, const double *dq, const double *dqd,
                               double *df, perp_error *err);
/** Forces of the world on the links without gravity, 6 per link, from those on the
 *  bodies. */
void step_gradient_links(const perp_step_gradient *g, const double *bodies,
                         double *links);
/** J of this many rows, 12 numbers each. */
void step_gradient_J(const perp_rows *rows, size_t first, size_t count, double *J);
/** f += impulses of rows J with z, over dt, 6 per link. */
void step_gradient_impulses(const perp_step_gradient *g, const double *J, double *f);

#endif
