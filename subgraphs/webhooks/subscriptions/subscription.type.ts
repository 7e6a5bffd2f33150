import { Directive, Field, ID, Int, ObjectType } from 'type-graphql';
import { describeEnum } from '../../../shared/subgraph/describe-enum.js';
import type { SubscriptionStatus } from './subscription.js';

const WebhookStatus = describeEnum<SubscriptionStatus>(
  'WebhookStatus',
  'Whether events are sent to a webhook.',
  {
    active: 'Events are sent.',
    deactivated: 'All attempts of a delivery failed, or the receiver responded with 410. Events are stored as skipped.',
  },
  { active: ['Ativo', 'Active'], deactivated: ['Desativado', 'Deactivated'] },
);

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

  @Field(() => WebhookStatus, { description: '`active` or `deactivated`.' })
  status!: SubscriptionStatus;

  @Field(() => Date, { description: 'Time of creation.' })
  createdAt!: Date;
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

  @Field(() => WebhookStatus, { description: '`active` or `deactivated`.' })
  status!: SubscriptionStatus;

  @Field(() => Date, { description: 'Time of creation.' })
  createdAt!: Date;
}

@ObjectType({ simpleResolvers: true, description: 'The webhooks of an account, which has at most 100.' })
export class Webhooks {
  @Directive('@listSize(assumedSize: 20)')
  @Field(() => [Webhook], { description: 'All webhooks, oldest first.' })
  items!: readonly Readonly<Webhook>[];

  @Field(() => Int, { description: 'Number of webhooks.' })
  count!: number;
}
