import { z } from 'zod';
import type { GraphResult } from '../../shared/subgraph/executor.js';
import { resultFromJson } from '../../shared/subgraph/result-from-json.js';

/** Header by which a subgraph reports that a result was stored before. */
export const replayedHeader = 'x-idempotent-replayed';
export const eventStream = 'text/event-stream';

const response = z.object({
  data: z.record(z.string(), z.unknown()).nullable().optional(),
  errors: z
    .array(
      z.object({
        message: z.string(),
        path: z.array(z.union([z.string(), z.number()])).optional(),
        extensions: z.record(z.string(), z.unknown()).optional(),
      }),
    )
    .optional(),
});

/**
 * Parses a result.
 * @throws when the text is not a result.
 */
export function readResult(text: string): GraphResult {
  return resultFromJson(response.parse(JSON.parse(text)));
}

/** Returns one event of a stream (server-sent events, as the GraphQL over SSE protocol names them). */
export function eventOf(response: GraphResult): string {
  return `event: next\ndata: ${JSON.stringify(response)}\n\n`;
}

export const completeEvent = 'event: complete\ndata:\n\n';
/** Sent when there is nothing else, so that either side notices a lost peer. */
export const heartbeat = ':\n\n';
export const heartbeatMs = 15_000;

/**
 * Reads the results from a stream of events.
 * @throws when the stream ends before it says that it is complete.
 */
export async function* readEvents(chunks: AsyncIterable<Buffer>): AsyncGenerator<GraphResult, undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const frames = (rest + decoder.decode(chunk, { stream: true })).split('\n\n');
    rest = frames.pop() ?? '';
    for (const frame of frames) {
      if (frame.startsWith('event: complete')) return undefined;
      if (frame.startsWith('event: next\ndata: ')) yield readResult(frame.slice('event: next\ndata: '.length));
    }
  }
  throw new Error('The stream of events ended early');
}
