import { describe, expect, test } from '@jest/globals';
import { createRewriter } from './as-of.js';

const moment = new Date('2026-11-20T15:00:00Z');
const rewrite = createRewriter(
  new Map([
    ['issuances.series', 'issuances.series'],
    ['issuances.operations', 'issuances.operations_as_of'],
  ]),
);

describe('a statement as of a moment', () => {
  test.each([
    ['SELECT id FROM issuances.series', 'SELECT id FROM issuances.series($1::timestamptz)'],
    ['SELECT "s"."id" FROM "issuances"."series" "s"', 'SELECT "s"."id" FROM issuances.series($1::timestamptz) "s"'],
    [
      'WITH a AS (SELECT 1) SELECT series.id FROM a, issuances.series JOIN issuances.operations AS o ON true',
      'WITH a AS (SELECT 1) SELECT series.id FROM a, issuances.series($1::timestamptz) JOIN issuances.operations_as_of($1::timestamptz) AS o ON true',
    ],
  ])('reads its tables as they stood: %s', (sql, expected) => {
    expect(rewrite({ sql, parameters: [] }, moment)).toEqual({ sql: expected, parameters: [moment] });
  });

  test('has the moment after its own parameters', () => {
    const sql = 'SELECT id FROM issuances.series WHERE id = $1 AND number = $2';
    expect(rewrite({ sql, parameters: ['a', 1] }, moment)).toEqual({
      sql: 'SELECT id FROM issuances.series($3::timestamptz) WHERE id = $1 AND number = $2',
      parameters: ['a', 1, moment],
    });
  });

  test.each([
    'SELECT value FROM issuances.revision',
    'SELECT issuances.series($1)',
    'SELECT issuances.series_total FROM issuances.series_versions',
    `SELECT 'issuances.series'::regclass`,
  ])('is left alone where it reads nothing that keeps versions: %s', (sql) => {
    expect(rewrite({ sql, parameters: ['a'] }, moment)).toEqual({ sql, parameters: ['a'] });
  });

  test.each([
    'UPDATE issuances.series SET number = 1',
    'WITH gone AS (DELETE FROM issuances.series RETURNING id) SELECT id FROM gone',
    'SELECT id FROM issuances.series FOR NO KEY UPDATE',
    'SELECT id FROM issuances.series FOR SHARE',
    'COMMIT',
  ])('is refused where it is no read: %s', (sql) => {
    expect(() => rewrite({ sql, parameters: [] }, moment)).toThrow('not a read');
  });

  test('may name columns as verbs are named', () => {
    const sql = 'SELECT updated_at, is_deleted FROM issuances.series';
    expect(rewrite({ sql, parameters: [] }, moment).parameters).toEqual([moment]);
  });
});
