/* SPDX-License-Identifier: Apache-2.0
 * view/pack_contacts.c: the contacts of frames, all of them or those of every k-th frame. */
#include <config.h>

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "command/cli/take.h"
#include "command/view/pack_arrays.h"

/* Bytes of a contact in all arrays together. */
enum { PACK_CONTACT = 8 + 6 + 6 + 12 + 4 + 4 + 4 + 1 };

/* The contacts that are kept, and the numbers that belong to all of them. */
typedef struct pack_kept {
    const motion_contact **at;
    size_t count;
    double low[3], high[3], strongest;
} pack_kept;

static size_t frame_contacts(const motion *m, size_t f)
{
    return (size_t)(m->contact_end[f] - motion_first_contact(m, f));
}

/* Of every k-th frame, counted from the last one. */
static size_t pack_stride(const motion *m, size_t bytes)
{
    size_t stride = 1;

    for (;; stride++) {
        size_t count = 0;

        for (size_t f = 0; f < m->frame_count; f++) {
            count += (m->frame_count - 1 - f) % stride == 0 ? frame_contacts(m, f) : 0;
        }
        if (count <= bytes / PACK_CONTACT || stride >= m->frame_count) {
            return stride;
        }
    }
}

static void pack_measure(pack_kept *kept)
{
    for (size_t k = 0; k < 3; k++) {
        kept->low[k] = INFINITY;
        kept->high[k] = -INFINITY;
    }
    for (size_t c = 0; c < kept->count; c++) {
        const motion_contact *contact = kept->at[c];
        double impulse =
            hypot(hypot(contact->impulse[0], contact->impulse[1]), contact->impulse[2]);

        kept->strongest = fmax(kept->strongest, impulse);
        for (size_t k = 0; k < 3; k++) {
            kept->low[k] = fmin(kept->low[k], contact->point[k]);
            kept->high[k] = fmax(kept->high[k], contact->point[k]);
        }
    }
    for (size_t k = 0; k < 3 && kept->count == 0; k++) {
        kept->low[k] = kept->high[k] = 0.0;
    }
}

/* The arrays of a contact: three numbers each, or one. */
static perp_status pack_vectors(view_pack *pack, const pack_kept *kept, perp_error *err)
{
    uint16_t *point =
        pack_array_add(pack, "contact_point", PACK_U16, kept->count, 3, false, err);
    int16_t *normal = NULL;
    float *impulse = NULL;

    for (size_t i = 0; point && i < 3 * kept->count; i++) {
        double width = kept->high[i % 3] - kept->low[i % 3];
        double x = kept->at[i / 3]->point[i % 3] - kept->low[i % 3];

        point[i] = (uint16_t)lround(width > 0.0 ? 65535.0 * x / width : 0.0);
    }
    normal = point ? pack_array_add(pack, "contact_normal", PACK_I16, kept->count, 3,
                                    false, err)
                   : NULL;
    for (size_t i = 0; normal && i < 3 * kept->count; i++) {
        normal[i] = (int16_t)lround(
            32767.0 * fmin(fmax(kept->at[i / 3]->normal[i % 3], -1.0), 1.0));
    }
    impulse = normal ? pack_array_add(pack, "contact_impulse", PACK_F32, kept->count, 3,
                                      false, err)
                     : NULL;
    for (size_t i = 0; impulse && i < 3 * kept->count; i++) {
        impulse[i] = (float)kept->at[i / 3]->impulse[i % 3];
    }
    return impulse ? PERP_OK : err->status;
}

static perp_status pack_numbers_of(view_pack *pack, const pack_kept *kept,
                                   perp_error *err)
{
    static const struct {
        const char *name;
        size_t offset;
    } reals[] = {
        {"contact_gap", offsetof(motion_contact, gap)},
        {"contact_mu", offsetof(motion_contact, mu)},
        {"contact_residual", offsetof(motion_contact, residual)},
    };
    uint8_t *status = NULL;
    int32_t *body =
        pack_array_add(pack, "contact_body", PACK_I32, kept->count, 2, false, err);

    for (size_t i = 0; body && i < 2 * kept->count; i++) {
        body[i] = kept->at[i / 2]->body[i % 2];
    }
    for (size_t k = 0; body && k < sizeof reals / sizeof *reals; k++) {
        float *to =
            pack_array_add(pack, reals[k].name, PACK_F32, kept->count, 1, false, err);

        if (!to) {
            return err->status;
        }
        for (size_t c = 0; c < kept->count; c++) {
            double x = 0.0;

            memcpy(&x, (const char *)kept->at[c] + reals[k].offset, sizeof x);
            to[c] = (float)x;
        }
    }
    status =
        body ? pack_array_add(pack, "contact_status", PACK_U8, kept->count, 1, false, err)
             : NULL;
    for (size_t c = 0; status && c < kept->count; c++) {
        status[c] = (uint8_t)kept->at[c]->status;
    }
    return status ? PERP_OK : err->status;
}

/* What the head says of them. */
static perp_status pack_contact_head(view_pack *pack, const pack_kept *kept,
                                     json_t *frames, perp_error *err)
{
    double error = 0.0;
    json_t *head = NULL;

    for (size_t k = 0; k < 3; k++) {
        error = fmax(error, (kept->high[k] - kept->low[k]) / 65535.0 / 2.0);
    }
    head =
        json_pack("{s:o, s:[[f,f,f],[f,f,f]], s:f, s:f}", "frames", frames, "box",
                  kept->low[0], kept->low[1], kept->low[2], kept->high[0], kept->high[1],
                  kept->high[2], "impulse", kept->strongest, "position_error", error);
    return json_object_set_new(pack->head, "contacts", head) == 0
               ? PERP_OK
               : perp_fail(err, PERP_ERR_DATA, "the page: a contact is not finite");
}

perp_status pack_contacts(view_pack *pack, const motion *m, size_t contact_bytes,
                          perp_error *err)
{
    size_t stride = pack_stride(m, contact_bytes);
    size_t all = m->frame_count ? (size_t)m->contact_end[m->frame_count - 1] : 0;
    size_t frames = m->frame_count ? (m->frame_count - 1) / stride + 1 : 0;
    pack_kept kept = {.at = take(all + 1, sizeof *kept.at)};
    uint32_t *end = pack_array_add(pack, "contact_end", PACK_U32, frames, 1, false, err);
    json_t *list = json_array();
    size_t row = 0;
    perp_status status = PERP_OK;

    for (size_t f = 0; f < m->frame_count && status == PERP_OK; f++) {
        if ((m->frame_count - 1 - f) % stride != 0) {
            continue;
        }
        for (size_t c = 0; c < frame_contacts(m, f); c++) {
            kept.at[kept.count++] = &m->contacts[motion_first_contact(m, f) + c];
        }
        end[row++] = (uint32_t)kept.count;
        json_array_append_new(list, json_integer((json_int_t)f));
    }
    pack_measure(&kept);
    if (status == PERP_OK) {
        status = pack_contact_head(pack, &kept, json_incref(list), err);
    }
    if (status == PERP_OK) {
        status = pack_vectors(pack, &kept, err);
    }
    if (status == PERP_OK) {
        status = pack_numbers_of(pack, &kept, err);
    }
    json_decref(list);
    free(kept.at);
    return status;
}
