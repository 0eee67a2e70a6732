/* SPDX-License-Identifier: Apache-2.0
 * determined/determined.h: the set S(w) of an answer as variables, equations and islands. Private.
 *
 * A variable y_j adds coef_i y_j to the rows of one block: a row that is open, the normal of a cone, or
 * the ray of a contact that slides. With the offset of what is fixed, z = offset + B y, and
 *
 *     S(w) = { y in K' : G^T y = G^T y* },   G = B^T J,   K' of FREE, NONNEG, BOX, CONE and DISK
 *
 * Rows of a rolling contact that neither slides nor rolls are two cones whose normals are linked by an
 * equation of their own. Variables that share no equation are islands with programs of their own. */
#ifndef PERP_DETERMINED_DETERMINED_H
#define PERP_DETERMINED_DETERMINED_H

#include <perp/determined.h>

#include "core/solvers.h"
#include "program.h"

enum { DETERMINED_ROWS = 5 /* of the largest block, a rolling contact */ };

/** The column of a variable without a link. */
#define DETERMINED_NO_LINK SIZE_MAX
/** The variable of a row that is not open. */
#define DETERMINED_NO_VARIABLE SIZE_MAX

typedef struct determined_variable {
    size_t count; /* rows that it moves; 0: a normal that only repeats another one */
    size_t row[DETERMINED_ROWS];
    double coef[DETERMINED_ROWS];
    size_t link;          /* equation that joins it to another variable */
    double sign;          /* its coefficient there */
    double value;         /* y*, of the answer */
    size_t island, place; /* its island, and its number there */
} determined_variable;

/** The equations of A (y - z) = 0: rows n x nv in CSR, the largest entry of each column 1. */
typedef struct determined_equations {
    perp_operator *owner; /* owns J, or NULL */
    const perp_operator *J;
    double *scale; /* nv: of the columns */
} determined_equations;

/** Variables that share equations, in the order of all variables. */
typedef struct determined_island {
    size_t n, columns;
    size_t *variable; /* n: of the set S(w) */
    size_t *column;   /* columns: of all equations */
    double *unit;     /* n: y in the program is unit y/size */
    double *y;        /* n: y* in the program */
    double *c, *rest; /* n: scratch */
    double size;      /* the largest unit y* */
    perp_program program;
    perp_program recession; /* the directions of the set: h = 0, bounded rows fixed */
    size_t rank, degree;
    double *Q;            /* n x rank: an orthonormal basis of the row space, or NULL */
    double *least, *most; /* n: of the points that were found */
} determined_island;

struct perp_determined {
    const perp_problem *p;
    perp_workspace *ws;    /* of all but the islands' programs */
    double *z, *w, *s;     /* n: the answer, its velocities, scales of the rows */
    double beta, most;     /* velocities up to most beta s are 0 */
    perp_freedom *freedom; /* per block of K */
    determined_equations equations;
    perp_set *set; /* K' */
    determined_variable *variable;
    size_t count, links;
    determined_island *island;
    size_t islands;
    size_t *of; /* n: the variable of each row */
    double *c;  /* n: scratch */
    double *u;  /* a velocity per equation: scratch */
};

/** freedom, set, variable and links from z and w; velocities up to `most` in units of the rows are 0. */
perp_status perp_determined_open(perp_determined *d, double most, perp_error *err);
/** J of p->A. */
perp_status perp_determined_equations(determined_equations *e, const perp_problem *p,
                                      perp_error *err);
void perp_determined_equations_free(determined_equations *e);
/** The islands and their degrees. */
perp_status perp_determined_split(perp_determined *d, perp_error *err);
/** Rank, degree and Q of one island. */
perp_status perp_determined_count(perp_determined *d, determined_island *g,
                                  perp_error *err);

/** *unbounded: along a direction of the island c (n, largest entry 1) falls. */
perp_status perp_determined_falls(determined_island *g, const double *c, bool *unbounded,
                                  perp_error *err);
/** The point (n) of an island with the least largest normal; square: of the unit of each variable. */
perp_status perp_determined_spread_island(determined_island *g, const double *square,
                                          double *point, bool *found, perp_error *err);

#endif
