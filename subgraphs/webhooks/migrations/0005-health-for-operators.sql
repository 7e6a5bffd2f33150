-- Since when a webhook is deactivated and why, and the list of all webhooks by their health, worst first.
ALTER TABLE webhooks.subscriptions
  -- Null for one that is active, and for one that was deactivated before this was stored.
  ADD COLUMN deactivated_at timestamptz,
  ADD COLUMN deactivated_why text CHECK (deactivated_why IN ('FAILED', 'GONE')),
  ADD CONSTRAINT subscriptions_deactivated CHECK (
    (deactivated_at IS NULL) = (deactivated_why IS NULL) AND (deactivated_at IS NULL OR status = 'deactivated'));
CREATE INDEX subscriptions_health ON webhooks.subscriptions
  ((CASE WHEN status = 'deactivated' THEN 0 WHEN failing THEN 1 ELSE 2 END), id) WHERE deleted_at IS NULL;
