/* SPDX-License-Identifier: Apache-2.0
 * read/urdf/values.c: messages with a position, and attributes as texts, numbers, poses.
 *
 * A turn by roll, pitch, yaw is R = Rz(yaw) Ry(pitch) Rx(roll), about fixed axes.
 * Numbers are decimal, as in C, in every language, by uselocale(3). */
#include <config.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <perp/dynamics/rotation.h>

#include "read/urdf/urdf.h"

/* Whether it is a part of the robot that has a name. */
static bool values_is_named(const urdf_element *e)
{
    return e->up && !e->up->up &&
           (strcmp(e->name, "link") == 0 || strcmp(e->name, "joint") == 0);
}

/* One line, whatever the file holds. */
static void values_print_line(const urdf_element *at, char *text, size_t length,
                              const char *format, va_list args)
{
    const urdf_element *named = at;
    size_t used = 0;

    text[0] = '\0';
    while (named && !values_is_named(named)) {
        named = named->up;
    }
    if (named && urdf_text(named, "name") && *urdf_text(named, "name")) {
        snprintf(text, length, "%s \"%.60s\": ", named->name, urdf_text(named, "name"));
    }
    used = strlen(text);
    vsnprintf(text + used, length - used, format, args);
    for (char *c = text; *c; c++) {
        *c = (unsigned char)*c < ' ' || *c == 127 ? ' ' : *c;
    }
}

perp_status urdf_fail(urdf_reader *rd, const urdf_element *at, perp_status status,
                      const char *format, ...)
{
    char text[PERP_ERROR_LENGTH];
    va_list args;

    va_start(args, format);
    values_print_line(at, text, sizeof text, format, args);
    va_end(args);
    return perp_fail(rd->err, status, "%s:%zu: %s", rd->file, at->line, text);
}

perp_status urdf_fail_in(urdf_reader *rd, const urdf_element *at, perp_status status,
                         const perp_error *cause)
{
    return status == PERP_OK ? status : urdf_fail(rd, at, status, "%s", cause->text);
}

/* Keep a line of what was left out. */
static perp_status values_keep_ignored(urdf_reader *rd, const char *line)
{
    char *copy = math_text(line);

    if (!copy || !GROW(rd->ignored, rd->ignored_room, rd->ignored_count + 1)) {
        free(copy);
        return urdf_no_memory(rd);
    }
    rd->ignored[rd->ignored_count++] = copy;
    return PERP_OK;
}

perp_status urdf_note(urdf_reader *rd, const urdf_element *at, const char *format, ...)
{
    char text[PERP_ERROR_LENGTH / 2];
    char line[PERP_ERROR_LENGTH];
    va_list args;

    va_start(args, format);
    values_print_line(at, text, sizeof text, format, args);
    va_end(args);
    snprintf(line, sizeof line, "%.200s:%zu: %s", rd->file, at->line, text);
    return values_keep_ignored(rd, line);
}

perp_status urdf_unknown(urdf_reader *rd, const urdf_element *at, const char *instead,
                         const char *format, ...)
{
    char text[PERP_ERROR_LENGTH / 2];
    char line[PERP_ERROR_LENGTH];
    va_list args;

    va_start(args, format);
    values_print_line(at, text, sizeof text, format, args);
    va_end(args);
    if (rd->opt->unknown == PERP_URDF_REFUSE) {
        return perp_fail(rd->err, PERP_ERR_UNSUITABLE, "%s:%zu: %s", rd->file, at->line,
                         text);
    }
    snprintf(line, sizeof line, "%.200s:%zu: %s: %s", rd->file, at->line, text, instead);
    return values_keep_ignored(rd, line);
}

perp_status urdf_check_angles(urdf_reader *rd, const urdf_element *e, const char *name,
                              size_t count, const double *x, bool several)
{
    static const double turn = 6.283185307179586;
    const double most = 1.001 * turn; /* "6.2832" and "6.2850" are a turn */
    size_t k = 0;

    while (k < count && !(fabs(x[k]) > most &&
                          (!several || (fabs(x[k]) <= 720.0 && x[k] == rint(x[k]))))) {
        k++;
    }
    if (k == count) {
        return PERP_OK;
    }
    return urdf_note(rd, e,
                     "%s of %s is %.10g rad, that is %.3g turns: write \"%.6g\" if "
                     "degrees were meant",
                     name, e->name, x[k], fabs(x[k]) / turn, x[k] * turn / 360.0);
}

const char *urdf_text(const urdf_element *e, const char *name)
{
    for (size_t k = 0; k < e->attribute_count; k++) {
        if (strcmp(e->attribute[k].name, name) == 0) {
            return e->attribute[k].value;
        }
    }
    return NULL;
}

perp_status urdf_need_text(urdf_reader *rd, const urdf_element *e, const char *name,
                           const char *expected, const char **text)
{
    *text = urdf_text(e, name);
    if (!*text || !**text) {
        return urdf_fail(rd, e, PERP_ERR_FORMAT, "%s has no %s, expected %s", e->name,
                         name, expected);
    }
    return PERP_OK;
}

perp_status urdf_unexpected(urdf_reader *rd, const urdf_element *e, const char *name,
                            const char *expected)
{
    return urdf_fail(rd, e, PERP_ERR_DATA, "%s of %s is \"%.80s\", expected %s", name,
                     e->name, urdf_text(e, name), expected);
}

/* The next number of a text, which is moved behind it; false: none, or not finite. */
static bool values_next_number(const char **text, double *x)
{
    const char *from = *text + strspn(*text, " \t\r\n");
    size_t length = strspn(from, "+-.0123456789eE");
    char *end = NULL;

    *x = strtod(from, &end);
    *text = end;
    return length > 0 && end == from + length && isfinite(*x) &&
           (*end == '\0' || strchr(" \t\r\n", *end));
}

perp_status urdf_reals(urdf_reader *rd, const urdf_element *e, const char *name,
                       size_t count, const char *expected, double *x)
{
    const char *text = urdf_text(e, name);
    const char *p = text;

    for (size_t k = 0; text && k < count; k++) {
        if (!values_next_number(&p, &x[k])) {
            return urdf_unexpected(rd, e, name, expected);
        }
    }
    return text && p[strspn(p, " \t\r\n")] ? urdf_unexpected(rd, e, name, expected)
                                           : PERP_OK;
}

perp_status urdf_need_reals(urdf_reader *rd, const urdf_element *e, const char *name,
                            size_t count, const char *expected, double *x)
{
    const char *text = NULL;
    perp_status status = urdf_need_text(rd, e, name, expected, &text);

    return status == PERP_OK ? urdf_reals(rd, e, name, count, expected, x) : status;
}

const urdf_element *urdf_child(const urdf_element *e, const char *name)
{
    for (const urdf_element *c = e->first; c; c = c->next) {
        if (strcmp(c->name, name) == 0) {
            return c;
        }
    }
    return NULL;
}

perp_status urdf_need_child(urdf_reader *rd, const urdf_element *e, const char *name,
                            const urdf_element **child)
{
    *child = urdf_child(e, name);
    return *child ? PERP_OK
                  : urdf_fail(rd, e, PERP_ERR_FORMAT, "%s has no %s, expected one",
                              e->name, name);
}

/* By half angles: qz qy qx. */
static void quat_of_angles(const double rpy[3], double q[4])
{
    double cr = cos(0.5 * rpy[0]);
    double sr = sin(0.5 * rpy[0]);
    double cp = cos(0.5 * rpy[1]);
    double sp = sin(0.5 * rpy[1]);
    double cy = cos(0.5 * rpy[2]);
    double sy = sin(0.5 * rpy[2]);

    q[0] = cr * cp * cy + sr * sp * sy;
    q[1] = sr * cp * cy - cr * sp * sy;
    q[2] = cr * sp * cy + sr * cp * sy;
    q[3] = cr * cp * sy - sr * sp * cy;
    perp_quat_normalize(q);
}

perp_status urdf_origin(urdf_reader *rd, const urdf_element *e, urdf_pose *pose)
{
    const urdf_element *origin = urdf_child(e, "origin");
    double rpy[3] = {0};
    perp_status status = PERP_OK;

    *pose = (urdf_pose){.q = {1.0}};
    if (origin) {
        status = urdf_reals(rd, origin, "xyz", 3, "three numbers [m]", pose->r);
        status = status ? status
                        : urdf_reals(rd, origin, "rpy", 3, "three numbers [rad]", rpy);
        status = status ? status : urdf_check_angles(rd, origin, "rpy", 3, rpy, false);
    }
    if (rpy[0] != 0.0 || rpy[1] != 0.0 || rpy[2] != 0.0) {
        quat_of_angles(rpy, pose->q);
    }
    return status;
}
