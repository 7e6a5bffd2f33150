import { inflateSync } from 'node:zlib';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sum } from '../../../shared/kernel/decimal.js';
import { fromWindows1252 } from '../../../shared/kernel/format/windows-1252.js';
import { newId } from '../../../shared/kernel/ids.js';
import type { Principal } from '../../../shared/kernel/context.js';
import { creditBatches } from '../../../subgraphs/credit-assignment/credit-batches/credit-batch.kind.js';
import { processBatch } from '../../../subgraphs/credit-assignment/processing/process-batch.js';
import { formatCnab444, parseReturn } from '../cnab444/files.js';
import { assigned, fileOf } from '../cnab444/kit.js';
import { contract, contracts, type Contract } from '../kit.js';
import { openProcessing } from './kit.js';

const kit = await openProcessing();
afterAll(() => kit.close());
let bank: Principal;
beforeEach(async () => {
  kit.clock.set('2026-11-20T15:00:00Z');
  bank = await kit.client('account-1');
  await kit.rows(
    'UPDATE credit_assignment.eligibility_criteria SET max_face_value = 1000, max_term_days = 400, max_debtor_share = NULL WHERE patrimony_id = $1',
    [kit.patrimonyId],
  );
});

const createText = `mutation ($patrimonyId: ID!, $contracts: [ContractInput!]!, $mode: CreditBatchMode!) {
  createCreditBatch(patrimonyId: $patrimonyId, contracts: $contracts, mode: $mode) { id } }`;
const fileText = `mutation ($patrimonyId: ID!, $format: BatchFileFormat!, $file: String!) {
  createCreditBatchFromFile(patrimonyId: $patrimonyId, format: $format, file: $file, mode: ELIGIBLE_ONLY) { id } }`;
const batchText = `query ($id: ID!) { creditBatch(id: $id) {
  status mode rejectionReason errorCount acceptedCount acceptedFaceValue acceptedPurchasePrice refusedCount refusedFaceValue
  purchaseYield errors { index externalId field rule }
  receivables { nodes { id externalId status openBalance refusal { field rule } asset { id } } } } }`;
const checkText = 'query ($id: ID!) { creditBatchCheck(id: $id) { eligible refusedCount errorCount rejectionReason } }';
const downloadText = (field: string, more = '') =>
  `query ($id: ID!) { ${field}(id: $id${more}) { fileName mediaType content } }`;

interface Shown extends Record<string, unknown> {
  readonly receivables: { readonly nodes: readonly (Record<string, unknown> & { readonly id: string })[] };
}
const read = async (id: string) => (await kit.data<{ creditBatch: Shown }>(batchText, { id }, bank)).creditBatch;

async function create(given: readonly Contract[], mode = 'ELIGIBLE_ONLY'): Promise<string> {
  const variables = { patrimonyId: kit.patrimonyId, contracts: given, mode };
  return (await kit.data<{ createCreditBatch: { id: string } }>(createText, variables, bank)).createCreditBatch.id;
}

async function decide(id: string): Promise<string> {
  expect((await kit.submit(bank, id)).error).toBeUndefined();
  await kit.process();
  await kit.drain();
  return id;
}

async function download(field: string, id: string, more = '') {
  const data = await kit.data<Record<string, { mediaType: string; content: string }>>(
    downloadText(field, more),
    { id },
    bank,
  );
  const { mediaType = '', content = '' } = data[field] ?? {};
  return { mediaType, bytes: Buffer.from(content, 'base64') };
}

const priced = (externalId: string, over: Readonly<Record<string, unknown>> = {}) =>
  contract(externalId, { purchasePrice: '90.00', baseDate: '2026-11-20', ...over });
/** Of four contracts one is too large and one is too long. */
const mixed = () => [
  priced('M-1'),
  priced('M-2', { faceValue: '1000.01' }),
  priced('M-3', { dueDate: '2030-01-31' }),
  priced('M-4'),
];

describe('a batch of eligible contracts only', () => {
  test('is processed without the others, which keep their errors, and its sums tell both', async () => {
    const id = await create(mixed());
    expect(await kit.data(checkText, { id }, bank)).toEqual({
      creditBatchCheck: { eligible: true, refusedCount: 2, errorCount: 2, rejectionReason: null },
    });
    await decide(id);
    const shown = await read(id);
    expect(shown).toMatchObject({
      ...{ status: 'PROCESSED', mode: 'ELIGIBLE_ONLY', rejectionReason: null, errorCount: 2 },
      ...{ acceptedCount: 2, acceptedFaceValue: '201.00', acceptedPurchasePrice: '180.00' },
      ...{ refusedCount: 2, refusedFaceValue: '1100.51' },
      errors: [
        { index: 1, externalId: 'M-2', field: 'faceValue', rule: 'FACE_VALUE_ABOVE_MAXIMUM' },
        { index: 2, externalId: 'M-3', field: 'dueDate', rule: 'TERM_ABOVE_MAXIMUM' },
      ],
    });
    const [first, second, third, fourth] = shown.receivables.nodes;
    expect([first, fourth]).toEqual([
      expect.objectContaining({ status: 'OPEN', openBalance: '100.50', refusal: null, asset: { id: first?.id } }),
      expect.objectContaining({ status: 'OPEN', openBalance: '100.50', refusal: null, asset: { id: fourth?.id } }),
    ]);
    expect([second, third]).toEqual([
      expect.objectContaining({ status: 'REFUSED', openBalance: null, asset: null }),
      expect.objectContaining({ status: 'REFUSED', refusal: [{ field: 'dueDate', rule: 'TERM_ABOVE_MAXIMUM' }] }),
    ]);
    expect(await kit.batch(id)).toMatchObject({ assigned: 2, open: 2, assets: 2 });
    const totals = '{ receivableTotals { count faceValue purchasePrice openBalance } }';
    expect(await kit.data(totals, {}, bank)).toEqual({
      receivableTotals: { count: 4, faceValue: '201.00', purchasePrice: '180.00', openBalance: '201.00' },
    });
  });

  test('says in its events what was accepted and what was refused', async () => {
    const id = await decide(await create(mixed()));
    const counts = { acceptedCount: 2, acceptedFaceValue: '201.00', refusedCount: 2, refusedFaceValue: '1100.51' };
    const data = (await kit.told(id)).map(({ topic, payload }) => [topic, payload['data']]);
    expect(data).toMatchObject([
      ['credit_batch.submitted', { mode: 'ELIGIBLE_ONLY', totalPurchasePrice: '360.00' }],
      ['credit_batch.approved', counts],
      ['credit_batch.processed', counts],
    ]);
  });

  test('leaves to other batches what it refused, and refuses what they have', async () => {
    const first = await decide(await create([priced('S-1'), priced('S-2', { faceValue: '2000' })]));
    const second = await decide(await create([priced('S-1'), priced('S-2')]));
    expect((await read(first))['acceptedCount']).toBe(1);
    expect(await read(second)).toMatchObject({
      ...{ status: 'PROCESSED', acceptedCount: 1, refusedCount: 1 },
      errors: [{ index: 0, externalId: 'S-1', field: 'externalId', rule: 'CONTRACT_ASSIGNED' }],
    });
  });

  test('decided at once with another of the same contracts shares them with it: each is assigned once', async () => {
    const given = Array.from({ length: 30 }, (_, index) => priced(`C-${String(index)}`));
    const ids = await Promise.all([create(given), create(given.toReversed())]);
    for (const id of ids) expect((await kit.submit(bank, id)).error).toBeUndefined();
    kit.clock.advance(30_000);
    const leases = ids.map(() => newId());
    for (const [at, id] of ids.entries())
      await kit.rows(
        `UPDATE credit_assignment.credit_batches SET status = 'PROCESSING', lease = $2, leased_until = now() + interval '1 hour' WHERE id = $1`,
        [id, leases[at]],
      );
    await Promise.all(ids.map((id, at) => processBatch(kit.context, creditBatches, id, leases[at] ?? '')));
    await kit.drain();
    const [one, other] = await Promise.all(ids.map((id) => kit.batch(id)));
    expect((one?.assigned ?? 0) + (other?.assigned ?? 0)).toBe(30);
    expect((one?.assets ?? 0) + (other?.assets ?? 0)).toBe(30);
    expect([one?.status, other?.status].toSorted()).toEqual(['PROCESSED', 'REJECTED']);
  });

  test('an invoice is assigned once for each due date, by any client, until it is written off or bought back', async () => {
    const invoiceKey = '35240300000000000199550010000000011234567814';
    const due = (externalId: string, dueDate = '2027-01-31') => priced(externalId, { invoiceKey, dueDate });
    const refused = (externalId: string) => [{ externalId, field: 'invoiceKey', rule: 'INVOICE_ASSIGNED' }];
    const first = await create([due('1/2'), due('2/2', '2027-02-28'), due('again')]);
    expect(await kit.data(checkText, { id: first }, bank)).toMatchObject({ creditBatchCheck: { errorCount: 1 } });
    expect(await read(await decide(first))).toMatchObject({ acceptedCount: 2, errors: refused('again') });
    bank = await kit.client('account-2');
    const other = await create([due('B'), priced('without')]);
    expect(await kit.data(checkText, { id: other }, bank)).toMatchObject({ creditBatchCheck: { errorCount: 1 } });
    expect(await read(await decide(other))).toMatchObject({ acceptedCount: 1, errors: refused('B') });
    for (const change of ['written_off_at = now()', 'written_off_at = NULL, repurchased = 1']) {
      await kit.rows(`UPDATE credit_assignment.receivables SET ${change} WHERE batch_id = $1`, [first]);
      const again = await decide(await create([due(change)]));
      expect(await read(again)).toMatchObject({ acceptedCount: 1, refusedCount: 0 });
      await kit.rows('UPDATE credit_assignment.receivables SET written_off_at = now() WHERE batch_id = $1', [again]);
    }
    // Of two at the same moment one assigns it.
    const ids = [await create([due('C')])];
    await kit.submit(bank, ids[0] ?? '');
    bank = await kit.client('account-3');
    ids.push(await create([due('D')]));
    await kit.submit(bank, ids[1] ?? '');
    await kit.process();
    expect((await Promise.all(ids.map((id) => kit.batch(id)))).map(({ open }) => open).sort()).toEqual([0, 1]);
  });

  /** What cannot be true, of each in its own way, and the rule that says so. */
  const untrue: readonly (readonly [rule: string, over: Readonly<Record<string, unknown>>])[] = [
    ['CHECK_DIGITS', { debtorDocument: '12345678900' }],
    ['DUE_DATE_NOT_FUTURE', { dueDate: '2026-11-20', baseDate: '2026-11-19' }],
    ['AMOUNT_NOT_POSITIVE', { faceValue: '0' }],
    ['AMOUNT_NOT_POSITIVE', { faceValue: '-999999999999.99' }],
    ['AMOUNT_NOT_POSITIVE', { purchasePrice: '0' }],
    ['BASE_DATE_FUTURE', { baseDate: '2026-11-21' }],
    ['BASE_DATE_NOT_BEFORE_DUE_DATE', { dueDate: '2026-11-21', baseDate: '2026-12-01' }],
    ['DAY_COUNT_MISSING', { interestRate: '1' }],
    ['CHECK_DIGITS', { assignorDocument: '11222333000182' }],
    ['CHECK_DIGITS', { invoiceKey: '1'.repeat(44) }],
    [
      'PRINCIPAL_NOT_FACE_VALUE',
      { installments: [{ number: 1, dueDate: '2027-01-31', principal: '1', interest: '0' }] },
    ],
  ];

  test('refuses a contract whose values cannot be true by itself, with its errors and amounts in the sums', async () => {
    const wrong = untrue.map(([, over], at) => priced(`U-${String(at)}`, over));
    const id = await create([priced('U'), ...wrong]);
    expect(await kit.data(checkText, { id }, bank)).toMatchObject({
      creditBatchCheck: { eligible: true, refusedCount: wrong.length },
    });
    await decide(id);
    const shown = await read(id);
    // An amount below 0 is no sum.
    const face = (rows: readonly Contract[]) =>
      sum(rows.map(({ faceValue }) => faceValue).filter((value) => !value.startsWith('-'))).toFixed(2);
    expect(shown).toMatchObject({
      ...{ status: 'PROCESSED', acceptedCount: 1, acceptedFaceValue: '100.50', acceptedPurchasePrice: '90.00' },
      ...{ refusedCount: wrong.length, refusedFaceValue: face(wrong) },
    });
    const [first, ...others] = shown.receivables.nodes;
    expect(first).toMatchObject({ status: 'OPEN', refusal: null });
    expect(others.map(({ status, refusal }) => [status, refusal])).toEqual(
      untrue.map(([rule]) => ['REFUSED', expect.arrayContaining([expect.objectContaining({ rule })])]),
    );
    const json = JSON.parse((await download('creditBatchReturnFile', id)).bytes.toString()) as Record<string, object[]>;
    expect(json['contracts']).toHaveLength(wrong.length);
  });

  test('takes such contracts also later, while a batch that is all or nothing takes none', async () => {
    const change = (name: string, id: string, given: readonly Contract[]) =>
      kit.run(
        `mutation ($id: ID!, $contracts: [ContractInput!]!) { ${name}Contracts(id: $id, contracts: $contracts) { id receivableCount totalFaceValue } }`,
        { id, contracts: given },
        bank,
      );
    const wrong = [priced('L-1', { debtorDocument: '12345678900' })];
    const [partial, whole] = [await create([priced('L-0')]), await create([priced('L-0')], 'ALL_OR_NOTHING')];
    for (const name of ['add', 'replace']) {
      expect((await change(name, partial, wrong)).error).toBeUndefined();
      const details = [{ path: 'contracts[0].debtorDocument' }];
      expect((await change(name, whole, wrong)).error).toMatchObject({ code: 'UNPROCESSABLE', details });
    }
    const huge = [priced('L-2', { faceValue: '-1000000000000' })];
    expect((await change('add', partial, huge)).error).toMatchObject({ code: 'BAD_REQUEST' });
    expect(await read(await decide(partial))).toMatchObject({ status: 'REJECTED', refusedCount: 1 });
  });

  test('is rejected where no contract is eligible', async () => {
    const id = await decide(await create([priced('N-1', { faceValue: '2000' })]));
    expect(await read(id)).toMatchObject({ status: 'REJECTED', acceptedCount: 0, refusedCount: 1, errorCount: 1 });
    expect(await kit.batch(id)).toMatchObject({ assigned: 0, open: 0, assets: 0 });
  });

  test('takes no payment for a refused contract', async () => {
    const id = await decide(await create(mixed()));
    const [, refused] = (await read(id)).receivables.nodes;
    const { error } = await kit.run(
      `mutation ($id: ID!, $settlements: [SettlementInput!]!) {
        createSettlementBatch(creditBatchId: $id, settlements: $settlements) { id } }`,
      { id, settlements: [{ contractId: refused?.id, settledAmount: '1.00', settledDate: '2026-11-20' }] },
      bank,
    );
    expect(error).toMatchObject({ code: 'UNPROCESSABLE' });
  });

  test('has the yield of its prices without refused contracts', async () => {
    const id = await create([
      priced('Y-1', { dueDate: '2027-11-20', faceValue: '99' }),
      priced('Y-2', { faceValue: '5000' }),
    ]);
    await decide(id);
    expect((await read(id))['purchaseYield']).toBe('10.000000');
  });
});

describe('a rejected batch', () => {
  const remakeText = `mutation ($id: ID!) { remakeCreditBatch(id: $id) {
    id status mode receivableCount totalFaceValue totalPurchasePrice remadeFromId } }`;
  const remake = (id: string) => kit.run(remakeText, { id }, bank);

  test('is made again without its refused contracts, once', async () => {
    const id = await decide(await create(mixed(), 'ALL_OR_NOTHING'));
    expect(await read(id)).toMatchObject({ status: 'REJECTED', acceptedCount: 0, refusedCount: 4 });
    const returned = JSON.parse((await download('creditBatchReturnFile', id)).bytes.toString()) as object;
    expect(returned).toMatchObject({ refusedCount: 4, contracts: [{ errors: [] }, { errors: [{}] }, {}, {}] });
    const made = await Promise.all([remake(id), remake(id)]);
    const [{ data }] = made;
    const { id: next } = data?.['remakeCreditBatch'] as { id: string };
    for (const each of made)
      expect(each.data?.['remakeCreditBatch']).toEqual({
        ...{ id: next, status: 'DRAFT', mode: 'ALL_OR_NOTHING', receivableCount: 2, totalFaceValue: '201.00' },
        ...{ totalPurchasePrice: '180.00', remadeFromId: id },
      });
    await decide(next);
    expect(await read(next)).toMatchObject({ status: 'PROCESSED', acceptedCount: 2, refusedCount: 0 });
    expect((await remake(id)).data?.['remakeCreditBatch']).toMatchObject({ id: next, status: 'PROCESSED' });
  });

  test('is made again anew where the first repetition was cancelled', async () => {
    const id = await decide(await create(mixed(), 'ALL_OR_NOTHING'));
    const first = (await remake(id)).data?.['remakeCreditBatch'] as { id: string };
    expect((await kit.cancel(bank, first.id)).error).toBeUndefined();
    const second = (await remake(id)).data?.['remakeCreditBatch'] as { id: string };
    expect(second).toMatchObject({ status: 'DRAFT', receivableCount: 2 });
    expect(second.id).not.toBe(first.id);
  });

  test('that has errors in every contract is not made again, nor is one that was not rejected', async () => {
    const hopeless = await decide(await create([priced('H-1', { faceValue: '2000' })], 'ALL_OR_NOTHING'));
    expect((await remake(hopeless)).error?.details).toMatchObject([{ path: 'id', rule: 'ALL_CONTRACTS_WRONG' }]);
    expect((await remake(await create(contracts(1)))).error).toMatchObject({ code: 'BATCH_STATUS' });
  });

  test('counts for 7 days after its decision, until it is made again', async () => {
    const count = async () => {
      const { myOriginators } = await kit.data<{ myOriginators: readonly unknown[] }>(
        '{ myOriginators { recentRejections } }',
        {},
        bank,
      );
      return myOriginators;
    };
    const drafts = [await create(mixed(), 'ALL_OR_NOTHING'), await create(mixed(), 'ALL_OR_NOTHING')];
    kit.clock.advance(10 * 86_400_000);
    for (const id of drafts) await decide(id);
    expect(await count()).toEqual([{ recentRejections: 2 }]);
    await remake(drafts[0] ?? '');
    expect(await count()).toEqual([{ recentRejections: 1 }]);
    kit.clock.advance(8 * 86_400_000);
    expect(await count()).toEqual([{ recentRejections: 0 }]);
  });
});

describe('the files of a decided batch', () => {
  const send = async (format: string, file: string) => {
    const variables = { patrimonyId: kit.patrimonyId, format, file };
    const { createCreditBatchFromFile: made } = await kit.data<{ createCreditBatchFromFile: { id: string } }>(
      fileText,
      variables,
      bank,
    );
    return decide(made.id);
  };

  test('return its refused contracts in the format in which they were sent', async () => {
    const rows = mixed();
    const json = await download('creditBatchReturnFile', await decide(await create(rows)));
    const refused = { errors: [expect.objectContaining({ rule: 'FACE_VALUE_ABOVE_MAXIMUM' })] };
    expect(JSON.parse(json.bytes.toString())).toMatchObject({
      acceptedCount: 2,
      contracts: [{ position: 1, externalId: 'M-2', ...refused }, { externalId: 'M-3' }],
    });
    bank = await kit.client();
    const ndjson = await send('NDJSON', rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    const lines = (await download('creditBatchReturnFile', ndjson)).bytes.toString().trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([{ externalId: 'M-2', ...refused }, {}]);
    bank = await kit.client();
    const names = ['externalId', 'debtorDocument', 'faceValue', 'dueDate'] as const;
    const csv = await send(
      'CSV',
      [names, ...rows.map((row) => names.map((name) => row[name]))].map((row) => `${row.join(';')}\r\n`).join(''),
    );
    const [, first = '', ...others] = (await download('creditBatchReturnFile', csv)).bytes
      .toString()
      .trim()
      .split('\r\n');
    expect([first.startsWith('1;M-2;52998224725;1000.01;2027-01-31;;"faceValue é R$ 1.000,01'), others.length]).toEqual(
      [true, 1],
    );
    const english = await download('creditBatchReturnFile', csv, ', language: EN');
    expect(english.bytes.toString()).toContain(';"faceValue is 1000.01;');
  });

  test('return CNAB 444 with occurrences and reasons, a byte for each column', async () => {
    const details = ['1000.00', '1000.01'].map((faceValue, at) =>
      assigned(`K-${String(at)}`, { faceValue, dueDate: '2027-01-31', debtorName: 'JOÃO É – € ŁÓDŹ' }),
    );
    const id = await send('CNAB444', formatCnab444(fileOf(...details)));
    const { mediaType, bytes } = await download('creditBatchReturnFile', id);
    expect(mediaType).toBe('text/plain; charset=windows-1252');
    const lines = bytes.toString('latin1').split('\r\n');
    expect(fromWindows1252(lines[1] ?? '').slice(234, 250)).toBe('JOÃO É – € ?ÓD? ');
    expect(lines.map(({ length }) => length)).toEqual([444, 444, 444, 0]);
    expect(lines[0]?.slice(0, 26)).toBe('02RETORNO01COBRANCA       ');
    expect(parseReturn(lines[1] ?? '')).toEqual({
      externalId: 'K-1',
      occurrence: '03',
      faceValue: '0000000100001',
      reasons: '20',
    });
  });

  test('return the lines of a file whose values cannot be true, with the reasons that its check tells before', async () => {
    const lines = [{}, { debtorDocument: '11222333000182' }, { dueDate: '2026-11-20' }, { faceValue: '0.00' }];
    const details = lines.map((over, at) => assigned(`V-${String(at)}`, { dueDate: '2027-01-31', ...over }));
    const file = formatCnab444(fileOf(...details));
    const checked = await kit.data(
      `query ($patrimonyId: ID!, $file: String!) { checkAssignmentFile(patrimonyId: $patrimonyId, format: CNAB444, file: $file, mode: ELIGIBLE_ONLY) {
         accepted eligible errorCount errors { line fromColumn rule } } }`,
      { patrimonyId: kit.patrimonyId, file },
      bank,
    );
    expect(checked['checkAssignmentFile']).toEqual({
      ...{ accepted: true, eligible: true, errorCount: 3 },
      errors: [
        { line: 3, fromColumn: 221, rule: 'CHECK_DIGITS' },
        { line: 4, fromColumn: 121, rule: 'DUE_DATE_NOT_FUTURE' },
        { line: 5, fromColumn: 127, rule: 'AMOUNT_NOT_POSITIVE' },
      ],
    });
    const returned = (await download('creditBatchReturnFile', await send('CNAB444', file))).bytes.toString();
    const records = returned.split('\r\n').slice(1, -2).map(parseReturn);
    expect(records.map(({ externalId, reasons }) => [externalId, reasons])).toEqual([
      ['V-1', '46'],
      ['V-2', '16'],
      ['V-3', '20'],
    ]);
  });

  test('are there once it is decided, and the term once it is processed', async () => {
    const id = await create([priced('P-1')]);
    const refused = await kit.run(downloadText('creditBatchReturnFile'), { id }, bank);
    expect(refused.error).toMatchObject({ code: 'BATCH_STATUS' });
    await decide(id);
    const { mediaType, bytes } = await download('cessionTerm', id);
    expect([mediaType, bytes.subarray(0, 5).toString()]).toEqual(['application/pdf', '%PDF-']);
    const streams = bytes.toString('latin1').matchAll(/stream\n([^]*?)\nendstream/g);
    const drawn = [...streams].map(([, one = '']) => inflateSync(Buffer.from(one, 'latin1')).toString('latin1'));
    const written = drawn
      .join('')
      .replaceAll(/<([0-9a-f]+)>[^<]*/g, (_all, hex: string) => Buffer.from(hex, 'hex').toString('latin1'));
    expect(written).toMatch(/Lote \d{4}\/\d{4} . página 1 de 1/);
    const rejected = await decide(await create([priced('P-2', { faceValue: '2000' })]));
    expect((await kit.run(downloadText('cessionTerm'), { id: rejected }, bank)).error).toMatchObject({
      code: 'BATCH_STATUS',
    });
  });
});
