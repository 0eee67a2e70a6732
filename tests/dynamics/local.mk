# SPDX-License-Identifier: Apache-2.0
check_PROGRAMS += \
    %D%/rotation

%C%_rotation_SOURCES = %D%/rotation.c
