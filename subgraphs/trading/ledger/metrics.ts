import { Counter } from 'prom-client';
import type { DatabaseGauge } from '../../../shared/kernel/metrics.js';
import { countAllOpenFindings, countOpenOf } from './finding.store.js';

/** Violated invariants of the ledger, by invariant; each counted once, when it is found. Exposed at `/metrics`. */
export const newFindings = new Counter({
  name: 'trading_reconciliation_findings_total',
  help: 'Number of violated ledger invariants that were found, by invariant; each is counted once while it is open.',
  labelNames: ['invariant'],
  registers: [],
});

/** Violated invariants that no operator has resolved yet. */
export const openFindings: DatabaseGauge = {
  name: 'trading_reconciliation_findings_open',
  help: 'Number of violated ledger invariants that no operator has resolved yet.',
  read: countAllOpenFindings,
};

/** Differences between the venues' balances and the ledger that no operator has resolved yet. */
export const openVenueDifferences: DatabaseGauge = {
  name: 'trading_venue_balance_differences_open',
  help: 'Number of currencies at venues whose balance differs from the ledger and whose difference no operator has resolved yet.',
  read: (context) => countOpenOf(context, 'VENUE_BALANCE'),
};
