// A receiver of Lastro's webhooks, in plain Node, without dependencies: copy it and put your own work into `handle`.
//
//   WEBHOOK_SECRET=whsec_… node examples/webhook-receiver/receiver.mjs
//
// The receiver listens on 127.0.0.1, port PORT (4100). During a rotation WEBHOOK_SECRET may hold two secrets, separated by a comma.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const secrets = (process.env.WEBHOOK_SECRET ?? '').split(',').filter((secret) => secret !== '');
const maxAgeSeconds = 5 * 60;
const maxBodyBytes = 1024 * 1024;

/** Your own work. It may be given events out of order, so look at `createdAt`, or fetch the state that you need. */
function handle(event) {
  console.log(event.createdAt, event.type, event.id, JSON.stringify(event.data));
}

/** Ids of events that were handled, the oldest first. Keep them in your database when there is more than one process. */
const handled = new Set();
const maxHandled = 100_000;

/** Whether a request was signed by a secret of ours, not longer ago than five minutes. */
function isOurs(headers, body) {
  const id = headers['x-webhook-id'];
  const timestamp = headers['x-webhook-timestamp'];
  const given = Buffer.from(String(headers['x-webhook-signature'] ?? ''), 'hex');
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > maxAgeSeconds || !/^\d+$/.test(timestamp ?? '')) return false;
  // The body is signed as it came: parsed and written again it would be another text.
  const expected = secrets.map((secret) =>
    createHmac('sha256', secret).update(`${id}.${timestamp}.`).update(body).digest(),
  );
  // All are compared, each in a time that does not reveal the first difference.
  return expected.filter((one) => one.length === given.length && timingSafeEqual(one, given)).length > 0;
}

async function read(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > maxBodyBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function answer(request) {
  if (request.method !== 'POST') return 405;
  const body = await read(request);
  if (body === undefined) return 413;
  if (!isOurs(request.headers, body)) return 401;
  const event = JSON.parse(body.toString('utf8'));
  // Events can come more than once: the response is the same, the work is not done again.
  if (handled.has(event.id)) return 200;
  handle(event);
  handled.add(event.id);
  if (handled.size > maxHandled) handled.delete(handled.values().next().value);
  return 200;
}

if (secrets.length === 0) {
  console.error('Set WEBHOOK_SECRET to the secret that the webhook was created with (whsec_…)');
  process.exit(2);
}
const server = createServer((request, response) => {
  answer(request).then(
    (status) => response.writeHead(status).end(),
    (error) => {
      // Not 200: the event comes again.
      console.error(error);
      response.writeHead(500).end();
    },
  );
});
server.listen(Number(process.env.PORT ?? 4100), '127.0.0.1', () => {
  console.log(`Listening on http://127.0.0.1:${server.address().port}/`);
});
