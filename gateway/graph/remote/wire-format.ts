import { z } from 'zod';
import type { GraphResult } from '../../../shared/graphql/executor.js';
import { resultFromJson } from '../../../shared/graphql/result-from-json.js';

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

/** Parses a result. @throws when the text is not a result. */
export function readResult(text: string): GraphResult {
  return resultFromJson(response.parse(JSON.parse(text)));
}

/** Asks for events' ids, and after which the stream goes on; empty at its beginning. Other routers expect no ids. In a response: where it begins. */
export const lastEventIdHeader = 'last-event-id';
/** Header with what a stream reports: see `StreamPlace`. */
export const subjectHeader = 'x-stream-subject';
/** Header of a stream that can begin again as it began: see `StreamPlace`. */
export const restartsHeader = 'x-stream-restarts';

/** Returns one event of a stream (server-sent events, as the GraphQL over SSE protocol names them). */
export function eventOf(response: GraphResult, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: next\ndata: ${JSON.stringify(response)}\n\n`;
}

/** Returns an event without data: everything up to this id was sent, or is not for this reader. */
export function placeOf(id: string): string {
  return `id: ${id}\n\n`;
}

export const completeEvent = 'event: complete\ndata:\n\n';
/** Sent when there is nothing else, so that either side notices a lost peer. */
export const heartbeat = ':\n\n';
export const heartbeatMs = 15_000;

export interface StreamFrame {
  readonly id: string | undefined;
  readonly result: GraphResult | undefined;
}

/** Reads a stream of events. @throws when the stream ends before it says that it is complete. */
export async function* readEvents(chunks: AsyncIterable<Buffer>): AsyncGenerator<StreamFrame, undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const frames = (rest + decoder.decode(chunk, { stream: true })).split('\n\n');
    rest = frames.pop() ?? '';
    for (const frame of frames) {
      const lines = frame.split('\n');
      const valueOf = (name: string) => lines.find((line) => line.startsWith(name))?.slice(name.length);
      const event = valueOf('event: ');
      if (event === 'complete') return undefined;
      const data = event === 'next' ? valueOf('data: ') : undefined;
      const id = valueOf('id: ');
      if (id !== undefined || data !== undefined)
        yield { id, result: data === undefined ? undefined : readResult(data) };
    }
  }
  throw new Error('The stream of events ended early');
}
