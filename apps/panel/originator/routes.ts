import { createRoute } from '@tanstack/react-router';
import { toFirstPage } from '../frame/first-page.js';
import { lazyScreen, type Screen } from '../frame/lazy-screen.js';
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

const screen = <Path extends string, Name extends string>(path: Path, ...loaded: Screen<Name>) =>
  createRoute({ getParentRoute: () => parent, path, component: lazyScreen(...loaded) });

export const originatorRoutes = parent.addChildren([
  createRoute({ getParentRoute: () => parent, path: '/', beforeLoad: toFirstPage(originatorArea) }),
  createRoute({
    getParentRoute: () => parent,
    path: '/lotes',
    validateSearch: batchParameters,
    component: lazyScreen(() => import('./credit-batches.js'), 'CreditBatches'),
  }),
  screen('/lotes/$id', () => import('./credit-batch.js'), 'CreditBatchPage'),
  createRoute({
    getParentRoute: () => parent,
    path: '/liquidacoes',
    validateSearch: batchParameters,
    component: lazyScreen(() => import('./settlement-batches.js'), 'SettlementBatches'),
  }),
  screen('/liquidacoes/$id', () => import('./settlement-batch.js'), 'SettlementBatchPage'),
  screen('/enviar', () => import('./send.js'), 'Send'),
  createRoute({
    getParentRoute: () => parent,
    path: '/recebiveis',
    validateSearch: receivableParameters,
    component: lazyScreen(() => import('./receivables.js'), 'Receivables'),
  }),
  screen('/patrimonios', () => import('./estates.js'), 'Estates'),
  screen('/chaves', () => import('./signing-keys.js'), 'SigningKeys'),
  screen('/atividade', () => import('./activity.js'), 'Activity'),
]);
