import { afterAll, expect, test } from '@jest/globals';
import { newId } from '../../../shared/kernel/ids.js';
import { openHold } from '../../../subgraphs/trading/ledger/post-journals.js';
import { random, randomInt } from '../../kit/random.js';
import { proveLedger } from '../../../subgraphs/trading/ledger/reconcile.js';
import { available, fees, move, openLedger, venue, type Wallet, postHold, releaseHold } from './kit.js';

const writers = 20;
const acts = Number(process.env['BANK_ACTS'] ?? 30);

const kit = await openLedger(writers + 2);
const wallets: Wallet[] = [];
for (let index = 0; index < 8; index += 1) wallets.push(await kit.funded('10.00'));
afterAll(() => kit.close());

function anyWallet(): Wallet {
  const wallet = wallets[randomInt(wallets.length)];
  if (wallet === undefined) throw new Error('There are no wallets');
  return wallet;
}

const cents = () => (Math.ceil(random() * 400) / 100).toFixed(2);

/** One of what the program does to a wallet, of which some cannot be paid. */
async function act(): Promise<void> {
  const [one, other, id, amount] = [anyWallet(), anyWallet(), newId(), cents()];
  const of = { cause: 'test', causeId: id, synthetic: false };
  if (random() < 0.4) {
    await kit.post(move(available(one), available(other), amount), move(available(other), available(one), '0.01'));
    return;
  }
  await kit.act((tx) => openHold(tx, { id, walletId: one.id, currency: 'BRL', amount, ...of }));
  const postings = [
    { account: available(other), amount: '0.01' },
    { account: fees(), amount: '0.001' },
    { account: venue(), amount: '-0.001' },
  ];
  if (random() < 0.7)
    await kit.act((tx) => postHold(tx, { key: newId(), holdId: id, amount: '0.01', postings, ...of }));
  await kit.act((tx) => releaseHold(tx, { holdId: id, ...of }));
}

test('twenty writers between eight wallets: no reader ever sees the sum move, or anything below zero', async () => {
  const refused: unknown[] = [];
  let writing = true;
  const write = async () => {
    for (let index = 0; index < acts; index += 1) await act().catch((error: unknown) => refused.push(error));
  };
  const seen: unknown[] = [];
  const read = async () => {
    while (writing) {
      seen.push(
        ...(await kit.rows(
          `SELECT trim_scale(sum(balance) FILTER (WHERE wallet_id IS NOT NULL))::text AS clients, trim_scale(sum(balance))::text AS all,
             min(balance) FILTER (WHERE wallet_id IS NOT NULL) < 0 AS negative,
             bool_or(balance IS DISTINCT FROM (SELECT balance FROM trading.entries WHERE account_id = account.id AND posted_at = last_posted_at)) AS adrift
           FROM trading.ledger_accounts AS account`,
        )),
      );
    }
  };
  const readers = [read(), read()];
  await Promise.all(Array.from({ length: writers }, write));
  writing = false;
  await Promise.all(readers);
  expect(seen.length).toBeGreaterThan(10);
  for (const row of seen) expect(row).toEqual({ clients: '80', all: '0', negative: false, adrift: false });
  // Nobody was undone for another's sake: all that is refused is what cannot be paid.
  for (const error of refused) expect(error).toMatchObject({ code: 'INSUFFICIENT_BALANCE' });
  expect(await proveLedger(kit.context)).toEqual([]);
});
