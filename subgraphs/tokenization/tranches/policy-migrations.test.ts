import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openTestDatabase, type TestDatabase } from '../../../tests/kit/database.js';
import { addEstate, addInstalment, addSeries, follows } from '../../../tests/tokenization/series-kit.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

test('a series registered with LAST_AMORTIZATION gets the base of the same digits, or START and its prices anew', async () => {
  const { manager } = database.dataSource;
  // Restores the table as it was before the migration.
  await database.asOwner(`ALTER TABLE tokenization.tranches DROP CONSTRAINT tranches_index_base_check;
    ALTER TABLE tokenization.tranches ADD CONSTRAINT tranches_index_base_check
      CHECK (index_base IN ('LAST_EVENT', 'LAST_AMORTIZATION', 'START'))`);
  const estate = await addEstate(manager, 'OLD');
  const add = async (ticker: string, amortizations: readonly string[], base = 'LAST_AMORTIZATION') => {
    const id = await addSeries(manager, estate, ticker, { ...follows.ipca, index_base: base });
    for (const [index, amortization] of amortizations.entries())
      await addInstalment(manager, id, index + 1, `2026-0${index + 4}-15`, amortization);
    return id;
  };
  await add('AMORTIZES', ['20', '30', '100']);
  await add('BULLET', ['0', '0', '100']);
  await add('CAET12', ['0', '9.5', '0', '4.42']);
  const adding = await add('INCORPORATES', ['0', '0', '100']);
  await manager.query(
    `UPDATE tokenization.schedule_entries SET interest_event = 'INCORPORATED' WHERE tranche_id = $1 AND installment_number = 1`,
    [adding],
  );
  await add('NOTHING', []);
  await add('OTHER', ['0', '100'], 'START');
  await database.asOwner(await readFile(new URL('../migrations/0010-index-bases.sql', import.meta.url), 'utf8'));
  const rows: unknown = await manager.query(
    'SELECT ticker, index_base, policy_version FROM tokenization.tranches ORDER BY ticker',
  );
  expect(rows).toEqual([
    { ticker: 'AMORTIZES', index_base: 'LAST_EVENT', policy_version: 1 },
    { ticker: 'BULLET', index_base: 'START', policy_version: 1 },
    { ticker: 'CAET12', index_base: 'START', policy_version: 2 },
    { ticker: 'INCORPORATES', index_base: 'START', policy_version: 2 },
    { ticker: 'NOTHING', index_base: 'LAST_EVENT', policy_version: 1 },
    { ticker: 'OTHER', index_base: 'START', policy_version: 1 },
  ]);
  await expect(add('NEW', [])).rejects.toThrow(/tranches_index_base_check/);
});

test('a series that incorporates interest has its prices made anew where its base, or what it amortizes a percentage of, made a difference', async () => {
  const { manager } = database.dataSource;
  const estate = await addEstate(manager, 'INCORPORATED');
  const add = async (ticker: string, policy: object, interest = 'INCORPORATED') => {
    const id = await addSeries(manager, estate, ticker, { ...policy });
    await addInstalment(manager, id, 1, '2026-04-15', '0');
    await manager.query('UPDATE tokenization.schedule_entries SET interest_event = $2 WHERE tranche_id = $1', [
      id,
      interest,
    ]);
    return id;
  };
  const ids = [
    await add('I-START', { ...follows.ipca, index_base: 'START' }),
    await add('I-YEARLY', { ...follows.ipca, index_base: 'YEARLY' }),
    await add('I-ISSUE', { amortization_of: 'ISSUE_VALUE' }),
    await add('I-LAST', { ...follows.ipca, index_base: 'LAST_EVENT' }),
    await add('I-FIXED', {}),
    await add('I-PAID', { ...follows.ipca, index_base: 'START' }, 'PAID'),
  ];
  await database.asOwner(
    await readFile(new URL('../migrations/0040-incorporated-interest.sql', import.meta.url), 'utf8'),
  );
  const rows: unknown = await manager.query(
    'SELECT ticker, policy_version FROM tokenization.tranches WHERE id = ANY ($1) AND policy_version = 2 ORDER BY ticker',
    [ids],
  );
  expect(rows).toEqual(['I-ISSUE', 'I-START', 'I-YEARLY'].map((ticker) => ({ ticker, policy_version: 2 })));
});
