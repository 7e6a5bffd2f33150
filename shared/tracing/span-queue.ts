import { TraceFlags } from '@opentelemetry/api';
import { ExportResultCode } from '@opentelemetry/core';
import type { ReadableSpan, SpanExporter, SpanProcessor } from '@opentelemetry/sdk-trace';
import { atMost } from '../at-most.js';
import type { Logger } from '../log.js';
import { errorOf } from '../thrown.js';
import type { SpanCounts } from './metrics.js';

export interface SpanQueueParts {
  readonly exporter: SpanExporter;
  readonly counts: SpanCounts;
  readonly log: Logger;
  /** How long a span may wait for others that are sent with it, in milliseconds. */
  readonly delayMs: number;
}

/** Spans that may wait: a few MB. */
const mostWaiting = 2_048;
const mostInBatch = 512;
/** How long a stop waits for the receiver. */
const closeMs = 2_000;

/**
 * Sends ended spans in batches, one batch at a time. Nobody waits for it: while the receiver is away or slow, spans that find the queue full are dropped
 * and counted. OpenTelemetry's own queue does the same but counts nothing.
 */
export class SpanQueue implements SpanProcessor {
  #waiting: ReadableSpan[] = [];
  #sending: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #failed = false;
  #closed = false;

  constructor(private readonly parts: SpanQueueParts) {}

  onStart(): void {
    // Only ended spans are sent.
  }

  onEnd(span: ReadableSpan): void {
    if ((span.spanContext().traceFlags & TraceFlags.SAMPLED) === 0) return;
    const refusal = this.#closed ? 'stop' : this.#waiting.length >= mostWaiting ? 'queue' : undefined;
    if (refusal !== undefined) {
      this.parts.counts.dropped(refusal, 1);
      return;
    }
    this.#waiting.push(span);
    if (this.#waiting.length >= mostInBatch) void this.#send();
    else this.#timer ??= setTimeout(() => void this.#send(), this.parts.delayMs).unref();
  }

  async forceFlush(): Promise<void> {
    while (this.#waiting.length > 0 || this.#sending !== undefined) await this.#send();
  }

  /** Sends what is left, as long as the receiver takes it within two seconds. */
  async shutdown(): Promise<void> {
    this.#closed = true;
    await atMost(
      closeMs,
      this.forceFlush().then(() => this.parts.exporter.shutdown()),
    );
    this.parts.counts.dropped('stop', this.#waiting.splice(0).length);
  }

  /** Sends the next batch, unless one is under way: what it leaves behind is sent after it. */
  async #send(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#sending ??= this.#sendBatch(this.#waiting.splice(0, mostInBatch)).finally(() => {
      this.#sending = undefined;
      if (this.#waiting.length > 0) this.#timer ??= setTimeout(() => void this.#send(), this.#pauseMs()).unref();
    });
    await this.#sending;
  }

  /** After a failure the receiver gets time to recover; otherwise a full batch need not wait. */
  #pauseMs(): number {
    return this.#failed || this.#waiting.length < mostInBatch ? this.parts.delayMs : 0;
  }

  async #sendBatch(spans: ReadableSpan[]): Promise<void> {
    if (spans.length === 0) return;
    const { exporter, counts, log } = this.parts;
    const error = await new Promise<Error | undefined>((resolve) => {
      exporter.export(spans, (result) => {
        const { code, error: cause } = result;
        resolve(code === ExportResultCode.SUCCESS ? undefined : (cause ?? new Error('The receiver refused the spans')));
      });
    }).catch(errorOf);
    if (error === undefined) counts.sent(spans.length);
    else counts.dropped('receiver', spans.length);
    if (error !== undefined && !this.#failed) {
      log.warn({ error: error.message.slice(0, 200) }, 'Traces could not be sent; requests are served without them');
    }
    if (error === undefined && this.#failed) log.info('Traces are sent again');
    this.#failed = error !== undefined;
  }
}
