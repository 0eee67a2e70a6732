/* SPDX-License-Identifier: Apache-2.0
 * tests/command/hdf5_versions.c: the files of perp have the versions of superblock, object
 * headers and messages that HDF5 1.10 reads, whichever HDF5 writes them: its File Format
 * Specification, sections II and IV. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "../formats/files.h"
#include "instances.h"
#include "simulations.h"

typedef struct image {
    const unsigned char *bytes;
    size_t size;
    size_t messages; /* checked so far */
} image;

/* The newest version of each type of message. A datatype has its version in four bits. */
static const struct {
    unsigned type, most, shift;
} known[] = {
    {0x01, 2, 0}, /* dataspace */
    {0x02, 0, 0}, /* link info */
    {0x03, 3, 4}, /* datatype */
    {0x05, 3, 0}, /* fill value */
    {0x06, 1, 0}, /* link */
    {0x08, 4, 0}, /* data layout */
    {0x0A, 0, 0}, /* group info */
    {0x0B, 2, 0}, /* filter pipeline */
    {0x0C, 3, 0}, /* attribute */
    {0x15, 0, 0}, /* attribute info */
};

static uint64_t number(const image *f, size_t at, size_t bytes)
{
    uint64_t value = 0;

    CU_ASSERT_FATAL(at + bytes <= f->size);
    for (size_t k = bytes; k-- > 0;) {
        value = value << 8 | f->bytes[at + k];
    }
    return value;
}

/* Messages from `at` to `end` in a header of version 1, or 2 with these flags. */
static void check_messages(image *f, size_t at, size_t end, unsigned version,
                           unsigned flags)
{
    const size_t head = version == 1 ? 8 : flags & 4 ? 6 : 4;

    while (at + head <= end) {
        const unsigned type = (unsigned)number(f, at, version == 1 ? 2 : 1);
        const size_t size = (size_t)number(f, at + (version == 1 ? 2 : 1), 2);

        at += head;
        for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
            if (known[k].type == type) {
                CU_ASSERT(number(f, at, 1) >> known[k].shift <= known[k].most);
                f->messages++;
            }
        }
        if (type == 0x10) { /* the header goes on elsewhere */
            const size_t next = (size_t)number(f, at, 8);
            const size_t length = (size_t)number(f, at + 8, 8);

            check_messages(f, version == 1 ? next : next + 4,
                           next + length - (version == 1 ? 0 : 4), version, flags);
        }
        at += size;
    }
}

static herr_t check_object(hid_t file, const char *name, const H5O_info_t *info, void *to)
{
    image *f = to;
    const size_t at = (size_t)info->addr;

    (void)file, (void)name;
    if (memcmp(f->bytes + at, "OHDR", 4) != 0) {
        CU_ASSERT_EQUAL(number(f, at, 1), 1);
        check_messages(f, at + 16, at + 16 + (size_t)number(f, at + 8, 4), 1, 0);
    } else {
        const unsigned flags = (unsigned)number(f, at + 5, 1);
        const size_t width = (size_t)1 << (flags & 3);
        const size_t start = at + 6 + (flags & 0x20 ? 16 : 0) + (flags & 0x10 ? 4 : 0);

        CU_ASSERT_EQUAL(number(f, at + 4, 1), 2);
        check_messages(f, start + width, start + width + (size_t)number(f, start, width),
                       2, flags);
    }
    return 0;
}

/* A file with at least so many messages. */
static void check_file(const char *path, unsigned superblock, size_t least)
{
    image f = {0};
    char *bytes = files_get(path, &f.size);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);

    f.bytes = (unsigned char *)bytes;
    CU_ASSERT_FATAL(file >= 0);
    CU_ASSERT_EQUAL(number(&f, 8, 1), superblock); /* behind the signature */
    CU_ASSERT(H5Ovisit(file, H5_INDEX_NAME, H5_ITER_NATIVE, check_object, &f) >= 0);
    CU_ASSERT(f.messages >= least);
    test_note("%s: %zu messages", path, f.messages);
    H5Fclose(file);
}

TEST(a_trajectory_and_its_problems_have_versions_of_hdf5_1_10)
{
    static const char scene[] =
        "{\"name\": \"two\", \"solver\": \"nsgs\", \"scheme\": {\"dt\": 0.01}, "
        "\"ground\": "
        "{}, \"bodies\": [{\"name\": \"box\", \"density\": 1, \"position\": [0, 0, 0.25],"
        " \"shapes\": [{\"type\": \"box\", \"size\": [0.5, 0.5, 0.5]}]}]}";
    const char *dir = fresh("hdf5-versions");
    char *argv[] = {(char[]){"--steps=3"}, (char[]){"--capture=step >= 1"}};
    char path[4096];
    sim_summary s;

    OK(run_into(dir, scene, 2, argv, &s, NULL));
    snprintf(path, sizeof path, "%s/trajectory.h5", dir);
    check_file(path, 3, 200);
    snprintf(path, sizeof path, "%s/capture/step_00001.hdf5", dir);
    check_file(path, 0, 20);
}

TEST(an_fclib_file_has_versions_of_hdf5_1_10)
{
    const char *path = test_scratch("versions.hdf5");
    char from[1024];

    snprintf(from, sizeof from, "%s/fclib/CubeH8.hdf5", test_datasets());
    perp_problem *p = test_read(from, NULL, NULL);
    OK(perp_problem_write(p, path, "fclib", NULL, NULL));
    check_file(path, 0, 20);
}
