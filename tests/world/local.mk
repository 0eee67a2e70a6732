# SPDX-License-Identifier: Apache-2.0
test_files += \
    %D%/defaults.c \
    %D%/enabled.c \
    %D%/filters.c \
    %D%/forces.c \
    %D%/remove.c \
    %D%/states.c \
    %D%/world.c
if COMMAND
test_files += \
    %D%/state.c
endif

# Counts the comparisons of names.
test_programs += %D%/names
%C%_names_LDFLAGS = $(tests_ldflags) -Wl,--wrap=strcmp -Wl,--wrap=strlen
