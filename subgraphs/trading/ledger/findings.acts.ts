import type { Context } from '../../../shared/kernel/context.js';
import { afterCommit, inTransaction } from '../../../shared/database/transaction.js';
import {
  haltless,
  saveFindings,
  type Discrepancy,
  countHaltingFindings,
  markResolved,
  type FindingRow,
  markAllResolved,
  countAllOpenFindings,
  countOpenOf,
} from './finding.store.js';
import { addHalts, removeHalt } from './ledger.store.js';
import { recordAudit } from '../../../shared/security/audit/record.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import { isUuid } from '../../../shared/kernel/ids.js';
import { requireReason } from '../../../shared/kernel/reason.js';
import { Counter } from 'prom-client';
import type { DatabaseGauge } from '../../../shared/kernel/metrics.js';

/** Stores findings, halts their currencies (except for `haltless` ones), and reports new ones. */
export async function keepFindings(context: Context, found: readonly Discrepancy[]): Promise<void> {
  if (found.length === 0) return;
  const fresh = await inTransaction(context, async (tx) => {
    const halts = new Map(
      found.flatMap(({ currency, synthetic, invariant }) =>
        currency === null || synthetic === null || haltless.has(invariant)
          ? []
          : [[`${currency} ${String(synthetic)}`, { currency, synthetic, reason: `Reconciliation: ${invariant}` }]],
      ),
    );
    const added = await saveFindings(tx, found);
    if (halts.size > 0) await addHalts(tx, [...halts.values()]);
    return added;
  });
  // In an operator's mutation it is part of a transaction, and the findings are reported once that is committed.
  afterCommit(context, () => {
    for (const finding of fresh) {
      const words =
        haltless.get(finding.invariant) ?? 'An invariant of the ledger is violated: trading of the currency is halted';
      context.log.error({ finding }, words);
      newFindings.inc({ invariant: finding.invariant });
    }
  });
}

/** With its last open finding the halt of a currency ends; a remaining discrepancy is found again within a minute, or the next night. @throws {ApiError} BAD_REQUEST, NOT_FOUND */
export async function resolveFinding(context: Context, id: string, reason: string): Promise<FindingRow> {
  const resolution = requireReason(reason);
  return inTransaction(context, async (tx) => {
    const finding = isUuid(id) ? await markResolved(tx, id, resolution) : undefined;
    if (finding === undefined) throw new ApiError('NOT_FOUND', { message: 'There is no open finding with this id' });
    const { currency, synthetic } = finding;
    if (currency !== null && synthetic !== null && (await countHaltingFindings(tx, currency, synthetic)) === 0)
      await removeHalt(tx, currency, synthetic);
    await recordAudit(tx, {
      action: 'resolveReconciliationFinding',
      subject: { type: 'reconciliationFinding', id },
      after: finding,
    });
    return finding;
  });
}

/** Resolves the currency's open findings, and returns how many; what remains halts it again within a minute, or the next night. @throws {ApiError} BAD_REQUEST, NOT_FOUND */
export async function resumeCurrency(
  context: Context,
  of: { readonly currency: string; readonly synthetic: boolean },
  reason: string,
): Promise<number> {
  const resolution = requireReason(reason);
  return inTransaction(context, async (tx) => {
    // In the order in which reconciliation writes them, so that the two cannot deadlock.
    const resolved = await markAllResolved(tx, of, resolution);
    const before = await removeHalt(tx, of.currency, of.synthetic);
    if (before === undefined) throw new ApiError('NOT_FOUND', { message: `Trading of ${of.currency} is not halted` });
    const subject = { type: 'currency', id: of.currency };
    await recordAudit(tx, {
      action: 'resumeCurrency',
      subject,
      before,
      after: { ...of, resolved, reason: resolution },
    });
    return resolved;
  });
}

export const newFindings = new Counter({
  name: 'trading_reconciliation_findings_total',
  help: 'Number of violated ledger invariants that were found, by invariant; each is counted once while it is open.',
  labelNames: ['invariant'],
  registers: [],
});

export const openFindings: DatabaseGauge = {
  name: 'trading_reconciliation_findings_open',
  help: 'Number of violated ledger invariants that no operator has resolved yet.',
  read: countAllOpenFindings,
};

export const openVenueDifferences: DatabaseGauge = {
  name: 'trading_venue_balance_differences_open',
  help: 'Number of currencies at venues whose balance differs from the ledger and whose difference no operator has resolved yet.',
  read: (context) => countOpenOf(context, 'VENUE_BALANCE'),
};
