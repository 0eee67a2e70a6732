/* SPDX-License-Identifier: Apache-2.0
 * tests/fuzz/fuzz_npz.c: any bytes as an npz, of ContactBench and of any problem. Input that
 * does not open as an archive is cut into the arrays of one whose checksums are right, which
 * chance would not find: two bytes with the length of the matrix, two with that of the vector,
 * then both, then the third array; each stands under the names of both formats. */
#include <config.h>

#include <zip.h>

#include "fuzz_files.h"

static void put_archive(const char *path, const uint8_t *data, size_t size)
{
    static const char *const names[] = {"G.npy", "g.npy", "mus.npy",
                                        "A.npy", "b.npy", "mu.npy"};
    const uint8_t *arrays[3];
    size_t length[3] = {(size_t)(data[0] | data[1] << 8),
                        (size_t)(data[2] | data[3] << 8), 0};
    zip_t *zip = NULL;

    unlink(path);
    zip = zip_open(path, ZIP_CREATE, NULL);
    if (!zip) {
        abort(); /* no memory for the file: not a find */
    }
    data += 4;
    size -= 4;
    length[0] = length[0] < size ? length[0] : size;
    length[1] = length[1] < size - length[0] ? length[1] : size - length[0];
    length[2] = size - length[0] - length[1];
    for (int k = 0; k < 3; k++) {
        arrays[k] = data;
        data += length[k];
    }
    for (int k = 0; k < 6; k++) {
        zip_source_t *source = zip_source_buffer(zip, arrays[k % 3], length[k % 3], 0);

        if (!source || zip_file_add(zip, names[k], source, 0) != k) {
            abort();
        }
    }
    if (zip_close(zip) != 0) {
        abort();
    }
}

FUZZ(npz)
{
    char path[128];
    char again[128];

    fuzz_path(path, "in");
    fuzz_path(again, "out");
    if (size >= 4 && memcmp(data, "PK\x03\x04", 4) != 0) {
        put_archive(path, data, size);
    } else {
        fuzz_put(path, data, size);
    }
    fuzz_round(path, again, "npz");
    fuzz_round(path, again, "contactbench");
    unlink(path);
    unlink(again);
    return 0;
}
