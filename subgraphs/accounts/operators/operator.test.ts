import { describe, expect, test } from '@jest/globals';
import { roles } from '../../../shared/subgraph/roles.js';
import { daysErrors, keyDays, readRoles } from './operator.js';

describe('the roles of an operator', () => {
  test('are each there once, in the order of the catalogue', () => {
    const given = [...roles].reverse();
    expect(readRoles([...given, ...given])).toEqual({ roles: [...roles], errors: [] });
  });

  test('that there are not are named by their place, with those that there are', () => {
    const { errors } = readRoles(['king', 'read', '']);
    const message = `must be one of ${roles.join(', ')}`;
    expect(errors).toEqual([
      { path: 'roles[0]', message },
      { path: 'roles[2]', message },
    ]);
  });

  test('are at least one', () => {
    expect(readRoles([])).toEqual({
      roles: [],
      errors: [{ path: 'roles', message: `must contain at least one of ${roles.join(', ')}` }],
    });
  });

  test('that are wrong are listed twenty at a time', () => {
    expect(readRoles(Array.from({ length: 30 }, () => 'king')).errors).toHaveLength(20);
  });
});

describe('the days of a key', () => {
  test.each([1, 2, 364, keyDays.most])('may be %d', (days) => {
    expect(daysErrors(days)).toEqual([]);
  });

  test.each([0, -1, 1.5, 366, NaN, Infinity])('may not be %d', (days) => {
    expect(daysErrors(days)).toEqual([{ path: 'days', message: 'must be from 1 to 365' }]);
  });
});
