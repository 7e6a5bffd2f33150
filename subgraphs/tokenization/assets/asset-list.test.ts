import { expect, test } from '@jest/globals';
import { newId } from '../../../shared/kernel/ids.js';
import { partsOf, placeOf } from './asset-list.js';

test('a place is read back as it was written, and one without a number is that of an asset from before they were numbered', () => {
  const id = newId();
  expect(partsOf(placeOf({ registration: '300', id }))).toEqual({ registration: '300', id });
  expect(partsOf(id)).toEqual({ registration: '0', id });
});
