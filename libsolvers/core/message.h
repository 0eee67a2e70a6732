/* SPDX-License-Identifier: Apache-2.0
 * core/message.h: what messages and checks of arguments share. Private. */
#ifndef PERP_CORE_MESSAGE_H
#define PERP_CORE_MESSAGE_H

#include <stdarg.h>

#include <perp/solver_type.h>

/** Make it empty, with status PERP_OK; `err` may be NULL. */
void perp_error_clear(perp_error *err);

/** Put the solver's name, "ds:mpgp: …", before a sentence, in place of a shorter name if there is
 *  one. `room`: bytes of the text. */
void perp_message_name_solver(char *text, size_t room, const perp_solver_type *type,
                              const perp_options *opt);
/** End a text with "..." if it needed more bytes than `room`. */
void perp_message_ellipsis(char *text, size_t room, size_t wanted);
/** vsnprintf that ends a text which does not fit in "...". */
void perp_message_write(char *text, size_t room, const char *format, va_list args);

/** For the first line of a public function: make err empty, and fail with
 *  PERP_ERR_ARGUMENT unless `complete`: no argument that the function requires is
 *  NULL. */
perp_status perp_check_arguments(bool complete, const char *function, perp_error *err);

/** Narrow to the integers of BLAS and LAPACK; PERP_ERR_DATA beyond INT_MAX. */
perp_status perp_blas_int(size_t n, int *out, perp_error *err);

#endif
