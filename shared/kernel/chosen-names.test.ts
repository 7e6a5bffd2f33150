import { describe, expect, test } from '@jest/globals';
import { chosenNames } from './chosen-names.js';
import { roles } from '../graphql/roles.js';

describe('names of a catalogue, such as the roles of an operator', () => {
  test('are each there once, in the order of the catalogue', () => {
    const given = [...roles].reverse();
    expect(chosenNames('roles', roles, [...given, ...given])).toEqual({ chosen: [...roles], errors: [] });
  });

  test('that there are not are named by their place, with those that there are', () => {
    const { errors } = chosenNames('roles', roles, ['king', 'read', '']);
    const message = `must be one of ${roles.join(', ')}`;
    expect(errors).toMatchObject([
      { path: 'roles[0]', message },
      { path: 'roles[2]', message },
    ]);
  });

  test('are at least one', () => {
    expect(chosenNames('roles', roles, [])).toMatchObject({
      chosen: [],
      errors: [{ path: 'roles', message: `must contain at least one of ${roles.join(', ')}` }],
    });
  });

  test('that are wrong are listed twenty at a time', () => {
    expect(
      chosenNames(
        'roles',
        roles,
        Array.from({ length: 30 }, () => 'king'),
      ).errors,
    ).toHaveLength(20);
  });
});
