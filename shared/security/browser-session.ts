import type { AuthenticationResponseJSON, PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import type { BrowserSession, Context, Principal } from '../kernel/context.js';

/** Whom the session of a browser belongs to: an account, an operator, or a credential of a company that trades. */
export type OwnerKind = 'ACCOUNT' | 'OPERATOR' | 'TRADER';

export interface SessionOwner {
  readonly kind: OwnerKind;
  readonly id: string;
}

/** Credentials of a log-in. */
export type FirstFactor =
  | { readonly email: string; readonly password: string }
  | { readonly operatorKey: string }
  | { readonly apiKey: string; readonly secretKey: string }
  | { readonly passkey: AuthenticationResponseJSON };

/** Proof that the owner of a session is present: a second factor, or the password of an account without one. */
export type FactorProof =
  | { readonly password: string }
  | { readonly totp: string }
  | { readonly recoveryCode: string }
  | { readonly passkey: AuthenticationResponseJSON };

export interface BrowserSessionState {
  readonly id: string;
  readonly kind: OwnerKind;
  /** Id of the account, of the operator, or of the company. */
  readonly ownerId: string;
  readonly name: string | null;
  readonly email: string | null;
  /** Roles of an operator, scopes of a trading credential; `confirmed` for an account with a confirmed e-mail. */
  readonly scopes: readonly string[];
  readonly due: BrowserSession['due'] | null;
  readonly accepts: readonly ('PASSWORD' | 'PASSKEY' | 'TOTP' | 'RECOVERY_CODE')[];
  readonly createdAt: Date;
  /** Until when acts that need a step-up are accepted; possibly past. */
  readonly steppedUpUntil: Date;
  /** When it ends if no further request comes. */
  readonly idleEndsAt: Date;
  readonly endsAt: Date;
  /** The time of the server, for a browser whose clock is wrong. */
  readonly now: Date;
}

export interface RenewedSession {
  readonly cookie: string;
  readonly endsAt: Date;
  /** The new value of the cookie that recognizes the browser; undefined while the log-in waits for a second factor. */
  readonly device?: string | undefined;
}

/** The cookies that a browser has: of its session, and the one that recognizes it. */
export interface HeldCookies {
  readonly session?: string | undefined;
  readonly device?: string | undefined;
}

export type PasskeyRequest = PublicKeyCredentialRequestOptionsJSON;

/** The sessions of browsers: the domain of accounts has them, and the routes that set their cookies use them. */
export interface BrowserSessions {
  /** Opens a session and ends the former. @throws {ApiError} BAD_REQUEST, UNAUTHORIZED, INVALID_CREDENTIALS, FORBIDDEN, TOO_MANY_REQUESTS, UNAVAILABLE */
  logIn(context: Context, first: FirstFactor, held: HeldCookies): Promise<RenewedSession>;
  /** Returns the browser's options for a passkey signature: for a log-in, or for a step-up of the calling session. */
  passkeyRequest(context: Context): Promise<PasskeyRequest>;
  /** Proves its owner and gives it another cookie. @throws {ApiError} BAD_REQUEST, UNAUTHORIZED, UNPROCESSABLE, TOO_MANY_REQUESTS, UNAVAILABLE */
  stepUp(context: Context, held: HeldCookies, proof: FactorProof): Promise<RenewedSession>;
  /** Describes the calling session. @throws {ApiError} UNAUTHORIZED when it has ended */
  read(context: Context): Promise<BrowserSessionState>;
  logOut(context: Context): Promise<void>;
}

export function sessionOwnerOf({ kind, id, ownerId }: Principal): SessionOwner {
  if (kind === 'OPERATOR') return { kind, id: ownerId };
  return kind === 'TRADER' ? { kind, id } : { kind: 'ACCOUNT', id: ownerId };
}

export function sessionIdOf({ browser, id }: Principal): string {
  return browser?.id ?? id;
}
