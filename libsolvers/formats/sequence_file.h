/* SPDX-License-Identifier: Apache-2.0
 * formats/sequence_file.h: what the two ways to keep a sequence on disk share. Private. */
#ifndef PERP_FORMATS_SEQUENCE_FILE_H
#define PERP_FORMATS_SEQUENCE_FILE_H

#include "core/sequence_type.h"
#include "formats.h"

/** What both call themselves, and the version of both. */
#define SEQUENCE_FORMAT PERP_SEQUENCE_FORMAT
enum { SEQUENCE_VERSION = PERP_SEQUENCE_VERSION, SEQUENCE_NAME = 256 };

/** Is this HDF5 file a sequence? Is this folder? */
bool perp_sequence_hdf5_detect(const char *path);
bool perp_sequence_folder_detect(const char *path);

perp_status perp_sequence_hdf5_open(perp_sequence **s, const char *path, perp_error *err);
perp_status perp_sequence_folder_open(perp_sequence **s, const char *path,
                                      perp_error *err);

perp_status perp_sequence_hdf5_write(const perp_sequence *s, const char *path,
                                     perp_error *err);
perp_status perp_sequence_folder_write(const perp_sequence *s, const char *path,
                                       const char *format, perp_error *err);

/** A factored matrix is in no file of a folder. */
perp_status perp_sequence_holds(const perp_sequence_item *step, size_t i,
                                const char *path, perp_error *err);

#endif
