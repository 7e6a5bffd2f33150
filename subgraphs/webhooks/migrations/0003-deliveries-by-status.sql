-- A list of deliveries, of one status or of all, reads the newest of each status that it shows, however many others there are.
CREATE INDEX deliveries_listed ON webhooks.deliveries (subscription_id, status, event_id);
DROP INDEX webhooks.deliveries_subscription;
