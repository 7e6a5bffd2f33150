import { z } from 'zod';
import type { Answer } from '../../shared/subgraph/executor.js';
import { resultFromJson } from '../../shared/subgraph/result-from-json.js';

/** The header by which a subgraph says that an answer was stored before. */
export const replayedHeader = 'x-idempotent-replayed';
export const eventStream = 'text/event-stream';

const answer = z.object({
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
 * The answer that a text holds.
 * @throws when it holds none.
 */
export function readAnswer(text: string): Answer {
  return resultFromJson(answer.parse(JSON.parse(text)));
}

/** One event of a stream (server-sent events, as the GraphQL over SSE protocol names them). */
export function eventOf(answer: Answer): string {
  return `event: next\ndata: ${JSON.stringify(answer)}\n\n`;
}

export const completeEvent = 'event: complete\ndata:\n\n';
/** Sent when there is nothing else, so that a lost peer is noticed on either side. */
export const heartbeat = ':\n\n';
export const heartbeatMs = 15_000;

/**
 * Reads the answers out of a stream of events.
 * @throws when the stream ends before it says that it is complete.
 */
export async function* readEvents(chunks: AsyncIterable<Buffer>): AsyncGenerator<Answer, undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const frames = (rest + decoder.decode(chunk, { stream: true })).split('\n\n');
    rest = frames.pop() ?? '';
    for (const frame of frames) {
      if (frame.startsWith('event: complete')) return undefined;
      if (frame.startsWith('event: next\ndata: ')) yield readAnswer(frame.slice('event: next\ndata: '.length));
    }
  }
  throw new Error('The stream of events broke off');
}
