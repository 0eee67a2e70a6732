# SPDX-License-Identifier: Apache-2.0
# compile-commands.awk: compile_commands.json from what `make -n V=1` prints; -v folder=BUILD.
# A line that compiles has "-c -o OBJECT SOURCE", with libtool in front, or the end of a
# chain "&& \" behind, and the source as `test -f 'x.c' || echo '../'`x.c.
/ -c -o / {
    line = $0
    sub(/^.*--mode=compile */, "", line)
    sub(/ *(&& *)?\\$/, "", line)
    if (match(line, /`test -f '[^']*' \|\| echo '[^']*'`/)) {
        test = substr(line, RSTART, RLENGTH)
        prefix = test
        sub(/^.*echo '/, "", prefix)
        sub(/'`$/, "", prefix)
        line = substr(line, 1, RSTART - 1) prefix substr(line, RSTART + RLENGTH)
    }
    file = line
    sub(/^.* /, "", file)
    if (file !~ /\.(c|cc|cpp)$/) next
    gsub(/\\/, "\\\\", line)
    gsub(/"/, "\\\"", line)
    printf "%s\n{\"directory\": \"%s\",\n \"file\": \"%s\",\n \"command\": \"%s\"}", \
        count++ ? "," : "[", folder, file, line
}
END { print count ? "\n]" : "[]" }
