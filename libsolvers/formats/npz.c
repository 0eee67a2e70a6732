/* SPDX-License-Identifier: Apache-2.0
 * formats/npz.c: an archive of NumPy arrays, one per array of formats/arrays.h, which
 * numpy.load opens:
 *
 *     A or, of an LCP, M   n x n; a sparse one is the three arrays of SciPy's CSR matrix and
 *                          its size: A_data, A_indices, A_indptr, A_shape
 *     b, lo, hi, mu, ...   findex counts rows from 0, -1 for none
 *     problem.json         the description; may be missing
 *
 * In Python: z = numpy.load(file); A = z["A"], or
 * scipy.sparse.csr_matrix((z["A_data"], z["A_indices"], z["A_indptr"]), z["A_shape"]). */
#include <config.h>

#include <string.h>

#include "contactbench.h"
#include "npz.h"

static perp_status npz_read(perp_source *from, const perp_read_options *opt,
                            perp_problem **p, perp_notes *notes, perp_error *err)
{
    perp_archive *archive = NULL;
    perp_status status = perp_archive_open(&archive, from, err);

    if (status == PERP_OK) {
        status = perp_problem_new(p, err);
    }
    if (status == PERP_OK) {
        const perp_npz_in z = {.file = from->name, .archive = archive};

        status = perp_contactbench_is(archive)
                     ? perp_contactbench_read(archive, from->name, *p, notes, err)
                     : perp_npz_arrays_read(&z, opt, *p, err);
    }
    perp_archive_free(archive);
    return status;
}

static int npz_detect(const perp_source *from)
{
    char start[5];

    if (perp_source_peek(from, start, 4) < 4 || memcmp(start, "PK\x03\x04", 4) != 0) {
        return 0;
    }
    return perp_path_ends(from->name, ".npz") ? 2 : 1;
}

const perp_format_type perp_format_npz = {
    .format = {.name = "npz",
               .summary =
                   "NumPy arrays A, b (or M, q), lo, hi, mu, ...; sparse as in SciPy",
               .extension = ".npz",
               .reads = true,
               .writes = true,
               .memory = true},
    .holds = PERP_HOLDS_ALL,
    .detect = npz_detect,
    .read = npz_read,
    .write = perp_npz_write,
};
