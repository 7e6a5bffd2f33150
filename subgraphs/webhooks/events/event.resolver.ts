import { Directive, Query, Resolver, ObjectType } from 'type-graphql';
import { Access } from '../../../shared/graphql/access.js';
import { eventTypes } from './event.js';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import type { ReferenceRule } from '../../../shared/graphql/references.js';
import type { EventType, Surface } from './event-type.js';
import { fields, of, text } from '../../../shared/graphql/fields.js';

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

const SurfaceEnum = describeEnum<Surface>(
  'WebhookSurface',
  'Domain of the events of webhooks.',
  {
    TOKENIZATION: 'Tokenized series and their assets',
    CREDIT_ASSIGNMENT: 'Assignment of credits and their settlement',
    TRADING: 'Trading of crypto assets',
  },
  {
    TOKENIZATION: ['Tokenização', 'Tokenization'],
    CREDIT_ASSIGNMENT: ['Cessão de créditos', 'Credit assignment'],
    TRADING: ['Negociação', 'Trading'],
  },
);

@Directive('@key(fields: "name")')
@ObjectType({ simpleResolvers: true, description: 'An event to which webhooks can subscribe.' })
export class WebhookEvent extends fields({
  name: text('Name of the event: webhooks subscribe to it, and deliveries contain it as `type`.'),
  meaning: text('Meaning of the event.'),
  surface: of(() => SurfaceEnum, 'Domain of the event.'),
  dataSchema: text('JSON Schema of `data` in the delivery, as text. Fields may be added; existing ones remain.'),
}) {}

export const webhookEventReference: ReferenceRule = {
  access: 'anyone',
  resolve: (_context, { name }) => events.find((event) => event.name === name) ?? null,
};

function toWebhookEvent({ name, meaning, surface, data }: EventType): Readonly<WebhookEvent> {
  return { name, meaning, surface, dataSchema: JSON.stringify(data) };
}
