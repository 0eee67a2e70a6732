/* SPDX-License-Identifier: Apache-2.0
 * cli/output_format.h: printf whose texts cannot harm a terminal. */
#ifndef PERP_CLI_OUTPUT_FORMAT_H
#define PERP_CLI_OUTPUT_FORMAT_H

#include <stdarg.h>

/** As vasprintf, but the text of each %s is shown as perp_text_show does (base/text.h): a newline, an
 *  escape or a mark of direction in a name becomes "\n", "\x1b", "\u202e". Those of the format
 *  itself stay. A width counts characters. Conversions: d i u x X o c s p and those of reals, with
 *  h, hh, l, ll, z. */
char *output_format(const char *format, va_list args);

#endif
