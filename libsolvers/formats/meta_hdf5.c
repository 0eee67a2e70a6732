/* SPDX-License-Identifier: Apache-2.0
 * formats/meta_hdf5.c: labels and origin of a problem as a text in an HDF5 file. FCLIB has no
 * place for them: they are in a group of their own, which its readers do not open. */
#include <config.h>

#include "meta_hdf5.h"

void perp_meta_h5_write(perp_h5_file *f, const char *inside, const perp_problem *p,
                        const perp_origin *shared)
{
    perp_error fault = {0};
    char *text = NULL;

    if (perp_meta_text(&text, p, shared, &fault) != PERP_OK) {
        perp_h5_write_fail(f, fault.status, inside, fault.text);
    }
    perp_h5_write_text(f, inside, text);
    free(text);
}

perp_status perp_meta_h5_read(const perp_h5_file *f, const char *inside, perp_problem *p,
                              const perp_origin *shared)
{
    char place[PERP_FILE_PATH_LENGTH + PERP_H5_PATH];
    char *text = NULL;
    perp_status status = perp_h5_text(f, inside, &text);

    if (status == PERP_OK && text) {
        perp_source from = {
            .name = place, .bytes = text, .size = strlen(text), .memory = true};

        snprintf(place, sizeof place, "%s:%s", f->path, inside);
        status = perp_meta_parse(p, &from, shared, NULL, f->err);
    }
    free(text);
    return status;
}
