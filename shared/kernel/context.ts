import DataLoader from 'dataloader';
import type { AuditTrail } from '../security/audit/trail.js';
import type { Bus } from '../events/bus.js';
import { type Clock, civilDate } from './clock.js';
import type { Manager } from '../database/manager.js';
import { newId } from './ids.js';
import type { Logger } from './log.js';
import type { PrincipalKind } from '../security/principal-kind.js';
import type { Span, Tracer } from './tracing/span.js';

/** The caller, as derived from the credential at the edge. The module above decides what an owner is. */
export interface Principal {
  readonly kind: PrincipalKind;
  /** The credential's own id (a key, a session); for ANONYMOUS the caller's network. */
  readonly id: string;
  /** The owner of the credential; equal to `id` for ANONYMOUS. Stays the same when the credential changes. */
  readonly ownerId: string;
  /** Requests per minute stored with the credential, if any. */
  readonly rateLimit?: number;
  /** Permissions of DEVELOPER_KEY and TRADER, roles of OPERATOR, `confirmed` for a SESSION with a confirmed e-mail; others need none. */
  readonly scopes: readonly string[];
  /** The e-mail of an OPERATOR, for the audit log. */
  readonly name?: string;
  /** For an OPERATOR: the id of another operator who issued the key, or the key that issued it. */
  readonly keyIssuedBy?: string;
  /** For an OPERATOR: the confirmed account with the same e-mail, which belongs to the same person. */
  readonly accountId?: string;
  readonly browser?: BrowserSession;
  /** For a CLIENT for whom somebody else acts: the kind of the caller. */
  readonly actor?: PrincipalKind;
  /** A second credential header that was sent but not read; named to the caller when the request is rejected. */
  readonly unread?: CredentialHeader;
}

export interface BrowserSession {
  readonly id: string;
  /** Time at which its owner last proved to be there, by a second factor or at the log-in: milliseconds since 1970. */
  readonly provedAtMs: number;
  /** Act that the owner must do before anything else: prove a second factor, or add one. */
  readonly due?: 'SECOND_FACTOR' | 'ENROLMENT';
}

export type CredentialHeader = 'Authorization' | 'X-API-Key';

export type CallOrigin = Pick<Context, 'ip' | 'requestId'>;

export interface IdempotencyName {
  readonly key: string;
  /** Kind and `ownerId` of the caller: another credential of the kind keeps the scope; one of another kind never receives this response. */
  readonly owner: string;
}

/** Identity of an idempotent request (docs/contract/common.md §7.2). */
export interface Idempotency extends IdempotencyName {
  /** A second name under which the response is stored, and looked up first: the signature of a signed request. */
  readonly also?: IdempotencyName;
  /** Method and path, as `POST /v1/emissoes/keys`. */
  readonly operation: string;
  /** SHA-256 of the raw body; stored sealed. */
  readonly digest: Buffer;
  /** Set by the executor when it returned the stored response instead of running the operation. */
  replayed: boolean;
  /** Set by a mutation that returned the rejection of its input as its result (`shared/graphql/forms.ts`). */
  refused?: boolean;
  /** Set by a mutation of a caller without a credential: the owner whom its result is about, with whose data it is erased. */
  about?: string;
  /** Set if the result holds a secret: the only credential that gets it again. */
  only?: string;
  /** For an operation that commits more than one transaction: see `shared/graphql/in-steps.ts`. */
  readonly steps?: Steps;
}

export interface Steps {
  /** The subject that the first step created, if an earlier run completed it. */
  readonly subject?: string;
  bind(tx: Context, subject: string): Promise<void>;
}

/** The first argument of every function that touches data or time. One per request. */
export interface Context {
  readonly requestId: string;
  readonly principal: Principal;
  /** The caller's address, for limits and logs of security events. */
  readonly ip: string;
  readonly userAgent?: string | undefined;
  /** Whether it is a command, whose user has a shell on the machine of the program. */
  readonly isCommand?: true;
  /** Whether everyone may get the response: it is read without a caller, and a document of a caller is answered from the response cache too. */
  readonly isPublicRead?: boolean;
  readonly clock: Clock;
  /** The past moment that the caller asked to read as of; such results must neither be cached nor come from a cache. */
  readonly asOf?: Date;
  /** The same request at the present moment, when `asOf` is set: for checks that decide whether the past may be shown. */
  readonly present?: Context;
  readonly log: Logger;
  /** Access to the database. Inside a transaction it is that transaction's manager, and the only one to use. */
  readonly manager: Manager;
  /** Where published data may be read instead; missing without replicas, in a mutation and in a transaction: what decides a change is read by `manager`. */
  readonly published?: PublishedReads | undefined;
  readonly bus: Bus;
  /** The cursor after which a subscription of this context goes on, instead of where its arguments say: another run of it was lost there. */
  readonly resumeAfter?: string | undefined;
  readonly idempotency?: Idempotency | undefined;
  readonly span?: Span | undefined;
  /** Begins traces of background work; undefined where traces are sent nowhere. */
  readonly tracer?: Tracer | undefined;
  /** Callbacks to run after the current transaction commits: they must not fail, and correctness must not depend on them. */
  readonly onCommit?: (() => void)[];
  /** Receives audit entries that have no transaction to be written in; without a trail they go to the log. See `noteAudit`. */
  readonly audit?: AuditTrail | undefined;
  /** The operator's act in progress: the id of its entry in the audit log, and whether the entry is written. */
  readonly auditedAct?: { readonly id: string; recorded: boolean };
  /** Data loaders of this request, created on first use: see `loaderOf`. */
  readonly loaders: Map<unknown, DataLoader<never, unknown>>;
}

/** Where reads of published data go. Without it in a context, they go to the primary like all others. */
export interface PublishedReads {
  /** Returns the reads of one operation, all of which go to the node that the first of them gets. */
  ofOperation(): PublishedReads;
  /** Returns the context for the reads of an operation: with a replica's manager, or unchanged where they go to the primary. */
  contextFor(context: Context): Context;
}

export type ContextParts = Pick<Context, 'clock' | 'log' | 'manager' | 'bus'> & Partial<Context>;

export function anonymous(ip: string): Principal {
  return { kind: 'ANONYMOUS', id: ip, ownerId: ip, scopes: [] };
}

/** The program itself: jobs, demo, and commands before the first operator exists. No credential and no token between processes yields it. */
export const system: Principal = { kind: 'SYSTEM', id: 'system', ownerId: 'system', scopes: [] };

/** The program's public pages, whoever reads them: published data, and nothing that differs between readers. No credential yields this principal. */
export const website: Principal = { kind: 'WEBSITE', id: 'website', ownerId: 'website', scopes: [] };

export function createContext(parts: ContextParts): Context {
  return { requestId: newId(), principal: system, ip: '127.0.0.1', loaders: new Map(), ...parts };
}

/** Returns this request's loader for a batch function: keys requested in the same tick become one call. `batch` returns its results in the order of its keys. */
export function loaderOf<K, V>(
  context: Context,
  batch: (context: Context, keys: readonly K[]) => Promise<readonly V[]>,
): DataLoader<K, V> {
  const known = context.loaders.get(batch);
  // The map is keyed by the batch function itself, so the stored loader has that function's types.
  if (known !== undefined) return known as unknown as DataLoader<K, V>;
  const made = new DataLoader<K, V>((keys) => batch(context, keys), { maxBatchSize: 1000 });
  context.loaders.set(batch, made);
  return made;
}

/** Returns a context whose work, with its statements, is recorded below a span. */
export function under(context: Context, span: Span): Context {
  return { ...context, span, manager: context.manager.under(span) };
}

/** Returns the current civil day in São Paulo. */
export function today({ clock }: Context): string {
  return civilDate(clock.now());
}
