import { afterAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isInvoiceKey } from '../../../subgraphs/credit-assignment/credit-batches/invoice-key.js';
import { formatCnab444 } from '../cnab444/files.js';
import { assigned, fileOf } from '../cnab444/kit.js';
import { apiKey, contract, createText, openCredit } from '../kit.js';

const kit = await openCredit();
const client = await kit.client('acc');
afterAll(() => kit.close());

const invoiceKey = '35240300000000000199550010000000011234567814';
const terms = {
  debtorName: 'Luana Dias Oliveira',
  debtorUf: 'DF',
  purchasePrice: '91.25',
  baseDate: '2026-11-18',
  interestRate: '18.5',
  dayCount: 'BUS252',
  installments: [
    { number: 1, dueDate: '2026-12-31', principal: '50.00', interest: '1.10' },
    { number: 2, dueDate: '2027-01-31', principal: '50.50', interest: '0.40' },
  ],
  coobligation: true,
  assignorDocument: '11222333000181',
  invoiceKey,
  type: 'DEBENTURE',
};
const termFields = `debtorName debtorUf purchasePrice baseDate interestRate dayCount installments { number dueDate principal interest }
  coobligation assignorDocument invoiceKey type`;
const batchText = `query ($id: ID!) { creditBatch(id: $id) { totalFaceValue totalPurchasePrice receivables { nodes {
  externalId debtorDocument faceValue dueDate ${termFields} } } } }`;

interface Read {
  readonly totalFaceValue: string;
  readonly totalPurchasePrice: string | null;
  readonly receivables: { readonly nodes: readonly Record<string, unknown>[] };
}
const read = async (id: string, principal = client) =>
  (await kit.data<{ creditBatch: Read }>(batchText, { id }, principal)).creditBatch;
const send = async (format: string, file: string) => {
  const text = `mutation ($patrimonyId: ID!, $format: BatchFileFormat!, $file: String!) {
    createCreditBatchFromFile(patrimonyId: $patrimonyId, format: $format, file: $file) { id } }`;
  const variables = { patrimonyId: kit.patrimonyId, format, file };
  return kit.data<{ createCreditBatchFromFile: { id: string } }>(text, variables, client);
};
const refusal = async (...given: readonly object[]) => {
  const { error } = await kit.run(createText, { patrimonyId: kit.patrimonyId, contracts: given }, client);
  return { code: error?.code, details: error?.details?.map(({ path, message }) => `${path} ${message}`) };
};

describe('the terms of a contract', () => {
  test('are what was sent, and the price of a batch is the sum of the prices of its contracts', async () => {
    const batch = await kit.create(client, [
      contract('T-1', terms),
      contract('T-2'),
      contract('T-3', { purchasePrice: '8.75' }),
    ]);
    const { nodes } = (await read(batch.id)).receivables;
    expect(nodes[0]).toMatchObject({ externalId: 'T-1', ...terms });
    expect(nodes[1]).toMatchObject({ purchasePrice: null, installments: null, coobligation: null, type: 'CCB' });
    expect(await read(batch.id)).toMatchObject({ totalFaceValue: '301.50', totalPurchasePrice: '100.00' });
    const remove =
      'mutation ($id: ID!, $externalId: String!) { removeContract(id: $id, externalId: $externalId) { id } }';
    for (const externalId of ['T-1', 'T-3']) await kit.run(remove, { id: batch.id, externalId }, client);
    expect(await read(batch.id)).toMatchObject({ totalFaceValue: '100.50', totalPurchasePrice: null });
  });

  test('keep from API keys what identifies a person', async () => {
    const batch = await kit.create(client, [contract('T-1', terms)]);
    const [seen] = (await read(batch.id, apiKey('acc'))).receivables.nodes;
    expect(seen).toMatchObject({ debtorName: null, invoiceKey: null, assignorDocument: '**.***.***/**01-81' });
    expect(seen).toMatchObject({ purchasePrice: '91.25' });
  });

  test('of another form are refused with all errors at once', async () => {
    const wrong = {
      ...{
        purchasePrice: '1.005',
        interestRate: '-1',
        assignorDocument: '1',
        invoiceKey: '1'.repeat(43),
        debtorName: ' ',
        debtorUf: 'XX',
      },
      installments: [{ number: 1, dueDate: '2027-01-31', principal: '-1', interest: '1.001' }],
    };
    const { code, details = [] } = await refusal(contract('T-1', wrong));
    expect(code).toBe('BAD_REQUEST');
    expect(details.map((each) => each.replace(/ .*/, '')).toSorted()).toEqual(
      [
        ...['assignorDocument', 'debtorName', 'debtorUf', 'installments[0].interest', 'installments[0].principal'],
        ...['interestRate', 'invoiceKey', 'purchasePrice'],
      ].map((field) => `contracts[0].${field}`),
    );
  });

  test('that cannot be true are refused with all errors at once', async () => {
    const [one, two] = terms.installments;
    const wrong = {
      ...{ ...terms, purchasePrice: '0', baseDate: '2026-11-21', assignorDocument: '11222333000182' },
      dayCount: null,
      invoiceKey: invoiceKey.replace(/.$/, '0'),
      installments: [
        { ...one, dueDate: '2026-11-20', principal: '0', interest: '0' },
        { ...two, number: 3, dueDate: '2027-01-30' },
      ],
    };
    const { code, details } = await refusal(contract('T-1', wrong));
    expect({ code, details }).toEqual({
      code: 'UNPROCESSABLE',
      details: [
        'contracts[0].purchasePrice must be greater than 0',
        'contracts[0].baseDate must not be in the future',
        'contracts[0].dayCount must be given with an interest rate',
        'contracts[0].assignorDocument has wrong check digits',
        'contracts[0].invoiceKey has a wrong check digit',
        'contracts[0].installments[0].dueDate must be after the day of the instalment before it; of the first, after the base date, or else today',
        'contracts[0].installments[0].principal and the interest of the instalment are 0 together',
        'contracts[0].installments[1].number must be the place of the instalment, from 1',
        'contracts[0].installments have 50.50 of principal; together they must have the face value, 100.50',
        'contracts[0].dueDate must be the due date of the last instalment',
      ],
    });
  });

  test('come alike in JSON, NDJSON, CSV and CNAB 444, as far as a format has them', async () => {
    const { installments, ...plain } = terms;
    const { debtorName, debtorUf, purchasePrice, coobligation, assignorDocument } = terms;
    const inCnab = { debtorName, debtorUf, purchasePrice, coobligation, assignorDocument, invoiceKey };
    const json = contract('T-1', terms);
    const names = ['externalId', 'debtorDocument', 'faceValue', 'dueDate', ...Object.keys(plain)];
    const cells: Record<string, unknown> = {
      ...contract('T-1'),
      ...plain,
      purchasePrice: '91,25',
      baseDate: '18/11/2026',
      coobligation: 'true',
    };
    const csv = `${names.join(';')}\r\n${names.map((name) => String(cells[name])).join(';')}\r\n`;
    const cnab = formatCnab444(
      fileOf(
        assigned('T-1', {
          ...{ debtorKind: '01', debtorDocument: '00052998224725', faceValue: '100.50', dueDate: '2027-01-31' },
          ...{ debtorName: terms.debtorName, presentValue: '91.25', coobligation: '01', assignorKind: '02' },
          ...{ assignorDocument: terms.assignorDocument, invoiceKey, titleKind: '01', postalCode: '73699999' },
        }),
      ),
    );
    const inFiles = [
      (await send('NDJSON', `${JSON.stringify(json)}\n`)).createCreditBatchFromFile.id,
      (await send('CSV', csv)).createCreditBatchFromFile.id,
      (await send('CNAB444', cnab)).createCreditBatchFromFile.id,
    ];
    const [ndjsonRead, csvRead, cnabRead] = await Promise.all(
      inFiles.map(async (id) => (await read(id)).receivables.nodes[0]),
    );
    expect(ndjsonRead).toMatchObject({ ...plain, installments });
    expect(csvRead).toMatchObject({ ...plain, installments: null });
    expect(cnabRead).toMatchObject({ ...inCnab, type: 'CCB', baseDate: null, interestRate: null, dayCount: null });
  });
});

test('an invoice key with one character changed is none', () => {
  expect(isInvoiceKey(invoiceKey)).toBe(true);
  fc.assert(
    fc.property(fc.nat(42), fc.integer({ min: 1, max: 9 }), (at, by) => {
      const digit = String((Number(invoiceKey[at]) + by) % 10);
      expect(isInvoiceKey(invoiceKey.slice(0, at) + digit + invoiceKey.slice(at + 1))).toBe(false);
    }),
  );
});
