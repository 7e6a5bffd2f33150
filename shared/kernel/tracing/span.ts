import { codeOf } from '../thrown.js';

/** Facts about a span. Never a parameter of a statement, a header, a body, a credential, a person or an address: whoever reads traces may read them all. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

export interface SpanOptions {
  /** Its part in a call, as OpenTelemetry names it; `internal` where there is none. */
  readonly kind?: 'client' | 'consumer' | 'internal' | 'producer' | 'server';
  readonly attributes?: SpanAttributes;
}

/** The headers of W3C Trace Context, by which another process continues a trace. */
export interface TraceHeaders {
  readonly traceparent: string;
  readonly tracestate?: string;
}

/** A step of a trace that is recorded. Where nothing is recorded there is no span. */
export interface Span {
  readonly traceId: string;
  readonly headers: TraceHeaders;
  begin(name: string, options?: SpanOptions): Span;
  set(attributes: SpanAttributes): void;
  /** Ends the step. @param error the code of the error with which it failed */
  end(error?: string): void;
}

export type ReceivedHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Begins traces, and sends what was recorded. A process without an endpoint for traces has none. */
export interface Tracer {
  /** Undefined where the sampler does not choose it. @param trusted whether the caller's trace, and its decision, is continued; else it is linked */
  beginRequest(
    name: string,
    headers: ReceivedHeaders,
    options: SpanOptions & { readonly trusted: boolean },
  ): Span | undefined;
  /** Continues the trace of another part of this platform; undefined where that records nothing. */
  join(name: string, headers: ReceivedHeaders, options?: SpanOptions): Span | undefined;
  /** Begins a trace of later work, linked to the spans that caused it; undefined where none of them was recorded. */
  beginAfter(name: string, causes: readonly (string | null | undefined)[], options?: SpanOptions): Span | undefined;
  /** Sends what is left, for two seconds at most. */
  close(): Promise<void>;
}

/** Runs `work` and ends its span with the outcome. */
export async function spanOf<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    const result = await work();
    span.end();
    return result;
  } catch (error) {
    span.end(errorType(error));
    throw error;
  }
}

/** Returns the name of an error for a span: its code or class, and never its message, which may repeat values. */
export function errorType(error: unknown): string {
  return codeOf(error) ?? (error instanceof Error ? error.name : 'Error');
}
