/* SPDX-License-Identifier: Apache-2.0
 * read/members.c: the members of a scene, table by table. */
#include <config.h>

#include <math.h>
#include <stddef.h>

#include "read/reader.h"

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
    {"name", TEXT(document, name), .help = "what it is called; the stem of the file"},
    {"title", TEXT(document, title), .help = "one line"},
    {"description", TEXT(document, description), .help = "what it shows"},
    {"answer", TEXT(document, answer),
     .help = "what is known of its answer, and from where"},
    {"parameters", SCENE_NAMED, TO(document, parameters),
     .table = &scene_table_parameter,
     .help = "numbers by their names, which may be set from outside"},
    {"dimension", SCENE_INTEGER, TO(document, dimension), .fallback = 3.0,
     .help = "3, or 2: motion in the x-y plane"},
    {"gravity", SCENE_VECTOR, TO(document, gravity), .unit = "m/s^2", .fallback = NAN,
     .help = "[0, 0, -9.81], in the plane [0, -9.81]"},
    {"time", SCENE_REAL, TO(document, time), .unit = "s", .range = SCENE_POSITIVE,
     .fallback = 10.0, .help = "how long it runs"},
    {"solver", TEXT(document, solver), .count = 63, .help = "recommended solver; auto"},
    {"scheme", SCENE_OBJECT, TO(document, scheme), .table = &scene_table_scheme,
     .help = "how a step is discretised"},
    {"coordinates", SCENE_CHOICE, TO(document, coordinates),
     .choices = perp_coordinates_names,
     .help = "of bodies that joints hold: their own, or those of the joints"},
    {"rotations", SCENE_CHOICE, TO(document, rotations), .choices = perp_rotations_names,
     .help = "reduced coordinates of spherical joints"},
    {"chart-switch", SCENE_CHOICE, TO(document, switch_chart), .choices = chart_switch_names,
     .help = "exchange reduced coordinates before they are singular"},
    {"start", SCENE_CHOICE, TO(document, start), .choices = start_names,
     .help = "velocities that joints do not allow: projected by the masses, or kept"},
    {"materials", SCENE_LIST, TO(document, materials), .table = &scene_table_material,
     .help = "surfaces beside the one called default"},
    {"combine", SCENE_OBJECT, TO(document, combine), .table = &scene_table_combine,
     .help = "how two surfaces make one contact"},
    {"bodies", SCENE_LIST, TO(document, bodies), .table = &scene_table_body,
     .help = "what moves or stands; \"world\", static at the origin, need not be "
             "written"},
    {"robots", SCENE_LIST, TO(document, robots), .table = &scene_table_robot,
     .help = "bodies, shapes and joints of URDF files"},
    {"ground", SCENE_EITHER, TO(document, ground), .table = &scene_table_ground,
     .help = "planes on the body \"world\""},
    {"shapes", SCENE_LIST, TO(document, shapes), .table = &scene_table_shape,
     .help = "on bodies that each names, behind the shapes of all bodies; they add no mass"},
    {"joints", SCENE_LIST, TO(document, joints), .table = &scene_table_joint,
     .help = "joints between two bodies"},
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
     .help = "what it is unless it is set"},
    {"min", SCENE_QUANTITY, TO(parameter, least), .help = "least that it may be"},
    {"max", SCENE_QUANTITY, TO(parameter, most), .help = "greatest that it may be"},
    {"help", TEXT(parameter, help), .count = 127, .help = "one line"},
};

static const scene_member combine_members[] = {
    {"friction", SCENE_CHOICE, TO(combine, friction), .choices = perp_combine_names,
     .help = "of friction and rolling friction"},
    {"restitution", SCENE_CHOICE, TO(combine, restitution), .choices = perp_combine_names,
     .help = "of restitution"},
    {"erp", SCENE_CHOICE, TO(combine, erp), .choices = perp_combine_names,
     .help = "of error reduction"},
};

static const scene_member material_members[] = {
    {"name", TEXT(material, name), .count = NAME_BYTES, .required = true,
     .help = "a name of its own"},
    {"friction", SCENE_REAL, TO(material, friction), .range = SCENE_NOT_NEGATIVE,
     .fallback = 0.5, .help = "coefficient mu"},
    {"restitution", SCENE_REAL, TO(material, restitution), .range = SCENE_SHARE,
     .help = "coefficient e"},
    {"rolling-friction", SCENE_REAL, TO(material, rolling), .unit = "m",
     .range = SCENE_NOT_NEGATIVE, .help = "coefficient of rolling"},
    {"erp", SCENE_REAL, TO(material, erp), .range = SCENE_SHARE, .fallback = NAN,
     .help = "share of a penetration removed in a step; that of the scheme"},
    {"cfm", SCENE_REAL, TO(material, cfm), .unit = "m/s/N", .range = SCENE_NOT_NEGATIVE,
     .help = "constraint force mixing of a contact's normal; of two surfaces their sum"},
};

static const scene_member ground_members[] = {
    {"material", TEXT(ground, material), .help = "of its surface; default"},
    {"normal", SCENE_VECTOR, TO(ground, normal), .fallback = NAN,
     .help = "out of the solid; z, in the plane y"},
    {"offset", SCENE_REAL, TO(ground, offset), .unit = "m",
     .help = "distance from the origin along the normal"},
};

static const scene_member body_members[] = {
    {"name", TEXT(body, name), .help = "a name of its own; body-0, body-1, …"},
    {"motion", SCENE_CHOICE, TO(body, motion), .choices = motion_names,
     .help = "a kinematic body moves as it was told"},
    {"gyro", SCENE_CHOICE, TO(body, gyro), .choices = perp_gyro_names,
     .help = "how the gyroscopic torque enters"},
    {"gravity", SCENE_REAL, TO(body, gravity), .range = SCENE_SHARE, .fallback = 1.0,
     .help = "share of gravity that acts on it; 0: none"},
    {"disabled", SCENE_BOOL, TO(body, disabled),
     .help = "it stays where it is and touches nothing; its joints have no rows"},
    {"mass", SCENE_REAL, TO(body, mass), .unit = "kg", .range = SCENE_POSITIVE,
     .fallback = NAN, .help = "of a dynamic body, unless density is given"},
    {"density", SCENE_REAL, TO(body, density), .unit = "kg/m^3|kg/m^2",
     .range = SCENE_POSITIVE,
     .fallback = NAN, .help = "of all its shapes, in place of mass"},
    {"inertia", SCENE_INERTIA, TO(body, inertia), .unit = "kg m^2", .fallback = NAN,
     .help = "about the centre of mass: moments or a matrix; from the shapes"},
    {"position", SCENE_VECTOR, TO(body, position), .unit = "m",
     .help = "of the origin it is drawn about"},
    {"rotation", SCENE_ROTATION, TO(body, rotation), .help = "of its axes"},
    {"velocity", SCENE_VECTOR, TO(body, velocity), .unit = "m/s",
     .help = "of the centre of mass"},
    {"spin", SCENE_SPIN, TO(body, spin), .unit = "rad/s",
     .help = "angular velocity, world axes"},
    {"shapes", SCENE_LIST, TO(body, shapes), .table = &scene_table_shape,
     .help = "what touches, and has mass"},
    {"load", SCENE_OBJECT, TO(body, load), .table = &scene_table_load,
     .help = "constant force and torque"},
    {"repeat", SCENE_EITHER, TO(body, repeat), .table = &scene_table_copies,
     .help = "copies"},
};

static const scene_member load_members[] = {
    {"force", SCENE_VECTOR, TO(load, force), .unit = "N",
     .help = "at the centre of mass, world axes"},
    {"torque", SCENE_SPIN, TO(load, torque), .unit = "N m", .help = "world axes"},
};

static const scene_member shape_members[] = {
    {"type", SCENE_CHOICE, TO(shape, type), .choice = shape_choice, .required = true,
     .help = "a type of shape"},
    {"size", SCENE_SIZES, TO(shape, size), .unit = "m", .range = SCENE_POSITIVE,
     .help = "all sizes of the type in their order"},
    {"corners", SCENE_POINTS, TO(shape, corners), .unit = "m",
     .help = "of a hull, in the axes of the shape"},
    {"file", TEXT(shape, file),
     .help = "of a hull or mesh, in place of corners or points: an OBJ or STL file, "
             "from the folder of the scene"},
    {"scale", SCENE_REAL, TO(shape, scale), .range = SCENE_POSITIVE, .fallback = 1.0,
     .help = "metres that a unit of length of the file stands for"},
    {"points", SCENE_POINTS, TO(shape, points), .unit = "m",
     .help = "of a mesh, in the axes of the shape"},
    {"triangles", SCENE_TRIPLES, TO(shape, triangles),
     .help = "of a mesh: three points each, numbered from 0, counter-clockwise from "
             "outside"},
    {"parts", SCENE_LIST, TO(shape, parts), .table = &scene_table_shape,
     .help = "of a compound: convex shapes in its axes"},
    {"body", TEXT(shape, body),
     .help = "the name of its body, in the list of shapes of the scene only"},
    {"at", SCENE_VECTOR, TO(shape, at), .unit = "m", .help = "place on the body"},
    {"rotation", SCENE_ROTATION, TO(shape, rotation), .help = "on the body"},
    {"material", TEXT(shape, material), .help = "of its surface; default"},
    {"groups", SCENE_NUMBERS, TO(shape, groups),
     .help = "0 .. 31, those that it is in; [0]"},
    {"meets", SCENE_NUMBERS, TO(shape, meets),
     .help = "groups of the shapes that it may touch, if they say the same of it; all"},
    {"repeat", SCENE_EITHER, TO(shape, repeat), .table = &scene_table_copies,
     .help = "copies on the body"},
};

static const scene_member joint_members[] = {
    {"type", SCENE_CHOICE, TO(joint, type), .choice = joint_choice, .required = true,
     .help = "a type of joint"},
    {"name", TEXT(joint, name), .count = NAME_BYTES,
     .help = "a name of its own; revolute-0, …"},
    {"bodies", SCENE_NAMES, TO(joint, bodies), .required = true,
     .help = "the names of two bodies"},
    {"at", SCENE_VECTOR, TO(joint, at), .unit = "m", .fallback = NAN,
     .help = "its point in the world"},
    {"axis", SCENE_VECTOR, TO(joint, axis), .fallback = NAN,
     .help = "its axis in the world, on the first body; in the plane z"},
    {"axis2", SCENE_VECTOR, TO(joint, axis2), .fallback = NAN,
     .help = "the axis on the second body; the same"},
    {"angle", SCENE_REAL, TO(joint, angle), .unit = "rad", .fallback = NAN,
     .help = "rest angle between the axes, or the largest angle of a cone"},
    {"length", SCENE_REAL, TO(joint, length), .unit = "m", .range = SCENE_POSITIVE,
     .fallback = NAN, .help = "of a rope or rod; the distance of its anchors"},
    {"exact", SCENE_BOOL, TO(joint, exact),
     .help = "exact rows where the usual ones are approximate"},
    {"collide", SCENE_BOOL, TO(joint, collide),
     .help = "its bodies may touch each other"},
    {"disabled", SCENE_BOOL, TO(joint, disabled),
     .help = "it has no rows, and its bodies may touch each other"},
    {"erp", SCENE_REAL, TO(joint, erp), .range = SCENE_SHARE, .fallback = NAN,
     .help = "share of its error removed in a step; that of the scheme"},
    {"cfm", SCENE_REAL, TO(joint, cfm), .unit = "m/s/N", .range = SCENE_NOT_NEGATIVE,
     .help = "constraint force mixing of rows that are lengths"},
    {"stiffness", SCENE_REAL, TO(joint, stiffness), .unit = "N/m",
     .range = SCENE_NOT_NEGATIVE, .help = "of rows that are lengths, in place of erp and cfm"},
    {"damping", SCENE_REAL, TO(joint, damping), .unit = "N s/m",
     .range = SCENE_NOT_NEGATIVE, .help = "of rows that are lengths"},
    {"angular-cfm", SCENE_REAL, TO(joint, angular_cfm), .unit = "rad/s/N/m",
     .range = SCENE_NOT_NEGATIVE,
     .help = "constraint force mixing of rows that are angles"},
    {"angular-stiffness", SCENE_REAL, TO(joint, angular_stiffness), .unit = "N m/rad",
     .range = SCENE_NOT_NEGATIVE,
     .help = "of rows that are angles, in place of erp and angular-cfm"},
    {"angular-damping", SCENE_REAL, TO(joint, angular_damping), .unit = "N m s/rad",
     .range = SCENE_NOT_NEGATIVE, .help = "of rows that are angles"},
    {"anchors", SCENE_POINTS, TO(joint, anchors), .unit = "m",
     .help = "a point on each body, in its axes as drawn, in place of at"},
    {"directions", SCENE_POINTS, TO(joint, directions),
     .help = "the axis on each body, in its axes, in place of axis and axis2"},
    {"rest", SCENE_OBJECT, TO(joint, rest), .table = &scene_table_rest,
     .help = "pose at rest, in place of that at the start"},
    {"limits", SCENE_OBJECT, TO(joint, limits), .table = &scene_table_limits,
     .help = "of its first free axis"},
    {"motor", SCENE_OBJECT, TO(joint, motor), .table = &scene_table_motor,
     .help = "of its first free axis"},
    {"spring", SCENE_OBJECT, TO(joint, spring), .table = &scene_table_spring,
     .help = "of its first free axis"},
    {"armature", SCENE_QUANTITY, TO(joint, armature), .unit = "kg|kg m^2",
     .help = "of its first free axis"},
    {"axes", SCENE_LIST, TO(joint, axes), .table = &scene_table_axis,
     .help = "the same, one for each free axis"},
    {"repeat", SCENE_EITHER, TO(joint, repeat), .table = &scene_table_copies,
     .help = "copies"},
};

static const scene_member rest_members[] = {
    {"position", SCENE_VECTOR, TO(rest, position), .unit = "m",
     .required = true,
     .help = "centre of mass of the second body seen from that of the first"},
    {"rotation", SCENE_ROTATION, TO(rest, rotation),
     .help = "of the second body seen from the first"},
};

static const scene_member axis_members[] = {
    {"limits", SCENE_OBJECT, TO(axis, limits), .table = &scene_table_limits,
     .help = "of the coordinate"},
    {"motor", SCENE_OBJECT, TO(axis, motor), .table = &scene_table_motor,
     .help = "that drives it"},
    {"spring", SCENE_OBJECT, TO(axis, spring), .table = &scene_table_spring,
     .help = "along it"},
    {"armature", SCENE_QUANTITY, TO(axis, armature), .unit = "kg|kg m^2",
     .help = "inertia of a rotor that turns with it, in reduced coordinates"},
    {"value", SCENE_REAL, TO(axis, value), .unit = "m|rad", .fallback = NAN,
     .help = "its coordinate at the start, which tells whole turns; as the bodies stand"},
};

static const scene_member limits_members[] = {
    {"lower", SCENE_REAL, TO(limits, lower), .unit = "m|rad", .fallback = NAN,
     .help = "least coordinate"},
    {"upper", SCENE_REAL, TO(limits, upper), .unit = "m|rad", .fallback = NAN,
     .help = "greatest coordinate"},
    {"restitution", SCENE_REAL, TO(limits, restitution), .range = SCENE_SHARE,
     .help = "at the limits"},
    {"cfm", SCENE_REAL, TO(limits, cfm), .unit = "m/s/N|rad/s/N/m",
     .range = SCENE_NOT_NEGATIVE, .help = "constraint force mixing of the limits"},
};

/* Units by the axis, and those of a servo behind them. */
static const scene_member motor_members[] = {
    {"kind", SCENE_CHOICE, TO(motor, kind), .choices = motor_names, .required = true,
     .help = "velocity, friction or servo"},
    {"target", SCENE_REAL, TO(motor, target), .unit = "m/s|rad/s|m|rad",
     .help = "velocity to hold, coordinate to go to"},
    {"max-force", SCENE_REAL, TO(motor, max_force), .unit = "N|N m|N|N m",
     .range = SCENE_LIMIT, .fallback = INFINITY, .help = "force or torque it has"},
    {"max-rate", SCENE_REAL, TO(motor, max_rate), .unit = "m/s|rad/s|m/s|rad/s",
     .range = SCENE_NOT_NEGATIVE, .help = "of a servo; 0: no limit"},
    {"cfm", SCENE_REAL, TO(motor, cfm), .unit = "m/s/N|rad/s/N/m|m/s/N|rad/s/N/m",
     .range = SCENE_NOT_NEGATIVE, .help = "velocity that it loses per force"},
};

static const scene_member spring_members[] = {
    {"stiffness", SCENE_REAL, TO(spring, stiffness), .unit = "N/m|N m/rad",
     .range = SCENE_NOT_NEGATIVE, .help = "of a spring on the axis"},
    {"damping", SCENE_REAL, TO(spring, damping), .unit = "N s/m|N m s/rad",
     .range = SCENE_NOT_NEGATIVE, .help = "beside it"},
    {"rest", SCENE_REAL, TO(spring, rest), .unit = "m|rad", .help = "coordinate at rest"},
};

static const scene_member robot_members[] = {
    {"file", TEXT(robot, file), .required = true,
     .help = "URDF, from the folder of the scene"},
    {"name", TEXT(robot, name),
     .help = "put before the names of its bodies and joints: \"left/\""},
    {"position", SCENE_VECTOR, TO(robot, position), .unit = "m",
     .help = "of its root link"},
    {"rotation", SCENE_ROTATION, TO(robot, rotation), .help = "of its root link"},
    {"joints", SCENE_NAMED, TO(robot, joints), .table = &scene_table_drive,
     .help = "by their names in the file: where they start, or more"},
    {"material", TEXT(robot, material), .help = "of all its shapes"},
    {"base", SCENE_CHOICE, TO(robot, base), .choices = base_names,
     .help = "its root link; usual: fixed when it is called world or has no mass"},
    {"unknown", SCENE_CHOICE, TO(robot, unknown), .choices = unknown_names,
     .help = "what changes the mechanics and is not known"},
    {"meshes", SCENE_CHOICE, TO(robot, meshes), .choices = mesh_names,
     .help = "what a mesh collides as"},
    {"package", TEXT(robot, package),
     .help = "a folder in which package://NAME/… is looked for"},
    {"merge-fixed", SCENE_BOOL, TO(robot, merge_fixed),
     .help = "links with a fixed joint between them are one body"},
    {"no-self-collision", SCENE_BOOL, TO(robot, apart),
     .help = "its links do not touch each other; its shapes are then in a group of "
             "their own, 31 or below"},
    {"repeat", SCENE_EITHER, TO(robot, repeat), .table = &scene_table_copies,
     .help = "copies"},
};

static const scene_member drive_members[] = {
    {"start", SCENE_QUANTITY, TO(drive, start), .unit = "m|rad",
     .help = "coordinate at first; 0, or the limit nearest to it"},
    {"limits", SCENE_OBJECT, TO(drive, limits), .table = &scene_table_limits,
     .help = "in place of those of the file"},
    {"motor", SCENE_OBJECT, TO(drive, motor), .table = &scene_table_motor,
     .help = "in place of dry friction; without max-force that of the file"},
    {"spring", SCENE_OBJECT, TO(drive, spring), .table = &scene_table_spring,
     .help = "in place of the damping of the file"},
    {"armature", SCENE_QUANTITY, TO(drive, armature), .unit = "kg|kg m^2",
     .help = "inertia of a rotor that turns with it, in reduced coordinates"},
};

static const scene_member force_members[] = {
    {"type", SCENE_CHOICE, TO(force, type), .choice = force_choice, .required = true,
     .help = "a type of force"},
    {"name", TEXT(force, name), .count = NAME_BYTES, .help = "spring-0, …"},
    {"bodies", SCENE_NAMES, TO(force, bodies), .required = true,
     .help = "the names of its bodies, one or two"},
    {"anchors", SCENE_POINTS, TO(force, anchors), .unit = "m",
     .help = "a point on each body, in its axes as drawn; its centre of mass"},
    {"axis", SCENE_VECTOR, TO(force, axis), .help = "world axes"},
    {"repeat", SCENE_EITHER, TO(force, repeat), .table = &scene_table_copies,
     .help = "copies"},
};

static const scene_member copies_members[] = {
    {"count", SCENE_INTEGER, TO(copies, count), .required = true,
     .help = "how many, or an expression"},
    {"step", SCENE_VECTOR, TO(copies, step), .unit = "m",
     .help = "from one copy to the next"},
    {"turn", SCENE_OBJECT, TO(copies, turn), .table = &scene_table_turn,
     .help = "the same as a rotation about a point"},
    {"index", TEXT(copies, index), .count = 15,
     .help = "its name in texts; k, of two levels j and k, of three i, j and k"},
};

static const scene_member turn_members[] = {
    {"axis", SCENE_VECTOR, TO(turn, axis), .required = true, .help = "a direction"},
    {"angle", SCENE_REAL, TO(turn, angle), .unit = "rad", .required = true,
     .help = "an angle about it, right-handed"},
    {"about", SCENE_VECTOR, TO(turn, about), .unit = "m",
     .help = "a point of the axis; in repetitions only"},
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
    .help = "how a step is discretised",
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
TABLE(parameter, "a number by its name");
TABLE(combine, "rules for two surfaces");
TABLE(material, "a surface");
TABLE(ground, "a plane on the body \"world\"");
TABLE(body, "a rigid body");
TABLE(robot, "a robot of a URDF file");
TABLE(drive, "a joint of a robot; a quantity alone is its start");
TABLE(load, "force and torque on a body");
TABLE(joint, "a joint");
TABLE(rest, "pose of the second body of a joint seen from the first");
TABLE(axis, "what is set on a free axis of a joint");
TABLE(limits, "limits of a coordinate");
TABLE(motor, "a motor on a free axis");
TABLE(spring, "an implicit spring on a free axis");
TABLE(copies, "copies of an item; an array of up to three nests them, outer first");
TABLE(turn, "a rotation");
