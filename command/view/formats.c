/* SPDX-License-Identifier: Apache-2.0
 * view/formats.c: the formats of motions, and motions with fewer frames. */
#include <config.h>

#include <string.h>

#include "base/file.h"
#include "command/view/formats.h"

const motion_format *const motion_formats[] = {&motion_format_paraview,
                                               &motion_format_gltf, NULL};

const motion_format *motion_format_of(const char *path)
{
    for (const motion_format *const *f = motion_formats; *f; f++) {
        for (const char *word = (*f)->extensions; *word;) {
            size_t length = strcspn(word, " ");
            char extension[16] = {0};

            if (length < sizeof extension) {
                memcpy(extension, word, length);
            }
            if (perp_path_ends(path, extension)) {
                return *f;
            }
            word += length + (word[length] == ' ');
        }
    }
    return NULL;
}

const motion_format *motion_format_find(const char *name)
{
    for (const motion_format *const *f = motion_formats; *f; f++) {
        if (strcmp((*f)->name, name) == 0) {
            return *f;
        }
    }
    return NULL;
}

void motion_keep_every(motion *m, size_t every)
{
    size_t kept = 0;
    uint64_t contacts = 0;

    for (size_t f = 0; f < m->frame_count; f += every, kept++) {
        uint64_t first = motion_first_contact(m, f);
        uint64_t count = m->contact_end[f] - first;

        m->time[kept] = m->time[f];
        m->step[kept] = m->step[f];
        memmove(m->poses + 7 * kept * m->body_count, m->poses + 7 * f * m->body_count,
                7 * m->body_count * sizeof *m->poses);
        memmove(m->velocity + 6 * kept * m->body_count,
                m->velocity + 6 * f * m->body_count,
                6 * m->body_count * sizeof *m->velocity);
        if (count > 0) {
            memmove(m->contacts + contacts, m->contacts + first,
                    count * sizeof *m->contacts);
        }
        contacts += count;
        m->contact_end[kept] = contacts; /* kept <= f: later frames read behind it */
    }
    m->frame_count = kept;
}
