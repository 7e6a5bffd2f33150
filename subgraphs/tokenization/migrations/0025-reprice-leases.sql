-- When a request is to be processed: at once, or at the end of a lease; and the token of the claim under which it is.
ALTER TABLE tokenization.reprice_requests RENAME COLUMN claimed_at TO due_at;
UPDATE tokenization.reprice_requests SET due_at = coalesce(due_at + interval '10 minutes', requested_at);
ALTER TABLE tokenization.reprice_requests ALTER COLUMN due_at SET NOT NULL, ADD COLUMN lease uuid;
DROP INDEX tokenization.reprice_requests_open;
CREATE INDEX reprice_requests_due ON tokenization.reprice_requests (due_at) WHERE finished_at IS NULL;
