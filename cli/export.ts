import { parseArgs } from 'node:util';
import { importDomains } from '../bootstrap/imports.js';
import { loadConfig } from '../shared/kernel/config.js';
import { ApiError } from '../shared/kernel/errors.js';
import { exportTo } from '../shared/import/export.js';
import { refused, withOperator } from './acting.js';
import { misused, type Command } from './command.js';
import { printed } from './print.js';

const options = { only: { type: 'string' }, 'as-of': { type: 'string' }, history: { type: 'boolean' } } as const;

export const exportCommand: Command = {
  usage: `Usage: npm run lastro -- export <new folder> [--only <ticker>,…] [--as-of <moment>] [--history]

Writes files that \`import\` reads: a JSON file for each operation and estate, and a CSV file for each long list, all as of one moment. Imported into an
empty database they give the same responses; computed values (prices of tokenized series, reports) are computed again there.

  --only     only the operations and estates with these tickers
  --as-of    the state at this moment (2026-11-22T12:00:00Z)
  --history  also writes superseded versions to .history in the folder, as JSON lines

The files hold personal data: the folder is readable by its owner only. It requires the role publish, and is recorded in the audit log.
Exit code 0: written. 1: refused, with the reason on standard error. 2: wrong use.`,
  run: (args) => {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
    const [folder] = positionals;
    if (folder === undefined || positionals.length > 1) return Promise.resolve(misused(exportCommand));
    const only = values.only?.split(',').map((ticker) => ticker.trim());
    const work = async () => {
      const asOf = momentOf(values['as-of']);
      const { history = false } = values;
      return withOperator(loadConfig(), async (context) => {
        const { counts, files } = await exportTo(context, importDomains, folder, { only, asOf, history });
        const lines = [...counts].map(([kind, count]) => `${kind}  ${count}\n`);
        await printed(`${lines.join('')}\n${files} files written to ${folder}.\n`);
        return 0;
      });
    };
    return work().catch(refused);
  },
};

function momentOf(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const moment = new Date(text);
  if (Number.isNaN(moment.getTime()) || !/^\d{4}-\d{2}-\d{2}T.+(Z|[+-]\d{2}:\d{2})$/.test(text))
    throw new ApiError('BAD_REQUEST', { message: `--as-of is "${text}": write a moment such as 2026-11-22T12:00:00Z` });
  return moment;
}
