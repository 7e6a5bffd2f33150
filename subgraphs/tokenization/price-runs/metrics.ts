import { Counter } from 'prom-client';

/** Counts series that could not be priced because a published number is missing, by index. Exposed at `/metrics`. */
export const missingInputs = new Counter({
  name: 'unit_price_missing_inputs_total',
  help: 'Number of failed attempts to price a series because a published number was missing, by index.',
  labelNames: ['index'],
  registers: [],
});

/** @param input as `IPCA 2026-03` */
export function countMissing(input: string, count: number): void {
  missingInputs.inc({ index: input.slice(0, input.indexOf(' ')) }, count);
}
