import { once } from 'node:events';
import { createServer } from 'node:http';
import { z } from 'zod';
import type { Context } from '../../shared/kernel/context.js';
import type { KeyRing } from '../../shared/security/crypto.js';
import { newId } from '../../shared/kernel/ids.js';
import { mintSecret, sealedSecret } from '../../subgraphs/webhooks/subscriptions/secret.js';
import { addOriginator } from '../../subgraphs/credit-assignment/originators/originators.acts.js';
import { addOpenEstate, permit } from '../credit-assignment/estates/kit.js';
import { newPair, pemOf, sendSigned } from '../credit-assignment/signing-kit.js';
import { addEstate } from '../tokenization/series/kit.js';
import { until } from '../kit/until.js';

const value = z.object({ stringValue: z.string().optional(), intValue: z.union([z.number(), z.string()]).optional() });
const attributes = z.array(z.object({ key: z.string(), value }));
const span = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.number(),
  attributes: attributes.default([]),
  links: z.array(z.object({ traceId: z.string(), spanId: z.string() })).default([]),
});
const exported = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes }),
      scopeSpans: z.array(z.object({ spans: z.array(span) })),
    }),
  ),
});

/** A span as a receiver of OTLP over HTTP gets it, with the role of the process that sent it. */
export interface ReceivedSpan extends Omit<z.output<typeof span>, 'attributes'> {
  readonly role: string;
  readonly attributes: Readonly<Record<string, string>>;
}

export type TraceReceiver = Awaited<ReturnType<typeof openTraceReceiver>>;

const textOf = (given: z.output<typeof value>) => String(given.stringValue ?? given.intValue ?? '');
const recordOf = (given: z.output<typeof attributes>) =>
  Object.fromEntries(given.map(({ key, value: own }) => [key, textOf(own)]));

export async function openTraceReceiver() {
  const spans: ReceivedSpan[] = [];
  let bytes = '';
  let headers: Readonly<Record<string, string | string[] | undefined>> = {};
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      bytes += body;
      ({ headers } = request);
      for (const { resource, scopeSpans } of exported.parse(JSON.parse(body)).resourceSpans) {
        const role = recordOf(resource.attributes)['lastro.role'] ?? '';
        for (const one of scopeSpans.flatMap((scope) => scope.spans)) {
          spans.push({ ...one, role, attributes: recordOf(one.attributes) });
        }
      }
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The receiver has no port');
  return {
    endpoint: `http://127.0.0.1:${address.port}`,
    spans,
    bytes: () => bytes,
    headers: () => headers,
    /** Resolves with the span once it has come in. */
    until: (right: (span: ReceivedSpan) => boolean) =>
      until(`the span for which ${String(right)}`, () => spans.find(right)),
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** The tax id of a debtor, which is in the body of the batch. */
export const debtorDocument = '52998224725';

/** Adds an originator that may assign credits, and a webhook of its account that is told of submitted batches. */
export async function addTracedSender(context: Context, keyRing: KeyRing, receiverUrl: string) {
  const { manager } = context;
  const patrimonyId = await addEstate(manager, 'TRACE');
  await addOpenEstate(manager, patrimonyId, 'TRACE');
  const { privateKey, publicKey } = newPair();
  const accountId = newId();
  const given = { name: 'Banco', publicKey: pemOf(publicKey), rateLimit: null, accountId };
  const { id: clientId } = await addOriginator(context, given);
  await permit(manager, clientId, patrimonyId);
  await manager.execute(
    `INSERT INTO webhooks.subscriptions (id, owner_id, url, events, secret, status, created_at)
     VALUES ($1, $2, $3, ARRAY['credit_batch.submitted'], $4, 'active', now())`,
    [newId(), accountId, receiverUrl, keyRing.seal(sealedSecret, mintSecret())],
  );
  const signer = { clientId, key: privateKey };
  let made = 0;
  return {
    signer,
    /** Creates a batch and submits it, by two signed requests; the event of the second one goes to the webhook. */
    submitBatch: async (url: string, headers: Readonly<Record<string, string>> = {}) => {
      made += 1;
      const contract = { externalId: `SEGREDO-${made}`, debtorDocument, faceValue: 100.5, dueDate: '2031-01-31' };
      const body = JSON.stringify({ patrimonyId, contracts: [contract] });
      const created = await sendSigned(url, signer, '/tidc/v1/credit-batches', { method: 'POST', body });
      if (created.status !== 201) throw new Error(JSON.stringify(created.body));
      const target = `/tidc/v1/credit-batches/${String(created.body['id'])}/submit`;
      const submitted = await sendSigned(url, signer, target, { method: 'POST', headers });
      if (submitted.status !== 200) throw new Error(JSON.stringify(submitted.body));
    },
  };
}
