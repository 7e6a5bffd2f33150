import { expect, test } from '@jest/globals';
import { roles } from '../../shared/graphql/roles.js';
import { eventTypes } from '../../subgraphs/webhooks/events/event.js';
import { portuguese as developer } from '../../apps/panel/developer/messages/pt-BR.js';
import { portuguese as operator } from '../../apps/panel/operator/messages/pt-BR.js';

test('the panel says in Portuguese what each event of webhooks means, and of none that does not exist', () => {
  const names = eventTypes.map(({ name }) => name);
  expect(Object.keys(developer.webhooks.meanings).toSorted()).toEqual(names.toSorted());
});

test('the panel names each role of operators in Portuguese', () => {
  expect(Object.keys(operator.operators.roleNames)).toEqual([...roles]);
});
