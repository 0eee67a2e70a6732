/* SPDX-License-Identifier: Apache-2.0
 * capture/dart.cc: the problems that DART's BoxedLcpConstraintSolver solves in a step.
 *
 * For each group of skeletons it hands A x = b + w, bounds and friction indices to a
 * BoxedLcpSolver (Dantzig, PGS, or one of the program), where x are impulses, and |x| <= hi
 * |x[findex]| on friction rows. A contains the constraint force mixing: A_ii (1 + cfm). Stored is
 * w = A z - b with A as DART forms it, both triangles, and the impulses that DART applies in the
 * end, be they of the primary or of the secondary solver.
 *
 * The solver of a group is wrapped while the group is solved; its constraints are read by members
 * of ConstraintSolver and BoxedLcpConstraintSolver, which take the place of DART's. */
#include <dart/config.hpp>
#include <dart/constraint/BoxedLcpConstraintSolver.hpp>
#include <dart/constraint/BoxedLcpSolver.hpp>
#include <dart/constraint/ContactConstraint.hpp>
#include <dart/constraint/JointConstraint.hpp>
#include <dart/constraint/JointCoulombFrictionConstraint.hpp>
#include <dart/constraint/MimicMotorConstraint.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/Joint.hpp>

#include <cmath>
#include <map>
#include <memory>
#include <vector>

#include "interop/capture/capture.h"

namespace
{
const capture_engine dart_engine = {"DART BoxedLcpConstraintSolver", "DART " DART_VERSION,
                                    "z impulses [N s]; w = A z - b [m/s] with DART's A "
                                    "(cfm on its diagonal) and b; rows with a "
                                    "friction index are friction rows. Dantzig's method "
                                    "computes their bounds once, from the "
                                    "normal impulses without friction."};

/* What a row is. */
struct row_identity {
    uint64_t key = 0;
    capture_label label = {};
};
using row_identities = std::vector<row_identity>;

/* The rows of each constraint of the present step, and of the present group. */
thread_local std::map<const dart::constraint::ConstraintBase *, row_identities>
    constraint_rows;
thread_local row_identities group_rows;

/* The rows of a constraint on a joint: one per degree of freedom that is active. `type` tells
 * constraints of one joint apart. */
template <class flags>
row_identities joint_rows(const dart::dynamics::Joint *joint, const flags &active,
                          std::size_t type)
{
    row_identities rows;
    row_identity row;

    row.label.kind = PERP_LABEL_JOINT;
    row.label.joint = joint->getName().c_str();
    for (std::size_t i = 0; i < joint->getNumDofs() && i < 6; i++) {
        if (active[i]) {
            row.key = capture_key(capture_object(joint), 8 * type + i);
            rows.push_back(row);
        }
    }
    return rows;
}

/* The rows of a contact between a and b. DART's normals point from b to a. */
row_identities contact_rows(const dart::collision::Contact &contact,
                            const dart::dynamics::BodyNode *a,
                            const dart::dynamics::BodyNode *b, std::size_t count)
{
    const Eigen::Vector3d x = contact.point - (a->isReactive() ? a : b)->getCOM();
    const uint64_t number =
        capture_contact(capture_object(a), capture_object(b), x.data());
    row_identities rows(count);

    for (std::size_t i = 0; i < count; i++) {
        capture_label &label = rows[i].label;

        rows[i].key = capture_key(number, i);
        label.kind = PERP_LABEL_CONTACT;
        label.body[0] = a->getName().c_str();
        label.body[1] = b->getName().c_str();
        label.placed = true;
        label.gap = -contact.penetrationDepth;
        for (int k = 0; k < 3; k++) {
            label.point[k] = contact.point[k];
            label.normal[k] = -contact.normal[k];
        }
    }
    return rows;
}

/* Stands before a solver and stores what it is given. */
class capture_solver : public dart::constraint::BoxedLcpSolver
{
  public:
    explicit capture_solver(dart::constraint::BoxedLcpSolverPtr solver)
        : inner(std::move(solver))
    {
    }

    const std::string &getType() const override
    {
        return inner->getType();
    }

    bool solve(int n, double *A, double *x, double *b, int unbounded, double *lo,
               double *hi, int *findex, bool early) override
    {
        const std::size_t size = static_cast<std::size_t>(n);
        const std::size_t stride = size > 1 ? (size + 3) / 4 * 4 : size; /* as dPAD(n) */
        std::vector<capture_row> rows(size);

        for (std::size_t i = 0; i < size; i++) {
            rows[i].b = -b[i];
            rows[i].lo = lo[i];
            rows[i].hi = hi[i];
            rows[i].mu = std::fabs(hi[i]);
            rows[i].normal = std::isfinite(hi[i]) ? findex[i] : -1;
            rows[i].key = group_rows[i].key;
            rows[i].label = group_rows[i].label;
        }
        capture_island(rows.data(), size, 0);
        capture_matrix(A, size, stride, false);
        return inner->solve(n, A, x, b, unbounded, lo, hi, findex, early);
    }

#ifndef NDEBUG
    bool canSolve(int n, const double *A) override
    {
        return inner->canSolve(n, A);
    }
#endif

  private:
    dart::constraint::BoxedLcpSolverPtr inner;
};
} // namespace

/* What stands from here on takes the place of DART's functions of the same names. */
namespace dart
{
namespace constraint
{
void ConstraintSolver::solveConstrainedGroups()
{
    static const auto next = reinterpret_cast<void (*)(ConstraintSolver *)>(
        capture_next("_ZN4dart10constraint16ConstraintSolver22solveConstrainedGroupsEv"));

    capture_step_start(&dart_engine, this, mTimeStep);
    constraint_rows.clear();
    if (capture_on()) {
        for (const auto &c : mContactConstraints) {
            constraint_rows[c.get()] = contact_rows(c->getContact(), c->mBodyNodeA,
                                                    c->mBodyNodeB, c->getDimension());
        }
        for (const auto &c : mJointConstraints) {
            constraint_rows[c.get()] = joint_rows(c->mJoint, c->mActive, 0);
        }
        for (const auto &c : mMimicMotorConstraints) {
            constraint_rows[c.get()] = joint_rows(c->mJoint, c->mActive, 1);
        }
        for (const auto &c : mJointCoulombFrictionConstraints) {
            constraint_rows[c.get()] = joint_rows(c->mJoint, c->mActive, 2);
        }
        for (const auto &c : mManualConstraints) {
            row_identities rows(c->getDimension());

            for (std::size_t i = 0; i < rows.size(); i++) {
                rows[i].key = capture_key(capture_object(c.get()), i);
                rows[i].label.kind = PERP_LABEL_JOINT;
            }
            constraint_rows[c.get()] = rows;
        }
    }
    next(this);
    capture_step_end();
}

void BoxedLcpConstraintSolver::solveConstrainedGroup(ConstrainedGroup &group)
{
    static const auto next =
        reinterpret_cast<void (*)(BoxedLcpConstraintSolver *, ConstrainedGroup &)>(
            capture_next(
                "_ZN4dart10constraint24BoxedLcpConstraintSolver21solveConstrained"
                "GroupERNS0_16ConstrainedGroupE"));
    const BoxedLcpSolverPtr primary = mBoxedLcpSolver;

    if (!capture_wanted() || !primary) {
        next(this, group);
        return;
    }
    group_rows.clear();
    for (std::size_t k = 0; k < group.getNumConstraints(); k++) {
        const ConstraintBasePtr c = group.getConstraint(k);
        row_identities rows = constraint_rows[c.get()];

        rows.resize(c->getDimension());
        group_rows.insert(group_rows.end(), rows.begin(), rows.end());
    }
    mBoxedLcpSolver = std::make_shared<capture_solver>(primary);
    next(this, group);
    mBoxedLcpSolver = primary;
    for (std::size_t i = 0; i < group.getTotalDimension(); i++) {
        capture_answer(i, mX[static_cast<Eigen::Index>(i)]);
    }
}
} // namespace constraint
} // namespace dart
