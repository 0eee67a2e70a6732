/* SPDX-License-Identifier: Apache-2.0
 * verbs/suites.h: suites by name: a file, or one that comes with perp. */
#ifndef PERP_VERBS_SUITES_H
#define PERP_VERBS_SUITES_H

#include "command/cli/data.h"

/** The path of a suite: `name` itself where it is a file or can only be one, else
 *  experiments/suites/NAME.json or experiments/NAME/suite.json among the data. PERP_ERR_READ: there is none. */
perp_status suite_find(const char *verb, const char *name, char path[DATA_PATH],
                       perp_error *err);
/** The suites of every data folder, and the studies: [{"name", "title", "file"}, …]. */
json_t *suite_list(void);
/** True for the name of a suite that comes with perp, and for a JSON file with sets and no b. */
bool suite_detect(const char *name);

#endif
