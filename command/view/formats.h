/* SPDX-License-Identifier: Apache-2.0
 * view/formats.h: formats of motions: one file, one constant, one line in the list. */
#ifndef PERP_VIEW_FORMATS_H
#define PERP_VIEW_FORMATS_H

#include "command/view/motion.h"

typedef struct motion_format {
    const char *name;       /**< "paraview" */
    const char *extensions; /**< ".glb .gltf" */
    const char *summary;    /**< one line */
    perp_status (*write)(const motion *m, const char *path, perp_error *err);
} motion_format;

extern const motion_format motion_format_paraview, motion_format_gltf;

/** Ended by NULL. */
extern const motion_format *const motion_formats[];
/** The format of a path by its extension, or NULL. */
const motion_format *motion_format_of(const char *path);
/** The format of this name, or NULL. */
const motion_format *motion_format_find(const char *name);

/** Leave frame 0 and each `every`-th one after it. */
void motion_keep_every(motion *m, size_t every);

#endif
