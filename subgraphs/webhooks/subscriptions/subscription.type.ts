import { ObjectType } from 'type-graphql';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import type { SubscriptionRow, SubscriptionStatus } from './subscription.js';
import { fields, id, int, list, nullable, of, text, texts, time } from '../../../shared/graphql/fields.js';

const shownStatuses = { active: 'ACTIVE', deactivated: 'DEACTIVATED' } as const satisfies Record<
  SubscriptionStatus,
  string
>;
type ShownStatus = (typeof shownStatuses)[SubscriptionStatus];

const WebhookStatus = describeEnum<ShownStatus>(
  'WebhookStatus',
  'Whether events are sent to a webhook.',
  {
    ACTIVE: 'Events are sent.',
    DEACTIVATED: 'All attempts of a delivery failed, or the receiver responded with 410. Events are stored as skipped.',
  },
  { ACTIVE: ['Ativo', 'Active'], DEACTIVATED: ['Desativado', 'Deactivated'] },
);

const webhookFields = {
  id: id('Id (UUID).'),
  url: text('URL to which deliveries are posted.'),
  events: texts('Names of the events to which it subscribes.'),
  description: nullable.text('Description by its owner.'),
  status: of(() => WebhookStatus, 'Whether events are sent to it.'),
  createdAt: time('Time of creation.'),
  formerSecretUntil: nullable.time(
    'Time until which deliveries are signed with the secret before the last rotation, too; it may be in the past. Null without a rotation.',
  ),
};

@ObjectType({ simpleResolvers: true, description: 'A receiver that subscribes to events.' })
export class Webhook extends fields(webhookFields) {}

@ObjectType({
  simpleResolvers: true,
  description: 'A webhook with its new secret. No other response contains the secret.',
})
export class WebhookWithSecret extends fields({
  ...webhookFields,
  secret: text(
    'Secret with which deliveries are signed, as `whsec_<Base64>`. Store it: it cannot be read again. `X-Webhook-Signature` uses the complete text as the key; `webhook-signature` (Standard Webhooks) uses the bytes that the Base64 encodes.',
  ),
}) {}

@ObjectType({ simpleResolvers: true, description: 'The webhooks of an account, which has at most 100.' })
export class Webhooks extends fields({
  items: list<Readonly<Webhook>>(() => Webhook, 'All webhooks, oldest first.', { assumedSize: 20 }),
  count: int('Number of webhooks.'),
}) {}

export function toWebhook<Row extends SubscriptionRow>(
  row: Row,
): Omit<Row, 'status'> & { readonly status: ShownStatus } {
  return { ...row, status: shownStatuses[row.status] };
}
