import { areaRoutes } from '../frame/routes.js';
import { orderFilters } from './order-state.js';
import { tradingTexts } from './texts.js';

const { parent, home, screen } = areaRoutes('/negociacao', tradingTexts);

export const tradingRoutes = parent.addChildren([
  home,
  screen('/mercados', () => import('./markets.js'), 'Markets'),
  screen('/mercados/$base/$quote', () => import('./market.js'), 'MarketPage'),
  screen(
    '/ordens',
    () => import('./orders.js'),
    'Orders',
    ({ status }: Readonly<Record<string, unknown>>) => {
      const chosen = orderFilters.find((one) => one === status);
      return chosen === undefined ? {} : { status: chosen };
    },
  ),
  screen('/saldos', () => import('./balances.js'), 'Balances'),
  screen('/transferencias', () => import('./transfers.js'), 'Transfers'),
]);
