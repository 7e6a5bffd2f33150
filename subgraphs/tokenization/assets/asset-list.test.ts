import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { newId } from '../../../shared/ids.js';
import { countPacked, partsOf, placeOf, unpack } from './asset-list.js';

function packed(places: readonly string[]): Buffer {
  return Buffer.concat(
    places.map(partsOf).map(({ registration, id }) => {
      const number = Buffer.alloc(8);
      number.writeBigUInt64BE(BigInt(registration));
      return Buffer.concat([number, Buffer.from(id.replaceAll('-', ''), 'hex')]);
    }),
  );
}

/** By number, then by id. */
function byPlace(one: string, other: string): number {
  const [a, b] = [partsOf(one), partsOf(other)];
  return Number(a.registration) - Number(b.registration) || (a.id < b.id ? -1 : Number(a.id > b.id));
}

const numbers = fc.constantFrom('0', '1', '2', '300', '1000000007');

test('packed places are read at any place like the list that they were', () => {
  fc.assert(
    fc.property(
      fc.array(numbers, { maxLength: 30 }),
      numbers,
      fc.nat(40),
      fc.nat(40),
      fc.option(fc.nat(30)),
      (registrations, other, offset, limit, afterPlace) => {
        const places = registrations.map((registration) => placeOf({ registration, id: newId() })).sort(byPlace);
        const stray = placeOf({ registration: other, id: newId() });
        const after = afterPlace === null ? null : (places[afterPlace] ?? stray);
        const rest = after === null ? places : places.filter((place) => byPlace(place, after) > 0);
        expect(countPacked(packed(places))).toBe(places.length);
        expect(unpack(packed(places), { after, offset, limit })).toEqual(rest.slice(offset, offset + limit));
      },
    ),
  );
});

test('a place without a number is that of an asset from before they were numbered', () => {
  const id = newId();
  expect(unpack(packed([placeOf({ registration: '0', id }), '1/' + id]), { after: id, offset: 0, limit: 5 })).toEqual([
    '1/' + id,
  ]);
});
