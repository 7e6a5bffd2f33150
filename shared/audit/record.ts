import type { Context } from '../context.js';
import { inTransaction } from '../database/transaction.js';
import { apiErrorFrom } from '../errors.js';
import { newId } from '../ids.js';
import { demandRole, type Role } from '../subgraph/roles.js';
import type { AuditedAct, AuditNote } from './act.js';
import { auditable, maskDocumentsIn, wellFormed } from './auditable.js';
import { addEntries } from './entry.store.js';
import type { AuditEntry } from './entry.js';

/**
 * Writes that something was done into the audit log, in the transaction of the act: there is no act without its entry, and no
 * entry of an act that was undone.
 * @throws outside of `inTransaction`
 */
export async function recordAudit(context: Context, act: AuditedAct): Promise<void> {
  if (context.onCommit === undefined)
    throw new Error('Record an act inside inTransaction: the entry belongs to its change');
  await addEntries(
    (text, values) => context.manager.query(text, values),
    [entryOf(context, { ...withId(context, act), outcome: 'DONE' })],
  );
  if (context.auditedAct !== undefined) context.auditedAct.recorded = true;
}

/** The first entry of an act of an operator has the id that its changes were recorded with. */
function withId({ auditedAct }: Context, act: AuditedAct): AuditedAct {
  return auditedAct === undefined || auditedAct.recorded ? act : { id: auditedAct.id, ...act };
}

/**
 * Records what the transaction changes from here on as changes of an act: versions of rows name it as `recorded_by`, which is its entry in
 * the audit log, and have this moment (`shared.keep_versions`).
 */
export async function beginAct({ manager, clock }: Context, id: string): Promise<void> {
  await manager.query(`SELECT set_config('lastro.act', $1, true), set_config('lastro.moment', $2, true)`, [
    id,
    clock.now().toISOString(),
  ]);
}

/** What a note needs of a context. */
export type NoteContext = Pick<Context, 'clock' | 'log' | 'principal' | 'ip' | 'requestId' | 'audit'>;

/**
 * Notes a refusal, a failure or a login, which have no transaction of their own: it is written within moments, on a connection
 * apart, whatever becomes of the request. What comes too often is counted instead (`trail.ts`).
 */
export function noteAudit(context: NoteContext, note: AuditNote): void {
  const entry = entryOf(context, note);
  if (context.audit === undefined) context.log.warn({ entry }, 'There is no audit log to write to');
  else context.audit.note(entry);
}

/** What the caller says of an act beforehand, for the entry of one that says nothing of itself. */
export type ActInput = Pick<AuditedAct, 'action' | 'subject' | 'after'>;

/**
 * Runs an act of an operator in one transaction with its entry in the audit log. The act writes the entry itself by
 * `recordAudit`, since it knows what was there before; where it writes none, one is made of `input`. A refusal or a failure is
 * noted, and thrown on.
 */
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

/**
 * Refuses a caller who lacks a role, and notes it: for what does not come through the graph.
 * @throws {ApiError} FORBIDDEN
 */
export function requireRole(context: Context, role: Role, action: string): void {
  try {
    demandRole(context.principal, role);
  } catch (error) {
    noteRefusal(context, { action }, error);
    throw error;
  }
}

/**
 * Runs an act of an operator that does not come through the graph: the role is asked for first.
 * @throws {ApiError} FORBIDDEN without the role
 */
export async function actAs<T>(
  context: Context,
  role: Role,
  input: ActInput,
  act: (tx: Context) => Promise<T> | T,
): Promise<T> {
  requireRole(context, role, input.action);
  return audited(context, input, act);
}

/** Notes that an act was refused (the error is the caller's) or failed. */
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
    before: auditable(note.before) ?? null,
    after: auditable(note.after) ?? null,
    reason: note.reason === undefined ? null : cut(maskDocumentsIn(note.reason), 1000),
  };
}

function cut(text: string, length: number): string {
  return wellFormed(text.slice(0, length));
}
