-- outside of a transaction
-- contract: one of the same name that an interrupted attempt left is no use to anybody
DROP INDEX CONCURRENTLY IF EXISTS shared.idempotent_answers_about;
CREATE INDEX CONCURRENTLY idempotent_answers_about ON shared.idempotent_answers (about) WHERE about IS NOT NULL;
