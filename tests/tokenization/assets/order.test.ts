import { afterAll, expect, test } from '@jest/globals';
import { flat } from '../../kit/flat.js';
import fc from 'fast-check';
import { inTransaction } from '../../../shared/database/transaction.js';
import { newId } from '../../../shared/kernel/ids.js';
import { registerAssets } from '../../../subgraphs/tokenization/assignments/register-assets.js';
import { importTexts, wholePatrimony, record } from '../../../subgraphs/tokenization/import/tests/kit.js';
import { testContext } from '../../kit/context.js';
import type { Page } from '../../kit/pages.js';
import { untilBlocked } from '../../kit/database.js';
import { addEstate, assignedCredit } from '../series/kit.js';
import { openTokenizationGraph } from '../graph.js';

/* Readers that go through the list of assets while others register some. */
const graph = await openTokenizationGraph();
afterAll(() => graph.close());
const context = testContext({ manager: graph.dataSource.manager, clock: graph.clock });

/** Reads the list from its beginning and goes on, each time it is asked, behind what it has read. */
function reader(filter: object = {}, first = 2) {
  const seen: string[] = [];
  let after: string | null = null;
  const document = `query ($filter: AssetFilter, $first: Int!, $after: String) { assets(filter: $filter, first: $first, after: $after) {
    nodes { externalId } pageInfo { hasNextPage endCursor } } }`;
  const readOn = async () => {
    for (let more = true; more;) {
      const { assets } = (await graph.data(document, { filter, first, after })) as {
        assets: Page<{ readonly externalId: string }>;
      };
      seen.push(...assets.nodes.map(({ externalId }) => externalId));
      after = assets.pageInfo.endCursor ?? after;
      more = assets.pageInfo.hasNextPage;
    }
    return seen;
  };
  return { seen, readOn };
}

async function allPages(filter = ''): Promise<string[]> {
  const found: string[] = [];
  for (let page = 1; ; page++) {
    const { assets } = (await graph.data(
      `{ assets(page: ${page}, first: 3${filter}) { nodes { externalId } totalPages } }`,
    )) as {
      assets: { nodes: { externalId: string }[]; totalPages: number };
    };
    found.push(...assets.nodes.map(({ externalId }) => externalId));
    if (page >= assets.totalPages) return found;
  }
}

function assigned(patrimonyId: string, externalIds: readonly string[]) {
  const batchId = newId();
  const receivables = externalIds.map((externalId) => ({
    ...assignedCredit(externalId, '100.50', '2027-01-31'),
    debtorDocument: '11222333000181',
  }));
  const payload = { batchId, batchName: 'Cessão', patrimonyId, originatorId: newId(), piece: 0, receivables };
  return {
    topic: 'receivables.assigned',
    key: batchId,
    payload,
    id: newId(),
    sequence: 1,
    createdAt: '2026-11-20T15:00:00Z',
  };
}

/** Registers assets in a transaction that stays open until `commit`. */
async function openRegistration(patrimonyId: string, externalIds: readonly string[]) {
  let commit: () => void = () => undefined;
  const committing = new Promise<void>((resolve) => (commit = resolve));
  let done: Promise<void> = Promise.resolve();
  await new Promise<void>((resolve, reject) => {
    done = inTransaction(context, async (tx) => {
      await registerAssets(tx, [assigned(patrimonyId, externalIds)]);
      resolve();
      await committing;
    });
    done.catch(reject);
  });
  return {
    commit: () => {
      commit();
      return done;
    },
  };
}

test('a reader by cursor or page misses no asset of an import that began before others and is committed after them', async () => {
  // As an assigned credit has it.
  const debtor = { debtorName: 'Não informado', debtorDocument: '11222333000181' };
  const assets = (...names: readonly string[]) =>
    names.map((externalId) => record('assets', { externalId, ...debtor, paymentHistory: [record('installments')] }));
  await importTexts(context, { 'a.json': wholePatrimony({ ticker: 'LONG', tranches: [], assets: assets('A-0') }) });
  const [short, late] = [
    await addEstate(graph.dataSource.manager, 'SHORT'),
    await addEstate(graph.dataSource.manager, 'LATE'),
  ];
  const readers = [reader(), reader({ type: 'CCB' }), reader({ search: 'informado' })];

  let importing: ReturnType<typeof importTexts> | undefined;
  await inTransaction(context, async (tx) => {
    // The import comes to this instalment after it has added its assets.
    await tx.manager.query(
      `SELECT FROM tokenization.asset_installments i JOIN tokenization.assets a ON a.id = i.asset_id WHERE a.external_id = 'A-0' FOR UPDATE OF i`,
    );
    const changed = record('assets', {
      externalId: 'A-0',
      ...debtor,
      originalValue: '13000.00',
      paymentHistory: [record('installments', { amount: '13000.00' })],
    });
    importing = importTexts(context, {
      'a.json': wholePatrimony({ ticker: 'LONG', tranches: [], assets: [changed, ...assets('A-1', 'A-2', 'A-3')] }),
    });
    await untilBlocked(graph.dataSource);
    await (await openRegistration(short, ['B-1', 'B-2'])).commit();
    for (const each of readers) await each.readOn();
  });
  // Begun before the import is committed, and committed after it.
  const open = await openRegistration(late, ['C-1']);
  expect(await importing).toMatchObject({ errorCount: 0 });
  for (const each of readers) await each.readOn();
  await open.commit();
  for (const each of readers) await each.readOn();

  const whole = ['A-0', 'B-1', 'B-2', 'A-1', 'A-2', 'A-3', 'C-1'];
  for (const each of readers) expect(each.seen).toEqual(whole);
  expect(await allPages()).toEqual(whole);
  expect(await allPages(', filter: {type: CCB}')).toEqual(whole);
  expect(await allPages(', filter: {search: "c"}')).toEqual(['C-1']);
  const { patrimony } = await graph.data('{ patrimony(ticker: "LONG") { assets(first: 3) { nodes { externalId } } } }');
  expect(flat(patrimony)).toEqual({ assets: ['A-0', 'A-1', 'A-2'].map((externalId) => ({ externalId })) });
});

test('whichever transaction is committed first, its assets come first, and nothing moves that was read', async () => {
  const estates = await Promise.all(
    ['E1', 'E2', 'E3', 'E4'].map((ticker) => addEstate(graph.dataSource.manager, ticker)),
  );
  const orders = fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 });
  const before = await allPages();
  const seen = reader();
  await seen.readOn();
  let run = 0;
  await fc.assert(
    fc.asyncProperty(orders, orders, async (insertions, commits) => {
      run += 1;
      const names = estates.map((_, at) => [`R${run}-${at}-x`, `R${run}-${at}-y`]);
      const open = new Map<number, Awaited<ReturnType<typeof openRegistration>>>();
      for (const at of insertions) open.set(at, await openRegistration(estates[at] ?? '', names[at] ?? []));
      const start = seen.seen.length;
      for (const at of commits) {
        await open.get(at)?.commit();
        await seen.readOn();
      }
      expect(seen.seen.slice(start)).toEqual(commits.flatMap((at) => names[at] ?? []));
    }),
    { numRuns: 12 },
  );
  expect(seen.seen.slice(0, before.length)).toEqual(before);
  expect(await allPages()).toEqual(seen.seen);
});
