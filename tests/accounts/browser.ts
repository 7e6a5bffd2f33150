import type { Platform } from '../../bootstrap/platform.js';
import { fixedClock } from '../kit/clock.js';
import { openTestPlatform, type TestPlatform } from '../kit/platform.js';
import { rateLimitVariables } from '../kit/rate-limits.js';
import { callerOf, type Caller, type Reply } from './http.js';

/** The public address of the program in these tests. */
export const site = 'https://lastro.test';
export const ownPage = { 'sec-fetch-site': 'same-origin' } as const;

/** A browser with one page of the site open: it keeps the cookie, which the page cannot read. */
export interface Browser {
  /** The value of its cookie; undefined without one. */
  cookie: string | undefined;
  /** The value of the cookie that recognizes it. */
  device: string | undefined;
  /** `Set-Cookie` of the last response that had one. */
  readonly setCookie: string | undefined;
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  graphql(query: string, variables?: Record<string, unknown>): Promise<Reply>;
  /** Runs an operation, and answers the code of its first error; undefined when it has none. */
  errorOf(query: string, variables?: Record<string, unknown>): Promise<string | undefined>;
}

function cookiesOf({ cookie, device }: { readonly cookie: string | undefined; readonly device: string | undefined }) {
  const own = [
    cookie === undefined ? [] : `__Host-lastro=${cookie}`,
    device === undefined ? [] : `__Host-lastro-device=${device}`,
  ];
  return ['other=1', ...own.flat()].join('; ');
}

export function openBrowser(platform: Platform): Browser {
  const jar: Record<'cookie' | 'device' | 'setCookie', string | undefined> = {
    cookie: undefined,
    device: undefined,
    setCookie: undefined,
  };
  const send: Browser['send'] = async (method, path, body, headers = ownPage) => {
    const response = await fetch(`${platform.url}${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(jar.cookie === undefined && jar.device === undefined ? {} : { cookie: cookiesOf(jar) }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    for (const set of response.headers.getSetCookie()) {
      const device = /^__Host-lastro-device=([^;]*)/.exec(set)?.[1];
      if (device !== undefined) {
        jar.device = device;
        continue;
      }
      jar.setCookie = set;
      const value = /^__Host-lastro=([^;]*)/.exec(set)?.[1] ?? '';
      jar.cookie = value === '' ? undefined : value;
    }
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : (JSON.parse(text) as unknown),
    };
  };
  const graphql: Browser['graphql'] = (query, variables) => send('POST', '/graphql', { query, variables });
  return {
    get cookie() {
      return jar.cookie;
    },
    set cookie(value) {
      jar.cookie = value;
    },
    get device() {
      return jar.device;
    },
    set device(value) {
      jar.device = value;
    },
    get setCookie() {
      return jar.setCookie;
    },
    send,
    post: (path, body, headers) => send('POST', path, body, headers),
    graphql,
    errorOf: async (query, variables) => {
      const { body } = await graphql(query, variables);
      return (body as { errors?: { extensions: { code: string } }[] }).errors?.[0]?.extensions.code;
    },
  };
}

/** A platform for browsers, with a clock that the test moves and no limit that it could meet. */
export async function openBrowserPlatform(environment: Readonly<Record<string, string>> = {}) {
  const clock = fixedClock('2026-11-20T15:00:00Z');
  const platform: TestPlatform = await openTestPlatform(
    { PUBLIC_URL: site, ...rateLimitVariables(100_000), ...environment },
    { clock },
  );
  const caller: Caller = callerOf(platform);
  return {
    clock,
    platform,
    caller,
    query: <Row>(text: string, values: unknown[] = []) => platform.infrastructure.dataSource.query<Row[]>(text, values),
    /** Registers an account, and opens a browser that is not logged in to it yet. */
    newVisitor: async () => {
      const email = `${crypto.randomUUID()}@casa.example`;
      await caller.member(email);
      return { email, browser: openBrowser(platform) };
    },
  };
}

/** Reads the session of a browser, as its page does. */
export async function stateOf(browser: Browser): Promise<Record<string, unknown>> {
  return (await browser.send('GET', '/web/session')).body as Record<string, unknown>;
}
