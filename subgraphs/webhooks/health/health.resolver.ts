import { Args, Ctx, Directive, FieldResolver, Int, Query, Resolver, Root } from 'type-graphql';
import { loaderOf, type Context } from '../../../shared/kernel/context.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { connectionPage, openPage } from '../../../shared/graphql/list-page.js';
import { Access } from '../../../shared/graphql/access.js';
import { hasRole } from '../../../shared/graphql/roles.js';
import { toConnection, type Connection } from '../../../shared/graphql/connection.js';
import { PageSize } from '../../../shared/graphql/connection-type.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import {
  healthOf,
  countManaged,
  listManaged,
  mostPending,
  mostReceivers,
  pendingOf,
  receiversOf,
} from './managed-webhook.store.js';
import {
  toHealth,
  WebhookHealth,
  AccountContact,
  ManagedWebhook,
  ManagedWebhookConnection,
  managedPage,
  ManagedWebhooksArgs,
  toManagedWebhook,
} from './managed-webhook.type.js';
import { WebhookEvent } from '../events/event.resolver.js';
import { Webhook } from '../subscriptions/subscription.type.js';

@Resolver(() => Webhook)
export class HealthResolver {
  @Access('developer', 'webhooks:read')
  @FieldResolver(() => WebhookHealth, { description: 'How its receiver did in the last 24 hours.' })
  async health(@Ctx() context: Context, @Root() { id }: Readonly<Webhook>): Promise<Readonly<WebhookHealth>> {
    return toHealth(await loaderOf(context, healthOf).load(id));
  }
}

@Resolver(() => ManagedWebhook)
export class ManagedWebhookResolver {
  constructor(private readonly codec: CursorCodec) {}

  @Access('operator', 'read')
  @PageSize(managedPage)
  @Query(() => ManagedWebhookConnection, {
    description:
      'The webhooks of all accounts by their health in pages, worst first. A webhook whose state changes in the meantime can be missing from the pages, or be on two. Errors: 400 for arguments that are out of bounds and for a cursor of another list or filter; 401 and 403 for callers who are not operators.',
  })
  async managedWebhooks(
    @Ctx() context: Context,
    @Args(() => ManagedWebhooksArgs) { state = null, ...wanted }: ManagedWebhooksArgs,
  ): Promise<Connection<Shape<ManagedWebhook>>> {
    const page = openPage(this.codec, connectionPage(wanted), { ...managedPage, scope: `managed ${state ?? 'all'}` });
    const [rank, id] = page.position;
    const after = rank === undefined || id === undefined ? undefined : { rank: Number(rank), id };
    const found = await listManaged(context, state, { limit: page.limit, backward: page.backward, after });
    return toConnection(
      page.take(found, (row) => [String(row.rank), row.id]),
      toManagedWebhook,
      () => countManaged(context, state),
    );
  }

  @FieldResolver(() => WebhookHealth, { description: 'How its receiver did in the last 24 hours.' })
  async health(@Ctx() context: Context, @Root() { id }: Readonly<ManagedWebhook>): Promise<Readonly<WebhookHealth>> {
    return toHealth(await loaderOf(context, healthOf).load(id));
  }

  @FieldResolver(() => AccountContact, { description: 'The account to which it belongs.' })
  owner(@Root() { ownerId }: Readonly<ManagedWebhook>): Readonly<AccountContact> {
    return { id: ownerId };
  }

  @FieldResolver(() => Int, {
    description: `Number of its deliveries that wait for an attempt; at most ${mostPending.toLocaleString('en')} are counted.`,
  })
  pendingDeliveries(@Ctx() context: Context, @Root() { id }: Readonly<ManagedWebhook>): Promise<number> {
    return loaderOf(context, pendingOf).load(id);
  }
}

@Resolver(() => WebhookEvent)
export class ReceiversResolver {
  @Directive('@listSize(assumedSize: 20)')
  @FieldResolver(() => [ManagedWebhook], {
    nullable: true,
    description: `The active webhooks of all accounts that take it, oldest first, at most ${mostReceivers}; null for all but operators.`,
  })
  async receivers(
    @Ctx() context: Context,
    @Root() { name }: Readonly<WebhookEvent>,
  ): Promise<readonly Shape<ManagedWebhook>[] | null> {
    if (!hasRole(context.principal, 'read')) return null;
    return (await loaderOf(context, receiversOf).load(name)).first.map(toManagedWebhook);
  }

  @FieldResolver(() => Int, { nullable: true, description: 'Number of these webhooks; null for all but operators.' })
  async receiverCount(@Ctx() context: Context, @Root() { name }: Readonly<WebhookEvent>): Promise<number | null> {
    if (!hasRole(context.principal, 'read')) return null;
    return (await loaderOf(context, receiversOf).load(name)).count;
  }
}
