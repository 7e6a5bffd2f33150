import { afterAll, expect, test } from '@jest/globals';
import { openSite, readable } from './kit.js';

const site = await openSite({ PUBLIC_OPERATIONS: 'false', GRAPHQL_SDL: 'false' });
afterAll(() => site.platform.close());

test('without public operations no page, file or list shows one', async () => {
  const paths = [
    '/emissoes',
    '/emissoes.csv',
    '/emissoes/cri-shopping-serra-azul',
    '/series/CRISERRAAZUL1',
    '/series/CRISERRAAZUL1/pu.csv',
    '/embed/series/CRISERRAAZUL1',
    '/p/CRI-SERRAAZUL',
  ];
  for (const path of paths) expect([path, (await site.get(path)).status]).toEqual([path, 404]);
  for (const path of ['/', '/sitemap.xml', '/tokenizacao']) {
    const text = await site.html(path);
    expect([path, /emissoes|CRISERRAAZUL/.exec(text)?.[0]]).toEqual([path, undefined]);
  }
  expect(readable(await site.html('/'))).toContain('Residencial Aurora');
});

test('the schema of the graph is not named where it is not published', async () => {
  expect(await site.html('/docs')).not.toContain('/schema.graphql');
});
