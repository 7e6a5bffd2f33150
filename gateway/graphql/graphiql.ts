import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { once } from '../../shared/memo.js';
import { sendReading } from '../http/reply/compression.js';
import { hasTag, tagOf } from '../http/reply/public-response.js';

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

/** Reads the page, some 9 MB, at the first request. Its script is permitted by its hash; the styles that the editor writes have to be permitted as such. */
const readPage = once(async () => {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  // The page has its options as JSON, which has no functions.
  const page = renderGraphiQL(options).replace('{"title":', () => `{connectionParams: ${headersOfEditor}, "title":`);
  const script = /<script>(.*)<\/script>/s.exec(page)?.[1] ?? '';
  const hash = createHash('sha256').update(script).digest('base64');
  const policy = [
    "default-src 'none'",
    `script-src 'sha256-${hash}'`,
    "style-src 'unsafe-inline'",
    'img-src data:',
    'font-src data:',
    "connect-src 'self'",
    'worker-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  return { bytes: Buffer.from(page), policy };
});

export async function sendGraphiql(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { bytes, policy } = await readPage();
  const tag = tagOf(bytes);
  reply.header('content-security-policy', policy).header('etag', `W/"${tag}"`).header('cache-control', 'no-cache');
  if (hasTag(request, tag)) return reply.code(304).send();
  return sendReading(reply.type('text/html; charset=utf-8'), bytes);
}
