/* SPDX-License-Identifier: Apache-2.0
 * exact/krawczyk.h: the parts of the enclosure of solutions; for FLINT and Arb. Private. */
#ifndef PERP_KRAWCZYK_H
#define PERP_KRAWCZYK_H

#include "interop/exact/exact.h"

#include "interop/exact/flint.h"

/** The normal row of a disk of constant radius. */
#define KRAWCZYK_NO_ROW (-1)

/** One interval or one disk: a part of K that has one formula. */
typedef struct krawczyk_piece {
    bool disk;      /**< |z| <= r in 1 or 2 rows; else lo <= z <= hi in one */
    slong row;      /**< the first row */
    slong dim;      /**< rows */
    bool low, high; /**< interval: whether it has the bound */
    arb_t lo, hi;   /**< interval */
    arb_t mu;       /**< disk: r = mu z[normal], or the constant r */
    slong normal;   /**< disk: row, or KRAWCZYK_NO_ROW */
    bool lifts;     /**< disk of the associated law: adds mu |w| to w[normal] */
    bool polar;     /**< disk: x = (|y| - r, angle of y) instead of y */
    int sign;       /**< polar disk of one row: the side */
    double d;       /**< w = d (z - y): 1, or what krawczyk_map_relax has set */
} krawczyk_piece;

/** Entries of a matrix with few entries per row. */
enum { KRAWCZYK_WIDTH = 8 };

typedef struct krawczyk_slopes {
    slong *count; /**< n */
    slong *col;   /**< n x KRAWCZYK_WIDTH */
    arb_ptr value;
} krawczyk_slopes;

typedef struct krawczyk_part krawczyk_part;
typedef struct krawczyk_factors krawczyk_factors;

/** The complementarity problem as equations F(x) = A Z(x) + b - W(x) = 0, in units that are powers
 *  of two: z = Z 2^(size - shift), w = W 2^(size + shift). */
typedef struct krawczyk_map {
    slong n, prec;
    slong size, *shift;
    slong count;
    krawczyk_piece *piece;
    arb_mat_t A;
    arb_ptr b;
    arb_ptr x;       /**< the point, exact; after a proof the box around it */
    arb_ptr Z, W, F; /**< at the last argument */
    slong worst;     /**< the row that widens most in an enclosure that failed */
    krawczyk_slopes dZ,
        dy;          /**< enclose the slopes of Z and of Z - W over the last argument */
    arb_ptr d;       /**< of the piece of each row */
    arb_ptr tangent; /**< mu d t of the disks that are added to a normal row */
} krawczyk_map;

/** Row i: += v in column j. A row depends on few unknowns: its own and those of its contact. */
void krawczyk_slope_add(krawczyk_slopes *s, slong i, slong j, const arb_t v, slong prec);
/** y := max(x, 0) and t := its slopes over the ball x. */
void krawczyk_positive_part(arb_t y, arb_t t, const arb_t x, slong prec);
/** Z, W and their slopes of a disk over the box x; the intervals are there already. */
void krawczyk_disk_at(krawczyk_map *map, const krawczyk_piece *q, arb_srcptr x);
/** Whether the box x meets the edge of a disk that is not a point. */
bool krawczyk_disk_meets(const krawczyk_map *map, const krawczyk_piece *q, arb_srcptr x);
/** Polar coordinates for a disk and its part of map->x. */
void krawczyk_disk_turn(krawczyk_map *map, krawczyk_piece *q);

/** The equations of p, and the x that belongs to z. Cleared by krawczyk_map_clear, also after a
 *  failure. */
perp_status krawczyk_map_init(krawczyk_map *map, const perp_problem *p, const double *z,
                              slong prec, perp_error *err);
void krawczyk_map_clear(krawczyk_map *map);
/** Z, W, F and their slopes over the box x. */
void krawczyk_map_at(krawczyk_map *map, arb_srcptr x);
/** Whether Z and W of the last argument obey the complementarity conditions wherever x lies: those
 *  of polar coordinates need radii that are not negative. */
bool krawczyk_map_valid(const krawczyk_map *map, slong *row);
/** Use polar coordinates for the disks whose edge the box x meets; x becomes a point in them. How
 *  many were changed. */
slong krawczyk_map_turn(krawczyk_map *map, arb_srcptr box);
/** Where the slopes of Z over `box` are intervals, change d, so that the slopes of F are narrow: by
 *  the rows `y` of an inverse of their midpoints. x becomes the same point for the new d. How many
 *  were changed. */
slong krawczyk_map_relax(krawczyk_map *map, const krawczyk_part *part,
                         const krawczyk_factors *inverse, arb_srcptr box);
/** S := the slopes of F over the last argument, for `rows` and `cols` (m each). */
void krawczyk_map_slopes(const krawczyk_map *map, slong m, const slong *rows,
                         const slong *cols, arb_mat_t S);
/** row := y' S for the slopes S of F over the last argument, as (y' (A - D)) dZ + y' D dy: the
 *  slopes of Z are the same in all rows of F. y and row have n entries. */
void krawczyk_map_product(const krawczyk_map *map, arb_srcptr y, arb_ptr row, slong prec);
/** z_i in the unit of the problem. */
void krawczyk_map_z(const krawczyk_map *map, slong i, arb_t z);

/** A square part of the equations: `rows` of F and `cols` of x; the other x are held. */
struct krawczyk_part {
    slong m;
    slong *rows, *cols;  /**< m each */
    slong *spare, *held; /**< n - m each: the other rows and columns */
};

/** How a step of the method ended. */
typedef enum krawczyk_end {
    KRAWCZYK_DONE,
    KRAWCZYK_SINGULAR, /**< no inverse at this precision */
    KRAWCZYK_WANDERS,  /**< the iteration of Newton does not settle */
    KRAWCZYK_WIDE,     /**< the operator does not map the box into itself */
    KRAWCZYK_FAR,      /**< the solution found is not near the given point */
    KRAWCZYK_LATE,     /**< the time is up, or would be */
} krawczyk_end;

/** Factors or the inverse of a Jacobian, in doubles or in numbers of high precision. */
struct krawczyk_factors {
    slong m;
    bool doubles;
    double *a, *x; /* m x m, m */
    int *pivot;
    arb_mat_t LU;
    slong *perm;
};

/** False without memory; cleared in any case. */
bool krawczyk_factors_init(krawczyk_factors *f, slong m, bool doubles);
void krawczyk_factors_clear(krawczyk_factors *f);
/** Whether one more factorisation would end after `until`. */
bool krawczyk_factors_late(const krawczyk_factors *f, double until);
/** Factor the midpoints of S; x := S^-1 x. */
krawczyk_end krawczyk_factors_make(krawczyk_factors *f, const arb_mat_t S, slong prec);
void krawczyk_factors_solve(krawczyk_factors *f, arb_mat_t x, slong prec);
/** Invert the midpoints of S, and a row of the inverse. */
krawczyk_end krawczyk_factors_invert(krawczyk_factors *f, const arb_mat_t S, slong prec);
void krawczyk_factors_row(const krawczyk_factors *f, slong i, arb_ptr row);

/** Newton's iteration from map->x, which becomes a point near a zero. */
krawczyk_end krawczyk_newton(krawczyk_map *map, const krawczyk_part *part,
                             krawczyk_factors *factors, double until);
/** Enclose a zero near the point map->x: map->x becomes the box. */
krawczyk_end krawczyk_enclose(krawczyk_map *map, const krawczyk_part *part,
                              krawczyk_factors *factors, double until);

/** All rows and columns. */
perp_status krawczyk_part_init(krawczyk_part *part, slong n, perp_error *err);
void krawczyk_part_clear(krawczyk_part *part);
/** Move to `spare` and `held` the rows and columns beyond the rank that the slopes at map->x have
 *  in doubles. False without memory. */
bool krawczyk_part_reduce(krawczyk_part *part, krawczyk_map *map);
/** Whether the spare rows follow from the others, in rational numbers: linear rows whose
 *  coefficients and constants are combinations of those of linear rows of the part. */
bool krawczyk_part_implies(const krawczyk_part *part, const krawczyk_map *map);

#endif
