import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { insideRoute } from '../frame/root.js';
import { orderFilters } from './order-state.js';
import { tradingTexts } from './texts.js';

const parent = createRoute({
  getParentRoute: () => insideRoute,
  path: '/negociacao',
  loader: () => tradingTexts.load(),
});

export const tradingRoutes = parent.addChildren([
  createRoute({
    getParentRoute: () => parent,
    path: '/mercados',
    component: lazyRouteComponent(() => import('./markets.js'), 'Markets'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/mercados/$base/$quote',
    component: lazyRouteComponent(() => import('./market.js'), 'MarketPage'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/ordens',
    validateSearch: ({ status }: Readonly<Record<string, unknown>>) => {
      const chosen = orderFilters.find((one) => one === status);
      return chosen === undefined ? {} : { status: chosen };
    },
    component: lazyRouteComponent(() => import('./orders.js'), 'Orders'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/saldos',
    component: lazyRouteComponent(() => import('./balances.js'), 'Balances'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/transferencias',
    component: lazyRouteComponent(() => import('./transfers.js'), 'Transfers'),
  }),
]);
