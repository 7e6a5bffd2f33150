import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { callerOf, password } from '../accounts/http.js';
import { freePort } from '../kit/free-port.js';
import { openTestPlatform, type TestPlatform } from '../kit/platform.js';
import { rateLimitVariables } from '../kit/rate-limits.js';
import { until } from '../kit/until.js';
import { newestPrice, publishPrice } from '../apps/panel-kit.js';
import { onPath, read } from './tools.js';

const program = onPath('varnishd');
if (program === undefined)
  process.stderr.write('Skipped: the cache in front; varnishd is not installed (apt-get install varnish)\n');
const describeCached = program === undefined ? describe.skip : describe;

/** A copy whose time is over within a second, so that a test need not wait for half a minute. */
const shortLived =
  'sub vcl_backend_response { if (bereq.url ~ "brief") { set beresp.ttl = 1s; set beresp.grace = 0s; } }\n';

describeCached('An HTTP cache in front of the program', () => {
  let platform: TestPlatform;
  let varnish: ChildProcess;
  let folder: string;
  let url: string;
  let adminUrl: string;
  beforeAll(async () => {
    platform = await openTestPlatform({ DEMO: 'true', TRUST_PROXY: '127.0.0.1/32', ...rateLimitVariables(1_000_000) });
    folder = mkdtempSync(join(tmpdir(), 'lastro-cache-'));
    const vcl = join(folder, 'lastro.vcl');
    const [head, ...rest] = read('deploy/cache/lastro.vcl')
      .replace('.port = "4000"', `.port = "${new URL(platform.url).port}"`)
      .split('\n');
    writeFileSync(vcl, [head, shortLived, ...rest].join('\n'));
    const port = await freePort();
    const adminPort = await freePort();
    url = `http://127.0.0.1:${port}`;
    adminUrl = `http://127.0.0.1:${adminPort}`;
    varnish = spawn(
      program ?? '',
      [
        '-F',
        '-f',
        vcl,
        '-a',
        `127.0.0.1:${port}`,
        '-a',
        `admin=127.0.0.1:${adminPort}`,
        '-n',
        join(folder, 'work'),
        '-s',
        'malloc,64m',
        '-j',
        'none',
      ],
      {
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    );
    let said = '';
    varnish.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    const isReady = async () => varnish.exitCode !== null || (await fetch(`${url}/readyz`)).status === 200;
    await until('varnishd', isReady);
    if (varnish.exitCode !== null) throw new Error(`varnishd ended: ${said}`);
  });
  afterAll(async () => {
    varnish.kill();
    await new Promise((resolve) => varnish.once('exit', resolve));
    await platform.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${url}${path}`, { headers, redirect: 'manual' });

  async function answered(): Promise<Record<string, number>> {
    const text = await (await fetch(`${platform.url}/metrics`)).text();
    const counts: Record<string, number> = {};
    for (const [, labels = '', count] of text.matchAll(/^http_request_duration_seconds_count\{([^}]*)\} (\d+)$/gm)) {
      if (/route="\/(metrics|readyz)"/.test(labels)) continue;
      const status = /status="(\d+)"/.exec(labels)?.[1] ?? '';
      counts[status] = (counts[status] ?? 0) + Number(count);
    }
    return counts;
  }
  const totalOf = (counts: Record<string, number>) => Object.values(counts).reduce((sum, count) => sum + count, 0);

  test('answers a crowd of readers, of whom some are logged in, with one request for each address', async () => {
    const paths = [
      '/',
      '/en',
      '/emissoes',
      '/emissoes/cri-shopping-serra-azul',
      '/tokenizacao',
      '/public/tranches?limit=10',
      '/public/patrimonies',
    ];
    const before = totalOf(await answered());
    const readers = 40;
    for (let reader = 0; reader < readers; reader += 1) {
      const responses = await Promise.all(
        paths.map((path) =>
          get(path, reader % 2 === 0 ? {} : { cookie: `__Host-lastro=${reader}`, authorization: 'Bearer x' }),
        ),
      );
      for (const response of responses) {
        expect(response.status).toBe(200);
        expect(response.headers.get('x-request-id')).toMatch(/^[\w-]+$/);
        expect(response.headers.has('x-ratelimit-limit')).toBe(false);
        await response.text();
      }
    }
    const asked = totalOf(await answered()) - before;
    process.stdout.write(`${readers * paths.length} requests, of which ${asked} came to the program\n`);
    expect(asked).toBeLessThanOrEqual(paths.length * 2);
  });

  test('sends nothing to a reader who has the current bytes', async () => {
    for (const path of ['/emissoes', '/public/patrimonies']) {
      const tag = (await get(path)).headers.get('etag') ?? '';
      const again = await get(path, { 'if-none-match': tag });
      expect([path, again.status, await again.text()]).toEqual([path, 304, '']);
    }
  });

  test('revalidates a copy whose time is over by its tag', async () => {
    const path = '/public/tranches?limit=11&brief=1';
    const first = await get(path);
    const before = (await answered())['304'] ?? 0;
    await sleep(1_500);
    const second = await get(path);
    expect([second.status, await second.text()]).toEqual([200, await first.text()]);
    expect((await answered())['304']).toBe(before + 1);
  });

  test('keeps nothing that is for one caller alone', async () => {
    const members = await Promise.all(
      ['one', 'two'].map(async (name) => {
        const email = `${name}-${crypto.randomUUID()}@casa.example`;
        await callerOf(platform).member(email);
        const response = await fetch(`${url}/v1/emissoes/auth/login`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ email, password }),
        });
        const { accessToken } = (await response.json()) as { accessToken: string };
        return { email, accessToken };
      }),
    );
    for (const { email, accessToken } of [...members, ...members]) {
      const response = await get('/v1/emissoes/auth/me', { authorization: `Bearer ${accessToken}` });
      expect(await response.json()).toMatchObject({ email });
      expect(response.headers.has('x-ratelimit-limit')).toBe(true);
    }
    expect((await get('/v1/emissoes/auth/me')).status).toBe(401);
    const missing = await answered();
    for (let turn = 0; turn < 3; turn += 1) expect((await get('/public/tranches/NADA/details')).status).toBe(404);
    expect((await answered())['404']).toBe((missing['404'] ?? 0) + 3);
  });

  test('shows a correction as soon as older states are removed', async () => {
    const { series, day } = await newestPrice(platform);
    const path = `/series/${series}/pu/${day}`;
    // A page names the state of each domain that it shows.
    const state = async () =>
      (await fetch(`${platform.url}/emissoes/cri-shopping-serra-azul`)).headers
        .get('surrogate-key')
        ?.split(' ')
        .find((name) => name.startsWith('issuances-')) ?? '';
    const before = await (await get(path)).text();
    const other = await get('/public/patrimonies');
    await publishPrice(platform, '1234.56789012');
    expect(await (await get(path)).text()).toBe(before);
    const banned = await fetch(adminUrl, { method: 'BAN', headers: { 'surrogate-key': await state() } });
    expect(banned.status).toBe(200);
    expect(await (await get(path)).text()).toContain('1.234,56789012');
    // The other domain's copies stay.
    const counts = await answered();
    expect((await get('/public/patrimonies')).headers.get('etag')).toBe(other.headers.get('etag'));
    expect(await answered()).toEqual(counts);
  });

  test('removes nothing for readers', async () => {
    const key = (await get('/emissoes')).headers.get('surrogate-key') ?? '';
    expect((await fetch(url, { method: 'BAN', headers: { 'surrogate-key': key } })).status).toBe(405);
  });

  test('removes nothing for a state that has no such name', async () => {
    for (const key of ['', 'issuances', '.*', 'issuances-1-2026-11-20 || obj.status == 200']) {
      expect([key, (await fetch(adminUrl, { method: 'BAN', headers: { 'surrogate-key': key } })).status]).toEqual([
        key,
        400,
      ]);
    }
  });
});
