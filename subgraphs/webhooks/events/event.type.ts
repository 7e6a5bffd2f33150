import { Field, ObjectType } from 'type-graphql';
import type { EventType } from './event-type.js';

@ObjectType({ simpleResolvers: true, description: 'An event that webhooks can ask for.' })
export class WebhookEvent {
  @Field(() => String, { description: 'Its name: what a webhook asks for, and `type` of the delivery.' })
  name!: string;

  @Field(() => String, { description: 'What has become true.' })
  meaning!: string;

  @Field(() => String, { description: 'Where it happens: tokenization, credit assignment or trading.' })
  surface!: string;

  @Field(() => String, {
    description: 'JSON Schema of `data` in the delivery, as text. More fields may come; those in it stay.',
  })
  dataSchema!: string;
}

export function toWebhookEvent({ name, meaning, surface, data }: EventType): Readonly<WebhookEvent> {
  return { name, meaning, surface, dataSchema: JSON.stringify(data) };
}
