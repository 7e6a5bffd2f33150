import { afterAll, describe, expect, test } from '@jest/globals';
import { inTransaction } from '../../shared/database/transaction.js';
import { createSettlementBatchFromFile } from '../../subgraphs/credit-assignment/files/create-from-file.js';
import { recordAssetPayment } from '../../subgraphs/tokenization/assets/assets.acts.js';
import { untilBlocked } from '../kit/database.js';
import { flat } from '../kit/flat.js';
import { formatCnab444 } from './cnab444/files.js';
import { fileOf, put } from './cnab444/kit.js';
import { reverse } from './reversals-kit.js';
import { openSettlements, payment, processDue } from './settlement-kit.js';

const kit = await openSettlements();
afterAll(() => kit.close());
const bank = await kit.client('an-account');

const named = (contractId: string, amount: string, paymentReference: string, day = '2026-11-19') => ({
  ...payment(contractId, amount, day),
  paymentReference,
});
const statusOf = async (id: string) =>
  flat(
    (
      await kit.run(
        'query ($id: ID!) { settlementBatch(id: $id) { status rejectionReason settlements { nodes { paymentReference repeated } } } }',
        { id },
        bank,
      )
    ).data?.['settlementBatch'],
  ) as {
    status: string;
    rejectionReason: string | null;
    settlements: { paymentReference: string | null; repeated: boolean }[];
  };
const standing = async (id: string) => (await kit.standings([id]))[0];

test('the day of a payment lies between the assignment and today', async () => {
  const { id, ids } = await kit.assigned(bank);
  const [a = ''] = ids;
  const days = ['1900-01-01', '2026-01-04', '2026-11-21'];
  const { error } = await kit.settle(
    bank,
    id,
    days.map((day) => payment(a, '1', day)),
  );
  expect(error).toMatchObject({ code: 'UNPROCESSABLE', statusCode: 422 });
  expect(error?.details).toMatchObject([
    { path: 'settlements[0].settledDate', message: expect.stringContaining('before 2026-01-05') },
    { path: 'settlements[1].settledDate', message: expect.stringContaining('before 2026-01-05') },
    { path: 'settlements[2].settledDate', message: 'must not be in the future' },
  ]);
  await kit.settled(bank, id, [payment(a, '1', '2026-01-05'), payment(a, '1', '2026-11-20')], true);
});

describe('a payment with a reference', () => {
  test('that comes again as it was is taken off once, in another batch and in the same one, settled or not', async () => {
    const { id, ids } = await kit.assigned(bank);
    const [a = '', b = ''] = ids;
    const first = await kit.settled(bank, id, [named(a, '60', 'E2E-1'), named(a, '60', 'E2E-1'), payment(b, '1')]);
    await kit.process();
    const second = await kit.settled(bank, id, [
      named(a, '60.00', 'E2E-1'),
      named(a, '40.50', 'null'),
      named(b, '1', 'E2E-1'),
    ]);
    await kit.process();
    const third = await kit.settled(bank, id, [named(a, '60', 'E2E-1')]);
    await kit.process();
    expect((await statusOf(first)).settlements.map(({ repeated }) => repeated)).toEqual([false, true, false]);
    expect((await statusOf(second)).settlements.map(({ repeated }) => repeated)).toEqual([true, false, false]);
    expect(await statusOf(third)).toEqual({
      status: 'PROCESSED',
      rejectionReason: null,
      settlements: [{ paymentReference: 'E2E-1', repeated: true }],
    });
    expect(await standing(a)).toMatchObject({ openBalance: '0.00', status: 'SETTLED', received: '100.50' });
    expect(await standing(b)).toMatchObject({ openBalance: '98.50', received: '2.00' });
  });

  test('that comes again with another amount or day is refused, by its own sentence', async () => {
    const { id, ids } = await kit.assigned(bank);
    const [a = ''] = ids;
    await kit.settled(bank, id, [named(a, '60', 'E2E-1')]);
    await kit.process();
    const { error } = await kit.settle(bank, id, [
      named(a, '50', 'E2E-1'),
      named(a, '60', 'E2E-1', '2026-11-18'),
      named(a, '1', 'E2E-2'),
      named(a, '2', 'E2E-2'),
    ]);
    expect(error?.details?.map(({ path }) => path)).toEqual(
      [0, 1, 3].map((at) => `settlements[${at}].paymentReference`),
    );
    expect(error?.details?.[0]?.message).toMatch(/E2E-1 of 60\.00 on 2026-11-19/);
    const { error: form } = await kit.settle(bank, id, [named(a, '1', 'não pode')]);
    expect(form).toMatchObject({ code: 'BAD_REQUEST', details: [{ path: 'settlements[0].paymentReference' }] });
  });

  test('in two batches that race for it is taken off once; of other figures one is rejected', async () => {
    const { id, ids } = await kit.assigned(bank);
    const [a = '', b = ''] = ids;
    const batches = [];
    for (let turn = 0; turn < 3; turn += 1) batches.push(await kit.settled(bank, id, [named(a, '30', 'R')]));
    for (const amount of ['10', '11']) batches.push(await kit.settled(bank, id, [named(b, amount, 'R')]));
    kit.clock.advance(30_000);
    await Promise.all([1, 2, 3].map(() => processDue(kit.platform)));
    await kit.drain();
    const outcomes = await Promise.all(batches.map(statusOf));
    expect(outcomes.slice(0, 3).map(({ status }) => status)).toEqual(Array(3).fill('PROCESSED'));
    expect(outcomes.slice(0, 3).filter(({ settlements }) => settlements[0]?.repeated === false)).toHaveLength(1);
    expect(
      outcomes
        .slice(3)
        .map(({ status }) => status)
        .sort(),
    ).toEqual(['PROCESSED', 'REJECTED']);
    expect(outcomes.find(({ status }) => status === 'REJECTED')?.rejectionReason).toMatch(
      /with their references: 1 of 1$/,
    );
    expect(await standing(a)).toMatchObject({ openBalance: '70.50', received: '30.00' });
  });
});

describe('a file of payments without references', () => {
  const part = { occurrence: '14', externalId: 'A', paidOn: '2026-11-19', paidAmount: '10.00' };
  const cnab = put(formatCnab444(fileOf(part, part)), 1, 111, '0000001');
  const csv = 'externalId;settledAmount;settledDate;paymentReference\nA;10,00;2026-11-19;\n';
  const ndjson = '{"externalId":"A","settledAmount":10,"settledDate":"2026-11-19"}\n';
  const variables = '$id: ID!, $format: BatchFileFormat!, $file: String!';
  const given = 'creditBatchId: $id, format: $format, file: $file';
  const send = (id: string, format: string, file: string) =>
    kit.run(`mutation (${variables}) { createSettlementBatchFromFile(${given}) { id } }`, { id, format, file }, bank);
  const sent = async (id: string, format: string, file: string) =>
    (
      await kit.data<Record<string, { id: string }>>(
        `mutation (${variables}) { createSettlementBatchFromFile(${given}) { id } }`,
        { id, format, file },
        bank,
      )
    )['createSettlementBatchFromFile']?.id ?? '';
  const act = (name: string, id: string) =>
    kit.data(`mutation ($id: ID!) { ${name}SettlementBatch(id: $id) { id } }`, { id }, bank);

  test.each([
    ['CNAB444', cnab, cnab.replaceAll('\r\n', '\n'), put(cnab, 1, 111, '0000002')],
    ['CSV', csv, csv.replaceAll('\n', '\r\n'), `${csv}A;10,00;2026-11-19;\n`],
    ['NDJSON', ndjson, `\ufeff${ndjson}`, ndjson.replace('}', ',"paymentReference":"R-1"}')],
  ])('counts once in %s: sent again it is refused, and its check says so', async (format, file, again, another) => {
    const { id, ids } = await kit.assigned(bank);
    const first = await sent(id, format, file);
    await act('submit', first);
    await kit.process();
    const received = (await standing(ids[0] ?? ''))?.received;
    const check = `query (${variables}) { checkSettlementFile(${given}) { accepted refusal { statusCode details { path rule } } } }`;
    const details = [{ path: 'file', rule: 'FILE_SENT_BEFORE' }];
    for (const repeated of [file, again]) {
      expect((await send(id, format, repeated)).error).toMatchObject({ statusCode: 422, details });
      expect((await kit.data(check, { id, format, file: repeated }, bank))['checkSettlementFile']).toEqual({
        accepted: false,
        refusal: { statusCode: 422, details },
      });
    }
    expect((await standing(ids[0] ?? ''))?.received).toBe(received);
    await sent(id, format, another);
  });

  test('counts once also where its header has another day by then', async () => {
    const { id } = await kit.assigned(bank);
    await sent(id, 'CNAB444', cnab);
    const { error } = await send(id, 'CNAB444', put(cnab, 1, 95, '040826'));
    expect(error?.details).toMatchObject([{ rule: 'FILE_SENT_BEFORE' }]);
  });

  test('may come again once its batch was cancelled or rejected, or all of it was reversed', async () => {
    const { id, ids } = await kit.assigned(bank);
    const [a = ''] = ids;
    await act('cancel', await sent(id, 'CSV', csv));
    const rejected = await sent(id, 'CSV', csv);
    await kit.settled(bank, id, [payment(a, '95')]);
    await kit.process();
    await act('submit', rejected);
    await kit.process();
    expect((await statusOf(rejected)).status).toBe('REJECTED');
    await reverse(kit.platform, a, '95.00');
    await kit.drain();
    await act('submit', await sent(id, 'CSV', csv));
    await kit.process();
    expect((await send(id, 'CSV', csv)).error).toMatchObject({ statusCode: 422 });
    await reverse(kit.platform, a, '10.00');
    await kit.drain();
    await sent(id, 'CSV', csv);
  });

  test('that arrives twice at once makes one batch', async () => {
    const { id } = await kit.assigned(bank);
    const context = () => ({ ...kit.platform, principal: bank, loaders: new Map() });
    const make = (own = context()) => createSettlementBatchFromFile(own, id, { format: 'CSV', text: csv });
    const { second } = await inTransaction(context(), async (tx) => {
      await make(tx);
      const settled = Promise.allSettled([make()]);
      await untilBlocked(kit.platform.manager);
      return { second: settled };
    });
    expect(await second).toMatchObject([{ status: 'rejected', reason: { code: 'UNPROCESSABLE' } }]);
  });

  test('of payments that all have one may come as often as it likes', async () => {
    const { id } = await kit.assigned(bank);
    const named = `${csv.trim()}R-1\n`;
    await sent(id, 'CSV', named);
    await sent(id, 'CSV', named);
  });
});

describe('a payment that an operator records on an assigned asset', () => {
  test('settles its receivable too, once', async () => {
    const { id, ids } = await kit.assigned(bank);
    const [a = ''] = ids;
    await kit.settled(bank, id, [payment(a, '40')]);
    await kit.process();
    await recordAssetPayment(kit.platform, a, 1, '2026-11-20');
    await recordAssetPayment(kit.platform, a, 1, '2026-11-20');
    await kit.drain();
    expect(await standing(a)).toMatchObject({ openBalance: '0.00', status: 'SETTLED', received: '100.50' });
    expect((await kit.settle(bank, id, [payment(a, '1')])).error).toMatchObject({ code: 'RECEIVABLE_SETTLED' });
  });

  test('and a payment of its originator that is decided at the same time leave both sides alike, in either order', async () => {
    const { id, ids } = await kit.assigned(bank);
    for (const [index, contractId] of ids.entries()) {
      await kit.settled(bank, id, [payment(contractId, '60')]);
      kit.clock.advance(30_000);
      const acts = [
        () => processDue(kit.platform),
        () => recordAssetPayment(kit.platform, contractId, 1, '2026-11-20'),
      ];
      if (index === 0) await Promise.all(acts.map((act) => act()));
      else for (const act of acts.reverse()) await act();
      await Promise.all([kit.drain(), kit.drain()]);
      await kit.drain();
      expect(await standing(contractId)).toMatchObject({
        openBalance: '0.00',
        status: 'SETTLED',
        currentBalance: '0.00',
        received: '100.50',
        assetStatus: 'SETTLED',
      });
    }
  });
});
