import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { createRelay } from '../../shared/events/outbox/relay.js';
import { keepEstateSlugs } from '../../subgraphs/issuances/operations/estate-slugs.js';
import { tokenizationImport } from '../../subgraphs/tokenization/import/domain.js';
import { patrimonies } from '../../subgraphs/tokenization/import/model/patrimonies.js';
import { operator } from '../kit/context.js';
import { exampleOf, importTextsInto } from '../kit/import.js';
import { addOperation } from './fixtures.js';
import { openTestGraph } from './graph.js';

const graph = await openTestGraph();
afterAll(() => graph.close());
await addOperation(graph.dataSource.manager, 'CRI-ONE');
await addOperation(graph.dataSource.manager, 'CRI-TWO');
await addOperation(graph.dataSource.manager, 'CRI-HIDDEN', { is_public: false });
beforeEach(() => graph.asOwner('TRUNCATE issuances.estate_slugs, shared.outbox'));

async function importEstates(...estates: readonly { ticker: string; slug: string; operationTicker: string | null }[]) {
  const context = graph.context({ principal: operator });
  const files = Object.fromEntries(estates.map((estate) => [`${estate.ticker}.json`, exampleOf(patrimonies, estate)]));
  expect((await importTextsInto(context, [tokenizationImport], files)).errors).toEqual([]);
  await createRelay(context, { consumers: [keepEstateSlugs] }).drain();
}
async function tickerOf(name: string): Promise<unknown> {
  const { data, errors } = await graph.run('query ($ticker: String!) { operation(ticker: $ticker) { ticker } }', {
    ticker: name,
  });
  return (data?.['operation'] as { ticker: string } | null)?.ticker ?? errors?.[0]?.extensions['code'] ?? null;
}

test('an operation is found by the slug of its estate, in any case, and by that alone after a change', async () => {
  await importEstates({ ticker: 'PAT-1', slug: 'patrimonio-um', operationTicker: 'CRI-ONE' });
  expect([await tickerOf('patrimonio-um'), await tickerOf('Patrimonio-UM')]).toEqual(['CRI-ONE', 'CRI-ONE']);
  await importEstates({ ticker: 'PAT-1', slug: 'patrimonio-outro', operationTicker: 'CRI-TWO' });
  expect([await tickerOf('patrimonio-outro'), await tickerOf('patrimonio-um')]).toEqual(['CRI-TWO', null]);
});

test('an operation with that slug of its own comes first, and one that is not public is found by neither', async () => {
  await importEstates(
    { ticker: 'PAT-1', slug: 'estate-cri-one', operationTicker: 'CRI-TWO' },
    { ticker: 'PAT-2', slug: 'patrimonio-dois', operationTicker: 'CRI-HIDDEN' },
    { ticker: 'PAT-3', slug: 'patrimonio-tres', operationTicker: null },
  );
  expect([
    await tickerOf('estate-cri-one'),
    await tickerOf('patrimonio-dois'),
    await tickerOf('patrimonio-tres'),
  ]).toEqual(['CRI-ONE', null, null]);
});
