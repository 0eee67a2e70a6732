/* SPDX-License-Identifier: Apache-2.0
 * base/text.h: texts that come from outside: names of files, members of documents, messages of
 * other programs. Which of their bytes a terminal and a JSON document can hold. */
#ifndef PERP_BASE_TEXT_H
#define PERP_BASE_TEXT_H

#include <perp/base.h>

/** Bytes of the character at the front: UTF-8 as RFC 3629 defines it, without overlong forms,
 *  surrogates and code points beyond U+10FFFF. 0: the first byte begins none. At the end of
 *  the text 0, too. *code: its code point; may be NULL. */
size_t perp_text_character(const char *text, uint32_t *code);

/** Does the code point change a terminal, or what stands around it, instead of showing a sign?
 *  Control characters, line and paragraph separators, marks of direction (U+202E and its like),
 *  characters without width, tags. */
bool perp_text_is_control(uint32_t code);

/** The first bytes of the text that are shown as they are. */
size_t perp_text_shown(const char *text);

/** Longest result of perp_text_mark, with its end: "\U0010ffff". */
enum { PERP_TEXT_MARK = 12 };
/** The mark that stands for the character at the front, which perp_text_shown does not show: \n, \t,
 *  \r, \x1b, \u202e, and \xff for a byte that is not UTF-8. Returns the bytes that it
 *  stands for. */
size_t perp_text_mark(const char *text, char mark[PERP_TEXT_MARK]);

/** The text in one line that a terminal can show: marks in place of all characters that are not
 *  shown. What does not fit is cut at the end of a character or a mark. Returns the length. */
size_t perp_text_show(char *out, size_t room, const char *text);
/** The same on the heap; NULL: no memory. */
char *perp_text_shown_new(const char *text);
/** The same in place, in a buffer of so many bytes. Where it is full, a character of which only a part
 *  fitted is dropped. */
void perp_text_show_in(char *text, size_t room);

bool perp_text_is_utf8(const char *text);
/** The text as valid UTF-8 on the heap, two different texts different: \xff for a byte that is
 *  not UTF-8; a backslash before x and two digits becomes \x5c. NULL: no memory. */
char *perp_text_utf8(const char *text);

/** A name in at most room - 1 bytes: a longer one is cut at the end of a character and ends in
 *  "~" and 16 digits of its hash. room > 32. */
void perp_text_shorten(char *out, size_t room, const char *text);

#endif
