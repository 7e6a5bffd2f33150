import { Counter } from 'prom-client';

/** Counts token contracts that began to differ from their events. Exposed at `/metrics`. */
export const contractDifferences = new Counter({
  name: 'token_contract_differences_total',
  help: 'How often a token contract began to differ from what follows from its events.',
  registers: [],
});
