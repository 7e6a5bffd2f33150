import type { ActName } from '../../registry.js';
import type { Context, Principal } from '../../kernel/context.js';
import { inTransaction } from '../../database/transaction.js';
import { apiErrorFrom } from '../../kernel/errors.js';
import { newId } from '../../kernel/ids.js';
import { maskDocumentsIn } from '../../kernel/tax-id.js';
import { demandRole, type Role } from '../../graphql/roles.js';
import { auditable, plainWithoutEmails, wellFormed, withoutEmails } from './auditable.js';
import { type AuditEntry, type AuditOutcome, addEntries } from './entry.js';

/** Records an act in its transaction, so that neither is committed without the other. @throws outside of `inTransaction` */
export async function recordAudit(context: Context, act: AuditedAct): Promise<void> {
  if (context.onCommit === undefined)
    throw new Error('recordAudit must be called inside inTransaction, so that the entry is committed with its change');
  await addEntries(
    (text, values) => context.manager.rows(text, values),
    [entryOf(context, { ...withId(context, act), outcome: 'DONE' })],
  );
  if (context.auditedAct !== undefined) context.auditedAct.recorded = true;
}

/** The first entry of an operator's act has the id under which its changes are recorded. */
function withId({ auditedAct }: Context, act: AuditedAct): AuditedAct {
  return auditedAct === undefined || auditedAct.recorded ? act : { id: auditedAct.id, ...act };
}

/** Attributes further changes of the transaction to an act: versions store its id as `recorded_by`, and its moment (`shared.keep_versions`). */
export async function beginAct({ manager, clock }: Context, id: string): Promise<void> {
  await manager.execute(`SELECT set_config('lastro.act', $1, true), set_config('lastro.moment', $2, true)`, [
    id,
    clock.now().toISOString(),
  ]);
}

/** Ends `beginAct` within the transaction: later changes are attributed to no act. */
export async function endAct({ manager }: Context): Promise<void> {
  await manager.execute(
    `SELECT set_config(name, '', true) FROM unnest(ARRAY['lastro.act', 'lastro.moment', 'lastro.importing', 'lastro.voiding']) AS name`,
  );
}

export type NoteContext = Pick<Context, 'clock' | 'log' | 'principal' | 'ip' | 'requestId' | 'audit'>;

/** Notes a rejection, failure or login on another connection, whatever the request's outcome. Too frequent ones are counted (`trail.ts`). */
export function noteAudit(context: NoteContext, note: AuditNote): void {
  const entry = entryOf(context, note);
  if (context.audit === undefined) context.log.warn({ entry }, 'There is no audit log to write to');
  else context.audit.note(entry);
}

/** The default audit entry of an act that records none itself. */
export type ActInput = Pick<AuditedAct, 'action' | 'subject' | 'after'>;

/** Runs an act in one transaction with its audit entry: its own by `recordAudit`, else one of `input`. A failure is noted and rethrown. */
export async function audited<T>(context: Context, input: ActInput, act: (tx: Context) => Promise<T> | T): Promise<T> {
  const auditedAct = { recorded: false, id: newId(context.clock.now().getTime()) };
  try {
    return await inTransaction({ ...context, auditedAct }, async (tx) => {
      await beginAct(tx, auditedAct.id);
      const result = await act(tx);
      if (!auditedAct.recorded) await recordAudit(tx, input);
      return result;
    });
  } catch (error) {
    noteRefusal(context, input, error);
    throw error;
  }
}

/** Requires a role of the caller and notes a rejection; for acts outside GraphQL. @throws {ApiError} FORBIDDEN */
export function requireRole(context: Context, role: Role, action: ActName): void {
  try {
    demandRole(context.principal, role);
  } catch (error) {
    noteRefusal(context, { action }, error);
    throw error;
  }
}

/** Runs an operator's act outside GraphQL, after checking the role. @throws {ApiError} FORBIDDEN without the role */
export async function actAs<T>(
  context: Context,
  role: Role,
  input: ActInput,
  act: (tx: Context) => Promise<T> | T,
): Promise<T> {
  requireRole(context, role, input.action);
  return audited(context, input, act);
}

export function noteRefusal(context: Context, input: ActInput, thrown: unknown): void {
  const { status, code, message } = apiErrorFrom(thrown);
  const outcome = status < 500 ? 'REFUSED' : 'FAILED';
  noteAudit(context, { ...input, outcome, reason: `${code}: ${message}` });
}

function entryOf({ clock, principal, ip, requestId }: NoteContext, note: AuditNote): AuditEntry {
  const actor = note.actor ?? principal;
  return {
    id: note.id ?? newId(clock.now().getTime()),
    actorKind: actor.kind,
    actorId: cut(actor.ownerId, 200),
    actorName: actor.name === undefined ? null : cut(actor.name, 320),
    credentialId: cut(actor.id, 200),
    source: cut(ip, 200),
    requestId: cut(requestId, 200),
    action: note.action,
    subjectType: note.subject?.type ?? null,
    subjectId: note.subject === undefined ? null : cut(note.subject.id, 400),
    outcome: note.outcome,
    occurrences: 1,
    before: stateOf(note.before, note.outcome),
    after: stateOf(note.after, note.outcome),
    reason: note.reason === undefined ? null : cut(withoutEmails(maskDocumentsIn(note.reason)), 1000),
  };
}

/** Returns the state to record. The arguments of an act that was not done may name a person, so e-mails are removed. */
function stateOf(state: unknown, outcome: AuditNote['outcome']): unknown {
  const plain = auditable(state) ?? null;
  return outcome === 'DONE' || plain === null ? plain : plainWithoutEmails(plain);
}

function cut(text: string, length: number): string {
  return wellFormed(text.slice(0, length));
}

export interface AuditSubject {
  /** The noun, as `tranche`. */
  readonly type: string;
  /** Its id, or another identifier such as a ticker. */
  readonly id: string;
}

/** The content of an audit entry. Secrets and tax ids in `before` and `after` are hidden: see `auditable`. */
interface AuditedAct {
  /** The name of the mutation or of the command, as `revokeApiKey`. */
  readonly action: ActName;
  readonly subject?: AuditSubject | undefined;
  /** The state before the act; omitted when there was none. */
  readonly before?: unknown;
  /** The state after the act; omitted when there is none. */
  readonly after?: unknown;
  /** The entry's id, if the changed rows already refer to it. */
  readonly id?: string;
  /** The actor, if not the caller of the request: for example the account that has just logged in. */
  readonly actor?: Pick<Principal, 'kind' | 'id' | 'ownerId' | 'name'> | undefined;
  /** Why the act was done, why it was rejected, or how it failed; tax ids in it show their last digits, e-mails are hidden. */
  readonly reason?: string | undefined;
}

/** An audit entry that has no transaction to be written in. */
export interface AuditNote extends AuditedAct {
  readonly outcome: AuditOutcome;
}
