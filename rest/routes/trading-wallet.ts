import type { Route } from '../route.js';
import { noProfile, trading, walletParameters } from './trading.js';
import { fetchStatement } from './trading-statement.js';

export const tradingWalletRoutes: readonly Route[] = [
  {
    ...trading,
    method: 'GET',
    path: '/v1/wallet/fetchBalance',
    operation: 'walletBalances',
    operationId: 'fetchBalance',
    scope: 'read',
    status: 200,
    summary: 'Read the balances of a wallet',
    description:
      'What the wallet holds of every currency, by code, with the decimals of the currency. What open orders and withdrawals have set aside is `locked`.',
    answer: 'The balances.',
    faults: { 404: noProfile },
    parameters: walletParameters,
    example: {},
  },
  fetchStatement,
];
