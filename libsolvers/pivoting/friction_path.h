/* SPDX-License-Identifier: Apache-2.0
 * pivoting/friction_path.h: the state of the path of opened friction bounds, and the inverse of
 * its linear system. Private. */
#ifndef PERP_PIVOTING_FRICTION_PATH_H
#define PERP_PIVOTING_FRICTION_PATH_H

#include <lapacke.h>

#include "dantzig.h"

typedef enum friction_path_phase {
    FRICTION_PATH_WARM,    /* the start is followed while its residual in w vanishes */
    FRICTION_PATH_BOXED,   /* the problem with open bounds is solved */
    FRICTION_PATH_CLOSING, /* its solution is followed while the bounds close */
} friction_path_phase;

typedef struct friction_path {
    perp_dantzig box;
    perp_judge *judge;
    friction_path_phase phase;
    double tolerance;

    double t, direction;       /* the parameter; -1 while it falls, 1 while it grows */
    double *open;              /* n: by how much a unit of t opens the bound of a row */
    double *offset;            /* n: what a unit of t adds to b */
    perp_dantzig_state *state; /* n: on the path */
    double *z0, *z1;           /* n: the point is z0 + t z1 on the present piece, */
    double *w0, *w1;           /* n: its velocity w0 + t w1 */
    size_t changed;            /* the row of the last event, or n */
    perp_dantzig_state side;   /* on which it met its bound */
    size_t events, most_events;

    /* G = K^-1, its k rows and columns in the order of `in`. */
    const perp_problem *p;
    const double *A; /* ld x n */
    size_t n, ld;
    size_t *in, *place; /* n: C; the position of a row of C */
    double *G; /* G_ld x n; all three lent by the boxed problem, once it is solved */
    size_t G_ld, k, updates;
    bool renew;               /* K is to be factored before it is used */
    lapack_int *exchanges;    /* n: of dgetrf */
    double *work;             /* FRICTION_PATH_BLOCK n: of dgetri */
    double *row, *column;     /* n: of K */
    double *row_G, *G_column; /* n: their products with G */
} friction_path;

/* Columns that dgetri takes at once. */
enum { FRICTION_PATH_BLOCK = 32 };

static inline bool friction_path_is_friction(const friction_path *s, size_t i)
{
    return s->p->set->blocks[i].kind == PERP_SET_FRICTION;
}

/** G of the present states from scratch; false when K is singular. */
bool perp_friction_kernel_factor(friction_path *s, perp_result *r);
/** G after row i changes to another state; false when it must be factored again. */
bool perp_friction_kernel_change(friction_path *s, perp_result *r, size_t i,
                                 perp_dantzig_state to);
/** z0, z1, w0, w1 of the present states; false when they are not accurate. */
bool perp_friction_kernel_line(friction_path *s, perp_result *r);

#endif
