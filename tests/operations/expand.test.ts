import { describe, expect, test } from '@jest/globals';
import { migrations } from '../../bootstrap/migrations.js';
import { breachesOf } from './expand.js';
import { isNew } from './previous-version.js';

test('no migration of this version has a statement that the previous version could not live with or that holds up those who write, unless it says why', () => {
  const breaches = migrations.flatMap(({ schema, migrations: all }) =>
    all
      .filter(({ name }) => isNew(schema, name))
      .flatMap(({ name, sql }) => breachesOf(sql).map((breach) => ({ migration: `${schema}/${name}`, ...breach }))),
  );
  expect(breaches).toEqual([]);
});

describe('is told of', () => {
  test.each([
    'ALTER TABLE a.b DROP COLUMN c',
    'DROP TABLE a.b',
    'DROP FUNCTION a.f(int)',
    'ALTER TABLE a.b RENAME COLUMN c TO d',
    'ALTER TABLE a.b ALTER COLUMN c TYPE bigint',
    'ALTER TABLE a.b ALTER c SET DATA TYPE bigint',
    'ALTER TABLE a.b ALTER COLUMN c SET NOT NULL',
    'ALTER TABLE a.b ADD COLUMN c text NOT NULL',
    'ALTER TABLE a.b ADD c text NOT NULL, ADD d text',
    'ALTER TABLE a.b ADD CONSTRAINT c CHECK (d > 0)',
    'CREATE INDEX c ON a.b (d)',
    'CREATE UNIQUE INDEX c ON a.b (d)',
    'ALTER TABLE a.b DROP CONSTRAINT c',
    'DROP INDEX CONCURRENTLY a.c',
    'DROP TRIGGER c ON a.b',
    'LOCK TABLE a.b IN SHARE MODE',
    "SELECT shared.partition_table('a.b')",
  ])('%s', (statement) => {
    expect(breachesOf(`CREATE TABLE a.other (id int);\n${statement};\n`)).toMatchObject([{ statement }]);
  });
});

describe('is fine:', () => {
  test.each([
    'ALTER TABLE a.b ADD COLUMN c text',
    "ALTER TABLE a.b ADD COLUMN c text NOT NULL DEFAULT 'x'",
    'ALTER TABLE a.b ADD COLUMN c int NOT NULL GENERATED ALWAYS AS (1) STORED',
    'ALTER TABLE a.b ADD CONSTRAINT c CHECK (d > 0) NOT VALID',
    'ALTER TABLE a.b VALIDATE CONSTRAINT c',
    '-- outside of a transaction\nCREATE INDEX CONCURRENTLY c ON a.b (d)',
    'CREATE TABLE a.b (c int NOT NULL);\nCREATE INDEX d ON a.b (c);\nALTER TABLE a.b ADD CONSTRAINT e CHECK (c > 0)',
    "CREATE FUNCTION a.f() RETURNS void LANGUAGE plpgsql AS $$ BEGIN EXECUTE 'DROP TABLE x'; END $$",
    '-- contract: no program has read it since the version before\nALTER TABLE a.b DROP COLUMN c',
    '-- We do not RENAME it.\nSELECT 1',
  ])('%s', (statement) => {
    expect(breachesOf(`${statement};\n`)).toEqual([]);
  });
});
