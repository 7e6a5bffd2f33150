import type { DatabaseGauge } from '../../kernel/metrics.js';
import { countPutOff, outboxLagSeconds } from './relay.store.js';

/** Grows while the relay does not keep up, or does not run. */
export const outboxLag: DatabaseGauge = {
  name: 'outbox_lag_seconds',
  help: 'Age of the oldest unpublished event.',
  read: outboxLagSeconds,
};

/** Events on which a consumer failed. */
export const putOffEvents: DatabaseGauge = {
  name: 'outbox_put_off_events',
  help: 'Events that wait to be retried because a consumer failed; the log has the reason.',
  read: countPutOff,
};
