# SPDX-License-Identifier: Apache-2.0
check_PROGRAMS += \
    %D%/gyro \
    %D%/inertia \
    %D%/rotation

%C%_gyro_SOURCES = %D%/gyro.c
%C%_inertia_SOURCES = %D%/inertia.c $(scarce_sources)
%C%_inertia_LDFLAGS = $(tests_ldflags) $(tests_scarce)
%C%_rotation_SOURCES = %D%/rotation.c
