import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { insideRoute } from '../frame/root.js';
import { batchParameters } from './batch-state.js';
import { receivableParameters } from './receivable-state.js';
import { originatorTexts } from './texts.js';

const parent = createRoute({
  getParentRoute: () => insideRoute,
  path: '/originador',
  loader: () => originatorTexts.load(),
});

export const originatorRoutes = parent.addChildren([
  createRoute({
    getParentRoute: () => parent,
    path: '/lotes',
    validateSearch: batchParameters,
    component: lazyRouteComponent(() => import('./credit-batches.js'), 'CreditBatches'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/lotes/$id',
    component: lazyRouteComponent(() => import('./credit-batch.js'), 'CreditBatchPage'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/liquidacoes',
    validateSearch: batchParameters,
    component: lazyRouteComponent(() => import('./settlement-batches.js'), 'SettlementBatches'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/liquidacoes/$id',
    component: lazyRouteComponent(() => import('./settlement-batch.js'), 'SettlementBatchPage'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/enviar',
    component: lazyRouteComponent(() => import('./send.js'), 'Send'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/recebiveis',
    validateSearch: receivableParameters,
    component: lazyRouteComponent(() => import('./receivables.js'), 'Receivables'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/patrimonios',
    component: lazyRouteComponent(() => import('./estates.js'), 'Estates'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/chaves',
    component: lazyRouteComponent(() => import('./signing-keys.js'), 'SigningKeys'),
  }),
]);
