import { createHash, createPublicKey, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';
import { proveClaim } from '../../dist/gateway/edge/signature.js';

const runs = 5_000;

/** (k) Measures one verification of a signed request of 1 kB, in process, with the key in memory as on the hot path. */
export function measureSignatures() {
  return [2048, 4096].map((bits) => ({
    name: `(k) verification of a signed request, RSA ${bits}, 1 kB: median`,
    value: median(timesOf(bits)),
    unit: 'µs',
    below: 300,
  }));
}

/** @returns the microseconds of each verification, of requests that all differ */
function timesOf(bits) {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: bits });
  // In the form in which the program creates it from what it stores.
  const key = createPublicKey({ key: publicKey.export({ type: 'spki', format: 'der' }), type: 'spki', format: 'der' });
  const client = { id: 'bench', keys: [{ id: 'bench', key }] };
  const requests = Array.from({ length: 100 }, () => requestOf(client, privateKey));
  const times = [];
  for (let run = 0; run < runs; run += 1) {
    const { claim, request, hash } = requests[run % requests.length];
    // The edge hashes a body while it arrives.
    const received = { ...claim, hash: hash.copy() };
    const begun = process.hrtime.bigint();
    proveClaim(received, request);
    times.push(Number(process.hrtime.bigint() - begun) / 1000);
  }
  return times;
}

function requestOf(client, privateKey) {
  const rawBody = Buffer.from(JSON.stringify({ text: randomBytes(500).toString('hex') }));
  const request = { headers: {}, method: 'POST', raw: { url: '/tidc/v1/credit-batches' }, rawBody };
  const timestamp = '1795186800';
  const text = `POST\n${request.raw.url}\n${timestamp}\n`;
  const signature = createSign('RSA-SHA256').update(text).update(rawBody).sign(privateKey);
  return { claim: { client, signature }, request, hash: createHash('sha256').update(text).update(rawBody) };
}

function median(times) {
  return times.sort((left, right) => left - right)[times.length >> 1];
}
