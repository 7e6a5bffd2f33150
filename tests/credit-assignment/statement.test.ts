import { afterAll, expect, test } from '@jest/globals';
import { newId } from '../../shared/kernel/ids.js';
import { takeOperatorPayments } from '../../subgraphs/credit-assignment/receivables/take-operator-payments.js';
import { operator } from '../kit/context.js';
import { contract } from './kit.js';
import { eventsOf, pay, renegotiate, reverse, revertRenegotiation, writeOff } from './reversals-kit.js';
import { openSettlements, payment, processDue } from './settlement-kit.js';

const kit = await openSettlements();
afterAll(() => kit.close());
const bank = await kit.client('an-account');

const line = (kind: string, contractId: string, amount: string, more: object = {}) => ({
  ...payment(contractId, amount, '2026-11-20'),
  kind,
  reason: 'agreed with the debtor',
  ...more,
});
const refusals = async (creditBatchId: string, ...lines: readonly object[]) => {
  const { error } = await kit.settle(bank, creditBatchId, lines);
  return error?.details?.map(({ path, message }) => `${path} ${message}`);
};
const receivable = async (id: string) => {
  const text = `query ($id: ID!) { receivable(id: $id) { status openBalance received abated installments { dueDate }
    settlements { kind settledAmount reason substituteId reversed }
    renegotiations { installments { number dueDate principal interest } interestRate raised reason revertedAt } } }`;
  return (await kit.data<{ receivable: object }>(text, { id }, bank)).receivable;
};
const rated = (name: string, more: object = {}) =>
  contract(name, { interestRate: '10', dayCount: 'CIVIL_365', dueDate: '2027-11-20', ...more });
// A year before it is due, 100.50 at 10 % a year are worth 91.36.
test('an early payment may be discounted by the rate of the contract, to the cent, and by nothing without one', async () => {
  const { id, ids } = await kit.assigned(bank, [rated('A'), contract('B')]);
  const [a = '', b = ''] = ids;
  expect(
    await refusals(id, line('PAYMENT', a, '91.35'), line('DISCOUNT', a, '9.15'), line('DISCOUNT', b, '0.01')),
  ).toEqual([
    'settlements[1].settledAmount brings the discounts of this day to 9.15, but by the rate of the contract what is paid early allows at most 9.14',
    'settlements[2].settledAmount brings the discounts of this day to 0.01, but by the rate of the contract what is paid early allows at most 0.00',
  ]);
  await kit.settled(bank, id, [line('PAYMENT', a, '91.36'), line('DISCOUNT', a, '9.14')]);
  await kit.process();
  expect(await receivable(a)).toMatchObject({
    status: 'SETTLED',
    received: '91.36',
    abated: '9.14',
    settlements: [{ kind: 'DISCOUNT', reason: 'agreed with the debtor' }, { kind: 'PAYMENT' }],
  });
  expect((await kit.standings([a]))[0]).toMatchObject({ currentBalance: '0.00', received: '91.36' });
  await reverse(kit.platform, a);
  await kit.drain();
  expect(await receivable(a)).toMatchObject({
    status: 'OPEN',
    openBalance: '100.50',
    received: '0.00',
    abated: '0.00',
  });
});

test('calendar days are counted beyond the table of holidays too; business days are not, and allow nothing', async () => {
  const { id, ids } = await kit.assigned(bank, [
    rated('A', { dueDate: '2090-11-20' }),
    rated('B', { dueDate: '2090-11-20', dayCount: 'BUS252' }),
  ]);
  const [a = '', b = ''] = ids;
  const early = (of: string) => [line('PAYMENT', of, '0.22'), line('DISCOUNT', of, '100.28')];
  expect(await refusals(id, ...early(a), ...early(b))).toEqual([
    expect.stringMatching(/^settlements\[3\].*at most 0.00$/),
  ]);
});

test('a repurchase and a substitution close the receivable, and a substitute fits once', async () => {
  const { id, ids } = await kit.assigned(
    bank,
    ['A', 'B', 'C', 'D'].map((name) => contract(name)),
  );
  const [a = '', b = '', c = '', d = ''] = ids;
  const by = (substituteId: string) => ({ substituteId });
  expect(await refusals(id, line('REPURCHASE', a, '100.49'))).toEqual([
    'settlements[0].settledAmount closes the receivable, but this batch takes 100.49 off an open balance of 100.50',
  ]);
  const unfit = expect.stringMatching(/^settlements\[\d\].substituteId must be another open receivable/);
  expect(await refusals(id, line('SUBSTITUTION', a, '100.50', by(a)))).toEqual([unfit]);
  expect(await refusals(id, line('SUBSTITUTION', a, '100.50', by(newId())))).toEqual([unfit]);
  expect(
    await refusals(id, line('SUBSTITUTION', a, '100.50', by(d)), line('SUBSTITUTION', b, '100.50', by(d))),
  ).toEqual([unfit, unfit]);
  const other = await kit.assigned(await kit.client(), [contract('A')]);
  expect(await refusals(id, line('SUBSTITUTION', a, '100.50', by(other.ids[0] ?? '')))).toEqual([unfit]);

  // Of two batches that name the same substitute, one is processed.
  const first = await kit.settled(bank, id, [line('SUBSTITUTION', a, '100.50', by(d))]);
  const second = await kit.settled(bank, id, [line('SUBSTITUTION', b, '100.50', by(d))]);
  await kit.settled(bank, id, [line('REPURCHASE', c, '100.50', { surplus: '2.00' })]);
  await kit.process();
  const text =
    'query ($id: ID!) { settlementBatch(id: $id) { status totalSettledAmount totalAbated rejectionRules { rule } } }';
  const batch = async (one: string) => (await kit.data(text, { id: one }, bank))['settlementBatch'];
  expect(await batch(first)).toMatchObject({ status: 'PROCESSED', totalSettledAmount: '0.00', totalAbated: '100.50' });
  expect(await batch(second)).toMatchObject({ status: 'REJECTED', rejectionRules: [{ rule: 'SETTLEMENTS_REFUSED' }] });
  expect(await receivable(a)).toMatchObject({
    status: 'SETTLED',
    received: '0.00',
    settlements: [{ substituteId: d }],
  });
  expect(await receivable(c)).toMatchObject({ status: 'SETTLED', received: '102.50' });

  await reverse(kit.platform, a);
  await kit.drain();
  await kit.settled(bank, id, [line('SUBSTITUTION', b, '100.50', by(d))]);
  await kit.process();
  expect(await receivable(b)).toMatchObject({ status: 'SETTLED', settlements: [{ substituteId: d, reversed: false }] });
});

test('reasons and substitutes are asked for where they belong, also in files', async () => {
  const { id, ids } = await kit.assigned(bank);
  const [a = ''] = ids;
  const bare = { ...payment(a, '1'), kind: 'REPURCHASE' };
  const substitute = 'must be given with SUBSTITUTION, and with no other kind';
  expect(await refusals(id, bare, { ...payment(a, '1'), substituteId: a }, line('SUBSTITUTION', a, '1'))).toEqual([
    `settlements[0].reason must be given with DISCOUNT, REPURCHASE and SUBSTITUTION`,
    `settlements[1].substituteId ${substitute}`,
    `settlements[2].substituteId ${substitute}`,
  ]);
  const text = `mutation ($id: ID!, $format: BatchFileFormat!, $file: String!) {
    createSettlementBatchFromFile(creditBatchId: $id, format: $format, file: $file) { settlements { nodes { kind reason substituteId } } } }`;
  const file = `externalId;settledAmount;settledDate;kind;reason;substituteId\nA;100,50;20/11/2026;SUBSTITUTION;replaced;${ids[1] ?? ''}\n`;
  expect((await kit.data(text, { id, format: 'CSV', file }, bank))['createSettlementBatchFromFile']).toEqual({
    settlements: { nodes: [{ kind: 'SUBSTITUTION', reason: 'replaced', substituteId: ids[1] }] },
  });
});

test('the check of a file says of an early payment and a repurchase what is wrong with their lines, and judges them once these are right', async () => {
  const { id } = await kit.assigned(bank, [rated('A'), contract('B')]);
  const check = async (day: string) => {
    const text = `query ($id: ID!, $file: String!) { checkSettlementFile(creditBatchId: $id, format: CSV, file: $file) {
      accepted errorCount errors { line field rule } } }`;
    const file = ['externalId;settledAmount;settledDate;kind;reason']
      .concat(`A;91,36;${day};;`, 'A;9,14;20/11/2026;DISCOUNT;agreed')
      .concat('B;60,00;20/11/2026;REPURCHASE;agreed', `B;40,50;${day};ABATEMENT;`);
    return (await kit.data(text, { id, file: file.join('\n') }, bank))['checkSettlementFile'];
  };
  const future = { field: 'settledDate', rule: 'DATE_IN_FUTURE' };
  expect(await check('20/11/2027')).toEqual({
    accepted: false,
    errorCount: 2,
    errors: [2, 5].map((number) => ({ line: number, ...future })),
  });
  expect(await check('20/11/2026')).toEqual({ accepted: true, errorCount: 0, errors: [] });
});

test('a renegotiation replaces what is open, keeps the schedule before, and is reverted while nothing was paid under it', async () => {
  const { id, ids } = await kit.assigned(bank);
  const [a = ''] = ids;
  await kit.settled(bank, id, [payment(a, '40')]);
  await kit.process();
  const days = ['2027-02-28', '2027-03-31'];
  const renew = () =>
    renegotiate(
      kit.platform,
      a,
      days.map((dueDate) => ({ dueDate, principal: '30', interest: '5.0' })),
      { interestRate: '12', dayCount: 'CIVIL_365' },
    );
  await renew();
  await kit.drain();
  const standing = { openBalance: '70.00', received: '40.00', abated: '0.00', status: 'OPEN' };
  expect(await receivable(a)).toMatchObject({
    ...standing,
    installments: null,
    renegotiations: [
      {
        installments: days.map((dueDate, at) => ({ number: at + 2, dueDate, principal: '30.00', interest: '5.00' })),
        ...{
          interestRate: '12',
          raised: '9.50',
          reason: expect.stringMatching(/^cannot pay, says (?!529)/),
          revertedAt: null,
        },
      },
    ],
  });
  // What is told again changes nothing.
  const [event] = await eventsOf(kit.platform, a, ['assets.renegotiated']);
  if (event === undefined) throw new Error('It was not announced');
  await kit.platform.manager.inTransaction((manager) => takeOperatorPayments({ ...kit.platform, manager }, [event]));
  expect(await receivable(a)).toMatchObject(standing);
  await expect(reverse(kit.platform, a, '40.00', 1)).rejects.toMatchObject({
    message: 'The payment was received before the asset was renegotiated: revert the renegotiation first',
  });
  await pay(kit.platform, a, 2);
  await expect(revertRenegotiation(kit.platform, a)).rejects.toMatchObject({ code: 'CONFLICT' });
  await reverse(kit.platform, a, '35.00', 2);
  await revertRenegotiation(kit.platform, a);
  await kit.drain();
  expect(await receivable(a)).toMatchObject({ openBalance: '60.50', received: '40.00' });
  expect((await kit.standings([a]))[0]).toMatchObject({
    currentBalance: '60.50',
    received: '40.00',
    nextDueDate: '2027-01-31',
  });
  await reverse(kit.platform, a, '40.00', 1);
  await kit.drain();
  expect(await receivable(a)).toMatchObject({ openBalance: '100.50', received: '0.00' });
});

test('an asset has at most 1200 instalments, with those that are paid', async () => {
  const [a = ''] = (await kit.assigned(bank)).ids;
  await kit.platform.manager.execute(
    `INSERT INTO tokenization.asset_installments (asset_id, installment_number, due_date, amount, paid_amount, paid_on, status)
     SELECT $1, number, '2026-11-20', 1, 1, '2026-11-20', 'PAID' FROM generate_series(2, 1200) AS number`,
    [a],
  );
  const one = { dueDate: '2027-02-28', principal: '150.00', interest: '0' };
  await expect(renegotiate(kit.platform, a, [one, { ...one, dueDate: '2027-03-31' }])).rejects.toMatchObject({
    code: 'UNPROCESSABLE',
    extensions: { details: [{ path: 'installments', message: expect.stringMatching('at most 1 items') }] },
  });
  expect(await renegotiate(kit.platform, a, [one])).toMatchObject({ installments: 1200, paidInstallments: 1199 });
});

test('what was paid under a new schedule is not taken before it, whichever relay comes first', async () => {
  const { ids } = await kit.assigned(bank);
  const [a = ''] = ids;
  await renegotiate(kit.platform, a, [{ dueDate: '2027-02-28', principal: '150.00', interest: '0' }]);
  await pay(kit.platform, a, 2);
  const events = await eventsOf(kit.platform, a, ['assets.paid']);
  await expect(
    kit.platform.manager.inTransaction((manager) => takeOperatorPayments({ ...kit.platform, manager }, events)),
  ).rejects.toThrow('waits for the one before it');
  await kit.drain();
  expect(await receivable(a)).toMatchObject({ status: 'SETTLED', openBalance: '0.00', received: '150.00' });
});

test('a reversal takes back what was settled on the day of the instalment, so that a substitute is free only once it is in no place', async () => {
  const { id, ids } = await kit.assigned(
    bank,
    ['A', 'B', 'C'].map((name) => contract(name)),
  );
  const [a = '', b = '', c = ''] = ids;
  const rows = ['2027-02-28', '2027-03-31'].map((dueDate) => ({ dueDate, principal: '50.00', interest: '0' }));
  await renegotiate(kit.platform, a, rows);
  await kit.drain();
  await kit.settled(bank, id, [line('ABATEMENT', a, '50.00', { settledDate: '2026-11-19' })]);
  await kit.process();
  const by = { substituteId: c };
  await kit.settled(bank, id, [line('SUBSTITUTION', a, '50.00', by)]);
  await kit.process();
  await reverse(kit.platform, a, undefined, 2);
  await kit.drain();
  const unfit = expect.stringMatching(/substituteId must be another/);
  expect(await refusals(id, line('SUBSTITUTION', b, '100.50', by))).toEqual([unfit]);
  await reverse(kit.platform, a, undefined, 3);
  await kit.drain();
  expect(await refusals(id, line('SUBSTITUTION', b, '100.50', by))).toBeUndefined();
});

test('a schedule does not change under payments that are on their way, nor do payments fall on one that is not known yet', async () => {
  const { id, ids } = await kit.assigned(bank);
  const [a = ''] = ids;
  const less = (principal: string) =>
    renegotiate(kit.platform, a, [{ dueDate: '2027-02-28', principal, interest: '0' }]);
  await kit.settled(bank, id, [payment(a, '90')]);
  kit.clock.advance(30_000);
  await processDue(kit.platform);
  await expect(less('80.00')).rejects.toMatchObject({
    code: 'CONFLICT',
    message: expect.stringMatching('on their way'),
  });
  await kit.drain();
  await less('5.00');
  await kit.settled(bank, id, [payment(a, '10')]);
  kit.clock.advance(30_000);
  await expect(processDue(kit.platform)).rejects.toThrow('waits for a new schedule');
  await kit.drain();
  kit.clock.advance(60_000);
  await kit.process();
  const standing = { received: '90.00', openBalance: '5.00', status: 'OPEN' };
  expect(await receivable(a)).toMatchObject(standing);
  expect((await kit.standings([a]))[0]).toMatchObject({ received: '90.00', currentBalance: '5.00' });
});

test.each([
  [
    'renegotiated',
    (id: string) => renegotiate(kit.platform, id, [{ dueDate: '2027-02-28', principal: '1.00', interest: '0' }]),
  ],
  ['paid', (id: string) => pay(kit.platform, id)],
  ['written off', (id: string) => writeOff(kit.platform, id)],
])('what was %s takes the place of nothing, also before its originator knows', async (_, act) => {
  const { id, ids } = await kit.assigned(bank);
  const [a = '', b = ''] = ids;
  const made = await kit.settled(bank, id, [line('SUBSTITUTION', a, '100.50', { substituteId: b })]);
  await act(b);
  kit.clock.advance(30_000);
  await expect(processDue(kit.platform)).rejects.toThrow('waits for');
  await kit.drain();
  kit.clock.advance(60_000);
  await kit.process();
  const text = 'query ($id: ID!) { settlementBatch(id: $id) { status rejectionRules { rule } } }';
  expect((await kit.data(text, { id: made }, bank))['settlementBatch']).toEqual({
    status: 'REJECTED',
    rejectionRules: [{ rule: 'SETTLEMENTS_REFUSED' }],
  });
  expect(await receivable(a)).toMatchObject({ status: 'OPEN', openBalance: '100.50' });
});

test('of those who revert a renegotiation at once, one does', async () => {
  const { ids } = await kit.assigned(bank);
  const [a = ''] = ids;
  for (const principal of ['90.00', '80.00'])
    await renegotiate(kit.platform, a, [{ dueDate: '2027-02-28', principal, interest: '0' }]);
  await expect(revertRenegotiation(kit.platform, a, 2)).rejects.toMatchObject({ code: 'CONFLICT' });
  await kit.drain();
  expect(await receivable(a)).toMatchObject({ openBalance: '90.00' });
});

test('a statement is for who sees the client, and counts what was refused and written off', async () => {
  const client = await kit.client('another-account');
  const { id, ids } = await kit.assigned(client);
  await kit.platform.manager.query(
    `UPDATE credit_assignment.receivables SET written_off_at = now(), changed_at = $2 WHERE id = $1`,
    [ids[0], kit.clock.now()],
  );
  await kit.settled(client, id, [payment(ids[0] ?? '', '10')]);
  await kit.process();
  const refused = await kit.create(client, [contract('A'), contract('B')]);
  await kit.platform.manager.query(
    `UPDATE credit_assignment.credit_batches SET status = 'REJECTED', rejection_reason = 'x', submitted_at = $2, processed_at = $2 WHERE id = $1`,
    [refused.id, kit.clock.now()],
  );
  const text = `query ($month: Month!, $of: ID, $patrimonyId: ID) { receivableStatement(month: $month, originatorId: $of, patrimonyId: $patrimonyId) {
    refusedCount refused received writtenOff openBalance } }`;
  const month = '2026-11';
  const seen = { refusedCount: 2, refused: '201.00', received: '10.00', writtenOff: '90.50', openBalance: '100.50' };
  expect((await kit.data(text, { month }, client))['receivableStatement']).toEqual(seen);
  expect((await kit.data(text, { month, of: client.ownerId }, { ...operator }))['receivableStatement']).toEqual(seen);
  expect((await kit.data(text, { month, patrimonyId: newId() }, client))['receivableStatement']).toMatchObject({
    received: '0.00',
  });
  expect((await kit.run(text, { month, of: client.ownerId }, bank)).error).toMatchObject({ code: 'NOT_FOUND' });
  expect((await kit.run(text, { month: '2026-12' }, client)).error).toMatchObject({ code: 'BAD_REQUEST' });
});

test('a month that is over does not change by a new schedule of the same amount, nor by its reversion', async () => {
  const client = await kit.client();
  const installments = ['2026-11-10', '2027-02-28'].map((dueDate, at) => ({
    number: at + 1,
    dueDate,
    principal: '50.25',
    interest: '0',
  }));
  const { ids } = await kit.assigned(client, [
    contract('A', { baseDate: '2026-01-05', dueDate: '2027-02-28', installments }),
  ]);
  const [a = ''] = ids;
  kit.clock.advance(15 * 86_400_000);
  const text = `query ($month: Month!) { receivableStatement(month: $month) { openBefore openBalance position aging { label contracts balance overdue } } }`;
  const november = () => kit.data(text, { month: '2026-11' }, client);
  const before = await november();
  expect(before['receivableStatement']).toMatchObject({
    openBalance: '100.50',
    aging: expect.arrayContaining([{ label: '1-30', contracts: 1, balance: '100.50', overdue: '50.25' }]),
  });
  await renegotiate(kit.platform, a, [{ dueDate: '2027-03-31', principal: '100.50', interest: '0' }]);
  await kit.drain();
  expect(await november()).toEqual(before);
  await revertRenegotiation(kit.platform, a);
  await kit.drain();
  expect(await november()).toEqual(before);
  expect((await kit.data(text, { month: '0001-02' }, client))['receivableStatement']).toMatchObject({
    position: '0001-02-28',
  });
});
