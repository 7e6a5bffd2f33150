import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { KeyRing } from '../security/crypto.js';
import { refuse } from '../kernel/errors.js';

/** Encodes the end of a page as an opaque cursor that is invalid once altered. */
export interface CursorCodec {
  /** @param scope what the position belongs to (list, order, filter): a cursor is not valid for any other */
  seal(scope: string, position: readonly string[]): string;
  /** @param argument the caller's name of it, `after` by default @throws {ApiError} BAD_REQUEST for a cursor of another list, or not issued here */
  open(scope: string, cursor: string, argument?: string): string[];
}

const positionForm = z.array(z.string());
const tagBytes = 16;

/** 16 bytes of HMAC, then the position as JSON, in base64url; the previous master key's stay valid. @param meaning of a cursor, for its error */
export function createCursorCodec(
  keyRing: KeyRing,
  list: string,
  meaning = 'this list, filter and order',
): CursorCodec {
  const purpose = `cursor/${list}`;
  const tagOf = (scope: string, body: string, key = keyRing.derive(purpose)) =>
    createHmac('sha256', key)
      .update(JSON.stringify([scope, body]))
      .digest()
      .subarray(0, tagBytes);

  const read = (scope: string, cursor: string): string[] | undefined => {
    const bytes = Buffer.from(cursor, 'base64url');
    const body = bytes.subarray(tagBytes).toString('utf8');
    const tag = bytes.subarray(0, tagBytes);
    // Decoding ignores characters outside base64url; a cursor that contains one was not issued here either.
    if (tag.length !== tagBytes || bytes.toString('base64url') !== cursor) return undefined;
    const isOurs = keyRing.derivedByEach(purpose).some((key) => timingSafeEqual(tag, tagOf(scope, body, key)));
    if (!isOurs) return undefined;
    return positionForm.parse(JSON.parse(body));
  };

  return {
    seal: (scope, position) => {
      const body = JSON.stringify(position);
      return Buffer.concat([tagOf(scope, body), Buffer.from(body)]).toString('base64url');
    },
    open: (scope, cursor, argument = 'after') => {
      const position = read(scope, cursor);
      if (position === undefined) {
        refuse('BAD_REQUEST', [{ path: argument, message: `is not a cursor of ${meaning}` }]);
      }
      return position ?? [];
    },
  };
}
