import type { Registry } from '../../shared/registry.js';

export const webhooks = {
  rules: {
    WITHIN_LAST_DAYS: 'must be within the last {days} days, for which deliveries are kept',
    NOT_BEFORE_OR_OLDER: 'must not be before `{field}`, nor more than {days} days ago: deliveries are kept for so long',
    URL_SPACES: 'must have neither spaces nor control characters',
    URL_HTTPS: 'must begin with https://',
    URL_FORM: 'must be a URL that begins with https://, of at most {max} characters when percent-encoded',
    URL_PORT: 'must not have the port 0',
    URL_USER: 'must not contain a user or a password',
    URL_FRAGMENT: 'must not have a fragment',
    URL_PRIVATE: 'must lead to the public internet',
    DELIVERY_STATUSES: 'must be some of {known}: pending deliveries are sent anyway',
    TOO_MANY_DELIVERIES: 'has more than {max} deliveries: request a shorter period, or one type',
    WEBHOOKS_FULL: 'The account already has {max} webhooks: delete one of them first',
    WEBHOOK_DEACTIVATED: 'The webhook is deactivated: activate it first',
    REDELIVERY_RUNNING: 'Another redelivery of this webhook is running: wait until its status is DONE',
  },
  acts: [
    'createWebhook',
    'updateWebhook',
    'deleteWebhook',
    'rotateWebhookSecret',
    'webhookWorkQueues',
    'managedWebhooks',
  ],
  privileges: {
    'webhooks.delivery_tallies': ['SELECT'],
    'webhooks.delivery_tally_changes': ['SELECT'],
  },
} as const satisfies Registry;

declare module '../../shared/registry.js' {
  interface Registries {
    readonly webhooks: typeof webhooks;
  }
}
