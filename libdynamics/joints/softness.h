/* SPDX-License-Identifier: Apache-2.0
 * joints/softness.h: whether a joint is at work, and the softness of its rows, lengths and
 * angles apart. Private. */
#ifndef PERP_JOINTS_SOFTNESS_H
#define PERP_JOINTS_SOFTNESS_H

#include <perp/dynamics/joint.h>

/** Neither it nor a body of it is disabled. */
static inline bool joint_is_enabled(const perp_joint *joint, const perp_world *world)
{
    return !joint->disabled && !world->disabled[joint->i] && !world->disabled[joint->j];
}

typedef struct joint_softness {
    double cfm, stiffness, damping;
} joint_softness;

/** That of its rows that are angles, or lengths. */
static inline joint_softness joint_softness_of(const perp_joint *joint, bool angular)
{
    return angular ? (joint_softness){joint->angular_cfm, joint->angular_stiffness,
                                      joint->angular_damping}
                   : (joint_softness){joint->cfm, joint->stiffness, joint->damping};
}

/** Whether they are springs and dampers, in place of erp and cfm. */
static inline bool joint_softness_springs(joint_softness s)
{
    return s.stiffness > 0.0 || s.damping > 0.0;
}

/** Whether no row has any. */
static inline bool joint_is_hard(const perp_joint *joint)
{
    return joint->cfm == 0.0 && joint->stiffness == 0.0 && joint->damping == 0.0 &&
           joint->angular_cfm == 0.0 && joint->angular_stiffness == 0.0 &&
           joint->angular_damping == 0.0;
}

#endif
