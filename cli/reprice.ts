import { z } from 'zod';
import type { Command } from './command.js';
import { misused, operate } from './operate.js';

export const repriceCommand: Command = {
  name: 'reprice',
  summary: 'make the unit prices that are due now, or those of a series anew',
  usage: `Usage: npm run lastro -- reprice [ticker]

Without a ticker: every price that is due, instead of at the next look of the job. With one: the prices of that series from
its start. Prices are never written over; a digit that differs is a new version. The server may be running.

Exit code 0: done, with what is missing, if anything. 1: refused, with the reason on standard error. 2: wrong use.`,
  run: (args) => {
    const [ticker, ...more] = args;
    if (more.length > 0) return Promise.resolve(misused(repriceCommand.usage));
    return operate(
      'mutation ($ticker: String) { reprice(ticker: $ticker) { series prices missing { input series } } }',
      { ticker },
      z.object({
        reprice: z.object({
          series: z.number(),
          prices: z.number(),
          missing: z.array(z.object({ input: z.string(), series: z.number() })),
        }),
      }),
      ({ reprice: { series, prices, missing } }) =>
        [
          `${prices} prices of ${series} series were written.`,
          ...missing.map((each) => `${each.series} series wait for ${each.input}.`),
        ].join('\n'),
    );
  },
};
