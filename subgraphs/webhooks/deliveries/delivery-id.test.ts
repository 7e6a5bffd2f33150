import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { deliveryIdOf, deliveryKeyOf, eventOf } from './delivery-id.js';

const keys = fc.record({ subscriptionId: fc.uuid(), eventId: fc.uuid() });

describe('the id of a delivery', () => {
  test('is its webhook and its event, and both can be read from it', () => {
    fc.assert(
      fc.property(keys, (key) => {
        expect(deliveryKeyOf(deliveryIdOf(key))).toEqual(key);
        expect(eventOf(key.subscriptionId, deliveryIdOf(key))).toBe(key.eventId);
      }),
    );
  });

  test('differs where the webhook or the event differs', () => {
    fc.assert(
      fc.property(keys, keys, (one, other) => {
        const same = one.subscriptionId === other.subscriptionId && one.eventId === other.eventId;
        expect(deliveryIdOf(one) === deliveryIdOf(other)).toBe(same);
      }),
    );
  });

  test('may be that of the event alone', () => {
    fc.assert(fc.property(keys, ({ subscriptionId, eventId }) => eventOf(subscriptionId, eventId) === eventId));
  });

  test('names nothing of another webhook', () => {
    fc.assert(
      fc.property(keys, fc.uuid(), (key, other) => {
        fc.pre(other !== key.subscriptionId);
        expect(eventOf(other, deliveryIdOf(key))).toBeUndefined();
      }),
    );
  });

  test('is no other text', () => {
    fc.assert(
      fc.property(keys, fc.string({ minLength: 1 }), (key, more) => {
        fc.pre(!/^[\da-f]+$/i.test(more));
        for (const text of [more, deliveryIdOf(key) + more, `_${key.eventId}`, `${key.subscriptionId}_`])
          expect(eventOf(key.subscriptionId, text)).toBeUndefined();
      }),
    );
  });
});
