/* SPDX-License-Identifier: Apache-2.0
 * figures/gnuplot.c: gnuplot, run once for all figures of a folder. */
#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gnuplot.h"

/* In the child process; scripts are UTF-8, whatever the locale of the caller is. */
static void gnuplot_exec(const char *folder, const char *script)
{
    if (chdir(folder) == 0 && freopen("gnuplot.log", "w", stderr)) {
        setenv("LC_ALL", "C.UTF-8", 1);
        unsetenv("GNUPLOT_LIB");
        execlp("gnuplot", "gnuplot", "-d", script, (char *)NULL);
    }
    _exit(127);
}

/* The first line of the log that is a message: not an echo of the script, nor its mark "^". Without such
 * a line the first one: gnuplot failed before it read the script. */
static void gnuplot_message(const char *folder, char *line, size_t length)
{
    char path[4096];
    bool first = false;
    FILE *log = NULL;

    snprintf(path, sizeof path, "%s/gnuplot.log", folder);
    snprintf(line, length, "it gave no reason");
    log = fopen(path, "r");
    while (log && fgets(path, sizeof path, log)) {
        size_t end = strcspn(path, "\n");
        const char *mark = strstr(path, "line ");

        path[end] = '\0';
        if (!first && path[strspn(path, " \t^")]) {
            first = true;
            snprintf(line, length, "%.*s", (int)length - 1, path);
        }
        if (path[0] == '"' && mark) { /* "name.gp" line 12: message */
            snprintf(line, length, "%.*s", (int)length - 1, path);
            break;
        }
    }
    if (log) {
        fclose(log);
    }
}

const char *gnuplot_obstacle(const char *folder, char text[GNUPLOT_OBSTACLE])
{
    static const char bytes[1 << 16];
    char path[4096];
    ssize_t wrote = 1;
    int file = -1;

    text[0] = '\0';
    if (snprintf(path, sizeof path, "%s/obstacle", folder) >= (int)sizeof path) {
        return text;
    }
    file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    for (size_t k = 0; file >= 0 && k < sizeof bytes && wrote > 0; k += (size_t)wrote) {
        wrote = write(file, bytes, sizeof bytes - k);
    }
    if (file < 0 || wrote <= 0) {
        snprintf(text, GNUPLOT_OBSTACLE, ": %s", strerror(errno));
    }
    if (file >= 0) {
        close(file);
        unlink(path);
    }
    return text;
}

perp_status gnuplot_draw(const char *folder, const char *script, perp_error *err)
{
    char line[400], obstacle[GNUPLOT_OBSTACLE];
    int state = 0;
    pid_t child = 0;

    fflush(NULL);
    child = fork();
    if (child == 0) {
        gnuplot_exec(folder, script);
    }
    while (child > 0 && waitpid(child, &state, 0) != child) {
        if (errno != EINTR) {
            child = -1;
        }
    }
    if (child < 0) {
        return perp_fail(err, PERP_ERR_LIBRARY, "gnuplot: %s", strerror(errno));
    }
    if (WIFEXITED(state) && WEXITSTATUS(state) == 127) {
        return perp_fail(err, PERP_ERR_LIBRARY,
                         "gnuplot did not start; is it installed?");
    }
    if (WIFSIGNALED(state)) {
        return perp_fail(err, PERP_ERR_LIBRARY, "gnuplot was ended by signal %d",
                         WTERMSIG(state));
    }
    if (WEXITSTATUS(state) != 0) {
        gnuplot_message(folder, line, sizeof line);
        return perp_fail(err, PERP_ERR_LIBRARY, "gnuplot failed: %s%s", line,
                         gnuplot_obstacle(folder, obstacle));
    }
    return PERP_OK;
}

bool gnuplot_wrote_whole(const char *path)
{
    static const struct {
        const char *kind, *end;
    } ends[] = {{".svg", "</svg>"}, {".pdf", "%%EOF"}, {".png", "IEND"}};
    const char *kind = strrchr(path, '.');
    const char *end = NULL;
    char tail[32];
    ssize_t length = 0;
    int fd = -1;

    for (size_t k = 0; kind && k < sizeof ends / sizeof *ends; k++) {
        end = strcmp(kind, ends[k].kind) == 0 ? ends[k].end : end;
    }
    if (!end) {
        return true;
    }
    fd = open(path, O_RDONLY | O_CLOEXEC); /* not by a stream, which needs memory */
    if (fd >= 0) {
        length = lseek(fd, -(off_t)sizeof tail, SEEK_END) >= 0
                     ? read(fd, tail, sizeof tail)
                     : 0;
        close(fd);
    }
    for (ssize_t k = 0; k + (ssize_t)strlen(end) <= length; k++) {
        if (memcmp(tail + k, end, strlen(end)) == 0) {
            return true;
        }
    }
    return false;
}
