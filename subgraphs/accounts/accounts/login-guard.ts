import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { Clock } from '../../../shared/kernel/clock.js';
import type { Context } from '../../../shared/kernel/context.js';
import type { KeyRing } from '../../../shared/security/crypto.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import { trimEmail } from './account.js';
import {
  clearOldPlaces,
  clearPlaces,
  clearPlacesWithin,
  givePlaceBack,
  keepPlace,
  readPlaces,
  takePlace,
  type Counter,
} from './account.store.js';
import { originOf } from '../sessions/session-origin.js';
import { hasProvedFrom, isKnownNetwork } from '../sessions/session.store.js';

/** Number of failures for one e-mail and client within the window after which its logins are rejected (docs/contract/accounts.md §2.2). */
const maxFailures = 10;
/** The same over all clients that are not known: a guesser with many addresses is bounded, too. */
const maxStrangersFailures = 100;
export const failureWindowMs = 15 * 60_000;

const pollMs = 50;
const maxWaitMs = 5_000;

/** A place among the ten, reserved before a password is verified. Exactly one of its methods has to be called. */
export interface Attempt {
  /** The password was right: resets the count of the client. */
  succeed(): Promise<void>;
  /** The password was wrong: the place stays taken for 15 minutes. */
  fail(): Promise<void>;
  /** The password could not be verified: releases the place. */
  withdraw(): Promise<void>;
}

export interface Client {
  /** A network, a browser or a session. */
  readonly id: string;
  /** Whether the owner of the e-mail has logged in there before: strangers cannot use up its attempts. */
  readonly isKnown: boolean;
}

export interface LoginGuard {
  /** Waits for attempts that may still succeed; the e-mail need not have an account. @throws {ApiError} TOO_MANY_REQUESTS after ten failures of the client in 15 minutes, or a hundred of unknown ones */
  begin(email: string, client: Client): Promise<Attempt>;
  /** Clears the failures of an e-mail in the current transaction, once its owner has proved ownership. */
  forgive(context: Context, email: string): Promise<void>;
  forgetOld(): Promise<void>;
}

/** Subjects of the counted attempts, each with its name in the error. */
const subjects = {
  password: { purpose: 'accounts/login-failures', text: 'the e-mail had' },
  secondFactor: { purpose: 'accounts/factor-failures', text: 'the second factor had' },
} as const;

/** Counts per e-mail or owner of second factors, and client, for all instances, outside of the request's transaction: a rejected login rolls it back, and the count must survive that. */
export function createLoginGuard(
  { pool, keyRing, clock }: { readonly pool: Pool; readonly keyRing: KeyRing; readonly clock: Clock },
  counts: keyof typeof subjects = 'password',
): LoginGuard {
  const { purpose, text } = subjects[counts];
  const digestOf = (email: string) => keyRing.hmac(purpose, trimEmail(email).toLowerCase());
  const windowStart = () => new Date(clock.now().getTime() - failureWindowMs);

  const reserve = async (counter: Counter): Promise<void> => {
    const patience = performance.now() + maxWaitMs;
    for (;;) {
      if (await takePlace(pool, counter, clock.now(), windowStart())) return;
      // No row means that a right password cleared the places in between: a place is free again.
      const places = await readPlaces(pool, counter, windowStart());
      const decided = places?.undecided === 0;
      if (decided || performance.now() > patience)
        throw tooMany(text, counter.most, places?.oldest ?? null, clock.now());
      await delay(pollMs);
    }
  };

  return {
    begin: async (given, { id, isKnown }) => {
      const email = digestOf(given);
      const own = { email, client: digestOf(`${given}\n${id}`), most: maxFailures };
      const strangers = isKnown ? undefined : { email, client: email, most: maxStrangersFailures };
      await reserve(own);
      try {
        if (strangers !== undefined) await reserve(strangers);
      } catch (error) {
        await givePlaceBack(pool, own);
        throw error;
      }
      return attemptOf(pool, own, strangers);
    },
    forgive: (context, email) => clearPlacesWithin(context, digestOf(email)),
    forgetOld: () => clearOldPlaces(pool, windowStart()),
  };
}

function attemptOf(pool: Pool, own: Counter, strangers: Counter | undefined): Attempt {
  const ofAll = async (end: (pool: Pool, counter: Counter) => Promise<void>) => {
    await end(pool, own);
    if (strangers !== undefined) await end(pool, strangers);
  };
  return {
    succeed: async () => {
      await clearPlaces(pool, own);
      // Others' failures stay.
      if (strangers !== undefined) await givePlaceBack(pool, strangers);
    },
    fail: () => ofAll(keepPlace),
    withdraw: () => ofAll(givePlaceBack),
  };
}

/** @param oldest the first attempt that counts: when it is 15 minutes old, a place is free */
function tooMany(subject: string, most: number, oldest: Date | null, now: Date): ApiError {
  const waitMs = oldest === null ? 1_000 : oldest.getTime() + failureWindowMs - now.getTime();
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  return new ApiError('TOO_MANY_REQUESTS', {
    message: `Too Many Requests: ${subject} ${most} failed logins in 15 minutes. Try again in ${seconds} seconds`,
    retryAfterSeconds: seconds,
  });
}

/** Returns the caller of a log-in by its network, which is known if a session of the e-mail's account was opened from it. */
export async function networkClient(context: Context, email: string): Promise<Client> {
  const { network } = originOf(context);
  return { id: `network ${network}`, isKnown: await isKnownNetwork(context, email, network) };
}

/** Returns the caller of a proof of a second factor by its network, which is known if a second factor was proved from it: a password is enough to open a session. */
export async function factorClient(context: Context, ownerId: string): Promise<Client> {
  const { network } = originOf(context);
  return { id: `network ${network}`, isKnown: await hasProvedFrom(context, ownerId, network) };
}

/** Returns the caller of a session: a browser by its session, in which somebody has logged in before, a program by its network. */
export async function sessionClient(context: Context, email: string): Promise<Client> {
  const { browser } = context.principal;
  return browser === undefined ? networkClient(context, email) : { id: `session ${browser.id}`, isKnown: true };
}
