import type { Route } from './route.js';
import { accountRoutes, keyRoutes } from './routes/accounts.js';
import { batchFileRoutes } from './routes/batch-files.js';
import { creditBatchRoutes } from './routes/credit-assignment.js';
import { webhookRoutes } from './routes/developer.js';
import { operationRoutes } from './routes/operations.js';
import { settlementRoutes } from './routes/settlements.js';
import { tokenizationRoutes, contractRoutes } from './routes/tokenization.js';
import { tradingAccessRoutes } from './routes/trading-access.js';
import { tradingTransferRoutes } from './routes/trading-transfers.js';
import { tradingMarketRoutes } from './routes/trading-markets.js';
import { tradingOrderRoutes, tradingQuoteRoutes } from './routes/trading-orders.js';
import { tradingWalletRoutes } from './routes/trading-wallet.js';

/** Every REST path of the program. SOFA's routes, the edge's policies and the OpenAPI text all come from this table. */
export const routes: readonly Route[] = [
  ...accountRoutes,
  ...keyRoutes,
  ...operationRoutes,
  ...tokenizationRoutes,
  ...contractRoutes,
  ...webhookRoutes,
  ...creditBatchRoutes,
  ...settlementRoutes,
  ...batchFileRoutes,
  ...tradingAccessRoutes,
  ...tradingTransferRoutes,
  ...tradingWalletRoutes,
  ...tradingMarketRoutes,
  ...tradingOrderRoutes,
  ...tradingQuoteRoutes,
];
