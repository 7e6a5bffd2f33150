import { Arg, Ctx, ID, Int, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../shared/kernel/context.js';
import { Access, StepUp } from '../../../shared/graphql/access.js';
import { FormMutation } from '../../../shared/graphql/forms.js';
import { AtMost } from '../../../shared/graphql/constraint.js';
import {
  activateWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  updateWebhook,
  createWebhook,
  type WebhookParts,
} from './subscriptions.acts.js';
import { listSubscriptions, ownWebhook } from './subscription.store.js';
import { toWebhook, Webhook, Webhooks, WebhookWithSecret } from './subscription.type.js';

const idText = 'Id of the webhook.';
const urlText =
  'URL to which deliveries are posted: https, without user, password, fragment or spaces, at most 2048 characters. It is stored in its normal form: lower-case host, percent-encoded. At every connection it must lead to the public internet.';
const eventsText = 'Names of events, as in `webhookEvents`.';

@Resolver()
export class SubscriptionResolver {
  constructor(private readonly parts: WebhookParts) {}

  @Access('developer', 'webhooks:read')
  @Query(() => Webhooks, { description: 'The webhooks of the account. REST: GET /developer/webhooks.' })
  async webhooks(@Ctx() context: Context): Promise<Readonly<Webhooks>> {
    const items = await listSubscriptions(context, context.principal.ownerId);
    return { items: items.map(toWebhook), count: items.length };
  }

  @Access('developer', 'webhooks:read')
  @Query(() => Webhook, {
    description: 'A webhook of the account. REST: GET /developer/webhooks/{id}. Errors: 404.',
  })
  async webhook(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: idText }) id: string,
  ): Promise<Readonly<Webhook>> {
    return toWebhook(await ownWebhook(context, id));
  }

  @Access('developer', 'webhooks:write')
  @FormMutation()
  @StepUp('secret')
  @Mutation(() => WebhookWithSecret, {
    description:
      'Subscribes a receiver to events, and informs the owner of the account by mail. REST: POST /developer/webhooks. Errors: 400 for a URL that is not allowed, and for unknown events, with the known ones; 409 when the account has 100 webhooks.',
  })
  async createWebhook(
    @Ctx() context: Context,
    @AtMost({ maxLength: 2048 })
    @Arg('url', () => String, { description: urlText })
    url: string,
    @Arg('events', () => [String], { description: eventsText }) events: string[],
    @Arg('description', () => String, {
      nullable: true,
      description: 'Purpose of the webhook, at most 500 characters.',
    })
    description: string | null,
  ): Promise<Readonly<WebhookWithSecret>> {
    return toWebhook(await createWebhook(context, this.parts, { url, events, description }));
  }

  @Access('developer', 'webhooks:write')
  @FormMutation()
  @StepUp()
  @Mutation(() => Webhook, {
    description:
      'Changes a webhook; fields that are omitted keep their values. `url` and `events` cannot be null. Pending deliveries are sent to the new URL, about which the owner of the account is informed by mail. REST: PATCH /developer/webhooks/{id}. Errors: 400, 404.',
  })
  async updateWebhook(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: idText }) id: string,
    @AtMost({ maxLength: 2048 })
    @Arg('url', () => String, { nullable: true, description: urlText })
    url: string | null | undefined,
    @Arg('events', () => [String], { nullable: true, description: eventsText }) events: string[] | null | undefined,
    @Arg('description', () => String, {
      nullable: true,
      description: 'Purpose of the webhook, at most 500 characters; an empty text or null removes it.',
    })
    description: string | null | undefined,
  ): Promise<Readonly<Webhook>> {
    return toWebhook(await updateWebhook(context, this.parts, id, { url, events, description }));
  }

  @Access('developer', 'webhooks:write')
  @Mutation(() => Boolean, {
    description: 'Deletes a webhook permanently. REST: DELETE /developer/webhooks/{id}. Errors: 404.',
  })
  async deleteWebhook(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: idText }) id: string,
  ): Promise<boolean> {
    await deleteWebhook(context, id);
    return true;
  }

  @Access('developer', 'webhooks:write')
  @StepUp('secret')
  @Mutation(() => WebhookWithSecret, {
    description:
      'Gives a webhook a new secret; for 24 hours, or the time that is chosen, deliveries are signed with the previous secret too. REST: POST /developer/webhooks/{id}/rotate-secret. Errors: 400, 404.',
  })
  async rotateWebhookSecret(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: idText }) id: string,
    @Arg('overlapHours', () => Int, {
      nullable: true,
      description:
        'Hours for which deliveries are signed with the previous secret too, from 0 to 168; 24 when omitted or null. With 0 the previous secret ends at once.',
    })
    overlapHours: number | null | undefined,
  ): Promise<Readonly<WebhookWithSecret>> {
    return toWebhook(await rotateWebhookSecret(context, this.parts.keyRing, id, overlapHours ?? undefined));
  }

  @Access('developer', 'webhooks:write')
  @Mutation(() => Webhook, {
    description:
      'Activates a deactivated webhook, so that events are delivered to it again; skipped deliveries need a replay. REST: POST /developer/webhooks/{id}/activate. Errors: 404.',
  })
  async activateWebhook(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: idText }) id: string,
  ): Promise<Readonly<Webhook>> {
    return toWebhook(await activateWebhook(context, id));
  }
}
