/* SPDX-License-Identifier: Apache-2.0
 * read/urdf/joints.c: joints: their kind, frames, limits, losses, gears (mimic), and
 * where they start. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "read/urdf/urdf.h"

/* A type of the format. */
typedef struct kind {
    const char *name;
    urdf_moves moves;
    bool limited; /* it must have limits */
} kind;

static const kind kinds[] = {
    {"revolute", URDF_TURNS, true},   {"continuous", URDF_TURNS, false},
    {"prismatic", URDF_SLIDES, true}, {"fixed", URDF_FIXED, false},
    {"floating", URDF_FREE, false},   {"planar", URDF_PLANAR, false},
};

static perp_status joints_read_kind(urdf_reader *rd, urdf_joint *j)
{
    const char *type = NULL;
    perp_status status = urdf_need_text(rd, j->at, "type", "revolute, fixed, …", &type);

    for (size_t k = 0; k < sizeof kinds / sizeof *kinds && status == PERP_OK; k++) {
        if (strcmp(type, kinds[k].name) == 0) {
            j->moves = kinds[k].moves;
            j->limited = kinds[k].limited;
            return PERP_OK;
        }
    }
    return status ? status
                  : urdf_unknown(rd, j->at, "treated as fixed",
                                 "type of joint is \"%.60s\", expected one of: revolute, "
                                 "continuous, prismatic, fixed, floating, planar",
                                 type);
}

static perp_status joints_read_axis(urdf_reader *rd, urdf_joint *j)
{
    const urdf_element *axis = urdf_child(j->at, "axis");
    perp_status status = PERP_OK;

    vec3_set(j->axis, 1.0, 0.0, 0.0);
    if (!axis || j->moves == URDF_FIXED || j->moves == URDF_FREE) {
        return PERP_OK;
    }
    status = urdf_need_reals(rd, axis, "xyz", 3, "three numbers, a direction", j->axis);
    /* far from 1 its square is 0 or infinite */
    if (status == PERP_OK) {
        double most = fmax(fabs(j->axis[0]), fmax(fabs(j->axis[1]), fabs(j->axis[2])));

        if (!(most > 0.0)) {
            return urdf_fail(rd, axis, PERP_ERR_DATA,
                             "xyz of axis has length 0, expected a direction");
        }
        vec3_set(j->axis, j->axis[0] / most, j->axis[1] / most, j->axis[2] / most);
        vec3_normalize(j->axis);
    }
    return status;
}

/* A bound >= 0 that may be missing: then `otherwise`. */
static perp_status joints_read_bound(urdf_reader *rd, const urdf_element *e,
                                     const char *name, double otherwise, double *x)
{
    static const char expected[] = "a number >= 0";
    perp_status status = PERP_OK;

    *x = otherwise;
    if (!e || !urdf_text(e, name)) {
        return PERP_OK;
    }
    status = urdf_need_reals(rd, e, name, 1, expected, x);
    return status == PERP_OK && *x < 0.0 ? urdf_unexpected(rd, e, name, expected)
                                         : status;
}

/* Lower and upper are 0 where they are missing, as the format has it. */
static perp_status joints_read_limit(urdf_reader *rd, urdf_joint *j)
{
    const urdf_element *limit = urdf_child(j->at, "limit");
    const char *unit = j->moves == URDF_TURNS ? "a number [rad]" : "a number [m]";
    perp_status status = PERP_OK;

    if (!limit && j->limited) {
        return urdf_fail(rd, j->at, PERP_ERR_FORMAT,
                         "%s joint has no limit, expected one", urdf_text(j->at, "type"));
    }
    if (j->limited) {
        status = urdf_reals(rd, limit, "lower", 1, unit, &j->lower);
        status = status ? status : urdf_reals(rd, limit, "upper", 1, unit, &j->upper);
    }
    if (status == PERP_OK && j->limited && j->moves == URDF_TURNS) {
        const bool high = fabs(j->upper) >= fabs(j->lower);

        status = urdf_check_angles(rd, limit, high ? "upper" : "lower", 1,
                                   high ? &j->upper : &j->lower, true);
    }
    if (status == PERP_OK && j->limited && !urdf_text(limit, "lower") &&
        !urdf_text(limit, "upper")) {
        status = urdf_note(
            rd, j->at,
            "lower and upper are missing, which means 0 and 0: the joint is locked");
    }
    if (status == PERP_OK && j->lower > j->upper) {
        status =
            urdf_fail(rd, limit, PERP_ERR_DATA,
                      "lower limit %g is above the upper limit %g", j->lower, j->upper);
    }
    status =
        status ? status : joints_read_bound(rd, limit, "effort", INFINITY, &j->effort);
    return status ? status
                  : joints_read_bound(rd, limit, "velocity", INFINITY, &j->velocity);
}

/* Damping and friction, which have a place where there is one coordinate. */
static perp_status joints_read_losses(urdf_reader *rd, urdf_joint *j)
{
    const urdf_element *losses = urdf_child(j->at, "dynamics");
    perp_status status = joints_read_bound(rd, losses, "damping", 0.0, &j->damping);

    status =
        status ? status : joints_read_bound(rd, losses, "friction", 0.0, &j->friction);
    if (status == PERP_OK && (j->moves == URDF_PLANAR || j->moves == URDF_FREE) &&
        (j->damping > 0.0 || j->friction > 0.0)) {
        status = urdf_unknown(rd, losses, "left out",
                              "<dynamics> of a %s joint is not supported",
                              urdf_text(j->at, "type"));
    }
    return status;
}

static bool joints_has_coordinate(const urdf_joint *j)
{
    return j->moves == URDF_TURNS || j->moves == URDF_SLIDES;
}

/* q = multiplier q' + offset. */
static perp_status joints_read_mimic(urdf_reader *rd, urdf_joint *j)
{
    const char *unit = j->moves == URDF_TURNS ? "a number [rad]" : "a number [m]";
    perp_status status = PERP_OK;

    j->mimic = urdf_child(j->at, "mimic");
    j->multiplier = 1.0;
    if (!j->mimic) {
        return PERP_OK;
    }
    if (!joints_has_coordinate(j)) {
        status = urdf_unknown(rd, j->mimic, "left out",
                              "<mimic> of a %s joint, expected a revolute, continuous or "
                              "prismatic joint",
                              urdf_text(j->at, "type"));
        j->mimic = NULL;
        return status;
    }
    status = urdf_reals(rd, j->mimic, "multiplier", 1, "a number", &j->multiplier);
    status = status ? status : urdf_reals(rd, j->mimic, "offset", 1, unit, &j->offset);
    return status == PERP_OK && j->multiplier == 0.0
               ? urdf_unexpected(rd, j->mimic, "multiplier", "a number that is not 0")
               : status;
}

static perp_status joints_read_joint(urdf_reader *rd, const urdf_element *e,
                                     urdf_joint *j)
{
    perp_status status = PERP_OK;

    *j = (urdf_joint){.at = e, .beside = urdf_none, .follows = urdf_none, .joint = -1};
    status = urdf_need_text(rd, e, "name", "a unique name", &j->name);
    status = status ? status : joints_read_kind(rd, j);
    status = status ? status : urdf_need_child(rd, e, "parent", &j->parent_at);
    status = status ? status : urdf_need_child(rd, e, "child", &j->child_at);
    status = status ? status : urdf_origin(rd, e, &j->origin);
    status = status ? status : joints_read_axis(rd, j);
    status = status ? status : joints_read_limit(rd, j);
    status = status ? status : joints_read_losses(rd, j);
    return status ? status : joints_read_mimic(rd, j);
}

/* The place of the joint of that name, or `none`. */
static perp_status joints_read_start(urdf_reader *rd, const perp_urdf_position *p,
                                     urdf_joint *j)
{
    if (!j) {
        return perp_fail(rd->err, PERP_ERR_OPTION,
                         "%s: a position for joint \"%s\", expected a joint of the robot",
                         rd->file, p->joint);
    }
    if (!joints_has_coordinate(j)) {
        return perp_fail(rd->err, PERP_ERR_OPTION,
                         "%s: a position for joint \"%s\", expected a revolute, "
                         "continuous or prismatic joint",
                         rd->file, p->joint);
    }
    if (!isfinite(p->value) ||
        (j->limited && (p->value < j->lower || p->value > j->upper))) {
        return perp_fail(
            rd->err, PERP_ERR_OPTION,
            "%s: joint \"%s\" starts at %g, expected a value within its limits %g .. %g",
            rd->file, p->joint, p->value, j->limited ? j->lower : -INFINITY,
            j->limited ? j->upper : INFINITY);
    }
    if (j->mimic) {
        return perp_fail(rd->err, PERP_ERR_OPTION,
                         "%s: a position for joint \"%s\", which follows joint \"%s\", "
                         "expected one for that joint",
                         rd->file, p->joint, rd->joints[j->follows].name);
    }
    j->value = p->value;
    return PERP_OK;
}

/* The joint that each <mimic> names. */
static perp_status joints_find_followed(urdf_reader *rd, const urdf_name *names)
{
    perp_status status = PERP_OK;

    for (size_t k = 0; k < rd->joint_count && status == PERP_OK; k++) {
        urdf_joint *j = &rd->joints[k];
        const char *name = NULL;

        if (!j->mimic) {
            continue;
        }
        status = urdf_need_text(rd, j->mimic, "joint", "the name of a joint", &name);
        if (status != PERP_OK) {
            return status;
        }
        j->follows = urdf_names_find(names, rd->joint_count, name);
        if (j->follows == urdf_none) {
            status = urdf_fail(rd, j->mimic, PERP_ERR_DATA,
                               "mimic is joint \"%.80s\", expected a joint of the robot",
                               name);
        } else if (!joints_has_coordinate(&rd->joints[j->follows])) {
            status = urdf_unknown(rd, j->mimic, "left out",
                                  "mimic is joint \"%.80s\" of type %s, expected a "
                                  "revolute, continuous or prismatic joint",
                                  name, urdf_text(rd->joints[j->follows].at, "type"));
            j->mimic = NULL;
            j->follows = urdf_none;
        }
    }
    return status;
}

/* A joint that follows itself, directly or by others. */
static perp_status joints_report_cycle(urdf_reader *rd, size_t from)
{
    char text[256] = "";
    size_t used = 0;
    size_t at = from;

    do {
        used += (size_t)snprintf(text + used, sizeof text - used, "\"%.24s\" follows ",
                                 rd->joints[at].name);
        at = rd->joints[at].follows;
    } while (at != from && used < sizeof text - 64);
    snprintf(text + used, sizeof text - used, "%s\"%.24s\"",
             at == from ? "" : "… follows ", rd->joints[from].name);
    return urdf_fail(rd, rd->joints[from].mimic, PERP_ERR_DATA,
                     "a cycle of <mimic>: %s, expected none", text);
}

/* Joints start where the joints that they follow put them. `done`: zeroed, one per joint;
 * each joint is followed once, to the first one that is done. */
static perp_status joints_follow(urdf_reader *rd, size_t *done, size_t *path)
{
    perp_status status = PERP_OK;

    for (size_t k = 0; k < rd->joint_count && status == PERP_OK; k++) {
        size_t count = 0;
        size_t at = k;

        while (at != urdf_none && done[at] == 0) {
            done[at] = k + 1;
            path[count++] = at;
            at = rd->joints[at].follows;
        }
        if (at != urdf_none && done[at] == k + 1) {
            return joints_report_cycle(rd, at);
        }
        while (count-- > 0 && status == PERP_OK) {
            urdf_joint *j = &rd->joints[path[count]];

            if (!j->mimic) {
                continue;
            }
            j->value = j->multiplier * rd->joints[j->follows].value + j->offset;
            if (!isfinite(j->value)) {
                status = urdf_fail(rd, j->mimic, PERP_ERR_DATA,
                                   "multiplier and offset of mimic overflow, expected "
                                   "smaller numbers");
            } else if (j->limited && (j->value < j->lower || j->value > j->upper)) {
                status =
                    urdf_note(rd, j->mimic,
                              "starts at %g, as joint \"%.60s\" requires, beyond its "
                              "limits %g .. %g",
                              j->value, rd->joints[j->follows].name, j->lower, j->upper);
            }
        }
    }
    return status;
}

/* At 0 or the limit nearest to it, unless told otherwise. */
static perp_status joints_read_starts(urdf_reader *rd, const urdf_name *names)
{
    perp_status status = PERP_OK;

    for (size_t k = 0; k < rd->joint_count; k++) {
        urdf_joint *j = &rd->joints[k];

        j->value = j->limited ? fmin(fmax(0.0, j->lower), j->upper) : 0.0;
    }
    for (size_t k = 0; k < rd->opt->position_count && status == PERP_OK; k++) {
        const perp_urdf_position *p = &rd->opt->positions[k];
        size_t at = urdf_names_find(names, rd->joint_count, p->joint);

        status = joints_read_start(rd, p, at == urdf_none ? NULL : &rd->joints[at]);
    }
    if (status == PERP_OK) {
        size_t *done = urdf_alloc(rd, 2 * rd->joint_count, sizeof *done);

        status =
            done ? joints_follow(rd, done, done + rd->joint_count) : urdf_no_memory(rd);
    }
    return status;
}

static perp_status joints_name(urdf_reader *rd)
{
    urdf_name *names = urdf_alloc(rd, rd->joint_count, sizeof *names);
    size_t first = 0;
    size_t twice = 0;
    perp_status status = PERP_OK;

    if (!names) {
        return urdf_no_memory(rd);
    }
    for (size_t k = 0; k < rd->joint_count; k++) {
        names[k] = (urdf_name){rd->joints[k].name, k};
    }
    urdf_names_sort(names, rd->joint_count, &first, &twice);
    if (twice != urdf_none) {
        return urdf_fail(rd, rd->joints[twice].at, PERP_ERR_DATA,
                         "line %zu has a joint of this name, expected a unique name",
                         rd->joints[first].at->line);
    }
    status = joints_find_followed(rd, names);
    return status ? status : joints_read_starts(rd, names);
}

perp_status urdf_read_joints(urdf_reader *rd, const urdf_element *robot)
{
    size_t count = 0;
    perp_status status = PERP_OK;

    for (const urdf_element *e = robot->first; e; e = e->next) {
        count += strcmp(e->name, "joint") == 0;
    }
    rd->joints = urdf_alloc(rd, count, sizeof *rd->joints);
    if (!rd->joints) {
        return urdf_no_memory(rd);
    }
    for (const urdf_element *e = robot->first; e && status == PERP_OK; e = e->next) {
        if (strcmp(e->name, "joint") == 0) {
            status = joints_read_joint(rd, e, &rd->joints[rd->joint_count]);
            rd->joint_count++;
        }
    }
    return status ? status : joints_name(rd);
}
