import { Arg, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import { loaderOf, type Context } from '../../../shared/context.js';
import type { CursorCodec } from '../../../shared/cursor.js';
import { groupsOf } from '../../../shared/group-by.js';
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
  const rows = await attemptsOf(context, wanted);
  const groups = groupsOf(names, rows, ({ eventId, subscriptionId }) => `${eventId} ${subscriptionId}`);
  return groups.map((attempts) => attempts.map(toAttempt));
}

@Resolver(() => WebhookDelivery)
export class DeliveryResolver {
  constructor(private readonly cursors: CursorCodec) {}

  @FieldResolver(() => [WebhookAttempt], { description: 'The last 50 attempts, in their order.' })
  attempts(
    @Root() { id, subscriptionId }: DeliveryShape,
    @Ctx() context: Context,
  ): Promise<readonly Readonly<WebhookAttempt>[]> {
    return loaderOf(context, attemptsByDelivery).load(`${id} ${subscriptionId}`);
  }

  @Access('developer', 'webhooks:read')
  @Query(() => WebhookDeliveries, {
    description:
      'The deliveries to a webhook in the last 30 days, sent or pending. REST: GET /developer/webhooks/{id}/deliveries. Errors: 400, 404.',
  })
  async webhookDeliveries(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: idText }) id: string,
    @Arg('limit', () => Int, { defaultValue: 20, description: 'Deliveries per page, 1 to 100.' }) limit: number,
    @Arg('nextToken', () => String, { nullable: true, description: 'Token of the previous page.' })
    nextToken: string | null,
  ): Promise<Readonly<WebhookDeliveries>> {
    const { rows, ...page } = await readDeliveries(context, this.cursors, id, { limit, nextToken: nextToken ?? null });
    return { ...page, items: rows.map(toDelivery) };
  }

  @Access('developer', 'webhooks:write')
  @Mutation(() => WebhookDelivery, {
    description:
      'Sends an event of the type `webhook.test` to a webhook, signed and retried like any other. REST: POST /developer/webhooks/{id}/test. Errors: 404; 409 while the webhook is deactivated.',
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
      'Sends a delivery again at once, whatever its status, with the complete schedule of attempts. REST: POST /developer/webhooks/{id}/deliveries/{deliveryId}/redeliver. Errors: 404; 409 while the webhook is deactivated.',
  })
  async redeliverWebhook(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: idText }) id: string,
    @Arg('deliveryId', () => ID, { description: 'Id of the delivery, which is that of its event.' }) deliveryId: string,
  ): Promise<DeliveryShape> {
    return toDelivery(await redeliver(context, id, deliveryId));
  }

  @Access('developer', 'webhooks:write')
  @Mutation(() => WebhookReplay, {
    description:
      'Sends all failed and skipped deliveries of events since a moment in the last 30 days again. REST: POST /developer/webhooks/{id}/replay. Errors: 400, 404; 409 while the webhook is deactivated; 422 for a moment in the future, or more than 30 days ago.',
  })
  async replayWebhook(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: idText }) id: string,
    @Arg('since', () => DateTimeScalar, { description: 'Only events from this moment on.' }) since: string,
  ): Promise<Readonly<WebhookReplay>> {
    return { count: await replay(context, id, new Date(since)) };
  }
}
