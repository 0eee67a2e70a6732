/* SPDX-License-Identifier: Apache-2.0
 * gradient/inface.h: block Jacobi inside a face. Private.
 *
 *     z = C phi:  A_kk^-1 phi INSIDE,  phi (x.x)/(x.A_kk x) on a RAY,  0 at a POINT
 *
 * so that z lies in the same face as phi, and the cone is not deformed. A block whose Cholesky
 * factorisation fails keeps the identity. */
#ifndef PERP_GRADIENT_INFACE_H
#define PERP_GRADIENT_INFACE_H

#include "faces.h"

/** Diagonal blocks D and their inverses, 6 numbers each: 11 21 22 31 32 33. */
typedef struct perp_inface {
    double *block, *inverse;
} perp_inface;

bool perp_inface_init(perp_inface *c, const perp_faces *f, perp_workspace *ws);
/** Read the diagonal blocks of A and invert them: about 40 flops each. */
void perp_inface_factor(perp_inface *c, const perp_faces *f, const perp_operator *A);
/** z := C phi at the point x with faces f. */
void perp_inface_apply(const perp_inface *c, const perp_faces *f, const double *x,
                       const double *phi, double *z);

#endif
