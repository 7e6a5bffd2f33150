import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readArguments, variablesFor, type ArgumentForms } from './argument-forms.js';
import type { ObjectSchema } from './json-schema.js';

const schema: ObjectSchema = {
  type: 'object',
  properties: {
    limite: { type: 'integer' },
    status: { type: 'string', enum: ['OPEN', 'Paid'] },
    tipos: { type: 'array', items: { type: 'string', enum: ['CRI', 'CRA'] } },
    texto: { type: 'string' },
    paginas: { type: 'integer', default: 30 },
    mercado: { type: 'string' },
    secoes: { type: 'array', items: { type: 'string', enum: ['series', 'precos', 'resumo'] } },
  },
  required: ['mercado'],
  additionalProperties: false,
};
const forms: ArgumentForms = {
  symbols: new Set(['mercado']),
  sections: new Map([
    ['series', true],
    ['precos', true],
    ['resumo', false],
  ]),
};
const read = (given: object) => readArguments(schema, forms, given);

describe('arguments', () => {
  test.each([
    [{ limite: '5' }, { limite: 5 }],
    [{ status: 'open' }, { status: 'OPEN' }],
    [{ status: 'PAID' }, { status: 'Paid' }],
    [{ tipos: 'cri' }, { tipos: ['CRI'] }],
    [{ tipos: ['cra', 'CRI'] }, { tipos: ['CRA', 'CRI'] }],
    [{ texto: '5' }, { texto: '5' }],
    [{ status: '', texto: '', limite: '' }, {}],
    [{ mercado: '' }, { mercado: '' }],
    [{ mercado: 'btc-brl' }, { mercado: 'BTC/BRL' }],
    [{ mercado: 'Btc/Brl' }, { mercado: 'BTC/BRL' }],
    [{ mercado: 'brl' }, { mercado: 'BRL' }],
    [{ mercado: 'btc--brl' }, { mercado: 'btc--brl' }],
    [{ secoes: ['RESUMO'] }, { secoes: ['resumo'] }],
  ])('%j are read as %j', (given, values) => {
    expect(read(given)).toEqual({ values, details: [] });
  });

  test('that are not of the tool, or have another value, stay as they are for the check', () => {
    const given = { status: 'closed', limite: '1e3', outro: 1, tipos: ['x', 7] };
    expect(read(given)).toEqual({ values: given, details: [] });
  });

  test('of any form are read without an error, and twice as once', () => {
    const name = fc.constantFrom(
      'limite',
      'mercado',
      'paginas',
      'status',
      'tipos',
      'texto',
      'secoes',
      'outro',
      '__proto__',
    );
    fc.assert(
      fc.property(fc.dictionary(name, fc.jsonValue(), { maxKeys: 6 }), (given) => {
        const once = read(given);
        expect(once.details).toEqual([]);
        expect(read(once.values).values).toEqual(once.values);
      }),
    );
  });

  test('that are more than 100 are not read', () => {
    const given = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`a${index}`, 1]));
    expect(read(given)).toEqual({ values: {}, details: [{ path: '', message: 'must have at most 100 arguments' }] });
  });
});

test('sections become a Boolean each', () => {
  expect(variablesFor(forms, { texto: 'a' })).toEqual({ texto: 'a', series: true, precos: true, resumo: false });
  expect(variablesFor(forms, { secoes: ['resumo'] })).toEqual({ series: false, precos: false, resumo: true });
  expect(variablesFor(forms, { secoes: null })).toEqual({ series: true, precos: true, resumo: false });
});
