-- SPDX-License-Identifier: GPL-3.0-or-later
-- The words of the findings: what each means and what to try.  docs/advice.md lists the same; a test compares the two.

-- What members of a run are called, by model.
CREATE VIEW model_word(model, one, many) AS VALUES ('MPI', 'rank', 'ranks'), ('OpenSHMEM', 'PE', 'PEs'), ('UPC', 'thread', 'threads');

-- What the members of this run are called.  A process: by its model, where all have one.  A thread: as its process, where each process is
-- one thread, by a name of the model only where ids are ranks; else `thread`.
CREATE VIEW run_word AS
WITH run AS (
  SELECT max(model) FILTER (WHERE number = 0) AS model, count(DISTINCT model) FILTER (WHERE number = 0) AS models,
    coalesce(max(number), 0) AS most, coalesce(max(rank IS NOT id), 0) AS has_other_ids
  FROM thread
)
SELECT CASE WHEN r.most > 0 OR m.one = 'thread' THEN 'thread' WHEN r.has_other_ids THEN 'process' ELSE coalesce(m.one, 'process') END
    AS thread,
  CASE WHEN r.most > 0 OR m.one = 'thread' THEN 'threads' WHEN r.has_other_ids THEN 'processes' ELSE coalesce(m.many, 'processes') END
    AS threads,
  coalesce(m.one, 'process') AS process, coalesce(m.many, 'processes') AS processes
FROM run r LEFT JOIN model_word m ON m.model = r.model AND r.models = 1;

-- words: the kind of finding, with its variant ("barrier by turns").  A row with a model is the advice in the terms of that
-- model, and replaces the advice of the row without one; its meaning and its analysis are those of the row without one.
-- holds_when: what must be true of the program for the advice to be safe, and to help; NULL: it always is.  more: the
-- analysis that shows more, as typed after `gaspdb analyze`.  {thread}, {threads}, {process}, {processes}: as run_word has them.
CREATE VIEW advice(words, model, meaning, advice, holds_when, more) AS VALUES
  ('imbalance', NULL,
    'one {thread} computes more there than the others, which wait for it, or for those that it kept waiting',
    'give that {thread} less of the work there, or the others some of it',
    'the work can be shared out otherwise', 'root-causes'),
  ('barrier', NULL,
    'all stand at a barrier until the last one arrives',
    'give that {thread} less work, and the others more',
    'the work can be shared out otherwise; a split barrier, or work moved behind it, does not help a {thread} that is '
      || 'always late', 'barrier-wait'),
  ('barrier', 'UPC', NULL,
    'give that {thread} less work, and the others more (the affinity of a upc_forall)',
    'the work can be shared out otherwise; upc_notify and upc_wait, or work moved behind the barrier, do not help a '
      || '{thread} that is always late', NULL),
  ('barrier', 'MPI', NULL,
    'give that {thread} less work, and the others more',
    'the work can be shared out otherwise; MPI_Ibarrier, or work moved behind the barrier, does not help a {thread} that '
      || 'is always late', NULL),
  ('barrier', 'OpenSHMEM', NULL,
    'give that {thread} less work, and the others more',
    'the work can be shared out otherwise; work moved behind the barrier does not help a {thread} that is always late',
    NULL),
  ('barrier late by calls', NULL,
    'all stand at a barrier until the last one arrives, which spends the time before it in calls',
    'see what is found about these calls, make fewer of them, or let the others make a part',
    NULL, 'barrier-wait'),
  ('barrier late by waiting', NULL,
    'all stand at a barrier until the last one arrives, which has waited itself before',
    'see that waiting first: less work for this {thread} would not help',
    NULL, 'barrier-wait'),
  ('barrier by turns', NULL,
    'all stand at a barrier until the last one arrives',
    'the late {thread} changes: fewer barriers let delays even out',
    'no call, and no plain load or store either, before one that is left out is ordered by it with what comes after on '
      || 'another {thread}', 'barrier-wait'),
  ('barrier by turns', 'UPC', NULL,
    'the late {thread} changes: fewer barriers, or split ones (upc_notify, work, upc_wait), let delays even out',
    'no call, and no plain load or store either, before one that is left out is ordered by it with what comes after on '
      || 'another {thread}; the work between the halves neither uses nor changes what the barrier orders', NULL),
  ('barrier by turns', 'MPI', NULL,
    'the late {thread} changes: fewer barriers, or split ones (MPI_Ibarrier, work, MPI_Wait), let delays even out',
    'no call, and no plain load or store either, before one that is left out is ordered by it with what comes after on '
      || 'another {thread}; the work between MPI_Ibarrier and MPI_Wait neither uses nor changes what the barrier orders', NULL),
  ('barrier by turns', 'OpenSHMEM', NULL,
    'the late {thread} changes: fewer barriers, or signals between those that depend on each other, let delays even out',
    'no call, and no plain load or store either, before one that is left out is ordered by it with what comes after on '
      || 'another {thread}; puts are completed by shmem_quiet before a signal takes a barrier''s place', NULL),
  ('barrier for nobody known', NULL,
    'all stand at a barrier, and the last one is not seen to arrive',
    'see why it is not: it never came, or its recording ended before',
    NULL, 'barrier-wait'),
  ('barrier at the end', NULL,
    'those that are done wait at the end of the program until the last one is done as well',
    'give that {thread} less work, or the others some of it: the run lasts until it is done',
    'the work can be shared out otherwise', 'collectives'),
  ('barrier at the end late by calls', NULL,
    'those that are done wait at the end of the program until the last one is done as well, which spends the time '
      || 'before it in calls',
    'see what is found about these calls, make fewer of them, or let the others make a part',
    NULL, 'collectives'),
  ('barrier at the end late by waiting', NULL,
    'those that are done wait at the end of the program until the last one is done as well, which has waited itself '
      || 'before',
    'see that waiting first: less work for this {thread} would not help',
    NULL, 'collectives'),
  ('barrier at the end for nobody known', NULL,
    'those that are done wait at the end of the program, and the last one is not seen to come there',
    'see why it is not: it waits elsewhere, has ended otherwise, or its recording ended before',
    NULL, 'collectives'),
  ('barrier of a window', NULL,
    'all stand at a fence of a one-sided window until the last one arrives',
    'give that {thread} less work, or synchronize neighbours only (MPI_Win_post and MPI_Win_start in place of '
      || 'MPI_Win_fence)',
    'each {process} names in its groups all whose window it accesses, and all that access its own', 'collectives'),
  ('notify drain', NULL,
    'a split barrier lets no {thread} go before the last one is through its first half',
    'call the first half (notify) earlier',
    'the others need nothing of what is done between the new place and the old one', 'collectives'),
  ('notify drain', 'UPC', NULL,
    'call upc_notify earlier',
    'the others need nothing of what is done between the new place and the old one', NULL),
  ('all-to-all', NULL,
    'no {thread} gets a result before the last one has joined the call',
    'give that {thread} less work before the call, and the others more',
    'the work can be shared out otherwise', 'collectives'),
  ('all-to-all', 'MPI', NULL,
    'give that {thread} less work before the call, and the others more',
    'the work can be shared out otherwise; a non-blocking call does not help a {thread} that is always late', NULL),
  ('all-to-all late by calls', NULL,
    'no {thread} gets a result before the last one has joined the call, and that spends the time before it in other calls',
    'see what is found about these calls, make fewer of them, or let the others make a part',
    NULL, 'collectives'),
  ('all-to-all late by waiting', NULL,
    'no {thread} gets a result before the last one has joined the call, and that has waited itself before',
    'see that waiting first: less work for this {thread} would not help',
    NULL, 'collectives'),
  ('all-to-all begun before', NULL,
    'no {thread} gets a result before the last one has begun the call',
    'give the late {thread} less work before it begins, or all more between the call and the one that completes it',
    'the work between uses neither the result nor the buffers', 'collectives'),
  ('all-to-all by turns', NULL,
    'no {thread} gets a result before the last one has joined the call',
    'the late {thread} changes: fewer calls, with several values each, let delays even out',
    'the values are not needed one by one', 'collectives'),
  ('all-to-all by turns', 'MPI', NULL,
    'the late {thread} changes: fewer calls, or non-blocking ones (MPI_Iallreduce and its like, work, MPI_Wait), let '
      || 'delays even out',
    'the work between uses neither the result nor the buffers; the library makes progress meanwhile: by MPI_Test in the '
      || 'work, or a progress thread (MPICH: MPICH_ASYNC_PROGRESS=1; Open MPI over TCP: OMPI_MCA_btl_tcp_progress_thread=1)', NULL),
  ('all-to-all for nobody known', NULL,
    'nobody gets a result before all have joined the call, and the last one is not seen to',
    'see why it is not: it never came, or its recording ended before',
    NULL, 'collectives'),
  ('late broadcast', NULL,
    'the others wait for the root, which has the data',
    'let the root make the call earlier, before work of its own',
    'the data is complete by then, and that work does not change it', 'collectives'),
  ('late broadcast that never came', NULL,
    'the others wait for the root, which never joins the call',
    'see why it does not: it waits elsewhere, has ended, or its recording has',
    NULL, 'collectives'),
  ('early reduce that never came', NULL,
    'the root waits for others, some of which never join the call',
    'see why they do not: they wait elsewhere, have ended, or their recording has',
    NULL, 'collectives'),
  ('early reduce', NULL,
    'the root waits for data that the others have not sent yet',
    'let the root do other work first, or the others less before the call',
    'that work does not need the result', 'collectives'),
  ('early scan', NULL,
    'each waits for those of lower rank',
    'spread the work before the call more evenly',
    'the work can be shared out otherwise', 'collectives'),
  ('early scan that never came', NULL,
    'each waits for those of lower rank, some of which never join the call',
    'see why they do not: they wait elsewhere, have ended, or their recording has',
    NULL, 'collectives'),
  ('late neighbour', NULL,
    'each waits for the neighbours in the topology that it receives from',
    'give the late one less work before the call, or begin it before the work (MPI_Ineighbor_alltoall, work, MPI_Wait)',
    'the work between uses neither the result nor the buffers', 'collectives'),
  ('late neighbour that never came', NULL,
    'each waits for the neighbours that it receives from, some of which never join the call',
    'see why they do not: they wait elsewhere, have ended, or their recording has',
    NULL, 'collectives'),
  ('other group', NULL,
    'each waits for the other group of an intercommunicator',
    'give that {thread} less work before the call',
    'the work can be shared out otherwise', 'collectives'),
  ('other group by turns', NULL,
    'each waits for the other group of an intercommunicator',
    'the late {thread} changes: fewer calls let delays even out',
    'the values are not needed one by one', 'collectives'),
  ('late sender', NULL,
    'a receiver waits for a message that has not been sent yet',
    'send as soon as the data is there, or do other work before waiting for it (MPI_Irecv, work, MPI_Wait)',
    'what comes after the send does not change the data; the work before MPI_Wait does not use the buffer', 'messages'),
  ('late sender that never came', NULL,
    'a receiver waits to the end for a message that nobody sends',
    'see why it is not sent: its sender waits elsewhere, has ended, or sends it with another tag or communicator',
    NULL, 'waits --kind="late sender"'),
  ('late sender in wrong order', NULL,
    'a receiver waits for a message not sent yet, while an earlier one of the same sender is only received later',
    'receive the messages of a sender in the order in which it sends them, or whichever comes first (MPI_Waitany)',
    'what is done with a message does not need one that is received later', 'messages'),
  ('late receiver', NULL,
    'a sender waits until the receiver is ready to take the message',
    'give the receiver less work before the receive, or send with MPI_Isend, work on, and complete it with MPI_Wait; or '
      || 'let the receiver post it before its work (MPI_Irecv) and call MPI_Test in that',
    'the sender leaves the buffer alone until MPI_Wait, and the receiver does not use its own before; MPI_Irecv without '
      || 'MPI_Test in the work helps only with a progress thread (MPICH: MPICH_ASYNC_PROGRESS=1; Open MPI over TCP: '
      || 'OMPI_MCA_btl_tcp_progress_thread=1)', 'messages'),
  ('late receiver that never came', NULL,
    'a sender waits to the end for a message to be received, which nobody does',
    'see why it is not: its receiver waits elsewhere, has ended, or receives with another tag or communicator',
    NULL, 'waits --kind="late receiver"'),
  ('late signal', NULL,
    'a {thread} waits for another one to change a word in its memory',
    'write the word earlier, or do other work before waiting for it',
    'the data that it announces is there before it: no put is moved across the call that orders or completes it',
    'waits --kind="late signal"'),
  ('late signal', 'OpenSHMEM', NULL,
    'write the word earlier, together with its data (shmem_put_signal, of OpenSHMEM 1.5), or do other work before '
      || 'waiting for it',
    'the data that it announces is there before it: no put is moved across a fence or quiet', NULL),
  ('late signal', 'UPC', NULL,
    'write the word earlier, or do other work before waiting for it',
    'the data that it announces is there before it: strict accesses stay strict, and no put is moved across a fence', NULL),
  ('late signal for nobody known', NULL,
    'a {thread} waits for a word to change, and who changes it is not known',
    'see which call writes it, and why that is not recorded: a log is missing, recording was off, or it is no call of '
      || 'the library',
    NULL, 'waits --kind="late signal"'),
  ('late signal for nobody known', 'UPC', NULL,
    'see which {thread} writes the word: a store through a private pointer raises no event; or a log is missing, or '
      || 'recording was off',
    NULL, NULL),
  ('lock', NULL,
    '{threads} wait for a lock while another one holds it',
    'take it less often and do more each time, keep out of it what needs no lock, or use an atomic where it guards one '
      || 'word',
    'what leaves the lock is used by one {thread} only; an atomic only if all accesses to the word become atomic; a '
      || 'shorter hold helps only where it takes longer than to pass the lock on', 'lock-contention'),
  ('lock', 'UPC', NULL,
    'take it less often and do more each time, keep out of it what needs no lock, or use an atomic (upc_atomic_relaxed) '
      || 'where it guards one word',
    'what leaves the lock is used by one {thread} only; an atomic only if all accesses to the word become atomic; a '
      || 'shorter hold helps only where it takes longer than to pass the lock on', NULL),
  ('lock', 'OpenSHMEM', NULL,
    'take it less often and do more each time, keep out of it what needs no lock, or use an atomic (shmem_atomic_add '
      || 'and its like) where it guards one word',
    'what leaves the lock is used by one {thread} only; an atomic only if all accesses to the word become atomic; a '
      || 'shorter hold helps only where it takes longer than to pass the lock on', NULL),
  ('lock', 'MPI', NULL,
    'unlock earlier (MPI_Win_unlock), lock shared where accesses do not conflict, or use an atomic (MPI_Fetch_and_op '
      || 'and its like) where it guards one word',
    'nothing after the unlock is an access under the lock; shared only if none of them writes what another one reads or '
      || 'writes; an atomic only if all accesses to the word become atomic', NULL),
  ('lock for nobody known', NULL,
    '{threads} wait for a lock, and who holds it is not recorded',
    'see why that is not recorded: a log is missing or cut, or recording was off',
    NULL, 'lock-contention'),
  ('lock hand-over', NULL,
    'no {thread} holds the lock, but passing it on takes time',
    'take the lock less often, and do more each time',
    'the others can wait that long', 'lock-contention'),
  ('lock attempt', NULL,
    '{threads} try to take a lock that another one holds, in vain',
    'do other work between attempts, or wait in the lock',
    'a {thread} that waits in the lock holds no other one: an attempt may be there to prevent a deadlock', 'lock-holders'),
  ('late post', NULL,
    'a {process} wants to access the window of another one, which has not exposed it yet (MPI_Win_post)',
    'let that one call MPI_Win_post earlier, before its own work; or do other work before MPI_Win_complete',
    'the work of the one that posts does not use the window''s memory', 'waits --kind="late post"'),
  ('early wait', NULL,
    'a {process} waits until others, which go on accessing its window, have completed that',
    'do other work before MPI_Win_wait; fewer and larger accesses make the others come to MPI_Win_complete earlier',
    'the work does not use the window''s memory', 'waits --kind="early wait"'),
  ('late complete', NULL,
    'the accesses to a window are over, but their {process} says so only later, and the window''s owner waits',
    'call MPI_Win_complete right after the last access, and do the other work then',
    'there is no access of this epoch in that work', 'waits --kind="late complete"'),
  ('fine-grained get contiguous', NULL,
    'many small reads of other {processes}'' memory, and each pays for the way there and back',
    'they lie side by side: fetch them with one get per peer',
    'no other {thread} writes there meanwhile, or that need not be seen before the next synchronization', 'fine-grained'),
  ('fine-grained get contiguous', 'UPC', NULL,
    'they lie side by side: fetch them with one upc_memget per peer',
    'no other {thread} writes there meanwhile, or that need not be seen before the next synchronization; strict accesses '
      || 'stay strict', NULL),
  ('fine-grained get contiguous', 'OpenSHMEM', NULL,
    'they lie side by side: fetch them with one shmem_getmem per peer',
    'no other {thread} writes there meanwhile, or that need not be seen before the next synchronization', NULL),
  ('fine-grained get strided', NULL,
    'many small reads of other {processes}'' memory, and each pays for the way there and back',
    'they are equally far apart: fetch all that they span with one get per peer, or lay them out side by side',
    'no other {thread} writes there meanwhile, or that need not be seen before the next synchronization', 'fine-grained'),
  ('fine-grained get strided', 'UPC', NULL,
    'they are equally far apart: fetch all that they span with one upc_memget per peer, lay them out side by side, or use '
      || 'a strided get where the runtime has it as one operation',
    'no other {thread} writes there meanwhile, or that need not be seen before the next synchronization; strict accesses '
      || 'stay strict', NULL),
  ('fine-grained get strided', 'OpenSHMEM', NULL,
    'they are equally far apart: fetch all that they span with one shmem_getmem per peer, lay them out side by side, or '
      || 'use shmem_iget where the library has it',
    'no other {thread} writes there meanwhile, or that need not be seen before the next synchronization; shmem_iget only '
      || 'where it is one operation of the library, and not a loop of single ones (Open MPI''s is)', NULL),
  ('fine-grained get same address', NULL,
    'many small reads of other {processes}'' memory, and each pays for the way there and back',
    'it is the same data each time: fetch it once and keep a copy',
    'no other {thread} writes there meanwhile, or that need not be seen before the next synchronization', 'fine-grained'),
  ('fine-grained get same address', 'UPC', NULL,
    'it is the same data each time: fetch it once and keep a copy',
    'no other {thread} writes there meanwhile, or that need not be seen before the next synchronization; strict accesses '
      || 'stay strict', NULL),
  ('fine-grained get', NULL,
    'many small reads of other {processes}'' memory, and each pays for the way there and back',
    'gather what is needed and fetch it in larger pieces, or with non-blocking gets that are completed together',
    'no other {thread} writes there meanwhile, or that need not be seen before the next synchronization; the data is used '
      || 'after the completion only', 'fine-grained'),
  ('fine-grained get', 'UPC', NULL,
    'gather what is needed and fetch it in larger pieces (upc_memget), or with upc_memget_nb and one sync',
    'no other {thread} writes there meanwhile, or that need not be seen before the next synchronization; the data is used '
      || 'after the sync only; strict accesses stay strict', NULL),
  ('fine-grained get', 'OpenSHMEM', NULL,
    'gather what is needed and fetch it in larger pieces, or with shmem_get_nbi and one shmem_quiet',
    'no other {thread} writes there meanwhile, or that need not be seen before the next synchronization; the data is used '
      || 'after the quiet only', NULL),
  ('fine-grained put contiguous', NULL,
    'many small writes to other {processes}'' memory, and each pays for the way there and back',
    'they lie side by side: collect them and write with one put per peer',
    'no other {thread} reads or writes there in between, and no fence orders them', 'fine-grained'),
  ('fine-grained put contiguous', 'UPC', NULL,
    'they lie side by side: collect them and write with one upc_memput per peer',
    'no other {thread} reads or writes there in between, and no fence orders them; strict accesses stay strict', NULL),
  ('fine-grained put contiguous', 'OpenSHMEM', NULL,
    'they lie side by side: collect them and write with one shmem_putmem per peer',
    'no other {thread} reads or writes there in between, and no fence orders them', NULL),
  ('fine-grained put strided', NULL,
    'many small writes to other {processes}'' memory, and each pays for the way there and back',
    'they are equally far apart: lay them out side by side and write them with one put per peer',
    'no other {thread} reads or writes there in between, and no fence orders them', 'fine-grained'),
  ('fine-grained put strided', 'UPC', NULL,
    'they are equally far apart: lay them out side by side, let their owner spread what one upc_memput brings, or use a '
      || 'strided put where the runtime has it as one operation',
    'no other {thread} reads or writes there in between, and no fence orders them; strict accesses stay strict', NULL),
  ('fine-grained put strided', 'OpenSHMEM', NULL,
    'they are equally far apart: lay them out side by side and write them with one shmem_putmem per peer, or use '
      || 'shmem_iput where the library has it',
    'no other {thread} reads or writes there in between, and no fence orders them; shmem_iput only where it is one '
      || 'operation of the library, and not a loop of single ones (Open MPI''s is)', NULL),
  ('fine-grained put same address', NULL,
    'many small writes to other {processes}'' memory, and each pays for the way there and back',
    'each replaces the one before: put the last value only',
    'no other {thread} reads the values between', 'fine-grained'),
  ('fine-grained put same address', 'UPC', NULL,
    'each replaces the one before: put the last value only',
    'no other {thread} reads the values between; strict accesses stay strict', NULL),
  ('fine-grained put', NULL,
    'many small writes to other {processes}'' memory, and each pays for the way there and back',
    'collect the data and put larger pieces, or use non-blocking puts that are completed together',
    'no other {thread} reads or writes there in between, and no fence orders them; the sources stay unchanged until the '
      || 'completion', 'fine-grained'),
  ('fine-grained put', 'UPC', NULL,
    'collect the data and put larger pieces (upc_memput), or use upc_memput_nb and one sync',
    'no other {thread} reads or writes there in between, and no fence orders them; the sources stay unchanged until the '
      || 'sync; strict accesses stay strict', NULL),
  ('fine-grained put', 'OpenSHMEM', NULL,
    'collect the data and put larger pieces, or use shmem_put_nbi and one shmem_quiet',
    'no other {thread} reads or writes there in between, and no fence orders them; the sources stay unchanged until the '
      || 'quiet', NULL),
  ('polling', NULL,
    'a {thread} reads the same memory of another {process} again and again, and does no other remote access meanwhile',
    'if it waits for a change, the writer is late: see what that does before it, or do other work before waiting; if it '
      || 'waits for nothing, keep a copy',
    'a word of this {thread}''s own to wait for spares the owner the traffic, and does not end the waiting', 'avoidable-accesses'),
  ('polling', 'UPC', NULL,
    'if it waits for a change, the writer is late: see what that one does before; a word with affinity to this {thread}, '
      || 'or a barrier, only costs the owner less meanwhile; if it waits for nothing, keep a copy',
    'a copy: no other {thread} writes there meanwhile, or that need not be seen before the next synchronization; strict '
      || 'accesses stay strict', NULL),
  ('polling', 'OpenSHMEM', NULL,
    'if it waits for a change, the writer is late: see what that one does before, or do other work before waiting; a '
      || 'word of this {thread}''s own (shmem_wait_until) only costs the owner less meanwhile; if it waits for nothing, keep a '
      || 'copy',
    'a copy: no other {thread} writes there meanwhile, or that need not be seen before the next synchronization', NULL),
  ('repeated get', NULL,
    'data is fetched that the {thread} has fetched before, and it has synchronized with no other since',
    'keep a copy until the next synchronization',
    'no other {thread} writes there meanwhile, or that need not be seen before the next synchronization', 'avoidable-accesses'),
  ('repeated get', 'UPC', NULL,
    'keep a copy until the next synchronization',
    'no other {thread} writes there meanwhile, or that need not be seen before the next synchronization; strict accesses '
      || 'stay strict', NULL),
  ('local access', NULL,
    'the communication library is called for memory that the {process} has itself',
    'use a pointer to one''s own memory',
    'no other {thread} writes there meanwhile, or the compiler may keep what it has read', 'avoidable-accesses'),
  ('local access', 'UPC', NULL,
    'cast the pointer-to-shared to a pointer to one''s own memory',
    'the access is relaxed: strict accesses stay strict; no other {thread} writes there meanwhile', NULL),
  ('local access', 'OpenSHMEM', NULL,
    'use the address itself',
    'no other PE accesses the word meanwhile: where one does, it stays a call', NULL),
  ('drain', NULL,
    'puts return at once, and are paid for in the call that makes sure that they have arrived',
    'put earlier, or larger pieces; complete many at a time; a progress thread, where the target is busy meanwhile',
    'no other {thread} acts on a put before it is complete; none is moved across a fence', 'drain'),
  ('drain', 'UPC', NULL,
    'put earlier, or larger pieces; one fence or barrier for many, or upc_memput_nb, work, and upc_sync; a progress '
      || 'thread, where the target is busy meanwhile',
    'no other {thread} acts on a put before it is complete; none is moved across a fence; a source stays unchanged until '
      || 'its upc_sync; strict accesses stay strict', NULL),
  ('drain', 'OpenSHMEM', NULL,
    'put earlier, or larger pieces; one quiet for many, a context of its own for what need not wait for the rest, or '
      || 'shmem_put_signal (OpenSHMEM 1.5) where one waits for the data; where the target is busy meanwhile, a progress '
      || 'thread (Open MPI''s: OMPI_MCA_spml_ucx_async_progress=1)',
    'no other {thread} acts on a put before it is complete; none is moved across a fence', NULL),
  ('drain one by one', NULL,
    'each put is completed by itself, and that costs as much as the put, or more',
    'complete many puts at a time',
    'no other {thread} acts on one of them before the common completion', 'drain'),
  ('drain one by one', 'UPC', NULL,
    'one upc_fence for many puts',
    'no other {thread} acts on one of them before the common fence; strict accesses stay strict', NULL),
  ('drain one by one', 'OpenSHMEM', NULL,
    'one shmem_quiet for many puts; shmem_fence where only the order of puts to one PE matters; shmem_put_signal '
      || '(OpenSHMEM 1.5) where one waits for the data',
    'no other PE acts on one of them before the common quiet', NULL),
  ('no overlap', NULL,
    'a transfer goes on in the background, but only while the {thread} waits for it',
    'call the runtime now and then, or let it have a progress thread',
    'the transfer needs no processor of this {thread}: over shared memory the library copies in its calls, and nothing '
      || 'can overlap', 'overlap'),
  ('no overlap', 'MPI', NULL,
    'call the runtime now and then (MPI_Test), or let it have a progress thread (MPICH: MPICH_ASYNC_PROGRESS=1; Open '
      || 'MPI over TCP: OMPI_MCA_btl_tcp_progress_thread=1)',
    'the transfer needs no processor of this {thread}: over shared memory the library copies in its calls, and nothing '
      || 'can overlap', NULL),
  ('no overlap', 'UPC', NULL,
    'call the runtime now and then (upc_sync_attempt), or let it have a progress thread',
    'the transfer needs no processor of this {thread}: over shared memory the library copies in its calls, and nothing '
      || 'can overlap', NULL),
  ('no overlap', 'OpenSHMEM', NULL,
    'let the runtime have a progress thread (Open MPI''s: OMPI_MCA_spml_ucx_async_progress=1): OpenSHMEM has no call '
      || 'that only tests',
    'the transfer needs no processor of this {thread}: over shared memory the library copies in its calls, and nothing '
      || 'can overlap', NULL),
  ('no overlap at once', NULL,
    'a transfer could go on in the background, but the {thread} waits for it at once',
    'do other work between the call and the one that completes it',
    'the work does not use the buffers, and the runtime makes progress meanwhile; the transfer needs no processor of '
      || 'this {thread}: over shared memory the library copies in its calls, and nothing can overlap', 'overlap'),
  ('no overlap at once', 'MPI', NULL,
    'do other work between the call and the one that completes it, and call MPI_Test in it',
    'the work does not use the buffers; without MPI_Test the library needs a progress thread (MPICH: '
      || 'MPICH_ASYNC_PROGRESS=1; Open MPI over TCP: OMPI_MCA_btl_tcp_progress_thread=1); the transfer needs no processor of '
      || 'this {thread}: over shared memory the library copies in its calls, and nothing can overlap', NULL),
  ('no overlap at once', 'UPC', NULL,
    'do other work between the call and the one that completes it, and call upc_sync_attempt in it',
    'the work does not use the buffers; the transfer needs no processor of this {thread}: over shared memory the library '
      || 'copies in its calls, and nothing can overlap', NULL),
  ('no overlap at once', 'OpenSHMEM', NULL,
    'do other work between the call and the one that completes it',
    'the work does not use the buffers; a source stays unchanged until the quiet; the library makes progress by itself, '
      || 'or by a progress thread (Open MPI''s: OMPI_MCA_spml_ucx_async_progress=1)', NULL),
  ('no progress of transfers', NULL,
    'a transfer is still to be waited for after the work between: it made no progress meanwhile, or the work was too '
      || 'short',
    'call the runtime in the work now and then, or let it have a progress thread',
    'the transfer needs no processor of this {thread}: over shared memory the library copies in its calls, and nothing '
      || 'can overlap', 'overlap'),
  ('no progress of transfers', 'MPI', NULL,
    'call MPI_Test in the work now and then, or let the library have a progress thread (MPICH: MPICH_ASYNC_PROGRESS=1; '
      || 'Open MPI over TCP: OMPI_MCA_btl_tcp_progress_thread=1)',
    'the transfer needs no processor of this {thread}: over shared memory the library copies in its calls, and nothing '
      || 'can overlap', NULL),
  ('no progress of transfers', 'UPC', NULL,
    'call upc_sync_attempt in the work now and then, or let the runtime have a progress thread',
    'the transfer needs no processor of this {thread}: over shared memory the library copies in its calls, and nothing '
      || 'can overlap', NULL),
  ('no progress of transfers', 'OpenSHMEM', NULL,
    'let the runtime have a progress thread (Open MPI''s: OMPI_MCA_spml_ucx_async_progress=1): OpenSHMEM has no call '
      || 'that only tests',
    'the transfer needs no processor of this {thread}: over shared memory the library copies in its calls, and nothing '
      || 'can overlap', NULL),
  ('no progress', NULL,
    'an access is served when its target calls the runtime, and the target does not',
    'let the runtime have a progress thread, or the target call it now and then',
    'the calls need no answer of one that waits for the target; a progress thread needs a processor', 'no-progress'),
  ('no progress', 'MPI', NULL,
    'let the target call the library now and then (MPI_Test, MPI_Iprobe), or let the library have a progress thread '
      || '(MPICH: MPICH_ASYNC_PROGRESS=1; Open MPI over TCP: OMPI_MCA_btl_tcp_progress_thread=1)',
    'a progress thread needs a processor', NULL),
  ('no progress', 'OpenSHMEM', NULL,
    'keep what is accessed in memory of shmem_malloc, which libraries often access without the target; else let the '
      || 'target make remote accesses or wait (shmem_wait_until) now and then, or let the library have a progress thread '
      || '(Open MPI''s: OMPI_MCA_spml_ucx_async_progress=1)',
    'the library needs the target for static memory only; Open MPI''s on one host does, and serves that in remote '
      || 'accesses, waiting and barriers: not in shmem_test or shmem_quiet, nor by its progress thread', NULL),
  ('back-to-back barriers', NULL,
    'a barrier right after another one, and no communication, lock or signal is seen in between',
    'leave one of the two out',
    'nothing that no call shows lies between them: no load or store of shared memory, no file, no output that another '
      || '{thread} reads', 'barrier-cost'),
  ('back-to-back barriers', 'MPI', NULL,
    'leave one of the two out',
    'nothing that no call shows lies between them: no load or store of shared memory (a window''s), no file, no output '
      || 'that another {thread} reads', NULL),
  ('back-to-back barriers', 'UPC', NULL,
    'leave one of the two out',
    'nothing that no call shows lies between them: no load or store of shared memory (also by a cast pointer), no file, '
      || 'no output that another {thread} reads', NULL),
  ('back-to-back barriers', 'OpenSHMEM', NULL,
    'leave one of the two out',
    'nothing that no call shows lies between them: no load or store of shared memory (a symmetric object''s, also by '
      || 'shmem_ptr), no file, no output that another {thread} reads', NULL),
  ('frequent barriers', NULL,
    'barriers themselves take much of the time between them, whoever is late',
    'merge them, or let only those wait that depend on each other',
    'no call, and no plain load or store either, before one that is left out is ordered by it with what comes after on '
      || 'another {thread}', 'barrier-cost'),
  ('frequent barriers', 'MPI', NULL,
    'merge them, or leave it to the messages between those that depend on each other',
    'no call, and no plain load or store either, before one that is left out is ordered by it with what comes after on '
      || 'another {thread}', NULL),
  ('frequent barriers', 'UPC', NULL,
    'merge them, split them (upc_notify, work, upc_wait), or let only those wait that depend on each other',
    'no call, and no plain load or store either, before one that is left out is ordered by it with what comes after on '
      || 'another {thread}; the work between the halves neither uses nor changes what the barrier orders', NULL),
  ('frequent barriers', 'OpenSHMEM', NULL,
    'merge them, let them complete nothing (shmem_sync for shmem_barrier), or use signals between those that depend on '
      || 'each other',
    'no call, and no plain load or store either, before one that is left out is ordered by it with what comes after on '
      || 'another {thread}; shmem_sync only where no put is pending: it completes none', NULL),
  ('slow delivery', NULL,
    'a word has been written, but the {thread} that waits for it goes on much later',
    'see that both sides make progress: a call that completes the write, a progress thread, a processor for each {thread}',
    NULL, 'signal-delivery'),
  ('slow delivery', 'UPC', NULL,
    'see that both sides make progress: a upc_fence after the write, a progress thread, a processor for each {thread}',
    NULL, NULL),
  ('slow delivery', 'OpenSHMEM', NULL,
    'see that both sides make progress: a quiet after the write, a processor for each {thread}, or a progress thread '
      || '(Open MPI''s: OMPI_MCA_spml_ucx_async_progress=1)',
    NULL, NULL),
  ('hot owner', NULL,
    'many accesses go to the memory of one {process}, and may have to queue up there',
    'spread the data, give each {process} a copy, stagger the accesses, or use a collective',
    'copies only of what is not written meanwhile', 'hot-owners'),
  ('hot owner', 'UPC', NULL,
    'spread the data (a smaller block size), give each {process} a copy, stagger the accesses, or use a collective',
    'copies only of what is not written meanwhile', NULL),
  ('hand-made collective', NULL,
    'one {thread} goes for all others, one by one, while they wait for it',
    'use the collective operation: a broadcast, scatter or gather',
    'all {threads} make the call, in the same order among their collectives; the data is not used before it returns', 'hand-made-collectives'),
  ('hand-made collective', 'MPI', NULL,
    'use MPI_Bcast if all get the same, MPI_Scatter if each gets its own, MPI_Gather if one gets from all',
    'all {threads} make the call, in the same order among their collectives; the data is not used before it returns', NULL),
  ('hand-made collective', 'UPC', NULL,
    'use upc_all_broadcast if all get the same, upc_all_scatter if each gets its own, upc_all_gather if one gets from '
      || 'all',
    'all {threads} make the call, in the same order among their collectives; the data is not used before it returns', NULL),
  ('hand-made collective', 'OpenSHMEM', NULL,
    'use shmem_broadcast if all get the same, shmem_alltoall if each gets its own, shmem_fcollect if one gets from all',
    'all {threads} make the call, in the same order among their collectives; the data is not used before it returns', NULL);

-- The same in the words of this run.
CREATE VIEW advice_here AS
SELECT a.words, a.model,
  replace(replace(replace(replace(a.meaning, '{thread}', w.thread), '{threads}', w.threads), '{process}', w.process),
    '{processes}', w.processes) AS meaning,
  replace(replace(replace(replace(a.advice, '{thread}', w.thread), '{threads}', w.threads), '{process}', w.process),
    '{processes}', w.processes) AS advice,
  replace(replace(replace(replace(a.holds_when, '{thread}', w.thread), '{threads}', w.threads), '{process}', w.process),
    '{processes}', w.processes) AS holds_when,
  a.more
FROM run_word w CROSS JOIN advice a;
