/* SPDX-License-Identifier: Apache-2.0
 * cli/data.h: where the data that come with perp are: suites, figure scripts. */
#ifndef PERP_CLI_DATA_H
#define PERP_CLI_DATA_H

#include <jansson.h>

#include <perp/perp.h>

enum { DATA_PATH = 4096 };

/** The path of `name` ("experiments/suites/quick.json"), looked for in $PERP_DATA_DIR, in the source
 *  tree the executable was built from, and where perp is installed. */
perp_status data_find(const char *name, char path[DATA_PATH], perp_error *err);
/** The k-th of these folders; false when there is no such one. */
bool data_folder(size_t k, char path[DATA_PATH]);
/** The files of all these folders that match the pattern `files` ("experiments/scenes/NAME.json") as
 *  [{"name", "title", "file"}], the first folder first, as data_find takes them. The name of
 *  NAME/suite.json is NAME. `title` makes the text of one. */
json_t *data_list(const char *files, json_t *(*title)(const char *file));
/** Is there a regular file of this path? */
bool data_is_file(const char *path);
/** Is there a folder of this path? */
bool data_is_folder(const char *path);
/** Make the folder and those above it, unless they are there. PERP_ERR_WRITE: it cannot be made,
 *  or files cannot be written into it. */
perp_status data_make_folder(const char *dir, perp_error *err);
/** The path of this executable, or "perp" when it is unknown. */
void data_executable(char path[DATA_PATH]);
/** Length of the folder part of a path, its '/' included; 0: the current folder. */
size_t data_folder_length(const char *path);

#endif
