import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { nextRead } from '../../../shared/kernel/turns.js';

/**
 * Bytes of one body that are read before other connections get their turn: libuv reads up to 2 MiB from a connection before it
 * continues with the next one.
 */
const bytesInOneTurn = 64 * 1_024;
/** The longest body that any path accepts. The rest of a refused body is read up to this length. */
const maxRestBytes = 10 * 1_048_576;

const discarding = new WeakSet<Socket>();

/** Makes the reader of a body pause from time to time. @returns the function to call with each chunk */
export function readInTurns(payload: IncomingMessage): (chunk: Buffer) => void {
  let inThisTurn = 0;
  return (chunk) => {
    inThisTurn += chunk.length;
    if (inThisTurn < bytesInOneTurn) return;
    inThisTurn = 0;
    payload.pause();
    void nextRead().then(() => payload.resume());
  };
}

/**
 * Reads the rest of a refused body and discards it: closing while it comes in could take the response
 * from a client that is still sending (RFC 9112 §9.6).
 * @returns whether the connection can stay open: the rest is no longer than a body may be
 */
export function discardBody(request: IncomingMessage): boolean {
  if (request.complete || !hasBody(request)) return true;
  const { socket } = request;
  if (!discarding.has(socket)) {
    discarding.add(socket);
    request.once('end', () => discarding.delete(socket));
    request.on('error', () => undefined).on('data', readInTurns(request));
    request.resume();
  }
  return Number(request.headers['content-length']) <= maxRestBytes;
}

/** Whether the body of a request is still coming in although its response was sent. */
export function isDiscarding(socket: Socket): boolean {
  return discarding.has(socket);
}

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}
