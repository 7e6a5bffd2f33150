import { Arg, Args, Ctx, Directive, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import { loaderOf, type Context } from '../../../shared/kernel/context.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { groupsOf } from '../../../shared/kernel/group-by.js';
import { connectionPage, documentedNames } from '../../../shared/graphql/list-page.js';
import { Access } from '../../../shared/graphql/access.js';
import { toConnection } from '../../../shared/graphql/connection.js';
import { CursorPageArgs } from '../../../shared/graphql/connection-type.js';
import { DateTimeScalar } from '../../../shared/graphql/scalars.js';
import { ownWebhook } from '../subscriptions/subscription.store.js';
import { Webhook } from '../subscriptions/subscription.type.js';
import { deliveryIdOf, deliveryKeyOf, keptDays } from './delivery.js';
import { attemptsOf, redeliveriesOf } from './delivery.store.js';
import {
  DeliveryStatusEnum,
  storedStatusOf,
  toAttempt,
  toDelivery,
  WebhookAttempt,
  WebhookDeliveries,
  WebhookDelivery,
  WebhookDeliveryConnection,
  WebhookReplay,
  type ShownDeliveryStatus,
  toRedelivery,
  WebhookRedelivery,
  WebhookRedeliveryFilter,
} from './delivery.type.js';
import { countDeliveries, readDeliveries, redeliver, sendTest, redeliverMany, replay } from './deliveries.acts.js';

const idText = 'Id of the webhook.';

const statusText = 'Only deliveries with this status; omitted or null: all.';

async function attemptsByDelivery(
  context: Context,
  ids: readonly string[],
): Promise<readonly (readonly Readonly<WebhookAttempt>[])[]> {
  const rows = await attemptsOf(
    context,
    ids.flatMap((id) => deliveryKeyOf(id) ?? []),
  );
  return groupsOf(ids, rows, deliveryIdOf).map((attempts) => attempts.map(toAttempt));
}

@Resolver(() => Webhook)
export class WebhookDeliveriesResolver {
  constructor(private readonly cursors: CursorCodec) {}

  @Access('developer', 'webhooks:read')
  @FieldResolver(() => WebhookDeliveryConnection, {
    description: `Its deliveries, sent or pending, newest event first, kept for ${keptDays} days. Errors: 400 for arguments that are out of bounds and for a cursor of another webhook or status.`,
  })
  async deliveries(
    @Ctx() context: Context,
    @Root() { id: subscriptionId }: Readonly<Webhook>,
    @Arg('status', () => DeliveryStatusEnum, { nullable: true, description: statusText })
    status: ShownDeliveryStatus | null,
    @Args(() => CursorPageArgs) args: CursorPageArgs,
  ) {
    const filter = { subscriptionId, status: storedStatusOf(status) };
    const page = await readDeliveries(context, this.cursors, filter, connectionPage(args));
    return toConnection(page, toDelivery, () => countDeliveries(context, filter));
  }
}

@Resolver(() => WebhookDelivery)
export class DeliveryResolver {
  constructor(private readonly cursors: CursorCodec) {}

  @Directive('@listSize(assumedSize: 10)')
  @FieldResolver(() => [WebhookAttempt], { description: 'The last 50 attempts, in their order.' })
  attempts(
    @Root() { id }: Readonly<WebhookDelivery>,
    @Ctx() context: Context,
  ): Promise<readonly Readonly<WebhookAttempt>[]> {
    return loaderOf(context, attemptsByDelivery).load(id);
  }

  @Access('developer', 'webhooks:read')
  @Query(() => WebhookDeliveries, {
    description: `The deliveries to a webhook, sent or pending, kept for ${keptDays} days; \`Webhook.deliveries\` has them as a connection. REST: GET /developer/webhooks/{id}/deliveries. Errors: 400, 404.`,
  })
  async webhookDeliveries(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: idText }) id: string,
    @Arg('status', () => DeliveryStatusEnum, { nullable: true, description: statusText })
    status: ShownDeliveryStatus | null,
    @Arg('limit', () => Int, { defaultValue: 20, description: 'Deliveries per page, 1 to 100.' }) limit: number,
    @Arg('nextToken', () => String, {
      nullable: true,
      description: 'Token of the previous page, which must have been requested with the same status.',
    })
    nextToken: string | null,
  ): Promise<Readonly<WebhookDeliveries>> {
    const { id: subscriptionId } = await ownWebhook(context, id);
    const filter = { subscriptionId, status: storedStatusOf(status) };
    const input = { names: documentedNames, limit, cursor: nextToken };
    const [page, count] = await Promise.all([
      readDeliveries(context, this.cursors, filter, input),
      countDeliveries(context, filter),
    ]);
    return { items: page.rows.map(toDelivery), count, nextToken: page.nextToken };
  }

  @Access('developer', 'webhooks:write')
  @Mutation(() => WebhookDelivery, {
    description:
      'Sends an event of the type `webhook.test` to a webhook, signed and retried like any other. REST: POST /developer/webhooks/{id}/test. Errors: 404; 409 while the webhook is deactivated.',
  })
  async testWebhook(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: idText }) id: string,
  ): Promise<Readonly<WebhookDelivery>> {
    return toDelivery(await sendTest(context, id));
  }

  @Access('developer', 'webhooks:write')
  @Mutation(() => WebhookDelivery, {
    description:
      'Sends a delivery again at once, whatever its status, with the complete schedule of attempts. REST: POST /developer/webhooks/{id}/deliveries/{deliveryId}/redeliver. Errors: 404; 409 while the webhook is deactivated.',
  })
  async redeliverWebhook(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: idText }) id: string,
    @Arg('deliveryId', () => ID, { description: 'Id of the delivery, or that of its event.' }) deliveryId: string,
  ): Promise<Readonly<WebhookDelivery>> {
    return toDelivery(await redeliver(context, id, deliveryId));
  }

  @Access('developer', 'webhooks:write')
  @Mutation(() => WebhookReplay, {
    description: `Sends all failed and skipped deliveries of events since a moment in the last ${keptDays} days again. REST: POST /developer/webhooks/{id}/replay. Errors: 400, 404; 409 while the webhook is deactivated; 422 for a moment in the future, or more than ${keptDays} days ago.`,
  })
  async replayWebhook(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: idText }) id: string,
    @Arg('since', () => DateTimeScalar, { description: 'Only events from this moment on.' }) since: string,
  ): Promise<Readonly<WebhookReplay>> {
    return { count: await replay(context, id, new Date(since)) };
  }
}

@Resolver(() => Webhook)
export class RedeliveryResolver {
  @Access('developer', 'webhooks:read')
  @Directive('@listSize(assumedSize: 5)')
  @FieldResolver(() => [WebhookRedelivery], {
    description: `Its redeliveries of the last ${keptDays} days, the newest first, at most 20, each with its progress.`,
  })
  async redeliveries(
    @Ctx() context: Context,
    @Root() { id }: Readonly<Webhook>,
  ): Promise<readonly Readonly<WebhookRedelivery>[]> {
    return (await loaderOf(context, redeliveriesOf).load(id)).map(toRedelivery);
  }

  @Access('developer', 'webhooks:write')
  @Mutation(() => WebhookRedelivery, {
    description:
      'Sends the deliveries of a filter again, each with the complete schedule of attempts, at most 100,000. They are made due in steps after the response: `Webhook.redeliveries` shows the progress. The same filter, sent again while it is under way, returns it. Errors: 400 for an invalid filter; 404; 409 while the webhook is deactivated, and while another filter is under way; 422 for more than 100,000 deliveries.',
  })
  async redeliverWebhookDeliveries(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: 'Id of the webhook.' }) id: string,
    @Arg('filter', () => WebhookRedeliveryFilter, {
      nullable: true,
      description: 'Which deliveries; all that failed or were skipped without it.',
    })
    filter: WebhookRedeliveryFilter | null | undefined,
  ): Promise<Readonly<WebhookRedelivery>> {
    const statuses = filter?.statuses?.flatMap((status) => storedStatusOf(status) ?? []);
    const { type, from, to } = filter ?? {};
    return toRedelivery(await redeliverMany(context, id, { statuses, type, from, to }));
  }
}
