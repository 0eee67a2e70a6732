/* SPDX-License-Identifier: Apache-2.0
 * read/scene/members.h: the structs that the tables fill. Private. */
#ifndef PERP_READ_SCENE_MEMBERS_H
#define PERP_READ_SCENE_MEMBERS_H

#include "read/scene/tables.h"

/* members.c: the tables. */

typedef struct scene_document {
    const char *name, *title, *description, *answer;
    double time, gravity[3];
    const char *solver;
    int coordinates, rotations, switch_chart, start; /* places in their lists */
    scene_at parameters;
    scene_at dimension, scheme, combine, materials, ground, bodies, shapes, robots,
        joints, gears, forces;
} scene_document;

typedef struct scene_parameter {
    scene_at value, least, most;
    const char *help;
} scene_parameter;

typedef struct scene_scheme {
    perp_scheme scheme;
    int gyro;   /* 1 + its index in the list; 0: the flags of the bodies */
    int broad;  /* place in the registry */
    int narrow; /* 1 + its index; 0: the default */
    scene_at reduce;
} scene_scheme;

typedef struct scene_combine {
    int friction, restitution, erp;
} scene_combine;

typedef struct scene_material {
    const char *name;
    double friction, restitution, rolling, erp, cfm;
} scene_material;

typedef struct scene_ground {
    const char *material;
    uint32_t colour;
    double normal[3], offset;
} scene_ground;

typedef struct scene_body {
    const char *name;
    int motion, gyro;
    bool disabled;
    double gravity, mass, density, inertia[9];
    double position[3], rotation[4], velocity[3], spin[3], friction_frame[3];
    uint32_t colour;
    scene_at shapes, load, repeat;
} scene_body;

typedef struct scene_load {
    double force[3], torque[3];
} scene_load;

typedef struct scene_shape {
    int type;
    double at[3], rotation[4];
    double named[3]; /* sizes by their names */
    const char *material, *file, *body;
    uint32_t colour;
    double scale;
    scene_at size, corners, points, triangles, parts, groups, meets, repeat;
} scene_shape;

typedef struct scene_joint {
    int type;
    const char *name;
    scene_at bodies, anchors, directions, rest, limits, motor, spring, armature, axes,
        repeat;
    double at[3], axis[3], axis2[3], angle, length;
    bool exact, collide, disabled;
    double erp, cfm, stiffness, damping;
    double angular_cfm, angular_stiffness, angular_damping;
} scene_joint;

typedef struct scene_rest {
    double position[3], rotation[4];
} scene_rest;

typedef struct scene_axis {
    scene_at limits, motor, spring, armature;
    double value;
} scene_axis;

typedef struct scene_limits {
    double lower, upper, restitution, cfm;
} scene_limits;

typedef struct scene_motor {
    int kind;
    double target, max_force, max_rate, cfm;
} scene_motor;

typedef struct scene_spring {
    double stiffness, damping, rest;
} scene_spring;

typedef struct scene_gear {
    const char *joint, *follows;
    scene_at axis, follows_axis, repeat;
    double ratio, offset, cfm, stiffness, damping;
} scene_gear;

typedef struct scene_robot {
    const char *name, *file, *material, *package;
    double position[3], rotation[4];
    int base, unknown, meshes;
    bool merge_fixed, apart;
    scene_at joints, repeat;
} scene_robot;

typedef struct scene_drive {
    scene_at start, limits, motor, spring, armature;
} scene_drive;

typedef struct scene_force {
    int type;
    const char *name;
    scene_at bodies, anchors, repeat;
    double axis[3];
    double value[PERP_FORCE_PARAMETERS];
} scene_force;

typedef struct scene_copies {
    scene_at count;
    double step[3];
    scene_at turn;
    const char *index;
} scene_copies;

typedef struct scene_turn {
    double axis[3], angle, about[3];
} scene_turn;

/* The k-th additional member of shape or force type t; false after the last. `type` is
 * NULL after the last type. */
bool scene_shape_extra(size_t t, size_t k, scene_extra *extra);
bool scene_force_extra(size_t t, size_t k, scene_extra *extra);
/* The k-th type that is allowed in a file: types that call a user's function are not. */
const perp_joint_type *scene_joint_type(size_t k);
const perp_force_type *scene_force_type(size_t k);

extern const scene_table scene_table_document, scene_table_scheme, scene_table_combine,
    scene_table_material, scene_table_ground, scene_table_body, scene_table_load,
    scene_table_shape, scene_table_joint, scene_table_axis, scene_table_limits,
    scene_table_motor, scene_table_spring, scene_table_force, scene_table_copies,
    scene_table_turn, scene_table_parameter, scene_table_robot, scene_table_drive,
    scene_table_rest, scene_table_gear;

#endif
