import { expect, test } from '@jest/globals';
import { quietLog, testKeyRing } from '../../tests/kit/context.js';
import { undescribed } from '../../tests/kit/described.js';
import { createTokenization } from './subgraph.js';

const noDatabase = {
  get manager(): never {
    throw new Error('The schema is built without a database');
  },
};

test('every type, field, argument and enum value of the schema is described', async () => {
  const config = { chain: undefined };
  const { schema } = await createTokenization({ config, keyRing: testKeyRing, dataSource: noDatabase, log: quietLog });
  expect(undescribed(schema)).toEqual([]);
});
