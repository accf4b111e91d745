# The generated half of an OpenSHMEM adapter: $(O)/obj/NAME/shmem_wrappers.c, from the header of the OpenSHMEM at hand.
# $(1) NAME of the adapter, $(2) compiler wrapper
SHMEM_MODEL := collector/models/shmem
define shmem_wrappers
$(O)/obj/$(1)/shmem_header.i: $(SHMEM_MODEL)/api.h
	$$(call say,CPP,$$@)
	@mkdir -p $$(@D)
	$$(Q)echo '#include "$$<"' | $(2) -std=c11 -D_GNU_SOURCE -I. -MD -MP -MT $$@ -MF $$@.d -E -x c -o $$@ -
$(O)/obj/$(1)/shmem_wrappers.c: $(SHMEM_MODEL)/wrappers.awk collector/events/shmem.tbl.h $(SHMEM_MODEL)/families.tbl \
		$(O)/obj/$(1)/shmem_header.i
	$$(call say,GEN,$$@)
	$$(Q)LC_ALL=C awk -f $$^ >$$@.tmp && mv $$@.tmp $$@
$(O)/obj/$(1)/shmem_wrappers.o: $(O)/obj/$(1)/shmem_wrappers.c
	$$(call say,CC,'$$< ($(1))')
	@mkdir -p $$(@D)
	$$(Q)$(2) $(COLLECTOR_CFLAGS) $(SAN_LIB) $(CFLAGS) -c -o $$@ $$<
# A wrapper whose function the library does not have fails here and not in the user's program.
$(O)/libgaspdb-$(1).so: private LDFLAGS += -Wl,-z,defs -Wl,--version-script=$(SHMEM_MODEL)/exports.map
endef
$(if $(OSHCC),$(eval $(call shmem_wrappers,oshmem,$(OSHCC))))
