/* SPDX-License-Identifier: Apache-2.0
 * tests/fuzz/fuzz_siconos.c: the reader of the Siconos text format on any bytes. */
#include <config.h>

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "formats.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[64];
    perp_problem *p = NULL;
    perp_notes notes = {0};
    perp_error err = {0};
    int fd = memfd_create("fuzz", MFD_CLOEXEC);

    if (fd < 0 || write(fd, data, size) != (ssize_t)size) {
        close(fd);
        return 0;
    }
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (perp_format_siconos.read(path, NULL, &p, &notes, &err) == PERP_OK) {
        (void)perp_problem_check(p, &err);
        perp_problem_free(p);
    }
    close(fd);
    return 0;
}
