import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Command } from './command.js';
import { misused } from './misuse.js';
import { operateWith, Refusal, type Ask } from './operate.js';

export const repriceCommand: Command = {
  usage: `Usage: npm run lastro -- reprice [ticker]

Without a ticker: computes all prices that are due, without waiting for the next run of the job. With a ticker: computes all prices of that
series from its start. Prices are never overwritten; a different value is stored as a new version. The server may be running.

Exit code 0: done, with the missing inputs, if any. 1: refused, with the reason on standard error. 2: wrong use.`,
  run: (args) => {
    const [ticker, ...more] = args;
    if (more.length > 0) return Promise.resolve(misused(repriceCommand.usage, args));
    return operateWith(async (ask) => {
      const { reprice } = await ask(
        'mutation ($ticker: String) { reprice(ticker: $ticker) { id series } }',
        { ticker },
        z.object({ reprice: z.object({ id: z.string(), series: z.number() }) }),
      );
      const { prices, missing } = await finished(ask, reprice.id);
      return [
        `${prices} prices of ${reprice.series} series were written.`,
        ...missing.map((each) => `${each.series} series wait for ${each.input}.`),
      ].join('\n');
    });
  },
};

const requestForm = z.object({
  repriceRequest: z.object({
    finishedAt: z.string().nullable(),
    prices: z.number().nullable(),
    missing: z.array(z.object({ input: z.string(), series: z.number() })),
    fault: z.string().nullable(),
  }),
});

/** Waits until a run, of this process or of the server, has calculated the prices. */
async function finished(ask: Ask, id: string) {
  for (;;) {
    const { repriceRequest } = await ask(
      'query ($id: ID!) { repriceRequest(id: $id) { finishedAt prices missing { input series } fault } }',
      { id },
      requestForm,
    );
    const { finishedAt, prices, missing, fault } = repriceRequest;
    if (fault !== null) throw new Refusal(fault);
    if (finishedAt !== null && prices !== null) return { prices, missing };
    await sleep(200);
  }
}
