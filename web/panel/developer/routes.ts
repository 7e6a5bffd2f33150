import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { insideRoute } from '../frame/root.js';
import { deliveryStates } from './delivery-state.js';
import { trialParameters } from './open-api.js';
import { requestParameters } from './request-filter.js';
import { developerTexts } from './texts.js';

const parent = createRoute({
  getParentRoute: () => insideRoute,
  path: '/desenvolvedor',
  loader: () => developerTexts.load(),
});

export const developerRoutes = parent.addChildren([
  createRoute({
    getParentRoute: () => parent,
    path: '/chaves',
    component: lazyRouteComponent(() => import('./keys.js'), 'Keys'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/chaves/$id',
    component: lazyRouteComponent(() => import('./key.js'), 'KeyPage'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/requisicoes',
    validateSearch: requestParameters,
    component: lazyRouteComponent(() => import('./requests.js'), 'Requests'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/webhooks',
    component: lazyRouteComponent(() => import('./webhooks.js'), 'Webhooks'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/webhooks/$id',
    validateSearch: ({ status }: Readonly<Record<string, unknown>>) => {
      const chosen = deliveryStates.find((one) => one === status);
      return chosen === undefined ? {} : { status: chosen };
    },
    component: lazyRouteComponent(() => import('./webhook.js'), 'WebhookPage'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/emissoes',
    component: lazyRouteComponent(() => import('./followed.js'), 'Followed'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/eventos',
    component: lazyRouteComponent(() => import('./live-events.js'), 'LiveEvents'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/testar',
    validateSearch: trialParameters,
    component: lazyRouteComponent(() => import('./try-it.js'), 'TryIt'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/ferramentas',
    component: lazyRouteComponent(() => import('./tools.js'), 'Tools'),
  }),
]);
