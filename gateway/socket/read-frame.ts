import { z } from 'zod';
import { Fault, maxDetails } from '../../shared/errors.js';

/** The largest frame of a client. */
export const maxFrameBytes = 8_192;
const maxTokenLength = 4_096;

const symbol = z.string().min(1).max(30);

/** What names channels; whether the parts fit each other is seen later. */
const choice = {
  channel: z.string().min(1).max(60),
  profileId: z.string().min(1).max(100).nullish(),
  synthetic: z.boolean().nullish(),
  symbol: symbol.nullish(),
  symbols: z.array(symbol).min(1).max(50).nullish(),
  levels: z.int().nullish(),
};

const frameForm = z.discriminatedUnion('action', [
  z.object({
    action: z.literal('subscribe'),
    ...choice,
    token: z.string().max(maxTokenLength).nullish(),
    lastEventId: z.int().min(0).nullish(),
  }),
  z.object({ action: z.literal('unsubscribe'), ...choice }),
  z.object({ action: z.literal('ping') }),
]);

/** A frame of a client (PROTOCOL.md). */
export type ClientFrame = z.output<typeof frameForm>;
export type SubscribeFrame = Extract<ClientFrame, { action: 'subscribe' }>;
/** What a frame says of the channels that it is about. */
export type ChannelChoice = Omit<Extract<ClientFrame, { action: 'unsubscribe' }>, 'action'>;

/** @throws {Fault} with everything that is wrong with it: BAD_REQUEST for what is no frame, INVALID_CHANNEL for the parameters of one */
export function readFrame(data: Buffer): ClientFrame {
  const { success, data: frame, error } = frameForm.safeParse(parsed(data.toString('utf8')));
  if (success) return frame;
  const isFrame = error.issues.every(({ path: [member] }) => member !== undefined && member !== 'action');
  throw new Fault(isFrame ? 'INVALID_CHANNEL' : 'BAD_REQUEST', {
    details: error.issues.slice(0, maxDetails).map(({ path, message }) => ({ path: path.join('.'), message })),
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Fault('BAD_REQUEST', { details: [{ path: '', message: 'The frame is not JSON' }] });
  }
}
