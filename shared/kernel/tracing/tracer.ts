import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Link,
  type Span as RecordedSpan,
  type SpanContext,
  type SpanOptions as StartOptions,
  type Tracer as SpanMaker,
} from '@opentelemetry/api';
import { ExportResultCode, parseTraceParent, TraceState } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TracerProvider,
  TraceIdRatioBasedSampler,
  type SpanExporter,
} from '@opentelemetry/sdk-trace';
import { atMost } from '../turns.js';
import type { Config } from '../config.js';
import type { Logger } from '../log.js';
import type { ReceivedHeaders, Span, SpanAttributes, SpanOptions, TraceHeaders, Tracer } from './span.js';
import { Counter, type Registry } from 'prom-client';

export interface TracerParts {
  readonly settings: NonNullable<Config['tracing']>;
  readonly role: string;
  readonly registry: Registry;
  readonly log: Logger;
}

/** Causes of one span: as many as a span may have links. */
const mostCauses = 32;
const longestState = 512;
const exportTimeoutMs = 10_000;
const closeMs = 2_000;
const limits = { attributeValueLengthLimit: 2_000, attributeCountLimit: 16, linkCountLimit: mostCauses };

const kinds: Readonly<Record<NonNullable<SpanOptions['kind']>, SpanKind>> = {
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
  producer: SpanKind.PRODUCER,
  server: SpanKind.SERVER,
};

/** OpenTelemetry's SDK, loaded only where traces are sent. Our `Context` hands spans on: nothing is patched. */
export function createTracer({ settings, role, registry, log }: TracerParts): Tracer {
  const exporter = new OTLPTraceExporter({
    url: `${settings.endpoint}/v1/traces`,
    headers: { ...settings.headers },
    timeoutMillis: exportTimeoutMs,
  });
  // Nobody waits for it: spans that find the queue full are dropped.
  const queue = new BatchSpanProcessor({
    exporter: counting(exporter, { registry, log }),
    scheduledDelayMillis: settings.delayMs,
    exportTimeoutMillis: exportTimeoutMs,
  });
  const attributes = { 'service.name': settings.serviceName, 'lastro.role': role };
  const shared = { resource: resourceFromAttributes(attributes), spanLimits: limits, spanProcessors: [queue] };
  const ratio = new TraceIdRatioBasedSampler(settings.ratio);
  const sampling = new TracerProvider({ ...shared, sampler: new ParentBasedSampler({ root: ratio }) }).getTracer(
    'lastro',
  );
  // Records all that a recorded request causes: the sampler was asked when the request began.
  const always = new TracerProvider({ ...shared, sampler: new AlwaysOnSampler() }).getTracer('lastro');

  const begin = (
    maker: SpanMaker,
    name: string,
    options: SpanOptions,
    more: { parent?: SpanContext; links?: Link[] },
  ) => {
    const at = more.parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, more.parent);
    const span = maker.startSpan(name, { ...startOptions(options), links: more.links ?? [] }, at);
    return span.isRecording() ? new TraceSpan(span, maker) : undefined;
  };

  return {
    beginRequest: (name, headers, { trusted, ...options }) => {
      const caller = callerIn(headers);
      if (caller === undefined) return begin(sampling, name, options, {});
      return begin(sampling, name, options, trusted ? { parent: caller } : { links: [{ context: caller }] });
    },
    join: (name, headers, options = {}) => {
      const caller = callerIn(headers);
      return caller === undefined ? undefined : begin(sampling, name, options, { parent: caller });
    },
    beginAfter: (name, causes, options = {}) => {
      const links = [...new Set(causes)].flatMap((cause) => {
        const context = cause == null ? null : parseTraceParent(cause);
        return context === null ? [] : [{ context: { ...context, isRemote: true } }];
      });
      return links.length === 0 ? undefined : begin(always, name, options, { links: links.slice(0, mostCauses) });
    },
    close: () => atMost(closeMs, queue.shutdown()),
  };
}

/** Counts what an exporter sends, and logs once that it fails, and that it works again. */
function counting(exporter: SpanExporter, { registry, log }: Pick<TracerParts, 'registry' | 'log'>): SpanExporter {
  const registers = [registry];
  const sent = new Counter({
    name: 'trace_spans_sent_total',
    help: 'Spans that the receiver of traces has accepted.',
    registers,
  });
  const dropped = new Counter({
    name: 'trace_spans_dropped_total',
    help: 'Spans that the receiver of traces did not accept. Those that found the queue full are not counted.',
    registers,
  });
  let failed = false;
  return {
    export: (spans, done) => {
      exporter.export(spans, (result) => {
        const fails = result.code !== ExportResultCode.SUCCESS;
        (fails ? dropped : sent).inc(spans.length);
        if (fails && !failed) {
          const error = result.error?.message.slice(0, 200);
          log.warn({ error }, 'Traces could not be sent; requests are served without them');
        }
        if (!fails && failed) log.info('Traces are sent again');
        failed = fails;
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}

/** Returns the span of the caller that headers name, strictly by W3C Trace Context; undefined where they name none. */
function callerIn({ traceparent, tracestate }: ReceivedHeaders): SpanContext | undefined {
  const parent = typeof traceparent === 'string' ? parseTraceParent(traceparent) : null;
  if (parent === null) return undefined;
  const state = typeof tracestate === 'string' && tracestate.length <= longestState ? tracestate : undefined;
  return { ...parent, isRemote: true, ...(state === undefined ? {} : { traceState: new TraceState(state) }) };
}

function startOptions({ kind = 'internal', attributes = {} }: SpanOptions): StartOptions {
  return { kind: kinds[kind], attributes: { ...attributes } };
}

class TraceSpan implements Span {
  constructor(
    private readonly span: RecordedSpan,
    private readonly maker: SpanMaker,
  ) {}

  get traceId(): string {
    return this.span.spanContext().traceId;
  }

  get headers(): TraceHeaders {
    const { traceId, spanId, traceState } = this.span.spanContext();
    const state = traceState?.serialize() ?? '';
    return { traceparent: `00-${traceId}-${spanId}-01`, ...(state === '' ? {} : { tracestate: state }) };
  }

  begin(name: string, options: SpanOptions = {}): Span {
    const at = trace.setSpan(ROOT_CONTEXT, this.span);
    return new TraceSpan(this.maker.startSpan(name, startOptions(options), at), this.maker);
  }

  set(attributes: SpanAttributes): void {
    this.span.setAttributes({ ...attributes });
  }

  end(error?: string): void {
    if (error !== undefined) {
      this.span.setAttribute('error.type', error);
      this.span.setStatus({ code: SpanStatusCode.ERROR });
    }
    this.span.end();
  }
}
