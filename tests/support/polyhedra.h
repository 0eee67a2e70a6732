/* SPDX-License-Identifier: Apache-2.0
 * tests/support/polyhedra.h: points of known solids, random places of them, and what
 * holds of every polytope. */
#ifndef PERP_TEST_POLYHEDRA_H
#define PERP_TEST_POLYHEDRA_H

#include <stddef.h>

#include <perp/dynamics/geometry.h>
#include <perp/random.h>

/** Eight corners +-half; bit b of a number is the sign of coordinate b. */
void polyhedron_box(const double half[3], double points[24]);
/** 2n corners: the base at z = 0 counter-clockwise, then the one at `height`. */
void polyhedron_prism(size_t n, double radius, double height, double *points);
/** Twelve corners at distance 1. */
void polyhedron_icosahedron(double points[36]);
/** n points at distance 1, evenly. */
void polyhedron_sphere(perp_random *g, size_t n, double *points);
/** Scale, turn at random, and move by up to `far` along each axis. */
void polyhedron_place(perp_random *g, double far, double scale, size_t n, double *points);
/** 125 points somewhere: 0: a grid of 5 x 5 x 5, many in one plane; 1: at random. */
void polyhedron_cloud(perp_random *g, int kind, double points[3 * 125]);

/** Their hull; asserts that there is one. */
perp_polytope *polytope_of(size_t n, const double *points);
/** All of a polytope against its points; `size` [m]. */
void polytope_check(const perp_polytope *h, size_t n, const double *points, double size);
/** Corners are points, in their order. */
void polytope_check_order(const perp_polytope *h, size_t n, const double *points);
/** The place of a side in the loop of face f, or -1. */
int32_t polytope_side(const perp_polytope *h, int32_t f, int32_t from, int32_t to);

#endif
