/* SPDX-License-Identifier: Apache-2.0
 * formats/npz.h: the parts of the npz format. Private. */
#ifndef PERP_FORMATS_NPZ_H
#define PERP_FORMATS_NPZ_H

#include "formats.h"

perp_status perp_npz_write(perp_file_out *out, const perp_problem *p, const char *kind,
                           perp_error *err);

#endif
