import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from '@jest/globals';
import { HtmlValidate } from 'html-validate';
import { htmlOfMarkdown } from '../../apps/site/reference/markdown.js';
import { eventTypes } from '../../subgraphs/webhooks/events/event.js';
import { openSite } from './kit.js';

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly 'x-codeSamples': readonly { readonly source: string }[];
}

interface OpenApi {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: { readonly description: string } }>>;
}

/** Runs a program to its end beside the server, which is in this process; fails with its output. */
const run = promisify(execFile);
const file = fileURLToPath(new URL('../../rest/openapi.json', import.meta.url));
const english = JSON.parse(readFileSync(file, 'utf8')) as OpenApi;
const operationsOf = ({ paths }: OpenApi) => Object.values(paths).flatMap((methods) => Object.values(methods));

const site = await openSite();
afterAll(() => site.platform.close());

describe('pages', () => {
  test('of every kind are valid, have no script but for Scalar and are kept by caches', async () => {
    const validator = new HtmlValidate({
      extends: ['html-validate:recommended'],
      rules: {
        'attr-case': 'off',
        'void-style': 'off',
        'attribute-boolean-style': 'off',
        'aria-label-misuse': ['error', { allowAnyNamable: true }],
        'doctype-style': 'off',
        'no-inline-style': 'error',
        'long-title': 'off',
        'prefer-native-element': 'off',
        'no-implicit-button-type': 'off',
      },
    });
    const kinds = ['/docs', '/docs/guides/common', '/docs/guides/python', '/docs/socket', '/docs/changelog'];
    expect(await (await site.get('/docs/guides/first-steps')).text()).toContain('${LASTRO_URL:-http://localhost:0}');
    for (const path of kinds.flatMap((one) => [one, `/en${one}`])) {
      const response = await site.get(path);
      // A link to another theme leads back.
      expect([path, response.status]).toEqual([path, path.startsWith('/theme/') ? 303 : 200]);
      expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self';/);
      const html = await response.text();
      expect(html.match(/<script|<style|\sstyle=|\son[a-z]+=/g)).toEqual(path.endsWith('/docs') ? ['<script'] : null);
      const { results } = await validator.validateString(html);
      expect([path, results.flatMap(({ messages }) => messages.map((one) => `${one.ruleId} ${one.message}`))]).toEqual([
        path,
        [],
      ]);
      const again = await site.get(path, { 'if-none-match': response.headers.get('etag') ?? '' });
      expect([path, again.status]).toEqual([path, 304]);
    }
  });

  test('lead to each other: every link and every anchor exists', async () => {
    const pages = new Map<string, string>();
    const queue = ['/docs', '/en/docs'];
    const read = async (path: string) => {
      const known = pages.get(path);
      if (known !== undefined) return known;
      const response = await site.get(path);
      // A link to another theme leads back.
      expect([path, response.status]).toEqual([path, path.startsWith('/theme/') ? 303 : 200]);
      const html = (response.headers.get('content-type') ?? '').includes('html') ? await response.text() : '';
      pages.set(path, html);
      return html;
    };
    const walked = new Set(queue);
    for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
      const html = await read(path);
      for (const [, href = ''] of html.matchAll(/<a [^>]*?href="([^"]+)"/g)) {
        if (/^https?:/.test(href)) continue;
        const [page = '', anchor] = href.startsWith('#') ? [path, href.slice(1)] : href.split('#');
        const target = await read(page);
        if (anchor !== undefined && !target.includes(`id="${anchor}"`))
          expect([path, 'leads to', href]).toBeUndefined();
        if (/^(\/en)?\/docs(\/|$)/.test(page) && !walked.has(page)) {
          walked.add(page);
          queue.push(page);
        }
      }
    }
    expect([...pages.keys()]).toEqual(expect.arrayContaining(['/openapi.json', '/schema.graphql', '/graphql']));
    expect(walked).toContain('/en/docs/guides/trading');
  });

  test('have no page for what does not exist', async () => {
    for (const path of ['/docs/rest/nothing', '/docs/guides/nothing', '/docs/nothing'])
      expect([path, (await site.get(path)).status]).toEqual([path, 404]);
  });

  test('show HTML of a text as text', async () => {
    expect(htmlOfMarkdown('a <b>c</b> [d](javascript:alert) `<i>` "e"', () => undefined)).toBe(
      '<p>a &lt;b&gt;c&lt;/b&gt; d <code>&lt;i&gt;</code> &quot;e&quot;</p>\n',
    );
    const { headers } = await site.get('/docs/guides/common');
    expect(headers.get('content-security-policy')).not.toContain('unsafe');
  });
});

test('an operation has an address that leads to it, in each language', async () => {
  for (const prefix of ['', '/en']) {
    const { status, headers } = await site.get(`${prefix}/docs/rest/operationDetail`);
    expect([status, headers.get('location')]).toEqual([
      302,
      `${prefix}/docs#tag/operation-data/GET/v1/emissoes/operacoes/{ticker}`,
    ]);
  }
});

test('every operation, tag and event is described in each language', async () => {
  const read = async (path: string) => (await (await site.get(path)).json()) as OpenApi;
  const [shown, translated] = await Promise.all([read('/en/docs/reference.json'), read('/docs/reference.json')]);
  expect(operationsOf(shown).map(({ summary }) => summary)).toEqual(
    operationsOf(english).map(({ summary }) => summary),
  );
  const originals = new Map(operationsOf(english).map(({ operationId, summary }) => [operationId, summary]));
  for (const { operationId, summary } of operationsOf(translated))
    expect([operationId, summary]).not.toEqual([operationId, originals.get(operationId)]);
  for (const [at, tag] of translated.tags.entries()) {
    expect(tag.name).toBe(english.tags[at]?.name);
    expect(tag.description).not.toBe(english.tags[at]?.description);
  }
  for (const { name, meaning } of eventTypes) {
    expect(shown.webhooks[name]?.post.description).toBe(meaning);
    expect(translated.webhooks[name]?.post.description).not.toBe(meaning);
  }
});

test('the samples in the shell return data of the demo', async () => {
  const { publicApiKey } = site.platform.demo();
  const reads = Object.values(english.paths).flatMap(({ get }) => (get?.tags[0] === 'Operation data' ? [get] : []));
  expect(reads.length).toBeGreaterThan(3);
  for (const one of reads) {
    const [sample] = one['x-codeSamples'];
    const { stdout } = await run('sh', ['-c', (sample?.source ?? '').replace(/^curl/, 'curl -sf --max-time 30')], {
      env: { ...process.env, LASTRO_URL: site.url, API_KEY: publicApiKey },
    });
    expect(JSON.parse(stdout)).toEqual(expect.any(Object));
  }
});
