# SPDX-License-Identifier: Apache-2.0
check_PROGRAMS += \
    %D%/conformance \
    %D%/memory \
    %D%/operator \
    %D%/options \
    %D%/problem \
    %D%/residual \
    %D%/solve

# The linker puts the test between the library and its memory.
%C%_memory_LDFLAGS = $(tests_ldflags) -Wl,--wrap=malloc -Wl,--wrap=calloc \
    -Wl,--wrap=realloc -Wl,--wrap=aligned_alloc

dist_check_SCRIPTS += %D%/example.sh %D%/references.sh
