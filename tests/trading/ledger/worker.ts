// A process that posts, on the database that the command line names, until it is killed: moves and holds between the wallets in
// LEDGER_WALLETS. Whatever is committed it notes in the file LEDGER_NOTES afterwards. Says `ready` in one line.
import { appendFileSync } from 'node:fs';
import '../../../bootstrap/registry.js';
import { createLocalBus } from '../../../shared/events/bus.js';
import { systemClock } from '../../../shared/kernel/clock.js';
import { createContext } from '../../../shared/kernel/context.js';
import { openDatabase } from '../../../shared/database/database.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { newId } from '../../../shared/kernel/ids.js';
import { createLog } from '../../../shared/kernel/log.js';
import { postJournals, type Journal } from '../../../subgraphs/trading/ledger/post-journals.js';

const [url = ''] = process.argv.slice(2);
const wallets = (process.env['LEDGER_WALLETS'] ?? '').split(',');
const notes = process.env['LEDGER_NOTES'] ?? '';
const source = await openDatabase({ url, poolSize: 6, applicationName: 'worker' });
const log = createLog('warn', { write: (line) => process.stderr.write(line) });
const context = createContext({ clock: systemClock, log, manager: source.manager, bus: createLocalBus() });

const anyWallet = () => wallets[Math.floor(Math.random() * wallets.length)] ?? '';

async function act(): Promise<void> {
  const [id, from, to] = [newId(), anyWallet(), anyWallet()];
  const of = { cause: 'test', causeId: id, synthetic: false };
  const client = (walletId: string) => ({ kind: 'AVAILABLE', walletId, currency: 'BRL' }) as const;
  const journals: Journal[] = [
    { ...of, key: `${id}:open`, holds: [{ act: 'open', id, walletId: from, currency: 'BRL', amount: '0.03' }] },
    {
      ...of,
      key: `${id}:fill`,
      holds: [
        { act: 'spend', id, amount: '0.02' },
        { act: 'release', id },
      ],
      postings: [{ account: client(to), amount: '0.02' }],
    },
  ];
  // One transaction, or one after the other: a kill between them leaves an open hold, which is right.
  if (Math.random() < 0.5) await inTransaction(context, (tx) => postJournals(tx, journals));
  else for (const journal of journals) await inTransaction(context, (tx) => postJournals(tx, [journal]));
  appendFileSync(notes, `${id}\n`);
}

process.stdout.write('ready\n');
await Promise.all(
  Array.from({ length: 6 }, async () => {
    for (;;) await act();
  }),
);
