/* SPDX-License-Identifier: Apache-2.0
 * geometry/scan.h: words of a text with their positions, and the triangle soup that
 * readers fill. Private. */
#ifndef PERP_GEOMETRY_SCAN_H
#define PERP_GEOMETRY_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <perp/base.h>

/** Longest word that is stored; no number has 120 characters. */
enum { SCAN_WORD = 128 };

typedef struct scan {
    const char *at, *end, *line_start;
    const char *name; /**< of the file, in messages */
    char comment;     /**< comment character: the rest of the line is ignored; 0: none */
    char join;        /**< continuation character at the end of a line; 0: none */
    bool
        genuine; /**< enough was read to know that this is a mesh: messages may quote it */
    size_t line;
    char word[SCAN_WORD];
    size_t word_line, word_column; /**< from 1; for a missing word, its expected
                                    *   position */
    perp_error *err;
} scan;

scan scan_begin(const char *text, size_t length, const char *name, perp_error *err);
/** The next word of the line, false at its end. */
bool scan_word(scan *s);
/** The next word of this or a later line, false at the end of the text. */
bool scan_word_anywhere(scan *s);
/** Go to the next line; false at the end of the text. */
bool scan_line(scan *s);
/** NAME:LINE:COLUMN: WHAT is "word", expected EXPECTED; without a word "is missing". A
 *  document may name any file as its mesh: words of one that is not genuine are not quoted. */
perp_status scan_refuse(const scan *s, perp_status status, const char *what,
                        const char *expected);
/** The last word as a finite decimal number. */
perp_status scan_real(const scan *s, const char *what, double *x);

/** Content of a file, from which a mesh or a point cloud is made. */
typedef struct soup {
    double *point;
    int32_t *corner;
    size_t point_count, point_room;       /* room in numbers */
    size_t triangle_count, triangle_room; /* room in corners */
} soup;

/** False without memory. */
bool soup_point(soup *s, const double x[3]);
bool soup_triangle(soup *s, int32_t a, int32_t b, int32_t c);
void soup_close(soup *s);

/** In the "C" locale. Points without faces are no error. */
perp_status obj_read(soup *out, const char *text, size_t length, const char *name,
                     perp_error *err);
perp_status stl_read_text(soup *out, const char *text, size_t length, const char *name,
                          perp_error *err);
perp_status stl_read_binary(soup *out, const char *text, size_t length, const char *name,
                            perp_error *err);
/** Whether the bytes begin with "solid"; have the number of triangles that the length
 *  implies; contain a 0. */
bool stl_is_text(const char *text, size_t length);
bool stl_is_binary(const char *text, size_t length);
bool stl_seems_binary(const char *text, size_t length);

#endif
