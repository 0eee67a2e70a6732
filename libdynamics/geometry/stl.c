/* SPDX-License-Identifier: Apache-2.0
 * geometry/stl.c: STL, text and binary: triangles with corners of their own.
 *
 * Text: solid NAME, then facets
 *
 *     facet normal NX NY NZ outer loop
 *         vertex X Y Z  vertex X Y Z  vertex X Y Z
 *     endloop endfacet
 *
 * and endsolid NAME; keywords in any case, several solids in a row. Binary: 80 bytes of
 * anything, also of "solid"; 32 bits with the number of triangles; for each 12 floats
 * (normal, corners) and 16 bits, little-endian; so the size tells a binary file. Normals
 * are not trusted: the order of corners says where outside is. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/base.h"
#include "geometry/scan.h"
#include "math/math.h"

enum { STL_HEAD = 84, STL_TRIANGLE = 50 };

static uint32_t stl_u32(const char *bytes)
{
    uint32_t x = 0;

    for (int k = 3; k >= 0; k--) {
        x = x << 8 | (unsigned char)bytes[k];
    }
    return x;
}

bool stl_is_text(const char *text, size_t length)
{
    scan s = scan_begin(text, length, "", NULL);

    return scan_word_anywhere(&s) && strcasecmp(s.word, "solid") == 0;
}

bool stl_is_binary(const char *text, size_t length)
{
    return length >= STL_HEAD &&
           length == STL_HEAD + STL_TRIANGLE * (uint64_t)stl_u32(text + 80);
}

bool stl_seems_binary(const char *text, size_t length)
{
    return memchr(text, 0, length < STL_HEAD ? length : STL_HEAD) != NULL;
}

static perp_status stl_no_memory(const char *name, size_t triangle, perp_error *err)
{
    return perp_fail(err, PERP_ERR_MEMORY, "%s: no memory for triangle %zu", name,
                     triangle);
}

/* The corners 3t, 3t + 1, 3t + 2 belong to triangle t. */
static bool stl_add(soup *out, const double x[9])
{
    int32_t first = (int32_t)out->point_count;

    return soup_point(out, x) && soup_point(out, x + 3) && soup_point(out, x + 6) &&
           soup_triangle(out, first, first + 1, first + 2);
}

perp_status stl_read_binary(soup *out, const char *text, size_t length, const char *name,
                            perp_error *err)
{
    size_t count = 0;

    if (length >= STL_HEAD &&
        length > STL_HEAD + STL_TRIANGLE * (uint64_t)stl_u32(text + 80)) {
        count = stl_u32(text + 80);
        return perp_fail(
            err, PERP_ERR_FORMAT,
            "%s: byte %zu: the file goes on for %zu byte%s, expected its end "
            "after the %zu triangle%s that bytes 80 to 83 announce",
            name, STL_HEAD + STL_TRIANGLE * count,
            length - STL_HEAD - STL_TRIANGLE * count,
            perp_plural(length - STL_HEAD - STL_TRIANGLE * count), count,
            perp_plural(count));
    }
    if (!stl_is_binary(text, length)) {
        return perp_fail(err, PERP_ERR_FORMAT,
                         "%s: byte %zu: the file ends, expected a header of 84 bytes and "
                         "50 bytes for each triangle that bytes 80 to 83 announce",
                         name, length);
    }
    count = stl_u32(text + 80);
    for (size_t t = 0; t < count; t++) {
        size_t at = STL_HEAD + STL_TRIANGLE * t + 12;
        double x[9];

        for (size_t k = 0; k < 9; k++) {
            uint32_t bits = stl_u32(text + at + 4 * k);
            float value = 0.0F;

            memcpy(&value, &bits, sizeof value);
            if (!isfinite(value)) {
                return perp_fail(err, PERP_ERR_DATA,
                                 "%s: byte %zu: a coordinate of triangle %zu is %g, "
                                 "expected a finite number",
                                 name, at + 4 * k, t, (double)value);
            }
            x[k] = (double)value;
        }
        if (!stl_add(out, x)) {
            return stl_no_memory(name, t, err);
        }
    }
    return PERP_OK;
}

/* The next word is this one. */
static perp_status stl_expect(scan *s, const char *word)
{
    char expected[40];

    scan_word_anywhere(s);
    if (strcasecmp(s->word, word) == 0) {
        return PERP_OK;
    }
    snprintf(expected, sizeof expected, "\"%s\"", word);
    return scan_refuse(s, PERP_ERR_FORMAT, "the word", expected);
}

static perp_status stl_read_vertex(scan *s, double x[3])
{
    static const char *const names[3] = {"x", "y", "z"};

    TRY(stl_expect(s, "vertex"));
    for (int k = 0; k < 3; k++) {
        scan_word_anywhere(s);
        TRY(scan_real(s, names[k], &x[k]));
    }
    return PERP_OK;
}

/* After the word facet. */
static perp_status stl_read_facet(scan *s, soup *out)
{
    double x[9];
    perp_status status = stl_expect(s, "normal");

    s->genuine = s->genuine || status == PERP_OK;
    for (int k = 0; k < 3; k++) {
        if (status == PERP_OK && !scan_word_anywhere(s)) {
            status = scan_refuse(s, PERP_ERR_FORMAT, "the normal", "three numbers");
        }
    }
    if (status == PERP_OK) {
        status = stl_expect(s, "outer");
    }
    if (status == PERP_OK) {
        status = stl_expect(s, "loop");
    }
    for (int k = 0; status == PERP_OK && k < 3; k++) {
        status = stl_read_vertex(s, x + 3 * k);
    }
    if (status == PERP_OK) {
        status = stl_expect(s, "endloop");
    }
    if (status == PERP_OK) {
        status = stl_expect(s, "endfacet");
    }
    if (status == PERP_OK && !stl_add(out, x)) {
        status = stl_no_memory(s->name, out->triangle_count, s->err);
    }
    return status;
}

perp_status stl_read_text(soup *out, const char *text, size_t length, const char *name,
                          perp_error *err)
{
    scan s = scan_begin(text, length, name, err);
    perp_status status = PERP_OK;
    bool more = scan_word_anywhere(&s);

    while (status == PERP_OK && more) {
        if (strcasecmp(s.word, "solid") != 0) {
            return scan_refuse(&s, PERP_ERR_FORMAT, "the word", "\"solid\"");
        }
        scan_line(&s); /* its name */
        scan_word_anywhere(&s);
        while (status == PERP_OK && strcasecmp(s.word, "facet") == 0) {
            status = stl_read_facet(&s, out);
            if (status == PERP_OK) {
                scan_word_anywhere(&s);
            }
        }
        if (status == PERP_OK && strcasecmp(s.word, "endsolid") != 0) {
            status =
                scan_refuse(&s, PERP_ERR_FORMAT, "the word", "\"facet\" or \"endsolid\"");
        }
        more = scan_line(&s) && scan_word_anywhere(&s);
    }
    return status;
}
