import 'reflect-metadata';
import { Extensions } from 'type-graphql';
import { z } from 'zod';
import type { Context, Principal } from '../context.js';
import { Fault } from '../errors.js';

/**
 * Who may use a field.
 * - `anyone`: no credential needed
 * - `session`: a person who logged in
 * - `apiKey`: a program with an API key
 * - `data`: an API key or a session; the house's own operator too
 * - `developer`: a developer's key with the scope that is named beside it; the session of an account whose e-mail is confirmed too
 * - `client`: a client of credit assignment, by a signed request
 * - `originator`: such a client; for its account, a session, an API key, or a developer's key with the scope beside it; the house's
 *   own operator too
 * - `operator`: the house itself (command line, jobs), or a developer's key with the scope `operator`
 */
export type AccessLevel = (typeof levels)[number];
const levels = ['anyone', 'session', 'apiKey', 'data', 'developer', 'client', 'originator', 'operator'] as const;

/** The levels that name the scope that a developer's key needs. */
type ScopedLevel = 'developer' | 'originator';
/** The levels that are declared by their name alone. */
export type PlainLevel = Exclude<AccessLevel, ScopedLevel>;

/** What was declared of a type or field. */
export interface Declared {
  readonly level: AccessLevel;
  /** What a DEVELOPER_KEY must be allowed. */
  readonly scope?: string | undefined;
}

interface Rule {
  readonly kinds: ReadonlySet<Principal['kind']>;
  /** What the caller has to send, said in the fault. */
  readonly asks: string;
}

const rules: Readonly<Record<Exclude<AccessLevel, 'anyone'>, Rule>> = {
  session: { kinds: new Set(['SESSION']), asks: 'a session token as Authorization: Bearer' },
  apiKey: { kinds: new Set(['API_KEY']), asks: 'an API key as X-API-Key' },
  data: { kinds: new Set(['API_KEY', 'SESSION', 'OPERATOR']), asks: 'an API key as X-API-Key, or a session token' },
  developer: {
    kinds: new Set(['DEVELOPER_KEY', 'SESSION', 'OPERATOR']),
    asks: "a developer's key as X-API-Key, or a session token",
  },
  client: { kinds: new Set(['CLIENT']), asks: 'a signed request: X-Client-Id, X-Timestamp and X-Signature' },
  originator: {
    kinds: new Set(['CLIENT', 'SESSION', 'API_KEY', 'DEVELOPER_KEY', 'OPERATOR']),
    asks: "a signed request, a session token, an API key or a developer's key",
  },
  operator: { kinds: new Set(['DEVELOPER_KEY', 'OPERATOR']), asks: 'the key of an operator as X-API-Key' },
};

/**
 * Declares who may use what it stands on: a query, mutation or subscription (each must declare), one field, or an object
 * type, which then guards every field of it. Checked in the subgraph's own schema, so that no door can forget it.
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
export function Access(level: AccessLevel, scope?: string): MethodDecorator & PropertyDecorator & ClassDecorator {
  return Extensions({ access: { level, scope: level === 'operator' ? 'operator' : scope } satisfies Declared });
}

const declaredForm = z.object({
  level: z.enum(levels),
  scope: z.string().optional(),
});

/** What was declared in a type's or field's extensions, where anything was. */
export function declaredAccess(extensions: object): Declared | undefined {
  return 'access' in extensions ? declaredForm.parse(extensions.access) : undefined;
}

/**
 * Refuses a caller who may not.
 * @throws {Fault} UNAUTHORIZED without a credential, FORBIDDEN with one of another kind, without the scope, which it names, or
 *   with a session of an account that waits for its confirmation where developers are asked for.
 */
export function demand({ level, scope }: Declared, { principal }: Pick<Context, 'principal'>): void {
  if (level === 'anyone') return;
  const { kinds, asks } = rules[level];
  if (!kinds.has(principal.kind)) {
    throw new Fault(principal.kind === 'ANONYMOUS' ? 'UNAUTHORIZED' : 'FORBIDDEN', { message: `Send ${asks}` });
  }
  if (level === 'developer' && principal.kind === 'SESSION' && !principal.scopes.includes('confirmed')) {
    throw new Fault('FORBIDDEN', { message: 'Confirm the e-mail of the account first' });
  }
  if (scope === undefined || principal.kind !== 'DEVELOPER_KEY' || principal.scopes.includes(scope)) return;
  throw new Fault('FORBIDDEN', { message: `This key lacks the scope ${scope}` });
}
