import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../../shared/kernel/errors.js';
import { readInTurns } from './discard.js';
import { networkOf } from '../../../shared/kernel/network.js';

const mebibyte = 1_048_576;

/** Bytes of bodies that are not complete, or not verified yet. */
const receivedBounds = { all: 48 * mebibyte, owner: 24 * mebibyte };
/** Announced lengths of large bodies under way. There is no total limit: callers who announce a body and send nothing would keep others out. */
const announcedBounds = { all: Infinity, owner: 24 * mebibyte };
/** Bytes of complete large bodies, from their parsing to their response. */
const workedBounds = { all: 24 * mebibyte, owner: 12 * mebibyte };
/**
 * Bytes of compressed bodies once they are decompressed, until their response: one caller may hold one body of the maximum length, and beside it there is
 * room for another caller's file of 50,000 lines.
 */
const unpackedBounds = { all: 96 * mebibyte, owner: 64 * mebibyte };
/** A body up to this size is received even when the limits are reached: an attacker must not keep ordinary requests out. */
const ordinaryBytes = 16 * 1_024;
/** Size above which a body is large: few are worked on at once. */
export const largeBytes = 64 * 1_024;
/** Memory that each entry of the list of chunks takes besides its bytes. */
const chunkBytes = 128;

/** Gives back the memory that is counted for a body. */
export type Release = () => void;
type Received = (error: Error | null, bytes?: Buffer, release?: Release) => void;

/** The limits of memory for the bodies of all requests together, from their first byte until their response. */
export interface BodyBudget {
  /**
   * Reads the body of a request, of at most `limit` bytes. Its bytes stay counted until `release` is called or the body fails.
   * Fails with PAYLOAD_TOO_LARGE beyond the limit, TOO_MANY_REQUESTS or UNAVAILABLE where too much is held.
   */
  receive(request: FastifyRequest, payload: IncomingMessage, limit: number, received: Received): void;
  /**
   * Reserves memory for a large body of a caller until its response.
   * @throws {ApiError} UNAVAILABLE when there is none.
   */
  work(owner: string, bytes: number): Release;
  /** Begins to count the decompression of a caller's body. */
  unpack(owner: string): Unpacking;
}

/** The memory that a body takes while it is decompressed, and until its response. */
export interface Unpacking {
  /**
   * Reports the total number of bytes that are decompressed so far.
   * @throws {ApiError} UNAVAILABLE when the limits are reached.
   */
  reach(bytes: number): void;
  readonly release: Release;
}

export function createBodyBudget(): BodyBudget {
  const received = createByteBudget(receivedBounds);
  const announced = createByteBudget(announcedBounds);
  const worked = createByteBudget(workedBounds);
  const unpacked = createByteBudget(unpackedBounds);
  return {
    receive: (request, payload, limit, done) => receive({ request, payload, limit }, { received, announced }, done),
    work: (owner, bytes) => {
      const over = worked.add(owner, bytes);
      const release = once(() => worked.remove(owner, bytes));
      if (over === undefined) return release;
      release();
      throw tooMuchWork(over);
    },
    unpack: (owner) => unpackWithin(unpacked, owner),
  };
}

function unpackWithin(budget: ByteBudget, owner: string): Unpacking {
  let held = 0;
  return {
    reach: (bytes) => {
      if (bytes <= held) return;
      const over = budget.add(owner, bytes - held);
      held = bytes;
      if (over !== undefined) throw tooMuchWork(over);
    },
    release: once(() => budget.remove(owner, held)),
  };
}

/** Returns the error for a body that is too large. @param when the state in which the body is measured, such as `once it is decompressed` */
export function tooLarge(limit: number, when = ''): ApiError {
  const measured = when === '' ? '' : ` ${when}`;
  const message = `The body is larger than this path accepts: at most ${limit} bytes${measured}`;
  return new ApiError('PAYLOAD_TOO_LARGE', { message });
}

interface Budgets {
  readonly received: ByteBudget;
  readonly announced: ByteBudget;
}

interface Incoming {
  readonly request: FastifyRequest;
  readonly payload: IncomingMessage;
  readonly limit: number;
}

function receive({ request, payload, limit }: Incoming, budgets: Budgets, done: Received): void {
  const announced = Number(request.headers['content-length']);
  if (announced > limit) {
    done(tooLarge(limit));
    return;
  }
  const owner = networkOf(request.ip);
  const isTrusted = request.edge.rules.trustedBodies === true;
  const budget = budgets.received;
  const full = isTrusted ? undefined : announce(budgets, owner, announced);
  if (full !== undefined) {
    done(tooMuchReceived(full));
    return;
  }
  // One buffer for a long body: a list of its chunks, joined at the end, would take twice the memory. Pages of the buffer that are never
  // written take none.
  const whole = announced > largeBytes ? Buffer.allocUnsafeSlow(announced) : undefined;
  // Hashed while the bytes come in: 10 MiB in one piece would stop the process for some tens of milliseconds.
  const digest = whole !== undefined && request.edge.rules.idempotent === true ? createHash('sha256') : undefined;
  const chunks: Buffer[] = [];
  let length = 0;
  let held = 0;
  const takeTurns = readInTurns(payload);
  const release = once(() => {
    budget.remove(owner, held);
    if (!isTrusted) budgets.announced.remove(owner, countedOf(announced));
  });
  const stop = () => payload.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose);
  const fail = (error: Error) => {
    stop();
    payload.on('error', () => undefined);
    chunks.length = 0;
    release();
    done(error);
  };
  const onData = (chunk: Buffer) => {
    length += chunk.length;
    if (length > limit) {
      fail(tooLarge(limit));
      return;
    }
    if (whole === undefined) chunks.push(chunk);
    else chunk.copy(whole, length - chunk.length);
    request.edge.hash?.update(chunk);
    digest?.update(chunk);
    takeTurns(chunk);
    const bytes = chunk.length + (whole === undefined ? chunkBytes : 0);
    held += bytes;
    const over = budget.add(owner, bytes);
    if (over !== undefined && held > ordinaryBytes && !isTrusted) fail(tooMuchReceived(over));
  };
  const onEnd = () => {
    stop();
    if (announced >= 0 && announced !== length) {
      fail(incomplete());
      return;
    }
    const bytes = whole ?? Buffer.concat(chunks, length);
    chunks.length = 0;
    request.edge.bodyDigest = digest?.digest();
    done(null, bytes, release);
  };
  const onError = (error: Error) => {
    fail(Object.assign(error, { statusCode: 400 }));
  };
  const onClose = () => {
    fail(incomplete());
  };
  payload.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose);
}

/** Counts an announced body if there is room for it; otherwise returns the limit that is exceeded. */
function announce(budgets: Budgets, owner: string, announced: number): 'owner' | 'all' | undefined {
  const full = announced > ordinaryBytes ? budgets.received.over(owner) : undefined;
  if (full !== undefined) return full;
  const over = budgets.announced.add(owner, countedOf(announced));
  if (over !== undefined) budgets.announced.remove(owner, countedOf(announced));
  return over;
}

/** Returns the part of an announced length that counts; the length is NaN where none was announced. */
function countedOf(announced: number): number {
  return announced > largeBytes ? announced : 0;
}

function once(act: () => void): Release {
  let done = false;
  return () => {
    if (!done) act();
    done = true;
  };
}

function incomplete(): ApiError {
  return new ApiError('BAD_REQUEST', {
    details: [{ path: '', message: 'The body is not as long as Content-Length says' }],
  });
}

function tooMuchReceived(over: 'owner' | 'all'): ApiError {
  if (over === 'all') return new ApiError('UNAVAILABLE', { retryAfterSeconds: 2 });
  const message =
    'Too Many Requests: unfinished bodies from this network hold too many bytes. Finish some of them, then send this one again';
  return new ApiError('TOO_MANY_REQUESTS', { message, retryAfterSeconds: 2 });
}

function tooMuchWork(over: 'owner' | 'all'): ApiError {
  const whose = over === 'owner' ? 'of this caller' : 'of all callers';
  const message = `Large bodies ${whose} are being processed. Send this one again when they have their responses`;
  return new ApiError('UNAVAILABLE', { message, retryAfterSeconds: 2 });
}

/** Limits the bytes that may be held at once: in total, and for each owner. */
interface ByteBudget {
  /** Adds bytes of an owner, and returns the limit that is then exceeded: the owner's, or the total. The bytes are counted in any case. */
  add(owner: string, bytes: number): 'owner' | 'all' | undefined;
  /** Returns the limit that is exceeded before an owner adds anything. */
  over(owner: string): 'owner' | 'all' | undefined;
  /** Gives back bytes that were added. */
  remove(owner: string, bytes: number): void;
  /** The bytes that are held. */
  readonly held: number;
}

export function createByteBudget(bounds: { readonly all: number; readonly owner: number }): ByteBudget {
  const byOwner = new Map<string, number>();
  let held = 0;
  const over = (own: number) => {
    if (own > bounds.owner) return 'owner';
    return held > bounds.all ? 'all' : undefined;
  };
  return {
    get held() {
      return held;
    },
    add: (owner, bytes) => {
      const own = (byOwner.get(owner) ?? 0) + bytes;
      byOwner.set(owner, own);
      held += bytes;
      return over(own);
    },
    over: (owner) => over(byOwner.get(owner) ?? 0),
    remove: (owner, bytes) => {
      const own = (byOwner.get(owner) ?? 0) - bytes;
      if (own > 0) byOwner.set(owner, own);
      else byOwner.delete(owner);
      held -= bytes;
    },
  };
}
