/* SPDX-License-Identifier: Apache-2.0
 * export/mjcf.h: a scene as a model of MuJoCo, in its format MJCF. docs/exports.md says what is
 * written, and how. */
#ifndef PERP_EXPORT_MJCF_H
#define PERP_EXPORT_MJCF_H

#include <perp/dynamics/scene.h>

enum { MJCF_NOTES = 8, MJCF_NOTE_LENGTH = 240 };

/** What a reader of the file should know, one line each. */
typedef struct mjcf_notes {
    size_t count, more; /**< lines here; notes beyond these */
    char line[MJCF_NOTES][MJCF_NOTE_LENGTH];
} mjcf_notes;

/** Write the scene at its start, completely or not at all; `source` stands for it in messages.
 *  PERP_ERR_UNSUITABLE: something that changes the mechanics and that MJCF cannot express, with
 *  its name; PERP_ERR_WRITE. */
perp_status mjcf_write(const perp_scene *scene, const char *source, const char *path,
                       mjcf_notes *notes, perp_error *err);

#endif
