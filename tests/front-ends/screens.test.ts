import './development.js';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { DocumentNode } from 'graphql';
import { print } from 'graphql';
import type { ApolloClient } from '@apollo/client';
import type { Client } from '@urql/core';
import { pagedTypePolicies } from '../../docs/front-ends/apollo-type-policies.js';
import { resolvers } from '../../docs/front-ends/graphcache-keys.js';
import { expectNoConsole } from './console.js';
import { openHouse, passesAsOf, plain, screen, screens, type Data, type House, type Variables } from './kit.js';

let house: House;
let everyPage: readonly Page[];
beforeAll(async () => {
  house = await openHouse();
  everyPage = await allPages();
});
afterAll(() => house.close());
expectNoConsole();

/** A client of either library, as these tests use it. */
interface Reader {
  /** The result from the network, which the cache keeps. */
  fetch(document: DocumentNode, variables: Variables): Promise<unknown>;
  /** The result from the cache alone; null where it does not have all of it. */
  cached(document: DocumentNode, variables: Variables): Promise<unknown>;
}

function urqlReader(client: Client): Reader {
  const run = async (document: DocumentNode, variables: Variables, requestPolicy: 'network-only' | 'cache-only') => {
    const { data, error } = await client.query<Data>(document, variables, { requestPolicy }).toPromise();
    expect(error).toBeUndefined();
    return plain(data ?? null);
  };
  return {
    fetch: (document, variables) => run(document, variables, 'network-only'),
    cached: (document, variables) => run(document, variables, 'cache-only'),
  };
}

function apolloReader(client: ApolloClient): Reader {
  return {
    fetch: async (query, variables) =>
      plain((await client.query({ query, variables, fetchPolicy: 'network-only' })).data),
    cached: (query, variables) => Promise.resolve(plain(client.readQuery<Data>({ query, variables }))),
  };
}

interface Page {
  readonly name: string;
  readonly variables: Variables;
}

const serverSays = ({ name, variables }: Page) => house.ask(print(screen(name)), variables, house.credential);

interface Connection {
  readonly edges: readonly { readonly cursor: string; readonly node: Data & { readonly id: string } }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  readonly totalCount: number;
}

/** The first pages of a screen, by its cursors. */
async function pagesOf(name: string, variables: Variables, at: (data: Data) => unknown, most = 3): Promise<Page[]> {
  const pages: Page[] = [];
  for (let after: string | null = null; pages.length < most;) {
    const page: Page = { name, variables: after === null ? variables : { ...variables, after } };
    pages.push(page);
    const { pageInfo } = at(await serverSays(page)) as Connection;
    if (!pageInfo.hasNextPage) break;
    after = pageInfo.endCursor;
  }
  expect(pages.length).toBeGreaterThan(1);
  return pages;
}

const list = {
  operations: (data: Data) => data['operations'],
  tranches: (data: Data) => data['tranches'],
  batches: (data: Data) => data['creditBatches'],
  contracts: (data: Data) => (data['creditBatch'] as Data)['receivables'],
  deliveries: (data: Data) => (data['webhook'] as Data)['deliveries'],
};

const nodes = (connection: unknown) => (connection as Connection).edges.map(({ node }) => node);

/** Every screen, with several pages or several objects of it. */
async function allPages(): Promise<Page[]> {
  const operations = await pagesOf('Operations', { first: 5 }, list.operations);
  const portfolio = await pagesOf('Portfolio', {}, list.tranches);
  const batches = await pagesOf('Batches', { first: 2 }, list.batches);
  const found = await serverSays({ name: 'Batches', variables: { first: 10 } });
  const long = nodes(list.batches(found)).find((batch) => Number(batch['receivableCount']) > 20)?.id;
  const [first, second] = house.webhooks;
  const tickers = async (page: Page | undefined, at: (data: Data) => unknown) => {
    if (page === undefined) throw new Error('There is no page');
    return nodes(at(await serverSays(page)))
      .slice(0, 3)
      .map(({ ticker }) => ({ ticker }));
  };
  return [
    ...operations,
    {
      name: 'Operations',
      variables: { first: 5, filter: { text: 'cri' }, sort: { field: 'VOLUME', direction: 'DESC' } },
    },
    ...(await tickers(operations[0], list.operations)).map((variables) => ({ name: 'Operation', variables })),
    ...portfolio,
    ...(await tickers(portfolio[0], list.tranches)).map((variables) => ({ name: 'Tranche', variables })),
    ...batches,
    ...(await pagesOf('BatchContracts', { id: long }, list.contracts)),
    { name: 'Webhooks', variables: {} },
    { name: 'Webhooks', variables: { status: 'DELIVERED' } },
    ...(await pagesOf('WebhookDeliveries', { id: first }, list.deliveries)),
    ...(await pagesOf('WebhookDeliveries', { id: second }, list.deliveries)),
  ];
}

const clients: readonly [string, (paged?: boolean) => { reader: Reader; close: () => unknown }][] = [
  [
    'urql with Graphcache',
    (paged = false) => {
      const { present, close } = house.urql(paged ? resolvers : undefined);
      return { reader: urqlReader(present), close };
    },
  ],
  [
    'Apollo Client',
    (paged = false) => {
      const { present, close } = house.apollo(paged ? pagedTypePolicies : undefined);
      return { reader: apolloReader(present), close };
    },
  ],
];

test('no screen passes a moment, since those belong to the other client', () => {
  expect([...screens.values()].filter(({ document }) => passesAsOf(document))).toEqual([]);
});

describe.each(clients)('%s', (_name, open) => {
  test('has in its cache what the server sends, for every page of every screen together', async () => {
    const { reader, close } = open();
    const pages = everyPage;
    expect(new Set(pages.map(({ name }) => name))).toEqual(new Set(screens.keys()));
    for (const { name, variables } of pages) await reader.fetch(screen(name), variables);
    for (const page of pages) {
      const cached = await reader.cached(screen(page.name), page.variables);
      expect({ ...page, data: cached }).toEqual({ ...page, data: await serverSays(page) });
    }
    close();
  });

  test('keeps the deliveries of one event to two webhooks apart', async () => {
    const { reader, close } = open();
    await reader.fetch(screen('Webhooks'), {});
    const { webhooks } = (await reader.cached(screen('Webhooks'), {})) as {
      webhooks: { items: { id: string; deliveries: Connection }[] };
    };
    const [one, other] = webhooks.items.map(({ deliveries }) => nodes(deliveries));
    expect(one?.map(({ eventId }) => eventId)).toEqual(other?.map(({ eventId }) => eventId));
    expect(new Set(one?.map(({ status }) => status))).toEqual(new Set(['DELIVERED']));
    expect(new Set(other?.map(({ status }) => status))).not.toContain('DELIVERED');
    close();
  });

  test.each(['operations', 'batches', 'contracts', 'deliveries'] as const)(
    'makes one list of all pages where that is asked for: %s',
    async (which) => {
      const { reader, close } = open(true);
      const at = list[which];
      const pages = everyPage.filter(({ name, variables }) => {
        const names = {
          operations: 'Operations',
          batches: 'Batches',
          contracts: 'BatchContracts',
          deliveries: 'WebhookDeliveries',
        };
        return name === names[which] && variables['filter'] === undefined && variables['id'] !== house.webhooks[1];
      });
      const edges: Connection['edges'][number][] = [];
      for (const page of pages) {
        await reader.fetch(screen(page.name), page.variables);
        edges.push(...(at(await serverSays(page)) as Connection).edges);
      }
      const [{ name, variables } = { name: '', variables: {} }] = pages;
      const merged = at((await reader.cached(screen(name), variables)) as Data) as Connection;
      expect(merged.edges).toEqual(edges);
      expect(pages.length).toBeGreaterThan(1);
      close();
    },
  );

  test('warns of nothing when a list has become shorter', async () => {
    const { reader, close } = open();
    const create = 'mutation { createWebhook(url: "https://receiver.example/", events: ["order.filled"]) { id } }';
    const { createWebhook } = await house.ask(create, {}, house.credential);
    await reader.fetch(screen('Webhooks'), {});
    const remove = 'mutation ($id: ID!) { deleteWebhook(id: $id) }';
    await house.ask(remove, { id: (createWebhook as Data)['id'] }, house.credential);
    await reader.fetch(screen('Webhooks'), {});
    const cached = (await reader.cached(screen('Webhooks'), {})) as { webhooks: { items: unknown[] } };
    expect(cached.webhooks.items).toHaveLength(2);
    close();
  });
});
