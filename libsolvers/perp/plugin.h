/* SPDX-License-Identifier: Apache-2.0
 * perp/plugin.h: solvers in a shared object that the command loads: perp solve --plugin FILE.
 *
 * A plugin is one C file that ends with
 *
 *     PERP_PLUGIN_SOLVERS(&mine, &other);
 *
 * and is compiled by
 *
 *     cc -shared -fPIC mine.c -o libmine.so $(pkg-config --cflags perp-solvers)
 *
 * It is not linked with libperp-solvers: the command that loads it has the functions. Types are
 * constant data and are borrowed. The command refuses a plugin that was compiled with headers
 * of another interface. */
#ifndef PERP_PLUGIN_H
#define PERP_PLUGIN_H

#include <perp/solver_type.h>

/** Version of the interface between a plugin and the command; it rises when a member or a
 *  function changes its meaning. Changed structs are noticed by their sizes. */
#define PERP_PLUGIN_INTERFACE 1

/** What a plugin was compiled with: the version, and sizes in bytes of what it shares with the
 *  command. */
typedef struct perp_plugin_headers {
    size_t interface; /**< PERP_PLUGIN_INTERFACE */
    size_t type;      /**< of perp_solver_type */
    size_t problem;   /**< of perp_problem */
    size_t options;   /**< of perp_options */
    size_t result;    /**< of perp_result */
} perp_plugin_headers;

/** The value of perp_plugin_headers for the headers that are included. */
#define PERP_PLUGIN_HEADERS                                                              \
    {                                                                                    \
        PERP_PLUGIN_INTERFACE, sizeof(perp_solver_type), sizeof(perp_problem),           \
            sizeof(perp_options), sizeof(perp_result)                                    \
    }

/** Define the two symbols of a plugin, outside of all functions: the addresses of its solvers,
 *  at least one, and what it was compiled with. */
#define PERP_PLUGIN_SOLVERS(...)                                                         \
    PERP_BEGIN_DECLS                                                                     \
    extern const perp_plugin_headers perp_plugin_compiled_with;                          \
    extern const perp_solver_type *const perp_plugin_solvers[];                          \
    PERP_END_DECLS                                                                       \
    const perp_plugin_headers perp_plugin_compiled_with = PERP_PLUGIN_HEADERS;           \
    const perp_solver_type *const perp_plugin_solvers[] = {__VA_ARGS__, NULL}

#endif
