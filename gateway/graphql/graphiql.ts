import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { codingOf } from '../http/reply/compression.js';

/** Queries that the editor opens with. Everyone may run them as they stand; tests do. */
export const exampleQueries: readonly string[] = [
  `# The active tokenized series with their latest unit prices. Press Ctrl+Enter to run it.
# Published operations, accounts and trading need a credential: enter it below as a header, {"X-API-Key": "…"}.
query ActiveSeries {
  tranches(first: 10, filter: { status: ACTIVE }) {
    totalCount
    nodes {
      ticker
      name
      remuneration
      unitPrice
      pricedOn
      nextPayment {
        dueDate
        totalValue
        projected
      }
    }
  }
}
`,
  `# What each unit price was made of: the factors of the last five days.
query UnitPrices {
  tranches(first: 1, filter: { status: ACTIVE }) {
    nodes {
      ticker
      unitPrices(last: 5) {
        nodes {
          date
          unitPrice
          nominalValue
          interestJ
          indexFactor
          interestFactor
        }
      }
    }
  }
}
`,
  `# The tokenized credits, in total.
query Assets {
  assetSummary {
    totalAssets
    activeAssets
    totalCurrentBalance
    defaultRate
  }
}
`,
];

/** Whether a person opened the address in a browser, rather than a program that expects a result. */
export function wantsPage(request: FastifyRequest): boolean {
  return /\btext\/html\b/.test(request.headers.accept ?? '');
}

/** Code of the page for its first WebSocket message: the headers of its header editor, where a person enters the credential. */
const headersOfEditor = `() => {
  const { tabs = [], activeTabIndex = 0 } = JSON.parse(localStorage.getItem('graphiql:tabState') ?? '{}');
  return JSON.parse(tabs[activeTabIndex]?.headers || '{}');
}`;

const options = {
  title: 'Lastro',
  endpoint: '/graphql',
  subscriptionsProtocol: 'WS' as const,
  shouldPersistHeaders: true,
  defaultTabs: exampleQueries.map((query) => ({ query })),
};

/** Code of the page, before the editor: how it writes its styles. */
const permitStyles = readFileSync(new URL('./graphiql-styles.js', import.meta.url), 'utf8');

const renderEditor = `{ const options = ${JSON.stringify(options)};
YogaGraphiQL.renderYogaGraphiQL(document.querySelector('#root'), { ...options, connectionParams: ${headersOfEditor} }); }`;

/** The page in parts. The constant part, some 9 MB, is sent once and cached by browsers. */
interface Parts {
  readonly head: string;
  readonly style: string;
  readonly body: string;
  readonly script: string;
}

let parts: Promise<Parts> | undefined;

/** Reads the module of the editor at the first request, and takes its page apart. @throws {Error} where a newer version of it has another form */
async function readParts(): Promise<Parts> {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  const page = renderGraphiQL(options);
  const between = (begin: string, end: string, from = 0) => {
    const start = page.indexOf(begin, from);
    const stop = page.indexOf(end, start);
    if (start < 0 || stop < 0) throw new Error(`The page of GraphiQL has no ${begin}`);
    return { start, text: page.slice(start + begin.length, stop), stop: stop + end.length };
  };
  const style = between('<style>', '</style>');
  const script = between('<script>', 'YogaGraphiQL.renderYogaGraphiQL(', style.stop);
  return {
    head: page.slice(0, style.start),
    style: style.text,
    body: page.slice(style.stop, script.start),
    script: `${permitStyles}${script.text};\n${renderEditor}`,
  };
}

const { version } = createRequire(import.meta.url)('@graphql-yoga/render-graphiql/package.json') as {
  readonly version: string;
};
const edition = `${version}-${createHash('sha256')
  .update(permitStyles + renderEditor)
  .digest('base64url')
  .slice(0, 12)}`;
const files = {
  script: { path: `/assets/graphiql-${edition}.js`, type: 'text/javascript; charset=utf-8' },
  style: { path: `/assets/graphiql-${edition}.css`, type: 'text/css; charset=utf-8' },
} as const;

/** Compresses at the first request, since production has no editor; fast rather than small. */
const compress = {
  br: (text: string) => promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (text: string) => promisify(gzip)(text),
} as const;

/** Serves the editor's script and styles, for ever: another version has another address. */
export function serveGraphiql(app: FastifyInstance): void {
  const edge = { credential: 'none', bucket: 'unmetered' } as const;
  for (const [name, { path, type }] of Object.entries(files)) {
    const packed = new Map<string, Promise<Buffer>>();
    app.get(path, { config: { edge } }, async (request, reply) => {
      const text = (await (parts ??= readParts()))[name as keyof typeof files];
      reply.type(type).header('cache-control', 'public, max-age=31536000, immutable').header('vary', 'Accept-Encoding');
      const coding = codingOf(request.headers['accept-encoding']);
      if (coding === undefined) return reply.send(text);
      const bytes = packed.get(coding) ?? compress[coding](text);
      packed.set(coding, bytes);
      return reply.header('content-encoding', coding).send(await bytes);
    });
  }
}

export async function sendGraphiql(reply: FastifyReply): Promise<FastifyReply> {
  const { head, body } = await (parts ??= readParts());
  const nonce = randomBytes(16).toString('base64');
  reply.header(
    'content-security-policy',
    [
      "default-src 'none'",
      "script-src 'self'",
      `style-src 'self' 'nonce-${nonce}'`,
      'img-src data:',
      'font-src data:',
      "connect-src 'self'",
      'worker-src blob:',
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
  );
  return reply
    .type('text/html; charset=utf-8')
    .send(
      `${head}<link rel="stylesheet" href="${files.style.path}" />${body}<script src="${files.script.path}" nonce="${nonce}"></script></body></html>`,
    );
}
