import type { OwnerKind } from '../../../shared/security/browser-session.js';
import type { BrowserSession } from '../../../shared/kernel/context.js';
import { sha256 } from '../../../shared/security/crypto.js';
import { sessionLifetimeMs } from '../sessions/session-lifetime.js';

/** Lifetime of a browser's session, whatever it does. */
export const absoluteMs = sessionLifetimeMs;

/** How long the session of a browser lives without a request, in seconds. */
export const idleSeconds: Readonly<Record<OwnerKind, number>> = { ACCOUNT: 1_800, OPERATOR: 900, TRADER: 900 };

/** Returns the hash of a cookie, which is all that is stored of it; undefined for a text that cannot be one. */
export function cookieHash(cookie: string): Buffer | undefined {
  return /^[A-Za-z0-9_-]{43}$/.test(cookie) ? sha256(cookie) : undefined;
}

/** Returns what the owner of a session must do before anything else. */
export function dueOf(session: {
  readonly enrolled: boolean;
  readonly required: boolean;
  readonly secondFactorAt: Date | null;
}): BrowserSession['due'] | undefined {
  if (session.enrolled) return session.secondFactorAt === null ? 'SECOND_FACTOR' : undefined;
  return session.required ? 'ENROLMENT' : undefined;
}
