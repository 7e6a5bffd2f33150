import { areaRoutes } from '../frame/routes.js';
import { accountParameters, auditParameters, seriesParameters } from './parameters.js';
import { operatorTexts } from '../texts.js';

const { parent, home, screen } = areaRoutes('/operacao', operatorTexts);

export const operatorRoutes = parent.addChildren([
  home,
  screen('/originadores', () => import('./originators.js'), 'Originators'),
  screen('/originadores/$id', () => import('./originator.js'), 'OriginatorPage'),
  screen('/empresas', () => import('./companies.js'), 'Companies'),
  screen('/empresas/$id', () => import('./company.js'), 'CompanyPage'),
  screen('/mesa', () => import('./desk.js'), 'Desk'),
  screen('/importacoes', () => import('./imports.js'), 'Imports'),
  screen('/importacoes/enviar', () => import('./import-files.js'), 'ImportFiles'),
  screen('/importacoes/$id', () => import('./import.js'), 'ImportPage'),
  screen('/indices', () => import('./index-values.js'), 'IndexValues'),
  screen('/pagamentos', () => import('./payments.js'), 'Payments', seriesParameters),
  screen('/relatorios', () => import('./month-reports.js'), 'MonthReports', seriesParameters),
  screen('/auditoria', () => import('./audit.js'), 'Audit', auditParameters),
  screen('/contas', () => import('./accounts.js'), 'Accounts', accountParameters),
  screen('/operadores', () => import('./operators.js'), 'Operators'),
  screen('/trabalhos', () => import('./work.js'), 'Work'),
  screen('/webhooks', () => import('./webhooks.js'), 'Webhooks'),
]);
