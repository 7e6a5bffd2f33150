import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ReactNode } from 'react';
import { z } from 'zod';
import { contextOf } from '../../../gateway/http/identify/context.js';
import { gravest } from '../../../gateway/graph/graph-error.js';
import type { Graph } from '../../../gateway/graph/graph.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import { unlistedHtmlOf } from '../layout.js';
import { type Site, locales, type Locale } from '../page.js';
import { pagePolicy } from '../policy.js';

export interface LinkPagesOptions {
  readonly graph: Graph;
  readonly site: Site;
}

/** A page that a link in a mail opens: it asks, and does what the mail offers when its reader presses the button. */
interface LinkPage {
  readonly path: string;
  readonly document: string;
  readonly result?: (data: unknown) => ReactNode;
  readonly texts: (locale: Locale) => Record<'title' | 'ask' | 'act' | 'done' | 'invalid' | 'after', string>;
  readonly after: string;
  readonly bucket: 'public' | 'accounts';
}

const pages: readonly LinkPage[] = [
  {
    // Mail programs post to it when their reader presses their button (RFC 8058): without a cookie, and without another question.
    path: '/encerrar-resumos',
    document: 'mutation endDigests($token: String!) { endDigests(token: $token) }',
    texts: ({ text }) => text.endDigests,
    after: '/painel/conta/dados#mails',
    bucket: 'public',
  },
  {
    path: '/chave-de-operador',
    document: 'mutation fetchOperatorKey($token: String!) { key: fetchOperatorKey(token: $token) }',
    result: (data) => (
      <p>
        <code>{z.object({ key: z.string() }).parse(data).key}</code>
      </p>
    ),
    texts: ({ text }) => text.operatorKey,
    after: '/painel',
    bucket: 'accounts',
  },
];

const query = z.object({ token: z.string().min(1).max(200) });

/** What mail programs and forms send. The token is in the address; nothing is read from the body. */
const unparsed = ['application/x-www-form-urlencoded', 'multipart/form-data'];
const bodyLimit = 4_096;

/** Serves the pages of links in every language. Who opens the address gets a page with a button, since mail scanners open links by themselves. */
export function linkPages(app: FastifyInstance, options: LinkPagesOptions): void {
  for (const page of pages) addPage(app, options, page);
}

function addPage(app: FastifyInstance, { graph, site }: LinkPagesOptions, page: LinkPage): void {
  const operation = graph.prepare(page.document);
  const run = async (request: FastifyRequest): Promise<unknown> => {
    const { data, errors } = await graph.run(operation, { token: tokenOf(request) }, contextOf(request));
    if (errors !== undefined) throw gravest(errors);
    return data;
  };
  for (const locale of locales) {
    const text = page.texts(locale);
    const address = `${locale.prefix}${page.path}`;
    const send = (reply: FastifyReply, status: number, body: ReactNode) =>
      reply
        .code(status)
        .header('content-security-policy', pagePolicy)
        .header('cache-control', 'no-store')
        .header('referrer-policy', 'no-referrer')
        .type('text/html; charset=utf-8')
        .send(
          unlistedHtmlOf(
            text.title,
            <div className="section">
              <h1>{text.title}</h1>
              {body}
              <p>
                <a href={`${locale.prefix}${page.after}`}>{text.after}</a>
              </p>
            </div>,
            locale,
            site,
          ),
        );
    app.get(address, { config: { edge: { credential: 'none', bucket: 'public' } } }, (request, reply) => {
      tokenOf(request);
      // The form has no action: it posts to the address of the page, which holds the token.
      return send(
        reply,
        200,
        <>
          <p>{text.ask}</p>
          <form method="post">
            <button>{text.act}</button>
          </form>
        </>,
      );
    });
    const edge = { credential: 'none', bucket: page.bucket } as const;
    app.post(address, { config: { edge, unparsed }, bodyLimit }, async (request, reply) => {
      let data: unknown;
      try {
        data = await run(request);
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 422) throw error;
        return send(reply, 422, <p className="notice bad">{text.invalid}</p>);
      }
      return send(
        reply,
        200,
        <>
          {page.result?.(data)}
          <p className="notice">{text.done}</p>
        </>,
      );
    });
  }
}

/** @throws {ApiError} BAD_REQUEST for an address without a token */
function tokenOf(request: FastifyRequest): string {
  const parsed = query.safeParse(request.query);
  if (parsed.success) return parsed.data.token;
  throw new ApiError('BAD_REQUEST', {
    details: [{ path: 'token', message: 'must be the token of the link in a mail' }],
  });
}
