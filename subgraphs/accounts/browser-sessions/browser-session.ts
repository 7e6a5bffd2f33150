import type { OwnerKind } from '../../../shared/security/browser-session.js';
import type { BrowserSession } from '../../../shared/kernel/context.js';
import { sha256, type KeyRing } from '../../../shared/security/crypto.js';
import { sessionLifetimeMs } from '../sessions/session-lifetime.js';
import { createHmac, randomBytes } from 'node:crypto';
import type { Client } from '../accounts/login-guard.js';

/** Lifetime of a browser's session, whatever it does. */
export const absoluteMs = sessionLifetimeMs;

/** How long the session of a browser lives without a request, in seconds. */
export const idleSeconds: Readonly<Record<OwnerKind, number>> = { ACCOUNT: 1_800, OPERATOR: 900, TRADER: 900 };

/** Returns the hash of a cookie, which is all that is stored of it; undefined for a text that cannot be one. */
export function cookieHash(cookie: string): Buffer | undefined {
  return /^[A-Za-z0-9_-]{43}$/.test(cookie) ? sha256(cookie) : undefined;
}

/** Returns the act that the owner of a session must do before anything else. */
export function dueOf(session: {
  readonly enrolled: boolean;
  readonly required: boolean;
  readonly secondFactorAt: Date | null;
}): BrowserSession['due'] | undefined {
  if (session.enrolled) return session.secondFactorAt === null ? 'SECOND_FACTOR' : undefined;
  return session.required ? 'ENROLMENT' : undefined;
}

/** A browser is known by a cookie that outlives sessions, which is no credential: wrong passwords and codes of such a browser are counted apart, so that strangers cannot lock its owner out. */
export interface Devices {
  /** Returns the browser as a client of an e-mail or an owner; undefined where these were not logged in there. */
  clientOf(cookie: string | undefined, subject: string): Client | undefined;
  /** Returns the cookie of a browser in which the owner of some subjects has just logged in. */
  remember(cookie: string | undefined, subjects: readonly string[]): string;
}

/** Returns the subjects for which wrong passwords and codes of an owner are counted. */
export function subjectsOf(ownerId: string, account: { readonly email: string } | null | undefined): string[] {
  return [ownerId, ...(account == null ? [] : [account.email])];
}

const purpose = 'accounts/device';
/** An id, and for each of the last owners a tag: 16 bytes each, in Base64url. */
const form = /^[A-Za-z0-9_-]{22}(?:\.[A-Za-z0-9_-]{22}){1,8}$/;
const maxTags = 8;

/** Creates the recognition. Cookies of the previous master key count while it is configured. */
export function createDevices(keyRing: KeyRing): Devices {
  const tagsOf = (id: string, subject: string) =>
    keyRing
      .derivedByEach(purpose)
      .map((key) => createHmac('sha256', key).update(`${id} ${subject.trim().toLowerCase()}`).digest())
      .map((tag) => tag.toString('base64url', 0, 16));
  const partsOf = (cookie = '') => (form.test(cookie) ? cookie.split('.') : []);

  return {
    clientOf: (cookie, subject) => {
      const [id, ...held] = partsOf(cookie);
      if (id === undefined || !tagsOf(id, subject).some((tag) => held.includes(tag))) return undefined;
      return { id: `device ${id}`, isKnown: true };
    },
    remember: (cookie, subjects) => {
      const [id = randomBytes(16).toString('base64url'), ...held] = partsOf(cookie);
      const tags = subjects.flatMap((subject) => tagsOf(id, subject).slice(0, 1));
      return [id, ...new Set([...tags, ...held])].slice(0, 1 + maxTags).join('.');
    },
  };
}
