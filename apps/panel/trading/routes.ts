import { createRoute } from '@tanstack/react-router';
import { toFirstPage } from '../frame/first-page.js';
import { lazyScreen, type Screen } from '../frame/lazy-screen.js';
import { insideRoute } from '../frame/root.js';
import { tradingArea } from './area.js';
import { orderFilters } from './order-state.js';
import { tradingTexts } from './texts.js';

const parent = createRoute({
  getParentRoute: () => insideRoute,
  path: '/negociacao',
  loader: () => tradingTexts.load(),
});

const screen = <Path extends string, Name extends string>(path: Path, ...loaded: Screen<Name>) =>
  createRoute({ getParentRoute: () => parent, path, component: lazyScreen(...loaded) });

export const tradingRoutes = parent.addChildren([
  createRoute({ getParentRoute: () => parent, path: '/', beforeLoad: toFirstPage(tradingArea) }),
  screen('/mercados', () => import('./markets.js'), 'Markets'),
  screen('/mercados/$base/$quote', () => import('./market.js'), 'MarketPage'),
  createRoute({
    getParentRoute: () => parent,
    path: '/ordens',
    validateSearch: ({ status }: Readonly<Record<string, unknown>>) => {
      const chosen = orderFilters.find((one) => one === status);
      return chosen === undefined ? {} : { status: chosen };
    },
    component: lazyScreen(() => import('./orders.js'), 'Orders'),
  }),
  screen('/saldos', () => import('./balances.js'), 'Balances'),
  screen('/transferencias', () => import('./transfers.js'), 'Transfers'),
]);
