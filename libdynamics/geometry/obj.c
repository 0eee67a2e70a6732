/* SPDX-License-Identifier: Apache-2.0
 * geometry/obj.c: Wavefront OBJ: points and polygons.
 *
 *     v X Y Z [W, or a colour]      a point; what follows three numbers is not used
 *     f V[/[T]][/N] ...             a face of points V, counter-clockwise from outside,
 *                                   from 1, or from the last one backwards: -1, -2, ...
 *
 * A face of more than three corners becomes a fan from its first. '#' begins a comment,
 * '\' at the end of a line goes on in the next. Other statements of the format have no
 * meaning for shapes and are skipped; what is no statement of it is refused. */
#include <config.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/scan.h"

/* Numbers after `v`: a point, its weight or colour with opacity. */
enum { OBJ_NUMBERS = 7 };

static const char *const skipped[] = {
    "vn",       "vt",         "vp",        "g",      "o",     "s",     "mg",   "usemtl",
    "mtllib",   "usemap",     "maplib",    "l",      "p",     "bevel", "lod",  "c_interp",
    "d_interp", "shadow_obj", "trace_obj", "cstype", "deg",   "bmat",  "step", "curv",
    "curv2",    "surf",       "parm",      "trim",   "hole",  "scrv",  "sp",   "end",
    "con",      "call",       "csh",       "ctech",  "stech",
};

static bool obj_is_skipped(const char *word)
{
    for (size_t k = 0; k < sizeof skipped / sizeof *skipped; k++) {
        if (strcmp(word, skipped[k]) == 0) {
            return true;
        }
    }
    return false;
}

static perp_status obj_no_memory(const scan *s)
{
    return perp_fail(s->err, PERP_ERR_MEMORY, "%s:%zu: no memory to read on", s->name,
                     s->line);
}

static perp_status obj_read_point(scan *s, soup *out)
{
    static const char *const names[3] = {"x", "y", "z"};
    double x[3];
    double unused = 0.0;
    int count = 0;

    for (; scan_word(s) || count < 3; count++) {
        perp_status status = scan_real(s, count < 3 ? names[count] : "a number after z",
                                       count < 3 ? &x[count] : &unused);

        if (status != PERP_OK) {
            return status;
        }
        s->genuine = true;
        if (count == OBJ_NUMBERS) {
            return scan_refuse(s, PERP_ERR_FORMAT, "a number after z",
                               "at most four numbers");
        }
    }
    return soup_point(out, x) ? PERP_OK : obj_no_memory(s);
}

/* The number of a point, from 0, out of V, V/T, V//N or V/T/N. */
static perp_status obj_read_corner(scan *s, const soup *out, int32_t *corner)
{
    char *stop = NULL;
    long k = 0;
    int slashes = 0;

    errno = 0;
    k = strtol(s->word, &stop, 10);
    if (stop == s->word || errno || k == 0) {
        return scan_refuse(s, PERP_ERR_FORMAT, "a corner",
                           "the number of a point, from 1, or -1 for the last one");
    }
    while (*stop == '/' && slashes < 2) { /* texture and normal, not used */
        char *digits = stop + 1;

        digits += *digits == '-';
        stop = digits + strspn(digits, "0123456789");
        slashes++;
    }
    if (*stop) {
        return scan_refuse(s, PERP_ERR_FORMAT, "a corner", "one of: V, V/T, V//N, V/T/N");
    }
    k = k > 0 ? k - 1 : (long)out->point_count + k;
    if (k < 0 || (size_t)k >= out->point_count) {
        char expected[80];

        snprintf(expected, sizeof expected, "one of the %zu points above it",
                 out->point_count);
        return scan_refuse(s, PERP_ERR_FORMAT, "a corner", expected);
    }
    *corner = (int32_t)k;
    return PERP_OK;
}

static perp_status obj_read_face(scan *s, soup *out)
{
    int32_t first = 0;
    int32_t last = 0;
    int32_t corner = 0;
    size_t count = 0;

    for (; scan_word(s); count++) {
        perp_status status = obj_read_corner(s, out, &corner);

        if (status != PERP_OK) {
            return status;
        }
        if (count == 0) {
            first = corner;
        }
        if (count >= 2 && !soup_triangle(out, first, last, corner)) {
            return obj_no_memory(s);
        }
        last = corner;
    }
    return count >= 3 ? PERP_OK
                      : scan_refuse(s, PERP_ERR_FORMAT, "a corner", "at least three");
}

perp_status obj_read(soup *out, const char *text, size_t length, const char *name,
                     perp_error *err)
{
    scan s = scan_begin(text, length, name, err);
    perp_status status = PERP_OK;

    s.comment = '#';
    s.join = '\\';
    while (status == PERP_OK && scan_word_anywhere(&s)) {
        if (strcmp(s.word, "v") == 0) {
            status = obj_read_point(&s, out);
        } else if (strcmp(s.word, "f") == 0) {
            status = obj_read_face(&s, out);
        } else if (obj_is_skipped(s.word)) {
            while (scan_word(&s)) { /* also over joined lines */
            }
        } else {
            status = scan_refuse(&s, PERP_ERR_FORMAT, "the statement",
                                 "a statement of OBJ, such as v, f, vn, vt, g, o, s");
        }
    }
    return status;
}
