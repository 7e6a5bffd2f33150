import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { exampleQueries } from './example-queries.js';

/** Whether a person opened the address in a browser, rather than a program that expects a result. */
export function wantsPage(request: FastifyRequest): boolean {
  return /\btext\/html\b/.test(request.headers.accept ?? '');
}

/**
 * Code of the page for its first WebSocket message: the headers of its header editor, where a person enters the
 * credential. Options of the page are JSON, so this function takes their place as text.
 */
const headersOfEditor = `() => {
  const { tabs = [], activeTabIndex = 0 } = JSON.parse(localStorage.getItem('graphiql:tabState') ?? '{}');
  return JSON.parse(tabs[activeTabIndex]?.headers || '{}');
}`;
const placeholder = 'headers of the editor';

/** Sends the query editor as one page that loads nothing from elsewhere. Its module is imported at the first request. */
export async function sendGraphiql(reply: FastifyReply): Promise<FastifyReply> {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  const nonce = randomBytes(16).toString('base64');
  const options = {
    title: 'Lastro',
    endpoint: '/graphql',
    subscriptionsProtocol: 'WS' as const,
    shouldPersistHeaders: true,
    defaultTabs: exampleQueries.map((query) => ({ query })),
    connectionParams: placeholder,
  };
  const page = renderGraphiQL(options)
    .replace(JSON.stringify(placeholder), () => headersOfEditor)
    .replace('<script>', `<script nonce="${nonce}">`);
  reply.header(
    'content-security-policy',
    [
      "default-src 'none'",
      `script-src 'nonce-${nonce}'`,
      "style-src 'unsafe-inline'",
      'img-src data:',
      'font-src data:',
      "connect-src 'self'",
      'worker-src blob:',
      "frame-ancestors 'none'",
    ].join('; '),
  );
  return reply.type('text/html; charset=utf-8').send(page);
}
