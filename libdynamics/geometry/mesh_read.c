/* SPDX-License-Identifier: Apache-2.0
 * geometry/mesh_read.c: meshes and points from files, whose content determines the
 * format. Numbers are read in the locale "C", which uselocale(3) sets for the calling
 * thread only. */
#include <config.h>

#include <locale.h>
#include <math.h>
#include <stdlib.h>

#include "base/file.h"
#include "geometry/scan.h"
#include "geometry/surface.h"
#include "math/math.h"

/* Files beyond this many bytes are refused before they fill the memory: a million
 * triangles in binary STL are 50 MB. */
static const size_t most_bytes = (size_t)64 << 20;

static perp_status soup_parse(soup *out, const char *text, size_t length,
                              const char *name, perp_error *err)
{
    if (stl_is_binary(text, length)) {
        return stl_read_binary(out, text, length, name, err);
    }
    if (stl_is_text(text, length)) {
        return stl_read_text(out, text, length, name, err);
    }
    if (stl_seems_binary(text, length)) {
        return stl_read_binary(out, text, length, name, err);
    }
    return obj_read(out, text, length, name, err);
}

static perp_status soup_scale(soup *s, double scale, const char *name, perp_error *err)
{
    for (size_t k = 0; k < 3 * s->point_count; k++) {
        s->point[k] *= scale;
        if (!isfinite(s->point[k])) {
            return perp_fail(err, PERP_ERR_DATA, "%s: point %zu times %g is not finite",
                             name, k / 3, scale);
        }
    }
    return PERP_OK;
}

/* The contents of the bytes, scaled; call soup_close even after a failure. */
static perp_status soup_open(soup *s, const char *text, size_t length, const char *name,
                             double scale, perp_error *err)
{
    locale_t c_locale = (locale_t)0;
    locale_t before = (locale_t)0;
    perp_status status = PERP_OK;

    if (length > most_bytes) {
        return perp_fail(err, PERP_ERR_DATA, "%s: more than %zu bytes, expected less",
                         name, most_bytes);
    }
    if (!(scale > 0.0 && isfinite(scale))) {
        return perp_fail(err, PERP_ERR_DATA,
                         "%s: scale is %g, expected a positive number", name, scale);
    }
    c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!c_locale) {
        return perp_fail(err, PERP_ERR_MEMORY, "%s: no memory for a locale", name);
    }
    before = uselocale(c_locale);
    status = soup_parse(s, text, length, name, err);
    uselocale(before);
    freelocale(c_locale);
    if (status == PERP_OK && s->point_count == 0) {
        status =
            perp_fail(err, PERP_ERR_DATA,
                      "%s: no points in %zu bytes, expected OBJ or STL", name, length);
    }
    return status == PERP_OK ? soup_scale(s, scale, name, err) : status;
}

perp_status perp_mesh_parse(perp_mesh **mesh, const char *text, size_t length,
                            const char *name, double scale, perp_error *err)
{
    soup s = {0};
    perp_status status = soup_open(&s, text, length, name, scale, err);

    *mesh = NULL;
    if (status == PERP_OK) {
        status =
            perp_mesh_new(mesh, s.point_count, s.point, s.triangle_count, s.corner, err);
        if (status != PERP_OK) {
            perp_fail_in(err, status, name);
        }
    }
    soup_close(&s);
    return status;
}

perp_status perp_mesh_read(perp_mesh **mesh, const char *path, double scale,
                           perp_error *err)
{
    char *text = NULL;
    size_t length = 0;
    perp_status status = perp_file_slurp_most(path, most_bytes, &text, &length, err);

    *mesh = NULL;
    if (status == PERP_OK) {
        status = perp_mesh_parse(mesh, text, length, path, scale, err);
    }
    free(text);
    return status;
}

perp_status perp_points_read(size_t *n, double **points, const char *path, double scale,
                             perp_error *err)
{
    soup s = {0};
    char *text = NULL;
    size_t length = 0;
    perp_status status = perp_file_slurp_most(path, most_bytes, &text, &length, err);

    *n = 0;
    *points = NULL;
    if (status == PERP_OK) {
        status = soup_open(&s, text, length, path, scale, err);
    }
    if (status == PERP_OK) {
        *n = s.point_count;
        *points = s.point;
        s.point = NULL;
    }
    soup_close(&s);
    free(text);
    return status;
}
