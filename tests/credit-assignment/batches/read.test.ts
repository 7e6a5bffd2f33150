import { afterAll, describe, expect, test } from '@jest/globals';
import { newId } from '../../../shared/kernel/ids.js';
import { flat } from '../../kit/flat.js';
import { apiKey, contract, contracts, developer, openCredit, person, stranger } from '../kit.js';
import type { Principal } from '../../../shared/kernel/context.js';
import type { GraphResultStream } from '../../../shared/graphql/executor.js';

const account = 'account of the bank';

const kit = await openCredit();
afterAll(() => kit.close());
const bank = await kit.client(account);
const other = await kit.client('account of another');
/** Batches of the bank, the oldest first: a draft, one that was submitted, one that was cancelled. */
const ids: string[] = [];
for (let count = 1; count <= 3; count += 1) {
  kit.clock.advance(1000);
  ids.push((await kit.create(bank, contracts(count))).id);
}
await kit.create(other, contracts(4));
await kit.submit(bank, ids[1] ?? '');
await kit.cancel(bank, ids[2] ?? '');

const data = (text: string, variables: Record<string, unknown> = {}, principal = bank) =>
  kit.data(text, variables, principal);
const error = async (text: string, variables: Record<string, unknown> = {}, principal = bank) =>
  (await kit.run(text, variables, principal)).error;

const listText = `query ($page: Int, $first: Int, $status: BatchStatus) {
  creditBatches(page: $page, first: $first, filter: { status: $status }) {
    page pageSize totalCount totalPages nodes { id status receivableCount } } }`;
const pageText = `query ($first: Int, $after: String, $filter: CreditBatchFilter) {
  creditBatches(first: $first, after: $after, filter: $filter) {
    totalCount nodes { id } edges { cursor } pageInfo { hasNextPage endCursor } } }`;
const detailText = `query ($id: ID!) { creditBatch(id: $id) {
  id patrimonyId status receivableCount totalFaceValue rejectionReason createdAt submittedAt processedAt
  errors { index externalId path message }
  contracts: receivables { nodes { id externalId debtorDocument faceValue dueDate status openBalance } } } }`;
const receivablesText = `query ($id: ID!, $first: Int, $after: String) {
  creditBatch(id: $id) { receivables(first: $first, after: $after) {
    totalCount nextCursor nodes { id batchId externalId debtorDocument status openBalance } } } }`;

interface Receivables {
  readonly totalCount: number;
  readonly nextCursor: string | null;
  readonly nodes: readonly { readonly id: string; readonly externalId: string }[];
}

async function receivablesOf(variables: Record<string, unknown>): Promise<Receivables> {
  const { creditBatch } = (await data(receivablesText, variables)) as { creditBatch: { receivables: Receivables } };
  return creditBatch.receivables;
}

describe('lists', () => {
  test("by number: the caller's own, the newest first", async () => {
    expect(await data(listText)).toEqual({
      creditBatches: {
        page: 1,
        pageSize: 20,
        totalCount: 3,
        totalPages: 1,
        nodes: [
          { id: ids[2], status: 'CANCELLED', receivableCount: 3 },
          { id: ids[1], status: 'SUBMITTED', receivableCount: 2 },
          { id: ids[0], status: 'DRAFT', receivableCount: 1 },
        ],
      },
    });
    expect(await data(listText, { page: 2, first: 2 })).toMatchObject({
      creditBatches: { totalCount: 3, totalPages: 2, nodes: [{ id: ids[0] }] },
    });
    expect(await data(listText, { page: 999_999_999 })).toMatchObject({ creditBatches: { totalCount: 3, nodes: [] } });
    expect(await data(listText, { status: 'SUBMITTED' })).toMatchObject({
      creditBatches: { totalCount: 1, nodes: [{ id: ids[1] }] },
    });
  });

  test('by number from the beginning: not from a cursor, nor from the end', async () => {
    const text = `query ($first: Int, $after: String, $last: Int, $page: Int) {
      creditBatches(first: $first, after: $after, last: $last, page: $page) {
        page totalPages nodes { id } pageInfo { endCursor hasNextPage hasPreviousPage } } }`;
    const { creditBatches } = (await data(text, { first: 1, page: 3 })) as {
      creditBatches: { pageInfo: { endCursor: string } };
    };
    expect(creditBatches).toMatchObject({
      page: 3,
      totalPages: 3,
      nodes: [{ id: ids[0] }],
      pageInfo: { hasNextPage: false },
    });
    const { endCursor: after } = creditBatches.pageInfo;
    for (const variables of [
      { first: 1, after, page: 2 },
      { last: 1, page: 2 },
    ])
      expect(await error(text, variables)).toMatchObject({ statusCode: 400, details: [{ path: 'page' }] });
  });

  test('by cursor: nothing comes twice while others come', async () => {
    const first = (await data(pageText, { first: 2 }))['creditBatches'] as {
      nodes: unknown[];
      pageInfo: { endCursor: string };
    };
    expect(first).toMatchObject({
      totalCount: 3,
      nodes: [{ id: ids[2] }, { id: ids[1] }],
      pageInfo: { hasNextPage: true },
    });
    const late = await kit.client(account);
    await kit.create(late);
    const after = first.pageInfo.endCursor;
    expect(await data(pageText, { first: 2, after })).toMatchObject({
      creditBatches: { nodes: [{ id: ids[0] }], pageInfo: { hasNextPage: false } },
    });
    expect(await error(pageText, { after, filter: { status: 'DRAFT' } })).toMatchObject({ statusCode: 400 });
    const filter = { status: 'DRAFT', patrimonyId: kit.patrimonyId };
    expect(await data(pageText, { filter })).toMatchObject({
      creditBatches: { totalCount: 1, nodes: [{ id: ids[0] }] },
    });
    expect(await data(pageText, { filter: { patrimonyId: newId() } })).toMatchObject({
      creditBatches: { totalCount: 0, nodes: [] },
    });
  });
});

describe('who may see a batch', () => {
  test("the originator and its account's people and keys; no one else", async () => {
    const seeing = [bank, person(account), apiKey(account), developer(account, 'credit:read')];
    for (const principal of seeing) {
      expect(await data(detailText, { id: ids[0] }, principal)).toMatchObject({ creditBatch: { id: ids[0] } });
      expect(await data('query ($id: ID!) { creditBatch(id: $id) { id } }', { id: ids[0] }, principal)).toEqual({
        creditBatch: { id: ids[0] },
      });
    }
    for (const principal of [other, person('someone'), apiKey('someone'), developer('someone', 'credit:read')]) {
      for (const id of [ids[0], newId(), 'x']) {
        expect(await data(receivablesText, { id }, principal)).toEqual({ creditBatch: null });
        expect(await data('query ($id: ID!) { creditBatch(id: $id) { id } }', { id }, principal)).toEqual({
          creditBatch: null,
        });
      }
    }
    expect(await data(listText, {}, person('someone'))).toMatchObject({ creditBatches: { totalCount: 0, nodes: [] } });
  });

  test('nobody without a credential, and no key without the scope', async () => {
    expect(await error(listText, {}, stranger)).toMatchObject({ statusCode: 401 });
    expect(await error(listText, {}, developer(account, 'webhooks:read'))).toMatchObject({ statusCode: 403 });
  });

  test("keys see only the last digits of debtors' documents", async () => {
    for (const [principal, shown] of [
      [bank, '10000000019'],
      [person(account), '10000000019'],
      [apiKey(account), '***.***.*00-19'],
      [developer(account, 'credit:read'), '***.***.*00-19'],
    ] as const) {
      const batch = await kit.create(bank, [contract('A', { debtorDocument: '10000000019' })]);
      const found = [
        await data(detailText, { id: batch.id }, principal),
        await data(receivablesText, { id: batch.id }, principal),
        await data(
          'query ($id: ID!) { creditBatch(id: $id) { receivables { nodes { debtorDocument } } } }',
          { id: batch.id },
          principal,
        ),
      ];
      for (const answer of found) expect(JSON.stringify(answer)).toContain(`"debtorDocument":"${shown}"`);
    }
  });
});

describe('a batch and its contracts', () => {
  test('the detail has all that is documented', async () => {
    expect(flat(await data(detailText, { id: ids[0] }))).toEqual({
      creditBatch: {
        id: ids[0],
        patrimonyId: kit.patrimonyId,
        status: 'DRAFT',
        receivableCount: 1,
        totalFaceValue: '100.50',
        rejectionReason: null,
        createdAt: '2026-11-20T15:00:01.000Z',
        submittedAt: null,
        processedAt: null,
        errors: [],
        contracts: [
          {
            id: expect.any(String),
            externalId: 'C-0',
            debtorDocument: '10000000019',
            faceValue: '100.50',
            dueDate: '2027-01-31',
            status: 'PENDING',
            openBalance: null,
          },
        ],
      },
    });
  });

  test('one that was rejected says why, and what was wrong', async () => {
    const { id } = await kit.create(bank);
    await kit.submit(bank, id);
    const errors = [0, 1].map((index) => ({
      index,
      externalId: `C-${String(index)}`,
      path: `contracts[${String(index)}].dueDate`,
      message: 'is past',
    }));
    await kit.database.dataSource.query(
      `UPDATE credit_assignment.credit_batches SET status = 'REJECTED', rejection_reason = 'no', processed_at = now(),
         errors = $2, error_count = 2 WHERE id = $1`,
      [id, JSON.stringify(errors)],
    );
    expect(await data(detailText, { id })).toMatchObject({ creditBatch: { rejectionReason: 'no', errors } });
    // It was rejected before its rules were stored.
    expect(await data('query ($id: ID!) { creditBatch(id: $id) { rejectionRules { rule } } }', { id })).toEqual({
      creditBatch: { rejectionRules: null },
    });
    expect(
      await data('query ($id: ID!) { creditBatch(id: $id) { errorCount errors(first: 1) { index } } }', { id }),
    ).toEqual({ creditBatch: { errorCount: 2, errors: [{ index: 0 }] } });
  });

  test('receivables come page by page, each once', async () => {
    const { id } = await kit.create(bank, contracts(45));
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const { totalCount, nextCursor, nodes } = await receivablesOf({ id, first: 20, after });
      expect(totalCount).toBe(45);
      seen.push(...nodes.map(({ externalId }) => externalId));
      after = nextCursor;
    } while (after !== null);
    expect(seen).toEqual(contracts(45).map(({ externalId }) => externalId));
  });

  test('one receivable, for those who may see its batch', async () => {
    const text = 'query ($id: ID!) { receivable(id: $id) { id batchId externalId status settledAt } }';
    const id = (await receivablesOf({ id: ids[0] })).nodes[0]?.id;
    expect(await data(text, { id })).toEqual({
      receivable: { id, batchId: ids[0], externalId: 'C-0', status: 'PENDING', settledAt: null },
    });
    for (const wanted of [id, newId(), 'x']) {
      expect(await data(text, { id: wanted }, other)).toEqual({ receivable: null });
    }
  });

  test('the asset is there once the batch is processed', async () => {
    const { id } = await kit.create(bank);
    const text = 'query ($id: ID!) { creditBatch(id: $id) { receivables { nodes { id asset { id } } } } }';
    expect(await data(text, { id })).toMatchObject({
      creditBatch: { receivables: { nodes: [{ asset: null }, { asset: null }] } },
    });
    await kit.database.dataSource.query(
      `WITH batch AS (UPDATE credit_assignment.credit_batches
       SET status = 'PROCESSED', processed_at = now(), submitted_at = coalesce(submitted_at, now()) WHERE id = $1)
     UPDATE credit_assignment.receivables SET status = 'OPEN' WHERE batch_id = $1`,
      [id],
    );
    const { creditBatch } = (await data(text, { id })) as {
      creditBatch: { receivables: { nodes: { id: string; asset: { id: string } }[] } };
    };
    for (const { id: own, asset } of creditBatch.receivables.nodes) expect(asset).toEqual({ id: own });
  });
});

describe('relations', () => {
  const ofEstate = `query ($estates: [_Any!]!) { _entities(representations: $estates) {
    ... on Patrimony { creditBatches(first: 100) { id } } } }`;
  const ofAsset = `query ($assets: [_Any!]!) { _entities(representations: $assets) {
    ... on Asset { creditBatch { id } } } }`;

  test("an estate and an asset lead to the caller's own batches, for anyone else to none", async () => {
    const estates = [{ __typename: 'Patrimony', id: kit.patrimonyId }];
    const assets = [
      { __typename: 'Asset', id: (await receivablesOf({ id: ids[0] })).nodes[0]?.id },
      { __typename: 'Asset', id: newId() },
    ];
    const { _entities: seen } = (await data(ofEstate, { estates })) as {
      _entities: { creditBatches: { id: string }[] }[];
    };
    expect(seen[0]?.creditBatches.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
    expect(await data(ofAsset, { assets })).toEqual({
      _entities: [{ creditBatch: { id: ids[0] } }, { creditBatch: null }],
    });
    for (const principal of [stranger, apiKey('someone'), developer(account, 'webhooks:read')]) {
      expect(await data(ofEstate, { estates }, principal)).toEqual({ _entities: [{ creditBatches: [] }] });
      expect(await data(ofAsset, { assets }, principal)).toEqual({
        _entities: [{ creditBatch: null }, { creditBatch: null }],
      });
    }
  });

  test('many cost as many queries as one', async () => {
    const text = `query ($first: Int!) { creditBatches(first: $first) {
      nodes { errors { index } patrimony { id } receivables(first: 5) { nodes { asset { id } } totalCount } } } }`;
    const one = await kit.countQueries(() => data(text, { first: 1 }, person(account)));
    const many = await kit.countQueries(() => data(text, { first: 10 }, person(account)));
    expect([one, many]).toEqual([4, 4]);
    const all = await kit.database.dataSource.query<{ id: string }[]>(
      'SELECT id FROM credit_assignment.receivables LIMIT 50',
    );
    const assets = all.map(({ id }) => ({ __typename: 'Asset', id }));
    expect(await kit.countQueries(() => data(ofAsset, { assets }, person(account)))).toBe(2);
    const estates = Array.from({ length: 20 }, () => ({ __typename: 'Patrimony', id: newId() }));
    expect(await kit.countQueries(() => data(ofEstate, { estates }, person(account)))).toBe(2);
  });
});

describe('updates', () => {
  const text = `subscription ($id: ID, $since: String) {
    creditBatchUpdated(id: $id, since: $since) { cursor kind occurredAt batch { id status } } }`;
  const open = (id: string | null, principal: Principal, since?: string) => kit.listen(text, { id, since }, principal);
  const next = async (stream: GraphResultStream) => {
    const { value } = await stream.next();
    return value?.data?.['creditBatchUpdated'];
  };

  test('of one batch, and of all of the caller; nothing of others', async () => {
    const mine = await kit.create(bank);
    const another = await kit.create(bank);
    const theirs = await kit.create(other);
    await kit.relay();
    const ofOne = await open(mine.id, person(account));
    const ofAll = await open(null, person(account));
    await kit.submit(other, theirs.id);
    await kit.submit(bank, another.id);
    await kit.submit(bank, mine.id);
    await kit.relay();
    expect(await next(ofOne)).toMatchObject({ kind: 'SUBMITTED', batch: { id: mine.id, status: 'SUBMITTED' } });
    expect(await next(ofAll)).toMatchObject({ kind: 'SUBMITTED', batch: { id: another.id } });
    expect(await next(ofAll)).toMatchObject({ kind: 'SUBMITTED', batch: { id: mine.id } });
    await kit.cancel(bank, mine.id);
    await kit.relay();
    const cancelled = { kind: 'CANCELLED', batch: { id: mine.id, status: 'CANCELLED' } };
    expect(await next(ofOne)).toMatchObject(cancelled);
    expect(await next(ofAll)).toMatchObject(cancelled);
    await ofOne.return?.();
    await ofAll.return?.();
  });

  test("that came while nobody listened are replayed, and nothing of others, whose cursor shows the caller's own alone", async () => {
    const [mine, theirs] = [await kit.create(bank), await kit.create(other)];
    const ofOther = await open(null, person('account of another'));
    await kit.submit(other, theirs.id);
    await kit.relay();
    const { cursor } = (await next(ofOther)) as { cursor: string };
    await ofOther.return?.();
    await kit.submit(bank, mine.id);
    await kit.cancel(bank, mine.id);
    await kit.cancel(other, theirs.id);
    await kit.relay();
    for (const id of [null, mine.id]) {
      const stream = await open(id, person(account), cursor);
      expect(await next(stream)).toMatchObject({ kind: 'SUBMITTED', batch: { id: mine.id, status: 'CANCELLED' } });
      expect(await next(stream)).toMatchObject({ kind: 'CANCELLED', batch: { id: mine.id } });
      await stream.return?.();
    }
    const again = await open(null, person('account of another'), cursor);
    expect(await next(again)).toMatchObject({ kind: 'CANCELLED', batch: { id: theirs.id } });
    await again.return?.();
    expect(await kit.subscribe(text, { since: `${cursor}x` }, person(account))).toMatchObject({
      errors: [{ extensions: { code: 'BAD_REQUEST', details: [{ path: 'since' }] } }],
    });
  });

  test("of someone else's batch there are none", async () => {
    const { id } = await kit.create(bank);
    expect(await kit.subscribe(text, { id }, person('someone'))).toMatchObject({
      errors: [{ extensions: { catalogue: 2001 } }],
    });
    expect(await kit.subscribe(text, { id: null }, stranger)).toMatchObject({
      errors: [{ extensions: { statusCode: 401 } }],
    });
  });
});
