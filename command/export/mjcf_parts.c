/* SPDX-License-Identifier: Apache-2.0
 * export/mjcf_parts.c: refusals, notes, and attributes of MJCF. */
#include <config.h>

#include <stdarg.h>

#include "base/number.h"
#include "command/cli/output.h"
#include "command/cli/take.h"
#include "command/export/mjcf_parts.h"

void mjcf_refuse(mjcf *m, const char *format, ...)
{
    char text[512];
    va_list list;

    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (m->status == PERP_OK) {
        m->status = perp_fail(m->err, PERP_ERR_UNSUITABLE, "%s: %s", m->source, text);
    }
}

void mjcf_note(mjcf *m, const char *format, ...)
{
    va_list list;

    if (!m->notes) {
        return;
    }
    if (m->notes->count < MJCF_NOTES) {
        va_start(list, format);
        vsnprintf(m->notes->line[m->notes->count++], MJCF_NOTE_LENGTH, format, list);
        va_end(list);
    } else {
        m->notes->more++;
    }
}

void mjcf_reals(mjcf *m, const char *name, const double *x, size_t count)
{
    fprintf(m->f, " %s=\"", name);
    for (size_t k = 0; k < count; k++) {
        char text[PERP_NUMBER_LENGTH];

        perp_number_format(text, x[k]);
        fprintf(m->f, k ? " %s" : "%s", text);
    }
    fputc('"', m->f);
}

void mjcf_real(mjcf *m, const char *name, double x)
{
    mjcf_reals(m, name, &x, 1);
}

bool mjcf_is_text(const char *text)
{
    for (const char *c = text; *c; c++) {
        if ((unsigned char)*c < 0x20) {
            return false;
        }
    }
    return true;
}

char *mjcf_escaped(const char *text)
{
    char *out = NULL;
    size_t length = 0;
    FILE *f = take_stream(&out, &length);

    output_markup(f, text);
    take_stream_end(f);
    return out;
}
