/* SPDX-License-Identifier: Apache-2.0
 * experiments/bench/engine_bullet.cc: steps by Bullet's sequential impulses, one direction of
 * friction per contact, as it is by default; penetration by split impulses. Boxes have their
 * margin of 0.04 m inside, contacts are kept to a distance of 0.02 m. */
#include <btBulletDynamicsCommon.h>

#include <cstring>
#include <memory>
#include <vector>

#include "experiments/bench/engines.h"

namespace
{
struct bullet_state {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btRigidBody>> bodies;
    std::vector<btRigidBody *> body; /* of each body of the world */
};

btCollisionShape *make_shape(const perp_world *w, const perp_shape *shape)
{
    if (shape->type->unbounded) {
        double R[9], x[3];

        perp_shape_pose(w->start, shape, R, x);
        return new btStaticPlaneShape(btVector3(R[2], R[5], R[8]),
                                      R[2] * x[0] + R[5] * x[1] + R[8] * x[2]);
    }
    if (std::strcmp(shape->type->name, "box") == 0) {
        return new btBoxShape(btVector3(shape->size[0], shape->size[1], shape->size[2]));
    }
    return new btSphereShape(shape->size[0]);
}

void add_shape(bullet_state *s, const perp_world *w, const perp_shape *shape,
               const perp_material *material)
{
    const std::size_t k = static_cast<std::size_t>(shape->body);
    const double *pose = w->start->s + 7 * k, *inertia = w->inertia + 9 * k;
    btCollisionShape *form = make_shape(w, shape);
    btRigidBody::btRigidBodyConstructionInfo info(
        w->mass[k], nullptr, form, btVector3(inertia[0], inertia[4], inertia[8]));

    info.m_friction = material->mu; /* Bullet multiplies the two, as the world does */
    if (!shape->type->unbounded) {
        info.m_startWorldTransform =
            btTransform(btQuaternion(pose[4], pose[5], pose[6], pose[3]),
                        btVector3(pose[0], pose[1], pose[2]));
    }
    s->shapes.emplace_back(form);
    s->bodies.emplace_back(new btRigidBody(info));
    s->body[k] = s->bodies.back().get();
    s->body[k]->setActivationState(DISABLE_DEACTIVATION);
    s->world.addRigidBody(s->body[k]);
}

void *bullet_start(perp_world *w)
{
    bullet_state *s = new bullet_state;

    s->body.resize(w->body_count);
    s->world.setGravity(btVector3(w->gravity[0], w->gravity[1], w->gravity[2]));
    s->world.getSolverInfo().m_numIterations = ENGINE_SWEEPS;
    for (std::size_t k = 0; k < w->shape_count; k++) {
        add_shape(s, w, &w->shapes[k], &w->materials[0]);
    }
    return s;
}

void bullet_step(void *state)
{
    static_cast<bullet_state *>(state)->world.stepSimulation(ENGINE_DT, 0);
}

std::size_t bullet_contacts(void *state)
{
    btCollisionDispatcher &d = static_cast<bullet_state *>(state)->dispatcher;
    std::size_t count = 0;

    for (int k = 0; k < d.getNumManifolds(); k++) {
        count +=
            static_cast<std::size_t>(d.getManifoldByIndexInternal(k)->getNumContacts());
    }
    return count;
}

void bullet_place(void *state, std::size_t k, double r[3])
{
    const btVector3 &x =
        static_cast<bullet_state *>(state)->body[k]->getCenterOfMassPosition();

    for (int c = 0; c < 3; c++) {
        r[c] = x[c];
    }
}

void bullet_stop(void *state)
{
    bullet_state *s = static_cast<bullet_state *>(state);

    for (auto &body : s->bodies) {
        s->world.removeRigidBody(body.get());
    }
    delete s;
}
} // namespace

extern const engine engine_bullet = {"Bullet, 10 sweeps", bullet_start, bullet_step,
                                     bullet_contacts,     bullet_place, bullet_stop};
