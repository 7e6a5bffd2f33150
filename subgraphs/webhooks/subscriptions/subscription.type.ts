import { Field, ID, Int, ObjectType } from 'type-graphql';
import { describeEnum } from '../../../shared/subgraph/describe-enum.js';
import type { WebhookWithSecret as WithSecret } from './create-webhook.js';
import type { SubscriptionStatus } from './subscription.js';
import type { SubscriptionRow } from './subscription.store.js';

const WebhookStatus = describeEnum<SubscriptionStatus>('WebhookStatus', 'Whether events are sent to a webhook.', {
  active: 'Events are sent.',
  deactivated: 'Deliveries failed to the last attempt, or the receiver answered 410. Events are kept as skipped.',
});

@ObjectType({ simpleResolvers: true, description: 'A receiver that asked to be told of events.' })
export class Webhook {
  @Field(() => ID, { description: 'UUID.' })
  id!: string;

  @Field(() => String, { description: 'Where deliveries are posted to.' })
  url!: string;

  @Field(() => [String], { description: 'Names of the events that it asks for.' })
  events!: readonly string[];

  @Field(() => String, { nullable: true, description: 'What its owner wrote of it.' })
  description!: string | null;

  @Field(() => WebhookStatus, { description: '`active` or `deactivated`.' })
  status!: SubscriptionStatus;

  @Field(() => Date, { description: 'When it was created.' })
  createdAt!: Date;
}

@ObjectType({
  simpleResolvers: true,
  description: 'A webhook with its new secret. No other answer shows the secret.',
})
export class WebhookWithSecret {
  @Field(() => ID, { description: 'UUID.' })
  id!: string;

  @Field(() => String, { description: 'Where deliveries are posted to.' })
  url!: string;

  @Field(() => [String], { description: 'Names of the events that it asks for.' })
  events!: readonly string[];

  @Field(() => String, { nullable: true, description: 'What its owner wrote of it.' })
  description!: string | null;

  @Field(() => String, {
    description:
      'What deliveries are signed by, as `whsec_<Base64>`. Keep it: it cannot be read again. `X-Webhook-Signature` uses the whole text as the key; `webhook-signature` (Standard Webhooks) the bytes that the Base64 stands for.',
  })
  secret!: string;

  @Field(() => WebhookStatus, { description: '`active` or `deactivated`.' })
  status!: SubscriptionStatus;

  @Field(() => Date, { description: 'When it was created.' })
  createdAt!: Date;
}

@ObjectType({ simpleResolvers: true, description: 'The webhooks of an account, which has at most 100.' })
export class Webhooks {
  @Field(() => [Webhook], { description: 'All of them, the oldest first.' })
  items!: readonly Readonly<Webhook>[];

  @Field(() => Int, { description: 'How many there are.' })
  count!: number;
}

export function toWebhook({ id, url, events, description, status, createdAt }: SubscriptionRow): Readonly<Webhook> {
  return { id, url, events, description, status, createdAt };
}

export function toWebhookWithSecret(row: WithSecret): Readonly<WebhookWithSecret> {
  return { ...toWebhook(row), secret: row.secret };
}
