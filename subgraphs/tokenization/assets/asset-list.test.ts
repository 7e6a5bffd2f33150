import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { newId } from '../../../shared/ids.js';
import { countPacked, unpack } from './asset-list.js';

const packed = (ids: readonly string[]) => Buffer.from(ids.join('').replaceAll('-', ''), 'hex');

test('packed ids are read at any place like the list that they were', () => {
  fc.assert(
    fc.property(fc.nat(30), fc.nat(40), fc.nat(40), fc.option(fc.nat(30)), (size, offset, limit, afterPlace) => {
      const ids = Array.from({ length: size }, () => newId()).sort();
      const after = afterPlace === null ? null : (ids[afterPlace] ?? newId());
      const rest = after === null ? ids : ids.filter((id) => id > after);
      expect(countPacked(packed(ids))).toBe(size);
      expect(unpack(packed(ids), { after, offset, limit })).toEqual(rest.slice(offset, offset + limit));
    }),
  );
});
