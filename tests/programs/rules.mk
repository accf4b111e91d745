# Programs of known construction that the end-to-end tests run: $(O)/programs/NAME from tests/programs/NAME.c.
# gasp_* are linked with the collector, as a UPC runtime is; mpi_* and shmem_* are plain programs, recorded unchanged.
.PHONY: programs
PROGRAM_CFLAGS := -std=gnu2x -Wall -Wextra -g -O1

GASP_PROGRAMS := $(patsubst tests/programs/%.c,$(O)/programs/%,$(wildcard tests/programs/gasp_*.c))
programs: $(GASP_PROGRAMS)
$(GASP_PROGRAMS): $(O)/programs/%: tests/programs/%.c $(O)/libgaspdb.so
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(PROGRAM_CFLAGS) -Icollector/include -o $@ $< -L$(O) -lgaspdb -Wl,-rpath,'$$ORIGIN/..'

# $(1) flavour, $(2) compiler wrapper, $(3) prefix of the sources
define parallel_programs
programs: $(patsubst tests/programs/%.c,$(O)/programs/$(1)/%,$(wildcard tests/programs/$(3)_*.c))
$(patsubst tests/programs/%.c,$(O)/programs/$(1)/%,$(wildcard tests/programs/$(3)_*.c)): $(O)/programs/$(1)/%: tests/programs/%.c
	$$(call say,CC,$$@)
	@mkdir -p $$(@D)
	$$(Q)$(2) $(PROGRAM_CFLAGS) -Icollector/include $$($$(notdir $$@)_FLAGS) -o $$@ $$< -lpthread
endef
# Its gaspdb_lock_enter stands before the collector's; pupc_* come with that, if at all.
mpi_signals_FLAGS := -rdynamic -ldl
# They call pupc_*.
mpi_values_FLAGS := -L$(O) -Wl,--no-as-needed -lgaspdb -Wl,-rpath,'$$ORIGIN/../..'
mpi_windows_FLAGS := $(mpi_values_FLAGS)
$(if $(OPENMPI_CC),$(eval $(call parallel_programs,openmpi,$(OPENMPI_CC),mpi)))
$(if $(MPICH_CC),$(eval $(call parallel_programs,mpich,$(MPICH_CC) $(MPICH_QUIET),mpi)))
$(if $(OSHCC),$(eval $(call parallel_programs,oshmem,$(OSHCC),shmem)))
$(O)/programs/openmpi/mpi_values $(O)/programs/mpich/mpi_values $(O)/programs/openmpi/mpi_windows \
	$(O)/programs/mpich/mpi_windows: $(O)/libgaspdb.so

include tests/shmem15/rules.mk
include tests/upc/rules.mk

# Libraries that make a system poor, or watch; not sanitized, for they are preloaded.
POOR := $(O)/programs/poor_fs.so $(O)/programs/faulty.so $(O)/programs/poor_fork.so $(O)/programs/threads.so $(O)/programs/interrupted.so
programs: $(POOR)
$(POOR): $(O)/programs/%.so: tests/programs/%.c
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(PROGRAM_CFLAGS) -D_GNU_SOURCE -shared -fPIC -o $@ $< -ldl

# The collector with arguments taken by va_arg, as on machines whose ABI it does not know.
programs: $(O)/portable/libgaspdb.so
$(O)/portable/libgaspdb.so: collector/gasp/gasp.c $(O)/gasp_tags.h $(CORE_OBJ)
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(COLLECTOR_CFLAGS) $(SAN_LIB) $(CFLAGS) -DGASPDB_PORTABLE -c -o $(@D)/gasp.o $<
	$(Q)$(CC) -shared $(SAN_LIB) -Wl,-soname,libgaspdb.so -Wl,-z,defs -o $@ $(@D)/gasp.o $(filter-out %/gasp.o,$(CORE_OBJ)) -ldl -lpthread
