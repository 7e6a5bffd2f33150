import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { styleSheet } from './design/assets.js';

/** Pages that the links in mails open, read once at start. The token in their address stays out of caches and referrers. */
const pages = [
  { path: '/verificar-email', file: 'verificar-email.html', type: 'text/html; charset=utf-8' },
  { path: '/redefinir-senha', file: 'redefinir-senha.html', type: 'text/html; charset=utf-8' },
  { path: '/web/pages.js', file: 'pages.js', type: 'text/javascript; charset=utf-8' },
] as const;

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

export function webPages(app: FastifyInstance): void {
  for (const { path, file, type } of pages) {
    const source = readFileSync(new URL(`./pages/${file}`, import.meta.url), 'utf8');
    const body = source.replace('/assets/design.css', styleSheet.path);
    app.get(path, (_request, reply) =>
      reply
        .header('content-type', type)
        .header('content-security-policy', policy)
        .header('cache-control', 'no-store')
        .header('referrer-policy', 'no-referrer')
        .send(body),
    );
  }
}
