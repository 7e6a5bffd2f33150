import { z } from 'zod';
import { ApiError, maxDetails } from '../../../shared/kernel/errors.js';
import { isRecord } from '../../../shared/kernel/is-record.js';
import { jsonShapeError, withoutMark } from '../../../shared/kernel/json.js';

export const maxFrameBytes = 8_192;
const maxTokenLength = 4_096;

const textOf = (min: number, max: number, error: string) => z.string({ error }).min(min, { error }).max(max, { error });
const markets = 'must name 1 to 50 markets, each as BTC/BRL';

/** The members that name channels; whether they fit each other is checked later. */
const choice = {
  channel: textOf(1, 60, 'must be the name of a channel, as ticker:BTC/BRL, orders or balance'),
  profileId: textOf(1, 100, 'must be the id of a profile').nullish(),
  synthetic: z.boolean({ error: 'must be true or false' }).nullish(),
  symbol: textOf(1, 30, 'must be the symbol of a market, as BTC/BRL').nullish(),
  symbols: z
    .array(textOf(1, 30, 'must be the symbol of a market, as BTC/BRL'), { error: markets })
    .min(1, { error: markets })
    .max(50, { error: markets })
    .nullish(),
  levels: z.int({ error: 'must be a whole number' }).nullish(),
};

const eventId = 'must be the eventId of an update: a whole number from 0 on';

const frameForm = z.discriminatedUnion(
  'action',
  [
    z.object({
      action: z.literal('subscribe'),
      ...choice,
      token: textOf(0, maxTokenLength, `must be a token: a text of at most ${maxTokenLength} characters`).nullish(),
      lastEventId: z.preprocess(
        (given) => (given === '' ? null : given),
        z.int({ error: eventId }).min(0, { error: eventId }).nullish(),
      ),
    }),
    z.object({ action: z.literal('unsubscribe'), ...choice }),
    z.object({ action: z.literal('ping') }),
  ],
  { error: 'must be subscribe, unsubscribe or ping' },
);

export type ClientFrame = z.output<typeof frameForm>;
export type SubscribeFrame = Extract<ClientFrame, { action: 'subscribe' }>;
export type ChannelChoice = Omit<Extract<ClientFrame, { action: 'unsubscribe' }>, 'action'>;

/** Parses a frame. @throws {ApiError} with every error in it: BAD_REQUEST for what is no frame, INVALID_CHANNEL for the parameters of one */
export function readFrame(data: Buffer): ClientFrame {
  const { success, data: frame, error } = frameForm.safeParse(parsed(data));
  if (success) return frame;
  const isFrame = error.issues.every(({ path: [member] }) => member !== 'action');
  throw new ApiError(isFrame ? 'INVALID_CHANNEL' : 'BAD_REQUEST', {
    details: error.issues.slice(0, maxDetails).map(({ path, message }) => ({ path: path.join('.'), message })),
  });
}

/** Parses a JSON object. @throws {ApiError} BAD_REQUEST for what is no JSON object */
function parsed(data: Buffer): object {
  const text = data.toString('utf8');
  const error = jsonShapeError(text);
  if (error !== undefined) throw new ApiError('BAD_REQUEST', { details: [error] });
  const value = parsedJson(withoutMark(text));
  if (isRecord(value)) return value;
  throw new ApiError('BAD_REQUEST', { details: [{ path: '', message: 'The frame must be a JSON object' }] });
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError('BAD_REQUEST', { details: [{ path: '', message: 'The frame is not JSON' }] });
  }
}
