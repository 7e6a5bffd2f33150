import { printable, type Parameter, type Route } from '../route.js';
import { pageSize } from './parameters.js';

const id: Parameter = { description: 'Id of the webhook.' };

const url: Parameter = {
  description:
    'Address to which deliveries are sent: `https`, without user, password, fragment or spaces, at most 2048 characters. It is stored in its normal form: lower-case host, percent-encoded. Its host must be on the public internet, now and at every connection.',
  schema: { format: 'uri', minLength: 1, maxLength: 2048, pattern: String.raw`^[Hh][Tt][Tt][Pp][Ss]?://[^\s#]+$` },
  rule: 'must be an address that begins with https://, without spaces and fragment (#), of at most 2048 characters',
};

const events: Parameter = {
  description:
    'Names of the events to receive, at least one. The GraphQL query `webhookEvents` returns the schema of the data of each.',
  schema: { minItems: 1, items: { type: 'string' } },
  eventNames: true,
  rule: 'must be a list of names of events, with one at least',
};

const description: Parameter = {
  description: 'Purpose of the webhook, at most 500 characters. Empty: no description.',
  schema: { maxLength: 500, pattern: printable.any },
  identifies: true,
  rule: 'must have at most 500 characters, none of them a control character or invisible',
};

/** Makes a parameter of a change: it may be left out, but may not be null. */
const kept = ({ schema, ...parameter }: Parameter): Parameter => ({
  ...parameter,
  schema: { ...schema, nullable: false },
});

const webhooks = { tag: 'Developer', credential: 'developerKey', bucket: 'apiKey', parameters: { id } } as const;
const reads = { ...webhooks, method: 'GET', status: 200 } as const;
const acts = { ...webhooks, method: 'POST', status: 200 } as const;

const base = '/developer/webhooks';
const noWebhook = 'The account has no such webhook.';
const write = 'webhooks:write';
const read = 'webhooks:read';
const inactive = 'The webhook is deactivated, or the idempotency key conflicts.';
const example = { path: { id: '01935b2c-7f3e-7a10-9d55-0f6f3a1c2b4d' } };
const exampleUrl = 'https://integrador.example/lastro';

export const webhookRoutes: readonly Route[] = [
  {
    ...reads,
    path: base,
    operation: 'webhooks',
    summary: 'List webhooks',
    description: 'The webhooks of the account, oldest first, at most 100. Needs the scope `webhooks:read`.',
    response: 'The webhooks.',
    scope: read,
    parameters: {},
    example: {},
  },
  {
    ...acts,
    path: base,
    operation: 'createWebhook',
    status: 201,
    summary: 'Create a webhook',
    description:
      'Subscribes a receiver to events, and informs the owner of the account by mail. The secret is shown in this response only. See Webhooks for the deliveries and their signatures. Needs the scope `webhooks:write`.',
    response: 'The webhook was created.',
    scope: write,
    errors: { 409: 'The account has 100 webhooks already, or the idempotency key conflicts.' },
    tells: true,
    parameters: { url, events, description },
    example: {
      body: { url: exampleUrl, events: ['payment.completed', 'payment.overdue'], description: 'Conciliação' },
    },
  },
  {
    ...reads,
    path: `${base}/:id`,
    operation: 'webhook',
    summary: 'Get a webhook',
    description: 'A webhook of the account. Needs the scope `webhooks:read`.',
    response: 'The webhook.',
    scope: read,
    errors: { 404: noWebhook },
    example,
  },
  {
    ...webhooks,
    method: 'PATCH',
    path: `${base}/:id`,
    operation: 'updateWebhook',
    status: 200,
    summary: 'Change a webhook',
    description:
      'Changes the given fields and keeps the others; no field may be null. An empty description removes the description. Pending deliveries go to the new address, about which the owner of the account is informed by mail. `status` cannot be changed here and gets 400: `POST /developer/webhooks/{id}/activate` activates a webhook. Needs the scope `webhooks:write`.',
    response: 'The changed webhook.',
    scope: write,
    errors: { 404: noWebhook },
    parameters: { id, url: kept(url), events: kept(events), description: kept(description) },
    elsewhere: {
      status:
        'is not changed by PATCH: POST /developer/webhooks/{id}/activate activates a webhook, and DELETE /developer/webhooks/{id} deletes one',
    },
    example: { ...example, body: { events: ['payment.completed'], description: 'Conciliação diária' } },
  },
  {
    ...webhooks,
    method: 'DELETE',
    path: `${base}/:id`,
    operation: 'deleteWebhook',
    status: 204,
    summary: 'Delete a webhook',
    description: 'Deletes a webhook permanently. Needs the scope `webhooks:write`.',
    response: 'The webhook is deleted.',
    scope: write,
    errors: { 404: noWebhook },
    example,
  },
  {
    ...acts,
    path: `${base}/:id/rotate-secret`,
    operation: 'rotateWebhookSecret',
    summary: 'Rotate the secret of a webhook',
    description:
      'Creates a new secret, shown in this response only. For 24 hours deliveries are signed with the old one too: see Webhooks. Needs the scope `webhooks:write`.',
    response: 'The webhook with its new secret.',
    scope: write,
    errors: { 404: noWebhook },
    example,
  },
  {
    ...acts,
    path: `${base}/:id/test`,
    operation: 'testWebhook',
    status: 201,
    summary: 'Send a test event',
    description:
      'Sends an event of the type `webhook.test`, signed and retried like any other. The response does not wait for it: see the deliveries. Needs the scope `webhooks:write`.',
    response: 'The delivery that was created.',
    scope: write,
    errors: { 404: noWebhook, 409: inactive },
    example,
  },
  {
    ...acts,
    path: `${base}/:id/activate`,
    operation: 'activateWebhook',
    summary: 'Activate a webhook',
    description:
      'Resumes deliveries to a deactivated webhook. Events that were skipped meanwhile are sent by a replay. Needs the scope `webhooks:write`.',
    response: 'The active webhook.',
    scope: write,
    errors: { 404: noWebhook },
    example,
  },
  {
    ...reads,
    path: `${base}/:id/deliveries`,
    operation: 'webhookDeliveries',
    summary: 'List deliveries',
    description:
      'The deliveries, sent and pending, with all their attempts, newest event first; they are kept for 30 days. Needs the scope `webhooks:read`.',
    response: 'A page of deliveries.',
    scope: read,
    errors: { 404: noWebhook },
    parameters: {
      id,
      status: { description: 'Only deliveries with this status. Omitted: all.', lowerCase: true },
      limit: pageSize('Deliveries'),
      nextToken: {
        description:
          '`nextToken` of the previous page, which must have been requested with the same status. Omitted: the first page.',
        schema: { minLength: 1 },
      },
    },
    example: { ...example, query: { limit: '20' } },
  },
  {
    ...acts,
    path: `${base}/:id/deliveries/:deliveryId/redeliver`,
    operation: 'redeliverWebhook',
    summary: 'Send a delivery again',
    description:
      'Sends a delivery again immediately, with the complete schedule of retries, whatever its status. Needs the scope `webhooks:write`.',
    response: 'The pending delivery.',
    scope: write,
    errors: { 404: 'The account has no such webhook, or the webhook has no such delivery.', 409: inactive },
    parameters: {
      id,
      deliveryId: {
        description:
          'Id of the delivery, which is the id of its event. The id that the graph gives a delivery is accepted too.',
      },
    },
    example: { path: { ...example.path, deliveryId: '01935b2d-0c11-7b52-8f0e-5a1d2c3b4e5f' } },
  },
  {
    ...acts,
    path: `${base}/:id/replay`,
    operation: 'replayWebhook',
    summary: 'Replay missed events',
    description:
      'Sends all failed and skipped deliveries again, of events since a moment within the last 30 days, for which deliveries are kept. The first thousand are due immediately, the others follow. Needs the scope `webhooks:write`.',
    response: 'The number of deliveries that are sent again.',
    scope: write,
    errors: { 404: noWebhook, 409: inactive, 422: '`since` is in the future, or before the last 30 days.' },
    parameters: {
      id,
      since: {
        description: 'Events from this moment on (RFC 3339).',
        schema: {
          pattern: String.raw`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$`,
        },
        rule: 'must be an instant with its offset, as YYYY-MM-DDTHH:MM:SSZ',
      },
    },
    example: { ...example, body: { since: '2026-11-20T00:00:00Z' } },
  },
];
