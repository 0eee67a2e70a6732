/* SPDX-License-Identifier: Apache-2.0
 * perp/dynamics/inertia.h: mass, centre of mass and inertia of solid shapes with uniform
 * density.
 *
 * The inertia I [kg m^2] is about the centre of mass, 3x3 row by row, in the axes of the
 * shape. Cylinders, cones and capsules are along z; the length of a capsule excludes its
 * caps. */
#ifndef PERP_DYNAMICS_INERTIA_H
#define PERP_DYNAMICS_INERTIA_H

#include <perp/base.h>

PERP_BEGIN_DECLS

/* In space: m [kg]; radii, lengths and half extents [m]. */

/** Inertia of a solid of uniform density about its centre [kg m^2], row by row; lengths are
 *  along z. */
void perp_inertia_sphere(double m, double radius, double inertia[9]);
void perp_inertia_box(double m, const double half[3], double inertia[9]);
void perp_inertia_cylinder(double m, double radius, double length, double inertia[9]);
void perp_inertia_capsule(double m, double radius, double length, double inertia[9]);
/** About its centre of mass, a quarter of its length above the base. */
void perp_inertia_cone(double m, double radius, double length, double inertia[9]);
void perp_inertia_ellipsoid(double m, const double semi[3], double inertia[9]);
/** Mass, centre of mass and inertia of the convex hull of n points (3 numbers each) with
 *  the density [kg/m^3]. PERP_ERR_DATA: points that span no volume or are not finite, a
 *  density that is not positive; PERP_ERR_MEMORY. */
perp_status perp_inertia_hull(double density, size_t n, const double *points, double *m,
                              double center[3], double inertia[9], perp_error *err);
/** The same for a closed surface of triangles with 3 point numbers each in `corners`,
 *  counter-clockwise from outside; their range is not checked. PERP_ERR_DATA: a volume
 *  that is not positive, a point that is not finite, a density that is not positive. */
perp_status perp_inertia_mesh(double density, const double *points, size_t triangles,
                              const int32_t *corners, double *m, double center[3],
                              double inertia[9], perp_error *err);

/* In the plane: about the axis out of it [kg m^2]. */

/** Inertia of a disc, and of a rectangle, about its centre; m [kg], lengths [m]. */
double perp_inertia_disc(double m, double radius);
double perp_inertia_rectangle(double m, double width, double height);
/** Mass, centre of mass and inertia of a simple polygon with n corners (x, y),
 *  counter-clockwise, and the density [kg/m^2]. PERP_ERR_DATA: fewer than three corners,
 *  an area or a density that is not positive, a number that is not finite. */
perp_status perp_inertia_polygon(double density, size_t n, const double *corners,
                                 double *m, double center[2], double *inertia,
                                 perp_error *err);

/** out := I + m (a.a E - a a^T), the inertia about a point at `offset` a from the centre
 *  of mass; out may be inertia. */
void perp_inertia_shift(double m, const double inertia[9], const double offset[3],
                        double out[9]);
/** out := R I R^T. */
void perp_inertia_rotate(const double inertia[9], const double R[9], double out[9]);
/** Principal axes: I = R diag(moments) R^T, with ascending moments and a rotation R. The
 *  upper triangle of I is read. PERP_ERR_LIBRARY: LAPACK failed. */
perp_status perp_inertia_principal(const double inertia[9], double moments[3],
                                   double R[9], perp_error *err);
/** Check that I is finite, symmetric and positive definite, and that no principal moment
 *  exceeds the sum of the others by more than 1e-5 of it. PERP_ERR_DATA otherwise;
 *  the message names the violated condition. */
perp_status perp_inertia_check(const double inertia[9], perp_error *err);

PERP_END_DECLS

#endif
