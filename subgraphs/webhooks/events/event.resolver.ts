import { Directive, Query, Resolver } from 'type-graphql';
import { Access } from '../../../shared/graphql/access.js';
import { eventTypes } from './event.js';
import { toWebhookEvent, WebhookEvent } from './event.type.js';

const events = eventTypes.map(toWebhookEvent);

@Resolver()
export class EventResolver {
  @Access('anyone')
  @Directive('@listSize(assumedSize: 50)')
  @Query(() => [WebhookEvent], {
    description: 'All events to which webhooks can subscribe, with the schemas of their data.',
  })
  webhookEvents(): readonly Readonly<WebhookEvent>[] {
    return events;
  }
}
