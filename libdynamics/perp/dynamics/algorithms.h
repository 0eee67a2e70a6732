/* SPDX-License-Identifier: Apache-2.0
 * perp/dynamics/algorithms.h: algorithms that need no world: articulated bodies, polytopes
 * and meshes, trees of boxes, pairs of boxes that overlap, contacts of two shapes. */
#ifndef PERP_DYNAMICS_ALGORITHMS_H
#define PERP_DYNAMICS_ALGORITHMS_H

#include <perp/dynamics/articulation.h>
#include <perp/dynamics/broad.h>
#include <perp/dynamics/geometry.h>
#include <perp/dynamics/mobilizer.h>
#include <perp/dynamics/narrow.h>
#include <perp/dynamics/tree.h>
#include <perp/dynamics/twist.h>

#endif
