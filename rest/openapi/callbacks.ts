import type { Route } from '../route.js';
import type { Schema } from './schema.js';

/** An event that webhooks receive, as the OpenAPI text needs it. */
export interface ToldEvent {
  readonly name: string;
  /** The meaning of the event: what has become true. */
  readonly meaning: string;
  /** JSON Schema of its data, limited to the keywords of OpenAPI 3.0. */
  readonly data: object;
}

/** Returns a route whose lists of event names (`eventNames`) say which names there are. */
export function withEventNames(route: Route, events: readonly ToldEvent[]): Route {
  const items = { type: 'string', enum: events.map(({ name }) => name) } as const;
  const parameters = Object.entries(route.parameters).map(
    ([name, parameter]) =>
      [
        name,
        parameter.eventNames === true ? { ...parameter, schema: { ...parameter.schema, items } } : parameter,
      ] as const,
  );
  return { ...route, parameters: Object.fromEntries(parameters) };
}

/** Returns the schema of a delivery's body for each event. */
export function eventSchemas(events: readonly ToldEvent[]): Record<string, object> {
  return Object.fromEntries(events.map((event) => [componentOf(event), envelopeOf(event)]));
}

function componentOf({ name }: ToldEvent): string {
  return `event.${name}`;
}

function envelopeOf({ name, meaning, data }: ToldEvent) {
  return {
    type: 'object',
    description: meaning,
    required: ['type', 'id', 'createdAt', 'data'],
    properties: {
      type: { type: 'string', enum: [name], description: 'Name of the event.' },
      id: { type: 'string', format: 'uuid', description: 'Id of the event, the same whenever it comes again.' },
      createdAt: { type: 'string', format: 'date-time', description: 'When it happened.' },
      data: { description: 'What happened. More fields may come; those that are here stay.', ...data },
    },
  };
}

const signed = ['X-Webhook-Id', 'X-Webhook-Timestamp', 'X-Webhook-Signature'];

/** Describes the requests to a webhook's address (OpenAPI 3.0's callbacks). */
export function callbacksOf(events: readonly ToldEvent[]): object {
  const schemas: Schema[] = events.map((event) => ({ $ref: `#/components/schemas/${componentOf(event)}` }));
  const mapping = Object.fromEntries(events.map((event) => [event.name, `#/components/schemas/${componentOf(event)}`]));
  const post = {
    operationId: 'receiveEvent',
    summary: 'An event',
    description:
      'What your receiver gets, one event a request. See Webhooks for the signature and for when it comes again.',
    security: [],
    parameters: signed.map((name) => ({
      name,
      in: 'header',
      required: true,
      description: 'See Webhooks.',
      schema: { type: 'string' },
    })),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { oneOf: schemas, discriminator: { propertyName: 'type', mapping } } } },
    },
    responses: {
      200: { description: 'It was taken. Within 5 seconds.' },
      401: { description: 'Your receiver does not know the signature.' },
      410: { description: 'Your receiver is gone: the webhook is deactivated.' },
    },
  };
  return { event: { '{$request.body#/url}': { post } } };
}
