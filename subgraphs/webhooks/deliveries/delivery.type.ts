import { Field, ID, Int, ObjectType } from 'type-graphql';
import { describeEnum } from '../../../shared/subgraph/describe-enum.js';
import type { DeliveryStatus } from './delivery.js';
import type { AttemptRow, DeliveryRow } from './delivery.store.js';

const DeliveryStatusEnum = describeEnum<DeliveryStatus>(
  'WebhookDeliveryStatus',
  'Status of a delivery.',
  {
    pending: 'An attempt is under way, or another one will be made.',
    delivered: 'The receiver responded with 200 in time.',
    failed: 'The last attempt of the schedule failed, or the receiver responded with 410.',
    skipped: 'It arrived, or was pending, while the webhook was deactivated. A replay sends it.',
  },
  {
    pending: ['Pendente', 'Pending'],
    delivered: ['Entregue', 'Delivered'],
    failed: ['Não entregue', 'Failed'],
    skipped: ['Não enviada', 'Skipped'],
  },
);

@ObjectType({ simpleResolvers: true, description: 'One request to a receiver, and its response.' })
export class WebhookAttempt {
  @Field(() => Int, { description: 'Number of the attempt, from 1.' })
  number!: number;

  @Field(() => Date, { description: 'Time at which it began; `X-Webhook-Timestamp` contains its whole seconds.' })
  startedAt!: Date;

  @Field(() => String, { description: 'URL of the request.' })
  url!: string;

  @Field(() => Int, {
    nullable: true,
    description:
      'Milliseconds until the last byte of the response, or until the failure; null while it is under way, and permanently when the server was stopped during the attempt.',
  })
  durationMs!: number | null;

  @Field(() => Int, { nullable: true, description: 'HTTP status of the response; null without a complete response.' })
  responseStatus!: number | null;

  @Field(() => String, { nullable: true, description: 'The first 2 kB of the response.' })
  responseBody!: string | null;

  @Field(() => String, { nullable: true, description: 'Reason for which there was no complete response.' })
  error!: string | null;
}

@ObjectType({ description: 'An event for a webhook, with every attempt to deliver it.' })
export class WebhookDelivery {
  @Field(() => ID, { description: 'Id of the event, which is `id` in the body and `X-Webhook-Id`.' })
  id!: string;

  @Field(() => String, { description: 'Name of the event.' })
  type!: string;

  @Field(() => DeliveryStatusEnum, { description: 'Status of the delivery.' })
  status!: DeliveryStatus;

  @Field(() => String, { description: 'Body of the request, byte for byte as it is sent and signed.' })
  requestBody!: string;

  @Field(() => Date, { description: 'Time of the event.' })
  createdAt!: Date;

  @Field(() => Date, { nullable: true, description: 'Time of the next attempt; null when none is due.' })
  nextAttemptAt!: Date | null;
}

@ObjectType({ simpleResolvers: true, description: 'A page of deliveries.' })
export class WebhookDeliveries {
  @Field(() => [WebhookDelivery], { description: 'The deliveries of this page, newest event first.' })
  items!: readonly DeliveryShape[];

  @Field(() => Int, { description: 'Number of deliveries to the webhook in the last 30 days.' })
  count!: number;

  @Field(() => String, {
    nullable: true,
    description: 'Token to pass for the next page; null on the last page (omitted over REST).',
  })
  nextToken!: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'Result of a replay.' })
export class WebhookReplay {
  @Field(() => Int, { description: 'Number of deliveries that are sent again.' })
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
