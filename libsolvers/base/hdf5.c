/* SPDX-License-Identifier: Apache-2.0
 * base/hdf5.c: open, create and close HDF5 files, on disk or in memory. */
#include <config.h>

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/hdf5.h"

enum {
    IMAGE_STEP = 1 << 16, /* bytes by which a file in memory grows */
    IMAGE_NAME = 40,
};

/* HDF5 takes two files in memory of one name for the same file. */
static void image_name(char name[IMAGE_NAME], const perp_h5_file *f)
{
    snprintf(name, IMAGE_NAME, "memory-%p", (const void *)f);
}

/* What the calls of a section reported: each replaces the errors of the one before, so they are
 * collected as they come. The first one is kept, since it is the nearest to the cause. */
static _Thread_local struct {
    bool memory; /* an allocation failed */
    size_t
        entries; /* reasons of the last failure: none where there was no memory for them */
    char text[128]; /* what HDF5 said, or what the system said to it */
    bool elsewhere; /* a link led to another file */
} h5_said;

/* "errno = 28, error message = 'No space left on device', ..." of the driver of files. */
static bool h5_system_reason(char *text, size_t length, const char *said)
{
    static const char mark[] = "error message = '";
    const char *start = said ? strstr(said, mark) : NULL;

    if (start) {
        start += strlen(mark);
        snprintf(text, length, "%.*s", (int)strcspn(start, "'"), start);
    }
    return start != NULL;
}

/* Properties belong to the library, not to a file: one that is lost had no memory when it was made. */
static bool h5_lost_property(const H5E_error2_t *e)
{
    return e->maj_num == H5E_PLIST && e->min_num == H5E_NOTFOUND;
}

static herr_t h5_collect_one(unsigned n, const H5E_error2_t *e, void *innermost)
{
    const char **text = innermost;

    (void)n;
    h5_said.entries++;
    h5_said.memory = h5_lost_property(e) || h5_said.memory || e->min_num == H5E_NOSPACE ||
                     e->min_num == H5E_CANTALLOC || e->maj_num == H5E_RESOURCE;
    if (!h5_said.text[0] && e->desc &&
        !h5_system_reason(h5_said.text, sizeof h5_said.text, e->desc) && !*text) {
        *text = e->desc;
    }
    return 0;
}

static herr_t h5_collect(hid_t stack, void *data)
{
    const char *innermost = NULL;

    (void)data;
    h5_said.entries = 0;
    H5Ewalk2(stack, H5E_WALK_UPWARD, h5_collect_one, &innermost);
    h5_said.memory = h5_said.memory || h5_said.entries == 0;
    if (!h5_said.text[0] && innermost) {
        snprintf(h5_said.text, sizeof h5_said.text, "%s", innermost);
    }
    return 0;
}

bool perp_h5_lacked(void)
{
    bool lacked = errno == ENOMEM;

    errno = 0;
    h5_said.memory = h5_said.memory || lacked;
    return lacked;
}

perp_status perp_h5_status(perp_status status)
{
    perp_h5_lacked();
    return h5_said.memory ? PERP_ERR_MEMORY : status;
}

const char *perp_h5_reason(void)
{
    return h5_said.memory    ? "no memory for HDF5"
           : h5_said.text[0] ? h5_said.text
                             : "HDF5 gives no reason, as without memory for it";
}

perp_status perp_h5_unusable(const char *path, perp_error *err)
{
    return perp_fail(err, PERP_ERR_MEMORY, "%s: HDF5 had no memory to start", path);
}

/* Start HDF5, once: where that fails its heap may be broken (1.14.5), and a second try falls over it. It
 * needs memory, cannot note a reason without, and may report success although it has no default driver for
 * files. */
static bool h5_start(void)
{
    enum { UNTRIED, STARTED, FAILED };
    static atomic_int state = UNTRIED;

    if (atomic_load(&state) == UNTRIED) {
        hid_t access = H5open() >= 0 ? H5Pcreate(H5P_FILE_ACCESS) : H5I_INVALID_HID;

        atomic_store(&state,
                     access >= 0 && H5Pget_driver(access) >= 0 ? STARTED : FAILED);
        if (access >= 0) {
            H5Pclose(access);
        }
    }
    return atomic_load(&state) == STARTED;
}

perp_h5_quiet perp_h5_silence(void)
{
    perp_h5_quiet quiet = {.started = h5_start()};

    if (!quiet.started) {
        h5_said.memory = true;
        return quiet;
    }
    h5_said.text[0] = '\0';
    H5Eget_auto2(H5E_DEFAULT, &quiet.print, &quiet.data);
    if (quiet.print != h5_collect) {
        h5_said.memory = false;
        H5Eset_auto2(H5E_DEFAULT, h5_collect, NULL);
        errno = 0;
    }
    return quiet;
}

void perp_h5_restore(perp_h5_quiet quiet)
{
    perp_h5_lacked();
    if (quiet.started) {
        H5Eset_auto2(H5E_DEFAULT, quiet.print, quiet.data);
    }
}

static herr_t h5_refuse_link(const char *file, const char *group, const char *other,
                             const char *object, unsigned *flags, hid_t access,
                             void *data)
{
    (void)file, (void)group, (void)other, (void)object, (void)flags, (void)access;
    (void)data;
    h5_said.elsewhere = true;
    return -1;
}

hid_t perp_h5_links(void)
{
    static _Atomic hid_t kept = H5I_INVALID_HID;
    hid_t links = atomic_load(&kept);

    h5_said.elsewhere = false;
    if (links < 0 || H5Iis_valid(links) <= 0) { /* first, or after H5close */
        links = H5Pcreate(H5P_LINK_ACCESS);
        if (links >= 0 && H5Pset_elink_cb(links, h5_refuse_link, NULL) < 0) {
            H5Pclose(links);
            links = H5I_INVALID_HID;
        }
        atomic_store(&kept, links);
    }
    return links;
}

perp_status perp_h5_left(const perp_h5_file *f, const char *inside)
{
    return h5_said.elsewhere
               ? perp_h5_fail(f, PERP_ERR_FORMAT, inside,
                              "it is in another file, expected it in this one")
               : PERP_OK;
}

bool perp_h5_detect(const perp_source *from)
{
    static const char signature[8] = {'\x89', 'H', 'D', 'F', '\r', '\n', '\x1A', '\n'};
    char bytes[2048 + 8 + 1];
    size_t length = perp_source_peek(from, bytes, sizeof bytes - 1);

    for (size_t at = 0; at + sizeof signature <= length; at = at ? 2 * at : 512) {
        if (memcmp(bytes + at, signature, sizeof signature) == 0) {
            return true;
        }
    }
    return false;
}

/* Handles left open by mistake are closed with the file. */
static hid_t strong_access(void)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);

    if (access >= 0) {
        H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
    }
    return access;
}

static perp_status open_quietly(perp_h5_file *f, const perp_source *from)
{
    FILE *file = from->memory ? NULL : fopen(from->name, "rb");
    char name[IMAGE_NAME];
    hid_t access = H5I_INVALID_HID;
    perp_status status = PERP_OK;
    bool good = true;
    htri_t is = 0;

    if (!from->memory && !file) {
        return perp_fail(f->err, PERP_ERR_READ, "%s: cannot open: %s", f->path,
                         strerror(errno));
    }
    if (file) {
        fclose(file);
    }
    is = from->memory ? perp_h5_detect(from) : H5Fis_hdf5(from->name);
    if (is <= 0) {
        return h5_said.memory ? perp_fail(f->err, PERP_ERR_MEMORY, "%s: %s", f->path,
                                          perp_h5_reason())
               : is < 0
                   ? perp_fail(f->err, PERP_ERR_READ, "%s: cannot open: %s", f->path,
                               perp_h5_reason())
                   : perp_fail(f->err, PERP_ERR_FORMAT, "%s: not an HDF5 file", f->path);
    }
    access = strong_access();
    if (from->memory) {
        good = H5Pset_fapl_core(access, IMAGE_STEP, false) >= 0 &&
               H5Pset_file_image(access, (void *)(uintptr_t)from->bytes, from->size) >= 0;
    }
    image_name(name, f);
    f->id = good ? H5Fopen(from->memory ? name : from->name, H5F_ACC_RDONLY, access)
                 : H5I_INVALID_HID;
    good = f->id >= 0 && H5Fget_filesize(f->id, &f->bytes) >= 0;
    if (!good) { /* the next call replaces the reason */
        status = perp_fail(f->err, perp_h5_status(PERP_ERR_READ),
                           "%s: damaged HDF5 file: %s", f->path, perp_h5_reason());
    }
    H5Pclose(access);
    return status;
}

perp_status perp_h5_open(perp_h5_file *f, const perp_source *from, perp_error *err)
{
    perp_h5_quiet quiet = perp_h5_silence();
    perp_status status = PERP_OK;

    *f = (perp_h5_file){.id = H5I_INVALID_HID, .path = from->name, .err = err};
    status = quiet.started ? open_quietly(f, from) : perp_h5_unusable(from->name, err);
    perp_h5_restore(quiet);
    return status;
}

perp_status perp_h5_create(perp_h5_file *f, perp_file_out *out, perp_error *err)
{
    perp_h5_quiet quiet = perp_h5_silence();
    hid_t access = H5I_INVALID_HID, creation = H5I_INVALID_HID;
    char name[IMAGE_NAME];

    image_name(name, f);
    *f = (perp_h5_file){.id = H5I_INVALID_HID, .path = out->path, .out = out, .err = err};
    if (!quiet.started) {
        return f->status = perp_h5_unusable(out->path, err);
    }
    access = strong_access();
    creation = H5Pcreate(H5P_FILE_CREATE);
    H5Pset_libver_bounds(access, H5F_LIBVER_EARLIEST, H5F_LIBVER_V110);
    H5Pset_obj_track_times(creation, false);
    if (!out->temporary) {
        H5Pset_fapl_core(access, IMAGE_STEP, false);
    }
    f->id = H5Fcreate(out->temporary ? out->temporary : name, H5F_ACC_TRUNC, creation,
                      access);
    if (f->id < 0) {
        f->status = perp_fail(err, PERP_ERR_WRITE, "%s: cannot create: %s", f->path,
                              perp_h5_reason());
    }
    H5Pclose(creation);
    H5Pclose(access);
    perp_h5_restore(quiet);
    return f->status;
}

/* Copy a file that was written in memory to its stream. */
static perp_status copy_image(const perp_h5_file *f)
{
    ssize_t size =
        H5Fflush(f->id, H5F_SCOPE_LOCAL) >= 0 ? H5Fget_file_image(f->id, NULL, 0) : -1;
    char *image = size > 0 ? malloc((size_t)size) : NULL;
    bool good = image && H5Fget_file_image(f->id, image, (size_t)size) == size &&
                fwrite(image, 1, (size_t)size, f->out->f) == (size_t)size;

    free(image);
    return good
               ? PERP_OK
               : perp_fail(f->err, PERP_ERR_MEMORY, "%s: no memory to write to", f->path);
}

perp_status perp_h5_close(perp_h5_file *f)
{
    perp_status status = f->status;
    perp_h5_quiet quiet;

    if (!f->path) {
        return PERP_OK;
    }
    quiet = perp_h5_silence();
    if (f->id >= 0 && f->out && !f->out->temporary && status == PERP_OK) {
        status = copy_image(f);
    }
    if (f->id >= 0 && (H5Fclose(f->id) < 0 || (f->out && perp_h5_lacked())) &&
        status == PERP_OK) {
        status = perp_fail(f->err, PERP_ERR_WRITE, "%s: cannot close: %s", f->path,
                           perp_h5_reason());
    }
    perp_h5_restore(quiet);
    *f = (perp_h5_file){.id = H5I_INVALID_HID};
    return status;
}

perp_status perp_h5_fail(const perp_h5_file *f, perp_status status, const char *inside,
                         const char *format, ...)
{
    char what[PERP_ERROR_LENGTH];
    va_list args;

    perp_h5_lacked();
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    if (h5_said.memory && status != PERP_ERR_MEMORY) {
        return perp_fail(f->err, PERP_ERR_MEMORY, "%s:%s: %s: %s", f->path, inside, what,
                         perp_h5_reason());
    }
    if ((status == PERP_ERR_READ || status == PERP_ERR_WRITE) && h5_said.text[0] &&
        !strstr(what, h5_said.text)) {
        return perp_fail(f->err, status, "%s:%s: %s: %s", f->path, inside, what,
                         h5_said.text);
    }
    return perp_fail(f->err, status, "%s:%s: %s", f->path, inside, what);
}

const char *perp_h5_join(char *buffer, const char *group, const char *name)
{
    snprintf(buffer, PERP_H5_PATH, "%s/%s", group, name);
    return buffer;
}
