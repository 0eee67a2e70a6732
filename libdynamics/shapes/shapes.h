/* SPDX-License-Identifier: Apache-2.0
 * shapes/shapes.h: the shape types of the registry, and what their files share. Private. */
#ifndef PERP_SHAPES_SHAPES_H
#define PERP_SHAPES_SHAPES_H

#include <perp/dynamics/shape.h>

#endif
