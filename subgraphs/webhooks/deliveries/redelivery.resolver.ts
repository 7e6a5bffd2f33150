import { Arg, Ctx, Directive, FieldResolver, ID, Mutation, Resolver, Root } from 'type-graphql';
import { loaderOf, type Context } from '../../../shared/kernel/context.js';
import { Access } from '../../../shared/graphql/access.js';
import { Webhook } from '../subscriptions/subscription.type.js';
import { storedStatusOf, toRedelivery, WebhookRedelivery, WebhookRedeliveryFilter } from './delivery.type.js';
import { redeliverMany } from './redeliver-many.js';
import { redeliveriesOf } from './redelivery.store.js';

@Resolver(() => Webhook)
export class RedeliveryResolver {
  @Access('developer', 'webhooks:read')
  @Directive('@listSize(assumedSize: 5)')
  @FieldResolver(() => [WebhookRedelivery], {
    description: 'Its redeliveries of the last 30 days, the newest first, at most 20, each with its progress.',
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
