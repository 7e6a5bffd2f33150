import { afterAll, expect, test } from '@jest/globals';
import { formatCnab444 } from './cnab444/files.js';
import { fileOf } from './cnab444/kit.js';
import { contract } from './kit.js';
import { openSettlements, payment } from './settlement-kit.js';
import { operator } from '../kit/context.js';

const kit = await openSettlements();
afterAll(() => kit.close());
const bank = await kit.client('an-account');

const late = (contractId: string, amount: string, surplus: string) => ({ ...payment(contractId, amount), surplus });
const abated = (contractId: string, amount: string) => ({ ...payment(contractId, amount), kind: 'ABATEMENT' });
const standing = async (id: string) => (await kit.standings([id]))[0];
const linesText = `settlements { nodes { externalId kind settledAmount surplus settledDate } }`;
const batchOf = async (id: string) => {
  const text = `query ($id: ID!) { settlementBatch(id: $id) { status totalSettledAmount totalSurplus totalAbated ${linesText} } }`;
  return (await kit.data<{ settlementBatch: object }>(text, { id }, bank)).settlementBatch;
};
const sumsOf = async (id: string) => {
  const text = 'query ($id: ID!) { receivable(id: $id) { openBalance received surplus abated status } }';
  return (await kit.data<{ receivable: object }>(text, { id }, bank)).receivable;
};
const refusals = async (creditBatchId: string, ...lines: readonly object[]) => {
  const { error } = await kit.settle(bank, creditBatchId, lines);
  return { code: error?.code, details: error?.details?.map(({ path, message }) => `${path} ${message}`) };
};

test('a surplus is received and lowers no balance; what is beyond the balance without one is refused, and told where it belongs', async () => {
  const { id, ids } = await kit.assigned(bank);
  const [a = ''] = ids;
  expect(await refusals(id, payment(a, '104.20'))).toEqual({
    code: 'UNPROCESSABLE',
    details: [
      'settlements[0].settledAmount brings the payments of this batch to 104.20, but the open balance of the receivable is 100.50. Late interest and fines of a payment go into surplus',
    ],
  });
  const made = await kit.settled(bank, id, [late(a, '100.50', '3.70')]);
  await kit.process();
  expect(await batchOf(made)).toMatchObject({
    status: 'PROCESSED',
    totalSettledAmount: '100.50',
    totalSurplus: '3.70',
    totalAbated: '0.00',
  });
  const sums = { openBalance: '0.00', received: '104.20', surplus: '3.70', abated: '0.00', status: 'SETTLED' };
  expect(await sumsOf(a)).toEqual(sums);
  expect(await standing(a)).toMatchObject({ currentBalance: '0.00', received: '104.20', assetStatus: 'SETTLED' });
});

test('late charges are received without anything of the balance, of a credit that is paid or open', async () => {
  const { id, ids } = await kit.assigned(bank);
  const [a = '', b = ''] = ids;
  await kit.settled(bank, id, [payment(a, '100.50')]);
  await kit.process();
  const settledAt = () =>
    kit.platform.manager.value('SELECT settled_at FROM credit_assignment.receivables WHERE id = $1', [a]);
  const before = await settledAt();
  const made = await kit.settled(bank, id, [late(a, '0', '3.70'), late(b, '0.00', '1.25'), late(b, '0.50', '1')]);
  await kit.process();
  expect(await batchOf(made)).toMatchObject({ status: 'PROCESSED', totalSettledAmount: '0.50', totalSurplus: '5.95' });
  const none = { abated: '0.00' };
  expect(await sumsOf(a)).toEqual({
    ...none,
    openBalance: '0.00',
    received: '104.20',
    surplus: '3.70',
    status: 'SETTLED',
  });
  expect(await settledAt()).toEqual(before);
  expect(await sumsOf(b)).toEqual({
    ...none,
    openBalance: '100.00',
    received: '2.75',
    surplus: '2.25',
    status: 'OPEN',
  });
  expect(await kit.standings(ids)).toMatchObject([
    { currentBalance: '0.00', received: '104.20', assetStatus: 'SETTLED' },
    { currentBalance: '100.00', received: '2.75', assetStatus: 'ACTIVE' },
  ]);
  const act =
    'mutation ($id: ID!, $batch: ID!) { reverseLateCharges(receivableId: $id, settlementBatchId: $batch, reason: "em dobro") }';
  const reverse = () => kit.run(act, { id: b, batch: made }, operator);
  const both = await Promise.all([reverse(), reverse()]);
  expect(both.map(({ data, error }) => data?.['reverseLateCharges'] ?? error?.code).sort()).toEqual([
    '1.25',
    'CONFLICT',
  ]);
  await kit.drain();
  expect(await sumsOf(b)).toMatchObject({ openBalance: '100.00', received: '1.50', surplus: '1.00' });
  expect(await standing(b)).toMatchObject({ currentBalance: '100.00', received: '1.50' });
  const file = 'externalId;settledAmount;settledDate;surplus\nA;0,00;2026-11-19;0,10\n';
  expect((await send(id, 'CSV', file)).error).toBeUndefined();
  expect((await send(id, 'CSV', file)).error?.code).toBe('UNPROCESSABLE');
  const positive = 'settledAmount must be greater than 0';
  expect(await refusals(id, late(b, '0', '0'), { ...late(b, '0', '1'), kind: 'REPURCHASE', reason: 'r' })).toEqual({
    code: 'UNPROCESSABLE',
    details: [`settlements[0].${positive}`, `settlements[1].${positive}`],
  });
});

test('amounts that cannot be are refused together', async () => {
  const { id, ids } = await kit.assigned(bank);
  const [a = ''] = ids;
  expect(await refusals(id, late(a, '1', '0.001'), late(a, '0.001', '1'))).toMatchObject({ code: 'BAD_REQUEST' });
  expect(await refusals(id, late(a, '1', '-0.01'), { ...abated(a, '1'), surplus: '0.01' })).toEqual({
    code: 'UNPROCESSABLE',
    details: [
      'settlements[0].surplus must be 0 or more',
      'settlements[1].surplus must be 0 for an abatement, a discount or a substitution, which is no receipt',
    ],
  });
});

test('a reference stands for the kind and the surplus too', async () => {
  const { id, ids } = await kit.assigned(bank);
  const [a = ''] = ids;
  const first = { ...late(a, '60', '1'), paymentReference: 'E2E' };
  await kit.settled(bank, id, [first]);
  await kit.process();
  await kit.settled(bank, id, [first]);
  await kit.process();
  expect(await sumsOf(a)).toMatchObject({ openBalance: '40.50', received: '61.00', surplus: '1.00' });
  for (const other of [
    { ...first, surplus: '2' },
    { ...first, surplus: null, kind: 'ABATEMENT' },
  ])
    expect(await refusals(id, other)).toMatchObject({
      details: [expect.stringContaining('identifies the payment E2E of 60.00 + 1.00 on 2026-11-19')],
    });
});

test('what was received before the day of the assignment counts from the base date of the contract on', async () => {
  const { id, ids } = await kit.assigned(bank, [contract('A', { baseDate: '2025-12-20' }), contract('B')]);
  const [a = '', b = ''] = ids;
  expect(await refusals(id, payment(a, '1', '2025-12-19'), payment(b, '1', '2025-12-20'))).toEqual({
    code: 'UNPROCESSABLE',
    details: [
      'settlements[0].settledDate must not be before 2025-12-20, the base date of the contract',
      'settlements[1].settledDate must not be before 2026-01-05, the day on which the credit batch was assigned',
    ],
  });
  await kit.settled(bank, id, [payment(a, '100.50', '2025-12-20')]);
  await kit.process();
  expect(await standing(a)).toMatchObject({ status: 'SETTLED', received: '100.50', paidOn: '2025-12-20' });
});

const send = (creditBatchId: string, format: string, file: string) =>
  kit.run(
    `mutation ($creditBatchId: ID!, $format: BatchFileFormat!, $file: String!) {
      createSettlementBatchFromFile(creditBatchId: $creditBatchId, format: $format, file: $file) {
        totalSettledAmount totalSurplus totalAbated ${linesText} } }`,
    { creditBatchId, format, file },
    bank,
  );

test.each([
  [
    'CSV',
    'externalId;settledAmount;settledDate;kind;surplus\nA;60,00;19/11/2026;;1,25\nA;2,50;2026-11-19;ABATEMENT;\n',
    '1.25',
  ],
  [
    'NDJSON',
    '{"externalId":"A","settledAmount":60,"settledDate":"2026-11-19","surplus":1.25}\n{"externalId":"A","settledAmount":"2.50","settledDate":"2026-11-19","kind":"ABATEMENT"}\n',
    '1.25',
  ],
  [
    'CNAB444',
    formatCnab444(
      fileOf(
        { occurrence: '77', externalId: 'A', paidOn: '2026-11-19', paidAmount: '60.00' },
        { occurrence: '04', externalId: 'A', paidOn: '2026-11-19', abatement: '2.50' },
      ),
    ),
    '0.00',
  ],
])(
  'a file of %s says what was received, what beyond the balance, and what was abated',
  async (format, file, surplus) => {
    const { id } = await kit.assigned(bank);
    const line = { externalId: 'A', settledDate: '2026-11-19' };
    const check = `query ($id: ID!, $format: BatchFileFormat!, $file: String!) {
    checkSettlementFile(creditBatchId: $id, format: $format, file: $file) { accepted lineCount total totalAbated errorCount } }`;
    expect((await kit.data(check, { id, format, file }, bank))['checkSettlementFile']).toEqual({
      accepted: true,
      lineCount: 2,
      total: surplus === '0.00' ? '60.00' : '61.25',
      totalAbated: '2.50',
      errorCount: 0,
    });
    expect((await send(id, format, file)).data?.['createSettlementBatchFromFile']).toEqual({
      totalSettledAmount: '60.00',
      totalSurplus: surplus,
      totalAbated: '2.50',
      settlements: {
        nodes: [
          { ...line, kind: 'PAYMENT', settledAmount: '60.00', surplus },
          { ...line, kind: 'ABATEMENT', settledAmount: '2.50', surplus: '0.00' },
        ],
      },
    });
  },
);

test('a kind and a surplus of another form are refused by their place in the file', async () => {
  const { id } = await kit.assigned(bank);
  const file = 'externalId;settledAmount;settledDate;kind;surplus\nA;60;2026-11-19;GIFT;1.999\n';
  expect((await send(id, 'CSV', file)).error?.details).toMatchObject([
    { path: 'line 2, column kind', message: 'must be PAYMENT, ABATEMENT, DISCOUNT, REPURCHASE or SUBSTITUTION' },
    { path: 'line 2, column surplus', message: expect.stringContaining('at most 2 decimals') },
  ]);
});
