import { areaRoutes } from '../frame/routes.js';
import { requestParameters, deliveryParameters } from './request-filter.js';
import { developerTexts } from '../texts.js';

const { parent, home, screen } = areaRoutes('/desenvolvedor', developerTexts);

export const developerRoutes = parent.addChildren([
  home,
  screen('/chaves', () => import('./keys.js'), 'Keys'),
  screen('/chaves/$id', () => import('./key.js'), 'KeyPage'),
  screen('/requisicoes', () => import('./requests.js'), 'Requests', requestParameters),
  screen('/webhooks', () => import('./webhooks.js'), 'Webhooks'),
  screen('/webhooks/$id', () => import('./webhook.js'), 'WebhookPage', deliveryParameters),
  screen('/emissoes', () => import('./followed.js'), 'Followed'),
  screen('/eventos', () => import('./live-events.js'), 'LiveEvents'),
]);
