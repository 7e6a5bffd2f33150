import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Whether a person opened the address in a browser, rather than a program asked for an answer. */
export function wantsPage(request: FastifyRequest): boolean {
  return request.method === 'GET' && /\btext\/html\b/.test(request.headers.accept ?? '');
}

/**
 * What the page sends first over a WebSocket: the headers of its header editor, which is where a person puts the
 * credential. Options of the page are JSON, so this stands in their place as text.
 */
const headersOfEditor = `() => {
  const { tabs = [], activeTabIndex = 0 } = JSON.parse(localStorage.getItem('graphiql:tabState') ?? '{}');
  return JSON.parse(tabs[activeTabIndex]?.headers || '{}');
}`;
const placeholder = 'headers of the editor';

/** The query editor, whole: nothing of it comes from another place. Loaded when it is first asked for. */
export async function sendGraphiql(reply: FastifyReply): Promise<FastifyReply> {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  const nonce = randomBytes(16).toString('base64');
  const options = {
    title: 'Lastro',
    endpoint: '/graphql',
    subscriptionsProtocol: 'WS' as const,
    shouldPersistHeaders: true,
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
