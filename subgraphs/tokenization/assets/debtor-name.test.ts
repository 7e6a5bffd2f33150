import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Principal } from '../../../shared/context.js';
import { anonymous } from '../../../shared/context.js';
import { newId } from '../../../shared/ids.js';
import { openTestDatabase, type TestDatabase } from '../../../tests/kit/database.js';
import { addCredit, addEstate } from '../../../tests/tokenization/series-kit.js';
import { debtorNameFor, initialsOf } from './debtor-name.js';
import { assetSearchText } from './search-text.js';

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

describe('initials', () => {
  test.each([
    ['luiz d’Ávila  neto', 'L. D. N.'],
    ['Élida', 'É.'],
    ['E\u0301lida', 'É.'],
    ['(Ana) 2 Souza', 'A. S.'],
    ['12 345', '—'],
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

describe('stored assets', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterAll(() => database.close());

  test('names of natural persons leave what is searched; external ids and companies stay', async () => {
    const { manager } = database.dataSource;
    const estate = await addEstate(manager, 'OLD');
    const add = (externalId: string, debtorDocument: string, debtorName: string, search: string) =>
      addCredit(manager, estate, externalId, ['2026-12-01'], {
        debtor_document: debtorDocument,
        debtor_name: debtorName,
        search_text: search,
      });
    const ids = ['CCB/São-7', 'ºª Ação', 'X_1', '  ponto·final  '];
    for (const id of ids) await add(id, person.debtorDocument, 'José Araújo', `${id} jose araujo`);
    await add('C-1', company.debtorDocument, company.debtorName, 'c 1 ipe comercio s a');
    await database.asOwner(await readFile(new URL('../migrations/0012-names-of-persons.sql', import.meta.url), 'utf8'));
    const rows = await manager.query<{ externalId: string; name: string; document: string; text: string }[]>(
      `SELECT external_id AS "externalId", debtor_name AS name, debtor_document AS document, search_text AS text
       FROM tokenization.assets ORDER BY id`,
    );
    expect(rows).toHaveLength(5);
    for (const { externalId, name, document, text } of rows.filter((row) => !row.externalId.includes('·')))
      expect(text).toBe(assetSearchText({ externalId, debtorName: name, debtorDocument: document }));
    expect(rows.filter(({ text }) => /jose|araujo/.test(text))).toEqual([]);
  });
});
