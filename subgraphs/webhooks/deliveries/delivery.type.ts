import { ObjectType, InputType } from 'type-graphql';
import { connectionType } from '../../../shared/graphql/connection-type.js';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import { deliveryStatuses, keptDays, type DeliveryStatus, deliveryIdOf } from './delivery.js';
import type { AttemptRow, DeliveryRow, RedeliveryRow } from './delivery.store.js';
import { DateTimeScalar } from '../../../shared/graphql/scalars.js';
import { fields, id, inputs, int, list, nullable, of, text, time } from '../../../shared/graphql/fields.js';

const shownStatuses = {
  pending: 'PENDING',
  delivered: 'DELIVERED',
  failed: 'FAILED',
  skipped: 'SKIPPED',
} as const satisfies Record<DeliveryStatus, string>;
export type ShownDeliveryStatus = (typeof shownStatuses)[DeliveryStatus];

export const DeliveryStatusEnum = describeEnum<ShownDeliveryStatus>(
  'WebhookDeliveryStatus',
  'Status of a delivery.',
  {
    PENDING: 'An attempt is under way, or another one will be made.',
    DELIVERED: 'The receiver responded with 200 in time.',
    FAILED: 'The last attempt of the schedule failed, or the receiver responded with 410.',
    SKIPPED: 'It arrived, or was pending, while the webhook was deactivated. A replay sends it.',
  },
  {
    PENDING: ['Pendente', 'Pending'],
    DELIVERED: ['Entregue', 'Delivered'],
    FAILED: ['Não entregue', 'Failed'],
    SKIPPED: ['Não enviada', 'Skipped'],
  },
);

@ObjectType({ simpleResolvers: true, description: 'One request to a receiver, and its response.' })
export class WebhookAttempt extends fields({
  number: int('Number of the attempt, from 1.'),
  startedAt: time('Time at which it began; `X-Webhook-Timestamp` contains its whole seconds.'),
  url: text('URL of the request.'),
  durationMs: nullable.int(
    'Milliseconds until the last byte of the response, or until the failure; null while it is under way, and permanently when the server was stopped during the attempt.',
  ),
  responseStatus: nullable.int('HTTP status of the response; null without a complete response.'),
  responseBody: nullable.text('The first 2 kB of the response.'),
  error: nullable.text('Reason for which there was no complete response.'),
}) {}

@ObjectType({ description: 'An event for a webhook, with every attempt to deliver it.' })
export class WebhookDelivery extends fields({
  id: id('Id of the delivery: `<id of the webhook>_<id of the event>`.'),
  eventId: id(
    'Id of the event, the same for each webhook that receives it: `id` in the body, and `X-Webhook-Id`. REST shows it as the id of the delivery.',
  ),
  type: text('Name of the event.'),
  status: of(() => DeliveryStatusEnum, 'Status of the delivery.'),
  requestBody: text('Body of the request, byte for byte as it is sent and signed.'),
  createdAt: time('Time of the event.'),
  nextAttemptAt: nullable.time('Time of the next attempt; null when none is due.'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'A page of deliveries.' })
export class WebhookDeliveries extends fields({
  items: list<Readonly<WebhookDelivery>>(() => WebhookDelivery, 'The deliveries of this page, newest event first.'),
  count: int('Number of deliveries to the webhook on all pages, of the requested status if any.'),
  nextToken: nullable.text('Token to pass for the next page; null on the last page (omitted over REST).'),
}) {}

export const WebhookDeliveryConnection = connectionType(WebhookDelivery, {
  name: 'WebhookDelivery',
  nodes: 'deliveries',
  order: 'newest event first',
});

@ObjectType({ simpleResolvers: true, description: 'Result of a replay.' })
export class WebhookReplay extends fields({
  count: int('Number of deliveries that are sent again.'),
}) {}

export function toDelivery(row: DeliveryRow): Readonly<WebhookDelivery> {
  const { eventId, type, status, body: requestBody, createdAt, nextAttemptAt } = row;
  return { id: deliveryIdOf(row), eventId, type, status: shownStatuses[status], requestBody, createdAt, nextAttemptAt };
}

export function storedStatusOf(shown: ShownDeliveryStatus | null | undefined): DeliveryStatus | null {
  return deliveryStatuses.find((status) => shownStatuses[status] === shown) ?? null;
}

export function toAttempt(row: AttemptRow): Readonly<WebhookAttempt> {
  const { number, startedAt, url, durationMs, responseStatus, responseBody, error } = row;
  return { number, startedAt, url, durationMs, responseStatus, responseBody, error };
}

const shown = { running: 'RUNNING', done: 'DONE', ended: 'ENDED' } as const;
type ShownRedeliveryStatus = (typeof shown)[keyof typeof shown];

const RedeliveryStatusEnum = describeEnum<ShownRedeliveryStatus>(
  'WebhookRedeliveryStatus',
  'Status of a redelivery.',
  {
    RUNNING: 'Deliveries are still being made due.',
    DONE: 'All of its deliveries were made due; each has its own status.',
    ENDED: 'The webhook was deactivated or deleted before that.',
  },
  { RUNNING: ['Em andamento', 'Running'], DONE: ['Concluído', 'Done'], ENDED: ['Interrompido', 'Ended'] },
);

@InputType({ description: 'Which deliveries are sent again. A field that is omitted does not restrict them.' })
export class WebhookRedeliveryFilter extends inputs({
  statuses: nullable.list(
    () => DeliveryStatusEnum,
    'Statuses: any of DELIVERED, FAILED and SKIPPED; FAILED and SKIPPED when omitted.',
  ),
  type: nullable.text('Name of the event, as in `webhookEvents`, or `webhook.test`.'),
  from: nullable.of<string>(
    () => DateTimeScalar,
    `Events at this moment or later; ${keptDays} days ago at the earliest.`,
  ),
  to: nullable.of<string>(() => DateTimeScalar, 'Events up to this moment; up to now when omitted.'),
}) {}

@ObjectType({
  simpleResolvers: true,
  description: `A request to send deliveries again, by a filter or as a replay, kept for ${keptDays} days.`,
})
export class WebhookRedelivery extends fields({
  id: id('Id (UUID).'),
  status: of(() => RedeliveryStatusEnum, 'Whether it is still under way.'),
  statuses: list(() => DeliveryStatusEnum, 'Statuses of the deliveries that it sends again.'),
  type: nullable.text('Name of the event; null for all.'),
  from: time('Time of its earliest event.'),
  until: time('Time of its latest event.'),
  matched: int('Number of deliveries when it was requested.'),
  started: int('Number of deliveries that were made due so far: fewer than `matched` where some were sent meanwhile.'),
  createdAt: time('Time of the request.'),
  finishedAt: nullable.time('Time of its end; null while it is under way.'),
}) {}

export function toRedelivery(row: RedeliveryRow): Readonly<WebhookRedelivery> {
  return { ...row, status: shown[row.status], statuses: row.statuses.map((status) => shownStatuses[status]) };
}
