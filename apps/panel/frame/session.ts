import { noteNoResponse, noteResponse } from './connection.js';
import { FailureError, failureOf, noResponse, objectIn } from './failure.js';
import { createStore, useStore } from './store.js';

export type Proof = 'PASSWORD' | 'PASSKEY' | 'TOTP' | 'RECOVERY_CODE';

/** The session of this browser, as `GET /web/session` describes it (docs/contract/browser-sessions.md). */
export interface BrowserSession {
  readonly id: string;
  readonly kind: 'ACCOUNT' | 'OPERATOR' | 'TRADER';
  readonly ownerId: string;
  readonly name: string | null;
  readonly email: string | null;
  /** Roles of an operator, scopes of a credential that trades. */
  readonly scopes: readonly string[];
  readonly due: 'SECOND_FACTOR' | 'ENROLMENT' | null;
  readonly accepts: readonly Proof[];
  readonly createdAt: string;
  readonly steppedUpUntil: string;
  readonly idleEndsAt: string;
  readonly endsAt: string;
  readonly now: string;
}

const path = '/web/session';
/** Undefined until it is read for the first time, null where there is none. */
const current = createStore<BrowserSession | null | undefined>(undefined);
let reading: Promise<BrowserSession | null> | undefined;

const tabs = new BroadcastChannel('lastro-session');
tabs.onmessage = () => {
  readSession().catch(() => undefined);
};

/** When this tab last changed something that counts depend on, by the clock of `performance`. */
let changedAt = 0;

export function noteChange(): void {
  changedAt = performance.now();
}

export const lastChange = (): number => changedAt;

let aheadMs = 0;

/** Returns the server's time in milliseconds since 1970: the browser's clock may be wrong. */
export function serverNow(): number {
  return Date.now() + aheadMs;
}

function set(session: BrowserSession | null): void {
  if (session !== null) aheadMs = Date.parse(session.now) - Date.now();
  current.set(session);
}

/** Sends a request to a route of the session. @throws {FailureError} where it is refused, or has no response */
async function send(method: string, to: string, body?: unknown): Promise<Response> {
  const init =
    body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(to, { method, cache: 'no-store', ...init }).catch(() => undefined);
  if (response === undefined) {
    noteNoResponse();
    throw new FailureError(noResponse);
  }
  noteResponse();
  if (response.ok) return response;
  const text = await response.text();
  throw new FailureError(failureOf({ statusCode: response.status, ...objectIn(text) }));
}

/** Reads the session from the server; once for all who ask at the same time. */
export function readSession(): Promise<BrowserSession | null> {
  reading ??= read().finally(() => {
    reading = undefined;
  });
  return reading;
}

async function read(): Promise<BrowserSession | null> {
  const response = await send('GET', path);
  // Form defined by the contract.
  set(response.status === 204 ? null : ((await response.json()) as BrowserSession));
  return current.get() ?? null;
}

/** Returns the session as it was read last, and reads it where it was not. */
export function knownSession(): Promise<BrowserSession | null> {
  const known = current.get();
  return known === undefined ? readSession() : Promise.resolve(known);
}

async function changed(): Promise<BrowserSession | null> {
  const session = await readSession();
  tabs.postMessage('changed');
  return session;
}

export type FirstFactor =
  | { readonly email: string; readonly password: string }
  | { readonly operatorKey: string }
  | { readonly apiKey: string; readonly secretKey: string };

export async function logIn(first: FirstFactor): Promise<BrowserSession | null> {
  await send('POST', path, first);
  return changed();
}

export async function logInByPasskey(): Promise<BrowserSession | null> {
  await send('POST', path, { passkey: await signedByPasskey(`${path}/passkey-request`) });
  return changed();
}

export async function logOut(): Promise<void> {
  await send('DELETE', path).catch((error: unknown) => {
    // A session that has ended already needs no log-out.
    if (!(error instanceof FailureError) || error.failure.code !== 'UNAUTHORIZED') throw error;
  });
  set(null);
  tabs.postMessage('changed');
}

export type StepUpProof =
  { readonly password: string } | { readonly totp: string } | { readonly recoveryCode: string } | 'passkey';

/** Proves that the owner is there. @throws {FailureError} for a proof that is wrong */
export async function stepUp(proof: StepUpProof): Promise<BrowserSession | null> {
  const body = proof === 'passkey' ? { passkey: await signedByPasskey(`${path}/step-up/passkey-request`) } : proof;
  await send('POST', `${path}/step-up`, body);
  return changed();
}

/** Has the browser sign by a passkey. @throws {FailureError} PASSKEY where its owner does not */
async function signedByPasskey(to: string): Promise<unknown> {
  const response = await send('POST', to, {});
  // Form defined by WebAuthn.
  const options = (await response.json()) as PublicKeyCredentialRequestOptionsJSON;
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const credential = await navigator.credentials.get({ publicKey }).catch(() => null);
  if (!(credential instanceof PublicKeyCredential)) throw new FailureError({ ...noResponse, code: 'PASSKEY' });
  return credential.toJSON();
}

export const onSessionChange = current.onChange;

export function useSession(): BrowserSession | null {
  return useStore(current) ?? null;
}

/** Makes a request that counts as one of the session, and so prolongs it. */
export async function touchSession(): Promise<void> {
  await send('POST', '/graphql', { query: '{ __typename }' }).catch(() => undefined);
  await readSession();
}

export const sessionOwner = (): string | undefined => current.get()?.ownerId;

/** Returns a text that changes when another session takes the place of this one, or this one becomes complete. */
export function sessionKey(): string {
  const session = current.get();
  return session == null ? '' : `${session.kind} ${session.ownerId} ${session.due ?? ''}`;
}
