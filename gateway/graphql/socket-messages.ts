import { MessageType, parseMessage, type Message } from 'graphql-ws';
import { jsonShapeError, maxJsonDepth } from '../edge/json-shape.js';
import { withoutMark } from '../edge/parse-json.js';
import { isRecord } from '../../shared/is-record.js';
import { jsonOf, withoutEmptyParts } from './request-parts.js';

/** Maximum size of a client's message. */
export const maxMessageBytes = 102_400;
/** Maximum size of a message without an operation: a keep-alive, or a first message with a credential. */
const maxKeepAliveCharacters = 1_024;
const maxInitCharacters = 8_192;
const maxIdCharacters = 128;
/** One level more than a request's body, which a message contains. */
const maxMessageDepth = maxJsonDepth + 1;

/** Returns the text of a client's message if it belongs to the protocol and is within the limits; else why it does not. */
export function readMessage(data: Buffer): { readonly text: string } | { readonly wrong: string } {
  const error = jsonShapeError(data, maxMessageDepth);
  if (error !== undefined) return { wrong: `${error.path} ${error.message}`.trim() };
  const text = withoutEmpty(withoutMark(data.toString('utf8')));
  const message = parsed(text);
  return message !== undefined && isAllowed(message, text.length) ? { text } : { wrong: 'Invalid message received' };
}

function isAllowed(message: Message, characters: number): boolean {
  switch (message.type) {
    case MessageType.ConnectionInit:
      return characters <= maxInitCharacters;
    case MessageType.Ping:
    case MessageType.Pong:
      return characters <= maxKeepAliveCharacters;
    case MessageType.Subscribe:
    case MessageType.Complete:
      return message.id.length <= maxIdCharacters;
    default:
      // Only the server may send the other types.
      return false;
  }
}

/** Returns a message without the optional parts of its operation that are an empty text; `query` is a text by the protocol, also where an id stands for it. */
function withoutEmpty(text: string): string {
  const message = text.includes('""') ? jsonOf(text) : undefined;
  if (!isRecord(message) || !isRecord(message['payload'])) return text;
  const { payload } = message;
  const query = 'query' in payload ? { query: payload['query'] } : {};
  return JSON.stringify({ ...message, payload: { ...withoutEmptyParts(payload), ...query } });
}

function parsed(text: string): Message | undefined {
  try {
    return parseMessage(text);
  } catch {
    return undefined;
  }
}
