/* SPDX-License-Identifier: Apache-2.0
 * experiments/bench/engine_ode.c: steps by ODE, QuickStep with its default of 20 sweeps, pairs by
 * sweep and prune, friction as a pyramid whose height follows the normal force. No margin: a
 * contact exists where shapes overlap. No warm start. */
#include <config.h>

#include <ode/ode.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/bench/engines.h"

enum { SWEEPS = 20, POINTS = 8 };

typedef struct ode_state {
    const perp_world *world;
    dWorldID engine;
    dSpaceID space;
    dJointGroupID joints;
    dBodyID *body; /* of each body of the world, NULL where static */
    double mu;
    size_t contacts;
} ode_state;

static void ode_add_body(ode_state *s, const perp_shape *shape)
{
    const perp_world *w = s->world;
    const size_t k = (size_t)shape->body;
    const double *pose = w->start->s + 7 * k, *inertia = w->inertia + 9 * k;
    const dQuaternion q = {pose[3], pose[4], pose[5], pose[6]};
    dBodyID body = dBodyCreate(s->engine);
    dGeomID geom = strcmp(shape->type->name, "box") == 0
                       ? dCreateBox(s->space, 2 * shape->size[0], 2 * shape->size[1],
                                    2 * shape->size[2])
                       : dCreateSphere(s->space, shape->size[0]);
    dMass mass;

    dMassSetParameters(&mass, w->mass[k], 0, 0, 0, inertia[0], inertia[4], inertia[8], 0,
                       0, 0);
    dBodySetMass(body, &mass);
    dBodySetPosition(body, pose[0], pose[1], pose[2]);
    dBodySetQuaternion(body, q);
    dGeomSetBody(geom, body);
    s->body[k] = body;
}

static void ode_add_plane(ode_state *s, const perp_shape *shape)
{
    double R[9], x[3];

    perp_shape_pose(s->world->start, shape, R, x);
    dCreatePlane(s->space, R[2], R[5], R[8], R[2] * x[0] + R[5] * x[1] + R[8] * x[2]);
}

static void *ode_start(perp_world *world)
{
    ode_state *s = calloc(1, sizeof *s);
    perp_material surface;

    if (!s || !(s->body = calloc(world->body_count, sizeof *s->body))) {
        exit(2);
    }
    dInitODE2(0);
    perp_world_combine(world, 0, 0, &surface);
    s->world = world;
    s->mu = surface.mu;
    s->engine = dWorldCreate();
    s->space = dSweepAndPruneSpaceCreate(NULL, dSAP_AXES_XYZ);
    s->joints = dJointGroupCreate(0);
    dWorldSetGravity(s->engine, world->gravity[0], world->gravity[1], world->gravity[2]);
    dWorldSetQuickStepNumIterations(s->engine, SWEEPS);
    for (size_t k = 0; k < world->shape_count; k++) {
        if (world->shapes[k].type->unbounded) {
            ode_add_plane(s, &world->shapes[k]);
        } else {
            ode_add_body(s, &world->shapes[k]);
        }
    }
    return s;
}

static void ode_near(void *state, dGeomID a, dGeomID b)
{
    ode_state *s = state;
    dContact contact[POINTS];
    int count = 0;

    if (!dGeomGetBody(a) && !dGeomGetBody(b)) {
        return;
    }
    count = dCollide(a, b, POINTS, &contact[0].geom, sizeof *contact);
    for (int k = 0; k < count; k++) {
        contact[k].surface = (dSurfaceParameters){.mode = dContactApprox1, .mu = s->mu};
        dJointAttach(dJointCreateContact(s->engine, s->joints, &contact[k]),
                     dGeomGetBody(a), dGeomGetBody(b));
    }
    s->contacts += (size_t)count;
}

static void ode_step(void *state)
{
    ode_state *s = state;

    s->contacts = 0;
    dJointGroupEmpty(s->joints);
    dSpaceCollide(s->space, s, ode_near);
    dWorldQuickStep(s->engine, ENGINE_DT);
}

static size_t ode_contacts(void *state)
{
    return ((ode_state *)state)->contacts;
}

static void ode_place(void *state, size_t k, double r[3])
{
    const ode_state *s = state;

    for (int c = 0; c < 3; c++) {
        r[c] = s->body[k] ? dBodyGetPosition(s->body[k])[c] : 0.0;
    }
}

static void ode_stop(void *state)
{
    ode_state *s = state;

    dJointGroupDestroy(s->joints);
    dSpaceDestroy(s->space);
    dWorldDestroy(s->engine);
    dCloseODE();
    free(s->body);
    free(s);
}

const engine engine_ode = {"ODE, 20 sweeps", ode_start, ode_step,
                           ode_contacts,     ode_place, ode_stop};
