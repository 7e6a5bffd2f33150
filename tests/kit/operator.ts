import { addOperator } from '../../subgraphs/accounts/operators/add-operator.js';
import type { Context } from '../../shared/context.js';
import { roles } from '../../shared/subgraph/roles.js';

export interface TestOperator {
  readonly id: string;
  readonly keyId: string;
  readonly email: string;
  readonly key: string;
  /** What a request of the operator sends. */
  readonly headers: { readonly 'x-api-key': string };
}

/** Adds an operator to a database. */
export async function newOperator(context: Context, given: readonly string[] = roles): Promise<TestOperator> {
  const email = `${crypto.randomUUID()}@casa.example`;
  const { operator, key } = await addOperator(context, { email, name: 'Olga', roles: given, days: 30 });
  return { id: operator.id, keyId: key.id, email, key: key.key, headers: { 'x-api-key': key.key } };
}
