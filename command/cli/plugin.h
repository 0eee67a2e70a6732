/* SPDX-License-Identifier: Apache-2.0
 * cli/plugin.h: the solvers that the command knows: the built-in ones, and those of shared
 * objects that --plugin or a suite names (<perp/plugin.h>, docs/plugin.md). */
#ifndef PERP_CLI_PLUGIN_H
#define PERP_CLI_PLUGIN_H

#include <stdio.h>

#include <jansson.h>

#include <perp/plugin.h>

#include "command/cli/args.h"

#define PLUGIN_OPTION                                                                    \
    {                                                                                    \
        "plugin", 0, "FILE",                                                             \
            "load the solvers of this shared object, see docs/plugin.md; repeatable"     \
    }

/** Most plugins of a process. */
enum { PLUGIN_MOST = 16 };

/** Load a shared object and register its solvers; one that is loaded already is left as it is.
 *  PERP_ERR_OPTION: it cannot be loaded, is no plugin, was compiled with other headers, or has a
 *  solver that cannot be registered. */
perp_status plugin_load(const char *file, perp_error *err);
/** Load those of all options --plugin that were typed. */
perp_status plugin_load_typed(const cli_args *args, perp_error *err);
/** Unload all; types and options of them must no longer be used. */
void plugin_unload(void);

/** The files, as they were named, in the order of loading; NULL behind the last. */
const char *plugin_file(size_t k);
/** Is the solver that these options are for, or its inner one, of a plugin? */
bool plugin_is_used(const perp_options *opt);
/** [{"solver": "mine", "file": "libmine.so", "hash": "…"}]: the plugins of the solver that the
 *  options are for and of its inner one; of a chain all that are loaded, whose solvers it may name. */
json_t *plugin_json(const perp_options *opt);

/** The member "plugins" of a record, or NULL: is it of the same files as those that plugin_json
 *  lists, by their hashes? */
bool plugin_is_same(const json_t *stored, const perp_options *opt);

/** "plugin = mine HASH", one line for each of them. */
void plugin_print(FILE *out, const perp_options *opt);

/** All solvers, ended by NULL: the built-in ones, then those of plugins. Valid until the next
 *  plugin_load. */
const perp_solver_type *const *plugin_solvers(void);
/** perp_solver_parse among all solvers. */
perp_status plugin_parse(const char *name, const perp_solver_type **type,
                         perp_options *opt, perp_error *err);

#endif
