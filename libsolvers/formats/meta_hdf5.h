/* SPDX-License-Identifier: Apache-2.0
 * formats/meta_hdf5.h: labels and origin of a problem as a text in an HDF5 file. Private. */
#ifndef PERP_FORMATS_META_HDF5_H
#define PERP_FORMATS_META_HDF5_H

#include "base/hdf5.h"
#include "meta.h"

/** The text of the problem in an FCLIB file, or of what the items of a sequence share. */
#define PERP_META_H5 "/perp/meta"

/** Write the text `inside`; nothing when p has neither labels nor origin. */
void perp_meta_h5_write(perp_h5_file *f, const char *inside, const perp_problem *p,
                        const perp_origin *shared);
/** Read it into p if it is there. */
perp_status perp_meta_h5_read(const perp_h5_file *f, const char *inside, perp_problem *p,
                              const perp_origin *shared);

#endif
