-- outside of a transaction
-- Of the credits that an originator assigned under one external id to an estate, at most one is not written off.
-- contract: one of the same name that an interrupted attempt left is no use to anybody
DROP INDEX CONCURRENTLY IF EXISTS tokenization.assets_assigned_live;
CREATE UNIQUE INDEX CONCURRENTLY assets_assigned_live ON tokenization.assets (patrimony_id, external_id, originator_id)
  WHERE originator_id IS NOT NULL AND status <> 'WRITTEN_OFF';
