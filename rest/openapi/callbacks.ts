import { groupBy } from '../../shared/kernel/group-by.js';
import type { Route } from '../route.js';
import type { JsonSchema } from '../../gateway/graph/json-schema/json-schema.js';

export interface DocumentedEvent {
  readonly name: string;
  readonly meaning: string;
  /** JSON Schema of its data, limited to the keywords of OpenAPI 3.0. */
  readonly data: object;
}

/** Returns a route whose lists of event names (`eventNames`) say which names there are. */
export function withEventNames(route: Route, events: readonly DocumentedEvent[]): Route {
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

/** Returns the schema of a delivery's body for each event, and the schemas of data that events share. */
export function eventSchemas(events: readonly DocumentedEvent[]): Record<string, object> {
  const withData = groupBy(events, ({ data }) => JSON.stringify(data));
  return Object.fromEntries(
    [...withData.values()].flatMap(([first, ...others]): (readonly [string, object])[] => {
      if (first === undefined) return [];
      const data = {
        description: 'The data of the event. Fields may be added; existing fields remain.',
        ...first.data,
      };
      if (others.length === 0) return [[componentOf(first), envelopeOf(first, data)]];
      const name = `data.${first.name}`;
      const own = [first, ...others].map((event) => [componentOf(event), envelopeOf(event, reference(name))] as const);
      return [[name, data], ...own];
    }),
  );
}

const reference = (component: string) => ({ $ref: `#/components/schemas/${component}` });

function componentOf({ name }: DocumentedEvent): string {
  return `event.${name}`;
}

function envelopeOf({ name, meaning }: DocumentedEvent, data: object) {
  return {
    type: 'object',
    description: meaning,
    required: ['type', 'id', 'createdAt', 'data'],
    properties: {
      type: { type: 'string', enum: [name], description: 'Name of the event.' },
      id: { type: 'string', format: 'uuid', description: 'Id of the event, the same in every delivery of it.' },
      createdAt: { type: 'string', format: 'date-time', description: 'When the event happened.' },
      data,
    },
  };
}

const signed = ['X-Webhook-Id', 'X-Webhook-Timestamp', 'X-Webhook-Signature'];

/** Describes the requests to a webhook's address (OpenAPI 3.0's callbacks). */
export function callbacksOf(events: readonly DocumentedEvent[]): object {
  const schemas: JsonSchema[] = events.map((event) => reference(componentOf(event)));
  const mapping = Object.fromEntries(events.map((event) => [event.name, `#/components/schemas/${componentOf(event)}`]));
  const post = {
    operationId: 'receiveEvent',
    summary: 'An event',
    description: 'The request to your receiver, with one event. See Webhooks for the signature and the retries.',
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
      200: { description: 'The event was accepted. The response is due within 5 seconds.' },
      401: { description: 'Your receiver rejects the signature.' },
      410: { description: 'Your receiver no longer exists: the webhook is deactivated.' },
    },
  };
  return { event: { '{$request.body#/url}': { post } } };
}
