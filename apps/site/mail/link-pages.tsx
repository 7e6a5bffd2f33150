import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ReactNode } from 'react';
import { z } from 'zod';
import { contextOf } from '../../../gateway/http/identify/context.js';
import { gravest } from '../../../gateway/graph/graph-error.js';
import type { Graph } from '../../../gateway/graph/graph.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import { unlistedHtmlOf } from '../layout.js';
import { type Site, locales } from '../page.js';
import { pagePolicy } from '../policy.js';

export interface LinkPagesOptions {
  readonly graph: Graph;
  readonly site: Site;
}

const path = '/chave-de-operador';
const document = 'mutation fetchOperatorKey($token: String!) { key: fetchOperatorKey(token: $token) }';
const result = z.object({ key: z.string() });
const query = z.object({ token: z.string().min(1).max(200) });

/** Content type of the form. The token is in the address; nothing is read from the body. */
const unparsed = ['application/x-www-form-urlencoded'];
const bodyLimit = 4_096;

/** Serves the page on which an operator gets a key, in every language. Who opens the address gets a page with a button, since mail scanners open links by themselves. */
export function linkPages(app: FastifyInstance, { graph, site }: LinkPagesOptions): void {
  const operation = graph.prepare(document);
  const run = async (request: FastifyRequest): Promise<string> => {
    const { data, errors } = await graph.run(operation, { token: tokenOf(request) }, contextOf(request));
    if (errors !== undefined) throw gravest(errors);
    return result.parse(data).key;
  };
  for (const locale of locales) {
    const text = locale.text.operatorKey;
    const address = `${locale.prefix}${path}`;
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
                <a href={`${locale.prefix}/painel`}>{text.after}</a>
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
    const edge = { credential: 'none', bucket: 'accounts' } as const;
    app.post(address, { config: { edge, unparsed }, bodyLimit }, async (request, reply) => {
      let key: string;
      try {
        key = await run(request);
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 422) throw error;
        return send(reply, 422, <p className="notice bad">{text.invalid}</p>);
      }
      return send(
        reply,
        200,
        <>
          <p>
            <code>{key}</code>
          </p>
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
