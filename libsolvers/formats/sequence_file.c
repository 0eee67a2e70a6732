/* SPDX-License-Identifier: Apache-2.0
 * formats/sequence_file.c: sequences on disk, one HDF5 file or a folder, behind one pair of
 * calls; and a step of either as an instance, by the number of a case. */
#include <config.h>

#include <locale.h>
#include <sys/stat.h>

#include "sequence_file.h"

bool perp_sequence_detect(const char *path)
{
    struct stat st;

    if (stat(path, &st) != 0) {
        return false;
    }
    return S_ISDIR(st.st_mode) ? perp_sequence_folder_detect(path)
                               : perp_sequence_hdf5_detect(path);
}

perp_status perp_sequence_open(perp_sequence **s, const char *path, perp_error *err)
{
    struct stat st;

    *s = NULL;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode)
               ? perp_sequence_folder_open(s, path, err)
               : perp_sequence_hdf5_open(s, path, err);
}

perp_status perp_sequence_write(const perp_sequence *s, const char *path,
                                const char *format, perp_error *err)
{
    bool file = perp_path_ends(path, ".hdf5") || perp_path_ends(path, ".h5");
    locale_t c_locale = (locale_t)0;
    locale_t before = (locale_t)0;
    perp_status status = PERP_OK;

    if (!file) { /* its index is text: numbers as in C, whatever the language */
        c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
        if (!c_locale) {
            return perp_fail(err, PERP_ERR_MEMORY, "%s: no memory for a locale", path);
        }
        before = uselocale(c_locale);
        status = perp_sequence_folder_write(s, path, format, err);
        uselocale(before);
        freelocale(c_locale);
        return status;
    }
    if (format && strcmp(format, SEQUENCE_FORMAT) != 0) {
        return perp_fail(err, PERP_ERR_OPTION,
                         "%s: one file holds a sequence in a format of its own; a folder "
                         "holds steps as %s",
                         path, format);
    }
    return perp_sequence_hdf5_write(s, path, err);
}

perp_status perp_sequence_holds(const perp_sequence_item *step, size_t i,
                                const char *path, perp_error *err)
{
    const perp_operator *A = step->problem->A;

    return A && perp_operator_in_factors(A)
               ? perp_fail(err, PERP_ERR_UNSUITABLE,
                           "%s: step %zu: a folder holds no factored matrix; one HDF5 "
                           "file does",
                           path, i)
               : PERP_OK;
}

static int sequence_detect(const char *path)
{
    return perp_sequence_detect(path) ? 2 : 0;
}

/* One step, as an instance. */
static perp_status sequence_read(const char *path, const perp_read_options *opt,
                                 perp_problem **p, perp_notes *notes, perp_error *err)
{
    perp_sequence *s = NULL;
    perp_sequence_item step = {0};
    perp_status status = perp_sequence_open(&s, path, err);

    if (status == PERP_OK) {
        status = perp_sequence_get(s, opt->item, &step, err);
    }
    if (status == PERP_OK) {
        perp_note(notes, "a sequence of %zu steps: this is step %zu, t = %g",
                  perp_sequence_count(s), opt->item, step.t);
        *p = step.problem;
        step.problem = NULL;
    }
    perp_sequence_item_clear(&step);
    perp_sequence_free(s);
    return status;
}

const perp_format perp_format_sequence = {
    .name = SEQUENCE_FORMAT,
    .summary = "a step of a sequence, by --item: one HDF5 file, or a folder",
    .extension = ".hdf5",
    .detect = sequence_detect,
    .read = sequence_read,
};
