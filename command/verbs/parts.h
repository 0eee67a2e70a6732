/* SPDX-License-Identifier: Apache-2.0
 * verbs/parts.h: lists of the parts of scenes, and of what is measured, as JSON arrays. */
#ifndef PERP_VERBS_PARTS_H
#define PERP_VERBS_PARTS_H

#include <jansson.h>

#include "command/cli/args.h"

json_t *parts_joints(void);
json_t *parts_mobilizers(void);
json_t *parts_shapes(void);
json_t *parts_forces(void);
json_t *parts_exports(void); /* formats of runs and of scenes */
json_t *parts_integrators(void);
json_t *parts_broad(void);
json_t *parts_narrow(void);
/** The measures of a solution and the metrics of a simulation. */
json_t *parts_metrics(void);

/** `perp info --joint NAME`. */
perp_status parts_info_joint(const cli_args *args, const char *name, perp_error *err);

#endif
