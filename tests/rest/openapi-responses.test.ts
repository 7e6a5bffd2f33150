import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { buildSchema, isNonNullType, isObjectType, Kind, parse, type DocumentNode } from 'graphql';
import { hasBody } from '../../rest/route.js';
import { routes } from '../../rest/routes.js';
import { sendSigned } from '../credit-assignment/signing-kit.js';

import { shownElsewhere } from './response-exceptions.js';
import { committedText as text, openResponses, type ResponseKit } from './response-kit.js';
import {
  announceTooMuch,
  openLimited,
  refusedRequests,
  slowSigner,
  targetOf,
  type Limited,
} from './response-refusals.js';
import {
  importSparse,
  readContracts,
  readOperations,
  readTokenization,
  useAccounts,
  useAgents,
  useWebhooks,
} from './response-scenes.js';
import { useCreditAssignment } from './response-scenes-credit.js';
import { useTrading } from './response-scenes-trading.js';

/* What the text says of responses, held against the running house: with all that can be there, and with all absent that can be. */

let kit: ResponseKit;
let limited: Limited;

beforeAll(async () => {
  kit = await openResponses();
  limited = await openLimited(kit);
  await importSparse(kit);
});
afterEach(() => {
  expect(kit.takeIssues()).toEqual([]);
});
afterAll(() => kit.close());

describe('every response is as the text says', () => {
  // First, while the series that were just imported have no price.
  test('of series, estates and assets', () => readTokenization(kit));
  test('of operations, their reports and inventories', () => readOperations(kit));
  test('of token contracts', () => readContracts(kit));
  test('of webhooks and their deliveries', () => useWebhooks(kit));
  test('of accounts and keys', () => useAccounts(kit));
  test('of credit assignment', () => useCreditAssignment(kit));
  test('of trading', () => useTrading(kit));
  test('of agents', () => useAgents(kit));
});

describe('every error is as the text says', () => {
  // The session of the others ends by it.
  const last = routes.toSorted(
    (one, other) => Number(one.operation === 'logout') - Number(other.operation === 'logout'),
  );

  test.each(last.map((route) => [`${route.method} ${route.path}`, route] as const))('%s', async (_, route) => {
    for (const [target, sent] of refusedRequests(route, limited)) {
      const { status, body } = await kit.ask(route.method, target, sent);
      if (status >= 500)
        expect([target, sent, body]).toEqual([target, sent, expect.objectContaining({ statusCode: 503 })]);
    }
  });

  test('of a body that is too long, on every path that takes one', async () => {
    for (const route of routes.filter((one) => hasBody(one) && one.byProgram === undefined)) {
      const headers = route.credential === 'session' ? await kit.caller.member(`${route.operation}@example.com`) : {};
      const { target, status, body } = await announceTooMuch(kit, route, {
        ...kit.credentials[route.credential],
        ...headers,
      });
      expect([target, status]).toEqual([target, 413]);
      kit.hold(route.method, String(target), { status: Number(status), body });
    }
  });

  test('of a method that a path does not have: 405 with the ones that it has', async () => {
    for (const path of new Set(routes.map((route) => targetOf(route, {})))) {
      const { status, headers, body } = await kit.caller.send('PROPFIND', path);
      expect([path, status, body]).toEqual([path, 405, expect.objectContaining({ statusCode: 405 })]);
      expect(headers.get('allow')).not.toBeNull();
    }
  });

  test('of a client beyond its limit', async () => {
    const signer = await slowSigner(kit);
    for (const route of routes.filter(({ method, credential }) => method === 'GET' && credential === 'trader')) {
      const { status } = await kit.ask(route.method, targetOf(route), { as: limited.slow });
      expect([200, 400, 404, 429]).toContain(status);
    }
    for (const route of routes.filter(({ method, credential }) => method === 'GET' && credential === 'signature')) {
      kit.hold(route.method, targetOf(route), await sendSigned(kit.platform.url, signer, targetOf(route)));
    }
    expect(kit.statuses()).toContain(429);
  });

  test('and each error status that the house documents has been one of them', () => {
    expect(kit.statuses()).toEqual(expect.arrayContaining([400, 401, 403, 404, 406, 409, 413, 415, 422, 429]));
  });
});

test('each property was seen with a value, null where the text says that it can be, and absent', () => {
  const unseen = kit.record.unseen().filter((sight) => shownElsewhere[sight] === undefined);
  expect(unseen).toEqual([]);
});

describe('the text', () => {
  test('takes what can be null from the types of the graph, and what can be absent from the operations', () => {
    const graph = buildSchema(readFileSync(new URL('../../supergraph.graphql', import.meta.url), 'utf8'), {
      assumeValid: true,
      assumeValidSDL: true,
    });
    const fragments = operationFiles().flatMap(({ definitions }) =>
      definitions.flatMap((node) => (node.kind === Kind.FRAGMENT_DEFINITION ? [node] : [])),
    );
    const compared = fragments.flatMap(({ name, typeCondition, selectionSet }) => {
      const type = graph.getType(typeCondition.name.value);
      const schema = text.components.schemas[name.value];
      return selectionSet.selections.flatMap((node) => {
        if (node.kind !== Kind.FIELD || !isObjectType(type)) return [];
        const key = node.alias?.value ?? node.name.value;
        const isNullable = !isNonNullType(type.getFields()[node.name.value]?.type);
        const isOptional = (node.directives ?? []).some(
          ({ name: { value } }) => !['flatten', 'number', 'lowerCase', 'description'].includes(value),
        );
        const shown = [schema?.properties?.[key]?.nullable === true, schema?.required?.includes(key)];
        return [[`${name.value}.${key}`, shown, [isNullable && !isOptional, !isOptional]] as const];
      });
    });
    expect(compared.length).toBeGreaterThan(300);
    for (const [field, shown, expected] of compared) expect([field, shown]).toEqual([field, expected]);
  });

  test('has the errors of the edge on every path: 429, 500 and 503', () => {
    for (const operation of Object.values(text.paths).flatMap((methods) => Object.values(methods))) {
      const statuses = Object.keys(operation.responses);
      expect([operation.operationId, statuses]).toEqual([
        operation.operationId,
        expect.arrayContaining(['429', '500', '503']),
      ]);
    }
  });
});

/** Returns the operations of the REST paths, and the fragments that they share. */
function operationFiles(): DocumentNode[] {
  const folder = new URL('../../rest/operations/', import.meta.url);
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.graphql'))
    .map((file) => parse(readFileSync(new URL(file, folder), 'utf8')));
}
