/* SPDX-License-Identifier: Apache-2.0
 * joints/softness.h: whether a joint is enabled, and the softness of its linear and
 * angular rows. Private. */
#ifndef PERP_JOINTS_SOFTNESS_H
#define PERP_JOINTS_SOFTNESS_H

#include <perp/dynamics/joint.h>

/** Whether neither the joint nor one of its bodies is disabled. */
static inline bool joint_is_enabled(const perp_joint *joint, const perp_world *world)
{
    return !joint->disabled && !world->disabled[joint->i] && !world->disabled[joint->j];
}

typedef struct joint_softness {
    double cfm, stiffness, damping;
} joint_softness;

/** Softness of the angular or the linear rows. */
static inline joint_softness joint_softness_of(const perp_joint *joint, bool angular)
{
    return angular ? (joint_softness){joint->angular_cfm, joint->angular_stiffness,
                                      joint->angular_damping}
                   : (joint_softness){joint->cfm, joint->stiffness, joint->damping};
}

/** Whether the rows are springs and dampers, which replace erp and cfm. */
static inline bool joint_softness_springs(joint_softness s)
{
    return s.stiffness > 0.0 || s.damping > 0.0;
}

/** Whether all rows are hard. */
static inline bool joint_is_hard(const perp_joint *joint)
{
    return joint->cfm == 0.0 && joint->stiffness == 0.0 && joint->damping == 0.0 &&
           joint->angular_cfm == 0.0 && joint->angular_stiffness == 0.0 &&
           joint->angular_damping == 0.0;
}

#endif
