import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { OperatorField, OperatorFields } from '../bootstrap/operator-field.js';
import { readArguments } from './arguments.js';

const input = (name: string, type: string, byDefault?: string) => ({
  name,
  type,
  description: '',
  ...(byDefault === undefined ? {} : { byDefault }),
});
const field: OperatorField = {
  name: 'act',
  kind: 'mutation',
  subgraph: 'trading',
  description: '',
  arguments: [
    input('symbol', 'String!'),
    input('side', 'Side'),
    input('count', 'Int!', '3'),
    input('roles', '[String!]'),
    input('synthetic', 'Boolean'),
    input('terms', 'Terms'),
    input('postings', '[Terms!]'),
    input('apiKey', 'String'),
  ],
  selection: '{ id }',
  hasPages: true,
};
const described: OperatorFields = {
  fields: { act: field },
  inputs: {
    Terms: [input('fee', 'Decimal!'), input('limit', 'Int'), input('below', 'Below')],
    Below: [input('on', 'Date!')],
  },
  enums: { Side: ['BUY', 'SELL_SHORT'] },
};
const read = (...args: string[]) => readArguments(field, described, args);
const valuesOf = async (...args: string[]) => {
  const { variables, errors } = await read('--symbol', 'X', ...args);
  expect(errors).toEqual([]);
  const { symbol, ...others } = variables;
  expect(symbol).toBe('X');
  return others;
};
const folder = await mkdtemp(join(tmpdir(), 'lastro-arguments-'));
afterAll(() => rm(folder, { recursive: true }));

async function file(name: string, content: string | Buffer): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

describe('a value is read by its type', () => {
  test.each<[string[], object]>([
    [['--count', '-5'], { count: -5 }],
    [['--side', 'sell-short'], { side: 'SELL_SHORT' }],
    [['--side=buy'], { side: 'BUY' }],
    [['--side', 'null'], { side: null }],
    [['--synthetic'], { synthetic: true }],
    [['--synthetic', '--count', '1'], { synthetic: true, count: 1 }],
    [['--synthetic', 'false'], { synthetic: false }],
    [['--roles', 'read', '--roles', 'a,b'], { roles: ['read', 'a,b'] }],
    [['--roles', '[]'], { roles: [] }],
    [['--terms.fee', '0.5', '--terms.below.on', '2026-01-02'], { terms: { fee: '0.5', below: { on: '2026-01-02' } } }],
    [['--terms', '{"fee":"1"}', '--terms.limit', '7'], { terms: { fee: '1', limit: 7 } }],
    [['--postings', '{"fee":"1"}', '--postings', '{"fee":"2"}'], { postings: [{ fee: '1' }, { fee: '2' }] }],
    [['--postings', '[{"fee":"1"},{"fee":"2"}]'], { postings: [{ fee: '1' }, { fee: '2' }] }],
  ])('%j', async (args, values) => {
    expect(await valuesOf(...args)).toEqual(values);
  });

  test('any text arrives as it is, whichever way it is given', async () => {
    const text = fc.string({ unit: 'binary' }).filter((one) => one !== 'null' && !one.startsWith('@'));
    await fc.assert(
      fc.asyncProperty(text, fc.array(text.filter((one) => !/^\s*\[/.test(one))), async (symbol, roles) => {
        const given = await read(`--symbol=${symbol}`, ...roles.map((role) => `--roles=${role}`));
        expect(given).toMatchObject({ errors: [], variables: { symbol, ...(roles.length > 0 && { roles }) } });
      }),
    );
  });
});

test('@ reads a file, in UTF-8 or else Windows-1252; a secret comes from a file only, without the end of its line', async () => {
  expect(await valuesOf('--roles', `@${await file('utf8', 'José')}`)).toEqual({ roles: ['José'] });
  expect(await valuesOf('--roles', `@${await file('latin', Buffer.from('José', 'latin1'))}`)).toEqual({
    roles: ['José'],
  });
  expect(await valuesOf('--apiKey', `@${await file('key', 'k-1\n')}`)).toEqual({ apiKey: 'k-1' });
  expect((await read('--symbol', 'X', '--apiKey', 'k-1')).errors).toEqual([
    expect.stringMatching(/^--apiKey is secret/),
  ]);
});

test('--input gives arguments as JSON, and the others go before it', async () => {
  const path = await file('input.json', '{"symbol":"A","terms":{"fee":"1","limit":2},"roles":["x"]}');
  expect((await read('--terms.limit', '9', '--input', path, '--roles', 'y')).variables).toEqual({
    symbol: 'A',
    terms: { fee: '1', limit: 9 },
    roles: ['y'],
  });
});

test('everything that is wrong is named at once', async () => {
  const { errors } = await read(
    'now',
    '--side',
    'hold',
    '--count',
    '1.5',
    '--terms.rate',
    '1',
    '--symbol',
    'A',
    '--symbol',
    'B',
    '--roles',
  );
  expect(errors).toEqual([
    '"now" is no argument: arguments are written as --<name> <value>',
    '--side must be one of BUY, SELL_SHORT, and "hold" is not',
    '--count must be a whole number, and "1.5" is not',
    expect.stringMatching(/^act has no argument --terms\.rate\. It has --symbol, .*--all, --input, --json$/),
    '--symbol is given twice',
    '--roles needs a value',
  ]);
});

test('what is missing is named, in input objects too', async () => {
  expect((await read('--terms.limit', '1')).errors).toEqual(['--symbol is missing', '--terms.fee is missing']);
  expect((await read('--symbol', 'X', '--terms', '{"fee":"1","below":{}}')).errors).toEqual([
    '--terms.below.on is missing',
  ]);
});
