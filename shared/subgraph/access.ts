import 'reflect-metadata';
import { Extensions } from 'type-graphql';
import type { Context, Principal } from '../context.js';
import { Fault } from '../errors.js';

/**
 * Who may use a field.
 * - `anyone`: no credential needed
 * - `session`: a person who logged in
 * - `apiKey`: a program with an API key
 * - `data`: an API key or a session; the house's own operator too
 * - `operator`: the house itself (command line, jobs)
 */
export type AccessLevel = 'anyone' | 'session' | 'apiKey' | 'data' | 'operator';

interface Rule {
  readonly kinds: ReadonlySet<Principal['kind']>;
  /** What the caller has to send, said in the fault. */
  readonly asks: string;
}

const rules: Readonly<Record<Exclude<AccessLevel, 'anyone'>, Rule>> = {
  session: { kinds: new Set(['SESSION']), asks: 'a session token as Authorization: Bearer' },
  apiKey: { kinds: new Set(['API_KEY']), asks: 'an API key as X-API-Key' },
  data: { kinds: new Set(['API_KEY', 'SESSION', 'OPERATOR']), asks: 'an API key as X-API-Key, or a session token' },
  operator: { kinds: new Set(['OPERATOR']), asks: 'the credential of an operator' },
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
export function Access(level: AccessLevel): MethodDecorator & PropertyDecorator & ClassDecorator {
  return Extensions({ access: level });
}

/** The level that was declared in a type's or field's extensions, where one was. */
export function declaredAccess(extensions: object): AccessLevel | undefined {
  if (!('access' in extensions)) return undefined;
  const { access } = extensions;
  if (access === 'anyone' || (typeof access === 'string' && access in rules)) return access as AccessLevel;
  throw new Error(`@Access(${JSON.stringify(access)}) is not a level`);
}

/**
 * Refuses a caller who is not of a level.
 * @throws {Fault} UNAUTHORIZED without a credential, FORBIDDEN with one of another kind.
 */
export function demand(level: AccessLevel, { principal }: Context): void {
  if (level === 'anyone') return;
  const rule = rules[level];
  if (rule.kinds.has(principal.kind)) return;
  throw new Fault(principal.kind === 'ANONYMOUS' ? 'UNAUTHORIZED' : 'FORBIDDEN', { message: `Send ${rule.asks}` });
}
