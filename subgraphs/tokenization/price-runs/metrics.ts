import { Counter } from 'prom-client';

/** Counts series that could not be priced because a published number is missing, by index. Exposed at `/metrics`. */
export const missingInputs = new Counter({
  name: 'unit_price_missing_inputs_total',
  help: 'Series that could not be priced for want of a published number, by index; counted once for each attempt.',
  labelNames: ['index'],
  registers: [],
});

/** @param input as `IPCA 2026-03` */
export function countMissing(input: string, count: number): void {
  missingInputs.inc({ index: input.slice(0, input.indexOf(' ')) }, count);
}
