/* SPDX-License-Identifier: Apache-2.0
 * capture_demo_bullet.cc: a stack, a ragdoll and a vehicle in Bullet, whose problems a test
 * captures. An ordinary program that uses Bullet alone:
 * capture_demo_bullet SCENE STEPS dantzig|sweeps [SWEEPS]. */
#include <BulletDynamics/MLCPSolvers/btDantzigSolver.h>
#include <BulletDynamics/MLCPSolvers/btMLCPSolver.h>
#include <btBulletDynamicsCommon.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace
{
struct scene {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btDantzigSolver dantzig;
    std::unique_ptr<btConstraintSolver> solver;
    std::unique_ptr<btDiscreteDynamicsWorld> world;
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btRigidBody>> bodies;
    std::vector<std::unique_ptr<btTypedConstraint>> joints;
};

btRigidBody *add_body(scene &s, double mass, const btVector3 &x, btCollisionShape *shape)
{
    btVector3 inertia(0, 0, 0);

    s.shapes.emplace_back(shape);
    if (mass > 0) {
        shape->calculateLocalInertia(mass, inertia);
    }
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape, inertia);
    info.m_startWorldTransform.setIdentity();
    info.m_startWorldTransform.setOrigin(x);
    info.m_friction = 0.7;
    s.bodies.emplace_back(new btRigidBody(info));
    s.bodies.back()->setActivationState(DISABLE_DEACTIVATION);
    s.world->addRigidBody(s.bodies.back().get());
    return s.bodies.back().get();
}

btRigidBody *add_box(scene &s, double mass, const btVector3 &x, const btVector3 &half)
{
    return add_body(s, mass, x, new btBoxShape(half));
}

template <class joint> joint *add_joint(scene &s, joint *made)
{
    s.joints.emplace_back(made);
    s.world->addConstraint(made, true);
    return made;
}

/* Five boxes, one upon the other. */
void build_stack(scene &s)
{
    for (int k = 0; k < 5; k++) {
        add_box(s, 1.0 + 0.2 * k, btVector3(0, 0, 0.1 + 0.2 * k),
                btVector3(0.2, 0.15, 0.1));
    }
}

/* A trunk and a head, arms and legs of two parts each; it falls on its back. */
void build_ragdoll(scene &s)
{
    const btVector3 side(0, 1, 0);
    btRigidBody *trunk = add_box(s, 20, btVector3(0, 0, 0.5), btVector3(0.3, 0.2, 0.1));
    btRigidBody *head = add_body(s, 4, btVector3(0.45, 0, 0.5), new btSphereShape(0.12));

    add_joint(s, new btPoint2PointConstraint(*trunk, *head, btVector3(0.33, 0, 0),
                                             btVector3(-0.12, 0, 0)));
    for (int k = 0; k < 4; k++) {
        double end = k < 2 ? 0.25 : -0.25, y = (k % 2) ? 0.3 : -0.3, to = k < 2 ? 1 : -1;
        btRigidBody *upper =
            add_box(s, 3, btVector3(end + 0.2 * to, y, 0.5), btVector3(0.15, 0.05, 0.05));
        btRigidBody *lower = add_box(s, 2, btVector3(end + 0.55 * to, y, 0.5),
                                     btVector3(0.15, 0.04, 0.04));

        add_joint(s, new btPoint2PointConstraint(*trunk, *upper, btVector3(end, y, 0),
                                                 btVector3(-0.2 * to, 0, 0)));
        add_joint(s, new btHingeConstraint(*upper, *lower, btVector3(0.175 * to, 0, 0),
                                           btVector3(-0.175 * to, 0, 0), side, side))
            ->setLimit(-0.6, 0.6);
    }
}

/* A chassis on four wheels, two of them driven. */
void build_vehicle(scene &s)
{
    const btVector3 axis(0, 1, 0);
    btRigidBody *chassis =
        add_box(s, 20, btVector3(0, 0, 0.35), btVector3(0.5, 0.25, 0.1));

    for (int k = 0; k < 4; k++) {
        const btVector3 x(k < 2 ? 0.4 : -0.4, (k % 2) ? 0.35 : -0.35, 0.2);
        btRigidBody *wheel = add_body(s, 2, x, new btSphereShape(0.2));
        auto *joint = add_joint(s, new btHingeConstraint(*chassis, *wheel,
                                                         x - btVector3(0, 0, 0.35),
                                                         btVector3(0, 0, 0), axis, axis));

        if (k < 2) {
            joint->enableAngularMotor(true, 5, 0.04);
        }
    }
}
} // namespace

int main(int argc, char **argv)
{
    const std::string name = argc > 1 ? argv[1] : "stack";
    const int steps = argc > 2 ? std::atoi(argv[2]) : 100;
    const bool dantzig = argc <= 3 || std::string(argv[3]) == "dantzig";
    scene s;

    if (dantzig) {
        s.solver.reset(new btMLCPSolver(&s.dantzig));
    } else {
        s.solver.reset(new btSequentialImpulseConstraintSolver);
    }
    s.world.reset(new btDiscreteDynamicsWorld(&s.dispatcher, &s.broadphase,
                                              s.solver.get(), &s.configuration));
    s.world->setGravity(btVector3(0, 0, -9.81));
    if (argc > 4) {
        s.world->getSolverInfo().m_numIterations = std::atoi(argv[4]);
    }
    if (dantzig) {
        s.world->getSolverInfo().m_minimumSolverBatchSize = 1;
        s.world->getSolverInfo().m_globalCfm = 1e-7;
    }
    add_body(s, 0, btVector3(0, 0, 0), new btStaticPlaneShape(btVector3(0, 0, 1), 0));
    if (name == "ragdoll") {
        build_ragdoll(s);
    } else if (name == "vehicle") {
        build_vehicle(s);
    } else {
        build_stack(s);
    }
    for (int k = 0; k < steps; k++) {
        s.world->stepSimulation(0.01, 0);
    }
    for (auto &joint : s.joints) {
        s.world->removeConstraint(joint.get());
    }
    for (auto &body : s.bodies) {
        s.world->removeRigidBody(body.get());
    }
    return 0;
}
