import { randomBytes } from 'node:crypto';
import { sha256 } from '../../../shared/security/crypto.js';

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
