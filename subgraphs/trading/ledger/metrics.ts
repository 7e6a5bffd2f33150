import { Counter } from 'prom-client';
import type { DatabaseGauge } from '../../../shared/metrics.js';
import { countAllOpenFindings, countOpenOf } from './finding.store.js';

/** Violated invariants of the ledger, by invariant; each counted once, when it is found. Exposed at `/metrics`. */
export const newFindings = new Counter({
  name: 'trading_reconciliation_findings_total',
  help: 'Broken promises of the ledger that were found, by promise; each is counted once while it is open.',
  labelNames: ['invariant'],
  registers: [],
});

/** Violated invariants that no operator has resolved yet. */
export const openFindings: DatabaseGauge = {
  name: 'trading_reconciliation_findings_open',
  help: 'Broken promises of the ledger that no operator has resolved yet.',
  read: countAllOpenFindings,
};

/** Differences between the venues' balances and the ledger that no operator has resolved yet. */
export const openVenueDifferences: DatabaseGauge = {
  name: 'trading_venue_balance_differences_open',
  help: 'Currencies of venues that hold something else than the ledger says and that no operator has resolved yet.',
  read: (context) => countOpenOf(context, 'VENUE_BALANCE'),
};
