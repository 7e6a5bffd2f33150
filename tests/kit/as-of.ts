import { expect } from '@jest/globals';
import type { GraphQLSchema } from 'graphql';
import type { Context } from '../../shared/kernel/context.js';
import { inTransaction } from '../../shared/database/transaction.js';

/** Does something whose changes are recorded at the moment of the context's clock. */
export function recordedByClock<T>(context: Context, work: (tx: Context) => Promise<T>): Promise<T> {
  return inTransaction(context, async (tx) => {
    await tx.manager.query(`SELECT set_config('lastro.moment', $1, true)`, [tx.clock.now().toISOString()]);
    return work(tx);
  });
}

/** The names of the queries that take `asOf`. */
export function queriesWithAsOf(schema: GraphQLSchema): string[] {
  return Object.values(schema.getQueryType()?.getFields() ?? {})
    .filter(({ args }) => args.some(({ name }) => name === 'asOf'))
    .map(({ name }) => name)
    .sort();
}

/** A document with `asOf` in the place of each `AT`: as an argument alone, or after others. */
export function documentAt(document: string, moment: string | null): string {
  expect(document).toMatch(/\bAT\b/);
  const argument = moment === null ? '' : `asOf: "${moment}"`;
  return document
    .replaceAll('(AT)', argument === '' ? '' : `(${argument})`)
    .replaceAll(/,? ?\bAT\b/g, argument === '' ? '' : `, ${argument}`);
}
