import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { describeEnum } from '../../../shared/subgraph/describe-enum.js';
import { DateTimeScalar } from '../../../shared/subgraph/scalars.js';
import { DeliveryStatusEnum, shownStatusOf, type ShownDeliveryStatus } from './delivery.type.js';
import type { RedeliveryRow } from './redelivery.store.js';

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
export class WebhookRedeliveryFilter {
  @Field(() => [DeliveryStatusEnum], {
    nullable: true,
    description: 'Statuses: any of DELIVERED, FAILED and SKIPPED; FAILED and SKIPPED when omitted.',
  })
  statuses?: readonly ShownDeliveryStatus[] | null;

  @Field(() => String, { nullable: true, description: 'Name of the event, as in `webhookEvents`, or `webhook.test`.' })
  type?: string | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Events at this moment or later; 30 days ago at the earliest.',
  })
  from?: string | null;

  @Field(() => DateTimeScalar, { nullable: true, description: 'Events up to this moment; up to now when omitted.' })
  to?: string | null;
}

@ObjectType({
  simpleResolvers: true,
  description: 'A request to send the deliveries of a filter again, kept for 30 days.',
})
export class WebhookRedelivery {
  @Field(() => ID, { description: 'Id (UUID).' })
  id!: string;

  @Field(() => RedeliveryStatusEnum, { description: 'Whether it is still under way.' })
  status!: ShownRedeliveryStatus;

  @Field(() => [DeliveryStatusEnum], { description: 'Statuses of the deliveries that it sends again.' })
  statuses!: readonly ShownDeliveryStatus[];

  @Field(() => String, { nullable: true, description: 'Name of the event; null for all.' })
  type!: string | null;

  @Field(() => Date, { description: 'Time of its earliest event.' })
  from!: Date;

  @Field(() => Date, { description: 'Time of its latest event.' })
  until!: Date;

  @Field(() => Int, { description: 'Number of deliveries when it was requested, at most 100,000.' })
  matched!: number;

  @Field(() => Int, {
    description: 'Number of deliveries that were made due so far: fewer than `matched` where some were sent meanwhile.',
  })
  started!: number;

  @Field(() => Date, { description: 'Time of the request.' })
  createdAt!: Date;

  @Field(() => Date, { nullable: true, description: 'Time of its end; null while it is under way.' })
  finishedAt!: Date | null;
}

export function toRedelivery(row: RedeliveryRow): Readonly<WebhookRedelivery> {
  return { ...row, status: shown[row.status], statuses: row.statuses.map(shownStatusOf) };
}
