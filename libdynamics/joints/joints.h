/* SPDX-License-Identifier: Apache-2.0
 * joints/joints.h: the joint types of the registry, and what their files share. Private. */
#ifndef PERP_JOINTS_JOINTS_H
#define PERP_JOINTS_JOINTS_H

#include <perp/dynamics/joint.h>

#endif
