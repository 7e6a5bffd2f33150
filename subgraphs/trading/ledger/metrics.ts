import { Counter } from 'prom-client';
import type { DatabaseGauge } from '../../../shared/subgraph/subgraph.js';
import { countAllOpenFindings } from './finding.store.js';

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
