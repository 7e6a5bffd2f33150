import { Counter } from 'prom-client';

/** Series that could not be priced for want of a published number, by index. The house shows it at `/metrics`. */
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
