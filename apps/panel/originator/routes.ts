import { areaRoutes } from '../frame/routes.js';
import { batchParameters, receivableParameters } from './batch-state.js';
import { originatorTexts } from '../texts.js';

const { parent, home, screen } = areaRoutes('/originador', originatorTexts);

export const originatorRoutes = parent.addChildren([
  home,
  screen('/lotes', () => import('./batch-lists.js'), 'CreditBatches', batchParameters),
  screen('/lotes/$id', () => import('./credit-batch.js'), 'CreditBatchPage'),
  screen('/liquidacoes', () => import('./batch-lists.js'), 'SettlementBatches', batchParameters),
  screen('/liquidacoes/$id', () => import('./settlement-batch.js'), 'SettlementBatchPage'),
  screen('/enviar', () => import('./send.js'), 'Send'),
  screen('/recebiveis', () => import('./receivables.js'), 'Receivables', receivableParameters),
  screen('/extrato', () => import('./statement.js'), 'Statement'),
  screen('/patrimonios', () => import('./estates.js'), 'Estates'),
  screen('/chaves', () => import('./signing-keys.js'), 'SigningKeys'),
  screen('/atividade', () => import('./activity.js'), 'Activity'),
]);
