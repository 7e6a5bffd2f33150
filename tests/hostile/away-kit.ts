import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPrivateKey } from 'node:crypto';
import { expect } from '@jest/globals';
import { z } from 'zod';
import { sendSigned, type SignedResponse, type Signer } from '../credit-assignment/signing-kit.js';
import { build, killGroup, newDataFolder, startProgram } from '../start/program.js';
import { openOwnPostgres, type OwnPostgresOptions } from './postgres-kit.js';
import { rateLimitVariables } from '../kit/rate-limits.js';
import { openGraphqlSocket } from '../kit/graphql-socket.js';

export interface Got {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly message: string;
  readonly body: unknown;
  /** Whether it is the stored result of an earlier request. */
  readonly replayed?: boolean;
}

/** Requests of callers whom the demo made. */

/** What every caller must get while the database cannot serve. */
export const unavailable = expect.objectContaining({ status: 503, retryAfter: expect.any(String) as unknown });

export async function each(requests: Readonly<Record<string, () => Promise<Got>>>): Promise<Record<string, Got>> {
  const entries = Object.entries(requests).map(async ([name, send]) => [name, await send()] as const);
  return Object.fromEntries(await Promise.all(entries));
}

export type AwayTarget = Awaited<ReturnType<typeof openAwayTarget>>;

const credentialsForm = z.object({
  publicApiKey: z.string(),
  originator: z.object({ clientId: z.string(), privateKeyPem: z.string() }),
});
const anyEnvelope = z.object({ message: z.string() });
const limits = rateLimitVariables(100_000);

/**
 * Starts the program with the demo's data on a PostgreSQL of its own that can be taken away. Statements may take two seconds, so that what
 * waits for a lost connection ends within a test.
 */
export async function openAwayTarget(
  env: Readonly<Record<string, string>> = {},
  postgresFolder?: string,
  options: OwnPostgresOptions = {},
) {
  await build();
  const postgres = await openOwnPostgres(postgresFolder, options);
  const folder = await newDataFolder();
  const program = startProgram({
    env: {
      DATA_DIR: folder.dataDir,
      DATABASE_URL: postgres.url,
      DATABASE_STATEMENT_TIMEOUT: '2',
      PROCESSING_GRACE: '0',
      DEMO: 'true',
      ...limits,
      ...env,
    },
  });
  const close = async () => {
    await killGroup(program);
    await postgres.close();
    await folder.remove();
  };
  try {
    const url = (await program.ready).replace('localhost', '127.0.0.1');
    const callers = await callersOf(url, folder.dataDir);
    return { url, program, postgres, ...callers, ready: () => ask(`${url}/readyz`), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Returns callers of a program, with the demo's credentials that lie in a data folder. */
export async function callersOf(url: string, dataDir: string) {
  const file = readFileSync(join(dataDir, 'demo-credentials.json'), 'utf8');
  const { publicApiKey, originator } = credentialsForm.parse(JSON.parse(file));
  const key = { 'x-api-key': publicApiKey };
  const json = { 'content-type': 'application/json' };
  const signer: Signer = { clientId: originator.clientId, key: createPrivateKey(originator.privateKeyPem) };
  const { items } = z
    .object({ items: z.array(z.object({ id: z.string() })) })
    .parse((await ask(`${url}/public/patrimonies`)).body);
  const patrimonyId = items[0]?.id;
  const createBatch = async (
    options: {
      readonly key?: string;
      readonly externalId?: string;
      readonly contracts?: number;
    } = {},
  ) => {
    const { key: idempotencyKey, externalId = randomUUID(), contracts: count = 1 } = options;
    const contract = { debtorDocument: '52998224725', faceValue: 1500.5, dueDate: '2040-06-01' };
    const contracts = Array.from({ length: count }, (_, index) => ({
      externalId: index === 0 ? externalId : `${externalId}-${String(index)}`,
      ...contract,
    }));
    const answer = await sendSigned(url, signer, '/tidc/v1/credit-batches', {
      method: 'POST',
      body: JSON.stringify({ patrimonyId, contracts }),
      headers: { 'x-idempotency-key': idempotencyKey },
    });
    return { ...ofSigned(answer), replayed: answer.headers['x-idempotent-replayed'] === 'true' };
  };
  const graphql = (query: string) =>
    ask(`${url}/graphql`, { method: 'POST', headers: { ...key, ...json }, body: JSON.stringify({ query }) });
  const mcp = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'listar_operacoes', arguments: {} },
  };
  return {
    /** Creates a credit batch by a signed request. */
    createBatch,
    /** One request of each interface that reads, by name. */
    reads: {
      'REST, public': () => ask(`${url}/public/tranches?limit=1`),
      'REST, with a key': () => ask(`${url}/v1/emissoes/operacoes`, { headers: key }),
      'REST, signed': () => sendSigned(url, signer, '/tidc/v1/credit-batches?limit=1').then(ofSigned),
      GraphQL: () => graphql('{ operations(first: 1) { edges { node { ticker } } } }').then(ofGraph),
      'a GraphQL socket': () => overSocket(url, publicApiKey),
      MCP: () =>
        ask(`${url}/v1/emissoes/mcp`, {
          method: 'POST',
          headers: { ...key, ...json, accept: 'application/json, text/event-stream' },
          body: JSON.stringify(mcp),
        }).then(ofTool),
    },
    /** One request of each interface that writes, by name. */
    writes: {
      'REST, public': () =>
        ask(`${url}/v1/emissoes/auth/register`, {
          method: 'POST',
          headers: json,
          body: JSON.stringify({
            name: 'A',
            email: `${randomUUID()}@example.com`,
            password: 'segredo123',
            company: 'B',
          }),
        }),
      'REST, signed': () => createBatch(),
      'REST, signed, with an idempotency key': () => createBatch({ key: randomUUID() }),
    },
  };
}

async function ask(url: string, init: RequestInit = {}): Promise<Got> {
  const response = await fetch(url, init);
  const text = await response.text();
  let body: unknown = text;
  try {
    body = JSON.parse(text);
  } catch {
    // Metrics are text.
  }
  return { status: response.status, retryAfter: response.headers.get('retry-after'), message: messageOf(body), body };
}

function messageOf(body: unknown): string {
  return anyEnvelope.safeParse(body).data?.message ?? '';
}

function ofSigned({ status, headers, body }: SignedResponse): Got {
  const retryAfter = headers['retry-after'];
  return { status, retryAfter: typeof retryAfter === 'string' ? retryAfter : null, message: messageOf(body), body };
}

const graphErrors = z.object({
  errors: z.array(
    z.object({
      message: z.string(),
      extensions: z.object({ statusCode: z.number(), retryAfterSeconds: z.number().optional() }),
    }),
  ),
});

/** An error of the graph as its own extensions tell it: the HTTP status is 200 once an operation was run. */
function ofGraph(got: Got): Got {
  const error = graphErrors.safeParse(got.body).data?.errors[0];
  if (error === undefined) return got;
  const { statusCode, retryAfterSeconds } = error.extensions;
  return {
    ...got,
    status: statusCode,
    retryAfter: retryAfterSeconds === undefined ? null : String(retryAfterSeconds),
    message: error.message,
  };
}

const toolResult = z.object({
  result: z.object({ isError: z.literal(true), content: z.tuple([z.object({ text: z.string() })]) }),
});

/** A tool tells its error in words. */
function ofTool(got: Got): Got {
  const text = toolResult.safeParse(got.body).data?.result.content[0].text;
  if (text === undefined) return got;
  return { ...got, status: 503, retryAfter: /Wait (\d+) seconds/.exec(text)?.[1] ?? null, message: text };
}

/** One query on a new socket. A socket that is closed while it is opened tells by its code. */
function overSocket(url: string, apiKey: string): Promise<Got> {
  const client = openGraphqlSocket(url, { 'x-api-key': apiKey });
  const query = '{ operations(first: 1) { edges { node { ticker } } } }';
  const none: Got = { status: 0, retryAfter: null, message: '', body: undefined };
  return new Promise<Got>((resolve) => {
    let got: Got = none;
    client.subscribe(
      { query },
      {
        next: (body) => {
          got = ofGraph({ ...none, status: 200, body });
        },
        error: (thrown) => {
          const closed = z.object({ code: z.number(), reason: z.string() }).safeParse(thrown).data;
          resolve(
            closed?.code === 1013
              ? { ...none, status: 503, retryAfter: 'socket', message: closed.reason }
              : { ...ofGraph({ ...none, body: { errors: thrown } }), body: closed },
          );
        },
        complete: () => {
          resolve(got);
        },
      },
    );
  }).finally(() => void client.dispose());
}
