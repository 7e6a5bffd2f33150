import type { Hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../../shared/kernel/errors.js';
import { networkOf } from '../../../shared/kernel/network.js';
import { malformed } from '../reply/envelope.js';

const mebibyte = 1_048_576;

/** Bytes of bodies that are not complete, or not verified yet. */
const receivedBounds = { all: 48 * mebibyte, owner: 24 * mebibyte };
/** Bytes of complete large bodies, from their parsing to their response. */
const workedBounds = { all: 24 * mebibyte, owner: 12 * mebibyte };
/** Bytes of decompressed bodies until their response: one caller's maximum, and beside it another's file of 50,000 lines. */
const unpackedBounds = { all: 96 * mebibyte, owner: 64 * mebibyte };
/** A body up to this size is received even when the limits are reached: an attacker must not keep ordinary requests out. */
const ordinaryBytes = 16 * 1_024;
/** Size above which a body is large: few are worked on at once. */
export const largeBytes = 64 * 1_024;
/** Memory that each entry of the list of chunks takes besides its bytes. */
const chunkBytes = 128;

/** Gives back the memory that is counted for a body. Further calls do nothing. */
export type Release = () => void;

export interface ReceiveOptions {
  readonly limit: number;
  /** Hashes that its bytes are added to as they come in: a long body hashed in one go would stop the process for too long. */
  readonly hashes: readonly Hash[];
}

/** The limits of memory for the bodies of all requests together, from their first byte until their response. */
export interface BodyBudget {
  /** @throws {ApiError} PAYLOAD_TOO_LARGE, TOO_MANY_REQUESTS or UNAVAILABLE where too much is held, BAD_REQUEST for a body cut short */
  receive(
    request: FastifyRequest,
    options: ReceiveOptions,
  ): Promise<{ readonly bytes: Buffer; readonly release: Release }>;
  /** Reserves memory for a large body of a caller until its response. @throws {ApiError} UNAVAILABLE when there is none. */
  work(owner: string, bytes: number): Release;
  unpack(owner: string): Unpacking;
}

/** The memory that a body takes while it is decompressed, and until its response. */
export interface Unpacking {
  /** Reports the total number of bytes that are decompressed so far. @throws {ApiError} UNAVAILABLE when the limits are reached. */
  reach(bytes: number): void;
  readonly release: Release;
}

export function createBodyBudget(): BodyBudget {
  const received = createByteBudget(receivedBounds);
  const worked = createByteBudget(workedBounds);
  const unpacked = createByteBudget(unpackedBounds);
  return {
    receive: (request, options) => receive(request, options, received),
    work: (owner, bytes) => {
      const held = worked.hold(owner);
      const over = held.add(bytes);
      if (over === undefined) return held.release;
      held.release();
      throw tooMuchWork(over);
    },
    unpack: (owner) => {
      const held = unpacked.hold(owner);
      let reached = 0;
      return {
        reach: (bytes) => {
          const over = bytes > reached ? held.add(bytes - reached) : undefined;
          reached = Math.max(reached, bytes);
          if (over !== undefined) throw tooMuchWork(over);
        },
        release: held.release,
      };
    },
  };
}

/** Returns the error for a body that is too large. @param when the state in which the body is measured, such as `once it is decompressed` */
export function tooLarge(limit: number, when = ''): ApiError {
  const measured = when === '' ? '' : ` ${when}`;
  const message = `The body is larger than this path accepts: at most ${limit} bytes${measured}`;
  return new ApiError('PAYLOAD_TOO_LARGE', { message });
}

function receive(
  { raw, ip, edge }: FastifyRequest,
  { limit, hashes }: ReceiveOptions,
  budget: ByteBudget,
): ReturnType<BodyBudget['receive']> {
  return new Promise((resolve, reject) => {
    // Its caller has left while it was admitted: nothing will be emitted.
    if (raw.destroyed) {
      reject(malformed('The body is not as long as Content-Length says'));
      return;
    }
    const announced = Number(raw.headers['content-length'] ?? 0);
    const owner = networkOf(ip);
    const { add, release } = budget.hold(owner);
    const isBounded = edge.rules.trustedBodies !== true;
    const chunks: Buffer[] = [];
    let length = 0;
    const stop = () => raw.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose);
    // The rest of a refused body is read and dropped: see `mayStayOpen`.
    const fail = (error: Error) => {
      stop().on('error', () => undefined);
      release();
      reject(error);
    };
    const onData = (chunk: Buffer) => {
      length += chunk.length;
      chunks.push(chunk);
      for (const hash of hashes) hash.update(chunk);
      const over = add(chunk.length + chunkBytes);
      if (length > limit) fail(tooLarge(limit));
      else if (over !== undefined && length + chunkBytes * chunks.length > ordinaryBytes && isBounded)
        fail(tooMuchReceived(over));
    };
    const onEnd = () => {
      stop();
      resolve({ bytes: Buffer.concat(chunks, length), release });
    };
    const onError = (error: Error) => {
      fail(Object.assign(error, { statusCode: 400 }));
    };
    const onClose = () => {
      fail(malformed('The body is not as long as Content-Length says'));
    };
    raw.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose);
    const full = announced > ordinaryBytes && isBounded ? budget.over(owner) : undefined;
    if (announced > limit) fail(tooLarge(limit));
    else if (full !== undefined) fail(tooMuchReceived(full));
  });
}

function tooMuchReceived(over: Over): ApiError {
  if (over === 'all') return new ApiError('UNAVAILABLE', { retryAfterSeconds: 2 });
  const message =
    'Too Many Requests: unfinished bodies from this network hold too many bytes. Finish some of them, then send this one again';
  return new ApiError('TOO_MANY_REQUESTS', { message, retryAfterSeconds: 2 });
}

function tooMuchWork(over: Over): ApiError {
  const whose = over === 'owner' ? 'of this caller' : 'of all callers';
  const message = `Large bodies ${whose} are being processed. Send this one again when they have their responses`;
  return new ApiError('UNAVAILABLE', { message, retryAfterSeconds: 2 });
}

type Over = 'owner' | 'all';

interface ByteBudget {
  hold(owner: string): {
    /** Adds bytes, and returns the limit that is then exceeded. The bytes are counted in any case. */
    readonly add: (bytes: number) => Over | undefined;
    readonly release: Release;
  };
  over(owner: string): Over | undefined;
}

export function createByteBudget(bounds: Readonly<Record<Over, number>>): ByteBudget {
  const byOwner = new Map<string, number>();
  let total = 0;
  const over = (owner: string) => {
    if ((byOwner.get(owner) ?? 0) > bounds.owner) return 'owner';
    return total > bounds.all ? 'all' : undefined;
  };
  const count = (owner: string, bytes: number) => {
    const own = (byOwner.get(owner) ?? 0) + bytes;
    if (own > 0) byOwner.set(owner, own);
    else byOwner.delete(owner);
    total += bytes;
  };
  return {
    over,
    hold: (owner) => {
      let held = 0;
      return {
        add: (bytes) => {
          held += bytes;
          count(owner, bytes);
          return over(owner);
        },
        release: () => {
          count(owner, -held);
          held = 0;
        },
      };
    },
  };
}
