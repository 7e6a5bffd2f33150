import { Counter, Histogram } from 'prom-client';

export const attemptSeconds = new Histogram({
  name: 'webhook_attempt_duration_seconds',
  help: 'Duration of delivery attempts, by HTTP status of the response, or `none`.',
  labelNames: ['status'],
  buckets: [0.01, 0.05, 0.25, 1, 2.5, 5],
  registers: [],
});

export const unsignedDeliveries = new Counter({
  name: 'webhook_unsigned_total',
  help: 'Pending deliveries that could not be signed, because the secret of the webhook was encrypted with another master key.',
  registers: [],
});
