-- outside of a transaction
-- Divides the audit log by year, by the id of an entry, which begins with its time. Nothing drops its partitions: it has no retention. They keep its indexes small, and
-- let an operator move a year elsewhere. Each has the triggers that refuse changes.
SELECT shared.prepare_partitions('shared.audit_log', 'id', 'year', 2);
SELECT shared.validate_partitions('shared.audit_log');
-- contract: the swap waits half a second at most and takes a moment, and the previous version reads and writes the table under its name as before
SELECT shared.partition_table('shared.audit_log');
