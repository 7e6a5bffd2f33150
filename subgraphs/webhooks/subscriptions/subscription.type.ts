import { Directive, Field, ID, Int, ObjectType } from 'type-graphql';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import type { SubscriptionRow, SubscriptionStatus } from './subscription.js';

/** The statuses in the graph, by those of the table. */
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

const formerSecretUntil = {
  nullable: true,
  description:
    'Time until which deliveries are signed with the secret before the last rotation, too; it may be in the past. Null without a rotation.',
};

@ObjectType({ simpleResolvers: true, description: 'A receiver that subscribes to events.' })
export class Webhook {
  @Field(() => ID, { description: 'Id (UUID).' })
  id!: string;

  @Field(() => String, { description: 'URL to which deliveries are posted.' })
  url!: string;

  @Field(() => [String], { description: 'Names of the events to which it subscribes.' })
  events!: readonly string[];

  @Field(() => String, { nullable: true, description: 'Description by its owner.' })
  description!: string | null;

  @Field(() => WebhookStatus, { description: 'Whether events are sent to it.' })
  status!: ShownStatus;

  @Field(() => Date, { description: 'Time of creation.' })
  createdAt!: Date;

  @Field(() => Date, formerSecretUntil)
  formerSecretUntil!: Date | null;
}

@ObjectType({
  simpleResolvers: true,
  description: 'A webhook with its new secret. No other response contains the secret.',
})
export class WebhookWithSecret {
  @Field(() => ID, { description: 'Id (UUID).' })
  id!: string;

  @Field(() => String, { description: 'URL to which deliveries are posted.' })
  url!: string;

  @Field(() => [String], { description: 'Names of the events to which it subscribes.' })
  events!: readonly string[];

  @Field(() => String, { nullable: true, description: 'Description by its owner.' })
  description!: string | null;

  @Field(() => String, {
    description:
      'Secret with which deliveries are signed, as `whsec_<Base64>`. Store it: it cannot be read again. `X-Webhook-Signature` uses the complete text as the key; `webhook-signature` (Standard Webhooks) uses the bytes that the Base64 encodes.',
  })
  secret!: string;

  @Field(() => WebhookStatus, { description: 'Whether events are sent to it.' })
  status!: ShownStatus;

  @Field(() => Date, { description: 'Time of creation.' })
  createdAt!: Date;

  @Field(() => Date, formerSecretUntil)
  formerSecretUntil!: Date | null;
}

@ObjectType({ simpleResolvers: true, description: 'The webhooks of an account, which has at most 100.' })
export class Webhooks {
  @Directive('@listSize(assumedSize: 20)')
  @Field(() => [Webhook], { description: 'All webhooks, oldest first.' })
  items!: readonly Readonly<Webhook>[];

  @Field(() => Int, { description: 'Number of webhooks.' })
  count!: number;
}

/** Converts a subscription, with its secret where it has one. */
export function toWebhook<Row extends SubscriptionRow>(
  row: Row,
): Omit<Row, 'status'> & { readonly status: ShownStatus } {
  return { ...row, status: shownStatuses[row.status] };
}
