import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { testKeyRing } from '../../tests/kit/context.js';
import { createCursorCodec } from './cursor.js';
import { createKeyRing } from '../security/crypto.js';

const codec = createCursorCodec(testKeyRing, 'things');

test('a cursor gives its place back, to its own scope and list alone', () => {
  fc.assert(
    fc.property(fc.string(), fc.array(fc.string()), (scope, position) => {
      const cursor = codec.seal(scope, position);
      expect(codec.open(scope, cursor)).toEqual(position);
      expect(() => codec.open(`${scope}.`, cursor)).toThrow();
      expect(() => createCursorCodec(testKeyRing, 'others').open(scope, cursor)).toThrow();
    }),
  );
});

test('a cursor that differs in one bit is refused, and so is any text that is not ours', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), fc.nat(), fc.nat(7), fc.string(), (position, at, bit, text) => {
      const bytes = Buffer.from(codec.seal('all', position), 'base64url');
      const index = at % bytes.length;
      bytes.writeUInt8(bytes.readUInt8(index) ^ (1 << bit), index);
      expect(() => codec.open('all', bytes.toString('base64url'))).toThrow();
      expect(() => codec.open('all', text)).toThrow();
    }),
  );
});

test('a cursor with something added to it is refused', () => {
  const cursor = codec.seal('all', ['a', 'b']);
  for (const other of [`${cursor}=`, `${cursor} `, ` ${cursor}`, `${cursor}.`])
    expect(() => codec.open('all', other)).toThrow();
});

test('a cursor of the previous master key is valid while that is configured', () => {
  const [before, after] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const cursor = createCursorCodec(createKeyRing(before), 'things').seal('all', ['a']);
  expect(createCursorCodec(createKeyRing(after, before), 'things').open('all', cursor)).toEqual(['a']);
  expect(() => createCursorCodec(createKeyRing(after), 'things').open('all', cursor)).toThrow();
});
