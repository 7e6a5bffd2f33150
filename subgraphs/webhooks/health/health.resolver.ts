import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { loaderOf, type Context } from '../../../shared/kernel/context.js';
import { Access } from '../../../shared/graphql/access.js';
import { Webhook } from '../subscriptions/subscription.type.js';
import { healthOf } from './managed-webhook.store.js';
import { toHealth, WebhookHealth } from './managed-webhook.type.js';

@Resolver(() => Webhook)
export class HealthResolver {
  @Access('developer', 'webhooks:read')
  @FieldResolver(() => WebhookHealth, { description: 'How its receiver did in the last 24 hours.' })
  async health(@Ctx() context: Context, @Root() { id }: Readonly<Webhook>): Promise<Readonly<WebhookHealth>> {
    return toHealth(await loaderOf(context, healthOf).load(id));
  }
}
