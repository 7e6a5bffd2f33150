import { afterAll, expect, test } from '@jest/globals';
import type { GraphQLField } from 'graphql';
import { declaredAccess, type Declared } from '../../shared/graphql/access.js';
import { transferCurrency } from '../../rest/routes/trading.js';
import { networks } from '../../subgraphs/trading/transfers/networks.js';
import { createTrading } from '../../subgraphs/trading/subgraph.js';
import { partsOf } from './domain-kit.js';

// Nothing connects: the schema is all that is looked at.
const trading = createTrading(partsOf({ url: 'postgresql://127.0.0.1:1/none' }));
afterAll(() => trading.close());

const { schema } = trading;
const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].flatMap((type) =>
  Object.values(type?.getFields() ?? {}).filter(({ name }) => !name.startsWith('_')),
);

/** What the description of a field says of those who may not use it. */
function expectedOf({ level, scope, role }: Declared): RegExp[] {
  if (level === 'anyone') return [];
  const errors = /Errors: .*\b401\b/s;
  if (level === 'operator')
    return role === 'read' ? [errors, /\b403\b/] : [errors, new RegExp(`\\b403 without the role \`${role ?? ''}\``)];
  return [errors, /\b401 CAAS_AUTH_001\b/, new RegExp(`\\b403 without the scope \`${scope ?? ''}\``)];
}

const missing = (field: GraphQLField<unknown, unknown>): string[] => {
  const declared = declaredAccess(field.extensions);
  if (declared === undefined) return [`${field.name}: it does not say who may use it`];
  return expectedOf(declared)
    .filter((form) => !form.test(field.description ?? ''))
    .map((form) => `${field.name}: ${form.source}`);
};

test('each root field that needs a credential says what is refused without it, and without its scope or role', () => {
  expect(roots.length).toBeGreaterThan(60);
  expect(roots.flatMap(missing)).toEqual([]);
});

test('the REST paths of deposits and withdrawals name the currencies of which the program knows a network', () => {
  const codes = [...new Set(networks.map(({ currency }) => currency))].sort();
  expect(transferCurrency.description).toContain(`${codes.slice(0, -1).join(', ')} or ${codes.at(-1) ?? ''}.`);
});
