/* SPDX-License-Identifier: Apache-2.0
 * read/scene/members.c: the members of a scene, table by table. */
#include <config.h>

#include <math.h>
#include <stddef.h>

#include "problem/parts.h"
#include "read/scene/document.h"
#include "read/scene/members.h"
#include "read/scene/tables.h"

#define COUNT(list)       (sizeof(list) / sizeof *(list))
#define TO(type, field)   .offset = offsetof(scene_##type, field)
#define TEXT(type, field) SCENE_TEXT, TO(type, field)
#define FITS(noun, extras)                                                               \
    _Static_assert(COUNT(noun##_members) + (extras) <= SCENE_MEMBERS,                    \
                   "an object has room for its members: " #noun)
#define TABLE(noun, words)                                                               \
    FITS(noun, 0);                                                                       \
    const scene_table scene_table_##noun = {.name = #noun,                               \
                                            .help = words,                               \
                                            .members = noun##_members,                   \
                                            .count = COUNT(noun##_members),              \
                                            .size = sizeof(scene_##noun)}

/* Longest name that a joint, a force, a material keeps. */
enum { NAME_BYTES = 47 };

static const char *const motion_names[] = {"dynamic", "static", "kinematic", NULL};
/* in the order of perp_urdf_base, perp_urdf_unknown, perp_urdf_meshes */
static const char *const base_names[] = {"usual", "fixed", "floating", NULL};
static const char *const unknown_names[] = {"refuse", "ignore", NULL};
static const char *const mesh_names[] = {"surface", "hull", NULL};
static const char *const motor_names[] = {"velocity", "friction", "servo", NULL};

static const char *gyro_choice(size_t k)
{
    return perp_scheme_choice("gyro", k);
}

static const char *broad_choice(size_t k)
{
    return perp_scheme_choice("broad", k);
}

static const char *narrow_choice(size_t k)
{
    return perp_scheme_choice("narrow", k);
}

static const char *storage_choice(size_t k)
{
    return perp_scheme_choice("storage", k);
}

static const char *joint_choice(size_t k)
{
    const perp_joint_type *type = scene_joint_type(k);

    return type ? type->name : NULL;
}

static const char *shape_choice(size_t k)
{
    const perp_shape_type *const *types = perp_shape_types(NULL);

    return types[k] ? types[k]->name : NULL;
}

static const char *force_choice(size_t k)
{
    const perp_force_type *type = scene_force_type(k);

    return type ? type->name : NULL;
}

static const char *const chart_switch_names[] = {"on", "off", NULL};
static const char *const start_names[] = {"project", "keep", NULL};

/* clang-format off */
static const scene_member document_members[] = {
    {"name", TEXT(document, name), .help = "name of the scene; the stem of the file"},
    {"title", TEXT(document, title), .help = "title in one line"},
    {"description", TEXT(document, description), .help = "purpose of the scene"},
    {"answer", TEXT(document, answer),
     .help = "known result, with its source"},
    {"parameters", SCENE_NAMED, TO(document, parameters),
     .table = &scene_table_parameter,
     .help = "named numbers, which may be set from outside"},
    {"dimension", SCENE_INTEGER, TO(document, dimension), .fallback = 3.0,
     .help = "3, or 2: motion in the x-y plane"},
    {"gravity", SCENE_VECTOR, TO(document, gravity), .unit = "m/s^2", .fallback = NAN,
     .help = "[0, 0, -9.81], in the plane [0, -9.81]"},
    {"time", SCENE_REAL, TO(document, time), .unit = "s", .range = SCENE_POSITIVE,
     .fallback = 10.0, .help = "duration of the run"},
    {"solver", TEXT(document, solver), .count = 63, .help = "recommended solver; auto"},
    {"scheme", SCENE_OBJECT, TO(document, scheme), .table = &scene_table_scheme,
     .help = "discretisation of a step"},
    {"coordinates", SCENE_CHOICE, TO(document, coordinates),
     .choices = perp_coordinates_names,
     .help = "coordinates of jointed bodies: of each body, or of the joints"},
    {"rotations", SCENE_CHOICE, TO(document, rotations), .choices = perp_rotations_names,
     .help = "reduced coordinates of spherical joints"},
    {"chart-switch", SCENE_CHOICE, TO(document, switch_chart), .choices = chart_switch_names,
     .help = "switch the chart of reduced coordinates before a singularity"},
    {"start", SCENE_CHOICE, TO(document, start), .choices = start_names,
     .help = "initial velocities that violate joints: projected with the mass matrix, "
             "or kept"},
    {"materials", SCENE_LIST, TO(document, materials), .table = &scene_table_material,
     .help = "surface materials in addition to default"},
    {"combine", SCENE_OBJECT, TO(document, combine), .table = &scene_table_combine,
     .help = "rules that combine two materials"},
    {"bodies", SCENE_LIST, TO(document, bodies), .table = &scene_table_body,
     .help = "rigid bodies; \"world\", static at the origin, need not be listed"},
    {"robots", SCENE_LIST, TO(document, robots), .table = &scene_table_robot,
     .help = "robots from URDF files"},
    {"ground", SCENE_EITHER, TO(document, ground), .table = &scene_table_ground,
     .help = "planes on the body \"world\""},
    {"shapes", SCENE_LIST, TO(document, shapes), .table = &scene_table_shape,
     .help = "shapes that name their body, after the shapes of all bodies; they add no "
             "mass"},
    {"joints", SCENE_LIST, TO(document, joints), .table = &scene_table_joint,
     .help = "joints between two bodies"},
    {"gears", SCENE_LIST, TO(document, gears), .table = &scene_table_gear,
     .help = "gears between the axes of joints"},
    {"forces", SCENE_LIST, TO(document, forces), .table = &scene_table_force,
     .help = "forces that depend on the state"},
};

/* One row for each member of a scheme, by its kind. */
#define SCHEME_ROW(kind, member, list, name, unit, help)                                 \
    SCHEME_##kind(member, name, unit, help),
#define SCHEME_NUMBER(member_, name_, unit_, range_, help_)                              \
    {name_, SCENE_REAL, TO(scheme, scheme.member_), .unit = unit_, .range = range_,      \
     .help = help_}
#define SCHEME_POSITIVE(m, n, u, h) SCHEME_NUMBER(m, n, u, SCENE_POSITIVE, h)
#define SCHEME_NOT_NEGATIVE(m, n, u, h) SCHEME_NUMBER(m, n, u, SCENE_NOT_NEGATIVE, h)
#define SCHEME_SHARE(m, n, u, h) SCHEME_NUMBER(m, n, NULL, SCENE_SHARE, h)
#define SCHEME_SPEED(m, n, u, h) SCHEME_NUMBER(m, n, u, SCENE_SPEED, h)
#define SCHEME_CHOICE(m, n, u, h)                                                        \
    {n, SCENE_CHOICE, TO(scheme, scheme.m), .choices = perp_##m##_names, .help = h}
#define SCHEME_SWITCH(m, n, u, h) {n, SCENE_BOOL, TO(scheme, scheme.m), .help = h}
#define SCHEME_COUNT(m, n, u, h) {n, SCENE_INTEGER, TO(scheme, m), .help = h}
#define SCHEME_MODEL(m, n, u, h)                                                         \
    {n, SCENE_MODEL, TO(scheme, scheme), .choices = perp_model_names, .help = h}
#define SCHEME_GYRO(m, n, u, h)                                                          \
    {n, SCENE_CHOICE, TO(scheme, m), .choice = gyro_choice, .help = h}
#define SCHEME_BROAD(m, n, u, h)                                                         \
    {n, SCENE_CHOICE, TO(scheme, m), .choice = broad_choice, .help = h}
#define SCHEME_NARROW(m, n, u, h)                                                        \
    {n, SCENE_CHOICE, TO(scheme, m), .choice = narrow_choice, .help = h}
#define SCHEME_STORAGE(m, n, u, h)                                                       \
    {n, SCENE_BIT, TO(scheme, scheme.m), .choice = storage_choice, .help = h}

static const scene_member scheme_members[] = {PERP_SCHEME_LIST(SCHEME_ROW)};

static const scene_member parameter_members[] = {
    {"value", SCENE_QUANTITY, TO(parameter, value), .required = true,
     .help = "a default value"},
    {"min", SCENE_QUANTITY, TO(parameter, least), .help = "smallest value allowed"},
    {"max", SCENE_QUANTITY, TO(parameter, most), .help = "largest value allowed"},
    {"help", TEXT(parameter, help), .count = 127,
     .help = "description in one line"},
};

static const scene_member combine_members[] = {
    {"friction", SCENE_CHOICE, TO(combine, friction), .choices = perp_combine_names,
     .help = "rule for friction and rolling friction"},
    {"restitution", SCENE_CHOICE, TO(combine, restitution), .choices = perp_combine_names,
     .help = "rule for restitution"},
    {"erp", SCENE_CHOICE, TO(combine, erp), .choices = perp_combine_names,
     .help = "rule for error reduction"},
};

static const scene_member material_members[] = {
    {"name", TEXT(material, name), .count = NAME_BYTES, .required = true,
     .help = "a unique name"},
    {"friction", SCENE_REAL, TO(material, friction), .range = SCENE_NOT_NEGATIVE,
     .fallback = 0.5, .help = "friction coefficient mu"},
    {"restitution", SCENE_REAL, TO(material, restitution), .range = SCENE_SHARE,
     .help = "restitution coefficient e"},
    {"rolling-friction", SCENE_REAL, TO(material, rolling), .unit = "m",
     .range = SCENE_NOT_NEGATIVE, .help = "coefficient of rolling friction"},
    {"erp", SCENE_REAL, TO(material, erp), .range = SCENE_SHARE, .fallback = NAN,
     .help = "share of a penetration removed per step; that of the scheme"},
    {"cfm", SCENE_REAL, TO(material, cfm), .unit = "m/s/N", .range = SCENE_NOT_NEGATIVE,
     .help = "constraint force mixing of a contact's normal; of two surfaces their sum"},
};

static const scene_member ground_members[] = {
    {"material", TEXT(ground, material), .help = "material of its surface; default"},
    {"color", SCENE_COLOUR, TO(ground, colour), .help = "colour in pictures: #rrggbb"},
    {"normal", SCENE_VECTOR, TO(ground, normal), .fallback = NAN,
     .help = "direction out of the solid; z, in the plane y"},
    {"offset", SCENE_REAL, TO(ground, offset), .unit = "m",
     .help = "distance from the origin along the normal"},
};

static const scene_member body_members[] = {
    {"name", TEXT(body, name), .help = "a unique name; body-0, body-1, …"},
    {"motion", SCENE_CHOICE, TO(body, motion), .choices = motion_names,
     .help = "type of motion; a kinematic body keeps its given velocity"},
    {"gyro", SCENE_CHOICE, TO(body, gyro), .choices = perp_gyro_names,
     .help = "treatment of the gyroscopic torque"},
    {"gravity", SCENE_REAL, TO(body, gravity), .range = SCENE_SHARE, .fallback = 1.0,
     .help = "share of gravity that acts on the body; 0: no gravity"},
    {"disabled", SCENE_BOOL, TO(body, disabled),
     .help = "it stays where it is and touches nothing; its joints have no rows"},
    {"mass", SCENE_REAL, TO(body, mass), .unit = "kg", .range = SCENE_POSITIVE,
     .fallback = NAN, .help = "mass of a dynamic body, unless density is given"},
    {"density", SCENE_REAL, TO(body, density), .unit = "kg/m^3|kg/m^2",
     .range = SCENE_POSITIVE,
     .fallback = NAN, .help = "density of all its shapes, in place of mass"},
    {"inertia", SCENE_INERTIA, TO(body, inertia), .unit = "kg m^2", .fallback = NAN,
     .help = "inertia about the centre of mass: moments or a matrix; from the shapes"},
    {"position", SCENE_VECTOR, TO(body, position), .unit = "m",
     .help = "position of the origin of its axes"},
    {"rotation", SCENE_ROTATION, TO(body, rotation), .help = "orientation of its axes"},
    {"velocity", SCENE_VECTOR, TO(body, velocity), .unit = "m/s",
     .help = "velocity of the centre of mass"},
    {"spin", SCENE_SPIN, TO(body, spin), .unit = "rad/s",
     .help = "angular velocity, world axes"},
    {"friction-frame", SCENE_VECTOR, TO(body, friction_frame),
     .help = "direction, in its axes, that box friction and pyramids follow; 0: world axes"},
    {"color", SCENE_COLOUR, TO(body, colour),
     .help = "colour in pictures of its shapes that give none: #rrggbb"},
    {"shapes", SCENE_LIST, TO(body, shapes), .table = &scene_table_shape,
     .help = "shapes that collide and have mass"},
    {"load", SCENE_OBJECT, TO(body, load), .table = &scene_table_load,
     .help = "constant force and torque"},
    {"repeat", SCENE_EITHER, TO(body, repeat), .table = &scene_table_copies,
     .help = "copies"},
};

static const scene_member load_members[] = {
    {"force", SCENE_VECTOR, TO(load, force), .unit = "N",
     .help = "force at the centre of mass, world axes"},
    {"torque", SCENE_SPIN, TO(load, torque), .unit = "N m",
     .help = "torque, world axes"},
};

static const scene_member shape_members[] = {
    {"type", SCENE_CHOICE, TO(shape, type), .choice = shape_choice, .required = true,
     .help = "a type of shape"},
    {"size", SCENE_SIZES, TO(shape, size), .unit = "m", .range = SCENE_POSITIVE,
     .help = "all sizes of the type, in order"},
    {"corners", SCENE_POINTS, TO(shape, corners), .unit = "m",
     .help = "corners of a hull, in the axes of the shape"},
    {"file", TEXT(shape, file),
     .help = "OBJ or STL file of a hull or mesh, in place of corners or points; "
             "relative to the folder of the scene"},
    {"scale", SCENE_REAL, TO(shape, scale), .range = SCENE_POSITIVE, .fallback = 1.0,
     .help = "metres per unit of length of the file"},
    {"points", SCENE_POINTS, TO(shape, points), .unit = "m",
     .help = "points of a mesh, in the axes of the shape"},
    {"triangles", SCENE_TRIPLES, TO(shape, triangles),
     .help = "triangles of a mesh: three point numbers each, from 0, counter-clockwise "
             "from outside"},
    {"parts", SCENE_LIST, TO(shape, parts), .table = &scene_table_shape,
     .help = "parts of a compound: convex shapes in its axes"},
    {"body", TEXT(shape, body),
     .help = "name of its body, only in the list of shapes of the scene"},
    {"at", SCENE_VECTOR, TO(shape, at), .unit = "m", .help = "position on the body"},
    {"rotation", SCENE_ROTATION, TO(shape, rotation), .help = "orientation on the body"},
    {"material", TEXT(shape, material), .help = "material of its surface; default"},
    {"color", SCENE_COLOUR, TO(shape, colour),
     .help = "colour in pictures: #rrggbb; that of its body or compound"},
    {"groups", SCENE_NUMBERS, TO(shape, groups),
     .help = "collision groups of the shape, 0 .. 31; [0]"},
    {"meets", SCENE_NUMBERS, TO(shape, meets),
     .help = "groups of the shapes that it may touch, if these include its groups; all"},
    {"repeat", SCENE_EITHER, TO(shape, repeat), .table = &scene_table_copies,
     .help = "copies on the body"},
};

static const scene_member joint_members[] = {
    {"type", SCENE_CHOICE, TO(joint, type), .choice = joint_choice, .required = true,
     .help = "a type of joint"},
    {"name", TEXT(joint, name), .count = NAME_BYTES,
     .help = "a unique name; revolute-0, …"},
    {"bodies", SCENE_NAMES, TO(joint, bodies), .required = true,
     .help = "the names of two bodies"},
    {"at", SCENE_VECTOR, TO(joint, at), .unit = "m", .fallback = NAN,
     .help = "anchor point in the world"},
    {"axis", SCENE_VECTOR, TO(joint, axis), .fallback = NAN,
     .help = "axis in the world, on the first body; in the plane z"},
    {"axis2", SCENE_VECTOR, TO(joint, axis2), .fallback = NAN,
     .help = "axis in the world, on the second body; the same"},
    {"angle", SCENE_REAL, TO(joint, angle), .unit = "rad", .fallback = NAN,
     .help = "rest angle between the axes, or the largest angle of a cone"},
    {"length", SCENE_REAL, TO(joint, length), .unit = "m", .range = SCENE_POSITIVE,
     .fallback = NAN, .help = "length of a rope or rod; the distance of its anchors"},
    {"exact", SCENE_BOOL, TO(joint, exact),
     .help = "exact rows where the default rows are approximate"},
    {"collide", SCENE_BOOL, TO(joint, collide),
     .help = "contacts between its two bodies are allowed"},
    {"disabled", SCENE_BOOL, TO(joint, disabled),
     .help = "it has no rows, and its bodies may touch each other"},
    {"erp", SCENE_REAL, TO(joint, erp), .range = SCENE_SHARE, .fallback = NAN,
     .help = "share of its error removed per step; that of the scheme"},
    {"cfm", SCENE_REAL, TO(joint, cfm), .unit = "m/s/N", .range = SCENE_NOT_NEGATIVE,
     .help = "constraint force mixing of linear rows"},
    {"stiffness", SCENE_REAL, TO(joint, stiffness), .unit = "N/m",
     .range = SCENE_NOT_NEGATIVE,
     .help = "stiffness of linear rows, in place of erp and cfm"},
    {"damping", SCENE_REAL, TO(joint, damping), .unit = "N s/m",
     .range = SCENE_NOT_NEGATIVE, .help = "damping of linear rows"},
    {"angular-cfm", SCENE_REAL, TO(joint, angular_cfm), .unit = "rad/s/N/m",
     .range = SCENE_NOT_NEGATIVE,
     .help = "constraint force mixing of angular rows"},
    {"angular-stiffness", SCENE_REAL, TO(joint, angular_stiffness), .unit = "N m/rad",
     .range = SCENE_NOT_NEGATIVE,
     .help = "stiffness of angular rows, in place of erp and angular-cfm"},
    {"angular-damping", SCENE_REAL, TO(joint, angular_damping), .unit = "N m s/rad",
     .range = SCENE_NOT_NEGATIVE, .help = "damping of angular rows"},
    {"anchors", SCENE_POINTS, TO(joint, anchors), .unit = "m",
     .help = "anchor point on each body, in its axes, in place of at"},
    {"directions", SCENE_POINTS, TO(joint, directions),
     .help = "axis on each body, in its axes, in place of axis and axis2"},
    {"rest", SCENE_OBJECT, TO(joint, rest), .table = &scene_table_rest,
     .help = "pose at rest, in place of the pose at the start"},
    {"limits", SCENE_OBJECT, TO(joint, limits), .table = &scene_table_limits,
     .help = "limits of the first free axis"},
    {"motor", SCENE_OBJECT, TO(joint, motor), .table = &scene_table_motor,
     .help = "motor of the first free axis"},
    {"spring", SCENE_OBJECT, TO(joint, spring), .table = &scene_table_spring,
     .help = "spring of the first free axis"},
    {"armature", SCENE_QUANTITY, TO(joint, armature), .unit = "kg|kg m^2",
     .help = "armature of the first free axis"},
    {"axes", SCENE_LIST, TO(joint, axes), .table = &scene_table_axis,
     .help = "limits, motor, spring and armature of each free axis"},
    {"repeat", SCENE_EITHER, TO(joint, repeat), .table = &scene_table_copies,
     .help = "copies"},
};

static const scene_member rest_members[] = {
    {"position", SCENE_VECTOR, TO(rest, position), .unit = "m",
     .required = true,
     .help = "centre of mass of the second body seen from that of the first"},
    {"rotation", SCENE_ROTATION, TO(rest, rotation),
     .help = "orientation of the second body seen from the first"},
};

static const scene_member axis_members[] = {
    {"limits", SCENE_OBJECT, TO(axis, limits), .table = &scene_table_limits,
     .help = "limits of the coordinate"},
    {"motor", SCENE_OBJECT, TO(axis, motor), .table = &scene_table_motor,
     .help = "motor on the axis"},
    {"spring", SCENE_OBJECT, TO(axis, spring), .table = &scene_table_spring,
     .help = "spring on the axis"},
    {"armature", SCENE_QUANTITY, TO(axis, armature), .unit = "kg|kg m^2",
     .help = "inertia of a rotor that turns with the axis, in reduced coordinates"},
    {"value", SCENE_REAL, TO(axis, value), .unit = "m|rad", .fallback = NAN,
     .help = "coordinate at the start, including whole turns; from the poses"},
};

static const scene_member limits_members[] = {
    {"lower", SCENE_REAL, TO(limits, lower), .unit = "m|rad", .fallback = NAN,
     .help = "smallest coordinate"},
    {"upper", SCENE_REAL, TO(limits, upper), .unit = "m|rad", .fallback = NAN,
     .help = "largest coordinate"},
    {"restitution", SCENE_REAL, TO(limits, restitution), .range = SCENE_SHARE,
     .help = "restitution at the limits"},
    {"cfm", SCENE_REAL, TO(limits, cfm), .unit = "m/s/N|rad/s/N/m",
     .range = SCENE_NOT_NEGATIVE, .help = "constraint force mixing of the limits"},
};

/* Units by the axis, and those of a servo behind them. */
static const scene_member motor_members[] = {
    {"kind", SCENE_CHOICE, TO(motor, kind), .choices = motor_names, .required = true,
     .help = "velocity, friction or servo"},
    {"target", SCENE_REAL, TO(motor, target), .unit = "m/s|rad/s|m|rad",
     .help = "velocity to hold, or coordinate to reach"},
    {"max-force", SCENE_REAL, TO(motor, max_force), .unit = "N|N m|N|N m",
     .range = SCENE_LIMIT, .fallback = INFINITY, .help = "largest force or torque"},
    {"max-rate", SCENE_REAL, TO(motor, max_rate), .unit = "m/s|rad/s|m/s|rad/s",
     .range = SCENE_LIMIT, .help = "largest rate of a servo; 0 or \"infinite\": no limit"},
    {"cfm", SCENE_REAL, TO(motor, cfm), .unit = "m/s/N|rad/s/N/m|m/s/N|rad/s/N/m",
     .range = SCENE_NOT_NEGATIVE, .help = "velocity that it loses per force"},
};

static const scene_member spring_members[] = {
    {"stiffness", SCENE_REAL, TO(spring, stiffness), .unit = "N/m|N m/rad",
     .range = SCENE_NOT_NEGATIVE, .help = "stiffness of the spring"},
    {"damping", SCENE_REAL, TO(spring, damping), .unit = "N s/m|N m s/rad",
     .range = SCENE_NOT_NEGATIVE, .help = "damping of the spring"},
    {"rest", SCENE_REAL, TO(spring, rest), .unit = "m|rad",
     .help = "rest coordinate of the spring"},
};

/* Units by the axis of the first joint. */
static const scene_member gear_members[] = {
    {"joint", TEXT(gear, joint), .required = true, .help = "the name of a joint"},
    {"follows", TEXT(gear, follows), .required = true,
     .help = "the name of the joint that it follows, or the same for two of its axes"},
    {"axis", SCENE_INTEGER, TO(gear, axis),
     .help = "number of the free axis of the joint, from 1; 1"},
    {"follows-axis", SCENE_INTEGER, TO(gear, follows_axis),
     .help = "number of the free axis that it follows, from 1; 1"},
    {"ratio", SCENE_REAL, TO(gear, ratio), .required = true,
     .help = "coordinate (m or rad) per coordinate that it follows (m or rad); not 0"},
    {"offset", SCENE_REAL, TO(gear, offset), .unit = "m|rad",
     .help = "coordinate where the one that it follows is 0"},
    {"cfm", SCENE_REAL, TO(gear, cfm), .unit = "m/s/N|rad/s/N/m",
     .range = SCENE_NOT_NEGATIVE, .help = "constraint force mixing of the gear"},
    {"stiffness", SCENE_REAL, TO(gear, stiffness), .unit = "N/m|N m/rad",
     .range = SCENE_NOT_NEGATIVE, .help = "stiffness of the gear, in place of erp and cfm"},
    {"damping", SCENE_REAL, TO(gear, damping), .unit = "N s/m|N m s/rad",
     .range = SCENE_NOT_NEGATIVE, .help = "damping of the gear"},
    {"repeat", SCENE_EITHER, TO(gear, repeat), .table = &scene_table_copies,
     .help = "copies"},
};

static const scene_member robot_members[] = {
    {"file", TEXT(robot, file), .required = true,
     .help = "URDF file, relative to the folder of the scene"},
    {"name", TEXT(robot, name),
     .help = "prefix of the names of its bodies and joints: \"left/\""},
    {"position", SCENE_VECTOR, TO(robot, position), .unit = "m",
     .help = "position of its root link"},
    {"rotation", SCENE_ROTATION, TO(robot, rotation),
     .help = "orientation of its root link"},
    {"joints", SCENE_NAMED, TO(robot, joints), .table = &scene_table_drive,
     .help = "joints by their names in the file: the start, or more"},
    {"material", TEXT(robot, material), .help = "material of all its shapes"},
    {"base", SCENE_CHOICE, TO(robot, base), .choices = base_names,
     .help = "root link; usual: fixed if it is called world or has no mass"},
    {"unknown", SCENE_CHOICE, TO(robot, unknown), .choices = unknown_names,
     .help = "unknown elements that change the mechanics"},
    {"meshes", SCENE_CHOICE, TO(robot, meshes), .choices = mesh_names,
     .help = "collision shape of a mesh"},
    {"package", TEXT(robot, package),
     .help = "folder that is searched for package://NAME/…"},
    {"merge-fixed", SCENE_BOOL, TO(robot, merge_fixed),
     .help = "merge links with a fixed joint between them into one body"},
    {"no-self-collision", SCENE_BOOL, TO(robot, apart),
     .help = "no contacts between its links; its shapes then have their own group, 31 "
             "or below"},
    {"repeat", SCENE_EITHER, TO(robot, repeat), .table = &scene_table_copies,
     .help = "copies"},
};

static const scene_member drive_members[] = {
    {"start", SCENE_QUANTITY, TO(drive, start), .unit = "m|rad",
     .help = "coordinate at the start; 0, or the limit nearest to 0"},
    {"limits", SCENE_OBJECT, TO(drive, limits), .table = &scene_table_limits,
     .help = "limits, in place of those of the file"},
    {"motor", SCENE_OBJECT, TO(drive, motor), .table = &scene_table_motor,
     .help = "motor, in place of dry friction; without max-force that of the file"},
    {"spring", SCENE_OBJECT, TO(drive, spring), .table = &scene_table_spring,
     .help = "spring, in place of the damping of the file"},
    {"armature", SCENE_QUANTITY, TO(drive, armature), .unit = "kg|kg m^2",
     .help = "inertia of a rotor that turns with the axis, in reduced coordinates"},
};

static const scene_member force_members[] = {
    {"type", SCENE_CHOICE, TO(force, type), .choice = force_choice, .required = true,
     .help = "a type of force"},
    {"name", TEXT(force, name), .count = NAME_BYTES, .help = "a unique name; spring-0, …"},
    {"bodies", SCENE_NAMES, TO(force, bodies), .required = true,
     .help = "the names of one or two bodies"},
    {"anchors", SCENE_POINTS, TO(force, anchors), .unit = "m",
     .help = "anchor point on each body, in its axes; its centre of mass"},
    {"axis", SCENE_VECTOR, TO(force, axis), .help = "axis in world axes"},
    {"repeat", SCENE_EITHER, TO(force, repeat), .table = &scene_table_copies,
     .help = "copies"},
};

static const scene_member copies_members[] = {
    {"count", SCENE_INTEGER, TO(copies, count), .required = true,
     .help = "number of copies, or an expression"},
    {"step", SCENE_VECTOR, TO(copies, step), .unit = "m",
     .help = "offset from one copy to the next"},
    {"turn", SCENE_OBJECT, TO(copies, turn), .table = &scene_table_turn,
     .help = "rotation about a point from one copy to the next"},
    {"index", TEXT(copies, index), .count = 15,
     .help = "name of the index in texts; k, for two levels j and k, for three i, j "
             "and k"},
};

static const scene_member turn_members[] = {
    {"axis", SCENE_VECTOR, TO(turn, axis), .required = true,
     .help = "direction of the axis"},
    {"angle", SCENE_REAL, TO(turn, angle), .unit = "rad", .required = true,
     .help = "angle about the axis, right-handed"},
    {"about", SCENE_VECTOR, TO(turn, about), .unit = "m",
     .help = "point on the axis; in repetitions only"},
};
/* clang-format on */

static void scheme_defaults(void *out)
{
    perp_scheme_default(&((scene_scheme *)out)->scheme);
}

FITS(scheme, 0);
FITS(shape, SCENE_EXTRAS);
FITS(force, SCENE_EXTRAS);

const scene_table scene_table_scheme = {
    .name = "scheme",
    .help = "discretisation of a step",
    .members = scheme_members,
    .count = COUNT(scheme_members),
    .size = sizeof(scene_scheme),
    .defaults = scheme_defaults,
};

const scene_table scene_table_shape = {
    .name = "shape",
    .help = "a shape on a body; its sizes stand under size or under their names",
    .members = shape_members,
    .count = COUNT(shape_members),
    .size = sizeof(scene_shape),
    .more = scene_shape_extra,
};

const scene_table scene_table_force = {
    .name = "force",
    .help = "a force, with the parameters of its type",
    .members = force_members,
    .count = COUNT(force_members),
    .size = sizeof(scene_force),
    .more = scene_force_extra,
};

TABLE(document, "a scene");
TABLE(parameter, "a named number");
TABLE(combine, "combination rules of two surfaces");
TABLE(material, "a surface material");
TABLE(ground, "a plane on the body \"world\"");
TABLE(body, "a rigid body");
TABLE(robot, "a robot from a URDF file");
TABLE(drive, "a joint of a robot; a quantity alone is its start");
TABLE(load, "force and torque on a body");
TABLE(joint, "a joint");
TABLE(rest, "pose of the second body of a joint seen from the first");
TABLE(axis, "settings of a free axis of a joint");
TABLE(gear, "a gear: one coordinate is ratio times another plus offset");
TABLE(limits, "limits of a coordinate");
TABLE(motor, "a motor on a free axis");
TABLE(spring, "an implicit spring on a free axis");
TABLE(copies, "copies of an item; an array of up to three nests them, outer first");
TABLE(turn, "a rotation");
