import { Field, ObjectType } from 'type-graphql';
import type { EventType } from './event-type.js';

@ObjectType({ simpleResolvers: true, description: 'An event to which webhooks can subscribe.' })
export class WebhookEvent {
  @Field(() => String, {
    description: 'Name of the event: webhooks subscribe to it, and deliveries contain it as `type`.',
  })
  name!: string;

  @Field(() => String, { description: 'Meaning of the event.' })
  meaning!: string;

  @Field(() => String, { description: 'Domain of the event: tokenization, credit assignment or trading.' })
  surface!: string;

  @Field(() => String, {
    description: 'JSON Schema of `data` in the delivery, as text. Fields may be added; existing ones remain.',
  })
  dataSchema!: string;
}

export function toWebhookEvent({ name, meaning, surface, data }: EventType): Readonly<WebhookEvent> {
  return { name, meaning, surface, dataSchema: JSON.stringify(data) };
}
