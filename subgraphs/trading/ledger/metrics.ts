import { Counter } from 'prom-client';

/** Broken promises of the ledger, by promise; each once, when it is found. The house shows it at `/metrics`. */
export const newFindings = new Counter({
  name: 'trading_reconciliation_findings_total',
  help: 'Broken promises of the ledger that were found, by promise; each is counted once while it is open.',
  labelNames: ['invariant'],
  registers: [],
});
