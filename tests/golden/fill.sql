-- SPDX-License-Identifier: GPL-3.0-or-later
-- What follows from the rows that are there, after totals.sql.
INSERT INTO profile_total SELECT * FROM expected_profile_total;
INSERT INTO spread SELECT * FROM expected_spread;
INSERT INTO traffic_total SELECT * FROM expected_traffic_total;
INSERT INTO spot SELECT * FROM spots;
INSERT INTO loss_total SELECT * FROM loss_line;
