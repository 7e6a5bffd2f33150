import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { mintSecret } from '../subscriptions/secret.js';
import { signatureHeaders } from './attempt.js';

const secret = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => mintSecret(() => Buffer.from(bytes)));
const now = () => Math.floor(Date.now() / 1000);
const message = fc.record({ id: fc.uuid(), body: fc.json() });

describe('a signature', () => {
  test('is what the contract and a verifier of the Standard Webhooks compute, for every secret and body', () => {
    fc.assert(
      fc.property(secret, message, (current, { id, body }) => {
        const timestamp = now();
        const headers = signatureHeaders({ current }, { id, timestamp, body }, false);
        const expected = createHmac('sha256', current).update(`${id}.${timestamp}.${body}`).digest('hex');
        expect(headers['x-webhook-signature']).toBe(expected);
        expect(new Webhook(current).verify(body, headers)).toEqual(JSON.parse(body));
        expect(() => new Webhook(current).verify(`${body} `, headers)).toThrow();
      }),
    );
  });

  test('while two secrets sign, fits a verifier of either, and no other', () => {
    fc.assert(
      fc.property(
        secret,
        secret,
        secret,
        message,
        fc.boolean(),
        (current, previous, other, { id, body }, byPrevious) => {
          fc.pre(other !== current && other !== previous);
          const timestamp = now();
          const headers = signatureHeaders({ current, previous }, { id, timestamp, body }, byPrevious);
          for (const known of [current, previous]) {
            expect(new Webhook(known).verify(body, headers)).toEqual(JSON.parse(body));
          }
          expect(() => new Webhook(other).verify(body, headers)).toThrow();
          const documented = createHmac('sha256', byPrevious ? previous : current);
          expect(headers['x-webhook-signature']).toBe(documented.update(`${id}.${timestamp}.${body}`).digest('hex'));
        },
      ),
    );
  });
});
