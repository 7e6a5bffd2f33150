export {
  createClient,
  type ClientOptions,
  type Connection,
  type Input,
  type LastroClient,
  type Result,
} from './client.js';
export type { Secret } from './credentials.js';
export { LastroError, LastroNetworkError, WebhookError, type ErrorDetail, type WebhookErrorReason } from './errors.js';
export type * from './generated/api.js';
export { followLiveUpdates, liveUpdates } from './live-updates.js';
export type * from './live-types.js';
export type { RequestInfo, ResponseInfo, RetryOptions } from './send.js';
export { readPrivateKey, signRequest, type SignedParts } from './signing.js';
export { verifyWebhook, type WebhookEvent, type WebhookHeaders, type WebhookOptions } from './webhooks.js';
