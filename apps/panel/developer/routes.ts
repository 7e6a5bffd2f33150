import { createRoute } from '@tanstack/react-router';
import { toFirstPage } from '../frame/first-page.js';
import { lazyScreen } from '../frame/lazy-screen.js';
import { insideRoute } from '../frame/root.js';
import { developerArea } from './area.js';
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
  createRoute({ getParentRoute: () => parent, path: '/', beforeLoad: toFirstPage(developerArea) }),
  createRoute({
    getParentRoute: () => parent,
    path: '/chaves',
    component: lazyScreen(() => import('./keys.js'), 'Keys'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/chaves/$id',
    component: lazyScreen(() => import('./key.js'), 'KeyPage'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/requisicoes',
    validateSearch: requestParameters,
    component: lazyScreen(() => import('./requests.js'), 'Requests'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/webhooks',
    component: lazyScreen(() => import('./webhooks.js'), 'Webhooks'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/webhooks/$id',
    validateSearch: ({ status }: Readonly<Record<string, unknown>>) => {
      const chosen = deliveryStates.find((one) => one === status);
      return chosen === undefined ? {} : { status: chosen };
    },
    component: lazyScreen(() => import('./webhook.js'), 'WebhookPage'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/emissoes',
    component: lazyScreen(() => import('./followed.js'), 'Followed'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/eventos',
    component: lazyScreen(() => import('./live-events.js'), 'LiveEvents'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/testar',
    validateSearch: trialParameters,
    component: lazyScreen(() => import('./try-it.js'), 'TryIt'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/ferramentas',
    component: lazyScreen(() => import('./tools.js'), 'Tools'),
  }),
]);
