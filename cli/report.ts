import { parseArgs } from 'node:util';
import { z } from 'zod';
import type { Command } from './command.js';
import { misused, operate } from './operate.js';

const form = z.object({ month: z.string(), version: z.number() });
const fields = '{ month version }';

export const reportCommand: Command = {
  usage: `Usage: npm run lastro -- report close <operation> <YYYY-MM>
       npm run lastro -- report reissue <operation> <YYYY-MM> --reason <why>

close    the positions of the month are complete: its management report is final, as the data stands. A month whose positions
         were imported with completeMonths is final already
reissue  a final report that turned out wrong is issued again as the next version, as the data stands now. Earlier versions
         stay; the reason is published

  <operation>   its ticker

The server may be running. Exit code 0: done. 1: refused, with the reason on standard error. 2: wrong use.`,
  run: (args) => {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { reason: { type: 'string' } },
    });
    const [act, ticker, month, ...more] = positionals;
    const { reason } = values;
    if (ticker !== undefined && month !== undefined && more.length === 0) {
      if (act === 'close' && reason === undefined) return close(ticker, month);
      if (act === 'reissue' && reason !== undefined) return reissue(ticker, month, reason);
    }
    return Promise.resolve(misused(reportCommand.usage));
  },
};

function close(ticker: string, month: string): Promise<number> {
  return operate(
    `mutation ($ticker: String!, $month: Month!) { closeReport(ticker: $ticker, month: $month) ${fields} }`,
    { ticker, month },
    z.object({ closeReport: form }),
    ({ closeReport }) => `The report of ${ticker} of ${closeReport.month} is final.`,
  );
}

function reissue(ticker: string, month: string, reason: string): Promise<number> {
  return operate(
    `mutation ($ticker: String!, $month: Month!, $reason: String!) {
      reissueReport(ticker: $ticker, month: $month, reason: $reason) ${fields} }`,
    { ticker, month, reason },
    z.object({ reissueReport: form }),
    ({ reissueReport }) =>
      `The report of ${ticker} of ${reissueReport.month} was issued again, as version ${reissueReport.version}.`,
  );
}
