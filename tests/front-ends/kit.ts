import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildSchema, introspectionFromSchema, Kind, parse, separateOperations, type DocumentNode } from 'graphql';
import { WebSocket } from 'ws';
import type { TypePolicies } from '@apollo/client';
import type { ResolverConfig } from '@urql/exchange-graphcache';
import { openApollo } from '../../docs/front-ends/apollo-clients.js';
import { openUrql } from '../../docs/front-ends/urql-clients.js';
import { inTransaction } from '../../shared/database/transaction.js';
import { announceAll } from '../../shared/outbox/outbox.js';
import { openTestPlatform } from '../kit/platform.js';
import { until } from '../kit/until.js';
import { paid } from '../webhooks/kit.js';
import { openReceiver } from '../webhooks/receiver.js';

export type Data = Readonly<Record<string, unknown>>;
export type Variables = Readonly<Record<string, unknown>>;
export type Credential = Record<string, string>;

/** A document of a screen that runs alone, with the fragments that it uses. */
export interface Screen {
  readonly name: string;
  readonly document: DocumentNode;
}

const folder = new URL('../../docs/front-ends/screens/', import.meta.url);

/** Every query of the published screens, by name. */
export const screens: ReadonlyMap<string, Screen> = new Map(
  readdirSync(folder).flatMap((file) =>
    Object.entries(separateOperations(parse(readFileSync(new URL(file, folder), 'utf8')))).map(
      ([name, document]) => [name, { name, document }] as const,
    ),
  ),
);

export function screen(name: string): DocumentNode {
  const found = screens.get(name);
  if (found === undefined) throw new Error(`There is no screen ${name}`);
  return found.document;
}

export interface Demo {
  readonly account: { readonly email: string; readonly password: string };
  readonly publicApiKey: string;
  readonly developerApiKey: string;
  readonly operatorKey: string;
  readonly trading: Readonly<Record<'apiKey' | 'secretKey', string>>;
}

export type House = Awaited<ReturnType<typeof openHouse>>;

/** The program with its demo, a session of the demo's account, and two webhooks that have received the same events: one with success, one without. */
export async function openHouse() {
  const platform = await openTestPlatform({
    DEMO: 'true',
    WEBHOOK_ALLOW_INSECURE: 'true',
    RATE_LIMIT_GRAPHQL: '100000000',
    RATE_LIMIT_ACCOUNTS: '1000',
    RATE_LIMIT_API_KEY: '100000',
    GRAPHQL_MAX_COST: '10000000',
    GRAPHQL_MAX_TOKENS: '100000',
    GRAPHQL_MAX_ALIASES: '1000',
    GRAPHQL_MAX_BODY_BYTES: '1000000',
  });
  const url = `${platform.url}/graphql`;
  const demo = JSON.parse(await readFile(join(platform.dataDir, 'demo-credentials.json'), 'utf8')) as Demo;

  /** The response of the server itself, without any client. */
  const ask = async (query: string, variables: Variables, credential: Credential = {}): Promise<Data> => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...credential },
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors } = (await response.json()) as { data: Data | null; errors?: unknown };
    if (errors !== undefined || data === null) throw new Error(JSON.stringify(errors));
    return data;
  };

  const { email, password } = demo.account;
  const login =
    'mutation ($email: String!, $password: String!) { login(email: $email, password: $password) { accessToken } }';
  const { login: session } = (await ask(login, { email, password })) as { login: { accessToken: string } };
  const credential = { authorization: `Bearer ${session.accessToken}` };
  const sdl = await (await fetch(`${platform.url}/schema.graphql`)).text();
  const introspection = introspectionFromSchema(buildSchema(sdl));

  const receivers = [await openReceiver(), await openReceiver((response) => response.writeHead(410).end())];
  const webhooks: string[] = [];
  for (const { url: receiver } of receivers) {
    const create = 'mutation ($url: String!) { createWebhook(url: $url, events: ["payment.completed"]) { id } }';
    const { createWebhook } = (await ask(create, { url: receiver }, credential)) as { createWebhook: { id: string } };
    webhooks.push(createWebhook.id);
  }
  await inTransaction(platform.infrastructure.context, (tx) =>
    announceAll(
      tx,
      Array.from({ length: 12 }, (_, number) => paid(number)),
    ),
  );
  const text = '{ webhooks { items { deliveries(status: PENDING) { totalCount } all: deliveries { totalCount } } } }';
  await until('the 12 deliveries of each webhook', async () => {
    const { webhooks: found } = (await ask(text, {}, credential)) as {
      webhooks: { items: { deliveries: { totalCount: number }; all: { totalCount: number } }[] };
    };
    return found.items.every(({ deliveries, all }) => deliveries.totalCount === 0 && all.totalCount === 12);
  });

  return {
    url,
    demo,
    credential,
    webhooks,
    ask,
    schema: buildSchema(sdl),
    urql: (resolvers?: ResolverConfig) =>
      openUrql({
        url,
        credential: () => credential,
        webSocket: WebSocket,
        // The introspection of graphql-js is what Graphcache takes; the two types differ in what is readonly.
        schema: introspection,
        ...(resolvers && { resolvers }),
      }),
    apollo: (policies?: TypePolicies) =>
      openApollo({
        url,
        credential: () => credential,
        webSocket: WebSocket,
        sha256: (text) => createHash('sha256').update(text).digest('hex'),
        ...(policies && { policies }),
      }),
    close: async () => {
      await platform.close();
      for (const receiver of receivers) await receiver.close();
    },
  };
}

/** A value without the names of types that clients add to each object. */
export function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== '__typename')
      .map(([name, inner]) => [name, plain(inner)]),
  );
}

/** Whether a document passes `asOf` anywhere. */
export function passesAsOf(document: DocumentNode): boolean {
  return JSON.stringify(document, (key, value: unknown) => (key === 'loc' ? undefined : value)).includes(
    `"kind":"${Kind.ARGUMENT}","name":{"kind":"${Kind.NAME}","value":"asOf"}`,
  );
}
