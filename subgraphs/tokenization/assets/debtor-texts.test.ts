import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Principal, anonymous } from '../../../shared/kernel/context.js';
import { newId } from '../../../shared/kernel/ids.js';
import { normalizeText } from '../../../shared/kernel/format/normalize-text.js';
import { openTestDatabase, type TestDatabase } from '../../../tests/kit/database.js';
import { addCredit, addEstate } from '../../../tests/tokenization/series/kit.js';
import { debtorNameFor, initialsOf } from './debtor-name.js';
import { cnpjCheckDigits, cpfCheckDigits, formatDocument } from '../../../shared/kernel/tax-id.js';
import { maskTaxIdsIn, originatorTextFor, assetSearchText } from './tax-ids-in-text.js';

const originator = newId();
const person = { debtorName: 'Luana Dias Oliveira', debtorDocument: '52998224725', originatorId: originator };
const company = { debtorName: 'Ipê Comércio S.A.', debtorDocument: '12ABC34501DE35', originatorId: originator };
const as = (kind: Principal['kind'], ownerId: string, ...scopes: string[]): Principal => ({
  kind,
  id: 'credential',
  ownerId,
  scopes,
});

test.each<[string, Principal, string]>([
  ['the public', anonymous('127.0.0.1'), 'L. D. O.'],
  ['an API key', as('API_KEY', 'account'), 'L. D. O.'],
  ['a session', as('SESSION', 'account', 'confirmed'), 'L. D. O.'],
  ["a developer's key", as('DEVELOPER_KEY', 'account', 'contracts:read'), 'L. D. O.'],
  ['a trader', as('TRADER', 'company', 'read'), 'L. D. O.'],
  ['another originator', as('CLIENT', newId()), 'L. D. O.'],
  ['its originator', as('CLIENT', originator), person.debtorName],
  ['an operator', as('OPERATOR', 'operator', 'publish'), person.debtorName],
  ['an operator of nothing', as('OPERATOR', 'operator'), 'L. D. O.'],
])('%s sees a natural person as %s', (_who, principal, shown) => {
  expect(debtorNameFor(principal, person, person)).toBe(shown);
  expect(debtorNameFor(principal, company, company)).toBe(company.debtorName);
});

test('what an import brought has no originator, and is no matter of one', () => {
  expect(debtorNameFor(as('CLIENT', originator), { ...person, originatorId: null }, person)).toBe('L. D. O.');
});

describe('an individual entrepreneur, whose CNPJ is registered under the name of the person,', () => {
  const cnpj = '11222333000181';
  test.each([
    'LUANA DIAS OLIVEIRA 52998224725',
    'LUANA DIAS OLIVEIRA 529.982.247-25',
    'LUANA DIAS OLIVEIRA - CPF:52998224725',
    'LUANA DIAS OLIVEIRA 529 982 247 25',
    '11222333 LUANA DIAS OLIVEIRA',
    '11.222.333 LUANA DIAS OLIVEIRA',
    '11.222.333/0001-81 - LUANA DIAS OLIVEIRA',
  ])('is shown by initials and not found by the name: %s', (debtorName) => {
    const asset = { debtorName, debtorDocument: cnpj, originatorId: originator };
    expect(debtorNameFor(anonymous('127.0.0.1'), asset, asset)).toBe('L. D. O.');
    expect(debtorNameFor(as('CLIENT', originator), asset, asset)).toBe(debtorName);
    expect(assetSearchText({ externalId: 'CCB-1', ...asset })).toBe('ccb 1');
  });

  test('may have letters in its CNPJ', () => {
    const asset = {
      debtorName: '12.ABC.345 LUANA DIAS OLIVEIRA',
      debtorDocument: '12ABC34501DE35',
      originatorId: null,
    };
    expect(debtorNameFor(anonymous('127.0.0.1'), asset, asset)).toBe('L. D. O.');
  });

  test.each(['Ipê 2000 Ltda.', '11.222.333', 'Comércio 529.982.247-26', '99.888.777 Comércio', 'Fone 1152998224725'])(
    'is not who has another number in the name: %s',
    (debtorName) => {
      const asset = { debtorName, debtorDocument: cnpj, originatorId: originator };
      expect(debtorNameFor(anonymous('127.0.0.1'), asset, asset)).toBe(debtorName);
    },
  );

  test('hides the name in the past too, once it is known', () => {
    const then = { debtorName: 'LUANA DIAS OLIVEIRA', debtorDocument: cnpj, originatorId: null };
    const current = { ...then, debtorName: 'LUANA DIAS OLIVEIRA 52998224725' };
    expect(debtorNameFor(anonymous('127.0.0.1'), then, current)).toBe('L. D. O.');
  });
});

describe('initials', () => {
  test.each([
    ['luiz d’Ávila  neto', 'L. D. N.'],
    ['Élida', 'É.'],
    ['E\u0301lida', 'É.'],
    ['(Ana) 2 Souza', 'A. S.'],
    ['12 345', '—'],
    ['Luana 529.982.247-25 CPF:52998224725', 'L.'],
  ])('of %s are %s', (name, initials) => {
    expect(initialsOf(name)).toBe(initials);
  });

  test('say one letter of each word and no more, whatever the name is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (name) => {
        const initials = initialsOf(name);
        const letters = initials.match(/\p{Letter}/gu) ?? [];
        const words = name.split(/\s+/u).filter((word) => /\p{Letter}/u.test(word.normalize('NFC')));
        // Some letters are two in upper case.
        expect(letters.length).toBeLessThanOrEqual(3 * words.length);
        expect(initials).toMatch(/^(—|\S{1,6}( \S{1,6})*)$/u);
      }),
    );
  });
});

describe('the rules in SQL are those of the program:', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterAll(() => database.close());

  /** The search texts of the rows by the rules in SQL, which earlier versions of rows are searched by. */
  const searched = () =>
    database.dataSource.manager.query<
      { externalId: string; debtorName: string; debtorDocument: string; text: string }[]
    >(
      `SELECT external_id AS "externalId", debtor_name AS "debtorName", debtor_document AS "debtorDocument",
         tokenization.without_tax_ids(CASE WHEN tokenization.is_natural_person(debtor_name, debtor_document)
           THEN tokenization.external_id_text(external_id) ELSE search_text END, debtor_document) AS text
       FROM tokenization.assets ORDER BY id`,
    );
  const adder = async (ticker: string) => {
    const estate = await addEstate(database.dataSource.manager, ticker);
    return (externalId: string, debtorDocument: string, debtorName: string, search: string) =>
      addCredit(database.dataSource.manager, estate, externalId, ['2026-12-01'], {
        debtor_document: debtorDocument,
        debtor_name: debtorName,
        search_text: search,
      });
  };
  beforeEach(() => database.asOwner('TRUNCATE tokenization.patrimonies, tokenization.asset_totals CASCADE'));

  test('neither are tax ids and names of individual entrepreneurs; everything else is', async () => {
    const add = await adder('TEXTS');
    const cnpj = '11222333000181';
    const stored: readonly (readonly [string, string, string])[] = [
      ['CT-52998224725-001', person.debtorDocument, 'José Araújo'],
      ['CT 529.982.247-25/1', cnpj, 'Ipê · Comércio'],
      ['00152998224725001', person.debtorDocument, 'José Araújo'],
      ['é11222333/0001-81·7', cnpj, 'Ipê Comércio'],
      ['CCB-1', cnpj, 'LUANA DIAS OLIVEIRA 52998224725'],
      ['CCB-52998224725', cnpj, '11.222.333 LUANA DIAS OLIVEIRA'],
      ['CCB-3', '12ABC34501DE35', '12.abc.345 Luana'],
      ['X-12abc345-01de35', '12ABC34501DE35', 'Jatobá S.A.'],
      ['52998224726 12345678901234', cnpj, '11222333'],
      ['  ponto·final  ', cnpj, 'Jatobá 2000'],
      ['ZQ 12.345.678/9', '01234567890', 'José Araújo'],
      ['ZQ-529982247-E', person.debtorDocument, 'José Araújo'],
      ['ZQ-529.982.247', person.debtorDocument, 'José Araújo'],
      ['ZQ-52998224-E', person.debtorDocument, 'José Araújo'],
      ['K 11222333/0001', cnpj, 'Ipê 11.222.333'],
      ['K ab3f01', cnpj, `Ipê ${(11222333000181).toString(16)} ${(11222333).toString(16)}`],
    ];
    for (const [id, document, name] of stored) {
      await add(id, document, name, normalizeText(document.length === 11 ? id : `${id} ${name}`));
    }
    const rows = await searched();
    expect(rows).toHaveLength(stored.length);
    for (const { text, ...row } of rows) expect([row.externalId, text]).toEqual([row.externalId, assetSearchText(row)]);
  });
});

describe('an external id', () => {
  const person = { debtorDocument: '52998224725' };
  const company = { debtorDocument: '11222333000181' };

  test.each([
    ['CT-52998224725-001', company, 'CT-***.***.*47-25-001', 'ct 001'],
    ['CT52998224725', company, 'CT***.***.*47-25', 'ct'],
    ['529.982.247-25', company, '***.***.*47-25', ''],
    ['CT_529_982_247_25_1', company, 'CT_***.***.*47-25_1', 'ct 1'],
    // The debtor's own is one wherever it is.
    ['00152998224725001', person, '001***.***.*47-25001', '001 001'],
    ['NF 11.222.333/0001-81 7', company, 'NF **.***.***/**01-81 7', 'nf 7'],
    ['ZQ-529982247-E', person, 'ZQ-***.***.***-**-E', 'zq e'],
    ['7529.982.2478', person, '7***.***.***-**8', '7 8'],
    ['529--982 - 247', person, '***.***.***-**', ''],
    ['Q５２９９８２２４７x', person, 'Q***.***.***-**x', 'q x'],
    ['Q٥٢٩٩٨٢٢٤٧', person, 'Q***.***.***-**', 'q'],
    ['Q⁵²⁹⁹⁸²²⁴⁷', person, 'Q***.***.***-**', 'q'],
    ['Q𝟓𝟐𝟗𝟗𝟖𝟐𝟐𝟒𝟕𝟐𝟓', person, 'Q***.***.*47-25', 'q'],
    ['A-52998224', person, 'A-***.***.***-**', 'a'],
    ['A-5299822/x', person, 'A-***.***.***-**/x', 'a x'],
    ['A-529982', person, 'A-529982', 'a 529982'],
    ['5/2/9/9/8/2/2/4/7', person, '***.***.***-**', ''],
    [
      `H-${(52998224725).toString(16)}-${(529982247).toString(16).toUpperCase()}`,
      person,
      'H-***.***.***-**-***.***.***-**',
      'h',
    ],
    ['C-12345678-1 12345678909', { debtorDocument: '01234567890' }, 'C-***.***.***-**-1 ***.***.***-**9', 'c 1 9'],
    ['C-123', { debtorDocument: '00000012319' }, 'C-123', 'c 123'],
    ['11222333', company, '**.***.***/****-**', ''],
    ['N 11.222.333/0001 9', company, 'N **.***.***/****-** 9', 'n 9'],
    ['00152998224725001', company, '00152998224725001', '00152998224725001'],
    ['52998224726', person, '***.***.***-**26', '26'],
    ['CCB-2025-000123', person, 'CCB-2025-000123', 'ccb 2025 000123'],
  ])('%s shows tax ids masked, and is searched without them', (externalId, debtor, shown, searched) => {
    expect(maskTaxIdsIn(externalId, debtor)).toBe(shown);
    const debtorName = 'Ipê';
    const name = debtor === company ? ' ipe' : '';
    expect(assetSearchText({ externalId, debtorName, ...debtor })).toBe(`${searched}${name}`.trim());
  });

  test('shows no tax id of its debtor, and is found by no group of its digits, whatever stands around it', () => {
    const cpf = fc
      .stringMatching(/^[0-9]{9}$/)
      .filter((base) => !/^(.)\1*$/.test(base))
      .map((base) => `${base}${cpfCheckDigits(base)}`);
    const cnpj = fc
      .stringMatching(/^[0-9A-Z]{12}$/)
      .filter((base) => !/^(.)\1*$/.test(base))
      .map((base) => `${base}${cnpjCheckDigits(base)}`);
    const around = fc.stringMatching(/^[a-z ._/-]{0,10}$/);
    fc.assert(
      fc.property(
        fc.oneof(cpf, cnpj),
        around,
        around,
        fc.boolean(),
        fc.boolean(),
        (debtorDocument, before, after, isPrinted, isWhole) => {
          const shown = isPrinted ? formatDocument(debtorDocument) : debtorDocument;
          const written = isWhole
            ? shown
            : shown.slice(0, debtorDocument.length === 11 ? (isPrinted ? 11 : 9) : isPrinted ? 10 : 8);
          const externalId = `${before}${written}${after}`;
          expect(maskTaxIdsIn(externalId, { debtorDocument })).not.toContain(written);
          const searched = assetSearchText({ externalId, debtorName: 'Ipê', debtorDocument });
          expect(searched).not.toMatch(/[0-9]/);
        },
      ),
    );
  });

  test('is whole for its originator and operators alone, and masked by the tax id of now too', () => {
    const asset = { ...company, originatorId: newId() };
    const shownTo = (principal: Principal) => originatorTextFor(principal, 'A152998224725001', asset, person);
    const as = (kind: Principal['kind'], ownerId: string, ...scopes: string[]): Principal => ({
      kind,
      id: 'credential',
      ownerId,
      scopes,
    });
    for (const principal of [anonymous('127.0.0.1'), as('API_KEY', 'account'), as('CLIENT', newId())])
      expect(shownTo(principal)).toBe('A1***.***.*47-25001');
    for (const principal of [as('CLIENT', asset.originatorId), as('OPERATOR', 'operator', 'read')])
      expect(shownTo(principal)).toBe('A152998224725001');
  });
});
