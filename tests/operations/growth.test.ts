import { afterAll, expect, test } from '@jest/globals';
import { readEntries } from '../../shared/security/audit/read-entries.js';
import { inTransaction } from '../../shared/database/transaction.js';
import { systemClock } from '../../shared/kernel/clock.js';
import type { Context } from '../../shared/kernel/context.js';
import { countSelected, readFeed, readSelected } from '../../shared/events/outbox/feed.store.js';
import { claim, outboxLagSeconds } from '../../shared/events/outbox/relay.store.js';
import { countRequests, listRequests } from '../../subgraphs/accounts/request-log/request-log.store.js';
import { createAssetReader } from '../../subgraphs/tokenization/assets/read-assets.js';
import { assetsOfPatrimonies } from '../../subgraphs/tokenization/assets/asset.store.js';
import { countsOf, deliveriesAt } from '../../subgraphs/webhooks/deliveries/replay.store.js';
import { attemptsOf } from '../../subgraphs/webhooks/deliveries/delivery.store.js';
import { claimDue } from '../../subgraphs/webhooks/engine/claim.store.js';
import { healthOf } from '../../subgraphs/webhooks/health/managed-webhook.store.js';
import { testContext } from '../kit/context.js';
import { openTestDatabase } from '../kit/database.js';
import { claimOf } from '../webhooks/kit.js';
import { account, ageTables, estate, grow, noteStatements, pagesOf, webhook, type Sizes } from './growth-kit.js';

/** GROWTH_FULL=1 fills ten million assets and fifty million deliveries, which took 25 minutes on two processors, and takes some 40 GB by estimate. */
const isFull = process.env['GROWTH_FULL'] === '1';
const none: Sizes = { assets: 0, deliveries: 0, others: 0 };
const large: Sizes = isFull
  ? { assets: 10_000_000, deliveries: 50_000_000, others: 1_000_000 }
  : { assets: 200_000, deliveries: 200_000, others: 200_000 };
const share = (sizes: Sizes, part: number): Sizes => ({
  assets: sizes.assets / part,
  deliveries: sizes.deliveries / part,
  others: sizes.others / part,
});
const times = 10;

const list = { after: null, offset: 0, limit: 20 };
const everything = { patrimonyId: null, status: null, type: null, words: [] };
/** The newest event. A new id may be of a week without rows: ids of a process never go back, and a test before this one may have had a clock of the future. */
let newest = '';

/** What is asked often, by name. Each makes statements, whose pages count. */
const requests: Readonly<Record<string, (context: Context) => Promise<unknown>>> = {
  'claim deliveries': (at) => claimDue(at, claimOf({ after: webhook })),
  'list deliveries of a webhook': (at) =>
    deliveriesAt(at, [{ subscriptionId: webhook, status: null, after: undefined, backward: false, limit: 21 }]),
  'list failed deliveries behind a place': (at) =>
    deliveriesAt(at, [{ subscriptionId: webhook, status: 'failed', after: newest, backward: false, limit: 21 }]),
  'count deliveries of a webhook': (at) => countsOf(at, [{ subscriptionId: webhook, status: null }]),
  'attempts of a delivery': (at) => attemptsOf(at, [{ eventId: newest, subscriptionId: webhook }]),
  'health of a webhook': (at) => healthOf(at, [webhook]),
  'first page of assets': (at) => createAssetReader()(at, everything, list),
  'page 500 of assets': (at) => createAssetReader()(at, everything, { ...list, offset: 10_000 }),
  'first page of assets of a status': (at) => createAssetReader()(at, { ...everything, status: 'ACTIVE' }, list),
  'page of assets behind a place': (at) =>
    createAssetReader()(at, { ...everything, patrimonyId: estate }, { ...list, after: `10000/${estate}` }),
  'assets of an estate': (at) =>
    assetsOfPatrimonies(at, [
      { patrimonyId: estate, after: { registration: '0', id: estate }, backward: false, limit: 21 },
    ]),
  'search of a rare word': (at) => createAssetReader()(at, { ...everything, words: ['rarest'] }, list),
  'search of a common word': (at) => createAssetReader(10_000)(at, { ...everything, words: ['company'] }, list),
  'page of a search behind a place': (at) =>
    createAssetReader(10_000)(
      at,
      { ...everything, words: ['company'], status: 'ACTIVE' },
      { ...list, after: `10000/${estate}` },
    ),
  'claim events': (at) => inTransaction(at, (tx) => claim(tx, { limit: 200 })),
  'age of the oldest event': (at) => outboxLagSeconds(at),
  'follow the feed': (at) => readFeed(at, { topics: ['price'], after: 5_000, limit: 100 }),
  'events of a subject': async (at) => {
    const range = { after: 5_000, until: 15_000, limit: 100 };
    await readSelected(at, { topics: ['price'], keys: ['S1'] }, range);
    await countSelected(at, { topics: ['price'], keys: ['S1'] }, range);
  },
  'requests of an account': (at) =>
    listRequests(
      at,
      { accountId: account, since: new Date(Date.now() - 86_400_000) },
      {},
      { limit: 20, backward: false, position: [] },
    ),
  'count of requests of an account': (at) =>
    countRequests(at, { accountId: account, since: new Date(Date.now() - 3_600_000) }, {}),
  'page of the audit log': ({ manager }) => readEntries(manager, {}, { order: 'newest', limit: 50 }),
  'acts of an operator': ({ manager }) => readEntries(manager, { action: 'import' }, { order: 'newest', limit: 50 }),
};

const database = await openTestDatabase({ poolSize: 2 });
const context = testContext({ manager: database.dataSource.manager, clock: systemClock });
await database.asOwner(ageTables);
const noted = noteStatements(database);
const measure = async () => {
  const [event] = await database.dataSource.query<{ id: string }[]>(
    'SELECT id FROM webhooks.events ORDER BY id DESC LIMIT 1',
  );
  newest = event?.id ?? '';
  const found: Record<string, number> = {};
  for (const [name, ask] of Object.entries(requests)) {
    noted();
    await inTransaction(context, async (tx) => {
      await ask(tx);
      throw new Error('taken back');
    }).catch((error: unknown) => {
      if (!(error instanceof Error) || error.message !== 'taken back') throw error;
    });
    const statements = noted();
    if (statements.length === 0) throw new Error(`${name} makes no statement`);
    found[name] = await pagesOf(database, statements);
  }
  return found;
};
const small = share(large, times);
await grow(database, none, small);
const before = await measure();
await grow(database, small, large);
const after = await measure();
const pages: Record<string, readonly [small: number, large: number]> = Object.fromEntries(
  Object.keys(requests).map((name) => [name, [before[name] ?? NaN, after[name] ?? NaN]]),
);
if (process.env['GROWTH_REPORT'] !== undefined) process.stdout.write(`${JSON.stringify(pages, null, 1)}\n`);
afterAll(() => database.close());

test.each(Object.keys(requests))('%s: tables ten times as large cost no more than a few pages', (name) => {
  const [small, tenfold] = pages[name] ?? [NaN, NaN];
  // An index is a level deeper at most, in each partition; ten times as much is always more than this.
  expect(tenfold).toBeLessThanOrEqual(Math.max(3 * small, small + 8));
});
