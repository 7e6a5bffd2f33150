import { Counter } from 'prom-client';

export const contractDifferences = new Counter({
  name: 'token_contract_differences_total',
  help: 'Number of times a token contract began to differ from its events.',
  registers: [],
});
