import type { Platform } from '../../bootstrap/platform.js';
import { fixedClock } from '../kit/clock.js';
import { openTestPlatform, type TestPlatform } from '../kit/platform.js';
import { rateLimitVariables } from '../kit/rate-limits.js';
import { callerOf, type Caller, type Reply } from './http.js';

export const site = 'https://lastro.test';
export const ownPage = { 'sec-fetch-site': 'same-origin' } as const;

export type Browser = ReturnType<typeof openBrowser>;

function cookiesOf({ cookie, device }: { readonly cookie: string | undefined; readonly device: string | undefined }) {
  const own = [
    cookie === undefined ? [] : `__Host-lastro=${cookie}`,
    device === undefined ? [] : `__Host-lastro-device=${device}`,
  ];
  return ['other=1', ...own.flat()].join('; ');
}

/** A browser with one page of the site open: it keeps the cookie, which the page cannot read. */
export function openBrowser(platform: Platform) {
  const jar: Record<'cookie' | 'device' | 'setCookie', string | undefined> = {
    cookie: undefined,
    /** The value of the cookie that recognizes it. */
    device: undefined,
    /** `Set-Cookie` of the last response that had one. */
    setCookie: undefined,
  };
  const send = async (
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = ownPage,
  ): Promise<Reply> => {
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
  const graphql = (query: string, variables?: Record<string, unknown>) =>
    send('POST', '/graphql', { query, variables });
  return Object.assign(jar, {
    send,
    post: (path: string, body?: unknown, headers?: Record<string, string>) => send('POST', path, body, headers),
    graphql,
    /** Runs an operation, and answers the code of its first error; undefined when it has none. */
    errorOf: async (query: string, variables?: Record<string, unknown>) => {
      const { body } = await graphql(query, variables);
      return (body as { errors?: { extensions: { code: string } }[] }).errors?.[0]?.extensions.code;
    },
  });
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

export async function stateOf(browser: Browser): Promise<Record<string, unknown>> {
  return (await browser.send('GET', '/web/session')).body as Record<string, unknown>;
}
