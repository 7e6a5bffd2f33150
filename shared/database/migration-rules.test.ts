import { expect, test } from '@jest/globals';
import { migrations } from '../../bootstrap/migrations.js';

/** Migrations below this number are the baseline, which no database has a version before. */
const firstAfterBaseline = '0100';

interface Rule {
  readonly pattern: RegExp;
  readonly reason: string;
}

const rules: readonly Rule[] = [
  {
    pattern: /\bDROP\s+(?:TABLE|VIEW|MATERIALIZED VIEW|COLUMN|SCHEMA|SEQUENCE|TYPE|FUNCTION|PROCEDURE)\b/i,
    reason: 'the previous version may still use what is dropped: drop it in the version after',
  },
  {
    pattern: /\bDROP\s+(?:CONSTRAINT|INDEX|TRIGGER)\b/i,
    reason: 'the previous version may rely on it, for ON CONFLICT or for a count: say why not',
  },
  {
    pattern: /\bLOCK\s+TABLE\b/i,
    reason: 'holds up everybody who writes until the migration is over: say for how long',
  },
  { pattern: /\bRENAME\b/i, reason: 'the previous version knows the old name: add the new one beside it' },
  {
    pattern: /\bALTER\s+(?:COLUMN\s+)?"?\w+"?\s+(?:SET\s+DATA\s+)?TYPE\b/i,
    reason: 'rewrites the table, and the previous version expects the old type: add a column beside it',
  },
  {
    pattern: /\bSET\s+NOT\s+NULL\b/i,
    reason:
      'the previous version may leave the column out: add a constraint NOT VALID, and validate it in the version after',
  },
  {
    pattern:
      /\bADD\s+(?:COLUMN\s+)?(?:IF\s+NOT\s+EXISTS\s+)?(?!CONSTRAINT\b)"?\w+"?\s+[^,;]*\bNOT\s+NULL\b(?![^,;]*\b(?:DEFAULT|GENERATED)\b)/i,
    reason: 'the previous version does not fill the new column: give it a DEFAULT',
  },
  {
    pattern: /\bADD\s+CONSTRAINT\b(?![\s\S]*\b(?:NOT\s+VALID|USING\s+INDEX)\b)/i,
    reason: 'reads the whole table while nobody can write to it: add it NOT VALID, and validate it after',
  },
  {
    pattern: /\bCREATE\s+(?:UNIQUE\s+)?INDEX\s+(?!CONCURRENTLY\b)/i,
    reason:
      'nobody can write to the table while the index is built: use CREATE INDEX CONCURRENTLY, outside of a transaction',
  },
];

/** Takes comments and the bodies of functions out, which no rule is about. */
function bare(sql: string): string {
  return sql.replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''").replace(/--.*/g, '');
}

function ownTables(sql: string): readonly string[] {
  return [...bare(sql).matchAll(/\bCREATE\s+(?:UNLOGGED\s+)?TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?([\w".]+)/gi)].map(
    ([, name = '']) => name,
  );
}

/**
 * Returns the statements of a migration that break the program's previous version or block all writers. A statement after a line `-- contract: …`,
 * which says why it is safe, is left out.
 */
function breachesOf(sql: string) {
  const own = ownTables(sql);
  return sql
    .replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''")
    .split(';')
    .filter((statement) => !/^-- contract: \S/m.test(statement))
    .map((statement) => bare(statement).trim())
    .filter((statement) => !own.some((name) => statement.split(/[\s(]+/).includes(name)))
    .flatMap((statement) =>
      rules.filter(({ pattern }) => pattern.test(statement)).map(({ reason }) => ({ statement, reason })),
    );
}

test('no migration after the baseline has a statement that the previous version could not live with or that holds up those who write, unless it says why', () => {
  const breaches = migrations.flatMap(({ schema, migrations: all }) =>
    all
      .filter(({ name }) => name >= firstAfterBaseline)
      .flatMap(({ name, sql }) => breachesOf(sql).map((breach) => ({ migration: `${schema}/${name}`, ...breach }))),
  );
  expect(breaches).toEqual([]);
});

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
])('the check tells of %s', (statement) => {
  expect(breachesOf(`CREATE TABLE a.other (id int);\n${statement};\n`)).toMatchObject([{ statement }]);
});

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
])('the check lets pass: %s', (statement) => {
  expect(breachesOf(`${statement};\n`)).toEqual([]);
});
