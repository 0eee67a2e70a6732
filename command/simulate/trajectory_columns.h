/* SPDX-License-Identifier: Apache-2.0
 * simulate/trajectory_columns.h: what the columns of a trajectory are. Private. */
#ifndef PERP_SIMULATE_TRAJECTORY_COLUMNS_H
#define PERP_SIMULATE_TRAJECTORY_COLUMNS_H

#include "command/simulate/trajectory.h"

/** Sizes that a table cannot know; in the place of an extent of a row. */
enum { OF_BODIES = -1, OF_JOINTS = -2, OF_SUMMARY = -3 };

typedef enum column_kind {
    COLUMN_REAL,
    COLUMN_INTEGER, /* int32 */
    COLUMN_WORD,    /* uint64 */
    COLUMN_BYTE,    /* uint8 */
    COLUMN_TEXT,    /* `name_room` bytes, ended by 0 */
} column_kind;

/** A row of the table: extents of a row after the axis, 0 for none. */
typedef struct column_spec {
    const char *path, *unit;
    column_kind kind;
    trajectory_axis axis;
    int extent[2];
} column_spec;

extern const column_spec trajectory_columns[TRAJECTORY_FIXED];

/** What a row of a column is; metrics have the spec of a real number a step. */
const column_spec *column_spec_of(size_t id);
/** The path in the file, for a metric made of its name. */
void column_path(size_t id, const char *metric, char path[PERP_H5_PATH]);
/** Bytes of one entry, in memory; `name_room` is that of the file. */
size_t column_entry(column_kind kind, size_t name_room);
/** HDF5's types; to be closed by the caller. */
hid_t column_memory_type(column_kind kind, size_t name_room);
hid_t column_file_type(column_kind kind, size_t name_room);

/** The groups, attributes and texts of a file, and what is drawn of its world: all that stands
 *  before its first row. */
perp_status trajectory_write_meta(perp_h5_file *f, const trajectory_head *head);
/** Texts of one length, that of the longest, as an array. */
perp_status trajectory_write_names(const perp_h5_file *f, const char *path, size_t count,
                                   const char *const *names);
/** Bodies, shapes and joints of head->world. */
perp_status trajectory_write_model(perp_h5_file *f, const trajectory_head *head);

#endif
