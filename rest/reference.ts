import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { FastifyInstance } from 'fastify';
import { serveFile, type ServedFile } from '../gateway/http/reply/serve-file.js';

/** Content-Security-Policy: everything comes from this origin, and the page requests no other. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Issuances, tokenization and trading API</title>
    <link rel="stylesheet" href="/docs/swagger/swagger-ui.css" />
    <link rel="icon" type="image/png" href="/docs/swagger/favicon-32x32.png" />
  </head>
  <body>
    <main id="reference"></main>
    <noscript><p>The reference needs JavaScript. Its source is <a href="/openapi.json">/openapi.json</a>.</p></noscript>
    <script src="/docs/swagger/swagger-ui-bundle.js"></script>
    <script src="/docs/swagger/start.js"></script>
  </body>
</html>
`;

/** The page sends requests to its own origin only, by whatever name it was opened. */
const start = `fetch('/openapi.json').then(async (response) => {
  SwaggerUIBundle({
    spec: { ...(await response.json()), servers: [{ url: '/' }] },
    dom_id: '#reference',
    deepLinking: true,
    displayRequestDuration: true,
    filter: true,
    validatorUrl: null,
  });
});
`;

const require = createRequire(import.meta.url);

const assets: Readonly<Record<string, ServedFile>> = {
  'swagger-ui.css': {
    type: 'text/css; charset=utf-8',
    read: () => readFileSync(require.resolve('swagger-ui-dist/swagger-ui.css')),
  },
  'swagger-ui-bundle.js': {
    type: 'text/javascript; charset=utf-8',
    read: () => readFileSync(require.resolve('swagger-ui-dist/swagger-ui-bundle.js')),
  },
  'favicon-32x32.png': {
    type: 'image/png',
    read: () => readFileSync(require.resolve('swagger-ui-dist/favicon-32x32.png')),
  },
  'start.js': { type: 'text/javascript; charset=utf-8', read: () => Buffer.from(start) },
};

/** Serves `/openapi.json`, and Swagger UI at `/docs/swagger` with all its files, so that the reference needs no other site. */
export function swaggerPages(app: FastifyInstance, openApiText: string): void {
  app.get('/docs/swagger', (_request, reply) =>
    reply.header('content-security-policy', policy).type('text/html; charset=utf-8').send(page),
  );
  serveFile(app, '/openapi.json', { type: 'application/json; charset=utf-8', read: () => Buffer.from(openApiText) });
  for (const [name, asset] of Object.entries(assets)) serveFile(app, `/docs/swagger/${name}`, asset);
}
