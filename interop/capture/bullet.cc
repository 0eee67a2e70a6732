/* SPDX-License-Identifier: Apache-2.0
 * capture/bullet.cc: the problems that Bullet solves in a step, in double precision.
 *
 * btMLCPSolver hands A, b, bounds and limit dependencies to a btMLCPSolverInterface (Dantzig,
 * Lemke, PGS): A z = b + w, with impulses z and |z| <= hi |z[dependency]| on friction rows. Stored
 * is w = A z - b.
 *
 * btSequentialImpulseConstraintSolver sweeps over rows
 *
 *     dz = rhs - cfm z - (J dV) / D,    A = J M^-1 J^T + C,  C = cfm D,  D = 1 / m_jacDiagABInv
 *
 * where dV is the change of velocity by the impulses so far, and m_rhs contains the velocity before
 * the step and the bias. Stored is w = A z - D rhs, with A in factors, one velocity space of six
 * per solver body. The row of a contact bounds its friction rows, |z_T| <= mu z_N.
 *
 * Split impulses, which correct penetration alone, are a second problem of the same rows: it is
 * not stored. A program that uses Bullet in single precision makes no step that is seen here.
 * Multibodies have solvers of their own, which are not captured. */
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/MLCPSolvers/btMLCPSolver.h>
#include <btBulletDynamicsCommon.h>

#include <cmath>
#include <vector>

#include "interop/capture/capture.h"

#define BULLET_QUOTE(x) #x
#define BULLET_TEXT(x)  BULLET_QUOTE(x)
#define BULLET_VERSION  "Bullet " BULLET_TEXT(BT_BULLET_VERSION)

namespace
{
const capture_engine mlcp_engine = {"Bullet btMLCPSolver", BULLET_VERSION,
                                    "z impulses [N s]; w = A z - b [m/s] with Bullet's A "
                                    "and b; rows with a limit dependency are "
                                    "friction rows. Dantzig's method computes their "
                                    "bounds once, from the normal impulses "
                                    "without friction."};
const capture_engine sweep_engine = {
    "Bullet btSequentialImpulseConstraintSolver", BULLET_VERSION,
    "z impulses [N s]; w = A z + b [m/s] with A = J M^-1 J^T + cfm/jacDiagABInv and b = "
    "-rhs/jacDiagABInv; |z_T| <= mu z_N. Split impulses are not stored."};

/* Bullet's bounds that mean infinity are 1e10 and SIMD_INFINITY. */
double bound(double x)
{
    return std::fabs(x) < 1e10 ? x : std::copysign(INFINITY, x);
}

bool is_fixed(const btCollisionObject *object)
{
    return !object || object->isStaticOrKinematicObject();
}

/* The number of a contact: its place from the centre of a body that moves. */
uint64_t contact_number(const btManifoldPoint &point, const btRigidBody *a,
                        const btRigidBody *b)
{
    const btRigidBody *moving = is_fixed(a) ? b : a;
    btVector3 x = point.getPositionWorldOnB();

    if (moving) {
        x -= moving->getCenterOfMassPosition();
    }
    const double place[3] = {x.x(), x.y(), x.z()};
    return capture_contact(is_fixed(a) ? 0 : capture_object(a),
                           is_fixed(b) ? 0 : capture_object(b), place);
}

/* The problem of a solver whose members are protected: a class that may read them. */
struct reader : btMLCPSolver {
    /* The joints of the group that this thread solves, with their numbers of rows. */
    static thread_local btTypedConstraint **joints;
    static thread_local int joint_count;

    using solver = btSequentialImpulseConstraintSolver;

    static const btConstraintArray &contacts(const solver &s)
    {
        return s.*(&reader::m_tmpSolverContactConstraintPool);
    }
    static const btConstraintArray &friction(const solver &s)
    {
        return s.*(&reader::m_tmpSolverContactFrictionConstraintPool);
    }
    static const btConstraintArray &rolling(const solver &s)
    {
        return s.*(&reader::m_tmpSolverContactRollingFrictionConstraintPool);
    }
    static const btConstraintArray &others(const solver &s)
    {
        return s.*(&reader::m_tmpSolverNonContactConstraintPool);
    }
    static const btSolverBody &body(const solver &s, int k)
    {
        return (s.*(&reader::m_tmpSolverBodyPool))[k];
    }
    static int body_count(const solver &s)
    {
        return (s.*(&reader::m_tmpSolverBodyPool)).size();
    }
    static int joint_rows(const solver &s, int k)
    {
        return (s.*(&reader::m_tmpConstraintSizesPool))[k].m_numConstraintRows;
    }
};
thread_local btTypedConstraint **reader::joints;
thread_local int reader::joint_count;

/* Rows of multibodies, which are no rows of the pools. */
struct multibody_reader : btMultiBodyConstraintSolver {
    static bool any(const btMultiBodyConstraintSolver &s)
    {
        return (s.*(&multibody_reader::m_multiBodyNonContactConstraints)).size() > 0 ||
               (s.*(&multibody_reader::m_multiBodyNormalContactConstraints)).size() > 0;
    }
};

/* What a row is. */
struct row_identity {
    uint64_t key = 0;
    capture_label label = {};
};

/* Bullet's normals point from b to a. */
capture_label contact_label(const btManifoldPoint &point)
{
    capture_label label = {};

    label.kind = PERP_LABEL_CONTACT;
    label.placed = true;
    label.gap = point.getDistance();
    for (int k = 0; k < 3; k++) {
        label.point[k] = point.getPositionWorldOnB()[k];
        label.normal[k] = -point.m_normalWorldOnB[k];
    }
    return label;
}

/* All rows of a group: joints, contacts, friction, rolling friction. */
std::vector<row_identity> group_rows(const reader::solver &s)
{
    const btConstraintArray &contacts = reader::contacts(s);
    std::vector<row_identity> rows;
    std::vector<uint64_t> numbers;
    std::vector<capture_label> labels;
    std::vector<std::size_t> parts(static_cast<std::size_t>(contacts.size()), 1);
    capture_label joint = {};

    joint.kind = PERP_LABEL_JOINT;

    for (int k = 0; k < reader::joint_count; k++) {
        uint64_t number = capture_object(reader::joints[k]);

        for (int row = 0; row < reader::joint_rows(s, k); row++) {
            rows.push_back({capture_key(number, static_cast<std::size_t>(row)), joint});
        }
    }
    rows.resize(static_cast<std::size_t>(reader::others(s).size()));
    for (int k = 0; k < contacts.size(); k++) {
        const btSolverConstraint &row = contacts[k];
        const btManifoldPoint &point =
            *static_cast<const btManifoldPoint *>(row.m_originalContactPoint);

        numbers.push_back(
            contact_number(point, reader::body(s, row.m_solverBodyIdA).m_originalBody,
                           reader::body(s, row.m_solverBodyIdB).m_originalBody));
        labels.push_back(contact_label(point));
        rows.push_back({capture_key(numbers.back(), 0), labels.back()});
    }
    for (const btConstraintArray *pool : {&reader::friction(s), &reader::rolling(s)}) {
        for (int k = 0; k < pool->size(); k++) {
            std::size_t contact = static_cast<std::size_t>((*pool)[k].m_frictionIndex);

            rows.push_back(
                {capture_key(numbers[contact], parts[contact]++), labels[contact]});
        }
    }
    return rows;
}

capture_row sweep_row(const btSolverConstraint &row, std::ptrdiff_t normal,
                      const row_identity &identity)
{
    double D = row.m_jacDiagABInv != 0.0 ? 1.0 / row.m_jacDiagABInv : 0.0;
    capture_row r = {};

    r.b = -row.m_rhs * D;
    r.c = row.m_cfm * D;
    r.lo = bound(row.m_lowerLimit);
    r.hi = bound(row.m_upperLimit);
    r.mu = row.m_friction;
    r.normal = normal;
    r.key = identity.key;
    r.label = identity.label;
    return r;
}

/* The part of row i that acts on one body: J, and J M^-1. */
void sweep_body(std::size_t i, int k, const btSolverBody &body, const btVector3 &linear,
                const btVector3 &angular, const btVector3 &angular_component)
{
    const btVector3 lin = linear * body.m_invMass * body.m_linearFactor;
    const btVector3 ang = angular_component * body.m_angularFactor;

    if (!body.m_originalBody) {
        return;
    }
    for (int c = 0; c < 3; c++) {
        std::size_t column =
            6 * static_cast<std::size_t>(k) + static_cast<std::size_t>(c);

        capture_factor(i, column, linear[c], lin[c]);
        capture_factor(i, column + 3, angular[c], ang[c]);
    }
}

void capture_sweeps(const reader::solver &s)
{
    const std::vector<row_identity> identities = group_rows(s);
    const std::ptrdiff_t first_contact = reader::others(s).size();
    std::vector<const btSolverConstraint *> all;
    std::vector<capture_row> rows;

    if (!capture_wanted() || identities.empty()) {
        return;
    }
    for (const btConstraintArray *pool : {&reader::others(s), &reader::contacts(s),
                                          &reader::friction(s), &reader::rolling(s)}) {
        bool friction = pool == &reader::friction(s) || pool == &reader::rolling(s);

        for (int k = 0; k < pool->size(); k++) {
            const btSolverConstraint &row = (*pool)[k];
            std::ptrdiff_t normal = friction ? first_contact + row.m_frictionIndex : -1;

            rows.push_back(sweep_row(row, normal, identities[rows.size()]));
            all.push_back(&row);
        }
    }
    capture_island(rows.data(), rows.size(),
                   6 * static_cast<std::size_t>(reader::body_count(s)));
    for (std::size_t i = 0; i < all.size(); i++) {
        const btSolverConstraint &row = *all[i];

        sweep_body(i, row.m_solverBodyIdA, reader::body(s, row.m_solverBodyIdA),
                   row.m_contactNormal1, row.m_relpos1CrossNormal,
                   row.m_angularComponentA);
        sweep_body(i, row.m_solverBodyIdB, reader::body(s, row.m_solverBodyIdB),
                   row.m_contactNormal2, row.m_relpos2CrossNormal,
                   row.m_angularComponentB);
        capture_answer(i, row.m_appliedImpulse);
    }
}
} // namespace

/* What stands from here on takes the place of Bullet's functions of the same names. */

void btDiscreteDynamicsWorld::internalSingleStepSimulation(btScalar h)
{
    static const auto next =
        reinterpret_cast<void (*)(btDiscreteDynamicsWorld *, btScalar)>(
            capture_next("_ZN23btDiscreteDynamicsWorld28internalSingleStepSimulationEd"));

    capture_step_start(dynamic_cast<btMLCPSolver *>(getConstraintSolver())
                           ? &mlcp_engine
                           : &sweep_engine,
                       this, h);
    next(this, h);
    capture_step_end();
}

btScalar btSequentialImpulseConstraintSolver::solveGroup(
    btCollisionObject **bodies, int body_count, btPersistentManifold **manifolds,
    int manifold_count, btTypedConstraint **joints, int joint_count,
    const btContactSolverInfo &info, btIDebugDraw *draw, btDispatcher *dispatcher)
{
    using function =
        btScalar (*)(btSequentialImpulseConstraintSolver *, btCollisionObject **, int,
                     btPersistentManifold **, int, btTypedConstraint **, int,
                     const btContactSolverInfo &, btIDebugDraw *, btDispatcher *);
    static const auto next = reinterpret_cast<function>(
        capture_next("_ZN35btSequentialImpulseConstraintSolver10solveGroupEPP17btCollisio"
                     "nObjectiPP20bt"
                     "PersistentManifoldiPP17btTypedConstraintiRK19btContactSolverInfoP12"
                     "btIDebugDrawP12"
                     "btDispatcher"));

    reader::joints = joints;
    reader::joint_count = joint_count;
    return next(this, bodies, body_count, manifolds, manifold_count, joints, joint_count,
                info, draw, dispatcher);
}

btScalar btSequentialImpulseConstraintSolver::solveGroupCacheFriendlyFinish(
    btCollisionObject **bodies, int body_count, const btContactSolverInfo &info)
{
    using function = btScalar (*)(btSequentialImpulseConstraintSolver *,
                                  btCollisionObject **, int, const btContactSolverInfo &);
    static const auto next = reinterpret_cast<function>(
        capture_next("_ZN35btSequentialImpulseConstraintSolver29solveGroupCacheFriendlyFi"
                     "nishEPP17btColl"
                     "isionObjectiRK19btContactSolverInfo"));
    const auto *multibody = dynamic_cast<const btMultiBodyConstraintSolver *>(this);

    if (capture_active() && multibody && multibody_reader::any(*multibody)) {
        capture_fail("Bullet's multibodies are not captured");
    } else if (capture_active() && !dynamic_cast<btMLCPSolver *>(this)) {
        capture_sweeps(*this);
    }
    return next(this, bodies, body_count, info);
}

bool btMLCPSolver::solveMLCP(const btContactSolverInfo &info)
{
    static const auto next =
        reinterpret_cast<bool (*)(btMLCPSolver *, const btContactSolverInfo &)>(
            capture_next("_ZN12btMLCPSolver9solveMLCPERK19btContactSolverInfo"));
    const std::size_t n = static_cast<std::size_t>(m_A.rows());
    bool solved = false;

    if (capture_active() && n > 0) {
        std::vector<row_identity> identities = group_rows(*this);
        std::vector<capture_row> rows(n);

        identities.resize(n); /* rolling friction, which comes last, is no row */
        for (std::size_t i = 0; i < n; i++) {
            const int k = static_cast<int>(i);

            rows[i].b = -m_b[k];
            rows[i].lo = bound(m_lo[k]);
            rows[i].hi = bound(m_hi[k]);
            rows[i].mu = m_hi[k];
            rows[i].normal = m_limitDependencies[k];
            rows[i].key = identities[i].key;
            rows[i].label = identities[i].label;
        }
        capture_island(rows.data(), n, 0);
        capture_matrix(m_A.getBufferPointer(), n, n, true);
    }
    solved = next(this, info);
    for (std::size_t i = 0; solved && i < n; i++) {
        capture_answer(i, m_x[static_cast<int>(i)]);
    }
    return solved;
}
