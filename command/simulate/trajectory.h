/* SPDX-License-Identifier: Apache-2.0
 * simulate/trajectory.h: a run as one HDF5 file; docs/trajectory.md describes the layout.
 *
 * Columns grow row by row along an axis: one row per step, per frame, or per contact of a
 * frame. Rows are gathered in memory and written together; a checkpoint says how many rows
 * of each axis belong to it, and with what state the stepper goes on from there; that state
 * takes the place of an older one, never that of the last checkpoint. The file
 * is in HDF5's single-writer mode from its first byte at its place to its end, where
 * metadata are written in an order that leaves a readable file at each moment: whenever
 * the run is killed, all rows up to the last checkpoint are there. What stands beyond it
 * is cut off by a resume, which copies the good part to a new file before it takes the
 * place of the old. */
#ifndef PERP_SIMULATE_TRAJECTORY_H
#define PERP_SIMULATE_TRAJECTORY_H

#include "base/hdf5.h"

/** What columns grow along. */
typedef enum trajectory_axis {
    TRAJECTORY_STEP,       /* the start, and each step */
    TRAJECTORY_FRAME,      /* each frame: the start, and each so many steps */
    TRAJECTORY_CONTACT,    /* contacts of frames, one frame after the other */
    TRAJECTORY_IMPULSE,    /* rows of frames, the same */
    TRAJECTORY_NAME,       /* names of rows that occurred */
    TRAJECTORY_STATE,      /* numbers of states: the last, and room of earlier ones */
    TRAJECTORY_CHECKPOINT, /* checkpoints; last, since written last */
    TRAJECTORY_AXES
} trajectory_axis;

/** The columns that every file has, metrics aside. */
typedef enum trajectory_column_id {
    TRAJECTORY_T,       /* of a step: its end [s] */
    TRAJECTORY_OUTCOME, /* int32: a perp_outcome */
    TRAJECTORY_DRIFT,   /* joints x 2: length [m], angle [rad] */
    TRAJECTORY_FRAME_TIME,
    TRAJECTORY_FRAME_STEP,  /* uint64 */
    TRAJECTORY_POSES,       /* bodies x 7 */
    TRAJECTORY_VELOCITIES,  /* bodies x 6 */
    TRAJECTORY_CONTACT_END, /* uint64: contacts of all frames up to this one */
    TRAJECTORY_POINT,       /* 3 */
    TRAJECTORY_NORMAL,      /* 3 */
    TRAJECTORY_GAP,
    TRAJECTORY_CONTACT_IMPULSE, /* 3 */
    TRAJECTORY_BODIES,          /* int32: i, j */
    TRAJECTORY_KEY,             /* uint64 */
    TRAJECTORY_MU,
    TRAJECTORY_STATUS,      /* uint8: a sim_touch */
    TRAJECTORY_RESIDUAL,    /* of its block */
    TRAJECTORY_LAMBDA_END,  /* uint64 */
    TRAJECTORY_LAMBDA_NAME, /* int32: a row of the names */
    TRAJECTORY_LAMBDA,
    TRAJECTORY_LAMBDA_NAMES, /* `name_room` bytes */
    TRAJECTORY_STATE_VALUES,
    TRAJECTORY_STATE_START,   /* uint64: its first number among the values */
    TRAJECTORY_STATE_END,     /* uint64: one behind its last */
    TRAJECTORY_STATE_STEP,    /* uint64 */
    TRAJECTORY_STATE_COUNTS,  /* uint64 x TRAJECTORY_AXES: rows that belong to it */
    TRAJECTORY_STATE_SUMMARY, /* summary_size numbers */
    TRAJECTORY_FIXED
} trajectory_column_id;

struct perp_world;

/** What stands in /meta, and what sizes the columns. Borrowed while a file is created. */
typedef struct trajectory_head {
    size_t body_count, joint_count, metric_count, summary_size;
    const char *const *bodies, *const *joints; /* names */
    const char *const *metrics, *const *units; /* of metrics */
    const char *const *attributes;             /* name, text, name, text, …, NULL */
    const char *scene, *settings;              /* texts */
    size_t name_room;                          /* bytes of a name of a row */
    const struct perp_world
        *world; /* what is drawn: bodies, shapes, joints; NULL: none */
    double dt;  /* of a step [s] */
} trajectory_head;

/** A file that is there, to be read. Zero it; Call trajectory_shut even after a failed open. */
typedef struct trajectory_file {
    perp_h5_file file;
    uint64_t count[TRAJECTORY_AXES]; /* rows that belong to the last checkpoint */
    uint64_t step;                   /* of that checkpoint */
    size_t body_count, joint_count;
    size_t name_room; /* bytes of a name of a row; 0: there is no such dataset */
    int layout;       /* 0: not given */
    uint64_t
        first; /* the step of the first row of steps: 0, the start; 1 before layout 4 */
} trajectory_file;

/** The layout that this perp writes and continues. */
enum { TRAJECTORY_LAYOUT = 4, TRAJECTORY_LAYOUT_SHAPES = 3 /* the first with them */ };
#define TRAJECTORY_LAYOUT_TEXT "4"
/** Stands in the column of outcomes for the start. */
enum { TRAJECTORY_OUTCOME_START = -1 };

/** Open, also what a killed run left: without a checkpoint all counts are 0. */
perp_status trajectory_open(trajectory_file *f, const char *path, perp_error *err);
void trajectory_shut(trajectory_file *f);
/** Read all that belongs to the last checkpoint, as `trajectory_create` will: PERP_ERR_READ where
 *  a block is damaged. */
perp_status trajectory_check(const trajectory_file *f, const trajectory_head *head);
/** A text of /meta ("scene", "settings"), on the heap. */
perp_status trajectory_text(const trajectory_file *f, const char *name, char **text);
/** The names in /meta/NAME, "bodies" or "joints", as one block of the heap that free releases;
 *  NULL and 0: there are none. */
perp_status trajectory_names(const trajectory_file *f, const char *name, char ***names,
                             size_t *count);
/** The same of any list of texts, by its path in the file. */
perp_status trajectory_names_at(const trajectory_file *f, const char *path, char ***names,
                                size_t *count);
/** Rows first .. first + count of a fixed column, or of metric k when id is
 *  TRAJECTORY_FIXED + k, of which `name` is the name (else NULL). */
perp_status trajectory_read(const trajectory_file *f, size_t id, const char *name,
                            size_t first, size_t count, void *rows);
/** Where the state of the last checkpoint stands among the values; there must be one. */
perp_status trajectory_state_place(const trajectory_file *f, uint64_t *start,
                                   uint64_t *end);
/** The state of the last checkpoint, on the heap, and its size; there must be one. */
perp_status trajectory_state(const trajectory_file *f, double **state, size_t *size);
/** The summary of the last checkpoint, `size` numbers; there must be one. PERP_ERR_FORMAT:
 *  another number of them, of another version of perp. */
perp_status trajectory_summary(const trajectory_file *f, size_t size, double *summary);

typedef struct trajectory trajectory;

/** A new file at `path`, in place of one there; with the rows of `old` (NULL: none) up to
 *  its last checkpoint. */
perp_status trajectory_create(trajectory **t, const char *path,
                              const trajectory_head *head, const trajectory_file *old,
                              perp_error *err);
/** Append one row to a fixed column, or to metric k with id TRAJECTORY_FIXED + k. What
 *  has no width (joints of a world without any) is passed over. */
perp_status trajectory_append(trajectory *t, size_t id, const void *row);
/** Rows of an axis so far. */
uint64_t trajectory_count(const trajectory *t, trajectory_axis axis);
/** Append a checkpoint and write all that was put. */
perp_status trajectory_checkpoint(trajectory *t, uint64_t step, const double *state,
                                  size_t size, const double *summary);
/** Close and free; no-op for NULL. Rows after the last checkpoint are not kept. */
perp_status trajectory_close(trajectory *t);

#endif
