/* SPDX-License-Identifier: Apache-2.0
 * tests/dynamics/polyhedra.h: points of known solids, and random places of them. */
#ifndef PERP_TEST_POLYHEDRA_H
#define PERP_TEST_POLYHEDRA_H

#include <stddef.h>

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

#endif
