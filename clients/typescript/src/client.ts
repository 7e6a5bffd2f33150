import openFetch from 'openapi-fetch';
import { isObject, LastroError } from './errors.js';
import type { paths } from './generated/api.js';
import { openSender, type SendOptions } from './send.js';
import { openTradingSession, type TradingSession } from './trading-session.js';

export interface ClientOptions extends SendOptions {
  /** Address of the server without a path, such as `https://api.example.com`. */
  readonly baseUrl: string;
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** The paths that have a method. */
export type PathWith<M extends Method> = {
  [P in keyof paths]: paths[P] extends Readonly<Record<M, object>> ? P : never;
}[keyof paths];

/** Input of a call: `params` (`path`, `query`, `header`), the `body`, and a `signal` that ends the call, its retries and its waits. */
export type Input<Operation> = Parameters<Operation> & Body<Operation> & { readonly signal?: AbortSignal | undefined };

type Parameters<Operation> = Operation extends { parameters: infer P }
  ? Partial<P> extends P
    ? { readonly params?: P }
    : { readonly params: P }
  : never;

/** A path that takes files takes their text, or their bytes, which may be compressed with gzip. */
type Body<Operation> = Operation extends { requestBody: { content: infer Content } }
  ? { readonly body: JsonOf<Content> | (Exclude<keyof Content, Json> extends never ? never : string | Uint8Array) }
  : unknown;

type Json = 'application/json';
type JsonOf<Content> = Content extends Record<Json, infer Value> ? Value : undefined;
type ContentOf<Response> = Response extends { content: infer Content } ? JsonOf<Content> : undefined;

/** Result of a call; undefined if the response has no body. */
export type Result<Operation> = Operation extends { responses: infer All }
  ? { [Status in keyof All & (200 | 201 | 202 | 204)]: ContentOf<All[Status]> }[keyof All & (200 | 201 | 202 | 204)]
  : never;

type Optional<Init> = Partial<Init> extends Init ? [init?: Init] : [init: Init];

/** A call of one method. Rejected with a `LastroError`, or a `TypeError` for what cannot be sent. */
export type Call<M extends Method> = <P extends PathWith<M>>(
  path: P,
  ...init: Optional<Input<paths[P][M]>>
) => Promise<Result<paths[P][M]>>;

type Get<P extends keyof paths> = paths[P]['get'];
type QueryOf<P extends keyof paths> = Get<P> extends { parameters: { query?: infer Query } } ? Query : never;

/** The lists that have pages. */
export type ListPath = {
  [P in PathWith<'get'>]: Extract<keyof NonNullable<QueryOf<P>>, 'nextToken' | 'page'> extends never ? never : P;
}[PathWith<'get'>];

/** An item of a page: the page has one list. */
export type Item<Page> = Page extends object
  ? { [Name in keyof Page]-?: Page[Name] extends readonly (infer One)[] ? One : never }[keyof Page]
  : never;

/** The paths that return files: lists as CSV, and what is a file only. */
export type FilePath = {
  [P in PathWith<'get'>]: Get<P> extends { responses: { 200: { content: infer Content } } }
    ? [Exclude<keyof Content, Json>] extends [never]
      ? never
      : P
    : never;
}[PathWith<'get'>];

/** A client: a method of HTTP with a path of the OpenAPI text. */
export interface LastroClient {
  readonly GET: Call<'get'>;
  readonly POST: Call<'post'>;
  readonly PUT: Call<'put'>;
  readonly PATCH: Call<'patch'>;
  readonly DELETE: Call<'delete'>;
  /** The items of all pages from the one that the query names. A page is requested when the items of the page before it have been used. */
  readonly items: <P extends ListPath>(
    path: P,
    ...init: Optional<Input<Get<P>>>
  ) => AsyncGenerator<Item<Result<Get<P>>>, void, undefined>;
  /** Returns the response whose body is the file; for a list, the whole list as CSV. */
  readonly file: <P extends FilePath>(path: P, ...init: Optional<Input<Get<P>>>) => Promise<Response>;
  /** Connection settings for live updates: the address of the server, and the login of the company. */
  readonly connection: Connection;
}

/** The address of the server without a path, and the settings of trading calls. */
export interface Connection {
  readonly origin: string;
  readonly profileId: string | undefined;
  readonly synthetic: boolean;
  /** The login of the company; undefined without the option `trading`. */
  readonly session: TradingSession | undefined;
}

interface Loose {
  readonly params?: { readonly path?: Values; readonly query?: Values; readonly header?: Values };
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}
type Values = Readonly<Record<string, unknown>>;
interface LooseOperation {
  readonly parameters: NonNullable<Loose['params']>;
  readonly requestBody?: { readonly content: Readonly<Record<Json, unknown>> };
  readonly responses: object;
}

/** Makes a client. Nothing is sent before its first call. */
export function createClient(options: ClientOptions): LastroClient {
  const { trading, profileId, synthetic = false } = options;
  const origin = originOf(options.baseUrl);
  const api = openFetch<Record<string, Record<Method, LooseOperation>>>({
    baseUrl: origin,
    fetch: openSender(options, () => session),
    bodySerializer,
  });
  const request = (method: Method, path: string, { params = {}, body, signal }: Loose, accept: string) => {
    requirePath(path, params.path ?? {});
    return api.request(method, path, {
      params,
      headers: { accept, ...fileHeaders(path, body) },
      parseAs: accept === json ? 'text' : 'stream',
      ...(body === undefined ? {} : { body }),
      ...(signal === undefined ? {} : { signal }),
    });
  };
  const call =
    (method: Method) =>
    async (path: string, init: Loose = {}): Promise<unknown> => {
      const { data, response } = await request(method, path, init, json);
      return parsed(data, response.status);
    };
  const [GET, POST, PUT] = [call('get'), call('post'), call('put')];
  const client = {
    ...{ GET, POST, PUT, PATCH: call('patch'), DELETE: call('delete') },
    items: (path: string, init: Loose = {}) => itemsOf(GET, path, init),
    file: async (path: string, init: Loose = {}) => (await request('get', path, init, 'text/csv, */*;q=0.5')).response,
  } as unknown as Omit<LastroClient, 'connection'>; // Bodies have the types that the OpenAPI text gives them.
  const session =
    trading === undefined
      ? undefined
      : openTradingSession({
          login: () => client.POST('/v1/auth/login', { body: trading }),
          refresh: (refreshToken, key) =>
            client.PUT('/v1/auth/refresh', {
              params: { header: { 'X-Idempotency-Key': key } },
              body: { refreshToken },
            }),
        });
  return { ...client, connection: { origin, profileId, synthetic, session } };
}

const json = 'application/json';

/** Checks the address: an origin, since the path is part of what is signed. */
function originOf(baseUrl: string): string {
  const { protocol, origin, pathname, search, hash, username, password } = new URL(baseUrl);
  const rest = [username, password, search, hash, pathname.slice(1)];
  if (!['http:', 'https:'].includes(protocol) || rest.some((part) => part !== '')) {
    throw new TypeError('baseUrl must be an origin such as https://api.example.com, without a path or credentials');
  }
  return origin;
}

/** A part of the path that is `.` or `..` would lead to another path, and an empty one to none. */
function requirePath(path: string, values: Values): void {
  for (const [, name = ''] of path.matchAll(/\{(\w+)\}/g)) {
    const value = values[name];
    if (typeof value !== 'string' || ['', '.', '..'].includes(value))
      throw new TypeError(`${name} must be text, and neither empty nor "." or ".."`);
  }
}

function isFile(body: unknown): body is string | Uint8Array {
  return typeof body === 'string' || body instanceof Uint8Array;
}

function fileHeaders(path: string, body: unknown): Record<string, string> {
  if (!isFile(body)) return {};
  const isCompressed = typeof body !== 'string' && body[0] === 0x1f && body[1] === 0x8b;
  return {
    'content-type': `text/plain; profile=${/check(-file)?$/.test(path) ? 'file' : 'cnab444'}`,
    ...(isCompressed ? { 'content-encoding': 'gzip' } : {}),
  };
}

/** The decimals that bodies hold as JSON numbers, by the list that they are in. */
const numbers: Readonly<Record<string, string>> = { contracts: 'faceValue', settlements: 'settledAmount' };

function bodySerializer(body: unknown): string | Uint8Array<ArrayBuffer> {
  if (isFile(body)) return typeof body === 'string' ? body : Uint8Array.from(body);
  if (!isObject(body)) return JSON.stringify(body);
  const entries = Object.entries(body).map(([list, items]): [string, unknown] => {
    const field = numbers[list];
    if (field === undefined || !Array.isArray(items)) return [list, items];
    return [list, items.map((one: unknown) => withNumber(one, field))];
  });
  return JSON.stringify(Object.fromEntries(entries));
}

/** A decimal of at most 15 digits is the same text again when its number is written as JSON. */
function withNumber(item: unknown, field: string): unknown {
  if (!isObject(item) || item[field] === undefined) return item;
  const value = item[field];
  if (typeof value !== 'string' || !/^\d{1,13}(\.\d{1,2})?$/.test(value))
    throw new TypeError(`${field} must be decimal text with at most two decimals, such as "1500.50"`);
  return { ...item, [field]: Number(value) };
}

function parsed(text: unknown, status: number): unknown {
  if ((text === undefined || text === '') && [202, 204].includes(status)) return undefined;
  try {
    return JSON.parse(String(text));
  } catch (cause) {
    throw new LastroError({ message: 'The response is not JSON', status, code: 'INVALID_RESPONSE', cause });
  }
}

/** The lists whose pages have numbers. A test compares them with the OpenAPI text. */
const numbered = new Set([
  '/v1/emissoes/operacoes/{ticker}/estoque',
  '/public/assets',
  '/tidc/v1/credit-batches',
  '/tidc/v1/settlement-batches',
]);
/** The largest page of every list; a page costs one request whatever its size. */
const pageSize = 100;

async function* itemsOf(
  get: (path: string, init: Loose) => Promise<unknown>,
  path: string,
  init: Loose,
): AsyncGenerator<unknown, void, undefined> {
  const given = Object.entries(init.params?.query ?? {}).filter(([, value]) => value !== undefined);
  const first = { limit: pageSize, ...(numbered.has(path) ? { page: 1 } : {}), ...Object.fromEntries(given) };
  for (let query: Values | undefined = first; query !== undefined;) {
    const page = await get(path, { ...init, params: { ...init.params, query } });
    if (!isObject(page)) throw invalid('The page is not an object');
    const list: unknown = Object.values(page).find((value) => Array.isArray(value));
    const items: readonly unknown[] = Array.isArray(list) ? list : [];
    yield* items;
    query = numbered.has(path) ? nextNumber(query, page, items) : nextCursor(query, page['nextToken']);
  }
}

/** Returns the query of the next page; undefined after the last one. Throws where reading on would not end. */
function nextNumber(query: Values, { total }: Values, items: readonly unknown[]): Values | undefined {
  if (items.length === 0) return undefined;
  if (typeof total !== 'number') throw invalid('total is not a number');
  const page = Number(query['page']);
  return page * Number(query['limit']) >= total ? undefined : { ...query, page: page + 1 };
}

function nextCursor(query: Values, cursor: unknown): Values | undefined {
  if (cursor === undefined || cursor === null) return undefined;
  if (typeof cursor !== 'string' || cursor === '' || cursor === query['nextToken'])
    throw invalid('The cursor does not move on');
  return { ...query, nextToken: cursor };
}

function invalid(message: string): LastroError {
  return new LastroError({ message, code: 'INVALID_RESPONSE' });
}
