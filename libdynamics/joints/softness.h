/* SPDX-License-Identifier: Apache-2.0
 * joints/softness.h: the softness of the rows of a joint, lengths and angles apart.
 * Private. */
#ifndef PERP_JOINTS_SOFTNESS_H
#define PERP_JOINTS_SOFTNESS_H

#include <perp/dynamics/joint.h>

typedef struct joint_softness {
    double cfm, stiffness, damping;
} joint_softness;

/** That of a row, by whether it is an angle. */
static inline joint_softness joint_softness_of(const perp_joint *joint,
                                               const perp_row *row)
{
    return row->angular ? (joint_softness){joint->angular_cfm, joint->angular_stiffness,
                                           joint->angular_damping}
                        : (joint_softness){joint->cfm, joint->stiffness, joint->damping};
}
/** Whether no row has any. */
static inline bool joint_is_hard(const perp_joint *joint)
{
    return joint->cfm == 0.0 && joint->stiffness == 0.0 && joint->damping == 0.0 &&
           joint->angular_cfm == 0.0 && joint->angular_stiffness == 0.0 &&
           joint->angular_damping == 0.0;
}

#endif
