import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Principal } from '../../../shared/kernel/context.js';
import { Decimal, sum } from '../../../shared/kernel/decimal.js';
import { newId } from '../../../shared/kernel/ids.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { nextTurn } from '../../../shared/kernel/turns.js';
import { daysBetween } from '../../../shared/kernel/calendar/days.js';
import { cnpjCheckDigits, cpfCheckDigits } from '../../../shared/kernel/tax-id.js';
import { creditBatches } from '../../../subgraphs/credit-assignment/credit-batches/credit-batch.kind.js';
import { processBatch } from '../../../subgraphs/credit-assignment/processing/process-batch.js';
import { operator } from '../../kit/context.js';
import { addOpenEstate, permit } from '../estates/kit.js';
import { apiKey, contract, stranger, type Contract } from '../kit.js';
import { addTokenizedEstate, openProcessing } from '../processing/kit.js';

const kit = await openProcessing();
afterAll(() => kit.close());
const today = '2026-11-20';
let bank: Principal;
let estate: string;
beforeEach(async () => {
  kit.clock.set(`${today}T15:00:00Z`);
  bank = await kit.client('account-1');
  estate = newId();
  await addOpenEstate(kit.context.manager, estate, `PAT-${estate}`);
  await addTokenizedEstate(kit.context, estate, `pat-${estate}`);
  await permit(kit.context.manager, bank.ownerId, estate);
});

interface Limit {
  readonly kind: 'DEBTOR' | 'DEBTOR_GROUP' | 'ASSIGNOR' | 'TYPE' | 'UF' | 'AVERAGE_TERM';
  readonly base: 'BATCH' | 'PORTFOLIO' | 'NET_WORTH';
  readonly maxShare?: string;
  readonly maxDays?: number;
  readonly type?: string;
}

const setCriteria = (criteria: object) =>
  kit.run(
    `mutation ($id: ID!, $criteria: EligibilityCriteriaInput!) { setEligibilityCriteria(patrimonyId: $id, criteria: $criteria) {
      limits { kind base type maxShare maxDays } netWorth netWorthDate } }`,
    { id: estate, criteria },
    operator,
  );
const limit = async (...limits: readonly Limit[]) => {
  const netWorth = limits.some(({ base }) => base === 'NET_WORTH') ? { netWorth: '1000', netWorthDate: today } : {};
  expect((await setCriteria({ limits, ...netWorth })).error).toBeUndefined();
};

const cpf = (index: number) => {
  const base = String(200_000_000 + index);
  return `${base}${cpfCheckDigits(base)}`;
};
const cnpj = (root: number, branch = 1) => {
  const base = `${String(10_000_000 + root)}${String(branch).padStart(4, '0')}`;
  return `${base}${cnpjCheckDigits(base)}`;
};
let made = 0;
const credit = (debtorDocument: string, faceValue: string, over: object = {}) => {
  made += 1;
  return contract(`L-${String(made)}`, { debtorDocument, faceValue, ...over });
};

async function create(contracts: readonly Contract[], mode = 'ALL_OR_NOTHING', by = bank): Promise<string> {
  const { createCreditBatch } = await kit.data<{ createCreditBatch: { id: string } }>(
    `mutation ($estate: ID!, $contracts: [ContractInput!]!, $mode: CreditBatchMode!) {
      createCreditBatch(patrimonyId: $estate, contracts: $contracts, mode: $mode) { id } }`,
    { estate, contracts, mode },
    by,
  );
  return createCreditBatch.id;
}

interface Decided {
  readonly status: string;
  readonly accepted: readonly string[];
  readonly errors: readonly { readonly index: number; readonly rule: string; readonly message: string }[];
}

async function read(id: string): Promise<Decided> {
  const { creditBatch } = await kit.data<{
    creditBatch: Omit<Decided, 'accepted'> & { receivables: { nodes: { externalId: string; status: string }[] } };
  }>(
    `query ($id: ID!) { creditBatch(id: $id) { status errors(first: 100) { index rule message messagePt }
      receivables(first: 100) { nodes { externalId status } } } }`,
    { id },
    bank,
  );
  const { receivables, ...batch } = creditBatch;
  const accepted = receivables.nodes.filter(({ status }) => status === 'OPEN').map(({ externalId }) => externalId);
  return { ...batch, accepted };
}

async function assign(contracts: readonly Contract[], mode = 'ALL_OR_NOTHING'): Promise<Decided> {
  const id = await create(contracts, mode);
  expect((await kit.submit(bank, id)).error).toBeUndefined();
  await kit.process();
  await kit.drain();
  return read(id);
}
const status = async (contracts: readonly Contract[]) => (await assign(contracts)).status;
/** So many contracts of debtors of their own. */
const many = (count: number, faceValue: string, from: number) =>
  Array.from({ length: count }, (_, index) => credit(cpf(from + index), faceValue));

const usage = async (by: Principal = bank) =>
  (
    await kit.data<{ limitUsage: { room: string; subjects: { subject: string; room: string }[] }[] }>(
      `query ($id: ID!) { limitUsage(patrimonyId: $id) {
        limit { kind base } base averageDays used max room subjects { subject amount share room } } }`,
      { id: estate },
      by,
    )
  ).limitUsage;

describe('a limit on the portfolio', () => {
  test('lets ten equal contracts pass, and of one debtor twenty batches but not the twenty-first', async () => {
    await assign(many(36, '50.00', 0));
    await limit({ kind: 'DEBTOR', base: 'PORTFOLIO', maxShare: '5' });
    expect(await status(many(10, '10.00', 100))).toBe('PROCESSED');
    for (let batch = 0; batch < 20; batch += 1) expect(await status([credit(cpf(500), '5.00')])).toBe('PROCESSED');
    const { status: last, errors } = await assign([credit(cpf(500), '5.00')]);
    expect(last).toBe('REJECTED');
    expect(errors).toMatchObject([
      {
        rule: 'DEBTOR_SHARE_ABOVE_MAXIMUM',
        message:
          'belongs to a debtor with 5.2370 % of the open balance of the estate after the purchase; the estate accepts at most 5 %',
        messagePt:
          'pertence a um devedor com 5,2370% do saldo em aberto do patrimônio após a compra; o patrimônio aceita no máximo 5,00%',
      },
    ]);
    expect(await status([credit(cpf(501), '5.00')])).toBe('PROCESSED');
  });

  test('leaves the room that it says: to the cent it is accepted, and a cent more is not', async () => {
    await assign([credit(cpf(1), '700.00'), credit(cpf(2), '222.22'), credit(cpf(3), '11.11')]);
    await limit({ kind: 'DEBTOR', base: 'PORTFOLIO', maxShare: '33.3333' });
    const [, second] = (await usage())[0]?.subjects ?? [];
    const above = new Decimal(second?.room ?? 0).plus('0.01').toFixed(2);
    expect(await status([credit(cpf(2), above)])).toBe('REJECTED');
    expect(await status([credit(cpf(2), second?.room ?? '')])).toBe('PROCESSED');
  });

  test('counts what is open, not what was paid or written off', async () => {
    const big = credit(cpf(1), '900.00');
    await assign([big, ...many(10, '10.00', 10)]);
    await limit({ kind: 'DEBTOR', base: 'PORTFOLIO', maxShare: '20' });
    expect(await status([credit(cpf(1), '10.00')])).toBe('REJECTED');
    await kit.rows('UPDATE credit_assignment.receivables SET written_off_at = now() WHERE external_id = $1', [
      big.externalId,
    ]);
    expect(await status([credit(cpf(1), '10.00')])).toBe('PROCESSED');
  });

  test('is not passed by two batches of different originators that are decided at once', async () => {
    await assign(many(10, '100.00', 0));
    await limit({ kind: 'DEBTOR', base: 'PORTFOLIO', maxShare: '10' });
    const other = await kit.client();
    await permit(kit.context.manager, other.ownerId, estate);
    const claimed = async (by: Principal) => {
      const id = await create([credit(cpf(900), '100.00')], 'ALL_OR_NOTHING', by);
      expect((await kit.submit(by, id)).error).toBeUndefined();
      const lease = newId();
      await kit.rows(
        `UPDATE credit_assignment.credit_batches SET status = 'PROCESSING', lease = $2, leased_until = now() + interval '1 hour' WHERE id = $1`,
        [id, lease],
      );
      return { id, lease };
    };
    const [one, two] = [await claimed(bank), await claimed(other)];
    let isDecided = false;
    let second = Promise.resolve();
    await inTransaction(kit.context, async (tx) => {
      await processBatch(tx, creditBatches, one.id, one.lease);
      second = processBatch(kit.context, creditBatches, two.id, two.lease).finally(() => {
        isDecided = true;
      });
      // The first is not committed before the second waits for it, or has not waited.
      const waiting =
        "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
      while (!isDecided && (await kit.rows(waiting)).length === 0) await nextTurn();
    });
    await second;
    await kit.drain();
    expect((await kit.batch(one.id)).status).toBe('PROCESSED');
    expect((await kit.batch(two.id)).status).toBe('REJECTED');
  });
});

describe('limits compare', () => {
  const acme = cnpj(1);

  test('groups of debtors by the root of their CNPJ, and a CPF by itself', async () => {
    await limit({ kind: 'DEBTOR_GROUP', base: 'BATCH', maxShare: '40' });
    const branches = [acme, cnpj(1, 2)].map((document) => credit(document, '30.00'));
    const { errors } = await assign([...branches, credit(cpf(1), '20.00'), credit(cpf(2), '20.00')]);
    expect(errors).toMatchObject([
      { index: 0, rule: 'DEBTOR_GROUP_SHARE_ABOVE_MAXIMUM' },
      { index: 1, message: expect.stringContaining('with 60.0000 % of the face value of the batch') },
    ]);
  });

  test('assignors: that of a contract, else the originator', async () => {
    await limit({ kind: 'ASSIGNOR', base: 'PORTFOLIO', maxShare: '50' });
    const named = (assignorDocument: string) => credit(cpf(1), '10.00', { assignorDocument });
    expect(await status([named(acme), named(acme), credit(cpf(2), '20.00')])).toBe('PROCESSED');
    const { errors } = await assign([credit(cpf(3), '10.00')]);
    expect(errors).toMatchObject([{ rule: 'ASSIGNOR_SHARE_ABOVE_MAXIMUM' }]);
    expect((await usage(operator))[0]?.subjects.map(({ subject }) => subject).toSorted()).toEqual([acme, 'Banco']);
  });

  test('types: each, or the one that is named', async () => {
    await limit({ kind: 'TYPE', base: 'NET_WORTH', type: 'DEBENTURE', maxShare: '1' });
    expect(await status([credit(cpf(1), '500.00')])).toBe('PROCESSED');
    const { errors } = await assign([credit(cpf(1), '10.01', { type: 'DEBENTURE' })]);
    expect(errors).toMatchObject([
      { message: expect.stringContaining('belongs to a type with 1.0010 % of the net worth') },
    ]);
    expect(await status([credit(cpf(1), '10.00', { type: 'DEBENTURE' })])).toBe('PROCESSED');
    expect(await usage()).toMatchObject([{ base: '1000.00', used: '10.00', max: '10.00', room: '0.00' }]);
  });

  test('states of debtors, and contracts without one together', async () => {
    await limit({ kind: 'UF', base: 'PORTFOLIO', maxShare: '50' });
    const from = (debtorUf: string | null, faceValue = '10.00') => credit(cpf(1), faceValue, { debtorUf });
    expect(await status([from('SP'), from('RJ'), from(null, '20.00')])).toBe('PROCESSED');
    const { errors } = await assign([from('RJ', '31.00')]);
    expect(errors).toMatchObject([{ rule: 'UF_SHARE_ABOVE_MAXIMUM' }]);
    expect((await usage())[0]?.subjects.map(({ subject }) => subject).toSorted()).toEqual(['', 'RJ', 'SP']);
  });

  test('the average term of what the estate then has', async () => {
    const due = (faceValue: string, dueDate: string) => credit(cpf(1), faceValue, { dueDate });
    await assign([due('300.00', '2026-11-30')]);
    await limit({ kind: 'AVERAGE_TERM', base: 'PORTFOLIO', maxDays: 20 });
    // 300 × 10 days and 100 × 51 days are 20.25 days on average.
    const { errors } = await assign([due('100.00', '2027-01-10')]);
    expect(errors).toMatchObject([
      { rule: 'AVERAGE_TERM_ABOVE_MAXIMUM', message: expect.stringContaining('to 20.3 days') },
    ]);
    expect(await status([due('100.00', '2027-01-09')])).toBe('PROCESSED');
    expect(await usage()).toMatchObject([{ base: '400.00', averageDays: '20.0', room: null }]);
  });
});

describe('eligible contracts only', () => {
  test('are the first of a subject, until the last one within the limits on what is then bought', async () => {
    await assign(many(9, '100.00', 0));
    await limit({ kind: 'DEBTOR', base: 'PORTFOLIO', maxShare: '25' });
    const mine = Array.from({ length: 5 }, () => credit(cpf(700), '100.00'));
    const { status: decided, accepted, errors } = await assign(mine, 'ELIGIBLE_ONLY');
    expect(decided).toBe('PROCESSED');
    expect(accepted).toEqual(mine.slice(0, 3).map(({ externalId }) => externalId));
    expect(errors.map(({ index }) => index)).toEqual([3, 4]);
    expect(await status([mine[3] ?? credit(cpf(1), '1')])).toBe('REJECTED');
    await limit();
    expect(await status([mine[3] ?? credit(cpf(1), '1')])).toBe('PROCESSED');
  });

  test('meet a limit on the batch without the others: where that cannot be, nothing is assigned', async () => {
    await limit({ kind: 'DEBTOR', base: 'BATCH', maxShare: '50' });
    const two = [credit(cpf(1), '10.00'), credit(cpf(2), '8.00'), credit(cpf(2), '2.00'), credit(cpf(1), '5.00')];
    expect((await assign(two, 'ELIGIBLE_ONLY')).accepted).toEqual(two.slice(0, 3).map(({ externalId }) => externalId));
    const { status: decided } = await assign([credit(cpf(1), '10.00'), credit(cpf(1), '10.00')], 'ELIGIBLE_ONLY');
    expect(decided).toBe('REJECTED');
  });

  test('stay within every limit of the estate, whatever is sent, and the check says before which they are', async () => {
    const share = fc.constantFrom('10', '25', '33.3333', '60');
    const limits = fc.uniqueArray(
      fc.oneof(
        fc.record({
          kind: fc.constantFrom('DEBTOR', 'DEBTOR_GROUP', 'ASSIGNOR', 'TYPE', 'UF'),
          base: fc.constantFrom('BATCH', 'PORTFOLIO', 'NET_WORTH'),
          maxShare: share,
        }),
        fc.record({
          kind: fc.constant('AVERAGE_TERM' as const),
          base: fc.constantFrom('BATCH', 'PORTFOLIO'),
          maxDays: fc.integer({ min: 10, max: 60 }),
        }),
      ) as fc.Arbitrary<Limit>,
      { minLength: 1, maxLength: 3, selector: ({ kind, base }) => `${kind} ${base}` },
    );
    const sent = fc.record({
      debtorDocument: fc.constantFrom(cpf(1), cpf(2), cpf(3), cnpj(1), cnpj(1, 2), cnpj(2)),
      faceValue: fc.integer({ min: 1, max: 20_000 }).map((cents) => new Decimal(cents).dividedBy(100).toFixed(2)),
      dueDate: fc.constantFrom('2026-11-25', '2026-12-20', '2027-01-31', '2027-11-20'),
      type: fc.constantFrom('CCB', 'DEBENTURE'),
      debtorUf: fc.constantFrom(null, 'SP', 'RJ'),
      assignorDocument: fc.constantFrom(null, cnpj(3), cnpj(4)),
    });
    const batch = fc.record({
      contracts: fc.array(sent, { minLength: 1, maxLength: 12 }),
      mode: fc.constantFrom('ELIGIBLE_ONLY', 'ALL_OR_NOTHING'),
    });
    await fc.assert(
      fc.asyncProperty(limits, fc.array(batch, { minLength: 1, maxLength: 4 }), async (chosen, batches) => {
        bank = await kit.client();
        estate = newId();
        await addOpenEstate(kit.context.manager, estate, `PAT-${estate}`);
        await addTokenizedEstate(kit.context, estate, `pat-${estate}`);
        await permit(kit.context.manager, bank.ownerId, estate);
        await limit(...chosen);
        const held: Sent[] = [];
        for (const { contracts, mode } of batches) {
          const named = contracts.map((one) => ({ ...one, ...contract(newId(), one) })) as Sent[];
          const id = await create(named, mode);
          const { creditBatchCheck: check } = await kit.data<{ creditBatchCheck: object }>(
            'query ($id: ID!) { creditBatchCheck(id: $id) { eligible errors { index rule message messagePt } } }',
            { id },
            bank,
          );
          kit.clock.set(`${today}T15:00:00Z`);
          expect((await kit.submit(bank, id)).error).toBeUndefined();
          await kit.process();
          await kit.drain();
          const decided = await read(id);
          expect(check).toEqual({ eligible: decided.status === 'PROCESSED', errors: decided.errors });
          const bought = named.filter(({ externalId }) => decided.accepted.includes(externalId));
          held.push(...bought);
          for (const one of chosen) expectWithin(one, bought, one.base === 'BATCH' ? bought : held);
        }
      }),
      { numRuns: 25, endOnFailure: true },
    );
  }, 120_000);
});

interface Sent extends Contract {
  readonly type: string;
  readonly assignorDocument: string | null;
  readonly debtorUf: string | null;
}

/** Whether what was bought is within a limit, counted in a way of its own. */
function expectWithin({ kind, base, maxShare, maxDays }: Limit, bought: readonly Sent[], all: readonly Sent[]): void {
  const total = sum(all.map(({ faceValue }) => faceValue));
  if (kind === 'AVERAGE_TERM') {
    const excess = ({ faceValue, dueDate }: Sent) =>
      new Decimal(faceValue).times(daysBetween(today, dueDate) - (maxDays ?? 0));
    if (bought.some((one) => excess(one).greaterThan(0)))
      expect(sum(all.map(excess)).toNumber()).toBeLessThanOrEqual(0);
    return;
  }
  const nameIn = ({ debtorDocument, assignorDocument, type, debtorUf }: Sent) =>
    ({
      DEBTOR: debtorDocument,
      DEBTOR_GROUP: debtorDocument.length === 14 ? debtorDocument.slice(0, 8) : debtorDocument,
      ASSIGNOR: assignorDocument ?? 'the originator',
      TYPE: type,
      UF: debtorUf,
    })[kind];
  const most = new Decimal(maxShare ?? 0).dividedBy(100).times(base === 'NET_WORTH' ? 1000 : total);
  for (const name of new Set(bought.map(nameIn))) {
    const own = sum(all.filter((one) => nameIn(one) === name).map(({ faceValue }) => faceValue));
    expect(own.lessThanOrEqualTo(most)).toBe(true);
  }
}

test('a file that is checked before it is sent says which line would pass which limit, with the portfolio counted, by its mode', async () => {
  await assign([...many(8, '100.00', 0), credit(cpf(700), '100.00')]);
  await limit({ kind: 'DEBTOR', base: 'PORTFOLIO', maxShare: '20' });
  const lines = [0, 1, 2].map((line) => `F-${String(line)};${cpf(700)};100.00;2027-01-31`);
  const file = ['externalId;debtorDocument;faceValue;dueDate', ...lines].join('\n');
  const check = (mode: string) =>
    kit.data(
      `query ($id: ID!, $file: String!, $mode: CreditBatchMode!) {
          checkAssignmentFile(patrimonyId: $id, format: CSV, file: $file, mode: $mode) { eligible errorCount errors { line rule } } }`,
      { id: estate, file, mode },
      bank,
    );
  const above = (line: number) => ({ line, rule: 'DEBTOR_SHARE_ABOVE_MAXIMUM' });
  expect(await check('ALL_OR_NOTHING')).toEqual({
    checkAssignmentFile: { eligible: false, errorCount: 3, errors: [2, 3, 4].map(above) },
  });
  expect(await check('ELIGIBLE_ONLY')).toEqual({
    checkAssignmentFile: { eligible: true, errorCount: 2, errors: [3, 4].map(above) },
  });
});

test('the use of limits names debtors whole to operators and to who assigned them, and is for permitted originators', async () => {
  await assign([credit(cpf(1), '75.00'), credit(cpf(2), '25.00')]);
  await limit(
    { kind: 'DEBTOR', base: 'PORTFOLIO', maxShare: '80' },
    { kind: 'DEBTOR_GROUP', base: 'NET_WORTH', maxShare: '10' },
    { kind: 'DEBTOR', base: 'BATCH', maxShare: '100' },
  );
  const shown = (...subjects: readonly string[]) => [
    {
      limit: { kind: 'DEBTOR', base: 'PORTFOLIO' },
      ...{ base: '100.00', averageDays: null, used: '75.00', max: '80.00', room: '25.00' },
      subjects: [
        { subject: subjects[0], amount: '75.00', share: '75.0000', room: '25.00' },
        { subject: subjects[1], amount: '25.00', share: '25.0000', room: '275.00' },
      ],
    },
    {
      limit: { kind: 'DEBTOR_GROUP', base: 'NET_WORTH' },
      base: '1000.00',
      used: '75.00',
      max: '100.00',
      room: '25.00',
    },
  ];
  for (const by of [bank, operator]) expect(await usage(by)).toMatchObject(shown(cpf(1), cpf(2)));
  const other = await kit.client();
  expect(await usage(other)).toEqual([]);
  await permit(kit.context.manager, other.ownerId, estate);
  const masked = [cpf(1), cpf(2)].map((document) => `***.***.*${document.slice(7, 9)}-${document.slice(9)}`);
  for (const by of [other, apiKey('account-1')]) expect(await usage(by)).toMatchObject(shown(...masked));
  expect((await kit.run('{ limitUsage(patrimonyId: "x") { base } }', {}, stranger)).error).toMatchObject({
    statusCode: 401,
  });
});

test('the use of a limit names assignors to operators and to themselves alone', async () => {
  await assign([credit(cpf(1), '75.00')]);
  await limit({ kind: 'ASSIGNOR', base: 'PORTFOLIO', maxShare: '100' });
  const other = await kit.client();
  await permit(kit.context.manager, other.ownerId, estate);
  const assignor = async (by: Principal) => (await usage(by))[0]?.subjects[0]?.subject;
  const whole = await assignor(operator);
  expect(whole).not.toBe('***');
  expect([await assignor(bank), await assignor(other), await assignor(apiKey('account-1'))]).toEqual([
    whole,
    ...['***', '***'],
  ]);
});

test('limits that cannot be are refused with every error', async () => {
  const { error } = await setCriteria({
    limits: [
      { kind: 'DEBTOR', base: 'NET_WORTH' },
      { kind: 'DEBTOR', base: 'BATCH', maxShare: '100.00001', maxDays: 3, type: 'CCB' },
      { kind: 'AVERAGE_TERM', base: 'NET_WORTH', maxShare: '1', maxDays: 0 },
      { kind: 'TYPE', base: 'BATCH', maxShare: '5' },
      { kind: 'TYPE', base: 'BATCH', maxShare: '6' },
    ],
    netWorthDate: '2026-11-21',
  });
  expect(error).toMatchObject({ statusCode: 400 });
  expect(error?.details?.map(({ path, rule }) => [path, rule])).toEqual([
    ['netWorth', 'NET_WORTH_MISSING'],
    ['netWorthDate', 'NOT_IN_FUTURE'],
    ['limits[0].maxShare', 'LIMIT_SHARE'],
    ['limits[1].maxShare', 'LIMIT_SHARE'],
    ['limits[1].maxDays', 'LIMIT_WITHOUT'],
    ['limits[1].type', 'LIMIT_WITHOUT'],
    ['limits[2].maxShare', 'LIMIT_WITHOUT'],
    ['limits[2].maxDays', 'LIMIT_DAYS'],
    ['limits[2].base', 'LIMIT_BASE'],
    ['limits[4].kind', 'LIMIT_TWICE'],
  ]);
  const twice = await setCriteria({
    maxDebtorShare: '25',
    limits: [{ kind: 'DEBTOR', base: 'BATCH', maxShare: '30' }],
  });
  expect(twice.error?.details).toMatchObject([{ path: 'limits[0].kind', rule: 'LIMIT_TWICE' }]);
  const undated = await setCriteria({ netWorth: '1' });
  expect(undated.error?.details).toMatchObject([{ path: 'netWorthDate', rule: 'NET_WORTH_UNDATED' }]);
});
