/* SPDX-License-Identifier: Apache-2.0
 * command/results/files.h: names of the files of a report, and how they are written. */
#ifndef PERP_REPORT_FILES_H
#define PERP_REPORT_FILES_H

#include "base/file.h"
#include "runs.h"

enum { FILE_NAME = 240 };

/** Name of the file of a set at a tolerance, and of one of its instances (or NULL),
 *  without an extension: "profile_contact_1e-08". Letters, digits and . _ - stay, others
 *  become _; no two files have the same name for all that. */
void run_table_file(char out[FILE_NAME], const char *kind, const run_table *t,
                    const char *instance);

/** Make DIR/name unless it exists. */
perp_status report_folder(const char *dir, const char *name, perp_error *err);

/** Open the file of that path, which is replaced when the new one is whole. */
perp_status report_open(perp_file_out *o, perp_error *err, const char *format, ...)
    PERP_PRINTF(3, 4);
/** Close it after writing ended with `status`: on PERP_OK it is installed, else removed. */
perp_status report_close(perp_file_out *o, perp_status status, perp_error *err);

#endif
