import { createRoute } from '@tanstack/react-router';
import { toFirstPage } from '../frame/first-page.js';
import { lazyScreen } from '../frame/lazy-screen.js';
import { insideRoute } from '../frame/root.js';
import { originatorArea } from './area.js';
import { batchParameters } from './batch-state.js';
import { receivableParameters } from './receivable-state.js';
import { originatorTexts } from './texts.js';

const parent = createRoute({
  getParentRoute: () => insideRoute,
  path: '/originador',
  loader: () => originatorTexts.load(),
});

export const originatorRoutes = parent.addChildren([
  createRoute({ getParentRoute: () => parent, path: '/', beforeLoad: toFirstPage(originatorArea) }),
  createRoute({
    getParentRoute: () => parent,
    path: '/lotes',
    validateSearch: batchParameters,
    component: lazyScreen(() => import('./credit-batches.js'), 'CreditBatches'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/lotes/$id',
    component: lazyScreen(() => import('./credit-batch.js'), 'CreditBatchPage'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/liquidacoes',
    validateSearch: batchParameters,
    component: lazyScreen(() => import('./settlement-batches.js'), 'SettlementBatches'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/liquidacoes/$id',
    component: lazyScreen(() => import('./settlement-batch.js'), 'SettlementBatchPage'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/enviar',
    component: lazyScreen(() => import('./send.js'), 'Send'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/recebiveis',
    validateSearch: receivableParameters,
    component: lazyScreen(() => import('./receivables.js'), 'Receivables'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/patrimonios',
    component: lazyScreen(() => import('./estates.js'), 'Estates'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/chaves',
    component: lazyScreen(() => import('./signing-keys.js'), 'SigningKeys'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/atividade',
    component: lazyScreen(() => import('./activity.js'), 'Activity'),
  }),
]);
