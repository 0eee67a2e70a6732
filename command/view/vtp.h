/* SPDX-License-Identifier: Apache-2.0
 * view/vtp.h: one .vtp file of VTK: the head as XML, the arrays behind it as raw bytes. */
#ifndef PERP_VIEW_VTP_H
#define PERP_VIEW_VTP_H

#include <stdio.h>

#include <perp/base.h>

/** Arrays of a file are those that were announced, in this order. */
enum { VTP_ARRAYS = 24 };

/** Type of an array by its numbers. */
typedef enum vtp_type {
    VTP_U8,
    VTP_I32,
    VTP_F32,
    VTP_F64,
} vtp_type;

typedef struct vtp_file {
    FILE *f;
    size_t count;
    const void *data[VTP_ARRAYS]; /**< borrowed until vtp_end */
    size_t bytes[VTP_ARRAYS];
    size_t offset;
} vtp_file;

/** Number of points, vertices, lines and polygons. */
typedef struct vtp_counts {
    size_t points, vertices, lines, polygons;
} vtp_counts;

/** Start a file of one frame at a time [s]. */
void vtp_start(vtp_file *v, FILE *f, double time);
/** A list of names as field data. */
void vtp_names(vtp_file *v, const char *title, size_t count, const char *const *names);
/** The end of field data. */
void vtp_piece(vtp_file *v, const vtp_counts *counts);
/** Open and close an element: "PointData", with the name of the array of normals or NULL. */
void vtp_open(vtp_file *v, const char *element, const char *normals);
void vtp_close(vtp_file *v, const char *element);
/** An array of count x width numbers, written by vtp_end. */
void vtp_array(vtp_file *v, const char *name, vtp_type type, size_t width, size_t count,
               const void *data);
/** Cells of an element: where corners of each end, and all corners. */
void vtp_cells(vtp_file *v, const char *element, size_t count, const int32_t *corners,
               size_t corner_count, const int32_t *ends);
/** The arrays, and the end of the file. Write errors are those of the stream. */
void vtp_end(vtp_file *v);

#endif
