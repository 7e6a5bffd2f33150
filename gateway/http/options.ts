import type { FastifyRequest } from 'fastify';
import type { Registry } from 'prom-client';
import type { Config } from '../../shared/kernel/config.js';
import type { NoteRequest } from '../../shared/kernel/logged-request.js';
import type { ContextMaker } from './identify/context.js';
import type { Envelope } from './reply/envelope.js';
import type { Limiter } from './limits/limiter.js';
import type { ReadyChecks } from './readiness.js';
import type { Callers } from './route-policy.js';

/** A response for people in place of the envelope, with the headers that it needs. */
export interface ErrorPage {
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Returns the page that shows an error to a reader of the public pages; undefined where the request came from a program. */
export type MakeErrorPage = (request: FastifyRequest, error: Envelope) => ErrorPage | undefined;

export interface EdgeOptions extends ContextMaker {
  readonly config: Pick<
    Config,
    | 'allowedOrigins'
    | 'connections'
    | 'host'
    | 'metricsAllow'
    | 'operatorUrl'
    | 'publicUrl'
    | 'rateLimits'
    | 'requests'
    | 'requireHttps'
    | 'tls'
    | 'tracing'
    | 'trustProxy'
  >;
  readonly callers: Callers;
  readonly limiter: Limiter;
  readonly registry: Registry;
  readonly checks: ReadyChecks;
  readonly noteRequest?: NoteRequest | undefined;
  /** Without it every error is sent in the envelope. */
  readonly errorPage?: MakeErrorPage;
}
