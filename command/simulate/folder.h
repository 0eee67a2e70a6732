/* SPDX-License-Identifier: Apache-2.0
 * simulate/folder.h: the folder that a run is written to. */
#ifndef PERP_SIMULATE_FOLDER_H
#define PERP_SIMULATE_FOLDER_H

#include "command/cli/replace.h"

typedef struct sim_folder {
    const char *name;   /**< of the scene */
    const char *output; /**< as typed, or NULL */
    bool resume, force;
    char dir[DATA_PATH];   /**< where to write */
    char end[DATA_PATH];   /**< where it will be */
    char first[DATA_PATH]; /**< NAME.perp */
    replace replacing;     /**< with `force` */
    const char
        *taken; /**< `first`, where it was taken and another one is used; or NULL */
} sim_folder;

/** Choose the folder: that typed; NAME.perp; NAME-2.perp and so on where it exists. A folder
 *  without -o is made at once, so that no other process chooses it. */
perp_status sim_folder_open(sim_folder *f, perp_error *err);
/** After the run: replace the old one if `whole`, else report where the new one is; remove a
 *  folder in which nothing was written. *status: of the run, and on return of both. */
void sim_folder_close(sim_folder *f, bool whole, perp_status *status, perp_error *err);

#endif
