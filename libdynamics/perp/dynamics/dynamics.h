/* SPDX-License-Identifier: Apache-2.0
 * perp/dynamics/dynamics.h: worlds, their steps, problems and derivatives, and scenes. The
 * algorithms that they are made of are in <perp/dynamics/algorithms.h>. */
#ifndef PERP_DYNAMICS_DYNAMICS_H
#define PERP_DYNAMICS_DYNAMICS_H

#include <perp/dynamics/collide.h>
#include <perp/dynamics/force.h>
#include <perp/dynamics/gradient.h>
#include <perp/dynamics/inertia.h>
#include <perp/dynamics/integrate.h>
#include <perp/dynamics/joint.h>
#include <perp/dynamics/reduce.h>
#include <perp/dynamics/remove.h>
#include <perp/dynamics/rotation.h>
#include <perp/dynamics/rows.h>
#include <perp/dynamics/scene.h>
#include <perp/dynamics/scheme.h>
#include <perp/dynamics/shape.h>
#include <perp/dynamics/step.h>
#include <perp/dynamics/system.h>
#include <perp/dynamics/urdf.h>
#include <perp/dynamics/world.h>

#endif
