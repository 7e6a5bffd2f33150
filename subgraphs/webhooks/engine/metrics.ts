import { Counter, Histogram } from 'prom-client';

/** Time that attempts of deliveries took, by HTTP status. */
export const attemptSeconds = new Histogram({
  name: 'webhook_attempt_duration_seconds',
  help: 'Duration of delivery attempts, by HTTP status of the response, or `none`.',
  labelNames: ['status'],
  buckets: [0.01, 0.05, 0.25, 1, 2.5, 5],
  registers: [],
});

/** Counts deliveries that wait because their webhook's secret cannot be opened. */
export const unsignedDeliveries = new Counter({
  name: 'webhook_unsigned_total',
  help: 'Pending deliveries that could not be signed, because the secret of the webhook was encrypted with another master key.',
  registers: [],
});
