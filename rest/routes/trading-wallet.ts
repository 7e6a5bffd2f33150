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
    summary: 'Get the balances of a wallet',
    description:
      'The balances of the wallet in all currencies, by code, with the decimals of the currency. `locked` is the amount held for open orders and withdrawals.',
    response: 'The balances.',
    errors: { 404: noProfile },
    parameters: walletParameters,
    example: {},
  },
  fetchStatement,
];
