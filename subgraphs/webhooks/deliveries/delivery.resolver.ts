import { Arg, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import { loaderOf, type Context } from '../../../shared/context.js';
import type { CursorCodec } from '../../../shared/cursor.js';
import { groupBy } from '../../../shared/group-by.js';
import { Access } from '../../../shared/subgraph/access.js';
import { DateTimeScalar } from '../../../shared/subgraph/scalars.js';
import { attemptsOf } from './delivery.store.js';
import {
  toAttempt,
  toDelivery,
  WebhookAttempt,
  WebhookDeliveries,
  WebhookDelivery,
  WebhookReplay,
  type DeliveryShape,
} from './delivery.type.js';
import { readDeliveries } from './read-deliveries.js';
import { redeliver } from './redeliver.js';
import { replay } from './replay.js';
import { sendTest } from './send-test.js';

const idText = 'Id of the webhook.';

/** Returns the attempts of deliveries, keyed by `<event> <webhook>`. */
async function attemptsByDelivery(
  context: Context,
  names: readonly string[],
): Promise<readonly (readonly Readonly<WebhookAttempt>[])[]> {
  const wanted = names.map((name) => {
    const [eventId = '', subscriptionId = ''] = name.split(' ');
    return { eventId, subscriptionId };
  });
  const rows = groupBy(
    await attemptsOf(context, wanted),
    ({ eventId, subscriptionId }) => `${eventId} ${subscriptionId}`,
  );
  return names.map((name) => (rows.get(name) ?? []).map(toAttempt));
}

@Resolver(() => WebhookDelivery)
export class DeliveryResolver {
  constructor(private readonly cursors: CursorCodec) {}

  @FieldResolver(() => [WebhookAttempt], { description: 'The attempts, in their order; the last 50.' })
  attempts(
    @Root() { id, subscriptionId }: DeliveryShape,
    @Ctx() context: Context,
  ): Promise<readonly Readonly<WebhookAttempt>[]> {
    return loaderOf(context, attemptsByDelivery).load(`${id} ${subscriptionId}`);
  }

  @Access('developer', 'webhooks:read')
  @Query(() => WebhookDeliveries, {
    description:
      'What was sent to a webhook, or is to be, in the last 30 days. REST: GET /developer/webhooks/{id}/deliveries. Errors: 400, 404.',
  })
  async webhookDeliveries(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: idText }) id: string,
    @Arg('limit', () => Int, { defaultValue: 20, description: 'Deliveries per page, 1 to 100.' }) limit: number,
    @Arg('nextToken', () => String, { nullable: true, description: 'The token of the page before.' })
    nextToken: string | null,
  ): Promise<Readonly<WebhookDeliveries>> {
    const { rows, ...page } = await readDeliveries(context, this.cursors, id, { limit, nextToken: nextToken ?? null });
    return { ...page, items: rows.map(toDelivery) };
  }

  @Access('developer', 'webhooks:write')
  @Mutation(() => WebhookDelivery, {
    description:
      'Sends an event of the type `webhook.test` to a webhook, signed and tried again like any other. REST: POST /developer/webhooks/{id}/test. Errors: 404; 409 while the webhook is deactivated.',
  })
  async testWebhook(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: idText }) id: string,
  ): Promise<DeliveryShape> {
    return toDelivery(await sendTest(context, id));
  }

  @Access('developer', 'webhooks:write')
  @Mutation(() => WebhookDelivery, {
    description:
      'Sends a delivery again, at once and with the whole schedule before it, whatever became of it. REST: POST /developer/webhooks/{id}/deliveries/{deliveryId}/redeliver. Errors: 404; 409 while the webhook is deactivated.',
  })
  async redeliverWebhook(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: idText }) id: string,
    @Arg('deliveryId', () => ID, { description: 'Id of the delivery: that of its event.' }) deliveryId: string,
  ): Promise<DeliveryShape> {
    return toDelivery(await redeliver(context, id, deliveryId));
  }

  @Access('developer', 'webhooks:write')
  @Mutation(() => WebhookReplay, {
    description:
      'Sends everything again that failed or was skipped, of events since a moment within the last 30 days. REST: POST /developer/webhooks/{id}/replay. Errors: 400, 404; 409 while the webhook is deactivated; 422 for a moment to come, or before those 30 days.',
  })
  async replayWebhook(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: idText }) id: string,
    @Arg('since', () => DateTimeScalar, { description: 'Events from this moment on.' }) since: string,
  ): Promise<Readonly<WebhookReplay>> {
    return { count: await replay(context, id, new Date(since)) };
  }
}
