import { describe, expect, test } from '@jest/globals';
import { columnsOf } from './columns.js';

interface Row {
  readonly id: string;
  readonly dueDate: string;
  readonly order?: number | null;
}

describe('The columns of a row', () => {
  test('are quoted, in snake case, and named like its properties', () => {
    expect(columnsOf<Row>()('id dueDate::text', 'order')).toBe(
      '"id" AS "id", "due_date"::text AS "dueDate", "order" AS "order"',
    );
  });

  test('compile only when they are complete and known', () => {
    // @ts-expect-error: `order` is missing
    columnsOf<Row>()('id dueDate::text');
    // @ts-expect-error: `orders` is not a property
    columnsOf<Row>()('id dueDate::text order orders');
  });
});
