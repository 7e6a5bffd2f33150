import { afterAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ApiError } from '../../../shared/kernel/errors.js';
import { newId } from '../../../shared/kernel/ids.js';
import type { PostedJournal } from '../../../subgraphs/trading/ledger/ledger.store.js';
import { postJournals, type HoldChange, type Journal } from '../../../subgraphs/trading/ledger/post-journals.js';
import { proveLedger } from '../../../subgraphs/trading/ledger/reconcile.js';
import { available, openLedger, type Wallet } from './kit.js';

/** The ledger as a page of arithmetic: wallets and holds by number, amounts in cents. */
class LedgerModel {
  readonly available: number[];
  readonly locked: number[];
  readonly holds = new Map<string, { readonly wallet: number; remaining: number }>();
  readonly posted = new Set<string>();

  constructor(opening: readonly number[]) {
    this.available = [...opening];
    this.locked = opening.map(() => 0);
  }

  /** Does what an act says, and returns whether it was done, had been done before, or is refused. */
  apply({ key, ...act }: Act): Outcome {
    if (this.posted.has(key)) return 'repeated';
    const outcome = this.#do(act);
    if (outcome === 'done') this.posted.add(key);
    return outcome;
  }

  #do(act: Omit<Act, 'key'>): Outcome {
    const { wallet, other, amount, hold } = act;
    if (act.kind === 'move') {
      // Between one wallet and itself nothing moves.
      if (wallet !== other && this.#of(this.available, wallet) < amount) return 'poor';
      this.#add(this.available, wallet, -amount);
      this.#add(this.available, other, amount);
      return 'done';
    }
    if (act.kind === 'open') {
      if (this.holds.has(hold)) return 'refused';
      if (this.#of(this.available, wallet) < amount) return 'poor';
      this.#add(this.available, wallet, -amount);
      this.#add(this.locked, wallet, amount);
      this.holds.set(hold, { wallet, remaining: amount });
      return 'done';
    }
    const held = this.holds.get(hold);
    if (held === undefined) return 'refused';
    if (act.kind !== 'release') {
      if (held.remaining < amount) return 'refused';
      held.remaining -= amount;
      this.#add(this.locked, held.wallet, -amount);
      this.#add(this.available, other, amount);
    }
    if (act.kind !== 'spend') {
      this.#add(this.available, held.wallet, held.remaining);
      this.#add(this.locked, held.wallet, -held.remaining);
      held.remaining = 0;
    }
    return 'done';
  }

  #of(side: readonly number[], wallet: number): number {
    return side[wallet] ?? 0;
  }

  #add(side: number[], wallet: number, amount: number): void {
    side[wallet] = this.#of(side, wallet) + amount;
  }
}

type Outcome = 'done' | 'repeated' | 'poor' | 'refused';

/** What is asked of the ledger. An act uses what it needs. */
interface Act {
  readonly kind: 'move' | 'open' | 'spend' | 'spend and release' | 'release';
  readonly key: string;
  readonly wallet: number;
  /** Who gets what is moved or spent. */
  readonly other: number;
  /** Cents, above zero. */
  readonly amount: number;
  readonly hold: string;
}

const kit = await openLedger(8);
afterAll(async () => {
  expect(await proveLedger(kit.context)).toEqual([]);
  await kit.close();
});

const opening = [1000, 500, 0];
const text = (cents: number) => (cents / 100).toFixed(2);

/** Acts on three wallets and three holds. Keys and holds are numbers until they are run. */
const anyActs = fc.array(
  fc.record({
    kind: fc.constantFrom<Act['kind']>('move', 'open', 'open', 'spend', 'spend', 'spend and release', 'release'),
    key: fc.nat(25).map(String),
    wallet: fc.nat(2),
    other: fc.nat(2),
    amount: fc.oneof(fc.integer({ min: 1, max: 400 }), fc.constantFrom(500, 1000, 1500)),
    hold: fc.nat(2).map(String),
  }),
  { minLength: 5, maxLength: 40 },
);

/** Such acts, of which some come twice: what comes with a key that was there is the same again. Others are refused. */
const acts = anyActs.map((list) => list.map((act) => list.find(({ key }) => key === act.key) ?? act));

/** Four holds are opened; then come calls of several acts, mostly small enough for all of a call to be possible. */
const calls = fc
  .tuple(fc.oneof(acts, anyActs), fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 40, maxLength: 40 }))
  .map(([list, sizes]) => {
    const [large] = opening;
    const opened = ['0', '1', '2', '3'].map((hold): Act => ({
      kind: 'open',
      key: `first ${hold}`,
      wallet: 0,
      other: 0,
      amount: (large ?? 0) / 5,
      hold,
    }));
    const rest = list.map((act) => ({ ...act, hold: String(Number(act.key) % 5), amount: Math.ceil(act.amount / 12) }));
    return [opened, ...sizes.map((size) => rest.splice(0, size))].filter((call) => call.length > 0);
  });

type Run = Awaited<ReturnType<typeof newRun>>;

async function newRun() {
  const wallets: Wallet[] = [];
  for (const cents of opening) wallets.push(cents === 0 ? await kit.wallet() : await kit.funded(text(cents)));
  const run = newId();
  const holds = new Map<string, string>();
  const holdOf = (name: string) => {
    const id = holds.get(name) ?? newId();
    holds.set(name, id);
    return id;
  };
  const walletOf = (number: number): Wallet => {
    const wallet = wallets[number];
    if (wallet === undefined) throw new Error(`There is no wallet ${number}`);
    return wallet;
  };
  return {
    /** What the keys of its journals begin with. */
    prefix: `${run}:`,
    wallets,
    journalOf: ({ kind, key, wallet, other, amount, hold }: Act) => {
      const id = holdOf(hold);
      const cents = text(amount);
      const paid = { account: available(walletOf(other)), amount: cents };
      const changes: Record<Act['kind'], readonly HoldChange[]> = {
        move: [],
        open: [{ act: 'open', id, walletId: walletOf(wallet).id, currency: 'BRL', amount: cents }],
        spend: [{ act: 'spend', id, amount: cents }],
        'spend and release': [
          { act: 'spend', id, amount: cents },
          { act: 'release', id },
        ],
        release: [{ act: 'release', id }],
      };
      const postings = {
        move: [{ account: available(walletOf(wallet)), amount: `-${cents}` }, paid],
        open: [],
        spend: [paid],
        'spend and release': [paid],
        release: [],
      };
      return {
        key: `${run}:${key}`,
        cause: 'test',
        causeId: key,
        synthetic: false,
        postings: postings[kind],
        holds: changes[kind],
      };
    },
  };
}

async function outcomeOf(journal: Journal): Promise<Outcome> {
  try {
    const [posted] = await kit.post(journal);
    return posted?.repeated === true ? 'repeated' : 'done';
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'INSUFFICIENT_BALANCE') return 'poor';
    if (code === 'CONFLICT') return 'refused';
    throw error;
  }
}

async function expectState({ wallets }: Run, model: LedgerModel): Promise<void> {
  for (const [index, wallet] of wallets.entries()) {
    expect(await kit.balance(wallet)).toMatchObject({
      available: text(model.available[index] ?? 0),
      locked: text(model.locked[index] ?? 0),
    });
  }
}

test('acts one after the other have the outcome and the balances that arithmetic says', async () => {
  await fc.assert(
    fc.asyncProperty(acts, async (list) => {
      const run = await newRun();
      const model = new LedgerModel(opening);
      for (const act of list) {
        const expected = model.apply(act);
        expect({ act, outcome: await outcomeOf(run.journalOf(act)) }).toEqual({ act, outcome: expected });
      }
      await expectState(run, model);
    }),
    { numRuns: 25 },
  );
});

/** What one call says, whichever way its journals are posted: of each whether it was repeated, or why all were refused. */
async function said(posting: Promise<readonly PostedJournal[]>): Promise<unknown> {
  try {
    return (await posting).map(({ repeated }) => repeated);
  } catch (error) {
    if (error instanceof ApiError) return { code: error.code, message: error.message };
    throw error;
  }
}

/** All that a run left: entries in their order, and holds; journals by the keys of their acts, wallets by their places. */
async function leftBy(run: Run): Promise<unknown> {
  const wallets = run.wallets.map(({ id }) => id);
  const entries = await kit.rows(
    `SELECT array_position($1::uuid[], wallet_id) AS wallet, kind, number::integer, split_part(key, ':', 2) AS key, amount::text,
       entry.balance::text, entry.posted_at = journal.posted_at AS at_once,
       entry.posted_at > lag(entry.posted_at) OVER (PARTITION BY account_id ORDER BY number) AS later,
       account.entry_count::integer AS count, account.balance::text AS now
     FROM trading.entries AS entry JOIN trading.ledger_accounts AS account ON account.id = account_id
     JOIN trading.journals AS journal ON journal.id = journal_id
     WHERE wallet_id = ANY ($1::uuid[]) ORDER BY wallet, kind, number`,
    [wallets],
  );
  const keyAt = (moment: string) =>
    `(SELECT split_part(key, ':', 2) FROM trading.journals WHERE posted_at = ${moment} AND starts_with(key, $2))`;
  const holds = await kit.rows(
    `SELECT array_position($1::uuid[], wallet_id) AS wallet, amount::text, remaining::text,
       ${keyAt('opened_at')} AS opened, ${keyAt('closed_at')} AS closed
     FROM trading.holds WHERE wallet_id = ANY ($1::uuid[]) ORDER BY opened_at`,
    [wallets, run.prefix],
  );
  return { entries, holds };
}

test('journals that are posted in one call do what they do one after the other, and are refused for the same', async () => {
  await fc.assert(
    fc.asyncProperty(calls, async (list) => {
      const [together, apart] = [await newRun(), await newRun()];
      for (const call of list) {
        const inTurn = kit.act(async (tx) => {
          const posted: PostedJournal[] = [];
          for (const act of call) posted.push(...(await postJournals(tx, [apart.journalOf(act)])));
          return posted;
        });
        const expected = await said(inTurn);
        expect({ call, said: await said(kit.post(...call.map(together.journalOf))) }).toEqual({ call, said: expected });
      }
      expect(await leftBy(together)).toEqual(await leftBy(apart));
    }),
    { numRuns: 25 },
  );
});

test('calls of several journals from several connections are as if their journals came one after the other', async () => {
  await fc.assert(
    fc.asyncProperty(calls, fc.integer({ min: 2, max: 6 }), async (list, connections) => {
      const run = await newRun();
      const waiting = [...list];
      const done: Act[] = [];
      const post = async () => {
        for (let call = waiting.shift(); call !== undefined; call = waiting.shift()) {
          const results = await said(kit.post(...call.map(run.journalOf)));
          if (Array.isArray(results)) done.push(...call.filter((_, index) => results[index] === false));
        }
      };
      await Promise.all(Array.from({ length: connections }, post));
      const rows = await kit.rows<{ key: string }>(
        `SELECT split_part(key, ':', 2) AS key FROM trading.journals WHERE starts_with(key, $1) ORDER BY posted_at, id`,
        [run.prefix],
      );
      expect(done.map(({ key }) => key).toSorted()).toEqual(rows.map(({ key }) => key).toSorted());
      const model = new LedgerModel(opening);
      for (const { key } of rows) {
        const act = done.find((one) => one.key === key);
        if (act !== undefined) expect({ act, outcome: model.apply(act) }).toEqual({ act, outcome: 'done' });
      }
      await expectState(run, model);
    }),
    { numRuns: 20 },
  );
});
