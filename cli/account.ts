import { parseArgs } from 'node:util';
import { z } from 'zod';
import type { Command } from './command.js';
import { misused } from './misuse.js';
import { operate } from './operate.js';

const accounts = z.array(z.object({ id: z.string(), email: z.string() }));

export const accountCommand: Command = {
  usage: `Usage: npm run lastro -- account disable <e-mail> --reason <text>
       npm run lastro -- account enable <e-mail>
       npm run lastro -- account end-sessions <e-mail>

disable       ends the sessions of all accounts with an e-mail, and rejects logins and keys until the accounts are enabled
enable        allows logins again; the keys work again
end-sessions  ends the sessions; the keys keep working

  --reason  reason for other operators, 1 to 500 characters

Takes effect within a second on all servers; the server may be running. Exit code 0: done. 1: refused, with the reason on standard
error. 2: wrong use.`,
  run: async (args) => {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { reason: { type: 'string' } },
    });
    const [verb, email, ...more] = positionals;
    if (email === undefined || more.length > 0) return misused(accountCommand.usage, args);
    if (verb === 'disable' && values.reason !== undefined) return disable(email, values.reason);
    if (values.reason !== undefined) return misused(accountCommand.usage, args);
    if (verb === 'enable') return enable(email);
    return verb === 'end-sessions' ? endSessions(email) : misused(accountCommand.usage, args);
  },
};

function disable(email: string, reason: string): Promise<number> {
  return operate(
    'mutation ($email: String!, $reason: String!) { disableAccount(email: $email, reason: $reason) { id email } }',
    { email, reason },
    z.object({ disableAccount: accounts }),
    (data) => data.disableAccount.map((one) => `${one.email} (${one.id}) is disabled.`).join('\n'),
  );
}

function enable(email: string): Promise<number> {
  return operate(
    'mutation ($email: String!) { enableAccount(email: $email) { id email } }',
    { email },
    z.object({ enableAccount: accounts }),
    (data) => data.enableAccount.map((one) => `${one.email} (${one.id}) is enabled.`).join('\n'),
  );
}

function endSessions(email: string): Promise<number> {
  return operate(
    'mutation ($email: String!) { endAccountSessions(email: $email) }',
    { email },
    z.object({ endAccountSessions: z.number() }),
    (data) => `${data.endAccountSessions} sessions of ${email} have ended.`,
  );
}
