import type { FastifyRequest } from 'fastify';
import type { Config } from '../../../shared/kernel/config.js';
import type { Span, SpanOptions, Tracer } from '../../../shared/kernel/tracing/span.js';
import { trustOf } from '../../../shared/kernel/network.js';
import { pathOf } from '../route-policy.js';

/** Begins the span of a request; undefined where its trace is not recorded. */
export type BeginRequestSpan = (request: FastifyRequest) => Span | undefined;

/** Undefined where no traces are sent; probes have no span. Callers' traces are continued only from trusted addresses. */
export function createRequestSpans(
  tracer: Tracer | undefined,
  settings: Config['tracing'],
): BeginRequestSpan | undefined {
  if (tracer === undefined) return undefined;
  const trusts = trustOf(settings?.trustIncoming ?? []);
  return (request) => {
    const { rules } = request.edge;
    if (rules.bucket === 'unmetered') return undefined;
    const trusted = trusts(request.socket.remoteAddress ?? '');
    return tracer.beginRequest(spanNameOf(request), request.headers, { ...requestSpanOptions(request), trusted });
  };
}

/** Returns the name of a request's span: its method and the template of its route, of which there are few. */
export function spanNameOf({ method, edge: { route } }: FastifyRequest): string {
  return `${method} ${route}`;
}

/** Returns the initial attributes of a request's span. The path of an unknown route is left out, since it may be anything. */
export function requestSpanOptions(request: FastifyRequest): SpanOptions {
  const { route } = request.edge;
  const path = request.is404 ? {} : { 'url.path': pathOf(request) };
  return { kind: 'server', attributes: { 'http.request.method': request.method, 'http.route': route, ...path } };
}

/** Ends the span of a request with its status: an error from 500 on, as OpenTelemetry's conventions say. */
export function endRequestSpan(span: Span, status: number): void {
  span.set({ 'http.response.status_code': status });
  span.end(status >= 500 ? String(status) : undefined);
}
