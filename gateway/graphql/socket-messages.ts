import { MessageType, parseMessage, type Message } from 'graphql-ws';
import { jsonShapeError, maxJsonDepth } from '../edge/json-shape.js';

/** Maximum size of a client's message. */
export const maxMessageBytes = 102_400;
/** Maximum size of a message without an operation: a keep-alive, or a first message with a credential. */
const maxKeepAliveCharacters = 1_024;
const maxInitCharacters = 8_192;
const maxIdCharacters = 128;
/** One level more than a request's body, which a message contains. */
const maxMessageDepth = maxJsonDepth + 1;

/** Returns the text of a client's message if it belongs to the protocol and is within the limits; else undefined. */
export function readMessage(data: Buffer): string | undefined {
  if (jsonShapeError(data, maxMessageDepth) !== undefined) return undefined;
  const text = data.toString('utf8');
  const message = parsed(text);
  return message !== undefined && isAllowed(message, text.length) ? text : undefined;
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

function parsed(text: string): Message | undefined {
  try {
    return parseMessage(text);
  } catch {
    return undefined;
  }
}
