import { parseArgs } from 'node:util';
import { z } from 'zod';
import type { Command } from './command.js';
import { misused } from './misuse.js';
import { operate } from './operate.js';

const form = z.object({ month: z.string(), version: z.number() });
const fields = '{ month version }';

export const reportCommand: Command = {
  usage: `Usage: npm run lastro -- report close <operation> <YYYY-MM>
       npm run lastro -- report reissue <operation> <YYYY-MM> --reason <why>

close    marks the positions of the month as complete: its management report becomes final, with the current data. A month whose
         positions were imported with completeMonths is already final
reissue  issues a final report with errors again as the next version, with the current data. Earlier versions
         remain; the reason is published

  <operation>   ticker of the operation

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
    return Promise.resolve(misused(reportCommand.usage, args));
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
      `The report of ${ticker} of ${reissueReport.month} was reissued as version ${reissueReport.version}.`,
  );
}
