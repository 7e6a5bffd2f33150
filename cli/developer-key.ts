import { parseArgs } from 'node:util';
import { grantDeveloperKey } from '../house/developer-key.js';
import { createLocalBus } from '../shared/bus.js';
import { systemClock } from '../shared/clock.js';
import { loadConfig } from '../shared/config.js';
import { createContext } from '../shared/context.js';
import { Fault } from '../shared/errors.js';
import { createLog } from '../shared/log.js';
import type { Command } from './command.js';
import { withDatabase } from './database.js';

export const developerKeyCommand: Command = {
  usage: `Usage: npm run lastro -- developer-key add --email <e-mail> --scope <scope>… [--name <label>]

Makes a key (svc_dev_…) for the confirmed account with an e-mail, and prints it on standard output: it cannot be shown
again. The server may be running.

  --email   whose key it is
  --scope   what it may do; once for each of contracts:read, credit:read, webhooks:read, webhooks:write, operator
  --name    its label (default: "linha de comando")

A key with the scope operator may do what the operator may: mark payments, write credits off, change states.
Exit code 0: made. 1: refused, with the reason on standard error. 2: wrong use.`,
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
    try {
      const key = await withDatabase(config, ({ manager }) => {
        const log = createLog(config.logLevel, process.stderr);
        const context = createContext({ clock: systemClock, log, manager, bus: createLocalBus() });
        return grantDeveloperKey(context, config, { email, scopes, name });
      });
      process.stdout.write(`${key}\n`);
      return 0;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      const { details = [] } = error.extensions;
      const lines = details.length === 0 ? [error.message] : details.map(({ path, message }) => `${path} ${message}`);
      process.stderr.write(`${lines.join('\n')}\n`);
      return 1;
    }
  },
};
