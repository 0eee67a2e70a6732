/* SPDX-License-Identifier: Apache-2.0
 * view/gltf_file.h: the document and the bytes of a glTF file, and how they are written. */
#ifndef PERP_VIEW_GLTF_FILE_H
#define PERP_VIEW_GLTF_FILE_H

#include <jansson.h>
#include <stdint.h>

#include <perp/base.h>

/** A file that is put together. */
typedef struct gltf_file {
    json_t *root;
    unsigned char *bytes;
    size_t size, room;
} gltf_file;

/** What an accessor is read for. */
typedef enum gltf_use {
    GLTF_VERTICES,
    GLTF_SAMPLES, /**< of an animation */
} gltf_use;

void gltf_file_start(gltf_file *g);
void gltf_file_free(gltf_file *g);

/** Append to an array of the root; returns the number of the element. Takes the reference. */
size_t gltf_add(gltf_file *g, const char *array, json_t *element);
/** Append count x width numbers to the buffer, with their accessor, and return its number;
 *  `bounds`: the accessor has their least and largest values. */
size_t gltf_numbers(gltf_file *g, gltf_use use, size_t width, size_t count,
                    const float *numbers, bool bounds);
/** The same for corners of triangles, in 16 bits where the number of vertices allows it. */
size_t gltf_indices(gltf_file *g, size_t count, const uint32_t *numbers, size_t vertices);
/** Write as .glb, or as .gltf with the buffer as base64. */
perp_status gltf_file_write(gltf_file *g, const char *path, perp_error *err);

#endif
