/* SPDX-License-Identifier: Apache-2.0
 * perp/external.h: other codes as solvers.
 *
 * Another code solves in a child process: a program that is given an instance file and writes a
 * solution file (docs/exec.md). Nothing of it is loaded into this process. Its solvers have the
 * name of the code before a colon, "glpk:milp"; perp_solver_parse finds them as it finds
 * perp's own, and perp_solve limits and judges them alike. "exec:COMMAND" runs any program. */
#ifndef PERP_EXTERNAL_H
#define PERP_EXTERNAL_H

#include <perp/solver_type.h>

PERP_BEGIN_DECLS

/** Another code: the program that runs it, and its solvers. */
typedef struct perp_code {
    const char *name;    /**< the part before the colon: "glpk" */
    const char *title;   /**< for lists: "GNU Linear Programming Kit" */
    const char *program; /**< "perp-glpk"; NULL: a command that the caller names */
    const char *package; /**< what to install so that configure finds it: "libglpk-dev" */
    const char *format;  /**< of the instance file that the program gets; NULL: "npz" */
    const perp_solver_type *types; /**< ended by a type without a name */
} perp_code;

/** All codes that perp can run, whether or not they are here; ended by NULL. */
const perp_code *const *perp_codes(size_t *count);
/** The path of the program of a code, at most `length` bytes with the end; false when it was
 *  not found: in the folder PERP_CODES of the environment, where that is set; else in the
 *  folder interop/codes beside the running executable, then in ../libexec/perp seen from
 *  there, then where perp was meant to be installed. */
bool perp_code_program(const perp_code *code, char *path, size_t length);
/** The version of the code, by its own word: runs the program. PERP_ERR_UNSUITABLE when the
 *  program was not found, PERP_ERR_LIBRARY when it does not say. */
perp_status perp_code_version(const perp_code *code, char *text, size_t length,
                              perp_error *err);

PERP_END_DECLS

#endif
