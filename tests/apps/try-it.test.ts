import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { curlOf, requestOf, triedOperations } from '../../apps/panel/developer/open-api.js';

const operations = triedOperations(JSON.parse(readFileSync('rest/openapi.json', 'utf8')));
const operationOf = (id: string) => {
  const found = operations.find((one) => one.id === id);
  if (found === undefined) throw new Error(`${id} cannot be tried`);
  return found;
};

test('what needs no credential or a key of an account can be tried, and nothing that needs a signature or a session', () => {
  expect(operations.map(({ id }) => id)).toEqual(
    expect.arrayContaining(['operationCards', 'operationDetail', 'webhooks', 'createWebhook', 'assetList']),
  );
  expect(operations.map(({ id }) => id)).not.toEqual(expect.arrayContaining(['createCreditBatch']));
  expect(operationOf('assetList').needsKey).toBe(false);
  expect(operationOf('webhooks').needsKey).toBe(true);
});

test('an address has every value that was typed, and nothing else', () => {
  const typed = fc.string({ minLength: 1, maxLength: 40, unit: 'binary' });
  fc.assert(
    fc.property(typed, typed, (path, query) => {
      const operation = operationOf('webhookDeliveries');
      const [first] = operation.parameters.filter(({ place }) => place === 'query');
      const { url } = requestOf(
        operation,
        (name) => (name === 'id' ? path : name === first?.name ? query : ''),
        undefined,
      );
      const { pathname, searchParams } = new URL(url, 'https://lastro.invalid');
      expect([...searchParams]).toEqual([[first?.name, query]]);
      // The parser of addresses takes steps out of a path.
      if (path !== '.' && path !== '..') expect(decodeURIComponent(pathname.split('/')[3] ?? '')).toBe(path);
    }),
  );
});

test('the command line gets what was typed, whatever it is', () => {
  const text = fc.string({ maxLength: 60 }).filter((one) => !one.includes('\0') && !one.includes('\r'));
  fc.assert(
    fc.property(text, (body) => {
      const command = curlOf({ method: 'POST', url: '/developer/webhooks', body }, 'https://lastro.invalid', true);
      const shown = execFileSync('/bin/sh', ['-c', `LASTRO_KEY=k; curl() { printf '%s\\0' "$@"; }; ${command}`], {
        encoding: 'utf8',
      });
      expect(shown.split('\0').slice(0, -1)).toEqual([
        '-X',
        'POST',
        'https://lastro.invalid/developer/webhooks',
        '-H',
        'X-API-Key: k',
        '-H',
        'content-type: application/json',
        '-d',
        body,
      ]);
    }),
    { numRuns: 50 },
  );
});
