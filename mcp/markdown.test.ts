import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { toMarkdown } from './markdown.js';

test('values are a list, lists of objects tables, objects sections; what is missing is left out', () => {
  const value = {
    name: 'Aurora',
    rating: null,
    chips: ['a', 'b'],
    pu: { valor: 'R$ 1,00' },
    series: [
      { ticker: 'A1', atual: { valor: '1' }, isin: null },
      { ticker: 'A2', atual: { valor: '2' }, isin: null },
    ],
    historico: [{ serie: '1', precos: [{ data: 'x' }] }],
    vazio: [],
  };
  expect(toMarkdown('Operation', value)).toBe(`# Operation

- name: Aurora
- chips: a, b

## pu

- valor: R$ 1,00

## series

| ticker | atual.valor |
| --- | --- |
| A1 | 1 |
| A2 | 2 |

## historico

### historico 1

- serie: 1

#### precos

| data |
| --- |
| x |
`);
});

test('a text of another can add no line, cell or element', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 5 }), (texts) => {
      const lines = toMarkdown('T', { rows: texts.map((text) => ({ text, other: 1 })) })
        .trimEnd()
        .split('\n');
      const rows = lines.filter((line) => line.startsWith('| ')).slice(2);
      expect(rows).toHaveLength(texts.length);
      for (const row of rows) {
        expect(row.replaceAll(/\\[\\|<]/g, '').split('|')).toHaveLength(4);
        expect(row).not.toMatch(/[\r\n\u2028\u2029]|(?<!\\)(?:\\\\)*</);
      }
    }),
  );
});
