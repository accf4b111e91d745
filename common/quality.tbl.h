/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Kinds of rows in table quality: the importer's and the passes'.
 *
 * QUALITY(ident, kind, severity, summary, advice)
 *   kind      as it stands in quality.kind
 *   severity  note: a fact about the program; warning: figures are affected;
 *             loss: recorded data is missing or damaged (exit status 3)
 */
/* clang-format off */
QUALITY(LOG_MISSING, "missing log", loss,
	"A thread that is known to exist has no log",
	"Its figures are unknown, not zero.  Was the run directory copied "
	"whole?")
QUALITY(LOG_NOT_MADE, "log not made", loss,
	"A thread's log could not be created, and nothing of it is recorded",
	"Its figures are unknown, not zero.  The detail says why.")
QUALITY(LOG_UNFINISHED, "no end block", loss,
	"A log was not closed: its process was killed, ended abruptly or was "
	"still running",
	"All complete events up to then are in the database.")
QUALITY(BLOCK_DAMAGED, "damaged block", loss,
	"A block of a log is damaged and was skipped",
	"The time that it covers is a gap of kind damage.")
QUALITY(PROFILE_DAMAGED, "damaged profile", loss,
	"A cell of a log's profile has an impossible number",
	"The number was cut to what is possible, or the cell left out: sums of "
	"its call path are not certain.")
QUALITY(LOG_UNREADABLE, "unreadable log", loss,
	"A log could not be read at all",
	"The detail says why.")
QUALITY(DUPLICATE_LOG, "duplicate log", loss,
	"A second copy of a log was left out",
	"The copy with more good bytes was read.")
QUALITY(ARCHIVE_DAMAGED, "damaged archive", loss,
	"An archive is damaged or cut; the logs found in it were read",
	"Logs after this place may be missing.")
QUALITY(ENTRY_SKIPPED, "skipped entry", loss,
	"A log in an archive could not be read",
	"The detail says why.")
QUALITY(STRANGE_NUMBER, "number out of range", loss,
	"A log has a number that is out of range, mostly a rank",
	"Ranks go up to 1048575, in teams with a remote group to 2097151.  A "
	"thread without a rank has no messages.")
QUALITY(EVENTS_LOST, "lost events", loss,
	"The collector could not record some events",
	"The detail says why: a full disk, a size limit, a handler's events.")
QUALITY(CONTRADICTION, "contradictory definition", loss,
	"A log contradicts one of its definitions, or its own identity",
	"The first definition holds: events may belong to another line, name, "
	"operation or thread than the one they are counted at.")
QUALITY(OPEN_EVENT, "open event", note,
	"A start without an end; it lasts to its thread's last moment",
	"Normal for calls in progress when the program ended.")
QUALITY(END_WITHOUT_START, "end without start", note,
	"An end without a start; there is no event row for it",
	"Normal where recording was switched on inside a call.")
QUALITY(CROSSED_EVENTS, "crossed events", note,
	"Two events of a thread overlap without one containing the other",
	"The parent is the innermost event that contains it.")
QUALITY(TOO_DEEP, "deep stack", note,
	"Events beyond 262144 open ones of a thread were left out",
	"Usually an endless recursion, or starts without ends.")
QUALITY(PATH_DEEP, "deep call path", note,
	"Calls deeper than 128 in the call tree; they count at level 128",
	"They count as if their ancestor at depth 127 had made them: usually a "
	"recursion.")
QUALITY(PATH_LEFT_OUT, "call path left out", note,
	"Calls on more than 262144 call paths; they count as outermost ones",
	"The profile by line is not affected.")
QUALITY(ARGUMENTS_LEFT_OUT, "arguments left out", note,
	"Arguments of events beyond the 64th were left out",
	"")
QUALITY(DEFINITIONS_LEFT_OUT, "definitions left out", warning,
	"Operations beyond 131072 of a log or 262144 of the run, lines of "
	"calls beyond 131072, texts beyond 2097152, modules beyond 65536, "
	"entities or attributes of entities beyond 1048576, or facts beyond "
	"4096 of a log",
	"Events of such an operation are at an undefined site, events at such "
	"a line at an unknown line of their operation; such a text is unknown.")
QUALITY(TEAMS_LEFT_OUT, "teams left out", warning,
	"Teams beyond 262144 of a process, or 524288 of the run",
	"Their calls are on an unknown team, and their messages and "
	"collectives are not matched.")
QUALITY(ENTITY_UNKNOWN, "unknown entity", warning,
	"Events belong to entities that the log does not define",
	"Their time counts for the entity outside, or for none: the definition "
	"was lost, or is beyond a limit.")
QUALITY(SEGMENTS_LEFT_OUT, "segments left out", note,
	"Symmetric memory beyond the 1024th segment of a process",
	"Locks, flags and targets in it are unknown objects: link fewer shared "
	"libraries with their own data.")
QUALITY(UNKNOWN_FREE, "free of unknown memory", note,
	"Memory was freed without a recorded allocation",
	"It was freed twice, or allocated while recording was off or by a call "
	"that is not recorded.")
QUALITY(UNCOUNTED_MEMORY, "uncounted memory", warning,
	"Calls of malloc or free were not counted",
	"Signal handlers made them while another such call was being counted, or "
	"there was no memory for the counters.")
QUALITY(NO_LINES, "no line information", note,
	"Events of a module have no source line",
	"The detail says why.  Compile and link it with -g; keep the executed "
	"file, or import before rebuilding it; a build-id (-Wl,--build-id) "
	"identifies it reliably.")
QUALITY(CANCELLED, "cancelled", note,
	"A receive or send was cancelled",
	"It does not count as unmatched.")
QUALITY(UNMATCHED_SEND, "unmatched send", note,
	"A send whose receive was not found",
	"The program never received it, or the receiver's log is damaged.")
QUALITY(UNMATCHED_RECEIVE, "unmatched receive", note,
	"A receive whose send was not found",
	"The sender's log is missing or damaged.")
QUALITY(PARTNER_NOT_RECORDED, "partner not recorded", note,
	"The other end of a message lies in an unrecorded interval",
	"Recording was off, or the block of the log is damaged: the message "
	"does not count as unmatched.")
QUALITY(BYTES_DIFFER, "bytes differ", warning,
	"A message's size as sent and as received differ without a truncation",
	"Later messages of this channel may be paired wrongly.")
QUALITY(WRONG_PAIR, "wrong pair", warning,
	"An impossible pair: on one host, an effect ended before its cause",
	"A call is missing from the logs, for example of a callback or a "
	"library: waits for messages of that channel, or in that collective, "
	"are left out.")
QUALITY(REQUEST_OPEN, "request never completed", note,
	"A non-blocking operation without a completion",
	"The program ended before it, or freed the request.")
QUALITY(TRANSFER_OPEN, "transfer never completed", note,
	"A non-blocking operation, or the remote part of a put, without a "
	"recorded completion",
	"The program ended without the completing call: a wait for its request "
	"(MPI), a quiet (OpenSHMEM), a sync or, for relaxed puts, a fence "
	"(UPC).")
QUALITY(TRANSFER_UNSEEN, "completion not recorded", warning,
	"The completion of an operation may lie in an unrecorded interval",
	"Its exposed time has the starting call only: a lower bound.")
QUALITY(COLLECTIVE_PARTIAL, "incomplete collective", warning,
	"Members of a collective have no event for it",
	"They did not call it, or were unrecorded: recording was off or "
	"masked, or a log is missing, damaged or at its size limit.  Its waits "
	"are lower bounds.")
QUALITY(COLLECTIVE_MISMATCH, "mismatched collective", warning,
	"Members of a team called different collectives at the same place",
	"No waits were computed for it.")
QUALITY(COLLECTIVE_UNPLACED, "unplaced collective", warning,
	"Calls of collectives without numbers after a damaged block of their "
	"log: their instance is unknown",
	"Their waiting is missing, and the others' is a lower bound.  Calls "
	"that can be counted from the end are kept.")
QUALITY(PERSISTENT, "persistent collective", warning,
	"Starts of persistent collectives (MPI 4) without their creation in "
	"the log",
	"Their type is not known, and their waiting is missing.")
QUALITY(EPOCH_UNMATCHED, "unmatched epoch", warning,
	"Epochs of a one-sided window without a matching epoch at the other "
	"side",
	"The other process's log is missing, damaged or masked, or groups have "
	"more than 48 ranks in no order, or more than 4096: waits for them are "
	"lower bounds.")
QUALITY(CLOCK, "clock contradiction", warning,
	"An effect was recorded before its cause",
	"Waits were clamped to their events.")
QUALITY(BELOW_CLOCK_ERROR, "below clock error", note,
	"Waits between hosts that do not exceed the error of their clocks",
	"They are in table wait, and in no finding.")
QUALITY(CLOCK_BACKWARDS, "time going backwards", loss,
	"A thread's clock went backwards; the event was moved forward",
	"")
QUALITY(TIME_RANGE, "time out of range", warning,
	"Times more than two years after the run's start: cut to that",
	"A host's clock was not read, or the log is damaged.")
QUALITY(SIZE_RANGE, "size out of range", warning,
	"Calls that move 256 TiB or more: counted as 256 TiB",
	"The program's arguments are wrong, or the log is damaged.")
QUALITY(LOCK_ORDER, "lock order", warning,
	"Two threads seem to hold a lock at once, or one released a lock that "
	"it had not taken",
	"The clocks contradict, or part of the recording is missing.")
QUALITY(LOCK_UNSEEN, "holder not recorded", warning,
	"Calls for locks that an unrecorded thread may have held",
	"A log is missing or cut, or recording was off: that time is waiting "
	"with unknown cause, or it is unknown whether it is waiting.")
QUALITY(LOCK_POINTERS, "lock pointers", warning,
	"One lock has several pointers, or several locks have one",
	"Probably UPC_PTS_SIZE is not the size of the program's "
	"pointers-to-shared: locks are split or merged, and the holders in "
	"their waits may be wrong.  Build the collector with the right size, "
	"or link the upcalls, which report it: docs/upc.md.")
QUALITY(OBJECT_UNKNOWN, "unknown object", warning,
	"The address of a lock or flag lies in no known segment",
	"Its identity across processes is not known.")
QUALITY(NOT_SEEN, "calls not seen", warning,
	"Calls of the program that the collector cannot see",
	"The detail names the remedy.")
QUALITY(NO_THREAD_NUMBER, "unknown thread number", warning,
	"The UPC thread number of a log is not known",
	"Build the collector for the runtime's MYTHREAD, or link upcalls: "
	"docs/upc.md.")
QUALITY(UNKNOWN_TAGS, "unknown tags", note,
	"Events with tags that neither the implementation defines nor the "
	"program created",
	"A user event of another thread, or the collector was built against "
	"other headers than the runtime.")
QUALITY(SYNCHRONIZED, "program synchronized", warning,
	"A barrier was timed before each blocking collective "
	"(--sync-collectives)",
	"The program ran otherwise than without: processes waited where they "
	"would not have.  The barriers are the operations MPI_Barrier (sync) "
	"and shmem_sync (sync).")
QUALITY(LIMITS, "limits of the runtime", note,
	"Facts that this runtime does not report, or reports wrongly",
	"The detail names it.")
QUALITY(NESTED, "nested calls", note,
	"Calls within calls: the runtime's own, or the program's in callbacks; "
	"counted, not recorded",
	"Set GASPDB_NESTED=1 to record them.")
QUALITY(MASKED, "masked events", note,
	"Events excluded from recording (--only, --except, --filter); counted",
	"Their time counts for the surrounding call or computation; analyses "
	"that need both ends of a message or all members of a collective may "
	"be wrong without them.")
QUALITY(THROTTLED, "throttled function", note,
	"Calls of a function with very many short ones: counted and timed, not "
	"written",
	"Profiles and the call tree have them.  Time lines and analyses of "
	"events show their time as the caller's.  Record them all with "
	"--throttle=off, or leave the function out.")
QUALITY(PROFILE, "profile", note,
	"Recorded as a profile (--mode=profile): sums by call path, no events",
	"Waits, messages, the critical path and all that needs the order of "
	"events are not known, not zero: they need a trace (--mode=trace).")
QUALITY(PROFILE_TORN, "torn profile", note,
	"Cells of a profile that were being changed when the process was "
	"killed",
	"Of such a call path the last event may be counted in part.")
QUALITY(PROFILE_FULL, "full profile", warning,
	"Calls on more call paths than a profile has cells for",
	"They are in no line and no call path; their time is in that of what "
	"they were in.")
QUALITY(PROFILE_LOST, "uncounted events", note,
	"Events that no call path of a profile has",
	"Mostly ends without a start, where recording began inside a call.")
QUALITY(PROFILE_TRAFFIC, "uncounted traffic", warning,
	"Calls of a profile whose peer and size no cell has",
	"Traffic and sizes are lower bounds; bytes by line are not affected.")
QUALITY(OFF, "recording off", note,
	"Events while recording was off (pupc_control, MPI_Pcontrol, --start, "
	"--phase): counted, not recorded",
	"The time is a gap of kind 'off'.  Messages and collectives that lie "
	"partly in it have no waits, or lower bounds.  --mode=both sums up the "
	"calls of that time, too.")
QUALITY(SIZE_LIMIT, "size limit", warning,
	"A log reached its size limit: recording stopped there",
	"The rest of the run is a gap.  Allow more (--max-log-size, "
	"--max-size), record less (--only, --except), or sums of all calls "
	"beside the trace (--mode=both), which go on.")
QUALITY(BEYOND_LIMIT, "events beyond the limit", note,
	"Events after a log's size limit: counted, not recorded",
	"Only operations that the log has before are counted.  Allow more "
	"(--max-log-size, --max-size) to record them.")
QUALITY(FORKED, "forked process", note,
	"A process forked by a recorded one",
	"Its events are in the database; it has no rank of its own.")
QUALITY(REPLACED, "another program", note,
	"A process went on as another program (exec): its log ends there",
	"All events up to then are in the database.")
QUALITY(HOSTS, "several hosts", note,
	"Clocks of hosts without readings of each other: aligned by wall clock, "
	"within what messages and collectives allow",
	"Waits between hosts are as accurate as their time service: "
	"docs/clocks.md.")
QUALITY(WALL_CLOCK, "wall clock moved", note,
	"A host's wall clock contradicts messages or collectives: it was moved, "
	"by at most twice what they need",
	"Waits between it and other hosts that are no longer than that are in "
	"no finding: docs/clocks.md.")
QUALITY(CLOCK_DRIFT, "clock contradiction between hosts", warning,
	"Readings, messages or collectives of several hosts contradict each "
	"other, if clocks drift evenly",
	"A clock was set or steered meanwhile: its drift may change by more, "
	"and errors of times between hosts are larger.  Where readings were "
	"left out, errors may be larger than host_clock says.")
QUALITY(CLOCK_READING, "unusable clock reading", warning,
	"Readings of two hosts' clocks that cannot be used",
	"Clocks are aligned by the others.  The log is damaged, or a log of "
	"the other host is missing.")
QUALITY(CLOCK_ASTRAY, "wall clock astray", warning,
	"A host's wall clock differs from that of most logs by more than a "
	"year: its logs are assumed to begin with the others",
	"Set its date.  Waits between it and other hosts are not known.")
QUALITY(RANK_INFERRED, "inferred rank", warning,
	"A process was killed before its log had its rank: it got a rank "
	"without a log",
	"Of several such ranks the order of processes decides.")
QUALITY(MODELS, "several models", note,
	"A log has several programming models",
	"Column model of thread lists them; ranks and words are those of the "
	"first.")
QUALITY(RANK_AGAIN, "rank of several processes", warning,
	"Several processes of the run have the same rank",
	"Messages to that rank count as sent to the first.  Are these logs of "
	"several programs?  Record each mpirun separately.")
QUALITY(OTHER_RUN, "log of another run", loss,
	"A log of another run lies in the run directory and was left out",
	"Import each run from a directory of its own.")
QUALITY(OTHER_JOB, "log of another job", loss,
	"The run directory holds several jobs; one was kept, the largest",
	"Record each job separately: one `gaspdb record` for each mpirun.")
QUALITY(UNKNOWN_RECORD, "unknown record", note,
	"Records of a kind this version does not know were skipped",
	"Import with the version of gaspdb that recorded them.")
QUALITY(UNKNOWN_SITE, "undefined site", loss,
	"Events whose definition was lost with a damaged block",
	"They are counted as raw events only.")
/* clang-format on */
#undef QUALITY
