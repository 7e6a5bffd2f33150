import 'reflect-metadata';
import { Extensions } from 'type-graphql';
import { z } from 'zod';
import type { ErrorCode } from '../registry.js';
import type { Context, CredentialHeader, Principal } from '../kernel/context.js';
import { ApiError, byRule } from '../kernel/errors.js';
import { demandRole, roles, type Role } from './roles.js';

/**
 * The access levels of a field.
 * - `anyone`: no credential needed
 * - `session`: the session of an account; at this as at every other level, one whose e-mail is not confirmed only with `@OpenUnconfirmed()` beside it
 * - `person`: the session of an account, or a browser's session of an operator or of a company that trades
 * - `browser`: a browser's session, of any of these
 * - `apiKey`: a program with an API key
 * - `data`: an API key, a session, an operator or the program's public pages
 * - `developer`: a developer's key with the given scope; also a session, and an operator if the scope is for reading
 * - `client`: a client of credit assignment, by a signed request
 * - `sender`: such a client; also a browser's session of its account
 * - `originator`: such a client; for its account, a session, an API key, or a developer's key with the given scope; also an operator
 * - `trader`: a company that trades, by an access token whose credential has the given scope (`read`, `trade` or `withdraw`)
 * - `market`: such a company with the given scope, an API key or the program's public pages: for data that is the same for everyone
 * - `operator`: an operator with the given role (`roles.ts`). A mutation of this level is an act of an operator: it runs in one transaction with its
 *   entry in the audit log
 *
 * Wherever operators have access, the program itself has access, too.
 */
export type AccessLevel = (typeof levels)[number];
const levels = [
  'anyone',
  'session',
  'person',
  'browser',
  'apiKey',
  'data',
  'developer',
  'client',
  'sender',
  'originator',
  'trader',
  'market',
  'operator',
] as const;

type ScopedLevel = 'developer' | 'originator' | 'trader' | 'market';
export type PlainLevel = Exclude<AccessLevel, ScopedLevel | 'operator'>;

export interface Declared {
  readonly level: AccessLevel;
  readonly scope?: string | undefined;
  readonly role?: Role | undefined;
  /** Whether the session of an account whose e-mail is not confirmed has access, too. */
  readonly unconfirmed?: boolean;
  /** Whether the session of a browser whose owner must add a second factor first has access, too. */
  readonly unenrolled?: boolean;
  /** Whether the session of a browser needs a proof of its owner in the last minutes. */
  readonly stepUp?: boolean;
  /** Whether a mutation of operators only prepares an act. */
  readonly partOfAct?: boolean;
  readonly givesSecret?: boolean;
}

const scopedKinds: ReadonlySet<Principal['kind']> = new Set(['DEVELOPER_KEY', 'TRADER']);

interface Rule {
  readonly kinds: ReadonlySet<Principal['kind']>;
  readonly asks: string;
  /** The error code without a credential, if not UNAUTHORIZED. */
  readonly code?: ErrorCode;
}

const rules: Readonly<Record<Exclude<AccessLevel, 'anyone'>, Rule>> = {
  session: { kinds: new Set(['SESSION']), asks: 'a session token as Authorization: Bearer' },
  person: {
    kinds: new Set(['SESSION', 'OPERATOR', 'TRADER']),
    asks: 'a session token as Authorization: Bearer, or the cookie of a browser’s session',
  },
  browser: {
    kinds: new Set(['SESSION', 'OPERATOR', 'TRADER']),
    asks: 'the cookie of a browser’s session: POST /web/session',
  },
  apiKey: { kinds: new Set(['API_KEY']), asks: 'an API key as X-API-Key' },
  data: {
    kinds: new Set(['API_KEY', 'SESSION', 'OPERATOR', 'WEBSITE', 'SYSTEM']),
    asks: 'an API key as X-API-Key, or a session token',
  },
  developer: {
    kinds: new Set(['DEVELOPER_KEY', 'SESSION', 'OPERATOR', 'SYSTEM']),
    asks: "a developer's key as X-API-Key, or a session token",
  },
  client: { kinds: new Set(['CLIENT']), asks: 'a signed request: X-Client-Id, X-Timestamp and X-Signature' },
  sender: {
    kinds: new Set(['CLIENT', 'SESSION']),
    asks: 'a signed request: X-Client-Id, X-Timestamp and X-Signature, or the cookie of a browser’s session',
  },
  originator: {
    kinds: new Set(['CLIENT', 'SESSION', 'API_KEY', 'DEVELOPER_KEY', 'OPERATOR', 'SYSTEM']),
    asks: "a signed request, a session token, an API key or a developer's key",
  },
  trader: {
    kinds: new Set(['TRADER']),
    asks: 'an access token of POST /v1/auth/login as Authorization: Bearer',
    code: 'INVALID_ACCESS_TOKEN',
  },
  market: {
    kinds: new Set(['TRADER', 'API_KEY', 'WEBSITE']),
    asks: 'an API key as X-API-Key, or an access token of POST /v1/auth/login as Authorization: Bearer',
    code: 'INVALID_ACCESS_TOKEN',
  },
  operator: { kinds: new Set(['DEVELOPER_KEY', 'OPERATOR', 'SYSTEM']), asks: 'the key of an operator as X-API-Key' },
};

/**
 * Declares the access to a query, mutation or subscription (each must declare it), to a single field, or to an object type and thereby all of its
 * fields. Checked in the subgraph's own schema, so that no interface can omit the check.
 *
 * @example
 * ```ts
 * @Access('session')
 * @Mutation(() => CreatedApiKey, { description: '…' })
 * createApiKey(@Ctx() context: Context, @Arg('name', () => String) name: string) { … }
 * ```
 */
export function Access(level: PlainLevel): MethodDecorator & PropertyDecorator & ClassDecorator;
export function Access(level: ScopedLevel, scope: string): MethodDecorator & PropertyDecorator & ClassDecorator;
export function Access(level: 'operator', role: Role): MethodDecorator & PropertyDecorator & ClassDecorator;
export function Access(level: AccessLevel, needed?: string): MethodDecorator & PropertyDecorator & ClassDecorator {
  const declared = level === 'operator' ? { level, role: needed } : { level, scope: needed };
  return Extensions({ access: declaredForm.parse(declared) });
}

const declaredForm = z.object({
  level: z.enum(levels),
  scope: z.string().optional(),
  role: z.enum(roles).optional(),
});

/** Opens a field to accounts with an unconfirmed e-mail. All others with declared access reject them, so new fields are closed by default. */
export function OpenUnconfirmed(): MethodDecorator {
  return Extensions({ unconfirmed: true });
}

/** Opens a field to the session of a browser whose owner must add a second factor first. Every other field with declared access rejects such a session. */
export function OpenUnenrolled(): MethodDecorator {
  return Extensions({ unenrolled: true });
}

/**
 * Requires of a browser's session a factor proved in the last 5 minutes: for money, credentials and personal data (tests/accounts/access.test.ts).
 * @param gives whether the result holds a new secret: a repetition with the same idempotency key gets it only by the same credential
 */
export function StepUp(gives?: 'secret'): MethodDecorator {
  return Extensions(gives === undefined ? { stepUp: true } : { stepUp: true, givesSecret: true });
}

/** Leaves a mutation without transaction and audit entry: it prepares an act, which has them, and is sent too often for an entry each time. */
export function PartOfAct(): MethodDecorator {
  return Extensions({ partOfAct: true });
}

export function declaredAccess(extensions: object): Declared | undefined {
  if (!('access' in extensions)) return undefined;
  return {
    ...declaredForm.parse(extensions.access),
    unconfirmed: 'unconfirmed' in extensions,
    unenrolled: 'unenrolled' in extensions,
    stepUp: 'stepUp' in extensions,
    partOfAct: 'partOfAct' in extensions,
    givesSecret: 'givesSecret' in extensions,
  };
}

/** Extends the message for a rejected caller who sent two credentials: one of them was not read. */
export function withUnread(message: string, unread: CredentialHeader | undefined): string {
  if (unread === undefined) return message;
  const read = unread === 'Authorization' ? 'X-API-Key' : 'Authorization';
  return `${message}. The request has both ${read} and ${unread}, and only ${read} is read here: send one of them`;
}

/** How long a proof of the owner of a browser's session counts. */
export const stepUpMs = 5 * 60_000;

/** Requires a browser's second factor and recent proof where needed. @throws {ApiError} SECOND_FACTOR_REQUIRED, ENROLMENT_REQUIRED, STEP_UP_REQUIRED */
export function demandProof(
  { unenrolled, stepUp }: Declared,
  { principal: { browser }, clock }: Pick<Context, 'principal' | 'clock'>,
): void {
  if (browser === undefined) return;
  if (browser.due === 'SECOND_FACTOR') throw new ApiError('SECOND_FACTOR_REQUIRED');
  if (browser.due === 'ENROLMENT' && unenrolled !== true) throw new ApiError('ENROLMENT_REQUIRED');
  if (stepUp === true && clock.now().getTime() - browser.provedAtMs > stepUpMs) throw new ApiError('STEP_UP_REQUIRED');
}

/** @throws {ApiError} UNAUTHORIZED or INVALID_ACCESS_TOKEN without a credential; FORBIDDEN with another kind, no scope or role, or an unconfirmed e-mail */
export function demand(declared: Declared, { principal }: Pick<Context, 'principal'>): void {
  const { level, scope, role, unconfirmed } = declared;
  if (principal.kind === 'SESSION' && unconfirmed !== true && !principal.scopes.includes('confirmed'))
    throw new ApiError('FORBIDDEN', {
      message:
        'Confirm the e-mail of the account first. Until then its session can only read `me`, confirm the e-mail, request another link and log out',
    });
  if (level === 'anyone') return;
  const { kinds, asks, code = 'UNAUTHORIZED' } = rules[level];
  const wrongTransport =
    principal.browser === undefined &&
    (level === 'browser' ||
      (level === 'person' && principal.kind !== 'SESSION') ||
      (level === 'sender' && principal.kind === 'SESSION'));
  if (!kinds.has(principal.kind) || wrongTransport) {
    const message = withUnread(`Send ${asks}`, principal.unread);
    throw new ApiError(principal.kind === 'ANONYMOUS' ? code : 'FORBIDDEN', { message });
  }
  if (principal.kind === 'SYSTEM') return;
  if (role !== undefined) demandRole(principal, role);
  else if (level === 'developer' && principal.kind === 'OPERATOR' && scope?.endsWith(':read') !== true) {
    throw new ApiError('FORBIDDEN', {
      message: 'The key of an operator does not act for an account: use a key of the account',
    });
  } else if (scope !== undefined && scopedKinds.has(principal.kind) && !principal.scopes.includes(scope))
    throw new ApiError('FORBIDDEN', byRule('SCOPE_MISSING', { scope }));
}
