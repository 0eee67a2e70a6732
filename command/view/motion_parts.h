/* SPDX-License-Identifier: Apache-2.0
 * view/motion_parts.h: the files that make a motion. Private. */
#ifndef PERP_VIEW_MOTION_PARTS_H
#define PERP_VIEW_MOTION_PARTS_H

#include "command/view/motion.h"

/** A copy of a text, valid UTF-8, that belongs to the motion. */
void motion_text(motion *m, const char *text, const char **copy);

/** Bodies, shapes and joints from the file of a run. */
perp_status motion_read_model(motion *m, const trajectory_file *f);
/** Frames with their contacts, steps and metrics. */
perp_status motion_read_frames(motion *m, const trajectory_file *f);
/** `count` elements of `bytes` each, zeroed; `path` and what the file can hold are checked:
 *  a row takes at least `stored` bytes of it (0: it takes none). */
perp_status motion_take(const trajectory_file *f, const char *path, uint64_t count,
                        size_t bytes, size_t stored, void **rows);

/** Colours of the shapes for which `given` is false. */
void motion_choose_colours(motion *m, const bool *given);

/** Shapes for moving bodies that have none: a ball and rods to the anchors of the joints. */
void motion_add_sticks(motion *m);

#endif
