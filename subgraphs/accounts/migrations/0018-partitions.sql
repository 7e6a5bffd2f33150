-- outside of a transaction
-- Divides the log of requests by week: ninety days are fourteen partitions at most.
SELECT shared.prepare_partitions('accounts.request_log', 'at', 'week', 4);
SELECT shared.validate_partitions('accounts.request_log');
SELECT shared.partition_table('accounts.request_log');
