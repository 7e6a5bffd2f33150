import type { Context } from '../../../shared/kernel/context.js';
import { ApiError, refuse, type ErrorDetail, byRule, errorAt } from '../../../shared/kernel/errors.js';
import { hasRole } from '../../../shared/graphql/roles.js';
import { visibleOriginators } from '../originators/visible-originators.js';
import type { EstateStatus } from './estate.store.js';

/** The terms that decide whether an originator may assign credits to an estate, read at once. */
export interface AssignmentTerms {
  readonly originatorName: string;
  /** Undefined when the estate does not exist. */
  readonly estate:
    | {
        readonly ticker: string;
        readonly status: EstateStatus;
        readonly isPermitted: boolean;
        readonly hasCriteria: boolean;
      }
    | undefined;
}

interface TermsRow {
  readonly originatorName: string;
  readonly ticker: string | null;
  readonly status: EstateStatus | null;
  readonly isPermitted: boolean;
  readonly hasCriteria: boolean;
}

/** Reads the terms between an originator and an estate; throws when the originator does not exist, since it could not have called. */
export async function readTerms(
  { manager }: Context,
  originatorId: string,
  patrimonyId: string,
): Promise<AssignmentTerms> {
  const row = await manager.row<TermsRow>(
    `SELECT originator.name AS "originatorName", estate.ticker, estate.status,
       EXISTS (SELECT FROM credit_assignment.originator_permits
               WHERE originator_id = originator.id AND patrimony_id = estate.id) AS "isPermitted",
       EXISTS (SELECT FROM credit_assignment.eligibility_criteria WHERE patrimony_id = estate.id) AS "hasCriteria"
     FROM credit_assignment.originators AS originator LEFT JOIN credit_assignment.estates AS estate ON estate.id = $2
     WHERE originator.id = $1`,
    [originatorId, patrimonyId],
  );
  if (row === undefined) throw new Error(`There is no originator ${originatorId}`);
  const { originatorName, ticker, status, isPermitted, hasCriteria } = row;
  const estate = ticker === null || status === null ? undefined : { ticker, status, isPermitted, hasCriteria };
  return { originatorName, estate };
}

/** Whether the caller may read how far an estate is used and what it is worth: operators, and clients with a permit. */
export async function seesUse(context: Context, patrimonyId: string): Promise<boolean> {
  return hasRole(context.principal, 'read') || isPermitted(context, await visibleOriginators(context), patrimonyId);
}

/** Whether one of the originators may assign credits to an estate. */
export async function isPermitted(
  { manager }: Context,
  originatorIds: readonly string[],
  patrimonyId: string,
): Promise<boolean> {
  const permit =
    'SELECT FROM credit_assignment.originator_permits WHERE originator_id = ANY ($1::uuid[]) AND patrimony_id = $2';
  return (await manager.value<boolean>(`SELECT EXISTS (${permit})`, [originatorIds, patrimonyId])) === true;
}

/** Serves a decision that takes a while: a transaction that changes permit, criteria or status waits. An estate whose limits count its portfolio decides one batch at a time. */
export async function lockTerms(tx: Context, originatorId: string, patrimonyId: string): Promise<AssignmentTerms> {
  const counts = await tx.manager.value<boolean>(
    `SELECT jsonb_path_exists(limits, '$[*] ? (@.base != "BATCH")') FROM credit_assignment.eligibility_criteria WHERE patrimony_id = $1 FOR SHARE`,
    [patrimonyId],
  );
  // Criteria that are set at this moment have no row to be locked yet.
  const lock = counts === false ? 'FOR SHARE' : 'FOR NO KEY UPDATE';
  await tx.manager.execute(`SELECT FROM credit_assignment.estates WHERE id = $1 ${lock}`, [patrimonyId]);
  await tx.manager.execute(
    'SELECT FROM credit_assignment.originator_permits WHERE originator_id = $1 AND patrimony_id = $2 FOR SHARE',
    [originatorId, patrimonyId],
  );
  return readTerms(tx, originatorId, patrimonyId);
}

/** Returns the rule by which the estate accepts credits from nobody; undefined when it accepts them. */
export function whyClosed({ estate }: AssignmentTerms): 'REJECTED_BY_CLOSING' | 'REJECTED_BY_CRITERIA' | undefined {
  if (estate?.status === 'CLOSED') return 'REJECTED_BY_CLOSING';
  if (estate?.hasCriteria === false) return 'REJECTED_BY_CRITERIA';
  return undefined;
}

/** @throws {ApiError} FORBIDDEN without a permit for the estate */
export function requirePermit({ estate }: AssignmentTerms): void {
  if (estate === undefined || estate.isPermitted) return;
  throw new ApiError('FORBIDDEN', byRule('NO_PERMIT', { ticker: estate.ticker }));
}

/** Returns the errors of the estate that a batch names, as details of the input; none when it accepts credits. */
export function estateIssues({ estate }: AssignmentTerms): ErrorDetail[] {
  if (estate === undefined) return [errorAt('patrimonyId', 'ESTATE_UNKNOWN')];
  if (estate.status === 'CLOSED') return [errorAt('patrimonyId', 'ESTATE_CLOSED')];
  return estate.hasCriteria ? [] : [errorAt('patrimonyId', 'ESTATE_WITHOUT_CRITERIA')];
}

/** @throws {ApiError} FORBIDDEN without a permit for the estate; UNPROCESSABLE for an estate that is unknown, closed or without criteria */
export async function requireAssignable(
  context: Context,
  { originatorId, patrimonyId }: { readonly originatorId: string; readonly patrimonyId: string },
): Promise<void> {
  const terms = await readTerms(context, originatorId, patrimonyId);
  requirePermit(terms);
  refuse('UNPROCESSABLE', estateIssues(terms));
}
