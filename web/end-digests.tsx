import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ReactNode } from 'react';
import { z } from 'zod';
import { addBodyParser } from '../gateway/edge/body.js';
import { contextOf } from '../gateway/edge/context.js';
import { gravest } from '../gateway/graph-error.js';
import type { Graph } from '../gateway/graph.js';
import { ApiError } from '../shared/errors.js';
import { unlistedHtmlOf } from './public/layout.js';
import { locales, type Locale } from './public/locale.js';
import type { Site } from './public/page.js';
import { pagePolicy } from './public/policy.js';

export interface EndDigestsOptions {
  readonly graph: Graph;
  readonly site: Site;
}

const path = '/encerrar-resumos';
const query = z.object({ token: z.string().min(1).max(200) });
const document = 'mutation endDigests($token: String!) { endDigests(token: $token) }';

/** What mail programs and forms send. The token is in the address; nothing is read from the body. */
const bodies = ['application/x-www-form-urlencoded', 'multipart/form-data'];
const bodyLimit = 4_096;

/**
 * Serves the page that ends digests. Mail programs post to its address when their reader presses their button (RFC 8058): without a cookie, and without another
 * question. Who opens the address gets a page with a button, since mail scanners open links by themselves.
 */
export function endDigestsPages(app: FastifyInstance, { graph, site }: EndDigestsOptions): void {
  const operation = graph.prepare(document);
  const edge = { credential: 'none', bucket: 'public' } as const;

  const end = async (request: FastifyRequest): Promise<void> => {
    const { errors } = await graph.run(operation, { token: tokenOf(request) }, contextOf(request));
    if (errors !== undefined) throw gravest(errors);
  };

  void app.register((own, _options, done) => {
    for (const type of bodies) addBodyParser(own, type, (_request, _bytes, ended) => ended(null));
    for (const locale of locales) {
      const { endDigests: text } = locale.text;
      const page = (reply: FastifyReply, status: number, body: ReactNode) =>
        reply
          .code(status)
          .header('content-security-policy', pagePolicy)
          .header('cache-control', 'no-store')
          .header('referrer-policy', 'no-referrer')
          .type('text/html; charset=utf-8')
          .send(unlistedHtmlOf(text.title, <Frame locale={locale}>{body}</Frame>, locale, site));
      own.get(`${locale.prefix}${path}`, { config: { edge } }, (request, reply) => {
        tokenOf(request);
        return page(reply, 200, <Ask locale={locale} />);
      });
      own.post(`${locale.prefix}${path}`, { config: { edge }, bodyLimit }, async (request, reply) => {
        try {
          await end(request);
        } catch (error) {
          if (!(error instanceof ApiError) || error.status !== 422) throw error;
          return page(reply, 422, <p className="notice bad">{text.invalid}</p>);
        }
        return page(reply, 200, <p className="notice">{text.done}</p>);
      });
    }
    done();
  });
}

/** @throws {ApiError} BAD_REQUEST for an address without a token */
function tokenOf(request: FastifyRequest): string {
  const parsed = query.safeParse(request.query);
  if (parsed.success) return parsed.data.token;
  throw new ApiError('BAD_REQUEST', {
    details: [{ path: 'token', message: 'must be the token of the link in a digest' }],
  });
}

function Frame({ locale, children }: { readonly locale: Locale; readonly children: ReactNode }) {
  const { endDigests: text } = locale.text;
  return (
    <div className="section">
      <h1>{text.title}</h1>
      {children}
      <p>
        <a href={`${locale.prefix}/painel/conta/dados#mails`}>{text.settings}</a>
      </p>
    </div>
  );
}

/** The form has no action: it posts to the address of the page, which holds the token. */
function Ask({ locale }: { readonly locale: Locale }) {
  const { endDigests: text } = locale.text;
  return (
    <>
      <p>{text.ask}</p>
      <form method="post">
        <input type="hidden" name="List-Unsubscribe" value="One-Click" />
        <button>{text.act}</button>
      </form>
    </>
  );
}
