/* SPDX-License-Identifier: Apache-2.0
 * gradient/faces.h: the faces of K on which a point lies, and the steps that respect them.
 *
 * A block of x is INSIDE its set, on a RAY of a cone's boundary (the minimal face of such a
 * point is {t x : t >= 0}), or at a POINT: an apex, a bound, the rim of a disk. With the
 * gradient g and a step length a,
 *
 *     phi   free gradient: g INSIDE, (g.x/x.x) x on a RAY, 0 at a POINT
 *     gP    projected gradient (x - P_K(x - a g))/a
 *     phit  reduced free gradient (x - P_K(x - a phi))/a
 *     beta  chopped gradient gP - phit: the part that leaves the face.
 *
 * One pass over the blocks yields all that a step needs. Most blocks need no square root: those
 * INSIDE whose step stays inside, and the apexes that stay. Private. */
#ifndef PERP_GRADIENT_FACES_H
#define PERP_GRADIENT_FACES_H

#include "core/solvers.h"

typedef enum perp_face {
    PERP_FACE_INSIDE,
    PERP_FACE_RAY,
    PERP_FACE_POINT,
} perp_face;

/** The data of a block that a pass needs, in 32 bytes. */
typedef struct perp_face_block {
    double lo, hi;       /* interval: bounds; cone: mu, mu^2; disk: radius, radius^2 */
    double shrink;       /* cone: 1/(1 + mu^2) */
    unsigned char shape; /* of faces.c */
    unsigned char dim;   /* rows */
    unsigned char face;  /* perp_face of the current point */
    unsigned char was;   /* that of the previous point */
} perp_face_block;

typedef struct perp_faces {
    size_t n, count;
    perp_face_block *block;
} perp_faces;

/** Sums of a pass, without the division by a. */
typedef struct perp_split {
    double chopped; /* |a beta|^2 */
    double free;    /* a phit.phi */
    bool outside;   /* a block has left K: the sums are invalid */
    bool changed;   /* a block INSIDE has reached its boundary, or a RAY its apex */
} perp_split;

/** Take memory and read the set; false when there is no memory. */
bool perp_faces_init(perp_faces *f, const perp_set *set, perp_workspace *ws);
/** Read the bounds and radii of the set again; its kinds are the same. */
void perp_faces_read(perp_faces *f, const perp_set *set);

/** x := P_K(x - a dir) with its faces; move := the change of x. */
void perp_faces_step(perp_faces *f, double a, const double *dir, double *x, double *move);

/** Faces after a step along phi or a direction of the same face, then phi, a*beta (NULL is
 *  allowed) and the sums. */
void perp_faces_split(perp_faces *f, double a, const double *x, const double *g,
                      double *phi, double *beta, perp_split *sums);

/** The faces as they were before the last step or split. */
void perp_faces_restore(perp_faces *f);

/** The largest t with x - t p in K, or infinity; p lies in the face of x. */
double perp_faces_step_length(const perp_faces *f, const double *x, const double *p);

#endif
