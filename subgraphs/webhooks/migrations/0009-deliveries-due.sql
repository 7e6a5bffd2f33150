-- Which deliveries are due, whatever waits for a later time. Those of `deliveries_waiting` are found by their subscription.
-- contract: a divided table takes no index concurrently, and what is pending is little
CREATE INDEX deliveries_due ON webhooks.deliveries (next_attempt_at) INCLUDE (subscription_id) WHERE status = 'pending';
