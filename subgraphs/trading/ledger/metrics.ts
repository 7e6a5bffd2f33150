import { Counter } from 'prom-client';
import type { DatabaseGauge } from '../../../shared/subgraph/subgraph.js';
import { countAllOpenFindings, countOpenOf } from './finding.store.js';

/** Broken promises of the ledger, by promise; each once, when it is found. The house shows it at `/metrics`. */
export const newFindings = new Counter({
  name: 'trading_reconciliation_findings_total',
  help: 'Broken promises of the ledger that were found, by promise; each is counted once while it is open.',
  labelNames: ['invariant'],
  registers: [],
});

/** Broken promises that no operator has resolved yet. */
export const openFindings: DatabaseGauge = {
  name: 'trading_reconciliation_findings_open',
  help: 'Broken promises of the ledger that no operator has resolved yet.',
  read: countAllOpenFindings,
};

/** Differences between what venues hold and what the ledger says that no operator has resolved yet. */
export const openVenueDifferences: DatabaseGauge = {
  name: 'trading_venue_balance_differences_open',
  help: 'Currencies of venues that hold something else than the ledger says and that no operator has resolved yet.',
  read: (context) => countOpenOf(context, 'VENUE_BALANCE'),
};
