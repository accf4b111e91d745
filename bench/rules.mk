# SPDX-License-Identifier: GPL-3.0-or-later
# The programs of bench/slowdown, and the peer's writer; each is left out where what it needs is missing.
OTF2_LIBS := $(shell command -v otf2-config >/dev/null && pkg-config --cflags --libs otf2 2>/dev/null)
BENCH := $(if $(OTF2_LIBS),$(O)/bench/otf2 $(O)/bench/otf2_read) $(if $(OPENMPI_CC),$(O)/bench/storm_mpi $(O)/bench/stacks_mpi $(O)/bench/languages_c $(O)/bench/io_mpi) \
	$(if $(shell command -v mpif90.openmpi),$(O)/bench/languages_mpi $(O)/bench/languages_mpi_f08) \
	$(if $(OSHCC),$(O)/bench/storm_shmem $(O)/bench/cost_shmem)
BENCH += $(O)/bench/memory
BENCH_CFLAGS := -std=c11 -D_GNU_SOURCE $(WARNINGS) -O2 -g
BENCH += $(O)/bench/functions_plain $(O)/bench/functions_hooks

$(O)/bench/functions_plain $(O)/bench/functions_hooks: $(O)/bench/functions_%: bench/functions.c bench/clock.h
	$(call say,BENCH,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(BENCH_CFLAGS) -fno-optimize-sibling-calls $(if $(filter hooks,$*),-finstrument-functions) -I. -o $@ $<
BENCH += $(O)/bench/mapping
$(O)/bench/mapping: bench/mapping.c bench/clock.h $(O)/libgaspdb.so
	$(call say,BENCH,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(BENCH_CFLAGS) -Icollector/include -o $@ $< -L$(O) -Wl,--no-as-needed -lgaspdb -lpthread -Wl,-rpath,'$$ORIGIN/..'
$(O)/bench/otf2: bench/otf2.c
	$(call say,BENCH,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(BENCH_CFLAGS) -o $@ $< $(OTF2_LIBS) -lm
$(O)/bench/otf2_read: bench/otf2_read.c
	$(call say,BENCH,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(BENCH_CFLAGS) -o $@ $< $(OTF2_LIBS)
$(O)/bench/storm_mpi $(O)/bench/stacks_mpi $(O)/bench/io_mpi: $(O)/bench/%: bench/%.c
	$(call say,BENCH,$@)
	@mkdir -p $(@D)
	$(Q)$(OPENMPI_CC) $(BENCH_CFLAGS) -o $@ $<
$(O)/bench/memory: bench/memory.c
	$(call say,BENCH,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(BENCH_CFLAGS) -o $@ $<
$(O)/bench/languages_c: bench/languages.c
	$(call say,BENCH,$@)
	@mkdir -p $(@D)
	$(Q)$(OPENMPI_CC) $(BENCH_CFLAGS) -o $@ $<
$(O)/bench/languages_mpi $(O)/bench/languages_mpi_f08: $(O)/bench/languages_%: bench/languages.F90
	$(call say,BENCH,$@)
	@mkdir -p $(@D)
	$(Q)mpif90.openmpi -O2 -g -DMODULE=$* -J$(@D) -o $@ $<
$(O)/bench/storm_shmem $(O)/bench/cost_shmem: $(O)/bench/%: bench/%.c
	$(call say,BENCH,$@)
	@mkdir -p $(@D)
	$(Q)$(OSHCC) $(BENCH_CFLAGS) -o $@ $<

# Runs of any size, for the import.
$(O)/bench/mklogs: $(O)/obj/bench/mklogs.o $(TEST_OBJ)
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(SAN) $(LDFLAGS) -o $@ $^ $(PKG_LIBS) -lcmocka -lpthread -ldl
BENCH += $(O)/bench/mklogs
