import type { QueryRunner } from 'typeorm';
import { spanOf } from '../tracing/span-of.js';
import type { Span } from '../tracing/span.js';

const recorded = new WeakSet<QueryRunner>();

/** Records each statement of a connection as a span: its text, in which values are parameters, and never the parameters. */
export function recordStatements(runner: QueryRunner, span: Span): void {
  if (recorded.has(runner)) return;
  recorded.add(runner);
  const query = runner.query.bind(runner);
  const recording = (...call: unknown[]): Promise<unknown> => {
    const text = String(call[0]).trim();
    const verb = /^[A-Za-z]+/.exec(text)?.[0].toUpperCase() ?? 'SQL';
    const attributes = { 'db.system.name': 'postgresql', 'db.operation.name': verb, 'db.query.text': text };
    return spanOf(span.begin(verb, { kind: 'client', attributes }), async () => {
      const result: unknown = await Reflect.apply(query, runner, call);
      return result;
    });
  };
  Object.assign(runner, { query: recording });
}
