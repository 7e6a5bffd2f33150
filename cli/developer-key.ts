import { parseArgs } from 'node:util';
import { grantDeveloperKey } from '../bootstrap/developer-key.js';
import { loadConfig } from '../shared/config.js';
import { saying, withOperator } from './acting.js';
import type { Command } from './command.js';

export const developerKeyCommand: Command = {
  usage: `Usage: npm run lastro -- developer-key add --email <e-mail> --scope <scope>… [--name <label>]

Creates a key (svc_dev_…) for the confirmed account with an e-mail, and prints it on standard output: it cannot be shown
again. The server may be running.

  --email   e-mail of the account
  --scope   permission; repeat it for each of contracts:read, credit:read, webhooks:read, webhooks:write;
            webhooks:write can receive all events of the account, those of credits and of trading too
  --name    its label (default: "linha de comando")

It requires the role administer. Operators get their keys by: npm run lastro -- operator add.
Exit code 0: created. 1: refused, with the reason on standard error. 2: wrong use.`,
  run: async (args) => {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        email: { type: 'string' },
        scope: { type: 'string', multiple: true },
        name: { type: 'string', default: 'linha de comando' },
      },
    });
    const { email, scope: scopes, name } = values;
    if (positionals.join(' ') !== 'add' || email === undefined || scopes === undefined) {
      process.stderr.write(`${developerKeyCommand.usage}\n`);
      return 2;
    }
    const config = loadConfig();
    return saying(() => withOperator(config, (context) => grantDeveloperKey(context, { email, scopes, name })));
  },
};
