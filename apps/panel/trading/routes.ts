import { createRoute } from '@tanstack/react-router';
import { toFirstPage } from '../frame/first-page.js';
import { lazyScreen } from '../frame/lazy-screen.js';
import { insideRoute } from '../frame/root.js';
import { tradingArea } from './area.js';
import { orderFilters } from './order-state.js';
import { tradingTexts } from './texts.js';

const parent = createRoute({
  getParentRoute: () => insideRoute,
  path: '/negociacao',
  loader: () => tradingTexts.load(),
});

export const tradingRoutes = parent.addChildren([
  createRoute({ getParentRoute: () => parent, path: '/', beforeLoad: toFirstPage(tradingArea) }),
  createRoute({
    getParentRoute: () => parent,
    path: '/mercados',
    component: lazyScreen(() => import('./markets.js'), 'Markets'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/mercados/$base/$quote',
    component: lazyScreen(() => import('./market.js'), 'MarketPage'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/ordens',
    validateSearch: ({ status }: Readonly<Record<string, unknown>>) => {
      const chosen = orderFilters.find((one) => one === status);
      return chosen === undefined ? {} : { status: chosen };
    },
    component: lazyScreen(() => import('./orders.js'), 'Orders'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/saldos',
    component: lazyScreen(() => import('./balances.js'), 'Balances'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/transferencias',
    component: lazyScreen(() => import('./transfers.js'), 'Transfers'),
  }),
]);
