import { z } from 'zod';
import type { ApiError } from '../../../shared/kernel/errors.js';
import type { GraphResult } from '../../../shared/graphql/executor.js';
import { errorOfGraph } from '../../graph/graph-error.js';
import { envelope } from '../../http/reply/envelope.js';
import type { Channel } from './channels.js';

const eventForm = z.object({
  kind: z.enum(['SNAPSHOT', 'UPDATE', 'RESET']),
  eventId: z.string(),
  timestamp: z.string(),
  data: z.unknown().optional(),
  /** The content of a snapshot of orders, and of an event of balances. */
  orders: z.array(z.unknown()).nullish(),
  wallets: z.array(z.unknown()).nullish(),
});

export type ChannelEvent = Pick<z.output<typeof eventForm>, 'kind' | 'eventId' | 'timestamp' | 'data'>;

type Labels = Channel['labels'];

/** Returns the event in a result of the graph. @throws {ApiError} for the result's error */
export function eventOf({ data, errors }: GraphResult): ChannelEvent {
  if (errors !== undefined) throw errorOfGraph(errors[0]);
  const { data: content, orders, wallets, ...event } = eventForm.parse(data?.['event']);
  return { ...event, data: orders ?? (wallets == null ? content : { wallets }) };
}

/** Returns the text of an event. Its data are serialized once, however many sockets they are sent to. */
export function eventFrame(labels: Labels, { kind, eventId, timestamp, data }: ChannelEvent): string {
  const type = kind === 'RESET' ? 'reset' : 'update';
  const head = JSON.stringify({ type, ...labels, eventId: Number(eventId), timestamp });
  if (kind === 'RESET') return head;
  return `${head.slice(0, -1)}${kind === 'SNAPSHOT' ? ',"snapshot":true' : ''},"data":${textOf(data)}}`;
}

const texts = new WeakMap<object, string>();

function textOf(data: unknown): string {
  if (typeof data !== 'object' || data === null) return JSON.stringify(data ?? null);
  const known = texts.get(data);
  if (known !== undefined) return known;
  const text = JSON.stringify(data);
  texts.set(data, text);
  return text;
}

export function errorFrame(error: ApiError, requestId: string, labels: Labels = {}): string {
  return JSON.stringify({ type: 'error', ...labels, ...envelope(error, requestId) });
}

export function plainFrame(type: 'subscribed' | 'unsubscribed' | 'heartbeat' | 'pong', members: object): string {
  return JSON.stringify({ type, ...members });
}
