/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The peer's import, as far as it has one: OTF2's reader gives every event of
 * an archive to callbacks, which count them.
 *   otf2_read write ARCHIVE LOGS EVENTS    make one: enters and leaves, of five
 *                                          pairs two with an MPI message
 *   otf2_read read ARCHIVE                 print the number of events
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <otf2/otf2.h>

#define REGIONS 62

static void must(OTF2_ErrorCode code)
{
	if (code == OTF2_SUCCESS)
		return;
	fprintf(stderr, "%s\n", OTF2_Error_GetDescription(code));
	exit(1);
}

static OTF2_FlushType flush(void *user, OTF2_FileType type,
			    OTF2_LocationRef location, void *caller, bool final)
{
	(void)user;
	(void)type;
	(void)location;
	(void)caller;
	(void) final;
	return OTF2_FLUSH;
}

static OTF2_TimeStamp last_time;

static OTF2_TimeStamp at_flush(void *user, OTF2_FileType type,
			       OTF2_LocationRef location)
{
	(void)user;
	(void)type;
	(void)location;
	return last_time;
}

static OTF2_FlushCallbacks flushes = { flush, at_flush };

/* --- writing -------------------------------------------------------------- */

static void define(OTF2_GlobalDefWriter *d, uint64_t logs, uint64_t events)
{
	must(OTF2_GlobalDefWriter_WriteClockProperties(
		d, 1000000000, 0, last_time + 1, OTF2_UNDEFINED_TIMESTAMP));
	must(OTF2_GlobalDefWriter_WriteString(d, 0, "x"));
	for (uint32_t i = 0; i < REGIONS; i++)
		must(OTF2_GlobalDefWriter_WriteRegion(
			d, i, 0, 0, 0, OTF2_REGION_ROLE_FUNCTION,
			OTF2_PARADIGM_MPI, OTF2_REGION_FLAG_NONE, 0, i, i));
	must(OTF2_GlobalDefWriter_WriteSystemTreeNode(
		d, 0, 0, 0, OTF2_UNDEFINED_SYSTEM_TREE_NODE));
	for (uint64_t i = 0; i < logs; i++) {
		must(OTF2_GlobalDefWriter_WriteLocationGroup(
			d, (uint32_t)i, 0, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
			OTF2_UNDEFINED_LOCATION_GROUP));
		must(OTF2_GlobalDefWriter_WriteLocation(
			d, i, 0, OTF2_LOCATION_TYPE_CPU_THREAD, events / logs,
			(uint32_t)i));
	}
}

static void write_events(OTF2_EvtWriter *w, uint64_t n)
{
	uint64_t t = 0, seed = 1;

	for (uint64_t i = 0; i < n; i += 2) {
		seed = seed * 6364136223846793005u + 1442695040888963407u;
		const uint32_t region = (uint32_t)(seed >> 33) % REGIONS;

		t += seed >> 40 & 255;
		must(OTF2_EvtWriter_Enter(w, NULL, t, region));
		if (region % 5 < 2)
			must(OTF2_EvtWriter_MpiSend(
				w, NULL, t, 0, 0, (uint32_t)i & 7, seed >> 48));
		t += seed >> 50 & 255;
		must(OTF2_EvtWriter_Leave(w, NULL, t, region));
	}
	if (t > last_time)
		last_time = t;
}

static int write_archive(const char *path, uint64_t logs, uint64_t events)
{
	OTF2_Archive *a = OTF2_Archive_Open(
		path, "bench", OTF2_FILEMODE_WRITE, 1024 * 1024,
		4 * 1024 * 1024, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);

	must(OTF2_Archive_SetFlushCallbacks(a, &flushes, NULL));
	must(OTF2_Archive_SetSerialCollectiveCallbacks(a));
	must(OTF2_Archive_OpenEvtFiles(a));
	for (uint64_t i = 0; i < logs; i++) {
		OTF2_EvtWriter *w = OTF2_Archive_GetEvtWriter(a, i);

		write_events(w, events / logs);
		must(OTF2_Archive_CloseEvtWriter(a, w));
	}
	must(OTF2_Archive_CloseEvtFiles(a));
	define(OTF2_Archive_GetGlobalDefWriter(a), logs, events);
	must(OTF2_Archive_Close(a));
	return 0;
}

/* --- reading -------------------------------------------------------------- */

static uint64_t seen;

static OTF2_CallbackCode enter(OTF2_LocationRef l, OTF2_TimeStamp t, void *user,
			       OTF2_AttributeList *a, OTF2_RegionRef region)
{
	(void)l;
	(void)t;
	(void)user;
	(void)a;
	(void)region;
	seen++;
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode sent(OTF2_LocationRef l, OTF2_TimeStamp t, void *user,
			      OTF2_AttributeList *a, uint32_t receiver,
			      OTF2_CommRef comm, uint32_t tag, uint64_t bytes)
{
	(void)l;
	(void)t;
	(void)user;
	(void)a;
	(void)receiver;
	(void)comm;
	(void)tag;
	(void)bytes;
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode location(void *user, OTF2_LocationRef self,
				  OTF2_StringRef name, OTF2_LocationType type,
				  uint64_t events, OTF2_LocationGroupRef group)
{
	OTF2_Reader *r = user;

	(void)name;
	(void)type;
	(void)events;
	(void)group;
	must(OTF2_Reader_SelectLocation(r, self));
	return OTF2_CALLBACK_SUCCESS;
}

static int read_archive(const char *anchor)
{
	OTF2_Reader *r = OTF2_Reader_Open(anchor);
	OTF2_GlobalDefReaderCallbacks *d = OTF2_GlobalDefReaderCallbacks_New();
	OTF2_GlobalEvtReaderCallbacks *e = OTF2_GlobalEvtReaderCallbacks_New();
	uint64_t n;

	if (!r)
		return 1;
	must(OTF2_Reader_SetSerialCollectiveCallbacks(r));
	OTF2_GlobalDefReaderCallbacks_SetLocationCallback(d, location);
	must(OTF2_Reader_RegisterGlobalDefCallbacks(
		r, OTF2_Reader_GetGlobalDefReader(r), d, r));
	must(OTF2_Reader_ReadAllGlobalDefinitions(
		r, OTF2_Reader_GetGlobalDefReader(r), &n));
	must(OTF2_Reader_OpenEvtFiles(r));
	uint64_t locations;
	must(OTF2_Reader_GetNumberOfLocations(r, &locations));
	for (uint64_t i = 0; i < locations; i++)
		OTF2_Reader_GetEvtReader(r, i);
	OTF2_GlobalEvtReaderCallbacks_SetEnterCallback(e, enter);
	OTF2_GlobalEvtReaderCallbacks_SetLeaveCallback(e, enter);
	OTF2_GlobalEvtReaderCallbacks_SetMpiSendCallback(e, sent);
	OTF2_GlobalEvtReader *events = OTF2_Reader_GetGlobalEvtReader(r);
	must(OTF2_Reader_RegisterGlobalEvtCallbacks(r, events, e, NULL));
	must(OTF2_Reader_ReadAllGlobalEvents(r, events, &n));
	printf("%" PRIu64 "\n", seen);
	OTF2_Reader_CloseGlobalEvtReader(r, events);
	OTF2_Reader_CloseEvtFiles(r);
	OTF2_Reader_Close(r);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 5 && !strcmp(argv[1], "write"))
		return write_archive(argv[2], strtoull(argv[3], NULL, 10),
				     strtoull(argv[4], NULL, 10));
	if (argc == 3 && !strcmp(argv[1], "read"))
		return read_archive(argv[2]);
	fputs("usage: otf2_read write ARCHIVE LOGS EVENTS | read ANCHOR\n",
	      stderr);
	return 2;
}
