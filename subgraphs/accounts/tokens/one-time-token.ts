import { randomBytes } from 'node:crypto';
import { sha256 } from '../../../shared/security/crypto.js';
import { ApiError, errorAt } from '../../../shared/kernel/errors.js';

/** Purposes of links in mail, with their lifetimes. */
export const tokenLifetimesMs = {
  CONFIRM: 24 * 3_600_000,
  RESET: 3_600_000,
} as const;

export type TokenPurpose = keyof typeof tokenLifetimesMs;

/** Generates a token: 256 random bits in base64url. */
export function mintToken(): string {
  return randomBytes(32).toString('base64url');
}

export function tokenHash(token: string): Buffer {
  return sha256(token);
}

/** Returns the error of an invalid link in a mail. */
export function uselessLink(): ApiError {
  return new ApiError('UNPROCESSABLE', {
    message: 'The link is not valid: it is unknown, was used or has expired. Request a new one',
    details: [errorAt('token', 'LINK_USELESS')],
  });
}
