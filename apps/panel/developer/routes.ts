import { createRoute } from '@tanstack/react-router';
import { toFirstPage } from '../frame/first-page.js';
import { lazyScreen, type Screen } from '../frame/lazy-screen.js';
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

const screen = <Path extends string, Name extends string>(path: Path, ...loaded: Screen<Name>) =>
  createRoute({ getParentRoute: () => parent, path, component: lazyScreen(...loaded) });

export const developerRoutes = parent.addChildren([
  createRoute({ getParentRoute: () => parent, path: '/', beforeLoad: toFirstPage(developerArea) }),
  screen('/chaves', () => import('./keys.js'), 'Keys'),
  screen('/chaves/$id', () => import('./key.js'), 'KeyPage'),
  createRoute({
    getParentRoute: () => parent,
    path: '/requisicoes',
    validateSearch: requestParameters,
    component: lazyScreen(() => import('./requests.js'), 'Requests'),
  }),
  screen('/webhooks', () => import('./webhooks.js'), 'Webhooks'),
  createRoute({
    getParentRoute: () => parent,
    path: '/webhooks/$id',
    validateSearch: ({ status }: Readonly<Record<string, unknown>>) => {
      const chosen = deliveryStates.find((one) => one === status);
      return chosen === undefined ? {} : { status: chosen };
    },
    component: lazyScreen(() => import('./webhook.js'), 'WebhookPage'),
  }),
  screen('/emissoes', () => import('./followed.js'), 'Followed'),
  screen('/eventos', () => import('./live-events.js'), 'LiveEvents'),
  createRoute({
    getParentRoute: () => parent,
    path: '/testar',
    validateSearch: trialParameters,
    component: lazyScreen(() => import('./try-it.js'), 'TryIt'),
  }),
  screen('/ferramentas', () => import('./tools.js'), 'Tools'),
]);
