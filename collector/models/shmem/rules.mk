# The generated half of the OpenSHMEM adapter: $(O)/shmem_wrappers.c, from the header of the OpenSHMEM at hand.
ifneq ($(OSHCC),)
SHMEM_MODEL := collector/models/shmem
$(O)/shmem_header.i: $(SHMEM_MODEL)/api.h
	$(call say,CPP,$@)
	@mkdir -p $(@D)
	$(Q)echo '#include "$<"' | $(OSHCC) -std=c11 -D_GNU_SOURCE -I. -MD -MP -MT $@ -MF $@.d -E -x c -o $@ -
$(O)/shmem_wrappers.c: $(SHMEM_MODEL)/wrappers.awk collector/events/shmem.tbl.h $(SHMEM_MODEL)/families.tbl $(O)/shmem_header.i
	$(call say,GEN,$@)
	$(Q)LC_ALL=C awk -f $^ >$@.tmp && mv $@.tmp $@
$(O)/obj/oshmem/shmem_wrappers.o: $(O)/shmem_wrappers.c
	$(call say,CC,'$< (oshmem)')
	@mkdir -p $(@D)
	$(Q)$(OSHCC) $(COLLECTOR_CFLAGS) $(SAN_LIB) $(CFLAGS) -c -o $@ $<
# A wrapper whose function the library does not have fails here and not in the user's program.
$(O)/libgaspdb-oshmem.so: private LDFLAGS += -Wl,-z,defs -Wl,--version-script=$(SHMEM_MODEL)/exports.map
endif
