import { Counter, type Registry } from 'prom-client';

/** Why a span was not sent: the receiver did not take it, or its trace had too many. */
const reasons = ['receiver', 'trace'] as const;
type Reason = (typeof reasons)[number];

export interface SpanCounts {
  sent(count: number): void;
  dropped(reason: Reason, count: number): void;
}

export function countSpans(registry: Registry): SpanCounts {
  const sent = new Counter({
    name: 'trace_spans_sent_total',
    help: 'Spans that the receiver of traces has accepted.',
    registers: [registry],
  });
  const dropped = new Counter({
    name: 'trace_spans_dropped_total',
    help: 'Spans that were dropped: the receiver did not accept them, or their trace had too many. Those that found the queue full are not counted.',
    labelNames: ['reason'],
    registers: [registry],
  });
  for (const reason of reasons) dropped.inc({ reason }, 0);
  return { sent: (count) => sent.inc(count), dropped: (reason, count) => dropped.inc({ reason }, count) };
}
