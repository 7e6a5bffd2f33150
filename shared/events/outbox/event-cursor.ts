import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { KeyRing } from '../../security/crypto.js';
import { ApiError } from '../../kernel/errors.js';

export interface FeedPlace {
  /** Number of an event, or of the last one before the place. */
  readonly position: number;
  /** The moment up to which events have this position or a lower one, give or take the time that a commit takes. */
  readonly publishedAt: Date;
}

/** Encodes a place in the feed as an opaque cursor. A place always has the same cursor, which therefore also identifies its event. */
export interface EventCursors {
  seal(place: FeedPlace): string;
  /** @throws {ApiError} BAD_REQUEST with the path `since` for a text that was not issued here */
  open(cursor: string): FeedPlace;
}

export type CursorKeys = Pick<KeyRing, 'derive' | 'derivedByEach' | 'hmac'>;

const notACursor = {
  path: 'since',
  message: 'is not the cursor of an event: pass `cursor` of an event, or what `eventCursor` returns',
};
const purpose = 'cursor/events';
const nonceBytes = 12;
const tagBytes = 16;
const bodyBytes = 16;

/** AES-256-GCM, so that nobody can count others' events; the nonce is an HMAC of the place. The previous master key's cursors stay valid. */
export function createEventCursors(keyRing: CursorKeys): EventCursors {
  return {
    seal: ({ position, publishedAt }) => {
      const body = Buffer.alloc(bodyBytes);
      body.writeBigUInt64BE(BigInt(position));
      body.writeBigUInt64BE(BigInt(publishedAt.getTime()), bodyBytes / 2);
      const nonce = keyRing.hmac(purpose, body).subarray(0, nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', keyRing.derive(purpose), nonce);
      return Buffer.concat([nonce, cipher.update(body), cipher.final(), cipher.getAuthTag()]).toString('base64url');
    },
    open: (cursor) => {
      const body = opened(keyRing, cursor);
      if (body === undefined) throw new ApiError('BAD_REQUEST', { details: [notACursor] });
      return {
        position: Number(body.readBigUInt64BE()),
        publishedAt: new Date(Number(body.readBigUInt64BE(bodyBytes / 2))),
      };
    },
  };
}

function opened(keyRing: CursorKeys, cursor: string): Buffer | undefined {
  const bytes = Buffer.from(cursor, 'base64url');
  // Decoding ignores characters outside base64url; a cursor that contains one was not issued here either.
  if (bytes.length !== nonceBytes + bodyBytes + tagBytes || bytes.toString('base64url') !== cursor) return undefined;
  for (const key of keyRing.derivedByEach(purpose)) {
    const body = openedBy(key, bytes);
    if (body !== undefined) return body;
  }
  return undefined;
}

function openedBy(key: Buffer, bytes: Buffer): Buffer | undefined {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes));
  decipher.setAuthTag(bytes.subarray(-tagBytes));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()]);
  } catch {
    // The tag does not match: the cursor was altered, or sealed under another key.
    return undefined;
  }
}
