-- SPDX-License-Identifier: GPL-3.0-or-later
-- A run whose figures can be checked by hand.  Four processes; the log of rank 3 is missing.  In seconds:
--
-- thread 0 [0, 10]   MPI_Init [0, 1], MPI_Recv [2, 3], shmem_set_lock [4, 4.5], shmem_clear_lock [4.9, 5],
--                    MPI_Barrier [6, 8], MPI_Allreduce [9, 9.4]; the user's phase [1, 9]
-- thread 1 [0, 10]   MPI_Init [0, 1], MPI_Send [2.8, 3], shmem_set_lock [3.4, 3.5], shmem_clear_lock [4.4, 4.5],
--                    MPI_Send to 3 [5, 5.1], MPI_Barrier [7, 8], MPI_Allreduce [9.3, 9.4]
-- thread 2 [1, 10]   MPI_Init [1, 1.5], shmem_putmem [2, 2.1] [2.2, 2.3], MPI_Barrier [7.9, 8], MPI_Allreduce [9.2, 9.4]
--
-- computation     5.0 + 7.4 + 8.0 = 20.4 of 29   70.3 %     waits: 0 for the sender 1      0.8
-- communication   1.4 + 0.4 + 0.4 =  2.2          7.6 %            0 for the lock 1 holds  0.5
-- synchronization 2.6 + 1.2 + 0.1 =  3.9         13.4 %            0, 1 for 2 at the barrier  1.9 + 0.9
-- runtime         1.0 + 1.0 + 0.5 =  2.5          8.6 %            0, 2 for 1 at the Allreduce  0.3 + 0.1
--
-- recording, with absurd costs of an event: 14 x 0.01 + 14 x 0.08 + (10 x 0.01 + 0.17) = 0.14 + 1.12 + 0.27 = 1.53 of 29
-- (5.3 %), most in thread 1 (11.2 %).  Mostly recording: thread 1's two sends, 2 x 0.08 of 0.3 (53.3 %).
INSERT INTO meta VALUES ('program', '/src/heat/heat'), ('arguments', './heat -n 100'),
  ('start_time', '2025-11-20T13:28:00Z'), ('exit_status', 3);
INSERT INTO thread VALUES
  (0, 0, 0, 100, 100, 'node1', 'MPI', 0, 10000000000, 1, 1, 7, 'node1-100-0.gasplog'),
  (1, 1, 0, 101, 101, 'node1', 'MPI', 0, 10000000000, 1, 8, 14, 'node1-101-0.gasplog'),
  (2, 2, 0, 102, 102, 'node2', 'MPI', 1000000000, 10000000000, 1, 15, 19, 'node2-102-0.gasplog'),
  (3, 3, 0, NULL, NULL, NULL, 'MPI', NULL, NULL, 0, NULL, NULL, NULL);
INSERT INTO thread_meta VALUES (0, 'runtime', 'Some MPI 1.0'), (1, 'runtime', 'Some MPI 1.0'), (2, 'runtime', 'Some MPI 1.0');
INSERT INTO recording VALUES (0, 14, 0, 1e7, 0), (1, 14, 0, 8e7, 0), (2, 10, 0, 1e7, 170000000);
INSERT INTO operation(id, name, symbol, type, category, model) VALUES
  (1, 'MPI_Init', 'GASP_MPI_INIT', 'init', 'runtime', 'MPI'),
  (2, 'MPI_Barrier', 'GASP_MPI_BARRIER', 'barrier', 'synchronization', 'MPI'),
  (3, 'MPI_Send', 'GASP_MPI_SEND', 'send', 'communication', 'MPI'),
  (4, 'MPI_Recv', 'GASP_MPI_RECV', 'receive', 'communication', 'MPI'),
  (5, 'shmem_putmem', 'GASP_SHMEM_PUT', 'put', 'communication', 'OpenSHMEM'),
  (6, 'shmem_set_lock', 'GASP_SHMEM_SET_LOCK', 'lock', 'synchronization', 'OpenSHMEM'),
  (7, 'shmem_clear_lock', 'GASP_SHMEM_CLEAR_LOCK', 'unlock', 'synchronization', 'OpenSHMEM'),
  (8, 'phase', 'USER', 'user', 'none', 'MPI'),
  (9, 'MPI_Allreduce', 'GASP_MPI_ALLREDUCE', 'all_to_all', 'communication', 'MPI');
INSERT INTO source VALUES
  (1, 1, '/src/heat/main.c', 10, 'main', NULL, '/src/heat/heat', 4096, NULL),
  (2, 2, '/src/heat/step.c', 20, 'step', NULL, '/src/heat/heat', 4200, NULL),
  (3, 3, '/src/heat/step.c', 30, 'send_row', NULL, '/src/heat/heat', 4300, NULL),
  (4, 4, '/src/heat/step.c', 40, 'receive_row', NULL, '/src/heat/heat', 4400, NULL),
  (5, 5, '/src/heat/put.c', 50, 'push', NULL, '/src/heat/heat', 4500, NULL),
  (6, 6, '/src/heat/put.c', 60, 'count', NULL, '/src/heat/heat', 4600, NULL),
  (7, 7, '/src/heat/put.c', 65, 'count', NULL, '/src/heat/heat', 4700, NULL),
  (8, 8, '/src/heat/main.c', 15, 'main', NULL, '/src/heat/heat', 4150, NULL),
  (9, 9, NULL, NULL, 'solve', NULL, '/usr/lib/libsolve.so', 4660, NULL);
INSERT INTO segment VALUES (1, 'heap', 'heap', 1048576);
INSERT INTO object VALUES (1099511628032, 1, 256, 'counter');
INSERT INTO event(id, thread_id, source_id, parent_id, start_ns, duration_ns, self_ns, bytes, peer, object, nested, open) VALUES
  (1, 0, 1, NULL, 0, 1000000000, 1000000000, NULL, NULL, NULL, 0, 0),
  (2, 0, 8, NULL, 1000000000, 8000000000, NULL, NULL, NULL, NULL, 0, 0),
  (3, 0, 4, NULL, 2000000000, 1000000000, 1000000000, 1048576, 1, NULL, 0, 0),
  (4, 0, 6, NULL, 4000000000, 500000000, 500000000, NULL, NULL, 1099511628032, 0, 0),
  (5, 0, 7, NULL, 4900000000, 100000000, 100000000, NULL, NULL, 1099511628032, 0, 0),
  (6, 0, 2, NULL, 6000000000, 2000000000, 2000000000, NULL, NULL, NULL, 0, 0),
  (7, 0, 9, NULL, 9000000000, 400000000, 400000000, 8, NULL, NULL, 0, 0),
  (8, 1, 1, NULL, 0, 1000000000, 1000000000, NULL, NULL, NULL, 0, 0),
  (9, 1, 3, NULL, 2800000000, 200000000, 200000000, 1048576, 0, NULL, 0, 0),
  (10, 1, 6, NULL, 3400000000, 100000000, 100000000, NULL, NULL, 1099511628032, 0, 0),
  (11, 1, 7, NULL, 4400000000, 100000000, 100000000, NULL, NULL, 1099511628032, 0, 0),
  (12, 1, 3, NULL, 5000000000, 100000000, 100000000, 64, 3, NULL, 0, 0),
  (13, 1, 2, NULL, 7000000000, 1000000000, 1000000000, NULL, NULL, NULL, 0, 0),
  (14, 1, 9, NULL, 9300000000, 100000000, 100000000, 8, NULL, NULL, 0, 0),
  (15, 2, 1, NULL, 1000000000, 500000000, 500000000, NULL, NULL, NULL, 0, 0),
  (16, 2, 5, NULL, 2000000000, 100000000, 100000000, 4096, 0, NULL, 0, 0),
  (17, 2, 5, NULL, 2200000000, 100000000, 100000000, 4096, 0, NULL, 0, 0),
  (18, 2, 2, NULL, 7900000000, 100000000, 100000000, NULL, NULL, NULL, 0, 0),
  (19, 2, 9, NULL, 9200000000, 200000000, 200000000, 8, NULL, NULL, 0, 0);
INSERT INTO team VALUES (1, NULL, 0, 'world', 'MPI_COMM_WORLD', 4, 0);
INSERT INTO team_member VALUES (1, 0, 0), (1, 1, 1), (1, 2, 2), (1, 3, 3);
INSERT INTO p2p VALUES
  (1, 0, 'receive', 3, 3, 1, 1, 7, 1048576, 1, 7, 1048576, 2000000000, 3000000000, NULL, NULL, 'complete', 0),
  (2, 1, 'send', 9, 9, 1, 0, 7, 1048576, NULL, NULL, NULL, 2800000000, 3000000000, NULL, NULL, 'complete', 0),
  (3, 1, 'send', 12, 12, 1, 3, 8, 64, NULL, NULL, NULL, 5000000000, 5100000000, NULL, NULL, 'complete', 0);
INSERT INTO message VALUES
  (1, 9, 3, 3, 9, 1, 0, 1, 7, 1048576, 2800000000, 2000000000, 3000000000, 0);
INSERT INTO collective VALUES
  (1, 1, 0, 2, NULL, 4, 3, 6000000000, 7900000000, 8000000000, 8000000000, 2, 18, 2800000000, 'all'),
  (2, 1, 1, 9, NULL, 4, 3, 9000000000, 9300000000, 9400000000, 9400000000, 1, 14, 400000000, 'data');
INSERT INTO collective_member VALUES (1, 6), (1, 13), (1, 18), (2, 7), (2, 14), (2, 19);
INSERT INTO lock_use VALUES
  (1, 1099511628032, 1, 10, 11, 3400000000, 3500000000, 4500000000, 0, 0, 100000000, 0, 0),
  (2, 1099511628032, 0, 4, 5, 4000000000, 4500000000, 5000000000, 500000000, 0, 0, 0, 0);
INSERT INTO wait VALUES
  (1, 0, 3, 'late sender', 2000000000, 2800000000, 1, 9, 2800000000, 0, 0, 0, 0, 0),
  (2, 0, 4, 'lock', 4000000000, 4500000000, 1, 10, 4500000000, 0, 0, 0, 0, 0),
  (3, 0, 6, 'barrier', 6000000000, 7900000000, 2, 18, 7900000000, 0, 1, 0, 0, 0),
  (4, 0, 7, 'all-to-all', 9000000000, 9300000000, 1, 14, 9300000000, 0, 1, 0, 0, 0),
  (5, 1, 13, 'barrier', 7000000000, 7900000000, 2, 18, 7900000000, 0, 1, 0, 0, 0),
  (6, 2, 19, 'all-to-all', 9200000000, 9300000000, 1, 14, 9300000000, 0, 1, 0, 0, 0);
INSERT INTO quality_kind VALUES
  ('missing log', 'loss', 'A thread that is known to exist has no log', 'Was the run directory copied whole?'),
  ('holder not recorded', 'warning', 'Calls for locks while somebody was not recorded', 'Nobody knows whether it is waiting.'),
  ('incomplete collective', 'warning', 'Members of a collective have no event for it', 'Its waits are lower bounds.'),
  ('unmatched send', 'note', 'A send whose receive was not found', 'The receiver''s log may be missing.'),
  ('no line information', 'note', 'Events have no source line', 'Compile and link with -g.');
INSERT INTO quality VALUES
  (1, 'missing log', 'loss', 3, NULL, NULL, NULL, 1, NULL, NULL, 'rank 3', NULL, NULL),
  (2, 'incomplete collective', 'warning', NULL, 18, NULL, NULL, 1, NULL, NULL, '3 of 4 members', NULL, NULL),
  (3, 'incomplete collective', 'warning', NULL, 14, NULL, NULL, 1, NULL, NULL, '3 of 4 members', NULL, NULL),
  (4, 'unmatched send', 'note', 1, 12, NULL, NULL, 1, 64, NULL, 'to rank 3, tag 8', 3, 8),
  (5, 'no line information', 'note', NULL, NULL, NULL, NULL, 3, NULL, NULL, '/usr/lib/libsolve.so', NULL, NULL),
  (6, 'holder not recorded', 'warning', 1, 10, NULL, NULL, 1, NULL, 100000000, 'calls for locks', NULL, NULL);

-- Roll-ups, of the rows above
INSERT INTO category_time VALUES
  (0, 'computation', 5000000000), (0, 'communication', 1400000000), (0, 'synchronization', 2600000000),
  (0, 'runtime', 1000000000),
  (1, 'computation', 7400000000), (1, 'communication', 400000000), (1, 'synchronization', 1200000000),
  (1, 'runtime', 1000000000),
  (2, 'computation', 8000000000), (2, 'communication', 400000000), (2, 'synchronization', 100000000),
  (2, 'runtime', 500000000);
INSERT INTO profile VALUES
  (0, 1, 0, 1, 1000000000, 1000000000, 1000000000, 1000000000, 0, NULL, 0, 2, 1.0, 0, 0),
  (0, 2, 0, 1, 2000000000, 2000000000, 2000000000, 2000000000, 0, NULL, 0, 2, 1.0, 0, 0),
  (0, 4, 0, 1, 1000000000, 1000000000, 1000000000, 1000000000, 0, 1048576, 0, 2, 1.0, 0, 0),
  (0, 6, 0, 1, 500000000, 500000000, 500000000, 500000000, 0, NULL, 0, 2, 1.0, 0, 0),
  (0, 7, 0, 1, 100000000, 100000000, 100000000, 100000000, 0, NULL, 0, 2, 1.0, 0, 0),
  (0, 8, 0, 1, 8000000000, NULL, 8000000000, 8000000000, 0, NULL, 0, 2, NULL, 0, 0),
  (0, 9, 0, 1, 400000000, 400000000, 400000000, 400000000, 0, 8, 0, 2, 1.0, 0, 0),
  (1, 1, 0, 1, 1000000000, 1000000000, 1000000000, 1000000000, 0, NULL, 0, 2, 1.0, 0, 0),
  (1, 2, 0, 1, 1000000000, 1000000000, 1000000000, 1000000000, 0, NULL, 0, 2, 1.0, 0, 0),
  (1, 3, 0, 2, 300000000, 300000000, 100000000, 200000000, 1e+16, 1048640, 0, 4, 2.0, 0, 0),
  (1, 6, 0, 1, 100000000, 100000000, 100000000, 100000000, 0, NULL, 0, 2, 1.0, 0, 0),
  (1, 7, 0, 1, 100000000, 100000000, 100000000, 100000000, 0, NULL, 0, 2, 1.0, 0, 0),
  (1, 9, 0, 1, 100000000, 100000000, 100000000, 100000000, 0, 8, 0, 2, 1.0, 0, 0),
  (2, 1, 0, 1, 500000000, 500000000, 500000000, 500000000, 0, NULL, 0, 2, 1.0, 0, 0),
  (2, 2, 0, 1, 100000000, 100000000, 100000000, 100000000, 0, NULL, 0, 2, 1.0, 0, 0),
  (2, 5, 0, 2, 200000000, 200000000, 100000000, 100000000, 0, 8192, 0, 4, 2.0, 0, 0),
  (2, 9, 0, 1, 200000000, 200000000, 200000000, 200000000, 0, 8, 0, 2, 1.0, 0, 0);
INSERT INTO traffic VALUES
  (1, 0, 3, 'send', 1048576, 1, 1048576, 200000000), (1, 3, 3, 'send', 64, 1, 64, 100000000),
  (2, 0, 5, 'put', 4096, 2, 8192, 200000000);
INSERT INTO wait_total VALUES
  ('late sender', 4, 0, 1, 3, 1, 800000000, 800000000, 1, 0, 0, 0, 0), ('lock', 6, 0, 1, 6, 1, 500000000, 500000000, 2, 0, 0, 0, 0),
  ('barrier', 2, 0, 2, 2, 1, 1900000000, 1900000000, 3, 0, 0, 0, 0), ('barrier', 2, 1, 2, 2, 1, 900000000, 900000000, 5, 0, 0, 0, 0),
  ('all-to-all', 9, 0, 1, 9, 1, 300000000, 300000000, 4, 0, 0, 0, 0), ('all-to-all', 9, 2, 1, 9, 1, 100000000, 100000000, 6, 0, 0, 0, 0);
INSERT INTO delay(kind, source_id, thread_id, what, from_source_id, to_source_id, time_ns) VALUES
  ('barrier', 2, 2, 'computation', 5, 2, 2100000000), ('barrier', 2, 2, 'unexplained', NULL, NULL, 700000000),
  ('late sender', 3, 1, 'computation', 1, 3, 800000000),
  ('lock', 6, 1, 'computation', 6, 7, 500000000),
  ('all-to-all', 9, 1, 'unexplained', NULL, NULL, 400000000);
-- The path: thread 2 (not started [0, 1]) until it comes to the barrier at 7.9, thread 1 until the Allreduce at 9.3, thread 0.
INSERT INTO critical_path VALUES
  (1, 2, 'not started', 0, 1000000000, NULL, 0), (2, 2, 'running', 1000000000, 7900000000, NULL, 0),
  (3, 1, 'running', 7900000000, 9300000000, 5, 0), (4, 0, 'running', 9300000000, 10000000000, 4, 0);
INSERT INTO path_line(what, from_source_id, to_source_id, time_ns, threads_ns) VALUES
  ('computation', 9, NULL, 600000000, 1800000000), ('computation', 2, 9, 1300000000, 3500000000),
  ('computation', 5, 2, 5600000000, 5600000000), ('computation', 1, 5, 500000000, 500000000),
  ('computation', 5, 5, 100000000, 100000000), ('call', 9, NULL, 100000000, 300000000),
  ('call', 2, NULL, 100000000, 300000000), ('call', 1, NULL, 500000000, 2500000000),
  ('call', 5, NULL, 200000000, 200000000), ('not started', NULL, NULL, 1000000000, 0),
  ('computation', 1, 4, 0, 1000000000), ('computation', 4, 6, 0, 1000000000), ('computation', 6, 7, 0, 1300000000),
  ('computation', 7, 2, 0, 1000000000), ('computation', 7, 3, 0, 500000000), ('computation', 1, 3, 0, 1800000000),
  ('computation', 3, 6, 0, 400000000), ('computation', 3, 2, 0, 1900000000), ('call', 4, NULL, 0, 200000000),
  ('call', 6, NULL, 0, 100000000), ('call', 7, NULL, 0, 200000000), ('call', 3, NULL, 0, 300000000);
INSERT INTO path_call VALUES
  (1, 2, 500000000), (2, 1, 100000000), (5, 2, 200000000), (9, 0, 100000000);
INSERT INTO path_wait VALUES ('barrier', 2, 2, 1900000000, 0), ('all-to-all', 1, 9, 300000000, 0);
-- From 1.5, when the last MPI_Init ends.  Ideal: threads 0, 1, 2 come to the barrier at 4.0, 5.0, 6.2 of their clocks, to the
-- Allreduce at 7.2, 7.5, 7.4, and are done at 8.1.
INSERT INTO pop VALUES (0, 1500000000, 10000000000, 8100000000), (1, 0, 10000000000, 8100000000);
INSERT INTO pop_thread VALUES
  (0, 0, 4500000000, 8100000000), (0, 1, 6900000000, 8100000000), (0, 2, 8000000000, 8100000000),
  (1, 0, 5000000000, 8100000000), (1, 1, 7400000000, 8100000000), (1, 2, 8000000000, 8100000000);
INSERT INTO lock_total VALUES
  (1099511628032, 6, 0, 1, 1, 500000000, 500000000, 0, 0, 500000000, 500000000, 0, 0),
  (1099511628032, 6, 1, 1, 0, 0, 0, 0, 100000000, 1000000000, 1000000000, 0, 0);
INSERT INTO lock_wait_total VALUES (1099511628032, 0, 1, 6, 1, 500000000, 500000000, 0);
INSERT INTO access_piece VALUES (1, 1, 2, 2, 200000000, 0);
INSERT INTO access_pair VALUES (1, 5, 2, 'put', 0, 2, 8192, 200000000, 100000000, 100000000, 100000000, 100000000, NULL);
INSERT INTO access_line VALUES (5, 'put', 1, 2, 8192, 200000000, 100000000, 100000000, 100000000, 100000000, NULL);
INSERT INTO size_total VALUES
  (0, 'collective', 8, 1, 8), (1, 'collective', 8, 1, 8), (2, 'collective', 8, 1, 8),
  (1, 'send', 64, 1, 64), (1, 'send', 1048576, 1, 1048576), (2, 'put', 4096, 2, 8192);
INSERT INTO message_total VALUES (1, 0, 3, 4, 1, 1048576, 1048576, 1048576, 0);
INSERT INTO message_wait_total VALUES (1, 0, 3, 4, 800000000, 0, 0, 0, 0);
INSERT INTO p2p_total VALUES
  (0, 'receive', 'matched', 1, 1048576), (1, 'send', 'matched', 1, 1048576), (1, 'send', 'unmatched', 1, 64);
INSERT INTO collective_total VALUES
  (1, 2, 2, 1, 3, 2800000000, 2800000000, 1900000000, 100000000, 0),
  (1, 9, 1, 1, 3, 400000000, 400000000, 300000000, 100000000, 0);
