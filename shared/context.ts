import DataLoader from 'dataloader';
import type { EntityManager } from 'typeorm';
import type { AuditTrail } from './audit/trail.js';
import type { Bus } from './bus.js';
import type { Clock } from './clock.js';
import { newId } from './ids.js';
import type { Logger } from './log.js';

/** Who is calling, as the edge found out from the credential. The module above decides what an owner is. */
export interface Principal {
  readonly kind: 'ANONYMOUS' | 'API_KEY' | 'DEVELOPER_KEY' | 'SESSION' | 'CLIENT' | 'TRADER' | 'OPERATOR' | 'SYSTEM';
  /** The credential's own id (a key, a session); for ANONYMOUS the network it comes from. */
  readonly id: string;
  /** Who the credential belongs to; equal to `id` for ANONYMOUS. Survives a change of credential. */
  readonly ownerId: string;
  /** Requests per minute stored with the credential, where one is. */
  readonly rateLimit?: number;
  /**
   * What a DEVELOPER_KEY or a TRADER may do; the roles of an OPERATOR; `confirmed` for a SESSION whose account's e-mail is. The others may do
   * what their kind may.
   */
  readonly scopes: readonly string[];
  /** The e-mail of an OPERATOR, for the audit log. */
  readonly name?: string;
  /** A credential header that came beside the one that was read, for who is refused to know. */
  readonly unread?: CredentialHeader;
}

export type CredentialHeader = 'Authorization' | 'X-API-Key';

/** Where a call comes from, and by which request. */
export type CallOrigin = Pick<Context, 'ip' | 'requestId'>;

/** What an answer is found by when its request comes again. */
export interface IdempotencyName {
  readonly key: string;
  /**
   * Kind and `ownerId` of the caller: a new credential of the same kind keeps the scope, and one of another kind, which may
   * be permitted less, is never shown an answer that was not for it.
   */
  readonly owner: string;
}

/** What an idempotent request is bound to (docs/contract/common.md §7.2). */
export interface Idempotency extends IdempotencyName {
  /** What the answer is also stored under and found by, and first: the signature of a signed request. */
  readonly also?: IdempotencyName;
  /** Method and path, as `POST /v1/emissoes/keys`. */
  readonly operation: string;
  /** SHA-256 of the raw body; sealed where it is kept. */
  readonly digest: Buffer;
  /** Told by the executor when the stored answer was given instead of running the operation. */
  replayed: boolean;
  /** For an operation that commits more than one transaction: see `shared/subgraph/in-steps.ts`. */
  readonly steps?: Steps;
}

/** How an operation in steps is found again after it was cut short. */
export interface Steps {
  /** What the first step made, where it was done before. */
  readonly subject?: string;
  /** Binds the key to what the transaction under way makes. */
  bind(tx: Context, subject: string): Promise<void>;
}

/** What every function that touches data or time receives as its first argument. One per request. */
export interface Context {
  readonly requestId: string;
  readonly principal: Principal;
  /** The caller's address, for limits and logs of security events. */
  readonly ip: string;
  /** What the caller's program calls itself (`User-Agent`), as it was sent. */
  readonly userAgent?: string | undefined;
  readonly clock: Clock;
  /** The past moment that everything is read as of, by a caller's wish: nothing may be kept of it, or taken from what is kept. */
  readonly asOf?: Date;
  /** The same request as things stand now, where `asOf` is set: for what decides whether the past may be shown. */
  readonly present?: Context;
  readonly log: Logger;
  /** The way to the database. Inside a transaction it is that transaction's manager, and the only one to use. */
  readonly manager: EntityManager;
  readonly bus: Bus;
  readonly idempotency?: Idempotency;
  /** Work for after the commit of the transaction under way: it must not fail and must not be needed for correctness. */
  readonly onCommit?: (() => void)[];
  /** Takes what has no transaction to be written in; where there is none, the log gets it. See `noteAudit`. */
  readonly audit?: AuditTrail;
  /** The act of an operator that is under way: the id of its entry in the audit log, and whether that is written. */
  readonly auditedAct?: { readonly id: string; recorded: boolean };
  /** Loaders of this request, made on first use: see `loaderOf`. */
  readonly loaders: Map<unknown, DataLoader<never, unknown>>;
}

export type ContextParts = Pick<Context, 'clock' | 'log' | 'manager' | 'bus'> & Partial<Context>;

/** Nobody in particular, coming from `ip`. */
export function anonymous(ip: string): Principal {
  return { kind: 'ANONYMOUS', id: ip, ownerId: ip, scopes: [] };
}

/**
 * The program itself: its jobs, its demo, and the command line where there is no operator yet. No credential and no token between
 * the parts makes this caller.
 */
export const system: Principal = { kind: 'SYSTEM', id: 'system', ownerId: 'system', scopes: [] };

export function createContext(parts: ContextParts): Context {
  return { requestId: newId(), principal: system, ip: '127.0.0.1', loaders: new Map(), ...parts };
}

/**
 * The loader of this request for one batch function: keys asked for in the same tick become one call.
 * `batch` answers in the order of its keys.
 */
export function loaderOf<K, V>(
  context: Context,
  batch: (context: Context, keys: readonly K[]) => Promise<readonly V[]>,
): DataLoader<K, V> {
  const known = context.loaders.get(batch);
  // The map is keyed by the batch function itself, so what comes back has that function's types.
  if (known !== undefined) return known as unknown as DataLoader<K, V>;
  const made = new DataLoader<K, V>((keys) => batch(context, keys), { maxBatchSize: 1000 });
  context.loaders.set(batch, made);
  return made;
}
