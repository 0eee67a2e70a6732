/* SPDX-License-Identifier: Apache-2.0
 * capture_demo_dart.cc: a stack, a ragdoll and a vehicle in DART, whose problems a test captures.
 * An ordinary program that uses DART alone: capture_demo_dart SCENE STEPS. */
#include <dart/collision/dart/DARTCollisionDetector.hpp>
#include <dart/constraint/ConstraintSolver.hpp>
#include <dart/dynamics/BallJoint.hpp>
#include <dart/dynamics/BoxShape.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/SphereShape.hpp>
#include <dart/dynamics/WeldJoint.hpp>
#include <dart/simulation/World.hpp>

#include <cstdlib>
#include <string>

using namespace dart::dynamics;

namespace
{
void give_shape(BodyNode *body, double mass, const ShapePtr &shape)
{
    Inertia inertia;

    body->createShapeNodeWith<VisualAspect, CollisionAspect, DynamicsAspect>(shape);
    inertia.setMass(mass);
    inertia.setMoment(shape->computeInertia(mass));
    body->setInertia(inertia);
}

ShapePtr box(double x, double y, double z)
{
    return std::make_shared<BoxShape>(Eigen::Vector3d(x, y, z));
}

/* The first body of a skeleton, free, at x. */
BodyNode *add_free(const SkeletonPtr &skeleton, double mass, const Eigen::Vector3d &x,
                   const ShapePtr &shape)
{
    const auto pair = skeleton->createJointAndBodyNodePair<FreeJoint>();

    give_shape(pair.second, mass, shape);
    Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
    pose.translation() = x;
    pair.first->setPositions(FreeJoint::convertToPositions(pose));
    return pair.second;
}

/* A body on its parent: the joint at `on` of the parent and at `at` of the body. */
template <class joint>
std::pair<joint *, BodyNode *> add_child(BodyNode *parent, double mass,
                                         const Eigen::Vector3d &on,
                                         const Eigen::Vector3d &at, const ShapePtr &shape)
{
    const auto pair = parent->createChildJointAndBodyNodePair<joint>();
    Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();

    give_shape(pair.second, mass, shape);
    pose.translation() = on;
    pair.first->setTransformFromParentBodyNode(pose);
    pose.translation() = at;
    pair.first->setTransformFromChildBodyNode(pose);
    return pair;
}

/* Five boxes, one upon the other. */
void build_stack(dart::simulation::World &world)
{
    for (int k = 0; k < 5; k++) {
        SkeletonPtr skeleton = Skeleton::create("box" + std::to_string(k));

        add_free(skeleton, 1.0 + 0.2 * k, Eigen::Vector3d(0, 0, 0.0999 + 0.1998 * k),
                 box(0.4, 0.3, 0.2));
        world.addSkeleton(skeleton);
    }
}

/* A trunk and a head, arms and legs of two parts each; it falls on its back. */
void build_ragdoll(dart::simulation::World &world)
{
    SkeletonPtr skeleton = Skeleton::create("ragdoll");
    BodyNode *trunk =
        add_free(skeleton, 20, Eigen::Vector3d(0, 0, 0.3), box(0.6, 0.4, 0.2));

    add_child<BallJoint>(trunk, 4, Eigen::Vector3d(0.33, 0, 0),
                         Eigen::Vector3d(-0.12, 0, 0),
                         std::make_shared<SphereShape>(0.12));
    for (int k = 0; k < 4; k++) {
        double end = k < 2 ? 0.25 : -0.25, y = (k % 2) ? 0.3 : -0.3, to = k < 2 ? 1 : -1;
        BodyNode *upper =
            add_child<BallJoint>(trunk, 3, Eigen::Vector3d(end, y, 0),
                                 Eigen::Vector3d(-0.2 * to, 0, 0), box(0.3, 0.1, 0.1))
                .second;
        RevoluteJoint *middle =
            add_child<RevoluteJoint>(upper, 2, Eigen::Vector3d(0.175 * to, 0, 0),
                                     Eigen::Vector3d(-0.175 * to, 0, 0),
                                     box(0.3, 0.08, 0.08))
                .first;

        middle->setAxis(Eigen::Vector3d::UnitY());
        middle->setPositionLowerLimit(0, -0.1);
        middle->setPositionUpperLimit(0, 0.1);
        middle->setLimitEnforcement(true);
    }
    world.addSkeleton(skeleton);
}

/* A chassis on four wheels, two of them driven. */
void build_vehicle(dart::simulation::World &world)
{
    SkeletonPtr skeleton = Skeleton::create("vehicle");
    BodyNode *chassis =
        add_free(skeleton, 20, Eigen::Vector3d(0, 0, 0.349), box(1.0, 0.5, 0.2));

    for (int k = 0; k < 4; k++) {
        const Eigen::Vector3d on(k < 2 ? 0.4 : -0.4, (k % 2) ? 0.35 : -0.35, -0.15);
        RevoluteJoint *joint =
            add_child<RevoluteJoint>(chassis, 2, on, Eigen::Vector3d::Zero(),
                                     std::make_shared<SphereShape>(0.2))
                .first;

        joint->setAxis(Eigen::Vector3d::UnitY());
        if (k < 2) {
            joint->setActuatorType(Joint::SERVO);
            joint->setForceLowerLimit(0, -4);
            joint->setForceUpperLimit(0, 4);
            joint->setCommand(0, 5);
        }
    }
    world.addSkeleton(skeleton);
}
} // namespace

int main(int argc, char **argv)
{
    const std::string name = argc > 1 ? argv[1] : "stack";
    const int steps = argc > 2 ? std::atoi(argv[2]) : 100;
    dart::simulation::WorldPtr world = dart::simulation::World::create();
    SkeletonPtr ground = Skeleton::create("ground");
    const auto floor = ground->createJointAndBodyNodePair<WeldJoint>();
    Eigen::Isometry3d below = Eigen::Isometry3d::Identity();

    world->setGravity(Eigen::Vector3d(0, 0, -9.81));
    world->setTimeStep(0.005);
    world->getConstraintSolver()->setCollisionDetector(
        dart::collision::DARTCollisionDetector::create());
    give_shape(floor.second, 1, box(20, 20, 1));
    below.translation().z() = -0.5;
    floor.first->setTransformFromParentBodyNode(below);
    world->addSkeleton(ground);
    if (name == "ragdoll") {
        build_ragdoll(*world);
    } else if (name == "vehicle") {
        build_vehicle(*world);
    } else {
        build_stack(*world);
    }
    for (int k = 0; k < steps; k++) {
        for (std::size_t i = 0; name == "vehicle" && i < 2; i++) {
            world->getSkeleton("vehicle")->setCommand(6 + i, 5);
        }
        world->step();
    }
    return 0;
}
