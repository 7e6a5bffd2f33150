import { areaRoutes } from '../frame/routes.js';
import { orderParameters } from './order-state.js';
import { tradingTexts } from '../texts.js';

const { parent, home, screen } = areaRoutes('/negociacao', tradingTexts);

export const tradingRoutes = parent.addChildren([
  home,
  screen('/mercados', () => import('./markets.js'), 'Markets'),
  screen('/mercados/$base/$quote', () => import('./market.js'), 'MarketPage'),
  screen('/ordens', () => import('./orders.js'), 'Orders', orderParameters),
  screen('/saldos', () => import('./balances.js'), 'Balances'),
  screen('/transferencias', () => import('./transfers.js'), 'Transfers'),
]);
