-- outside of a transaction
-- Divides the log of requests by week: ninety days are fourteen partitions at most.
SELECT shared.prepare_partitions('accounts.request_log', 'at', 'week', 4);
SELECT shared.validate_partitions('accounts.request_log');
-- contract: the swap waits half a second at most and takes a moment, and the previous version reads and writes the table under its name as before
SELECT shared.partition_table('accounts.request_log');
