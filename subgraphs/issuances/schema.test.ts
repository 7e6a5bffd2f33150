import { expect, test } from '@jest/globals';
import { testKeyRing } from '../../tests/kit/context.js';
import { undescribed } from '../../tests/kit/described.js';
import { createIssuances } from './subgraph.js';

const noDatabase = {
  get manager(): never {
    throw new Error('The schema is built without a database');
  },
};

test('every type, field, argument and enum value of the schema is described', async () => {
  const { schema } = await createIssuances({
    config: { inventoryMaxContracts: 5000 },
    keyRing: testKeyRing,
    dataSource: noDatabase,
  });
  expect(undescribed(schema)).toEqual([]);
});
