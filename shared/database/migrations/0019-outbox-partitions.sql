-- outside of a transaction
-- Divides the outbox by week, by the id of an event, which begins with its time.
SELECT shared.prepare_partitions('shared.outbox', 'id', 'week', 4);
SELECT shared.validate_partitions('shared.outbox');
-- contract: the swap waits half a second at most and takes a moment, and the previous version reads and writes the table under its name as before
SELECT shared.partition_table('shared.outbox');
