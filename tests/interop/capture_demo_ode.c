/* SPDX-License-Identifier: Apache-2.0
 * capture_demo_ode.c: a stack, a ragdoll and a vehicle in ODE, whose problems a test captures. An
 * ordinary program that uses ODE alone: capture_demo_ode SCENE STEPS [SWEEPS], by dWorldStep or by
 * dWorldQuickStep with this many sweeps. */
#include <ode/ode.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 8 };

static dWorldID world;
static dSpaceID space;
static dJointGroupID contacts;

static dBodyID add_box(double mass, double x, double y, double z, double a, double b,
                       double c)
{
    dBodyID body = dBodyCreate(world);
    dGeomID geom = dCreateBox(space, a, b, c);
    dMass m;

    dMassSetBoxTotal(&m, mass, a, b, c);
    dBodySetMass(body, &m);
    dBodySetPosition(body, x, y, z);
    dGeomSetBody(geom, body);
    return body;
}

static dBodyID add_ball(double mass, double x, double y, double z, double radius)
{
    dBodyID body = dBodyCreate(world);
    dGeomID geom = dCreateSphere(space, radius);
    dMass m;

    dMassSetSphereTotal(&m, mass, radius);
    dBodySetMass(body, &m);
    dBodySetPosition(body, x, y, z);
    dGeomSetBody(geom, body);
    return body;
}

/* Five boxes, one upon the other. */
static void build_stack(void)
{
    for (int k = 0; k < 5; k++) {
        add_box(1.0 + 0.2 * k, 0.0, 0.0, 0.1 + 0.2 * k, 0.4, 0.3, 0.2);
    }
}

static void add_hinge(dBodyID a, dBodyID b, const double x[3], const double axis[3],
                      double lo, double hi)
{
    dJointID joint = dJointCreateHinge(world, NULL);

    dJointAttach(joint, a, b);
    dJointSetHingeAnchor(joint, x[0], x[1], x[2]);
    dJointSetHingeAxis(joint, axis[0], axis[1], axis[2]);
    dJointSetHingeParam(joint, dParamLoStop, lo);
    dJointSetHingeParam(joint, dParamHiStop, hi);
}

/* A trunk and a head, arms and legs of two parts each; it falls on its back. */
static void build_ragdoll(void)
{
    const double side[3] = {0, 1, 0};
    dBodyID trunk = add_box(20, 0, 0, 0.5, 0.6, 0.4, 0.2);
    dBodyID head = add_ball(4, 0.45, 0, 0.5, 0.12);
    dJointID neck = dJointCreateBall(world, NULL);

    dJointAttach(neck, trunk, head);
    dJointSetBallAnchor(neck, 0.33, 0, 0.5);
    for (int k = 0; k < 4; k++) {
        double end = k < 2 ? 0.25 : -0.25, y = (k % 2) ? 0.3 : -0.3;
        double reach = k < 2 ? 1 : -1;
        dBodyID upper = add_box(3, end + 0.2 * reach, y, 0.5, 0.3, 0.1, 0.1);
        dBodyID lower = add_box(2, end + 0.55 * reach, y, 0.5, 0.3, 0.08, 0.08);
        const double root[3] = {end, y, 0.5};
        const double middle[3] = {end + 0.375 * reach, y, 0.5};
        dJointID ball = dJointCreateBall(world, NULL);

        dJointAttach(ball, trunk, upper);
        dJointSetBallAnchor(ball, root[0], root[1], root[2]);
        add_hinge(upper, lower, middle, side, -0.6, 0.6);
    }
}

/* A chassis on four wheels, two of them driven. */
static void build_vehicle(void)
{
    dBodyID chassis = add_box(20, 0, 0, 0.35, 1.0, 0.5, 0.2);

    for (int k = 0; k < 4; k++) {
        double x = k < 2 ? 0.4 : -0.4, y = (k % 2) ? 0.35 : -0.35;
        dBodyID wheel = add_ball(2, x, y, 0.2, 0.2);
        dJointID joint = dJointCreateHinge(world, NULL);

        dJointAttach(joint, chassis, wheel);
        dJointSetHingeAnchor(joint, x, y, 0.2);
        dJointSetHingeAxis(joint, 0, 1, 0);
        if (k < 2) {
            dJointSetHingeParam(joint, dParamVel, -5);
            dJointSetHingeParam(joint, dParamFMax, 4);
        }
    }
}

static void collide(void *data, dGeomID a, dGeomID b)
{
    dBodyID p = dGeomGetBody(a), q = dGeomGetBody(b);
    dContact contact[POINTS];
    int count = 0;

    (void)data;
    if ((!p && !q) || (p && q && dAreConnected(p, q))) {
        return;
    }
    count = dCollide(a, b, POINTS, &contact[0].geom, sizeof *contact);
    for (int k = 0; k < count; k++) {
        memset(&contact[k].surface, 0, sizeof contact[k].surface);
        contact[k].surface.mode = dContactApprox1;
        contact[k].surface.mu = 0.5;
        dJointAttach(dJointCreateContact(world, contacts, &contact[k]), p, q);
    }
}

int main(int argc, char **argv)
{
    const char *scene = argc > 1 ? argv[1] : "stack";
    int steps = argc > 2 ? atoi(argv[2]) : 100, sweeps = argc > 3 ? atoi(argv[3]) : 0;

    dInitODE2(0);
    world = dWorldCreate();
    space = dSimpleSpaceCreate(NULL);
    contacts = dJointGroupCreate(0);
    dWorldSetGravity(world, 0, 0, -9.81);
    dWorldSetCFM(world, 1e-8);
    dWorldSetQuickStepNumIterations(world, sweeps > 0 ? sweeps : 20);
    dCreatePlane(space, 0, 0, 1, 0);
    if (strcmp(scene, "ragdoll") == 0) {
        build_ragdoll();
    } else if (strcmp(scene, "vehicle") == 0) {
        build_vehicle();
    } else {
        build_stack();
    }
    for (int k = 0; k < steps; k++) {
        dSpaceCollide(space, NULL, collide);
        if (sweeps > 0) {
            dWorldQuickStep(world, 0.01);
        } else {
            dWorldStep(world, 0.01);
        }
        dJointGroupEmpty(contacts);
    }
    dJointGroupDestroy(contacts);
    dSpaceDestroy(space);
    dWorldDestroy(world);
    dCloseODE();
    return 0;
}
