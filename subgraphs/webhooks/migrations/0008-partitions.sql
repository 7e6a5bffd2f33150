-- outside of a transaction
-- Divides events, deliveries and attempts by week, by the id of the event, which begins with its time: the primary keys hold it, and a statement by id reads one
-- partition. Thirty days are some six partitions; a day each would make thirty-five, of which every list would read the index.
SELECT shared.prepare_partitions('webhooks.events', 'id', 'week', 4);
SELECT shared.prepare_partitions('webhooks.deliveries', 'event_id', 'week', 4);
SELECT shared.prepare_partitions('webhooks.attempts', 'event_id', 'week', 4);
SELECT shared.validate_partitions('webhooks.events');
SELECT shared.validate_partitions('webhooks.deliveries');
SELECT shared.validate_partitions('webhooks.attempts');
-- contract: the swap waits half a second at most and takes a moment, and the previous version reads and writes the table under its name as before
SELECT shared.partition_table('webhooks.events');
-- contract: the swap waits half a second at most and takes a moment, and the previous version reads and writes the table under its name as before
SELECT shared.partition_table('webhooks.deliveries');
-- contract: the swap waits half a second at most and takes a moment, and the previous version reads and writes the table under its name as before
SELECT shared.partition_table('webhooks.attempts');
