import { Field, ID, Int, ObjectType } from 'type-graphql';
import { describeEnum } from '../../../shared/subgraph/describe-enum.js';
import type { DeliveryStatus } from './delivery.js';
import type { AttemptRow, DeliveryRow } from './delivery.store.js';

const DeliveryStatusEnum = describeEnum<DeliveryStatus>('WebhookDeliveryStatus', 'What became of a delivery.', {
  pending: 'An attempt is under way, or another one will be made.',
  delivered: 'The receiver answered 200 in time.',
  failed: 'The last attempt of the schedule failed, or the receiver answered 410.',
  skipped: 'It came, or waited, while the webhook was deactivated. A replay sends it.',
});

@ObjectType({ simpleResolvers: true, description: 'One request to a receiver, and what came back.' })
export class WebhookAttempt {
  @Field(() => Int, { description: 'From 1, in the order in which they were made.' })
  number!: number;

  @Field(() => Date, { description: 'When it began; its whole seconds are `X-Webhook-Timestamp`.' })
  startedAt!: Date;

  @Field(() => String, { description: 'Where the request went.' })
  url!: string;

  @Field(() => Int, {
    nullable: true,
    description:
      'Milliseconds until the last byte of the answer, or until it failed; null while it is under way, and for good when it was cut off on our side.',
  })
  durationMs!: number | null;

  @Field(() => Int, { nullable: true, description: 'HTTP status of the answer; null where there was no whole answer.' })
  responseStatus!: number | null;

  @Field(() => String, { nullable: true, description: 'The first 2 kB of the answer.' })
  responseBody!: string | null;

  @Field(() => String, { nullable: true, description: 'Why there was no whole answer.' })
  error!: string | null;
}

@ObjectType({ description: 'An event for a webhook, and every attempt to deliver it.' })
export class WebhookDelivery {
  @Field(() => ID, { description: 'Id of the event: `id` in the body, and `X-Webhook-Id`.' })
  id!: string;

  @Field(() => String, { description: 'Name of the event.' })
  type!: string;

  @Field(() => DeliveryStatusEnum, { description: 'What became of it.' })
  status!: DeliveryStatus;

  @Field(() => String, { description: 'The body, byte for byte as it is sent and signed.' })
  requestBody!: string;

  @Field(() => Date, { description: 'When the event happened.' })
  createdAt!: Date;

  @Field(() => Date, { nullable: true, description: 'When the next attempt is due; null when none is.' })
  nextAttemptAt!: Date | null;
}

@ObjectType({ simpleResolvers: true, description: 'A page of deliveries.' })
export class WebhookDeliveries {
  @Field(() => [WebhookDelivery], { description: 'The newest event first.' })
  items!: readonly DeliveryShape[];

  @Field(() => Int, { description: 'How many deliveries the webhook has had in the last 30 days.' })
  count!: number;

  @Field(() => String, {
    nullable: true,
    description: 'What to send for the next page; null on the last one (REST leaves it out).',
  })
  nextToken!: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'What a replay sends again.' })
export class WebhookReplay {
  @Field(() => Int, { description: 'How many deliveries are sent again.' })
  count!: number;
}

/** A delivery with the key of its attempts. */
export type DeliveryShape = Readonly<WebhookDelivery> & Pick<DeliveryRow, 'subscriptionId'>;

export function toDelivery(row: DeliveryRow): DeliveryShape {
  const { eventId: id, subscriptionId, type, status, body: requestBody, createdAt, nextAttemptAt } = row;
  return { id, subscriptionId, type, status, requestBody, createdAt, nextAttemptAt };
}

export function toAttempt(row: AttemptRow): Readonly<WebhookAttempt> {
  const { number, startedAt, url, durationMs, responseStatus, responseBody, error } = row;
  return { number, startedAt, url, durationMs, responseStatus, responseBody, error };
}
