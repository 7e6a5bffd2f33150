import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { HtmlValidate } from 'html-validate';
import { buildSchema, getVariableValues, Kind, parse, validate, type GraphQLSchema } from 'graphql';
import { registered } from '../../shared/registry.js';
import { loadOperations } from '../../rest/operations.js';
import { routes } from '../../rest/routes.js';
import { eventTypes } from '../../subgraphs/webhooks/events/event.js';
import { operationsOf, readOpenApi } from '../../apps/site/reference/open-api.js';
import { schemeOf } from '../../apps/site/reference/samples/input.js';
import { graphqlSample, typescriptSample } from '../../apps/site/reference/samples/samples.js';
import { eventSample } from '../../apps/site/reference/webhook-page.js';
import { openSite, readable } from './kit.js';

/** Runs a program to its end beside the server, which is in this process; fails with its output. */
const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));
const openApi = readOpenApi(readFileSync(join(root, 'rest/openapi.json'), 'utf8'));
const operations = operationsOf(openApi);
let site: Awaited<ReturnType<typeof openSite>>;
let schema: GraphQLSchema;
let apiKey: string;

beforeAll(async () => {
  site = await openSite();
  schema = buildSchema(await (await site.get('/schema.graphql')).text());
  const file = readFileSync(join(site.platform.dataDir, 'demo-credentials.json'), 'utf8');
  apiKey = (JSON.parse(file) as { publicApiKey: string }).publicApiKey;
});
afterAll(() => site.platform.close());

const kinds = [
  '/docs',
  '/docs/rest',
  '/docs/rest/tags/trading',
  '/docs/rest/createCreditBatch',
  '/docs/rest/operationDetail',
  '/docs/errors',
  '/docs/webhooks',
  '/docs/guides/common',
  '/docs/guides/python',
  '/docs/socket',
  '/docs/changelog',
  '/docs/graphql',
  '/docs/graphql/webhooks',
  '/docs/search?q=faceValue',
  '/docs/search?q=nada-com-este-nome',
];

describe('pages', () => {
  test('of every kind are valid, have no script and are kept by caches', async () => {
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
    for (const path of kinds.flatMap((one) => [one, `/en${one}`])) {
      const response = await site.get(path);
      expect([path, response.status]).toEqual([path, 200]);
      expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self';/);
      const html = await response.text();
      expect(html).not.toMatch(/<script|<style|\sstyle=|\son[a-z]+=/);
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
      expect([path, response.status]).toEqual([path, 200]);
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
        if (/^(\/en)?\/docs(\/|$)/.test(page) && page !== '/docs/swagger' && !walked.has(page)) {
          walked.add(page);
          queue.push(page);
        }
      }
    }
    for (const { id } of operations) expect(walked).toContain(`/docs/rest/${id}`);
  });

  test('have no page for what does not exist', async () => {
    for (const path of [
      '/docs/rest/nothing',
      '/docs/rest/tags/nothing',
      '/docs/graphql/nothing',
      '/docs/guides/nothing',
    ])
      expect([path, (await site.get(path)).status]).toEqual([path, 404]);
    expect((await site.get(`/docs/search?q=${'x'.repeat(101)}`)).status).toBe(400);
  });
});

describe('an operation’s page', () => {
  test('has the method, the path, each parameter and each status of the OpenAPI text', async () => {
    for (const { id, method, path, parameters, responses } of operations) {
      const html = await site.html(`/docs/rest/${id}`);
      expect([id, readable(html).includes(`${method} ${path}`)]).toEqual([id, true]);
      for (const { name } of parameters)
        expect([id, name, html.includes(`id="parameter-${name}"`)]).toEqual([id, name, true]);
      for (const { status } of responses)
        expect([id, status, html.includes(`id="${status < 400 ? 'response' : 'status'}-${status}"`)]).toEqual([
          id,
          status,
          true,
        ]);
    }
  });

  test('names the codes of its errors', async () => {
    const text = readable(await site.html('/en/docs/rest/createOrder'));
    for (const code of ['CAAS_AUTH_001', 'CAAS_ORD_001', 'CAAS_ORD_002', 'CAAS_ORD_003']) expect(text).toContain(code);
    const all = readable(await site.html('/en/docs/errors'));
    for (const code of registered.errors.keys()) expect(all).toContain(code);
  });
});

describe('samples', () => {
  test('in TypeScript fit the types of the client', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lastro-samples-'));
    try {
      for (const one of operations.filter((one) => schemeOf(one) !== 'browserSession'))
        writeFileSync(join(folder, `${one.id}.ts`), `${typescriptSample(openApi, one)}\n`);
      const settings = {
        compilerOptions: {
          strict: true,
          noEmit: true,
          target: 'es2022',
          module: 'nodenext',
          skipLibCheck: true,
          types: ['node'],
          typeRoots: [join(root, 'node_modules/@types')],
          paths: { '@lastro/sdk': [join(root, 'clients/typescript/src/index.ts')] },
        },
        include: ['*.ts'],
      };
      writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings));
      await run(process.execPath, [join(root, 'clients/typescript/types.mjs')]);
      const compiler = join(root, 'node_modules/typescript/bin/tsc');
      // The compiler says what does not fit on its standard output.
      const checking = run(process.execPath, [compiler, '-p', folder]);
      const { stdout } = await checking.catch((error: unknown) => error as { stdout: string });
      expect(stdout).toBe('');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('in GraphQL are valid documents with valid variables', () => {
    const read = loadOperations(schema);
    for (const { operationId, operation } of routes) {
      const found = operations.find(({ id }) => id === (operationId ?? operation));
      if (found === undefined) throw new Error(`${operation} is not in the OpenAPI text`);
      const { document, variables } = graphqlSample({ schema }, openApi, found, read(operation).document);
      const parsed = parse(document);
      expect([operation, validate(schema, parsed)]).toEqual([operation, []]);
      const [definition] = parsed.definitions;
      const declared = definition?.kind === Kind.OPERATION_DEFINITION ? (definition.variableDefinitions ?? []) : [];
      expect([operation, getVariableValues(schema, declared, variables).errors]).toEqual([operation, undefined]);
    }
  });

  test('in the shell and in GraphQL return data of the demo', async () => {
    const reads = operations.filter(({ tag, method }) => method === 'GET' && tag === 'Operation data');
    const read = loadOperations(schema);
    for (const one of reads) {
      const command = (one.curl ?? '').replace(/^curl/, 'curl -sf --max-time 30');
      const { stdout } = await run('sh', ['-c', command], {
        env: { ...process.env, LASTRO_URL: site.url, API_KEY: apiKey },
      });
      expect(JSON.parse(stdout)).toEqual(expect.any(Object));
      const { document, variables } = graphqlSample({ schema }, openApi, one, read(one.id).document);
      const response = await fetch(`${site.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
        body: JSON.stringify({ query: document, variables }),
      });
      const result = (await response.json()) as { data: unknown; errors?: unknown };
      expect([one.id, result.errors]).toEqual([one.id, undefined]);
    }
  });
});

test('the sample of each event is what its schema allows, and the catalogue has every event', async () => {
  const ajv = new Ajv({ strict: false });
  addFormats.default(ajv);
  const html = await site.html('/docs/webhooks');
  for (const { name, data, meaning } of eventTypes) {
    const sample = eventSample(openApi, name) as { type: string; data: unknown };
    expect(sample.type).toBe(name);
    expect([name, ajv.validate(data, sample.data), ajv.errors]).toEqual([name, true, null]);
    expect(html).toContain(`id="${name.replaceAll('.', '-')}"`);
    expect(readable(html).replace(/ (?=[,.;:)])/g, '')).toContain(meaning.replaceAll('`', ''));
  }
});

describe('the search', () => {
  test.each([
    ['faceValue', '/docs/rest/createCreditBatch#body-contracts-faceValue'],
    ['createOrder', '/docs/rest/createOrder'],
    ['/tidc/v1/credit-batches', '/docs/rest/createCreditBatch'],
    ['CAAS_ORD_001', '/docs/errors#INSUFFICIENT_BALANCE'],
    ['order.filled', '/docs/webhooks#order-filled'],
    ['idempotency', '/docs/guides/common#s7'],
    ['Tranche.unitPrice', '/docs/graphql/tokenization#Tranche-unitPrice'],
  ])('finds %s', async (asked, href) => {
    expect(await site.html(`/docs/search?q=${encodeURIComponent(asked)}`)).toContain(`href="${href}"`);
  });

  test('shows what was asked for as text, and at most 60 results', async () => {
    const html = await site.html(`/docs/search?q=${encodeURIComponent('"><b>x')}`);
    expect(html).not.toContain('<b>x');
    const many = await site.html('/docs/search?q=id');
    expect([...many.matchAll(/<tr>/g)].length).toBe(61);
  });
});

test('the schema of the graph has no page where it is not published', async () => {
  const closed = await openSite({ GRAPHQL_SDL: 'false' });
  try {
    expect((await closed.get('/docs/graphql')).status).toBe(404);
    expect(await closed.html('/docs')).not.toContain('/docs/graphql');
    expect(await closed.html('/docs/search?q=Tranche.unitPrice')).not.toContain('/docs/graphql');
  } finally {
    await closed.platform.close();
  }
});
